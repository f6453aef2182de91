//! Damage to a log during a league: the league stops with a message and no logged game is lost;
//! after a restart every game is in the log once.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::program::{folder_with, games, ids, referee, run, text};
use crate::common::skipped;

/// Games of a few ms each.
const LEAGUE: &str = r#"
league = { name = "x", games = ["hex"], rounds = 60, concurrency = 2 }
clock = { nodes = 1 }
variant.hex = { size = 3 }
engine = [{ name = "a", builtin = "random" }, { name = "b", builtin = "greedy" }]
"#;

/// Number of games planned.
const PLANNED: usize = 120;

const REFEREE: &str = env!("CARGO_BIN_EXE_referee");

/// The arguments that play the league.
const PLAY: [&str; 4] = ["league", "league.toml", "--out", "out"];

/// Plays the league in `folder` to the end and checks that every game is in the log once.
fn resume(folder: &Path) {
    let played = run(folder, &PLAY);
    assert!(played.status.success(), "{}", text(&played.stderr));
    check_whole(&folder.join("out"));
}

fn check_whole(out: &Path) {
    let games = games(out);
    assert_eq!((games.len(), ids(&games).len()), (PLANNED, PLANNED));
}

/// Checks that a log has only complete lines, at least one, and fewer than planned.
fn check_part(log: &[u8]) {
    assert!(log.ends_with(b"\n"), "half a line stays");
    let lines = log.iter().filter(|&&byte| byte == b'\n').count();
    assert!((1..PLANNED).contains(&lines), "{lines} lines");
}

#[test]
fn a_file_size_limit() {
    let folder = folder_with(LEAGUE);
    // In blocks of 512 or 1024 bytes. The limit applies to root, too.
    let limited = "ulimit -f 20; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, "sh", REFEREE])
        .args(PLAY)
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let said = "out/games.jsonl: cannot be written: File too large (os error 27). All earlier \
                games are in it. Fix this, then resume: referee league league.toml --out out\n";
    assert!(message.ends_with(said), "{message}");
    check_part(&fs::read(folder.path().join("out").join(gamelog::FILE_NAME)).expect("a log"));
    resume(folder.path());
}

/// Runs a script in its own mount namespace; `None`, with a message, where this user may not create
/// one. `$1` is the referee.
pub(crate) fn with_mounts(folder: &Path, script: &str) -> Option<Output> {
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c"])
        .args([
            &format!("mount -t tmpfs none /mnt || exit 77\n{script}"),
            "sh",
            REFEREE,
        ])
        .current_dir(folder)
        .output();
    match output {
        Ok(output) if output.status.code() != Some(77) && !is_refused(&output) => Some(output),
        other => {
            skipped("logs in file systems of their own", &format!("{other:?}"));
            None
        }
    }
}

fn is_refused(output: &Output) -> bool {
    text(&output.stderr).starts_with("unshare: ")
}

#[test]
fn a_full_disk() {
    let folder = folder_with(LEAGUE);
    let Some(output) = with_mounts(
        folder.path(),
        "mkdir out && mount -t tmpfs -o size=256k none out && head -c 200k /dev/zero > out/full
         $1 league league.toml --out out; echo status $?
         cp out/games.jsonl full.jsonl && rm out/full
         $1 league league.toml --out out; echo status $?
         cp -r out whole",
    ) else {
        return;
    };
    let (said, message) = (text(&output.stdout), text(&output.stderr));
    assert!(said.starts_with("status 1\n"), "{said}");
    assert!(said.ends_with("status 0\n"), "{said}");
    let full = "out/games.jsonl: cannot be written: No space left on device (os error 28). All";
    assert!(message.contains(full), "{message}");
    check_part(&fs::read(folder.path().join("full.jsonl")).expect("a log"));
    let whole = folder.path().join("whole");
    check_whole(&whole);
    assert!(!message.contains("broken"), "{message}");
}

#[test]
fn a_folder_that_cannot_be_written() {
    let folder = folder_with(LEAGUE);
    let Some(output) = with_mounts(
        folder.path(),
        "mkdir out && mount -t tmpfs -o ro none out && $1 league league.toml --out out",
    ) else {
        return;
    };
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "out/games.jsonl: Read-only file system (os error 30), expected a log, or none yet\n"
    );
}

