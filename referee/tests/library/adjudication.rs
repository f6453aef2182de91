//! Adjudicated games, played, logged and verified by the program itself.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gamelog::record::{GameRecord, GameResult, Reason};
use task::clock::ClockSpec;
use tempfile::TempDir;

use crate::common::program::{folder_with, games, run, text, without_sums};
use crate::common::{engine, hex_task, task};

const ENGINE: &str = env!("CARGO_BIN_EXE_test-engine");

/// A league of two test engines that report these scores, one per turn.
fn league(game: &str, adjudication: &str, scores: [&str; 2]) -> String {
    let [a, b] = scores;
    format!(
        r#"
        league = {{ name = "x", games = ["{game}"] }}
        clock = {{ base = "60s" }}
        adjudication = {adjudication}
        engine = [
            {{ name = "a", command = ["{ENGINE}", "--scores", "{a}"] }},
            {{ name = "b", command = ["{ENGINE}", "--scores", "{b}"] }},
        ]
        "#
    )
}

/// Plays a whole league; its games must be valid, and the tables must show no faults.
fn play(league: &str) -> (TempDir, Vec<GameRecord>) {
    let folder = folder_with(league);
    let played = run(folder.path(), &["league", "league.toml", "--out", "out"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    assert!(
        !text(&played.stdout).contains("lost:"),
        "{}",
        text(&played.stdout)
    );
    let games = games(&folder.path().join("out"));
    let verify = run(folder.path(), &["verify", "out"]);
    assert!(verify.status.success(), "{}", text(&verify.stdout));
    (folder, games)
}

/// The faults that `verify` finds in the log after `from` is replaced by `to`.
fn faults(folder: &TempDir, from: &str, to: &str) -> String {
    let path = folder.path().join("out").join(gamelog::FILE_NAME);
    let logged = fs::read_to_string(&path).expect("a log");
    assert!(logged.contains(from), "{from:?} is not in {logged}");
    let changed = without_sums(&logged).replace(from, to);
    fs::write(&path, changed).expect("the log is written");
    let verify = run(folder.path(), &["verify", "out"]);
    fs::write(&path, logged).expect("the log is written");
    assert_eq!(verify.status.code(), Some(1));
    text(&verify.stdout).to_owned()
}

fn winner(game: &GameRecord) -> Option<&str> {
    match game.result {
        GameResult::First => Some(&game.first.name),
        GameResult::Second => Some(&game.second.name),
        GameResult::Draw | GameResult::Unfinished => None,
    }
}

#[test]
fn a_game_is_lost_when_both_engines_agree() {
    let rules = "{ resign = { points = 500, turns = 3 } }";
    let scores = ["cp 700,cp 100,win 9", "cp -500,cp -600,loss 8"];
    let (folder, games) = play(&league("hex", rules, scores));
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game.reason, Reason::AgreedWin, "{}", game.detail);
        assert_eq!(winner(game), Some("a"));
        // Its second report of 100 points started a new streak.
        let ended = if game.first.name == "a" { 9 } else { 10 };
        assert_eq!(game.turns.len(), ended);
    }
    let found = faults(&folder, "\"win 9\"", "\"cp 499\"");
    assert!(
        found.contains("but its turns and scores do not justify it"),
        "{found}"
    );
    let found = faults(
        &folder,
        "\"reason\":\"agreed-win\"",
        "\"reason\":\"resign\"",
    );
    assert!(found.contains("by AgreedWin: both engines see "), "{found}");
    let found = faults(&folder, "\"points\":500", "\"points\":50");
    assert!(found.contains("ply "), "{found}");
}

#[test]
fn one_engine_alone_decides_nothing() {
    let rules = "{ resign = { points = 500, turns = 1 } }";
    for scores in [
        ["win 9", "cp -499"],
        ["loss 9", "cp 499"],
        ["win 9", "win 9"],
    ] {
        let (_, games) = play(&league("hex", rules, scores));
        assert!(games.iter().all(|game| game.reason == Reason::Rules));
    }
}

