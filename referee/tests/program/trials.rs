//! Before its first game, a league tries every engine.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use engine_process::cores::available_cores;

use crate::common::program::{folder_with, games, python, run, text};

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

/// What a person cannot see: the engine has answered, into its own buffer.
#[test]
fn an_engine_that_does_not_flush_is_told_so() {
    let script = "import sys; [print(\"ugiok\") for line in sys.stdin]";
    let engine = format!(
        "{{ name = \"buffered\", command = [\"{}\", \"-c\", '{script}'], start_up = \"4s\" }},\n",
        python()
    );
    let folder = folder_with(&league(&engine));
    let output = run(folder.path(), &["league", "league.toml"]);
    let errors = errors(&output);
    let told = "buffered in hex cannot play: not ready to play within 4 s; what it wrote arrived only \
                when it ended, so it does not flush its output";
    assert!(errors.contains(told), "{errors}");
    assert!(errors.contains("    | ugiok\n"), "{errors}");
}

/// A misspelt option would change nothing.
#[test]
fn options_that_an_engine_does_not_have_are_refused() {
    let referee = env!("CARGO_BIN_EXE_referee");
    let engine = |name: &str, option: &str| {
        format!(
            "{{ name = \"{name}\", command = [\"{referee}\", \"engine\", \"hex\"], sandbox = \"none\", \
             options = {{ {option} }} }},\n"
        )
    };
    let misspelt = engine("misspelt", "Tabel_MB = 1");
    let folder = folder_with(&league(&(misspelt + &engine("large", "Table_MB = -1"))));
    let output = run(folder.path(), &["league", "league.toml"]);
    let errors = errors(&output);
    let told = "misspelt in hex cannot play: option Tabel_MB: the engine declares none of this name, the \
                nearest are table_mb, ";
    assert!(errors.contains(told), "{errors}");
    let told = "large in hex cannot play: option Table_MB = -1, expected a whole number from ";
    assert!(errors.contains(told), "{errors}");
    assert!(errors.contains("\n2 of 3 trials failed"), "{errors}");
}

/// What is wrong with a program's file is told, not what the shell makes of it.
#[test]
fn programs_that_cannot_run_are_told_why() {
    let folder = folder_with("");
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("it is written");
        fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("it is ours");
        format!("{{ name = \"{name}\", command = [\"./{name}\"], start_up = \"10s\" }},\n")
    };
    let own = fs::read(env!("CARGO_BIN_EXE_referee")).expect("the program");
    let engines = [
        write("dos", b"#!/bin/sh\r\necho ugiok\r\n"),
        write(
            "mark",
            "\u{feff}#!/usr/bin/env python3\nimport sys\n".as_bytes(),
        ),
        write(
            "wide",
            &"#!/bin/sh\n"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>(),
        ),
        write("absent", b"#!/no/such/interpreter\n"),
        write("half", &own[..own.len() / 2]),
        write("windows", b"MZ\x90\x00\x03"),
    ];
    fs::write(folder.path().join("league.toml"), league(&engines.concat())).expect("it is written");
    let output = run(folder.path(), &["league", "league.toml"]);
    let errors = errors(&output);
    for (name, words) in [
        ("dos", "its first line ends with CR LF"),
        ("mark", "it begins with a byte order mark"),
        ("wide", "it is text in UTF-16"),
        ("absent", "its interpreter /no/such/interpreter is missing"),
        ("half", "its file is incomplete"),
        ("windows", "it is a program for Windows"),
    ] {
        let start = format!("{name} in hex cannot play: ");
        let line = errors.lines().find(|line| line.starts_with(&start));
        assert!(
            line.is_some_and(|line| line.contains(words)),
            "{name}: {errors}"
        );
    }
}
