//! Pages in a terminal: a real pseudo-terminal, and what it shows.

use std::fs::{self, DirEntry};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use desk::{self, State};
use gamelog::record::Reason;
use league::results::verify;
use pty_process::Size;
use pty_process::blocking::Command;
use rustix::process::{Pid, Signal, kill_process};
use vt100::Parser;

use super::screen::{ENTER, PATIENCE, RIGHT, Terminal, UP, size};
use crate::common::program::{folder_with, games, run_with, text};

/// The arguments of a game on a small board that takes no time.
const PLAY: [&str; 6] = ["play", "hex", "--engine", "random", "--variant", "{size=4}"];

/// The sessions in `matches/desk` of a folder.
fn sessions(folder: &Path) -> Vec<(PathBuf, State)> {
    let sessions = desk::sessions(&folder.join("matches/desk")).expect("a folder");
    let read = |(folder, state): (PathBuf, Result<State, _>)| (folder, state.expect("a session"));
    sessions.into_iter().map(read).collect()
}

/// The turns and rolls of the only session of a folder, and whether its clocks stand.
fn left(folder: &Path) -> (Vec<String>, bool) {
    let [(_, state)] = &sessions(folder)[..] else {
        panic!("one session");
    };
    let words = state.game().words().map(str::to_owned);
    (words.collect(), state.paused)
}

/// The contest records of the sessions of a folder.
fn records(folder: &Path) -> Vec<String> {
    let folders = sessions(folder).into_iter();
    let files = folders.flat_map(|(folder, _)| fs::read_dir(folder.join("records")));
    let read = |file: io::Result<DirEntry>| {
        let path = file.expect("a file").path();
        fs::read_to_string(path).expect("UTF-8")
    };
    files.flatten().map(read).collect()
}

#[test]
fn a_game_is_played_with_the_cursor_and_by_typing() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(folder.path(), &PLAY, (80, 24), &[]);
    terminal.shows(&[
        "First (red), you",
        "Second (blue), random",
        "First (red) to move",
        "2 . .[.]. 2",
    ]);
    terminal.type_in(&[UP, RIGHT, ENTER].concat());
    let screen = terminal.shows(&["1. you ", "2. random ", "First (red) to move"]);
    assert!(screen.contains("[R]"), "{screen}");
    assert!(terminal.has_colour());
    terminal.type_in("z9\r");
    terminal.shows(&["expected a column letter a to d", "> z9"]);
    terminal.type_in("\x1b");
    terminal.waits("no text", |screen| !screen.contains("z9"));
    terminal.type_in("und\t");
    terminal.shows(&["> undo"]);
    terminal.type_in(ENTER);
    terminal.waits("no turn", |screen| !screen.contains("1. you"));
    terminal.type_in("hint\r");
    terminal.shows(&["hint: "]);
    terminal.type_in("a1\r");
    terminal.shows(&["1. you     a1", "2. random "]);
    terminal.type_in("resign\r");
    terminal.shows(&["you lost by resignation"]);
    terminal.type_in("q");
    assert!(terminal.ends().success());
    let records = records(folder.path());
    assert_eq!(records.len(), 1);
    assert!(
        records[0].contains("[HEX][person R][random B][后手胜]"),
        "{}",
        records[0]
    );
    assert!(records[0].contains("R(A,1);B("), "{}", records[0]);
    let games = games(&folder.path().join("matches/desk"));
    assert_eq!(games.len(), 1);
    assert_eq!(verify::check(&games[0]), Ok(()));
}

#[test]
fn a_game_survives_every_size_of_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(folder.path(), &PLAY, (20, 5), &[]);
    terminal.shows(&["20×5 is too small"]);
    terminal.resize(40, 10);
    let screen = terminal.shows(&["you", "random", "[.]", "First (red) to move"]);
    assert!(!screen.contains("too small"), "{screen}");
    terminal.type_in("b2\r");
    // The answer may stand under the cursor, whose brackets hide those of the last turn.
    terminal.waits("an answer", |screen| {
        let is_answered = screen.contains("(B)") || screen.contains("[B]");
        is_answered && screen.contains("First (red) to move")
    });
    let turns = ["1. you     b2", "2. random "];
    terminal.resize(80, 24);
    terminal.shows(&turns);
    terminal.resize(20, 5);
    terminal.shows(&["20×5 is too small"]);
    terminal.resize(80, 24);
    terminal.shows(&turns);
    terminal.type_in("\x03");
    terminal.shows(&["Ctrl-C again"]);
    terminal.type_in("\x03");
    assert!(terminal.ends().success());
    let (turns, is_paused) = left(folder.path());
    assert!(turns.len() == 2 && is_paused, "{turns:?}");
}

