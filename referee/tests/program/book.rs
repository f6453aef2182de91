//! Opening books: made, merged and shown by the program, and played from by its engines; `expand` is
//! about growing them.

mod expand;

use std::fs;
use std::path::Path;
use std::process::Output;

use catalog::{AnyMatch, GAMES, Rules};
use engine_core::{Outcome, Rng, Side};
use entry::Book;
use entry::book::Results;
use serde_json::{Value, json};

use crate::common::builtin::Engine;
use crate::common::program::{folder_with, games, run, run_with, text};

/// The output of a command that succeeds.
fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout).to_owned()
}

/// The one line on standard error of a command that refuses its input.
fn refusal(output: &Output) -> String {
    let error = text(&output.stderr).to_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

/// Adds an action that has won ten games to a book, for the position of `game`.
fn advise(book: &mut Book, game: &dyn AnyMatch, action: &str) {
    let place = game.place();
    let bits = game.bits_of(action).expect("a legal action");
    let line = book
        .entry(place.key, place.side)
        .moves
        .entry(bits)
        .or_default();
    for _ in 0..10 {
        line.results.count(Outcome::Win(place.side));
    }
}

fn new_book(rules: &dyn Rules, variant: &Value) -> Book {
    let variant = rules.complete_variant(variant).expect("a variant");
    let start = rules.start(&variant).expect("a variant").place().key;
    Book::new(rules.id(), variant, start)
}

/// A game of random turns, each action of which is in the book: the positions in which a player
/// begins a turn, as words from the start, and the actions of the turn.
fn random_game(rules: &dyn Rules, book: &mut Book, seed: u64) -> Vec<(String, Vec<String>)> {
    let mut rng = Rng::new(seed);
    let mut game = rules.start(&book.variant).expect("a variant");
    let (mut words, mut turns) = (String::new(), Vec::new());
    while game.outcome().is_none() && turns.len() < 8 {
        if game.roll_due() {
            let face = 1 + rng.below(u32::from(game.faces())) as u8;
            game.roll(face).expect("a face");
            words += &format!(" d{face}");
            continue;
        }
        let (before, side, mut turn) = (words.clone(), game.side(), Vec::new());
        while game.outcome().is_none() && !game.roll_due() && game.side() == side {
            let actions = game.actions();
            let action = actions[rng.below(actions.len() as u32) as usize].clone();
            advise(book, &*game, &action);
            game.play_words(&action).expect("a legal action");
            words += &format!(" {action}");
            turn.push(action);
        }
        turns.push((before, turn));
    }
    turns
}

/// In every game, an engine with a book plays the book's moves, up to symmetry, in every position of
/// a game: at once, with a report that invents no depth and no score.
#[test]
fn engines_play_the_moves_of_their_book() {
    let folder = tempfile::tempdir().expect("a folder");
    for (rules, seed) in GAMES.iter().zip(1..) {
        let mut book = new_book(*rules, &json!({}));
        let turns = random_game(*rules, &mut book, seed);
        let path = folder.path().join(rules.id());
        fs::write(&path, book.to_text()).expect("it is written");
        let path = path.to_str().expect("UTF-8");
        let mut engine = Engine::start(rules.id(), &["--book", path, "--table-mb", "1"]);
        for (before, turn) in &turns {
            let moves = if before.is_empty() { "" } else { " moves" };
            engine.send(&format!("position startpos{moves}{before}"));
            // A search of so many nodes would take hours.
            engine.send("go nodes 1000000000000");
            let best = engine.expect("bestmove ");
            let mut game = rules.start(&book.variant).expect("a variant");
            game.play_words(before).expect("a game");
            let mut expected = rules.start(&book.variant).expect("a variant");
            expected.play_words(before).expect("a game");
            expected.play_words(&turn.join(" ")).expect("a game");
            game.play_turn(&best["bestmove ".len()..])
                .expect("a legal turn");
            let (id, found) = (rules.id(), game.place().key);
            assert_eq!(
                found,
                expected.place().key,
                "{id}: {before}: {best}, not {turn:?}"
            );
        }
        let reports = engine.unexpected();
        let booked = |line: &&String| line.starts_with("info string book ");
        assert!(
            reports.iter().filter(booked).count() >= turns.len(),
            "{reports:?}"
        );
        let searched = |line: &&String| line.contains(" depth ") || line.contains(" nodes ");
        assert_eq!(reports.iter().find(searched), None, "{}", rules.id());
        engine.close();
    }
}

/// A key that two positions share by accident: the book's move is illegal, so it is no move.
#[test]
fn an_illegal_move_of_a_book_is_not_played() {
    let rules = catalog::find("hex").expect("a game");
    let variant = json!({"size": 3});
    let mut book = new_book(rules, &variant);
    let start = rules.start(&variant).expect("a variant");
    advise(&mut book, &*start, "b2");
    let mut game = rules.start(&variant).expect("a variant");
    game.play_words("b2").expect("a move");
    let known = book
        .positions
        .remove(&start.place().key)
        .expect("the start");
    let place = game.place();
    book.entry(place.key, place.side).moves = known.moves;
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("book"), book.to_text()).expect("it is written");
    let path = folder.path().join("book");
    let path = path.to_str().expect("UTF-8");
    let arguments = ["--variant", "{ size = 3 }", "--book", path];
    let mut engine = Engine::start("hex", &arguments);
    engine.send("position startpos moves b2");
    engine.send("go nodes 200");
    let best = engine.expect("bestmove ");
    game.play_turn(&best["bestmove ".len()..])
        .expect("a legal turn");
    let reports = engine.unexpected();
    assert!(
        !reports.iter().any(|line| line.contains("string book")),
        "{reports:?}"
    );
    engine.close();
}

