//! Events of real leagues: their content, and that no reader, slow or gone, stops a game.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::process::{Output, Stdio};

use gamelog::record::TurnRecord;
use league::events::{Event, Line};

use crate::common::program::{folder_with, games, referee, run, text};

/// A league with and without dice; a pair plays two games at a time.
const LEAGUE: &str = r#"
[league]
name = "told"
games = ["hex", "einstein"]
rounds = 3
concurrency = 2

[clock]
nodes = 20

[clock.einstein]
base = "60s"
increment = "100ms"
nodes = 20

[variant.hex]
size = 4

[[engine]]
name = "pvs"
builtin = "pvs"
options = { table_mb = 1 }

[[engine]]
name = "random"
builtin = "random"
"#;

fn lines(text: &str) -> Vec<Line> {
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    text.lines().map(parse).collect()
}

/// The events of one game: the line numbers of start and end, and its turns.
#[derive(Default)]
struct GameEvents {
    started: Vec<usize>,
    finished: Vec<usize>,
    turns: Vec<(usize, usize, TurnRecord)>,
}

fn by_game(lines: &[Line]) -> BTreeMap<&str, GameEvents> {
    let mut by_id: BTreeMap<&str, GameEvents> = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        match &line.event {
            Event::Started { id, .. } => by_id.entry(id).or_default().started.push(number),
            Event::Finished { id, .. } => by_id.entry(id).or_default().finished.push(number),
            Event::Turn {
                id,
                ply,
                side,
                text,
                used_us,
                left_us,
                charged_us,
                info,
                cpu,
                refused,
            } => {
                let turn = TurnRecord {
                    side: *side,
                    text: text.clone(),
                    used_us: *used_us,
                    left_us: *left_us,
                    charged_us: *charged_us,
                    info: info.clone(),
                    cpu: *cpu,
                    refused: refused.clone(),
                };
                by_id
                    .entry(id)
                    .or_default()
                    .turns
                    .push((number, *ply, turn));
            }
            Event::Planned { .. } | Event::Standings { .. } => {}
        }
    }
    by_id
}

#[test]
fn events_agree_with_the_log() {
    let folder = folder_with(LEAGUE);
    let league = run(folder.path(), &["league", "league.toml", "--events", "-"]);
    assert!(league.status.success(), "{}", text(&league.stderr));
    assert!(text(&league.stderr).contains("Hex: 6 games"), "the tables");
    let lines = lines(text(&league.stdout));
    assert!(lines.iter().all(|line| line.dropped == 0));
    assert!(lines.is_sorted_by_key(|line| match line.event {
        Event::Planned { .. } => 0,
        _ => 1,
    }));
    let Event::Planned {
        games: 12,
        logged: 0,
        ..
    } = &lines[0].event
    else {
        panic!("{:?}", lines[0]);
    };

    let played = games(&folder.path().join("matches/told"));
    let by_id = by_game(&lines);
    assert_eq!((played.len(), by_id.len()), (12, 12));
    for game in &played {
        let events = &by_id[&*game.id];
        assert_eq!((events.started.len(), events.finished.len()), (1, 1));
        let numbers: Vec<usize> = events.turns.iter().map(|turn| turn.0).collect();
        assert!(events.started[0] < numbers[0] && numbers.is_sorted());
        assert!(numbers[numbers.len() - 1] < events.finished[0]);
        let plies: Vec<usize> = events.turns.iter().map(|turn| turn.1).collect();
        assert_eq!(plies, (1..=game.turns.len()).collect::<Vec<_>>());
        let turns: Vec<&TurnRecord> = events.turns.iter().map(|turn| &turn.2).collect();
        assert_eq!(turns, game.turns.iter().collect::<Vec<_>>());
        let Event::Finished {
            result,
            reason,
            plies,
            ..
        } = &lines[events.finished[0]].event
        else {
            panic!("a game that has finished");
        };
        let logged = (game.result, game.reason, game.turns.len());
        assert_eq!((*result, *reason, *plies), logged);
    }
    let Some(Event::Standings { all, by_game }) = lines.last().map(|line| &line.event) else {
        panic!("the last standings come last");
    };
    assert_eq!(all.iter().map(|place| place.points).sum::<u32>(), 24);
    assert_eq!(by_game.len(), 2);
}

