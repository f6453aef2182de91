//! Pages in a real browser, driven by the scripts in `tests/browser`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::program::{folder_with, referee, run, text, without_sums};
use crate::common::served::Served;
use crate::common::skipped;

/// The name of an engine that tries to be more than text on a page.
const HOSTILE: &str = "<img src=x onerror=alert(1)>'\"</script><script>alert(2)</script>";

/// A league of all games that takes a second.
const LEAGUE: &str = r#"
[league]
name = "all"
games = ["amazons", "surakarta", "connect6", "hex", "dots-and-boxes", "einstein", "gomoku", "tic-tac-toe"]
seed = 1

[clock]
base = "20s"

[variant.surakarta]
quiet_limit = 20

[[engine]]
name = "greedy"
builtin = "greedy"

[[engine]]
name = "random"
builtin = "random"
"#;

/// The folder of the scripts.
fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser")
}

/// Whether a browser and the packages of the scripts are there; if not, the test counts as skipped.
fn has_browser(test: &str) -> bool {
    let browser = std::env::var_os("CHROMIUM").unwrap_or_else(|| "/usr/bin/chromium".into());
    let missing = if !Path::new(&browser).exists() {
        "no Chromium (apt-get install chromium)"
    } else if !scripts().join("node_modules/playwright-core").exists() {
        "no Playwright (npm install --prefix referee/tests/browser)"
    } else {
        return true;
    };
    skipped(test, missing);
    false
}

/// Runs a script in the browser: its arguments are the address of a server and these.
fn drive(script: &str, served: &Served, arguments: &[&str]) {
    // The operator's browser opens this file first.
    let mut node = node(script);
    node.arg(served.own()).env("REFEREE_FILE", &served.file);
    ends_well(node.args(arguments));
}

/// A script, which is a program of Node.js.
fn node(script: &str) -> Command {
    let mut node = Command::new("node");
    node.arg(scripts().join(script));
    node
}

fn ends_well(node: &mut Command) {
    let output = node.output().expect("node starts");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", text(&said));
}