#[test]
fn a_game_is_drawn_when_both_engines_agree() {
    let rules = "{ draw = { points = 10, turns = 2, after = 7 } }";
    let (folder, games) = play(&league(
        "surakarta",
        rules,
        ["cp 40,cp 10", "cp -40,cp -10"],
    ));
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game.reason, Reason::AgreedDraw, "{}", game.detail);
        assert_eq!((winner(game), game.turns.len()), (None, 7));
    }
    let found = faults(&folder, "\"after\":7", "\"after\":2");
    assert!(found.contains(" after AgreedDraw: "), "{found}");
}

#[test]
fn a_game_that_is_too_long_is_drawn() {
    let (folder, games) = play(&league("hex", "{ max_turns = 7 }", ["cp 5"; 2]));
    for game in &games {
        assert_eq!(game.reason, Reason::Length, "{}", game.detail);
        assert_eq!((winner(game), game.turns.len()), (None, 7));
    }
    let found = faults(&folder, "\"result\":\"draw\"", "\"result\":\"first\"");
    assert!(found.contains("expected Draw by Length: "), "{found}");
}

#[test]
fn built_in_engines_agree_on_who_has_won() {
    let (_, games) = play(
        r#"
        league = { name = "x", games = ["hex"], rounds = 4 }
        clock = { nodes = 3000 }
        variant.hex = { size = 5 }
        openings.hex = { random_plies = 2 }
        adjudication = { resign = { points = 50, turns = 2 } }
        engine = [{ name = "a", builtin = "pvs" }, { name = "b", builtin = "aspiration" }]
        "#,
    );
    let agreed = games.iter().filter(|game| game.reason == Reason::AgreedWin);
    assert!(agreed.count() > games.len() / 2);
}

#[test]
fn a_game_is_over_when_its_winner_is_proven() {
    let (folder, games) = play(
        r#"
        league = { name = "x", games = ["hex", "dots-and-boxes"] }
        clock = { nodes = 50 }
        variant.hex = { size = 5 }
        variant.dots-and-boxes = { columns = 3, rows = 3 }
        openings.hex = { random_plies = 2 }
        adjudication = { proven = { nodes = 5000, every = 2 } }
        engine = [{ name = "a", builtin = "pvs" }, { name = "b", builtin = "random" }]
        "#,
    );
    assert_eq!(games.len(), 4);
    for game in &games {
        assert_eq!(game.reason, Reason::Proof, "{}: {}", game.id, game.detail);
        assert_eq!(game.turns.len() % 2, 0);
        let side = match game.result {
            GameResult::First => "First",
            _ => "Second",
        };
        let begin = format!("dfpn: {side} wins, by a tree of ");
        assert!(game.detail.starts_with(&begin), "{}", game.detail);
    }
    for (from, to) in [
        ("\"result\":\"first\"", "\"result\":\"second\""),
        ("\"result\":\"second\"", "\"result\":\"first\""),
    ] {
        if games
            .iter()
            .any(|game| from.contains(&format!("{:?}", game.result).to_lowercase()))
        {
            let found = faults(&folder, from, to);
            assert!(found.contains(", but the proven result is "), "{found}");
        }
    }
    let found = faults(&folder, "\"nodes\":5000,", "\"nodes\":1,");
    assert!(found.contains("no proof within 1 nodes"), "{found}");
}

#[test]
fn a_proof_search_ends_with_the_referee() {
    let clock: ClockSpec = toml::from_str("base = \"60s\"").expect("a clock");
    let mut task = task("hex", "{}", engine(&[]), engine(&[]), clock);
    task.adjudication = toml::from_str("proven = { nodes = 10_000_000 }").expect("rules");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            stop.store(true, Ordering::Relaxed);
        });
        let begun = Instant::now();
        assert!(league::play::game::play(&task, &stop).is_none());
        assert!(begun.elapsed() < Duration::from_secs(30));
    });
}

/// Engines' clocks do not run during a proof search.
#[test]
fn proof_searches_are_not_charged_to_a_clock() {
    let clock: ClockSpec = toml::from_str("base = \"60s\"").expect("a clock");
    let mut task = hex_task(engine(&[]), engine(&[]), clock);
    task.adjudication = toml::from_str("proven = { nodes = 20000 }").expect("rules");
    let record = crate::common::play(&task);
    assert_eq!(record.reason, Reason::Proof, "{}", record.detail);
    let used: u64 = record.turns.iter().map(|turn| turn.used_us / 1_000).sum();
    assert!(
        used < record.duration_ms / 2,
        "{used} of {}",
        record.duration_ms
    );
}