#[test]
fn events_are_appended_and_a_run_starts_with_the_planned_games() {
    let folder = folder_with(LEAGUE);
    let arguments = ["league", "league.toml", "--events", "events.jsonl"];
    let first = run(folder.path(), &arguments);
    assert!(text(&first.stdout).contains("Hex: 6 games"), "the tables");
    assert!(run(folder.path(), &arguments).status.success());
    let events = fs::read_to_string(folder.path().join("events.jsonl")).expect("events");
    let lines = lines(&events);
    let planned = lines.iter().filter_map(|line| match line.event {
        Event::Planned { games, logged, .. } => Some((games, logged)),
        _ => None,
    });
    assert_eq!(planned.collect::<Vec<_>>(), [(12, 0), (0, 12)]);
}

/// Far more events than fit into a pipe, with a reader that reads nothing.
#[test]
fn a_reader_that_does_not_read_does_not_stop_the_league() {
    let text_of = LEAGUE.replace("rounds = 3", "rounds = 40");
    let folder = folder_with(&text_of);
    let mut child = referee(folder.path(), &["league", "league.toml", "--events", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut unread = child.stdout.take().expect("a pipe");
    let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
    assert!(status.success(), "{}", text(&stderr));
    assert_eq!(games(&folder.path().join("matches/told")).len(), 160);
    let warning = "events were dropped: their reader was too slow";
    assert!(text(&stderr).contains(warning), "{}", text(&stderr));
    let mut begun = Vec::new();
    unread.read_to_end(&mut begun).expect("what the pipe held");
    let whole = begun
        .iter()
        .rposition(|&byte| byte == b'\n')
        .expect("lines");
    assert!(lines(text(&begun[..whole])).len() > 100);
}

#[test]
fn a_closed_pipe_or_full_disk_gives_one_warning() {
    let folder = folder_with(LEAGUE);
    let mut child = referee(folder.path(), &["league", "league.toml", "--events", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let gone = child.wait_with_output().expect("it ends");
    let full = run(
        folder.path(),
        &[
            "league",
            "league.toml",
            "--out",
            "full",
            "--events",
            "/dev/full",
        ],
    );
    for (output, message) in [(gone, "Broken pipe"), (full, "No space left on device")] {
        let error = text(&output.stderr);
        assert!(output.status.success(), "{error}");
        let warnings: Vec<&str> = error
            .lines()
            .filter(|line| line.contains("warning: --events"))
            .collect();
        assert_eq!(warnings.len(), 1, "{error}");
        assert!(warnings[0].contains(message), "{error}");
    }
    assert_eq!(games(&folder.path().join("full")).len(), 12);
}

#[test]
fn unwritable_event_files_are_refused_before_the_first_game() {
    let folder = folder_with(LEAGUE);
    let out = folder.path().join("matches/told");
    for (file, message) in [
        ("no/such/folder", "--events no/such/folder: No such file"),
        (
            "matches/told/games.jsonl",
            "the league's log, expected another file",
        ),
    ] {
        let league = run(folder.path(), &["league", "league.toml", "--events", file]);
        assert_eq!(league.status.code(), Some(2));
        let error = text(&league.stderr);
        assert!(error.contains(message), "{error}");
        assert_eq!(games(&out).len(), 0);
    }
}

#[test]
fn a_sequential_test_writes_events_too() {
    let folder = folder_with(&LEAGUE.replace("rounds = 3", "rounds = 1"));
    let sprt = run(folder.path(), &["sprt", "league.toml", "--events", "-"]);
    assert!(text(&sprt.stderr).contains("LLR"), "{}", text(&sprt.stderr));
    let events = lines(text(&sprt.stdout));
    assert_eq!(by_game(&events).len(), 4);
}