#[test]
fn a_terminal_without_colour_or_cursor_is_served_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(folder.path(), &PLAY, (80, 24), &[("NO_COLOR", "1")]);
    terminal.shows(&["[.]", "First (red) to move"]);
    terminal.type_in("a1\r");
    terminal.shows(&["1. you     a1", "2. random "]);
    assert!(!terminal.has_colour());
    terminal.type_in("quit\r");
    assert!(terminal.ends().success());

    let mut terminal = Terminal::start(folder.path(), &PLAY, (80, 24), &[("TERM", "dumb")]);
    terminal.shows(&["First (red) to move"]);
    terminal.type_in("a1\nquit\n");
    assert!(terminal.ends().success());
    let received = terminal.received();
    assert!(!received.bytes.contains(&0x1b), "no escape sequences");
}

#[test]
fn a_signal_restores_the_terminal_and_the_game_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(folder.path(), &PLAY, (80, 24), &[]);
    terminal.shows(&["[.]", "First (red) to move"]);
    terminal.type_in("a1\r");
    terminal.shows(&["2. random "]);
    let process = Pid::from_raw(terminal.child.id() as i32).unwrap();
    kill_process(process, Signal::TERM).unwrap();
    assert!(terminal.ends().success());
    let (turns, is_paused) = left(folder.path());
    assert!(turns.len() == 2 && is_paused, "{turns:?}");
    let session = sessions(folder.path())[0].0.clone();
    let session = session.to_str().unwrap();
    terminal.shows(&["to go on: referee play --resume"]);

    let again = ["play", "--resume", session];
    let mut terminal = Terminal::start(folder.path(), &again, (80, 24), &[]);
    terminal.shows(&["1. you     a1", "First (red) to move"]);
    terminal.type_in("pause\r");
    terminal.shows(&["the clocks stand"]);
    terminal.type_in("resume\r");
    terminal.shows(&["First (red) to move"]);
    terminal.type_in("resign\r");
    terminal.shows(&["you lost by resignation"]);
    terminal.type_in("q");
    assert!(terminal.ends().success());
    assert_eq!(records(folder.path()).len(), 1);
}

#[test]
fn an_engine_is_told_to_move_now() {
    let folder = tempfile::tempdir().unwrap();
    let slow = ["play", "hex", "--engine", "mcts", "--move", "10h"];
    let mut terminal = Terminal::start(folder.path(), &slow, (80, 24), &[]);
    terminal.shows(&["First (red) to move"]);
    terminal.type_in("f6\r");
    terminal.shows(&["mcts is thinking"]);
    terminal.type_in("now\r");
    terminal.shows(&["2. mcts", "First (red) to move"]);
    terminal.type_in("quit\r");
    assert!(terminal.ends().success());
}

#[test]
fn a_clock_that_runs_out_ends_the_game_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let short = [&PLAY[..], &["--time", "100ms"]].concat();
    let mut terminal = Terminal::start(folder.path(), &short, (80, 24), &[]);
    terminal.shows(&["you lost on time", "q leaves"]);
    terminal.type_in("undo\r");
    terminal.shows(&["you have no turn to take back"]);
    terminal.type_in("\x1b");
    // `q` at once after Escape would be another key.
    terminal.shows(&["> a turn, or: "]);
    terminal.type_in("q");
    assert!(terminal.ends().success());
    let [game] = &games(&folder.path().join("matches/desk"))[..] else {
        panic!("one game");
    };
    assert_eq!(game.reason, Reason::Time);
}

#[test]
fn a_page_ends_with_its_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (mut pty, pts) = pty_process::blocking::open().unwrap();
    pty.resize(Size::new(24, 80)).unwrap();
    let command = Command::new(env!("CARGO_BIN_EXE_referee")).args(PLAY);
    let command = command.current_dir(folder.path()).env("TERM", "xterm");
    let mut child = command.spawn(pts).unwrap();
    let mut parser = Parser::new(size(24), size(80), 0);
    let mut bytes = [0; 4096];
    for (expected, typed) in [("to move", "a1\r"), ("2. random", "")] {
        while !parser.screen().contents().contains(expected) {
            let count = pty.read(&mut bytes).unwrap();
            parser.process(&bytes[..count]);
        }
        pty.write_all(typed.as_bytes()).unwrap();
    }
    drop(pty);
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it outlives its terminal");
        }
        thread::sleep(Duration::from_millis(10));
    };
    assert!(status.code().is_some(), "{status}");
    let (turns, is_paused) = left(folder.path());
    assert!(turns.len() == 2 && is_paused, "{turns:?}");
}

