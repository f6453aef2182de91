//! The program itself, run in a temporary folder.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use gamelog::record::GameRecord;

/// A game of Amazons on a small board that black wins at once, as a contest record.
pub const AMAZONS: &str = "#[AM][甲队 B][乙队 W][先手胜][2024.05.01 14:00 辽宁][2024];\n1 a1b1(b2) c1c2(c1)\n2 b1a1(b1)\n";
/// Its variant.
pub const AMAZONS_VARIANT: &str = "{ columns = 3, rows = 2, first = ['a1'], second = ['c1'] }";

/// `referee` with `arguments`, in `folder`.
pub fn referee(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

/// The output of `referee` with `arguments` in `folder`.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    let output = referee(folder, arguments).output();
    let output = output.expect("the program starts");
    note(arguments, &output);
    output
}

/// Notes what the program said on standard error, with its exit status and its command, a line each: in
/// the file that this variable names, so that `.ci/same` can compare the messages of two versions.
fn note(arguments: &[&str], output: &Output) {
    let Some(path) = std::env::var_os("REFEREE_TEST_MESSAGES") else {
        return;
    };
    let command = arguments.first().unwrap_or(&"");
    let status = output.status.code().unwrap_or(-1);
    let said = String::from_utf8_lossy(&output.stderr);
    let lines = said
        .lines()
        .map(|line| format!("{command} {status}: {line}\n"));
    let lines: String = lines.collect();
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    let mut file = file.expect("the file of messages");
    file.write_all(lines.as_bytes()).expect("it is written");
}

/// The output of `referee` with `arguments` in `folder` and `input` as its standard input.
pub fn run_with(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = referee(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that refuses its arguments does not read it.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    note(arguments, &output);
    output
}

/// Standard output, standard error and exit status of `referee` with `arguments`.
pub fn spoken(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = run(".".as_ref(), arguments);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}

/// A folder with `text` as its `league.toml`.
pub fn folder_with(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("league.toml"), text).expect("the file is written");
    folder
}

/// Lets every user read, write and start what is in a folder.
pub fn open_to_all(folder: &Path) {
    for file in fs::read_dir(folder).expect("a folder").flatten() {
        if file.path().is_dir() {
            open_to_all(&file.path())
        } else {
            make_executable(&file.path())
        }
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).expect("it is ours");
}

/// Lets every user read, change and start a file.
pub fn make_executable(file: &Path) {
    fs::set_permissions(file, fs::Permissions::from_mode(0o777)).expect("it is ours");
}

/// Bytes as UTF-8 text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// The games in the log of `out`.
pub fn games(out: &Path) -> Vec<GameRecord> {
    let path = out.join(gamelog::FILE_NAME);
    let mut games = Vec::new();
    let warnings = gamelog::places(&[path], |_, place| games.push(place.game()));
    assert_eq!(warnings.expect("only games"), [""; 0]);
    let games = games.into_iter().collect::<Result<_, _>>();
    games.expect("only games")
}

/// A log as an earlier version would have written it, without checksums: a test may change its text.
pub fn without_sums(log: &str) -> String {
    let old = |line: &str| {
        let (rest, _) = line.rsplit_once(",\"crc32\":").expect("a checksum");
        rest.replacen("{\"schema\":2,", "{\"schema\":1,", 1) + "}\n"
    };
    log.lines().map(old).collect()
}

/// The set of ids of these games.
pub fn ids(games: &[GameRecord]) -> BTreeSet<&str> {
    games.iter().map(|game| game.id.as_str()).collect()
}

/// The interpreter itself: `python3` may be a script that looks for it, in every process.
pub fn python() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let path = Command::new("python3")
            .args(["-c", "import sys; print(sys.executable, end='')"])
            .output();
        String::from_utf8(path.expect("python3").stdout).expect("UTF-8")
    })
}
