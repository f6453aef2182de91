//! Engines that attack the machine, its other engines and the clock: each loses its own games, and
//! no other game notices.

use gamelog::record::{GameRecord, GameResult, Reason};

use crate::common::host::Host;
use crate::common::program::games;
use crate::common::skipped;

/// Each engine, its fault, and how its games against the good ones end.
const ENGINES: [(&str, &str, Reason); 10] = [
    ("good", "nothing", Reason::Rules),
    ("better", "nothing", Reason::Rules),
    ("best", "nothing", Reason::Rules),
    ("bomb", "fork-bomb", Reason::Crash),
    ("hog", "hog", Reason::Crash),
    ("filler", "fill-disk", Reason::Crash),
    ("killer", "kill", Reason::Rules),
    ("ponderer", "ponder", Reason::Rules),
    ("locker", "lock", Reason::Rules),
    ("learner", "learn", Reason::Rules),
];

/// A league of all of them, four games at a time; each misbehaves in its second turn.
fn league_file() -> String {
    let mut text = String::from(
        "league = { name = \"siege\", games = [\"hex\"], concurrency = 4, pause_opponent = true }\n\
         clock = { base = \"120s\" }\n\
         variant.hex = { size = 4 }\n",
    );
    for (name, fault, _) in ENGINES {
        let (more, write) = match fault {
            "learn" => (", \"./learned/book\"", "write = [\"learned\"]\n"),
            _ => ("", ""),
        };
        text += &format!(
            "[[engine]]\nname = \"{name}\"\ncommand = [\"./test-engine\", \"{fault}\", \"2\"{more}]\n\
             memory_mb = 1024\nprocesses = 64\nfile_mb = 64\n{write}"
        );
    }
    text
}

/// How a game between two of them should end: the first of the faults that ends it.
fn expected(game: &GameRecord) -> Reason {
    let reason = |name: &str| {
        let engine = ENGINES.iter().find(|(known, ..)| *known == name);
        engine.expect("an engine of the league").2
    };
    match [&game.first.name, &game.second.name].map(|name| reason(name)) {
        [Reason::Rules, Reason::Rules] => Reason::Rules,
        _ => Reason::Crash,
    }
}

/// Plays the league, and checks that only the guilty lose by more than the rules.
fn survived(host: Host) {
    if let Some(reason) = host.missing() {
        return skipped(&format!("a siege, {host:?}"), &reason);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let learned = folder.path().join("learned");
    std::fs::create_dir(&learned).expect("a folder");
    std::fs::write(learned.join("book"), "").expect("a file");
    let done = host.league(folder.path(), |_| league_file());
    assert!(done.status.success(), "{host:?}: {done:?}");
    let games = games(&folder.path().join("out"));
    assert_eq!(games.len(), ENGINES.len() * (ENGINES.len() - 1));
    let mut unconfined = games[0].first.unconfined.iter();
    let unlimited = unconfined.find(|line| line.starts_with("number of processes"));
    if let Some(line) = unlimited {
        skipped(&format!("how a fork bomb ends, {host:?}"), line);
    }
    for game in &games {
        let what = format!("{host:?}: {} {:?} {}", game.id, game.reason, game.detail);
        assert_eq!(game.reason, expected(game), "{what}");
        let loser = match game.result {
            GameResult::First => &game.second.name,
            _ => &game.first.name,
        };
        let detail = &game.detail;
        let words = match (loser.as_str(), host) {
            // It may end by itself before it is killed.
            ("bomb", _) if unlimited.is_some() => continue,
            // The kernel limits it, by its user or its control group, and it may give up before the
            // referee sees it.
            ("bomb", Host::Ordinary) => "exit status: 10",
            ("bomb", _) if detail.contains("exit status: 10") => continue,
            ("bomb", _) => "processes and threads, allowed 64 (processes)",
            // By the referee or, in a control group, by the kernel.
            ("hog", _) if detail.contains("than 1024 MiB of memory (memory_mb)") => continue,
            ("hog", _) => "MiB of memory, allowed 1024 (memory_mb)",
            ("filler", Host::WithoutNamespaces) => "MiB in files, allowed 64 (file_mb)",
            ("filler", _) => "No space left on device",
            _ => continue,
        };
        assert!(detail.contains(words), "{what}");
    }
}

#[test]
fn a_league_survives_a_siege() {
    survived(Host::Own);
}

#[test]
fn a_league_of_an_ordinary_user_survives_a_siege() {
    survived(Host::Ordinary);
}

#[test]
fn a_league_without_namespaces_survives_a_siege() {
    survived(Host::WithoutNamespaces);
}
