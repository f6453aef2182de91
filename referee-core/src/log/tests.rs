use super::*;
use crate::log::record::sample::{game, turn};
use crate::log::record::{EngineInfo, GameResult, Reason, Text};

fn record(id: &str) -> GameRecord {
    GameRecord {
        id: id.to_owned(),
        ..game("hex", "a", "b", GameResult::First, Reason::Rules)
    }
}

/// An opened log and its games.
struct Found {
    log: Log,
    games: Vec<GameRecord>,
    warnings: Vec<String>,
}

fn open(folder: &Path) -> Result<Found, BadInput> {
    let mut ids = Vec::new();
    let Opened { log, warnings } = Log::open(folder, |game| game.id, |id| ids.push(id))?;
    let (games, _) = read(log.path())?;
    assert_eq!(ids, self::ids(&games));
    Ok(Found {
        log,
        games,
        warnings,
    })
}

/// The games of a log, and the warnings.
fn read(path: &Path) -> Result<(Vec<GameRecord>, Vec<String>), BadInput> {
    let mut games = Vec::new();
    let warnings = places(&[path.to_owned()], |_, place| games.push(place.game()))?;
    let games: Result<_, _> = games.into_iter().collect();
    Ok((games?, warnings))
}

fn ids(games: &[GameRecord]) -> Vec<&str> {
    games.iter().map(|game| game.id.as_str()).collect()
}

#[test]
fn appended_games_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new/league");
    let mut opened = open(&folder).unwrap();
    assert!(opened.games.is_empty() && opened.warnings.is_empty());
    opened.log.append(&record("x")).unwrap();
    opened.log.append(&record("y")).unwrap();
    drop(opened);
    let opened = open(&folder).unwrap();
    assert_eq!(opened.games, [record("x"), record("y")]);
    assert!(opened.warnings.is_empty());
}

#[test]
fn two_referees_cannot_write_one_log() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path()).unwrap();
    let error = Log::open(folder.path(), |_| (), |()| {})
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("another referee writes this log"),
        "{error}"
    );
    drop(first);
    open(folder.path()).unwrap();
}

/// Appends `tail` to a log of two games and opens it.
fn open_with_tail(folder: &Path, tail: &[u8]) -> Result<Found, BadInput> {
    let mut log = open(folder).unwrap().log;
    log.append(&record("x")).unwrap();
    log.append(&record("y")).unwrap();
    drop(log);
    let path = folder.join(FILE_NAME);
    fs::write(&path, [&fs::read(&path).unwrap(), tail].concat()).unwrap();
    open(folder)
}

#[test]
fn a_broken_last_line_is_set_aside_wherever_it_ends() {
    let whole = serde_json::to_vec(&record("z")).unwrap();
    let mut tails: Vec<Vec<u8>> = (1..=whole.len())
        .step_by(7)
        .map(|n| whole[..n].to_vec())
        .collect();
    tails.push(whole.clone());
    tails.push(vec![0; 100]);
    tails.push(b"\xff\xfe\n".to_vec());
    tails.push(b"{}\n".to_vec());
    for tail in tails {
        let folder = tempfile::tempdir().unwrap();
        let mut opened = open_with_tail(folder.path(), &tail).unwrap();
        assert_eq!(ids(&opened.games), ["x", "y"]);
        assert_eq!(opened.warnings.len(), 1, "{:?}", opened.warnings);
        assert!(opened.warnings[0].contains("games.jsonl:3: broken last line, moved to"));
        let aside = folder.path().join("games.jsonl.broken-1");
        assert_eq!(fs::read(aside).unwrap(), tail);
        opened.log.append(&record("z")).unwrap();
        drop(opened);
        let opened = open(folder.path()).unwrap();
        assert_eq!(ids(&opened.games), ["x", "y", "z"]);
        assert!(opened.warnings.is_empty());
    }
}

#[test]
fn files_set_aside_are_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.jsonl.broken-1"), "old").unwrap();
    open_with_tail(folder.path(), b"{\"schema\"").unwrap();
    assert_eq!(
        fs::read(folder.path().join("games.jsonl.broken-1")).unwrap(),
        b"old"
    );
    assert_eq!(
        fs::read(folder.path().join("games.jsonl.broken-2")).unwrap(),
        b"{\"schema\""
    );
}

