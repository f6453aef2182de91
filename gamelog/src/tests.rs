use std::io::Write;

use engine_process::info::EngineInfo;

use super::*;
use crate::record::sample::{game, turn};
use crate::record::{GameResult, Reason, Text};

fn record(id: &str) -> GameRecord {
    GameRecord {
        id: id.to_owned(),
        ..game("hex", "a", "b", GameResult::First, Reason::Rules)
    }
}

/// A game as a line of a log, without its line end.
fn bare(game: &GameRecord) -> Vec<u8> {
    line(game).unwrap().trim_ascii_end().to_vec()
}

/// The line that an earlier version would have written.
fn without_sum(line: &[u8]) -> Vec<u8> {
    let text = str::from_utf8(line).unwrap().trim_end();
    let (rest, _) = text.rsplit_once(",\"crc32\":").unwrap();
    let old = rest.replacen("{\"schema\":2,", "{\"schema\":1,", 1);
    (old + "}\n").into_bytes()
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
    let whole = bare(&record("z"));
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
fn a_line_that_is_too_long_is_set_aside_at_the_end_and_refused_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = open(folder.path()).unwrap().log;
    log.append(&record("x")).unwrap();
    drop(log);
    let path = folder.path().join(FILE_NAME);
    let whole = fs::read(&path).unwrap();
    // The file system stores no zeros.
    let length = MAX_LINE as u64 + 1;
    let lengthen = || {
        let file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.set_len(whole.len() as u64 + length).unwrap();
        file
    };
    lengthen();
    let opened = open(folder.path()).unwrap();
    assert_eq!(ids(&opened.games), ["x"]);
    assert!(opened.warnings[0].contains("games.jsonl:2: broken last line, moved to"));
    drop(opened);
    assert_eq!(fs::read(&path).unwrap(), whole);
    let aside = folder.path().join("games.jsonl.broken-1");
    assert_eq!(fs::metadata(aside).unwrap().len(), length);

    let mut file = lengthen();
    let end = [b"\n", &line(&record("y")).unwrap()[..]].concat();
    file.write_all(&end).unwrap();
    let error = open(folder.path()).map(|_| ()).unwrap_err().to_string();
    let fault = format!(":2: a line of {length} bytes, longer than the limit of {MAX_LINE}");
    assert!(error.contains(&fault), "{error}");
    assert_eq!(
        fs::metadata(&path).unwrap().len(),
        (whole.len() + end.len()) as u64 + length
    );
}

#[test]
fn a_game_that_could_not_be_read_again_is_not_written() {
    let game = GameRecord {
        detail: "x".repeat(MAX_LINE),
        ..record("x")
    };
    let folder = tempfile::tempdir().unwrap();
    let mut log = open(folder.path()).unwrap().log;
    let error = log.append(&game).unwrap_err().to_string();
    assert!(error.contains("longer than the limit"), "{error}");
    log.append(&record("y")).unwrap();
    drop(log);
    assert_eq!(ids(&open(folder.path()).unwrap().games), ["y"]);
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
    tail.extend(line(&record("z")).unwrap());
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
        bytes.extend(line(&game).unwrap());
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
    let line = String::from_utf8(without_sum(&bare(&game))).unwrap();
    let escaped = line.replace("a1", "\\u00611").replace('北', "\\u5317");
    game.schema = SCHEMA_WITHOUT_SUM;
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
    let line = String::from_utf8(bare(&record("x"))).unwrap();
    let refused = |line: &str| parse::<String>(line.as_bytes()).unwrap_err();
    let ninth = line.replacen("\"schema\":2", "\"schema\":9", 1);
    assert_eq!(refused(&ninth), "schema 9, expected 1 or 2");
    let first = line.replacen("\"schema\":2", "\"schema\":1", 1);
    assert_eq!(refused(&first), "damaged: schema 1 with crc32");
    let old = String::from_utf8(without_sum(line.as_bytes())).unwrap();
    let second = old.replacen("\"schema\":1", "\"schema\":2", 1);
    assert_eq!(refused(&second), "damaged: schema 2 without crc32");
}

#[test]
fn lines_without_checksums_are_read_among_others() {
    let old = without_sum(&bare(&record("x")));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(FILE_NAME), &old).unwrap();
    let mut log = open(folder.path()).unwrap().log;
    log.append(&record("y")).unwrap();
    drop(log);
    let opened = open(folder.path()).unwrap();
    assert_eq!(ids(&opened.games), ["x", "y"]);
    assert!(opened.warnings.is_empty());
    // A game that was read from such a line is written with a checksum.
    let again = line(&opened.games[0]).unwrap();
    assert_eq!(again, line(&record("x")).unwrap());
}

#[test]
fn a_flipped_bit_in_a_line_that_gives_up_a_game_is_found() {
    let games = ["x", "y", "z"].map(|id| line(&record(id)).unwrap());
    let mark = dropped::mark("x", &games[0]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.jsonl");
    let read = |mark: &[u8]| {
        fs::write(&path, [&games[0], mark, &games[1], &games[2]].concat()).unwrap();
        read(&path).map(|(games, _)| games)
    };
    assert_eq!(read(&mark).unwrap(), [record("y"), record("z")]);
    for bit in 0..8 * mark.len() {
        let mut flipped = mark.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let error = read(&flipped).expect_err("a flipped bit").to_string();
        assert!(error.contains("g.jsonl:2: "), "bit {bit}: {error}");
    }
    // Lines of earlier versions have no checksum.
    assert_eq!(
        read(&without_sum(&mark)).unwrap(),
        [record("y"), record("z")]
    );
}

#[test]
fn a_flipped_bit_in_the_last_line_is_told() {
    let games = ["x", "y"].map(|id| line(&record(id)).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.jsonl");
    for bit in 0..8 * games[1].len() {
        let mut last = games[1].clone();
        last[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, [&games[0][..], &last].concat()).unwrap();
        match read(&path) {
            Ok((games, warnings)) => assert!(
                ids(&games) == ["x"] && warnings[0].contains("g.jsonl:2: "),
                "bit {bit}: {warnings:?}"
            ),
            // A new line end makes two lines of it.
            Err(error) => assert!(error.to_string().contains("g.jsonl:2: "), "{error}"),
        }
    }
}

#[test]
fn no_bytes_cause_a_panic() {
    let mut rng = engine_core::Rng::new(2);
    let game = bare(&record("x"));
    for _ in 0..200 {
        let mut bytes = [&game[..], b"\n", &game, b"\n"].concat();
        for _ in 0..rng.below(4) {
            let at = rng.below(bytes.len() as u32) as usize;
            bytes[at] = rng.below(256) as u8;
        }
        bytes.truncate(rng.below(bytes.len() as u32 + 1) as usize);
        let mut stream = Stream::new(&*bytes, Dropped::default(), |line| parse::<String>(line));
        assert!(stream.by_ref().all(|entry| entry.is_ok()));
        assert!(stream.broken() <= bytes.len() as u64);
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