#[test]
fn a_bad_folder_or_log() {
    let check = |prepare: fn(&Path), expected: &str| {
        let folder = folder_with(LEAGUE);
        prepare(folder.path());
        let output = run(folder.path(), &PLAY);
        assert_eq!(output.status.code(), Some(2), "{expected}");
        assert_eq!(text(&output.stderr), format!("{expected}\n"));
    };
    check(
        |folder| fs::write(folder.join("out"), "mine").expect("a file"),
        "out: File exists (os error 17), expected a folder for the log",
    );
    check(
        |folder| fs::create_dir_all(folder.join("out/games.jsonl")).expect("a folder"),
        "out/games.jsonl: not a file, expected a log, or none yet",
    );
    check(
        |folder| {
            fs::create_dir(folder.join("out")).expect("a folder");
            let log = folder.join("out/games.jsonl");
            std::os::unix::fs::symlink("/dev/full", log).expect("a link");
        },
        "out/games.jsonl: a symbolic link, expected a log, or none yet",
    );
}

/// Changes a log while its league runs; returns the folder and the resulting log.
fn disturb(change: fn(&Path), expected: &str) -> (TempDir, Vec<u8>) {
    let folder = folder_with(LEAGUE);
    let log = folder.path().join("out").join(gamelog::FILE_NAME);
    let mut league = referee(folder.path(), &PLAY)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = || fs::read(&log).map_or(0, |log| log.iter().filter(|&&b| b == b'\n').count());
    let patience = Instant::now() + Duration::from_secs(60);
    while lines() < 3 {
        assert!(Instant::now() < patience, "no game in a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
    change(&log);
    let mut message = String::new();
    let mut errors = league.stderr.take().expect("a pipe");
    errors.read_to_string(&mut message).expect("text");
    assert_eq!(league.wait().expect("it ends").code(), Some(1), "{message}");
    let last = message.lines().last().unwrap_or_default();
    let begin = "error: out/games.jsonl: changed by another program while the league ran: ";
    assert!(last.starts_with(begin) && last.contains(expected), "{last}");
    let end = "Repair it, then resume: referee league league.toml --out out";
    assert!(last.ends_with(end), "{last}");
    let played = message.lines().filter(|line| line.starts_with('[')).count();
    let all = format!("all {} games are in out/games.jsonl.kept-1", played + 1);
    assert!(last.contains(&all), "{last}");
    // The last game was played, but not reported.
    let kept = fs::read(kept(folder.path())).expect("the games that were kept");
    assert_eq!(
        kept.iter().filter(|&&byte| byte == b'\n').count(),
        played + 1
    );
    let left = fs::read(&log).unwrap_or_default();
    (folder, left)
}

fn kept(folder: &Path) -> PathBuf {
    folder.join("out/games.jsonl.kept-1")
}

/// Replaces the log by the rescued games.
fn put_back(folder: &Path) {
    fs::rename(kept(folder), folder.join("out/games.jsonl")).expect("they are there");
}

#[test]
fn a_truncated_log() {
    let (folder, left) = disturb(
        |log| fs::write(log, "").expect("it is there"),
        " 0 bytes, expected ",
    );
    assert_eq!(left, b"");
    put_back(folder.path());
    resume(folder.path());
}

#[test]
fn a_replaced_log() {
    let (folder, left) = disturb(
        |log| {
            let other = log.with_file_name("other");
            fs::write(&other, "notes\n").expect("a file");
            fs::rename(&other, log).expect("it is there");
        },
        "replaced by another file",
    );
    assert_eq!(left, b"notes\n");
    put_back(folder.path());
    resume(folder.path());
}

#[test]
fn a_log_with_another_writer() {
    let (folder, left) = disturb(
        |log| {
            let file = fs::OpenOptions::new().append(true).open(log);
            let mut file = file.expect("it is there");
            file.write_all(b"notes\n").expect("it is written");
        },
        " bytes, expected ",
    );
    assert!(text(&left).contains("\nnotes\n"), "{left:?}");
    let without = text(&left).replacen("\nnotes\n", "\n", 1);
    fs::write(folder.path().join("out").join(gamelog::FILE_NAME), without).expect("it is written");
    resume(folder.path());
}

#[test]
fn a_removed_folder() {
    let (folder, left) = disturb(
        |log| {
            // The league may be writing into it.
            while fs::remove_dir_all(log.parent().expect("a folder")).is_err() {}
        },
        "No such file or directory",
    );
    assert_eq!(left, b"");
    put_back(folder.path());
    resume(folder.path());
}

/// Every command names the line that is not as it was written, and changes nothing.
#[test]
fn a_damaged_line() {
    let folder = folder_with(&LEAGUE.replace("rounds = 60", "rounds = 2"));
    resume_one(folder.path());
    let path = folder.path().join("out").join(gamelog::FILE_NAME);
    let mut bytes = fs::read(&path).expect("a log");
    let second = bytes.iter().position(|&byte| byte == b'\n').expect("lines");
    // A letter of a name: the game would count for an engine that has played none.
    let key = b"\"first\":{\"name\":\"";
    let mut found = bytes[second..].windows(key.len());
    let at = found.position(|bytes| bytes == key).expect("a name");
    bytes[second + at + key.len()] ^= 4;
    fs::write(&path, &bytes).expect("it is written");
    let id = &first_id(&path);
    for (arguments, status) in [
        (&["verify", "out"][..], 1),
        (&["standings", "out"], 2),
        (&PLAY, 2),
        (&["merge", "out", "--out", "merged"], 2),
        (&["drop", "out", id], 2),
        (&["replay", "out"], 2),
        (&["report", "out", "--html", "report.html"], 2),
        (&["export", "out", "records/"], 1),
        (&["table", "league.toml", "--log", "out"], 2),
        (&["book", "build", "out", "--game", "hex", "--out", "b"], 1),
    ] {
        let output = run(folder.path(), arguments);
        let said = [text(&output.stdout), text(&output.stderr)].concat();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
        assert!(said.contains("games.jsonl:2: "), "{arguments:?}: {said}");
        assert!(said.contains("damaged: its bytes have crc32 "), "{said}");
    }
    assert_eq!(fs::read(&path).expect("a log"), bytes);
    assert!(!folder.path().join("report.html").exists());
}

/// The id of the first game of a log.
fn first_id(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a log");
    let first = text.lines().next().expect("a line");
    gamelog::parse::<String>(first.as_bytes())
        .expect("a game")
        .id
}

/// A log from elsewhere may hold escape sequences in every text. No command writes them.
#[test]
fn foreign_logs_cannot_write_to_the_terminal() {
    const ESCAPE: &str = "\u{1b}]0;owned\u{7}\u{9b}31m";
    let folder = folder_with(&LEAGUE.replace("rounds = 60", "rounds = 1"));
    resume_one(folder.path());
    let path = folder.path().join("out").join(gamelog::FILE_NAME);
    let mut foreign = Vec::new();
    for mut game in games(&folder.path().join("out")) {
        for engine in [&mut game.first, &mut game.second] {
            engine.name += ESCAPE;
            engine.version += ESCAPE;
        }
        game.detail += ESCAPE;
        game.id += ESCAPE;
        game.turns.last_mut().expect("a turn").text += ESCAPE;
        foreign.extend(gamelog::line(&game).expect("JSON"));
    }
    fs::write(&path, foreign).expect("it is written");
    for arguments in [
        &["standings", "out"][..],
        &["standings", "out", "--by", "engine", "--format", "html"],
        &["standings", "out", "--format", "csv"],
        &["standings", "out", "--format", "markdown"],
        &["verify", "out"],
        &["replay", "out/games.jsonl"],
        &["replay", "out/games.jsonl", "nothing"],
        &["export", "out", "records/"],
        &["league", "league.toml", "--out", "out"],
    ] {
        let output = run(folder.path(), arguments);
        let (said, told) = (text(&output.stdout), text(&output.stderr));
        for shown in [said, told] {
            let bad = |c: char| c.is_control() && c != '\n';
            assert!(!shown.contains(bad), "{arguments:?}: {shown:?}");
        }
        assert!(said.len() + told.len() > 20, "{arguments:?}");
    }
}

/// Plays a league of one round.
fn resume_one(folder: &Path) {
    let played = run(folder, &PLAY);
    assert!(played.status.success(), "{}", text(&played.stderr));
}