#[test]
fn a_broken_line_before_the_last_is_refused_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut tail = b"{\"schema\": 1}\n".to_vec();
    tail.extend(serde_json::to_vec(&record("z")).unwrap());
    tail.push(b'\n');
    let error = open_with_tail(folder.path(), &tail)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(error.contains("games.jsonl:3: missing field"), "{error}");
    assert!(error.ends_with(", expected a game"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_first_of_two_games_with_the_same_id_counts() {
    let mut bytes = Vec::new();
    for name in ["first", "second"] {
        let mut game = record("x");
        game.first.name = name.to_owned();
        bytes.extend(serde_json::to_vec(&game).unwrap());
        bytes.push(b'\n');
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.jsonl");
    fs::write(&path, &bytes).unwrap();
    let (games, warnings) = read(&path).unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].first.name, "first");
    let warning = format!("{}:2: duplicate of game x, ignored", path.display());
    assert_eq!(warnings, [warning]);
}

#[test]
fn borrowed_text_is_the_same() {
    let mut game = record("x");
    for text in ["a1", "é", "\"\\\n\t\u{1}", "\u{1f600} 北"] {
        let mut turn = turn(text);
        turn.info = Some(EngineInfo {
            score: Some(text.to_owned()),
            pv: Some(text.repeat(2)),
            ..EngineInfo::default()
        });
        game.turns.push(turn);
    }
    let line = serde_json::to_string(&game).unwrap();
    let escaped = line.replace("a1", "\\u00611").replace('北', "\\u5317");
    for line in [line.as_bytes(), escaped.as_bytes()] {
        assert_eq!(parse::<String>(line).as_ref(), Ok(&game));
        let borrowed = parse::<Text>(line).unwrap();
        for (turn, own) in borrowed.turns.iter().zip(&game.turns) {
            assert_eq!(turn.text.as_ref(), own.text);
            let (info, own) = (turn.info.as_ref().unwrap(), own.info.as_ref().unwrap());
            assert_eq!(info.score.as_ref().map(Text::as_ref), own.score.as_deref());
            assert_eq!(info.pv.as_ref().map(Text::as_ref), own.pv.as_deref());
        }
    }
}

#[test]
fn another_schema_is_refused() {
    let game = GameRecord {
        schema: 9,
        ..record("x")
    };
    let line = serde_json::to_vec(&game).unwrap();
    assert_eq!(parse::<String>(&line).unwrap_err(), "schema 9, expected 1");
}

#[test]
fn no_bytes_cause_a_panic() {
    let mut rng = engine_core::Rng::new(2);
    let game = serde_json::to_vec(&record("x")).unwrap();
    for _ in 0..200 {
        let mut bytes = [&game[..], b"\n", &game, b"\n"].concat();
        for _ in 0..rng.below(4) {
            let at = rng.below(bytes.len() as u32) as usize;
            bytes[at] = rng.below(256) as u8;
        }
        bytes.truncate(rng.below(bytes.len() as u32 + 1) as usize);
        let mut stream = Stream::new(&*bytes, Dropped::default(), |line| parse::<String>(line));
        assert!(stream.by_ref().all(|entry| entry.is_ok()));
        assert!(stream.broken().len() <= bytes.len());
    }
}

#[test]
fn logs_are_found_in_folders() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b/games.jsonl", "a/x.jsonl", "a/note.txt"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let logs = find(&[folder.path().to_owned()]).unwrap();
    let names: Vec<_> = logs
        .iter()
        .map(|log| log.strip_prefix(folder.path()).unwrap())
        .collect();
    assert_eq!(names, [Path::new("a/x.jsonl"), Path::new("b/games.jsonl")]);
    assert!(find(&[folder.path().join("c")]).is_err());
    fs::create_dir(folder.path().join("empty")).unwrap();
    assert!(find(&[folder.path().join("empty")]).is_err());
}

#[test]
fn a_dropped_game_does_not_count_and_may_be_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut opened = open(folder.path()).unwrap();
    let again = GameRecord {
        detail: "again".to_owned(),
        ..record("x")
    };
    for game in [record("x"), record("y")] {
        opened.log.append(&game).unwrap();
    }
    let dropped = |log: &Log, id: &str| {
        let mut found = None;
        places(&[log.path().to_owned()], |game, place| {
            if game == id {
                found = Some(place);
            }
        })
        .unwrap();
        found.unwrap()
    };
    let place = dropped(&opened.log, "x");
    opened.log.drop_game("x", &place).unwrap();
    drop(opened);
    let mut opened = open(folder.path()).unwrap();
    assert_eq!(opened.games, [record("y")]);
    assert!(opened.warnings.is_empty(), "{:?}", opened.warnings);
    opened.log.append(&again).unwrap();
    drop(opened);
    // The line of the second game is told from that of the first.
    let opened = open(folder.path()).unwrap();
    assert_eq!(opened.games, [record("y"), again.clone()]);
    assert!(opened.warnings.is_empty(), "{:?}", opened.warnings);
    // A broken line after all of them has its number.
    drop(opened.log);
    let path = folder.path().join(FILE_NAME);
    let mut bytes = fs::read(&path).unwrap();
    let first = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    bytes.extend_from_slice(b"{");
    fs::write(&path, &bytes).unwrap();
    let (_, warnings) = read(&path).unwrap();
    assert!(
        warnings[0].contains(":5: 1 bytes of a broken"),
        "{warnings:?}"
    );
    // The mark counts wherever it stands.
    let (line, rest) = bytes.split_at(first + 1);
    fs::write(&path, [&rest[..rest.len() - 1], line].concat()).unwrap();
    assert_eq!(read(&path).unwrap().0, [record("y"), again]);
}
