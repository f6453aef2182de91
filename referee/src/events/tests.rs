use std::sync::Mutex;
use std::sync::mpsc::Sender;

use super::*;
use crate::record::sample;

/// A file that hands over every write, and waits for a word before each.
struct Slow {
    gate: Receiver<()>,
    written: Sender<Vec<u8>>,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.gate.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
        self.written
            .send(bytes.to_vec())
            .map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn slow() -> (Events, Sender<()>, Receiver<Vec<u8>>) {
    let (open, gate) = mpsc::channel();
    let (written, lines) = mpsc::channel();
    (
        Events::to(Slow { gate, written }, "slow".into()),
        open,
        lines,
    )
}

fn line(bytes: &[u8]) -> Line {
    assert_eq!(bytes.iter().filter(|&&byte| byte == b'\n').count(), 1);
    serde_json::from_slice(bytes).unwrap()
}

/// Nobody reads while far more happens than the queue holds; then somebody does.
#[test]
fn turns_are_left_out_first_and_the_next_line_says_how_many() {
    let (events, open, lines) = slow();
    let turn = sample::turn("a1");
    let told = 2 * QUEUE;
    for ply in 1..=told {
        events.turn("x", ply, &turn);
    }
    events.planned("league", 1, 0);
    for _ in 0..=TURNS {
        open.send(()).unwrap();
    }
    let lines: Vec<Line> = (0..=TURNS).map(|_| line(&lines.recv().unwrap())).collect();
    for (index, line) in lines[..TURNS].iter().enumerate() {
        assert_eq!(line.dropped, 0);
        assert!(matches!(&line.event, Event::Turn { ply, .. } if *ply == index + 1));
    }
    let last = &lines[TURNS];
    assert!(matches!(last.event, Event::Planned { .. }), "{last:?}");
    assert_eq!(last.dropped as usize, told - TURNS);
}

#[test]
fn nobody_waits_for_a_reader_and_memory_is_bounded() {
    let (events, open, lines) = slow();
    for _ in 0..3 * QUEUE {
        events.planned("league", 1, 0);
    }
    let counts = &events.queue.as_ref().unwrap().counts;
    assert_eq!(counts.waiting.load(Ordering::Relaxed), QUEUE);
    let dropped = counts.dropped_in_all.load(Ordering::Relaxed);
    assert_eq!(dropped as usize, 2 * QUEUE);
    drop(lines);
    drop(open);
}

#[test]
fn what_waits_is_written_at_the_end() {
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let shared = Shared::default();
    let events = Events::to(shared.clone(), "shared".into());
    for games in 0..100 {
        events.planned("league", games, 0);
    }
    drop(events);
    let written = shared.0.lock().unwrap();
    let lines: Vec<Line> = written
        .split_inclusive(|&byte| byte == b'\n')
        .map(line)
        .collect();
    assert_eq!(lines.len(), 100);
}

#[test]
fn a_reader_that_goes_away_is_no_trouble() {
    let (events, open, lines) = slow();
    drop((open, lines));
    for _ in 0..3 * QUEUE {
        events.planned("league", 1, 0);
    }
}
