//! Leagues in folders, and logs for the tests of pages.

use std::sync::mpsc;

use serde_json::json;

use super::*;

/// A game of Hex: `first second result` or `first second result reason`, and its turns. Two games
/// that follow each other are a pair.
pub(crate) fn record(number: usize, (game, turns): (&str, &[&str])) -> GameRecord {
    let words: Vec<&str> = game.split(' ').collect();
    let player = |name: &str| json!({ "name": name, "command": [], "protocol": "ugi", "version": "", "options": {} });
    let turn = |(at, text): (usize, &&str)| {
        let side = ["first", "second"][at % 2];
        json!({ "side": side, "text": text, "used_us": 1 })
    };
    let reason = words.get(3).copied().unwrap_or("rules");
    let turns: Vec<_> = turns.iter().enumerate().map(turn).collect();
    let game = json!({
        "schema": 1, "id": format!("g{number}"), "league": "l", "game": "hex", "variant": {},
        "round": number / 2, "seed": 1, "first": player(words[0]), "second": player(words[1]),
        "clock": { "base": "PT1S" }, "started": "2026-01-01T00:00:00Z", "duration_ms": 1,
        "turns": turns, "result": words[2], "reason": reason,
        "detail": "", "host": ""
    });
    serde_json::from_value(game).unwrap()
}

/// A league of such games.
pub(crate) fn league(games: &[(&str, &[&str])]) -> League {
    let mut league = League::new("l".to_owned());
    for (number, &game) in games.iter().enumerate() {
        league.add(&record(number, game));
    }
    league
}

fn names(leagues: &[Arc<Shelved>]) -> Vec<String> {
    leagues
        .iter()
        .map(|league| read(league).name.clone())
        .collect()
}

#[test]
fn nobody_waits_for_a_log_that_another_page_is_about() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join(FILE_NAME), "").unwrap();
    }
    let leagues = Arc::new(Leagues::below(folder.path().to_owned()));
    // A thread that has still to read the second league, as long as this test lets it.
    let (end, ended) = mpsc::channel::<()>();
    let shelves = Arc::clone(&leagues);
    let (begin, begun) = mpsc::channel();
    let reader = thread::spawn(move || {
        let second = Arc::clone(&shelves.look()["two"]);
        let _writing = second.league.write().unwrap();
        begin.send(()).unwrap();
        let _ = ended.recv();
    });
    begun.recv().unwrap();
    leagues.reader.set(reader).unwrap();
    assert!(leagues.find("one").is_some());
    let All { read, unread } = leagues.all();
    assert_eq!(
        (names(&read), unread),
        (vec!["one".to_owned()], vec!["two".to_owned()])
    );
    drop(end);
    assert!(leagues.find("two").is_some());
    while leagues.is_reading() {}
    let All { read, unread } = leagues.all();
    assert_eq!((names(&read).len(), unread.len()), (2, 0));
}

#[test]
fn a_league_that_a_page_has_made_is_found_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let leagues = Leagues::below(folder.path().to_owned());
    // A look that serves for what follows, however slow this machine is.
    leagues.found.lock().unwrap().when = Some(Instant::now() + Duration::from_secs(3_600));
    for name in [dropped::LEAGUE, desk::FOLDER] {
        assert!(leagues.find(name).is_none(), "{name}");
        leagues.found.lock().unwrap().when = Some(Instant::now() + Duration::from_secs(3_600));
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join(FILE_NAME), "").unwrap();
        assert!(leagues.find(name).is_some(), "{name}");
    }
}

#[test]
fn a_damaged_line_is_named_and_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    let game = |number| gamelog::line(&record(number, ("a b first", &["a1"]))).unwrap();
    let mut league = League::at("l".to_owned(), path.clone());
    fs::write(&path, [game(0), game(1)].concat()).unwrap();
    league.catch_up();
    assert_eq!((league.games.len(), league.fault.clone()), (2, None));
    // The log grows by a damaged game and a sound one.
    let mut damaged = game(2);
    let at = damaged.len() / 2;
    damaged[at] ^= 1;
    fs::write(&path, [game(0), game(1), damaged, game(3)].concat()).unwrap();
    league.catch_up();
    let fault = league.fault.clone().unwrap_or_default();
    assert!(fault.starts_with("l: line 3: "), "{fault}");
    assert_eq!(league.games.len(), 2);
    // A game that was damaged after it was read is not shown.
    let row = league.row("g1").unwrap();
    assert_eq!(league.game(row).unwrap().id, "g1");
    let mut bytes = fs::read(&path).unwrap();
    let second = game(0).len() + at;
    bytes[second] ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = league.game(row).unwrap_err();
    assert!(error.contains("games.jsonl:2: "), "{error}");
}

#[test]
fn a_game_with_the_turns_of_another_repeats_it() {
    let league = league(&[
        ("a b first", &["a1", "b2"]),
        ("b a first", &["a1", "b3"]),
        ("a c second", &["a1", "b2"]),
        ("a b second crash", &[]),
        ("b a second crash", &[]),
    ]);
    let repeats: Vec<_> = league
        .games
        .iter()
        .map(|row| row.repeats.as_deref())
        .collect();
    assert_eq!(repeats, [None, None, Some("g0"), None, None]);
}