#[test]
fn a_game_is_played_through_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let play = |game: &str, more: &[&str], input: &str| {
        let arguments = [&["play", game, "--engine", "greedy"], more].concat();
        let output = run_with(folder.path(), &arguments, input.as_bytes());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let out = play(
        "hex",
        &["--variant", "{size=3}"],
        "a1\nz\nundo\nmoves\nnow\nresign\n",
    );
    for expected in [
        "First (red), you: a1\n",
        "Second (blue), greedy: ",
        " 1 R ",
        "column 1: expected a column letter a to c, found \"z\"",
        "\na1 a2 a3 b1 b2 b3 c1 c2 c3\n",
        "no engine is to move",
        "you lost by resignation",
        "record: matches/desk/",
    ] {
        assert!(out.contains(expected), "{expected}: {out}");
    }
    // A turn of two stones, and a roll before the first turn.
    let out = play("connect6", &[], "j10\na1\nb1 c1\nundo\na1\nb1\nquit\n");
    assert!(out.contains("your turn so far: a1"), "{out}");
    assert!(out.contains("expected the actions of one turn"), "{out}");
    assert!(out.contains("First (black), you: a1b1\n"), "{out}");
    let out = play("einstein", &["--side", "second"], "B:123456\nhint\nquit\n");
    assert!(out.contains("roll: d") && out.contains("hint: B"), "{out}");
    // The input ends in the middle of the game.
    let out = play("gomoku", &["--variant", "{opening=\"free\"}"], "h8\n");
    assert!(
        out.contains("to go on: referee play --resume matches/desk/"),
        "{out}"
    );
}

#[test]
fn an_engine_of_any_kind_sits_opposite() {
    let folder = folder_with(
        "league = { name = \"l\", games = [\"hex\"], rounds = 1 }\n\
         clock = { depth = 1 }\n\
         engine = [{ name = \"ours\", builtin = \"pvs\" }, { name = \"b\", builtin = \"greedy\" }]\n",
    );
    let command = format!(
        "{} engine hex --algorithm random",
        env!("CARGO_BIN_EXE_referee")
    );
    for (engine, name) in [("league.toml:ours", "ours"), (&command, "referee")] {
        let play = [
            "play",
            "hex",
            "--variant",
            "{size=3}",
            "--engine",
            engine,
            "--depth",
            "1",
            "--option",
            "threads=2",
        ];
        let output = run_with(folder.path(), &play, b"a1\nquit\n");
        let out = text(&output.stdout);
        assert!(out.contains(&format!("Second (blue), {name}: ")), "{out}");
    }
    for (_, state) in sessions(folder.path()) {
        let engine = state.settings.seats[1].engine.as_ref().unwrap();
        assert_eq!(engine.options["threads"], 2);
    }
}

#[test]
fn an_engine_that_fails_leaves_its_turns_to_the_person() {
    let folder = tempfile::tempdir().unwrap();
    let play = [
        "play",
        "hex",
        "--variant",
        "{size=3}",
        "--engine",
        "false",
        "--time",
        "1h",
    ];
    let output = run_with(folder.path(), &play, b"a1\nb1\nresign\n");
    let out = text(&output.stdout);
    assert!(out.contains("false failed: "), "{out}");
    assert!(out.contains("Second (blue), false: b1\n"), "{out}");
    assert!(out.contains("you lost by resignation"), "{out}");
}

#[test]
fn bad_arguments_of_a_game_are_refused() {
    let folder = folder_with("[[engine]]\nname = \"ours\"\nbuiltin = \"pvs\"\n");
    for (arguments, expected) in [
        (&["chess"][..], "game \"chess\", expected one of"),
        (
            &["hex", "--engine", "nothing.toml:ours"],
            "--engine nothing.toml:ours: nothing.toml",
        ),
        (&["hex", "--engine", "league.toml:ours"], "league.toml"),
        (&["hex", "--engine", "./nothing"], "./nothing"),
        (&["hex", "--engine", "nothing"], "a search such as pvs"),
        (&["hex", "--variant", "{size=99}"], "99"),
        (&["hex", "--option", "threads=many"], "option threads"),
        (&["--resume", "nowhere"], "nowhere"),
    ] {
        let output = run_with(folder.path(), &[&["play"], arguments].concat(), b"");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(
            error.contains(expected) && error.lines().count() == 1,
            "{error}"
        );
    }
}

#[test]
fn a_league_shows_a_live_table_in_a_large_terminal() {
    let folder = folder_with(
        "league = { name = \"l\", games = [\"hex\"], rounds = 20000, seed = 1, concurrency = 2 }\n\
         clock = { depth = 1 }\n\
         engine = [{ name = \"a\", builtin = \"greedy\" }, { name = \"b\", builtin = \"random\" }]\n",
    );
    let league = ["league", "league.toml"];
    let mut terminal = Terminal::start(folder.path(), &league, (100, 30), &[]);
    terminal.shows(&[
        "/40000 games",
        "in progress: ",
        "turns  hex-r",
        "LOS",
        " left",
    ]);
    terminal.resize(40, 10);
    terminal.waits("no table", |screen| {
        !screen.contains("in progress: ") && screen.contains("left")
    });
    terminal.type_in("\x03");
    assert_eq!(terminal.ends().code(), Some(1));
    terminal.has_shown("stopping after the games");
    let quiet = [
        "league",
        "league.toml",
        "--quiet",
        "--rounds",
        "1",
        "--out",
        "quiet",
    ];
    let mut terminal = Terminal::start(folder.path(), &quiet, (100, 30), &[]);
    assert!(terminal.ends().success());
    assert!(
        !terminal.screen().contains("in progress"),
        "{}",
        terminal.screen()
    );
}
