//! Pondering by engines in their own processes.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use engine_core::Algorithm;
use gamelog::record::Reason;

use crate::common::builtin::Engine;
use crate::common::program::{folder_with, games, python, run, text};

/// Longer than any search other than pondering would still run, on a busy machine.
const WAIT: Duration = Duration::from_millis(150);

/// The real time is a few ms on an idle machine. This only checks that nobody waits for the end of
/// an endless search.
const AT_ONCE: Duration = Duration::from_secs(20);

/// Algorithms that search until they are stopped; others cannot ponder.
const PONDERING: [&str; 2] = ["pvs", "mcts"];

/// CPU time of a process, in ticks of 10 ms.
fn ticks(engine: &Engine) -> u64 {
    let path = format!("/proc/{}/stat", engine.id());
    let stat = std::fs::read_to_string(path).expect("the process runs");
    let fields = stat.rsplit(')').next().expect("the name is in brackets");
    let field = |place| {
        let word = fields.split_whitespace().nth(place).expect("a field");
        word.parse::<u64>().expect("a number")
    };
    field(11) + field(12)
}

/// An engine that has played its first turn, and so ponders; with all turns so far.
fn pondering(game: &str, algorithm: &str, words: &str) -> (Engine, String) {
    let mut engine = Engine::start(game, &["--table-mb", "16", "--algorithm", algorithm]);
    engine.send("setoption name ponder value true");
    engine.send("isready");
    engine.expect("readyok");
    engine.send(&format!("position startpos{words}"));
    engine.send("go movetime 30");
    let turn = engine.expect("bestmove ")["bestmove ".len()..].to_string();
    engine.unexpected();
    (engine, turn)
}

const EINSTEIN: &str = " moves R:123456 B:123456 d3";

#[test]
fn a_pondering_engine_is_silent_and_answers_every_command() {
    for (game, words) in [
        ("hex", ""),
        ("connect6", " moves j10"),
        ("einstein", EINSTEIN),
    ] {
        for algorithm in PONDERING {
            let (mut engine, turn) = pondering(game, algorithm, words);
            let before = ticks(&engine);
            let start = Instant::now();
            while ticks(&engine) < before + 5 {
                assert!(
                    start.elapsed() < Duration::from_secs(20),
                    "{game} {algorithm}"
                );
                sleep(WAIT / 10);
            }
            assert_eq!(engine.unexpected(), [""; 0], "{game} {algorithm}");
            let start = Instant::now();
            engine.send("isready");
            engine.expect("readyok");
            engine.send("query gameover");
            engine.expect("response false");
            assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
            let moves = if words.is_empty() { " moves" } else { words };
            let die = if game == "einstein" { " d2" } else { "" };
            let start = Instant::now();
            engine.send(&format!("position startpos{moves} {turn}{die}"));
            engine.send("go nodes 1");
            engine.expect("bestmove ");
            assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
            engine.send("quit");
            engine.close();
        }
    }
}

#[test]
fn end_of_input_ends_pondering() {
    for known in Algorithm::ALL {
        if catalog::find("hex").is_some_and(|hex| hex.fits(known.algorithm).is_ok()) {
            let (engine, _) = pondering("hex", known.name, "");
            engine.close();
        }
    }
}

/// `stop`, a new position and new options end pondering; without the option there is none.
#[test]
fn an_engine_that_must_not_ponder_is_idle() {
    for command in [
        "stop",
        "uginewgame",
        "position startpos",
        "setoption name ponder value false",
    ] {
        let (mut engine, _) = pondering("hex", "pvs", "");
        engine.send(command);
        engine.send("isready");
        engine.expect("readyok");
        sleep(WAIT);
        let before = ticks(&engine);
        sleep(WAIT);
        assert!(ticks(&engine) <= before + 1, "{command}");
        engine.close();
    }
}

#[test]
fn an_expected_reply_is_searched_already() {
    // A position with a few ten thousand nodes per ply, and its principal variation.
    let arguments = ["--algorithm", "pvs", "--variant", "{ size = 5 }"];
    let mut engine = Engine::start("hex", &arguments);
    engine.send("setoption name ponder value true");
    engine.send("position startpos moves a1");
    engine.send("go depth 5");
    let turn = engine.expect("bestmove ")["bestmove ".len()..].to_string();
    let lines = engine.unexpected();
    let pv = lines.iter().rev().find_map(|line| line.split_once(" pv "));
    let (_, pv) = pv.expect("a principal variation");
    let reply = pv.split(' ').nth(1).expect("a reply");
    sleep(5 * WAIT);
    let position = format!("position startpos moves a1 {turn} {reply}");
    let mut cold = Engine::start("hex", &arguments);
    let [warm, cold] = [&mut engine, &mut cold].map(|engine| {
        engine.send(&position);
        engine.send("go depth 5");
        engine.expect("bestmove ");
        let lines = engine.unexpected();
        let last = lines
            .iter()
            .rev()
            .find_map(|line| line.split_once(" nodes "));
        let nodes = last.and_then(|(_, rest)| rest.split(' ').next()?.parse::<u64>().ok());
        nodes.expect("a number of nodes")
    });
    assert!(warm < cold, "{warm} nodes after pondering, {cold} without");
    engine.close();
}

