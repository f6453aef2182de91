//! Tasks for the test engine.
#![allow(dead_code, reason = "each test binary uses its part")]

pub mod builtin;
pub mod host;
pub mod program;
pub mod served;

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use engine_process::process::unconfined;
use gamelog::record::{GameRecord, GameResult, Reason};
use task::clock::ClockSpec;
use task::{EngineSpec, GameTask, Protocol};

/// The environment variable that marks a test's engines and their children.
const MARK: &str = "REFEREE_TEST_MARK";

/// The environment variable that names the file of tests that were skipped.
const SKIPPED: &str = "REFEREE_TEST_SKIPPED";

/// Says that this machine cannot run a test, and why; `.ci/run` lists it at its end.
pub fn skipped(test: &str, reason: &str) {
    println!("skipped: {test}: {reason}");
    if let Some(path) = std::env::var_os(SKIPPED) {
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(path);
        let file = file.as_mut().expect("the list of skipped tests");
        writeln!(file, "{test}: {reason}").expect("the list is written");
    }
}

/// Why this machine has no control groups for engines.
pub fn without_control_groups() -> Option<String> {
    let mut lines = unconfined(&EngineSpec::default()).into_iter();
    lines.find(|line| line.starts_with("memory in pipes"))
}

/// The test engine with arguments, in UGI.
pub fn engine(arguments: &[&str]) -> EngineSpec {
    let program = env!("CARGO_BIN_EXE_test-engine");
    let arguments: Vec<String> = arguments.iter().copied().map(String::from).collect();
    EngineSpec {
        name: "test".into(),
        command: [&[program.to_owned()], &*arguments].concat(),
        arguments,
        ..EngineSpec::default()
    }
}

/// The same engine in SAU, on the board of [`hex_task`].
pub fn sau_engine(arguments: &[&str]) -> EngineSpec {
    let mut arguments = arguments.to_vec();
    arguments.extend(["--sau", "--variant", SMALL]);
    EngineSpec {
        protocol: Protocol::Sau,
        ..engine(&arguments)
    }
}

/// A small board of Hex.
const SMALL: &str = r#"{"size":5}"#;

/// A game of Hex.
pub fn hex_task(first: EngineSpec, second: EngineSpec, clock: ClockSpec) -> GameTask {
    task("hex", SMALL, first, second, clock)
}

/// A game. [`left_behind`] finds its engines.
pub fn task(
    game: &str,
    variant: &str,
    first: EngineSpec,
    second: EngineSpec,
    clock: ClockSpec,
) -> GameTask {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let id = format!(
        "{}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    );
    let mark = |mut spec: EngineSpec| {
        spec.environment.insert(MARK.into(), id.clone());
        spec
    };
    GameTask {
        first: mark(first),
        second: mark(second),
        id: id.clone(),
        league: "test".into(),
        game: game.into(),
        variant: serde_json::from_str(variant).expect("the test writes JSON"),
        stage: String::new(),
        round: 1,
        number: 0,
        opening: String::new(),
        seed: 1,
        dice: None,
        clock,
        carried_us: None,
        adjudication: Default::default(),
        pause_opponent: false,
        idle_cpu: Default::default(),
        overrides: Vec::new(),
        pace: None,
    }
}

/// Plays a task to its end.
pub fn play(task: &GameTask) -> GameRecord {
    league::play::game::play(task, &AtomicBool::new(false)).expect("nobody stops it")
}

/// How much longer than its clocks a game may take before it counts as hanging: an idle machine
/// takes milliseconds, a busy one seconds.
pub const SLACK: Duration = Duration::from_secs(30);

/// Plays a task and checks that `loser` loses it in time, with this reason and detail, that no
/// process is left, and that the record can be read back.
#[track_caller]
pub fn ends(task: &GameTask, loser: GameResult, reason: Reason, detail: &str) {
    let clock = task.clock;
    let allowed = clock.base.or(clock.patience).expect("time is limited") + clock.margin;
    let allowed = Duration::try_from(allowed).expect("a time") + SLACK;
    let start = Instant::now();
    let record = play(task);
    let took = start.elapsed();
    let winner = match loser {
        GameResult::First => GameResult::Second,
        _ => GameResult::First,
    };
    assert_eq!(
        (record.result, record.reason),
        (winner, reason),
        "{}",
        record.detail
    );
    assert!(
        record.detail.contains(detail),
        "{:?} lacks {detail:?}",
        record.detail
    );
    assert!(took < allowed, "{took:?}: {}", record.detail);
    assert_eq!(left_behind(task), Vec::<String>::new());
    let line = serde_json::to_string(&record).expect("a record is JSON");
    let again: GameRecord = serde_json::from_str(&line).expect("a log can be read");
    assert_eq!(again, record);
}

/// Ids of a task's processes that are left after it. The kernel needs time to end killed processes, so they
/// get as long as [`SLACK`].
pub fn left_behind(task: &GameTask) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let left = running(task);
        if left.is_empty() || begun.elapsed() > SLACK {
            return left;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Ids of a task's processes that run.
pub fn running(task: &GameTask) -> Vec<String> {
    let mark = format!("{MARK}={}\0", task.id);
    std::fs::read_dir("/proc")
        .expect("Linux shows its processes")
        .filter_map(|entry| {
            let id = entry.ok()?.file_name().into_string().ok()?;
            let environment = std::fs::read(format!("/proc/{id}/environ")).ok()?;
            environment
                .windows(mark.len())
                .any(|window| window == mark.as_bytes())
                .then_some(id)
        })
        .collect()
}

/// How many items [`in_parallel`] takes at a time: most games and checks wait more than they
/// compute.
const THREADS: usize = 16;

/// Does `work` for each item, on several threads.
pub fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let take = || items.get(next.fetch_add(1, Ordering::Relaxed));
    std::thread::scope(|scope| {
        for _ in 0..THREADS.min(items.len()) {
            scope.spawn(|| std::iter::from_fn(take).for_each(&work));
        }
    });
}
