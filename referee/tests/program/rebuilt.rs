//! An engine whose files have changed is another engine.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::program::{folder_with, games, referee, run, text};

/// A league between a script in the league's folder and a built-in engine.
const SCRIPT_LEAGUE: &str = r#"
[league]
name = "scripts"
games = ["hex"]
rounds = 2

[clock]
move = "60s"

[variant.hex]
size = 3

[[engine]]
name = "script"
command = ["./bot"]
sandbox = "none"

[[engine]]
name = "random"
builtin = "random"
"#;

/// Writes the script: another build for every comment.
fn write_bot(folder: &Path, comment: &str) {
    let referee = env!("CARGO_BIN_EXE_referee");
    let text = format!("#!/bin/sh\n# {comment}\nexec {referee} engine hex --algorithm random\n");
    // A process that another thread is starting holds files open for a moment; a new file is not
    // among them.
    let new = folder.join("new");
    fs::write(&new, text).expect("the script is written");
    fs::set_permissions(&new, Permissions::from_mode(0o755)).expect("it is executable");
    fs::rename(new, folder.join("bot")).expect("it is in place");
}

/// Standard error of a command that is refused.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = text(&output.stderr).to_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    said
}

#[test]
fn a_rebuilt_engine_is_noticed() {
    let folder = folder_with(SCRIPT_LEAGUE);
    let (folder, out) = (folder.path(), folder.path().join("matches/scripts"));
    write_bot(folder, "first");
    assert!(run(folder, &["league", "league.toml"]).status.success());
    let first = games(&out)[0].first.build.clone();
    assert_eq!(first.len(), 16);
    assert!(
        run(folder, &["league", "league.toml"]).status.success(),
        "the same files"
    );

    write_bot(folder, "second");
    for command in ["league", "sprt"] {
        let said = refused(folder, &[command, "league.toml"]);
        assert!(
            said.contains("engine script was build") && said.contains("--rebuilt"),
            "{said}"
        );
    }
    let longer = SCRIPT_LEAGUE.replace("rounds = 2", "rounds = 3");
    fs::write(folder.join("league.toml"), longer).expect("it is written");
    let output = run(folder, &["league", "league.toml", "--rebuilt"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = games(&out);
    assert_eq!(games.len(), 6);
    let builds: BTreeSet<&str> = (games.iter().flat_map(|game| [&game.first, &game.second]))
        .filter(|engine| engine.name == "script")
        .map(|engine| &*engine.build)
        .collect();
    assert_eq!(builds.len(), 2);
    let standings = |options: &[&str]| {
        let output = run(
            folder,
            &[&["standings", "matches/scripts"], options].concat(),
        );
        text(&output.stdout).to_owned()
    };
    assert!(text(&output.stdout).contains("script@"));
    let (together, apart) = (standings(&[]), standings(&["--builds"]));
    assert!(together.contains("Several builds"), "{together}");
    assert!(!apart.contains("Several builds"), "{apart}");
    for build in builds {
        assert!(together.contains(build), "{together}");
        let name = format!("script@{}", &build[..8]);
        assert!(
            apart.contains(&name) && !together.contains(&name),
            "{apart}"
        );
    }
    // The verdict is that of the present build: two games of the six.
    let output = run(folder, &["sprt", "league.toml", "--rebuilt"]);
    assert!(
        text(&output.stdout).contains("Games 2:"),
        "{}",
        text(&output.stdout)
    );
}

/// What a league says that `change` stops after its first game.
fn stopped(folder: &Path, change: impl FnOnce()) -> String {
    let log = folder.join("matches/scripts/games.jsonl");
    let league = referee(folder, &["league", "league.toml"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&log).map_or(0, |log| log.len()) == 0 {
        assert!(Instant::now() < deadline, "no game has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    change();
    let output = league.wait_with_output().expect("it ends");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("--rebuilt"), "{said}");
    said.to_owned()
}

#[test]
fn a_league_stops_when_an_engine_is_rebuilt() {
    let folder = folder_with(&SCRIPT_LEAGUE.replace("rounds = 2", "rounds = 20000"));
    let folder = folder.path();
    write_bot(folder, "first");
    let said = stopped(folder, || write_bot(folder, "second"));
    let changed = "the files of engine script changed while the league ran";
    assert!(said.contains(changed), "{said}");
    let games = games(&folder.join("matches/scripts"));
    let builds: BTreeSet<&str> = games.iter().map(|game| &*game.first.build).collect();
    assert!(
        builds.len() <= 2,
        "the script's first build, and the referee's: {builds:?}"
    );
}

/// A folder that takes the place of one that an engine may read is not granted.
#[test]
fn a_league_stops_when_what_an_engine_may_read_is_exchanged() {
    let league = SCRIPT_LEAGUE
        .replace("rounds = 2", "rounds = 20000")
        .replace(
            "sandbox = \"none\"",
            "sandbox = \"none\"\nread = [\"nets\"]",
        );
    let folder = folder_with(&league);
    let folder = folder.path();
    write_bot(folder, "first");
    fs::create_dir(folder.join("nets")).expect("a folder");
    let said = stopped(folder, || {
        fs::create_dir(folder.join("others")).expect("a folder");
        fs::rename(folder.join("nets"), folder.join("old")).expect("it is moved");
        fs::rename(folder.join("others"), folder.join("nets")).expect("it takes the place");
    });
    let exchanged =
        "nets, which engine script is granted, is not what was there when the league began";
    assert!(said.contains(exchanged), "{said}");
}

/// An engine that cannot start is mended, and the games that it lost are played.
#[test]
fn games_lost_before_the_first_turn_are_played_again() {
    let folder = folder_with(SCRIPT_LEAGUE);
    let (folder, out) = (folder.path(), folder.path().join("matches/scripts"));
    let broken = "#!/bin/sh\nexit 3\n";
    fs::write(folder.join("bot"), broken).expect("the script is written");
    let executable = Permissions::from_mode(0o755);
    fs::set_permissions(folder.join("bot"), executable).expect("it is ours");
    assert!(
        run(folder, &["league", "league.toml", "--anyway"])
            .status
            .success()
    );
    let lost = games(&out);
    assert_eq!(lost.len(), 4);
    let log = fs::read(out.join("games.jsonl")).expect("a log");

    let said = refused(folder, &["drop", "matches/scripts", "nothing"]);
    assert!(
        said.starts_with("nothing: no such game in the log, expected"),
        "{said}"
    );
    let dropped = run(folder, &["drop", "matches/scripts", &lost[2].id]);
    assert_eq!(text(&dropped.stdout), format!("{}\n", lost[2].id));
    assert_eq!(games(&out).len(), 3);
    let said = refused(folder, &["drop", "matches/scripts", &lost[2].id]);
    assert!(said.contains("no such game"), "{said}");
    let dropped = run(folder, &["drop", "matches/scripts", "--all"]);
    assert_eq!(text(&dropped.stdout).lines().count(), 3);
    assert!(games(&out).is_empty());

    write_bot(folder, "mended");
    let league = run(folder, &["league", "league.toml"]);
    assert!(league.status.success(), "{}", text(&league.stderr));
    let played = games(&out);
    assert_eq!(played.len(), 4);
    assert!(played.iter().all(|game| !game.turns.is_empty()));
    let after = fs::read(out.join("games.jsonl")).expect("a log");
    assert!(after.starts_with(&log), "nothing is rewritten");
    let verified = run(folder, &["verify", "matches"]);
    assert!(text(&verified.stdout).starts_with("4 games: 4 valid, 0 faulty"));
    let said = refused(folder, &["drop", "matches/scripts", &played[0].id]);
    assert!(said.contains(": ended by rules, expected a game"), "{said}");

    // Another machine has merged the log before the games were given up.
    fs::create_dir(folder.join("early")).expect("a folder");
    fs::write(folder.join("early/games.jsonl"), &log).expect("a log");
    for _ in 0..2 {
        for part in ["early", "matches/scripts"] {
            let merged = run(folder, &["merge", part, "--out", "merged"]);
            assert!(merged.status.success(), "{}", text(&merged.stderr));
        }
        let mut merged = games(&folder.join("merged"));
        merged.sort_by(|a, b| a.id.cmp(&b.id));
        let mut expected = played.clone();
        expected.sort_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(merged, expected);
    }
}
