//! Real games with every kind of clock: the built-in engines do not lose on time, and every µs is
//! accounted for.

use gamelog::record::{GameRecord, Reason, SideName};
use task::clock::ClockSpec;
use task::{EngineSpec, GameTask};

use crate::common::program::{folder_with, games, run, text};
use crate::common::{engine, play, task};

/// Short time controls, as keys of a league file.
const CLOCKS: [&str; 11] = [
    "base = \"400ms\"",
    "base = \"200ms\"\nincrement = \"10ms\"",
    "base = \"200ms\"\ndelay = \"15ms\"",
    "base = \"30ms\"\ndelay = \"15ms\"",
    "base = \"200ms\"\nbronstein = \"15ms\"",
    "base = \"100ms\"\nmoves = 4",
    "base = \"100ms\"\nbyoyomi = \"20ms\"",
    "byoyomi = \"20ms\"\nperiods = 3",
    "move = \"20ms\"",
    "nodes = 50",
    "depth = 1",
];

/// Long enough for a busy machine, and much shorter than a search that ignores its clock.
const MARGIN: &str = "margin = \"100ms\"";

/// How many games are played at most, since a busy machine may spoil one.
const ATTEMPTS: usize = 3;

fn clock(keys: &str) -> ClockSpec {
    toml::from_str(&format!("{keys}\n{MARGIN}")).expect("a clock")
}

fn builtin(game: &str, algorithm: &str) -> EngineSpec {
    let words = ["engine", game, "--algorithm", algorithm, "--table-mb", "4"];
    EngineSpec {
        program: Some(env!("CARGO_BIN_EXE_referee").into()),
        arguments: words.map(String::from).to_vec(),
        ..engine(&[])
    }
}

fn played(task: &GameTask) -> GameRecord {
    let record = play(task);
    assert_eq!(league::results::verify::check(&record), Ok(()));
    record
}

/// Connect6 turns have two stones and are searched stone by stone, so both kinds of games are
/// tested.
#[test]
fn built_in_engines_do_not_lose_on_time() {
    for keys in CLOCKS {
        for (game, variant) in [("hex", "{\"size\": 7}"), ("connect6", "{}")] {
            let [pvs, mcts] = ["pvs", "mcts"].map(|algorithm| builtin(game, algorithm));
            let task = task(game, variant, pvs, mcts, clock(keys));
            let mut details = Vec::new();
            let in_time = (0..ATTEMPTS).any(|_| {
                let record = played(&task);
                details.push(record.detail);
                record.reason == Reason::Rules
            });
            assert!(in_time, "{game}, {keys}: {details:?}");
        }
    }
}

#[test]
fn built_in_engines_report_the_time_of_whole_turns() {
    let [pvs, mcts] = ["pvs", "mcts"].map(|algorithm| builtin("connect6", algorithm));
    let record = played(&task(
        "connect6",
        "{}",
        pvs,
        mcts,
        clock("move = \"100ms\""),
    ));
    let lags = record.turns.iter().map(|turn| {
        let reported = turn.info.as_ref().and_then(|info| info.time_ms);
        let reported = 1_000 * reported.expect("a time in every turn");
        // The referee may be delayed after writing the question and start its clock too late.
        turn.used_us.saturating_sub(reported)
    });
    // A search of the second stone alone does not include the 57 ms of the first.
    let median = median(lags);
    assert!(median < 30_000, "{median} µs");
}

fn median(times: impl Iterator<Item = u64>) -> u64 {
    let mut times: Vec<u64> = times.collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// The engine with time odds has a tenth of the other's time and is told so.
#[test]
fn time_odds_apply_to_one_engine() {
    let mut weak = builtin("hex", "mcts");
    weak.clock = Some(clock("move = \"5ms\""));
    let strong = builtin("hex", "mcts");
    let task = task(
        "hex",
        "{\"size\": 7}",
        weak,
        strong,
        clock("move = \"50ms\""),
    );
    let record = played(&task);
    assert_eq!(record.clocks(), task.clocks());
    let [weak, strong] = [0, 1].map(|side| {
        let turns = record.turns.iter().skip(side).step_by(2);
        median(turns.map(|turn| turn.used_us))
    });
    assert!(weak < strong, "{weak} µs, {strong} µs");
}

/// One engine has a clock, the other a limit of nodes and a patience of its own; each is told only
/// its own limit.
#[test]
fn a_clock_meets_a_limit_of_nodes() {
    let league = "[league]\nname = \"x\"\ngames = [\"hex\"]\n[variant.hex]\nsize = 4\n\
                  [clock]\nbase = \"60s\"\n\
                  [[engine]]\nname = \"clock\"\nbuiltin = \"greedy\"\n\
                  [[engine]]\nname = \"nodes\"\nbuiltin = \"mcts\"\n\
                  clock = { nodes = 20, patience = \"5m\" }\n";
    let folder = folder_with(league);
    let command = ["league", "league.toml", "--out", "out", "--trace", "trace"];
    let done = run(folder.path(), &command);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let verified = run(folder.path(), &["verify", "out"]);
    assert!(verified.status.success(), "{}", text(&verified.stdout));
    let games = games(&folder.path().join("out"));
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
        for turn in &game.turns {
            let timed = (turn.side == SideName::First) == (game.first.name == "clock");
            assert_eq!(turn.left_us.is_some(), timed, "{turn:?}");
        }
    }
    let trace = std::fs::read_to_string(folder.path().join("trace")).expect("a trace");
    let sent = |engine: &str| -> Vec<&str> {
        let name = format!("{engine} > go ");
        let lines = trace.lines().filter(|line| line.contains(&name));
        lines.collect()
    };
    assert!(!sent("nodes").is_empty() && !sent("clock").is_empty());
    assert!(
        sent("nodes")
            .iter()
            .all(|line| line.ends_with("> go nodes 20"))
    );
    let both = |line: &&str| {
        line.contains("nodes 20") || line.contains("p1time") == line.contains("p2time")
    };
    assert!(!sent("clock").iter().any(both), "{trace}");
}
