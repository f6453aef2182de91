//! Tasks for the test engine.
#![allow(dead_code, reason = "each test binary uses its part")]

pub mod builtin;
pub mod program;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use referee::clock::ClockSpec;
use referee::record::GameRecord;
use referee::task::{EngineSpec, GameTask, Protocol};

/// The environment variable by which a test finds its engines and their children again.
const MARK: &str = "REFEREE_TEST_MARK";

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

/// The same in SAU, on the board of [`hex_task`].
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

/// A game. Its engines can be found by [`left_behind`].
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
        clock,
        carried_us: None,
        adjudication: Default::default(),
        pause_opponent: false,
    }
}

/// Plays a task to its end.
pub fn play(task: &GameTask) -> GameRecord {
    referee::game::play(task, &AtomicBool::new(false)).expect("nobody stops it")
}

/// Processes of a task that run, by number. Kernels end killed processes in their own time, so
/// that a second passes before one counts as left.
pub fn left_behind(task: &GameTask) -> Vec<String> {
    for _ in 0..100 {
        if running(task).is_empty() {
            return Vec::new();
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    running(task)
}

fn running(task: &GameTask) -> Vec<String> {
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
