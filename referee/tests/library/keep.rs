//! Engines that stay running between games.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use gamelog::record::{GameRecord, Reason};
use league::play::game;
use league::play::waiting::Waiting;
use task::GameTask;
use task::clock::ClockSpec;

use crate::common::program::{folder_with, games, run, text};
use crate::common::{engine, hex_task, running};

/// Two engines, each with one process for all games or one per game.
fn league(keep: bool, protocol: &str) -> String {
    let program = env!("CARGO_BIN_EXE_referee");
    let engine = |algorithm: &str| {
        format!(
            "[[engine]]\nname = \"{algorithm}\"\nprotocol = \"{protocol}\"\nkeep = {keep}\n\
             command = [\"{program}\", \"engine\", \"connect6\", \"--protocol={protocol}\", \
             \"--algorithm={algorithm}\", \"--table-mb=1\", \"--move-time=10\"]\n"
        )
    };
    format!(
        "[league]\nname = \"kept\"\ngames = [\"connect6\"]\nrounds = 3\nseed = 7\n\
         [clock]\nnodes = 100\n{}{}",
        engine("pvs"),
        engine("mcts")
    )
}

/// The games of a league, and the number of processes started.
fn played(league: &str) -> (Vec<GameRecord>, usize) {
    let folder = folder_with(league);
    let done = run(
        folder.path(),
        &[
            "league",
            "league.toml",
            "--anyway",
            "--out",
            "out",
            "--trace",
            "trace",
        ],
    );
    assert!(done.status.success(), "{}", text(&done.stderr));
    let verify = run(folder.path(), &["verify", "out"]);
    assert!(verify.status.success(), "{}", text(&verify.stdout));
    let trace = fs::read_to_string(folder.path().join("trace")).expect("a trace");
    let starts = trace
        .lines()
        .filter(|line| line.contains(" ! process "))
        .count();
    (games(&folder.path().join("out")), starts)
}

#[test]
fn a_kept_engine_plays_like_a_new_one() {
    let (new, starts) = played(&league(false, "ugi"));
    assert_eq!(starts, 2 * new.len());
    let (kept, starts) = played(&league(true, "ugi"));
    assert_eq!(starts, 2);
    let turns = |games: &[GameRecord]| -> Vec<Vec<String>> {
        let texts = |game: &GameRecord| game.turns.iter().map(|turn| turn.text.clone()).collect();
        games.iter().map(texts).collect()
    };
    assert_eq!(turns(&kept), turns(&new));
    assert_eq!(kept.len(), 6);
}

#[test]
fn a_kept_engine_does_not_meet_the_same_dice_twice() {
    let league = league(true, "ugi").replace("connect6", "einstein");
    let (games, _) = played(&league);
    let rolls = |game: &GameRecord| -> Vec<String> {
        let rolls = game.turns.iter().filter(|turn| turn.text.starts_with('d'));
        rolls.take(6).map(|turn| turn.text.clone()).collect()
    };
    for pair in games.chunks(2) {
        assert_eq!(pair[0].seed, pair[1].seed);
        assert_ne!(pair[0].dice, pair[1].dice);
        assert_ne!(rolls(&pair[0]), rolls(&pair[1]));
    }
    let new = played(&league.replace("keep = true", "keep = false")).0;
    let pairs = new.chunks(2);
    assert!(
        pairs
            .into_iter()
            .all(|pair| rolls(&pair[0]) == rolls(&pair[1]))
    );
}

#[test]
fn a_process_plays_several_games_in_sau_too() {
    let (kept, starts) = played(&league(true, "sau"));
    assert_eq!((kept.len(), starts), (6, 2));
    for game in kept {
        assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
    }
}

#[test]
fn an_engine_that_fails_is_not_kept() {
    let program = env!("CARGO_BIN_EXE_test-engine");
    let engine = |name: &str, words: &str| {
        format!("[[engine]]\nname = \"{name}\"\nkeep = true\ncommand = [\"{program}\"{words}]\n")
    };
    // It has 8 turns per game and fails in the second game.
    let league = format!(
        "[league]\nname = \"kept\"\ngames = [\"hex\"]\nrounds = 2\n[variant.hex]\nsize = 4\n\
         [clock]\nbase = \"10s\"\n{}{}",
        engine("good", ""),
        engine("bad", ", \"abort\", \"10\"")
    );
    let (games, starts) = played(&league);
    let crashes: Vec<bool> = games
        .iter()
        .map(|game| game.reason == Reason::Crash)
        .collect();
    assert_eq!(crashes, [false, true, false, true]);
    assert_eq!(starts, 4, "after a fault both are started again");
}

/// How many engines of a task are stopped, by a signal or with their control groups.
fn stopped(task: &GameTask) -> usize {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
    let is_stopped = |id: &String| {
        let groups = read(&format!("/proc/{id}/cgroup"));
        let group = groups.lines().find_map(|line| line.strip_prefix("0::"));
        let is_frozen = |group| {
            let events = |tree| read(&format!("/sys/fs/cgroup{tree}{group}/cgroup.events"));
            ["", "/unified"].map(events).concat().contains("frozen 1")
        };
        read(&format!("/proc/{id}/stat")).contains(") T ") || group.is_some_and(is_frozen)
    };
    running(task).iter().filter(|&id| is_stopped(id)).count()
}

#[test]
fn an_engine_that_waits_computes_nothing() {
    let clock = ClockSpec {
        nodes: Some(1),
        ..ClockSpec::default()
    };
    let mut task = hex_task(engine(&[]), engine(&[]), clock);
    task.second.name = "other".into();
    task.first.keep = true;
    task.second.keep = true;
    let mut waiting = Waiting::default();
    let play = |waiting: &mut Waiting| {
        let record = game::play_observed(&task, &AtomicBool::new(false), waiting, &mut |_| {});
        assert_eq!(record.expect("a game").record.reason, Reason::Rules);
    };
    for _ in 0..2 {
        play(&mut waiting);
        let deadline = Instant::now() + Duration::from_secs(60);
        while stopped(&task) < 2 {
            assert!(Instant::now() < deadline, "both are stopped in the end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    drop(waiting);
    assert_eq!(stopped(&task), 0);
}
