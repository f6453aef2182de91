//! The trace of a game. In a program of its own, because a trace covers the whole program.

mod common;

use task::clock::ClockSpec;

use common::{engine, hex_task, play, sau_engine};

#[test]
fn every_line_is_in_the_trace_with_its_time() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("trace.txt");
    engine_process::trace::start(&path).unwrap();
    assert!(
        engine_process::trace::start(&path).is_err(),
        "one at a time"
    );

    let clock = ClockSpec {
        nodes: Some(7),
        ..ClockSpec::default()
    };
    let mut task = hex_task(engine(&[]), sau_engine(&["abort", "2"]), clock);
    task.id = "a-game".into();
    task.first.name = "one".into();
    task.second.name = "two".into();
    let record = play(&task);

    let trace = std::fs::read_to_string(&path).unwrap();
    for line in [
        "a-game one > ugi",
        "a-game one < ugiok",
        "a-game one > setoption name Game value hex",
        "a-game one > go nodes 7",
        "a-game one < bestmove a1",
        "a-game two < name test engine",
        "a-game two > new blue",
        "a-game two > move AA",
        "a-game two ! signal: 6 (SIGABRT)",
        "a-game one > quit",
    ] {
        let found = trace
            .lines()
            .find_map(|traced| traced.strip_suffix(line))
            .unwrap_or_else(|| panic!("no {line:?} in:\n{trace}"));
        let time: jiff::Timestamp = found.trim().parse().unwrap();
        assert!(time > record.started, "{time} of {line}");
    }
}
