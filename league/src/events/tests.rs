use std::sync::Mutex;
use std::sync::mpsc::Sender;

use gamelog::record::sample;

use super::*;

/// A writer that sends every write to the test, and waits for its permission first.
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

/// Many more events are sent than the queue holds, before the reader starts to read.
#[test]
fn turns_are_dropped_first_and_the_next_line_says_how_many() {
    let (events, open, lines) = slow();
    let turn = sample::turn("a1");
    let sent = 2 * CAPACITY;
    for ply in 1..=sent {
        events.turn("x", ply, &turn);
    }
    events.planned("league", 1, 0);
    for _ in 0..=TURN_CAPACITY {
        open.send(()).unwrap();
    }
    let lines: Vec<Line> = (0..=TURN_CAPACITY)
        .map(|_| line(&lines.recv().unwrap()))
        .collect();
    for (index, line) in lines[..TURN_CAPACITY].iter().enumerate() {
        assert_eq!(line.dropped, 0);
        assert!(matches!(&line.event, Event::Turn { ply, .. } if *ply == index + 1));
    }
    let last = &lines[TURN_CAPACITY];
    assert!(matches!(last.event, Event::Planned { .. }), "{last:?}");
    assert_eq!(last.dropped as usize, sent - TURN_CAPACITY);
}

#[test]
fn senders_never_wait_and_memory_is_bounded() {
    let (events, open, lines) = slow();
    for _ in 0..3 * CAPACITY {
        events.planned("league", 1, 0);
    }
    let counts = &events.queue.as_ref().unwrap().counts;
    assert_eq!(counts.queued.load(Ordering::Relaxed), CAPACITY);
    let dropped = counts.dropped_total.load(Ordering::Relaxed);
    assert_eq!(dropped as usize, 2 * CAPACITY);
    drop(lines);
    drop(open);
}

#[test]
fn queued_events_are_written_at_the_end() {
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
fn a_closed_reader_is_harmless() {
    let (events, open, lines) = slow();
    drop((open, lines));
    for _ in 0..3 * CAPACITY {
        events.planned("league", 1, 0);
    }
}
