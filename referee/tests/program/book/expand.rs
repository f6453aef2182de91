//! `referee book expand`.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use entry::Book;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::{refusal, succeed};
use crate::common::SLACK;
use crate::common::program::{referee, run, text};

/// The words of a command line.
fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// An expansion that is killed again and again ends with the same file as one that is not, and
/// what it leaves in between is always a whole book.
#[test]
fn an_expansion_that_is_killed_ends_with_the_same_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let expand = |path: &str, positions: u32| {
        let fixed = "--game hex --variant {size=8} --nodes 200 --width 3 --table-mb 1";
        format!("book expand {path} {fixed} --positions {positions}")
    };
    succeed(at, &words(&expand("whole", 60)));
    let kills = [Signal::KILL, Signal::TERM, Signal::TERM, Signal::KILL];
    for (wanted, signal) in [10, 25, 60, 60].into_iter().zip(kills) {
        let mut child = referee(at, &words(&expand("parts", wanted)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let begun = Instant::now();
        while !at.join("parts").exists() && begun.elapsed() < SLACK {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(30));
        let _ = kill_process(Pid::from_child(&child), signal);
        child.wait().expect("it ended");
        Book::load(&at.join("parts")).expect("a whole book");
    }
    succeed(at, &words(&expand("parts", 25)));
    succeed(at, &words(&expand("parts", 60)));
    let read = |name: &str| fs::read_to_string(at.join(name)).expect("a book");
    assert_eq!(read("parts"), read("whole"));
    // It is as large as asked for: nothing is done.
    assert!(succeed(at, &words(&expand("parts", 60))).contains("as many as asked for"));
    assert_eq!(read("parts"), read("whole"));
    let shown = succeed(at, &["book", "show", "whole"]);
    assert!(shown.contains("an engine plays "), "{shown}");
}

/// A team prepares one opening: only positions after its actions are expanded.
#[test]
fn an_expansion_may_begin_after_some_actions() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let fixed =
        "book expand book --game hex --variant {size=9} --nodes 50 --positions 20 --actions";
    let expand = words(fixed);
    succeed(at, &[&expand[..], &["a3 c3"]].concat());
    let book = Book::load(&at.join("book")).expect("a book");
    let made = book.made.first().expect("it says how it was made");
    assert!(made.starts_with("expand --actions 'a3 c3' "), "{made}");
    let rules = catalog::find("hex").expect("a game");
    let is_expanded = |actions: &str| {
        let mut game = rules.start(&book.variant).expect("a variant");
        game.play_words(actions).expect("legal actions");
        let known = book.positions.get(&game.place().key);
        known.is_some_and(|known| known.expanded)
    };
    let expanded = ["", "a3", "a3 c3"].map(is_expanded);
    assert_eq!((expanded, book.expanded()), ([false, false, true], 20));
    let refused = run(at, &[&expand[..], &["a3 a3"]].concat());
    assert!(
        refusal(&refused).contains("--actions: a3: "),
        "{}",
        text(&refused.stderr)
    );
}

/// Two processes that expanded one book would each write over what the other found.
#[test]
fn a_book_is_expanded_by_one_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let endless = ["book", "expand", "book", "--game", "hex", "--nodes", "100"];
    let mut first = referee(at, &endless)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let begun = Instant::now();
    while !at.join("book").exists() && begun.elapsed() < SLACK {
        std::thread::sleep(Duration::from_millis(1));
    }
    let second = run(at, &[&endless[..], &["--positions", "1"]].concat());
    assert!(
        refusal(&second).contains("book: another process expands this book"),
        "{}",
        text(&second.stderr)
    );
    first.kill().expect("it is a child");
    first.wait().expect("it ended");
    succeed(at, &[&endless[..], &["--positions", "1"]].concat());
}

/// A game that can be searched to its end has a book that knows its value.
#[test]
fn a_book_of_a_small_game_is_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let expand = [
        "book",
        "expand",
        "book",
        "--game",
        "hex",
        "--variant",
        "{ size = 3 }",
    ];
    let said = succeed(
        at,
        &[&expand[..], &["--nodes", "20", "--algorithm", "pvs"]].concat(),
    );
    assert!(said.contains("nothing is left to expand"), "{said}");
    let shown: Value =
        serde_json::from_str(&succeed(at, &["book", "show", "book", "--format", "json"]))
            .expect("JSON");
    let best = &shown["moves"][0];
    // A win is enough: nobody looks for a shorter one.
    assert_eq!(best["action"], "b2", "{shown}");
    let score = best["score"].as_str().expect("a score");
    assert!(score.starts_with("win "), "{score}");
    assert_eq!(shown["plays"], "b2");
}

#[test]
fn what_cannot_be_expanded_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let refused =
        |arguments: &[&str]| refusal(&run(at, &[&["book", "expand"], arguments].concat()));
    assert!(refused(&["new"]).contains("new: no such file, expected a book, or --game"));
    assert!(refused(&["new", "--game", "einstein"]).contains("has dice"));
    assert!(refused(&["new", "--game", "chess"]).contains("expected one of amazons"));
    let few = ["few", "--game", "hex", "--nodes", "1", "--algorithm", "pvs"];
    assert!(refused(&few).contains("--nodes 1 are too few"));
    succeed(
        at,
        &[
            "book",
            "expand",
            "old",
            "--game",
            "tic-tac-toe",
            "--positions",
            "1",
        ],
    );
    assert!(
        refused(&["old", "--game", "hex"]).contains("a book of tic-tac-toe, expected one of hex")
    );
    // Books that were cut off or changed are told by one line.
    let whole = fs::read(at.join("old")).expect("a book");
    for (bytes, expected) in [
        (&whole[..whole.len() - 1], "cut off"),
        (&whole[..whole.len() / 2], "cut off"),
        (
            &[b"x", &whole[1..]].concat()[..],
            "old:1: not an opening book",
        ),
        (b"", "old:1: not an opening book"),
    ] {
        fs::write(at.join("old"), bytes).expect("it is written");
        assert!(refused(&["old"]).contains(expected));
        assert!(refusal(&run(at, &["book", "show", "old"])).contains(expected));
    }
}