/// A folder with a played league, one of whose engines has a hostile name.
fn played() -> tempfile::TempDir {
    let folder = folder_with(LEAGUE);
    let output = run(
        folder.path(),
        &["league", "league.toml", "--quiet", "--anyway"],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = folder.path().join("matches/all/games.jsonl");
    let games = fs::read_to_string(&log).expect("a log");
    let name = serde_json::to_string(HOSTILE).expect("text is JSON");
    let games = without_sums(&games).replace("\"name\":\"random\"", &format!("\"name\":{name}"));
    fs::write(&log, games).expect("the log is written");
    folder
}

#[test]
fn leagues_and_games_are_seen_in_a_browser() {
    if !has_browser("leagues_and_games_are_seen_in_a_browser") {
        return;
    }
    let folder = played();
    let served = Served::start(folder.path());
    drive("pages.mjs", &served, &["all", HOSTILE]);
}

/// A game is reviewed by a button on its page: marks, better lines, curve, sums, with dice and without.
#[test]
fn a_game_is_reviewed_in_a_browser() {
    if !has_browser("a_game_is_reviewed_in_a_browser") {
        return;
    }
    let folder = folder_with(
        "league = { name = \"l\", games = [\"hex\", \"einstein\"], rounds = 1, seed = 1 }\n\
         clock = { move = \"10s\" }\nvariant.hex.size = 7\n\
         engine = [{ name = \"greedy\", builtin = \"greedy\" }, \
         { name = \"random\", builtin = \"random\" }]\n",
    );
    let output = run(folder.path(), &["league", "league.toml", "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let served = Served::start(folder.path());
    let log = fs::read_to_string(folder.path().join("matches/l/games.jsonl")).expect("a log");
    let ids = log
        .split("\"id\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    let ids: Vec<&str> = ids.collect();
    let of = |game: &str| *ids.iter().find(|id| id.starts_with(game)).expect("a game");
    let (hex, einstein) = (of("hex-r1-random"), of("einstein-r1-greedy"));
    drive("review.mjs", &served, &["l", hex, einstein]);
    // What the page has found, the terminal knows.
    let kept = fs::read_to_string(folder.path().join("matches/l/games.jsonl.review"));
    assert!(kept.expect("it is kept").lines().count() >= 2);
    let again = ["review", "matches/l", "--id", hex, "--move-time", "300ms"];
    let output = run(folder.path(), &again);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// Who has no token is told how to get it; a code and the file give it.
#[test]
fn a_browser_is_told_how_to_act() {
    if !has_browser("a_browser_is_told_how_to_act") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path());
    drive("login.mjs", &served, &[]);
}

/// Each game is played with the mouse against an engine, with an illegal entry and a turn that is
/// taken back; the server is killed in the middle, and every record is right.
#[test]
fn games_are_played_at_the_desk() {
    if !has_browser("games_are_played_at_the_desk") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path());
    let port = served.port().to_owned();
    drive("desk.mjs", &served, &["begin"]);
    // Killed: nothing is told to anybody.
    drop(served);
    let served = Served::at(folder.path(), &port, &[]);
    drive("desk.mjs", &served, &["go-on"]);
    let output = run(folder.path(), &["verify", "matches"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    let records = fs::read_dir(folder.path().join("matches/desk"))
        .expect("the sessions")
        .flatten()
        .filter(|session| session.path().join("records").is_dir());
    assert_eq!(records.count(), catalog::GAMES.len(), "{said}");
}

/// A game of a contest: the clocks wait for the operator, turns of the engine are confirmed, no button
/// moves, and a finished game is reopened only on purpose.
#[test]
fn a_contest_is_played_at_the_desk() {
    if !has_browser("a_contest_is_played_at_the_desk") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path());
    drive("contest.mjs", &served, &[]);
}

/// A logged game and every game from its start are analysed by engines, with variations; an engine is
/// played at the lowest level, with a hint.
#[test]
fn positions_are_analysed_and_engines_played() {
    if !has_browser("positions_are_analysed_and_engines_played") {
        return;
    }
    let folder = played();
    let served = Served::start(folder.path());
    drive("analysis.mjs", &served, &["all"]);
}

/// A game is followed turn by turn, to the page of the finished game. The script in the browser
/// writes into a file how many turns the engines may play, so that nothing depends on time.
#[test]
fn a_game_is_followed_in_a_browser() {
    if !has_browser("a_game_is_followed_in_a_browser") {
        return;
    }
    let script = format!("{}/tests/scripted/paced.py", env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let pace = folder.path().join("pace");
    let engine = |name: &str| {
        format!(
            "{{ name = {name:?}, command = [\"python3\", {script:?}, {pace:?}], sandbox = \"none\" }}"
        )
    };
    let league = format!(
        "league = {{ name = \"slow\", games = [\"hex\"], rounds = 1, concurrency = 1 }}\n\
         variant.hex = {{ opening = \"free\" }}\nclock = {{ base = \"10h\" }}\n\
         engine = [{}, {}]\n",
        engine("one"),
        engine("two")
    );
    fs::write(folder.path().join("league.toml"), league).expect("the file is written");
    fs::write(&pace, "2").expect("the file is written");
    let mut league = referee(folder.path(), &["league", "league.toml", "--quiet"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the league starts");
    let file = folder.path().join("matches/slow/live.json");
    while !fs::read_to_string(&file).is_ok_and(|text| text.contains("\"left_us\"")) {
        let ended = league.try_wait().expect("it can be asked");
        assert!(ended.is_none(), "the league ends: {ended:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
    let served = Served::start(folder.path());
    let pace = pace.to_str().expect("UTF-8");
    drive("live.mjs", &served, &["slow", pace]);
    league.kill().expect("it can be killed");
    league.wait().expect("it ends");
}

/// An engine of a league file that aborts in every turn: the desk says what it did, starts it again
/// when it is told to, and takes its turn from the operator.
#[test]
fn an_engine_that_fails_is_seen_at_the_desk() {
    if !has_browser("an_engine_that_fails_is_seen_at_the_desk") {
        return;
    }
    let program = env!("CARGO_BIN_EXE_test-engine");
    let folder = folder_with(&format!(
        "league = {{ name = \"ours\", games = [\"hex\"] }}\nclock = {{ move = \"1s\" }}\n\
         engine = [{{ name = \"bad\", command = [{program:?}, \"abort\", \"1\"] }}, \
         {{ name = \"good\", builtin = \"greedy\" }}]\n"
    ));
    let served = Served::at(folder.path(), "0", &["--engines", "league.toml"]);
    drive("failing.mjs", &served, &["league.toml:bad"]);
    let mut sessions = fs::read_dir(folder.path().join("matches/desk")).expect("sessions");
    let session = sessions.next().expect("a session").expect("a folder");
    let journal = fs::read_to_string(session.path().join("journal.ndjson")).expect("a journal");
    assert!(
        journal.contains(r#""event":"restart","seat":0"#),
        "{journal}"
    );
}

#[test]
fn a_report_opens_without_a_server() {
    if !has_browser("a_report_opens_without_a_server") {
        return;
    }
    let folder = played();
    let output = run(
        folder.path(),
        &["report", "matches", "--html", "report.html"],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let file = folder.path().join("report.html");
    ends_well(node("report.mjs").arg(file).arg(HOSTILE));
}
