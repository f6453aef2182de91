//! Before its first game, a league tries every engine.

use std::process::Output;

use referee_core::league::config::available_cores;

use crate::common::program::{folder_with, games, run, text};

/// A league of Hex between the built-in `random` and these engines.
fn league(engines: &str) -> String {
    format!(
        "league = {{ name = \"night\", games = [\"hex\"], rounds = 1, seed = 1 }}\n\
         clock = {{ move = \"1s\" }}\n\
         variant.hex = {{ size = 3 }}\n\
         engine = [\n{{ name = \"sound\", builtin = \"random\" }},\n{engines}]\n"
    )
}

/// An engine that the shell runs.
fn shell(name: &str, script: &str) -> String {
    format!("{{ name = \"{name}\", command = [\"sh\", \"-c\", '{script}'] }},\n")
}

/// An engine with this fault, which has a second to start.
fn faulty(fault: &str) -> String {
    let program = env!("CARGO_BIN_EXE_test-engine");
    format!(
        "{{ name = \"{fault}\", command = [\"{program}\", \"{fault}\", \"1\"], \
         start_up = \"1s\" }},\n"
    )
}

/// The errors of a league that does not begin.
fn errors(output: &Output) -> &str {
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)));
    text(&output.stderr)
}

#[test]
fn an_engine_that_cannot_start_keeps_a_league_from_beginning() {
    let script =
        "echo loading; yes | head -c 50000; echo; echo the end; echo no weights >&2; exit 3";
    let folder = folder_with(&league(&shell("broken", script)));
    let play = |more: &[&str]| {
        let arguments = [&["league", "league.toml", "--out", "out"], more].concat();
        run(folder.path(), &arguments)
    };
    let output = play(&[]);
    let errors = errors(&output);
    let first = "broken in hex cannot play: before the game: exit status: 3\n  standard output:\n    \
                 | loading\n    | y\n";
    assert!(errors.contains(first), "{errors}");
    let written = "loading\n\nthe end\n".len() + 50000;
    let middle = format!("    | … {} bytes left out …\n", written - 4096);
    assert!(errors.contains(&middle), "{errors}");
    let last = "    | \n    | the end\n  standard error:\n    | no weights\n\n1 of 2 trials failed, so \
                no game was begun";
    assert!(errors.contains(last), "{errors}");
    assert_eq!(errors.matches("no weights").count(), 1, "{errors}");
    assert!(games(&folder.path().join("out")).is_empty());

    let output = play(&["--anyway"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!text(&output.stderr).contains("cannot play"));
    let played = games(&folder.path().join("out"));
    assert!(played.len() == 2 && played.iter().all(|game| game.reason.is_fault()));

    // Engines that have no game left are not tried.
    let output = play(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// Where a league gives engines cores of their own, they are tried on those.
#[test]
fn engines_are_tried_on_their_cores() {
    let league = league(&shell(
        "pinned",
        "grep Cpus_allowed_list /proc/self/status >&2",
    ));
    let core = available_cores()[0];
    let pinned = format!("league = {{ cpus = [{core}], share_cpus = true,");
    let folder = folder_with(&league.replace("league = {", &pinned));
    let output = run(folder.path(), &["league", "league.toml"]);
    let errors = errors(&output);
    let line = format!("| Cpus_allowed_list:\t{core}\n");
    assert!(errors.contains(&line), "{errors}");
}

#[test]
fn the_first_turn_is_tried_too() {
    let faults = [
        "illegal",
        "exit",
        "close-output",
        "long-line",
        "no-handshake",
        "resign",
    ];
    let folder = folder_with(&league(&faults.map(faulty).concat()));
    let output = run(folder.path(), &["league", "league.toml"]);
    let errors = errors(&output);
    for (fault, words) in [
        ("illegal", "illegal turn \"zz99\": "),
        ("exit", "exit status: 0"),
        ("close-output", "closed its standard output"),
        ("long-line", "a line of more than"),
        ("no-handshake", "not ready to play within 1 s"),
    ] {
        let start = format!("{fault} in hex cannot play: ");
        let line = errors.lines().find(|line| line.starts_with(&start));
        assert!(line.is_some_and(|line| line.contains(words)), "{errors}");
    }
    // Who resigns can play.
    assert!(errors.contains("\n5 of 7 trials failed"), "{errors}");
}

#[test]
fn every_game_of_an_engine_is_tried() {
    let text = league("{ name = \"fit\", builtin = \"pvs\" },\n");
    let text = text.replace("[\"hex\"]", "[\"hex\", \"einstein\"]");
    let only_hex = shell("narrow", "exec \"$0\" engine hex").replace(
        "hex'",
        &format!("hex', \"{}\"", env!("CARGO_BIN_EXE_referee")),
    );
    let folder = folder_with(&text.replace("engine = [\n", &format!("engine = [\n{only_hex}")));
    let output = run(folder.path(), &["league", "league.toml"]);
    let errors = errors(&output);
    assert!(
        errors.contains("narrow in einstein cannot play: "),
        "{errors}"
    );
    assert!(errors.contains("\n1 of 6 trials failed"), "{errors}");
}

#[test]
fn a_bot_that_fails_is_quoted() {
    let script = "read line; echo no weights >&2; echo nonsense; exit 3";
    let bot = shell("bot", script).replace("command", "protocol = \"botzone\", command");
    let folder = folder_with(
        &league(&bot)
            .replace("hex", "amazons")
            .replace("size = 3", "size = 8"),
    );
    let output = run(folder.path(), &["league", "league.toml"]);
    let errors = errors(&output);
    let quoted = "    | nonsense\n  standard error:\n    | no weights\n";
    assert!(errors.contains(quoted), "{errors}");
    assert_eq!(errors.matches("no weights").count(), 1, "{errors}");
}

#[test]
fn matches_and_tests_try_their_engines_too() {
    let folder = folder_with(&league(&shell("broken", "exit 3")));
    let engines = ["broken", "sound", "--engines", "league.toml"];
    let of_match = [
        &["match"],
        &engines[..],
        &["--game", "hex", "--games", "2", "--nodes", "9"],
    ];
    for arguments in [&of_match.concat()[..], &["sprt", "league.toml"]] {
        let output = run(folder.path(), arguments);
        assert!(
            errors(&output).contains("broken in hex cannot play: "),
            "{output:?}"
        );
    }
}