#[test]
fn sau_engines_ponder_too() {
    let arguments = ["--protocol", "sau", "--ponder", "--move-time", "20"];
    let mut engine = Engine::start("hex", &arguments);
    engine.send("new red");
    engine.expect("move ");
    let before = ticks(&engine);
    let start = Instant::now();
    while ticks(&engine) < before + 5 {
        assert!(start.elapsed() < Duration::from_secs(20));
        sleep(WAIT / 10);
    }
    engine.send("move FF");
    engine.expect("move ");
    engine.send("end");
    sleep(WAIT);
    let before = ticks(&engine);
    sleep(WAIT);
    assert!(ticks(&engine) <= before + 1);
    engine.send("quit");
    engine.close();
}

#[test]
fn a_league_lets_its_engines_ponder() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ponder.toml");
    let league = r#"
        [league]
        name = "ponder"
        games = ["einstein", "dots-and-boxes"]
        [variant.dots-and-boxes]
        columns = 2
        rows = 2
        [clock]
        base = "1s"
        increment = "10ms"
        margin = "1s"
        [[engine]]
        name = "pvs"
        builtin = "pvs"
        options = { ponder = true, table_mb = 4 }
        [[engine]]
        name = "mcts"
        builtin = "mcts"
        options = { ponder = true, table_mb = 4 }
    "#;
    std::fs::write(&file, league).expect("the folder can be written");
    let out = folder.path().join("out");
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_referee"))
            .args(arguments)
            .output()
            .expect("the referee runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
    };
    let (file, out) = (file.to_string_lossy(), out.to_string_lossy());
    run(&["league", &file, "--out", &out]);
    run(&["verify", &out]);
    let log = std::fs::read_to_string(format!("{out}/games.jsonl")).expect("a log");
    assert_eq!(log.lines().count(), 4);
    for line in log.lines() {
        assert!(line.contains("\"reason\":\"rules\""), "{line}");
    }
}

/// An engine that names the reply it expects searches in its opponent's turn: on a reply that it has
/// expected, and on others.
#[test]
fn an_engine_ponders_on_the_reply_that_it_expects() {
    let scripted = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripted/pondering.py");
    let engine = |name: &str, options: &str| {
        format!(
            "[[engine]]\nname = \"{name}\"\ncommand = [\"{}\", \"{}\"]\noptions = {{ {options} }}\n",
            python(),
            scripted.display()
        )
    };
    for (other, hits, misses) in [
        (engine("plain", ""), true, false),
        (
            "[[engine]]\nname = \"random\"\nbuiltin = \"random\"\n".to_owned(),
            true,
            true,
        ),
    ] {
        let league = format!(
            "[league]\nname = \"x\"\nseed = 5\ngames = [\"hex\"]\nrounds = 4\n[variant.hex]\nsize = 4\n\
             [clock]\nbase = \"60s\"\n{}{other}",
            engine("thinks", "Ponder = true")
        );
        let folder = folder_with(&league);
        let played = run(
            folder.path(),
            &["league", "league.toml", "--trace", "trace", "-q"],
        );
        assert!(played.status.success(), "{}", text(&played.stderr));
        let trace = std::fs::read_to_string(folder.path().join("trace")).expect("a trace");
        let count = |word: &str| trace.lines().filter(|line| line.contains(word)).count();
        assert!(count("go ponder p1time") > 8, "{trace}");
        assert_eq!(count("ponderhit p1time") > 0, hits, "{trace}");
        // The last search of a game is stopped before the next game, or ends with its process.
        assert_eq!(count(" stop") > 0, misses, "{trace}");
        let all = games(&folder.path().join("matches/x"));
        assert_eq!(all.len(), 8);
        for game in &all {
            assert_eq!(game.reason, Reason::Rules, "{}: {}", game.id, game.detail);
            let deviations = [&game.first, &game.second].map(|engine| engine.deviations.clone());
            assert!(
                deviations.iter().all(|found| found.is_empty()),
                "{deviations:?}"
            );
        }
    }
}
