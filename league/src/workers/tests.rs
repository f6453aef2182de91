use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use gamelog::record::{GameResult, Logged, Reason, sample};
use task::GameTask;

use super::*;

/// The games of a small league.
fn tasks() -> Vec<GameTask> {
    let text = r#"
        league = { name = "x", games = ["hex"], rounds = 10, seed = 0 }
        clock = { nodes = 1 }
        engine = [{ name = "a", builtin = "pvs" }, { name = "b", builtin = "mcts" }]
    "#;
    let config = crate::config::Config::parse("x.toml".as_ref(), text, &[]).unwrap();
    let tournament = crate::tournament::Tournament::new(config, "referee".as_ref());
    let plan = tournament.plan();
    plan.iter().map(|due| tournament.task(due)).collect()
}

/// Lists, once, the games that are not yet played.
fn due() -> impl FnMut(&Played) -> Vec<GameTask> {
    let mut tasks = tasks();
    move |played: &Played| {
        let mut due = std::mem::take(&mut tasks);
        due.retain(|task| !played.contains(&task.id));
        due
    }
}

/// A game that `First` wins at once.
fn won(task: &GameTask) -> GameRecord {
    let record = sample::game(
        "hex",
        &task.first.name,
        &task.second.name,
        GameResult::First,
        Reason::Rules,
    );
    GameRecord {
        id: task.id.clone(),
        ..record
    }
}

/// Receives the events of a run and does nothing.
struct Unwatched;

impl Watcher for Unwatched {
    fn planned(&mut self, _: usize) {}

    fn game(&mut self, _: &GameRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tick(&mut self) {}
}

/// Opens the log in `folder` and plays what is missing. Returns the ids in the log afterwards.
fn resume(
    folder: &std::path::Path,
    stop: &Stop,
    play: impl Fn(&GameTask, &AtomicBool) -> Option<GameRecord> + Sync,
) -> Vec<String> {
    let mut games = Played::default();
    let keep = |game: Logged<'_>| (game.id.clone(), Ended::from(&game));
    let mut log = Log::open(folder, keep, |(id, ended)| games.add(&id, ended))
        .unwrap()
        .log;
    let play = |(): &mut (), task: &GameTask, stop: &AtomicBool| play(task, stop);
    let due = &mut due();
    run(due, 3, &mut log, &mut games, &mut Unwatched, stop, play).unwrap();
    drop(log);
    let logged = logged(folder);
    assert!(logged.iter().all(|id| games.contains(id)));
    assert_eq!(logged.len(), games.len());
    logged
}

/// The ids in the log in `folder`.
fn logged(folder: &std::path::Path) -> Vec<String> {
    let mut ids = Vec::new();
    Log::open(folder, |game| game.id, |id| ids.push(id)).unwrap();
    ids
}

#[test]
fn every_planned_game_is_played_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut ids = resume(folder.path(), &Stop::default(), |task, _| Some(won(task)));
    let mut planned: Vec<String> = tasks().into_iter().map(|task| task.id).collect();
    ids.sort();
    planned.sort();
    assert_eq!(ids, planned);
    let again = resume(folder.path(), &Stop::default(), |_, _| {
        panic!("nothing is missing")
    });
    assert_eq!(again.len(), planned.len());
}

#[test]
fn a_stopped_league_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let played = Mutex::new(Vec::new());
    for until in [4, 9, usize::MAX] {
        let stop = Stop::default();
        resume(folder.path(), &stop, |task, stop| {
            let mut played = played.lock().unwrap();
            if played.len() >= until {
                stop.store(true, Ordering::Relaxed);
                return None;
            }
            played.push(task.id.clone());
            Some(won(task))
        });
    }
    let mut played = played.into_inner().unwrap();
    let mut planned: Vec<String> = tasks().into_iter().map(|task| task.id).collect();
    played.sort();
    planned.sort();
    assert_eq!(played, planned);
}

#[test]
fn no_more_games_run_at_a_time_than_asked() {
    let folder = tempfile::tempdir().unwrap();
    let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    resume(folder.path(), &Stop::default(), |task, _| {
        most.fetch_max(1 + now.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
        thread::sleep(Duration::from_millis(5));
        now.fetch_sub(1, Ordering::SeqCst);
        Some(won(task))
    });
    assert_eq!(most.into_inner(), 3);
}

#[test]
fn a_log_that_cannot_be_written_stops_the_league() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::open(folder.path(), |_| (), |()| {}).unwrap().log;
    log.fail_from_now_on();
    let (stop, mut games) = (Stop::default(), Played::default());
    let play = |(): &mut (), task: &GameTask, _: &AtomicBool| Some(won(task));
    let due = &mut due();
    run(due, 2, &mut log, &mut games, &mut Unwatched, &stop, play).unwrap_err();
    assert!(stop.now.into_inner());
    assert!(games.is_empty());
}

#[test]
fn nothing_is_logged_after_the_watcher_breaks() {
    /// Breaks after this many games.
    struct StopAfter(usize);

    impl Watcher for StopAfter {
        fn game(&mut self, _: &GameRecord) -> ControlFlow<()> {
            self.0 = self.0.saturating_sub(1);
            match self.0 {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }

        fn planned(&mut self, _: usize) {}

        fn tick(&mut self) {}
    }

    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::open(folder.path(), |_| (), |()| {}).unwrap().log;
    let (stop, mut games) = (Stop::default(), Played::default());
    let play = |(): &mut (), task: &GameTask, _: &AtomicBool| Some(won(task));
    run(
        &mut due(),
        2,
        &mut log,
        &mut games,
        &mut StopAfter(3),
        &stop,
        play,
    )
    .unwrap();
    drop(log);
    assert_eq!(games.len(), 3);
    assert_eq!(logged(folder.path()).len(), 3);
}

#[test]
fn games_in_progress_are_played_to_their_end_when_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (stop, begun) = (Stop::default(), AtomicUsize::new(0));
    let ids = resume(folder.path(), &stop, |task, now| {
        if begun.fetch_add(1, Ordering::SeqCst) == 4 {
            stop.soon.store(true, Ordering::SeqCst);
        }
        thread::sleep(Duration::from_millis(5));
        assert!(!now.load(Ordering::SeqCst));
        Some(won(task))
    });
    assert_eq!(ids.len(), begun.into_inner());
    assert!((5..=8).contains(&ids.len()), "{}", ids.len());
}

#[test]
fn games_that_follow_from_results_are_played_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::open(folder.path(), |_| (), |()| {}).unwrap().log;
    let all = tasks();
    // One game at a time, although three could run.
    let mut listed = 0;
    let mut due = |games: &Played| {
        let next = all.get(games.len()).filter(|_| games.len() == listed);
        listed += usize::from(next.is_some());
        next.cloned().into_iter().collect()
    };
    let (stop, mut games, now) = (Stop::default(), Played::default(), AtomicUsize::new(0));
    let play = |(): &mut (), task: &GameTask, _: &AtomicBool| {
        assert_eq!(now.fetch_add(1, Ordering::SeqCst), 0);
        now.fetch_sub(1, Ordering::SeqCst);
        Some(won(task))
    };
    run(
        &mut due,
        3,
        &mut log,
        &mut games,
        &mut Unwatched,
        &stop,
        play,
    )
    .unwrap();
    drop(log);
    let planned: Vec<&str> = all.iter().map(|task| &*task.id).collect();
    assert_eq!(logged(folder.path()), planned);
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_worker_that_panics_does_not_hang_the_league() {
    let folder = tempfile::tempdir().unwrap();
    resume(folder.path(), &Stop::default(), |_, _| {
        panic!("a fault of the referee")
    });
}