#[test]
fn a_book_is_an_option_that_is_checked_and_switched_off() {
    let rules = catalog::find("hex").expect("a game");
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, variant: Value| {
        let mut book = new_book(rules, &variant);
        let start = rules.start(&variant).expect("a variant");
        advise(&mut book, &*start, "a1");
        let path = folder.path().join(name);
        fs::write(&path, book.to_text()).expect("it is written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let (small, large) = (
        write("small", json!({"size": 4})),
        write("large", json!({})),
    );
    // On the command line, a book of another variant is an error.
    let output = run_with(folder.path(), &["engine", "hex", "--book", &small], b"");
    let error = refusal(&output);
    assert!(
        error.contains("small: a book of the variant") && error.contains("\"size\":11"),
        "{error}"
    );
    let output = run_with(folder.path(), &["engine", "amazons", "--book", &large], b"");
    assert!(refusal(&output).contains("large: a book of hex, expected one of amazons"));
    let output = run_with(folder.path(), &["engine", "hex", "--book", "absent"], b"");
    assert!(refusal(&output).contains("--book: absent: No such file"));
    let mut engine = Engine::start("hex", &["--table-mb", "1"]);
    engine.send("ugi");
    assert!(engine.expect("option name book") == "option name book type string default shipped");
    let mut answer = |commands: &[&str], go: &str| {
        commands.iter().for_each(|command| engine.send(command));
        engine.send("position startpos");
        engine.send(go);
        if go == "go infinite" {
            engine.expect("info depth");
            engine.send("stop");
        }
        engine.expect("bestmove ");
        let lines = engine.unexpected();
        let strings = lines
            .iter()
            .filter_map(|line| line.strip_prefix("info string "));
        strings.map(str::to_owned).collect::<Vec<_>>()
    };
    let set = |path: &str| format!("setoption name book value {path}");
    let go = "go nodes 100";
    assert_eq!(answer(&[], go), [""; 0]);
    let refused = answer(&[&set(&small)], go);
    assert!(
        refused[0].starts_with("book: ") && refused[0].contains("of the variant"),
        "{refused:?}"
    );
    assert_eq!(refused.len(), 1);
    let booked = answer(&[&set(&large)], go);
    assert!(
        booked[0].starts_with("book ") && booked[0].ends_with("games 10 won 10 drawn 0 lost 0"),
        "{booked:?}"
    );
    // An analysis searches.
    assert_eq!(answer(&[], "go infinite"), [""; 0]);
    assert_eq!(answer(&["setoption name book value"], go), [""; 0]);
    assert_eq!(answer(&[&set("none")], go), [""; 0]);
    // The variant changes while a book is open: nothing is played without it.
    let variant = "setoption name Variant value { size = 4 }";
    let warned = answer(&[&set(&large), variant], go);
    assert!(
        warned[0].starts_with("book: ") && warned[0].contains("of the variant"),
        "{warned:?}"
    );
    assert!(answer(&[&set(&small)], go)[0].starts_with("book "));
    // A board of another size is refused where the size is said.
    let arguments = ["--protocol", "gtp", "--table-mb", "1", "--book", &large];
    let mut board = Engine::start("hex", &arguments);
    board.send("boardsize 4");
    assert_eq!(board.expect("?"), "? unacceptable size");
    board.send("boardsize 11");
    assert_eq!(board.expect("=").trim_end(), "=");
}

/// The game's best search plays from the shipped book, in its variant; the others do not.
#[test]
fn the_best_search_plays_from_the_shipped_book() {
    let mut engine = Engine::start("connect6", &["--table-mb", "1"]);
    let mut is_booked = |option: &str| {
        engine.send(option);
        engine.send("position startpos moves j10");
        engine.send("go nodes 1000");
        engine.expect("bestmove ");
        let lines = engine.unexpected();
        lines
            .iter()
            .any(|line| line.starts_with("info string book "))
    };
    for (option, expected) in [
        ("seed value 2", true),
        ("book value none", false),
        ("book value shipped", true),
        ("algorithm value pvs", false),
        ("algorithm value best", true),
        ("Variant value { size = 15 }", false),
    ] {
        assert_eq!(
            is_booked(&format!("setoption name {option}")),
            expected,
            "{option}"
        );
    }
    engine.close();
}

/// A small league whose games are of one kind.
const LEAGUE: &str = r#"
[league]
name = "booked"
games = ["tic-tac-toe"]
rounds = 6
seed = 3

[clock]
nodes = 50

[[engine]]
name = "random"
builtin = "random"

[[engine]]
name = "greedy"
builtin = "greedy"
"#;

#[test]
fn books_are_made_of_logs_shown_and_merged() {
    let folder = folder_with(LEAGUE);
    let at = folder.path();
    succeed(at, &["league", "league.toml", "--quiet", "--out", "log"]);
    let build = |out: &str, more: &[&str]| {
        succeed(
            at,
            &[&["book", "build", "log", "--out", out], more].concat(),
        )
    };
    let said = build("all", &["--plies", "4"]);
    assert!(said.starts_with("all: 12 games, "), "{said}");
    let shown: Value =
        serde_json::from_str(&succeed(at, &["book", "show", "all", "--format", "json"]))
            .expect("JSON");
    assert_eq!(
        shown["book"]["made"],
        json!(["build --plies 4 --min-games 1"])
    );
    let moves = shown["moves"].as_array().expect("a list");
    let sum: u64 = moves
        .iter()
        .filter_map(|known| known["games"].as_u64())
        .sum();
    assert_eq!(sum, 12, "every game has a first move");
    // The counts are those of the log.
    let log = games(&at.join("log"));
    let wins = log
        .iter()
        .filter(|game| game.result == gamelog::record::GameResult::First);
    let won: u64 = moves.iter().filter_map(|known| known["won"].as_u64()).sum();
    assert_eq!(won as usize, wins.count());
    // A game that is in two files counts once.
    fs::create_dir(at.join("twice")).expect("a folder");
    for name in ["a.jsonl", "b.jsonl"] {
        fs::copy(at.join("log/games.jsonl"), at.join("twice").join(name)).expect("a copy");
    }
    succeed(
        at,
        &[
            "book",
            "build",
            "twice",
            "--out",
            "twice.book",
            "--plies",
            "4",
        ],
    );
    let bytes = |name: &str| fs::read(at.join(name)).expect("a book");
    assert_eq!(bytes("twice.book"), bytes("all"));
    // Parts of the log, merged in any order, are the book of all games.
    let lines = fs::read_to_string(at.join("log/games.jsonl")).expect("a log");
    let lines: Vec<&str> = lines.lines().collect();
    for (name, part) in [("one", &lines[..5]), ("two", &lines[5..])] {
        let part = part
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>();
        let arguments = [
            "book", "build", "-", "--from", "log", "--plies", "4", "--out", name,
        ];
        let output = run_with(at, &arguments, part.as_bytes());
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    succeed(at, &["book", "merge", "one", "two", "--out", "one-two"]);
    succeed(
        at,
        &["book", "merge", "two", "all", "one", "--out", "two-one"],
    );
    assert_eq!(bytes("one-two"), bytes("all"));
    assert_eq!(bytes("two-one"), bytes("all"));
    // Only some turns, only common moves, other games.
    build("greedy", &["--engine", "greedy"]);
    build("common", &["--min-games", "3"]);
    assert!(bytes("common").len() < bytes("greedy").len());
    let output = run(at, &["book", "merge", "common", "all", "--out", "x"]);
    assert!(refusal(&output).contains("made with --min-games 3"));
    let output = run(at, &["book", "build", "log", "--out", "all"]);
    assert!(refusal(&output).contains("--out all: it exists, expected a new file"));
    let output = run(at, &["book", "build", "log", "--game", "hex", "--out", "x"]);
    assert!(refusal(&output).contains("no games, expected one or more"));
    let output = run(at, &["book", "show", "all", "--actions", "a1 a1"]);
    assert!(refusal(&output).contains("--actions: column 4: "));
}

#[test]
fn the_results_of_records_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let moves = "a1,b1,a2,b2,a3\na1,b2,c3,a3,b1\n";
    fs::write(at.join("games.txt"), moves).expect("it is written");
    let arguments = [
        "book",
        "build",
        "games.txt",
        "--from",
        "moves",
        "--game",
        "tic-tac-toe",
    ];
    let output = run(at, &[&arguments[..], &["--out", "book"]].concat());
    // The second game has no end and no result: its moves are known, and nothing of their worth.
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = "without a result: 1 game, of which the book has only the moves";
    assert!(
        text(&output.stderr).contains(said),
        "{}",
        text(&output.stderr)
    );
    let book = Book::load(&at.join("book")).expect("a book");
    assert_eq!((book.games.len(), book.positions.len()), (2, 8));
    let won = Results {
        first: 1,
        ..Results::default()
    };
    let mut lines = book
        .positions
        .values()
        .flat_map(|known| known.moves.values());
    let none = Results::default();
    assert!(lines.all(|line| [won, none].contains(&line.results)));
    assert_eq!(won.points(Side::First), 1.0);
}

/// The log of a game with a book has no scores for the moves of the book, and the build of an engine
/// changes with its book.
#[test]
fn leagues_play_with_books() {
    let rules = catalog::find("hex").expect("a game");
    let variant = json!({"size": 4});
    let mut book = new_book(rules, &variant);
    let start = rules.start(&variant).expect("a variant");
    advise(&mut book, &*start, "c2");
    let league = |rounds: u32| {
        format!(
            r#"
[league]
name = "books"
games = ["hex"]
rounds = {rounds}
seed = 1
[clock]
nodes = 300
[variant.hex]
size = 4
[[engine]]
name = "book"
builtin = "mcts"
options = {{ table_mb = 1, book = "./hex.book" }}
[[engine]]
name = "plain"
builtin = "mcts"
options = {{ table_mb = 1 }}
"#
        )
    };
    let folder = folder_with(&league(1));
    let at = folder.path();
    fs::write(at.join("hex.book"), book.to_text()).expect("it is written");
    succeed(at, &["league", "league.toml", "--quiet", "--out", "log"]);
    let log = games(&at.join("log"));
    assert_eq!(log.len(), 2);
    let builds = |game: &gamelog::record::GameRecord| {
        let [first, second] = [&game.first, &game.second];
        let mut builds = [(&first.name, &first.build), (&second.name, &second.build)];
        builds.sort();
        builds.map(|(_, build)| build.clone())
    };
    for game in &log {
        assert!(!game.reason.is_fault(), "{}", game.detail);
        let [with_book, plain] = builds(game);
        assert_ne!(with_book, plain, "the book belongs to the engine");
        if game.first.name == "book" {
            let turn = &game.turns[0];
            assert!(["c2", "b3"].contains(&&*turn.text), "{}", turn.text);
            assert!(
                turn.info
                    .as_ref()
                    .is_none_or(|info| info.score.is_none() && info.depth.is_none())
            );
        }
    }
}
