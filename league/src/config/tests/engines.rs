//! Engines of league files, their programs and their cores.

use super::*;

#[test]
fn retries_are_read() {
    let retries = |key: &str| {
        let protocol = format!("protocol = \"sau\"\n{key}");
        let config = parse(&LEAGUE.replace("protocol = \"sau\"", &protocol)).unwrap();
        config.engines[1].retries
    };
    assert_eq!(retries(""), 0);
    assert_eq!(retries("illegal = \"forfeit\""), 0);
    assert_eq!(retries("illegal = { retry = 3 }"), 3);
}

#[test]
fn commands_before_a_game_are_lines_in_protocols_without_options() {
    let init = |protocol: &str, init: &str| {
        let keys = format!("protocol = {protocol:?}\ninit = {init}");
        let text = LEAGUE.replace("protocol = \"sau\"", &keys);
        let connect6 = text.replace("\"hex\", \"einstein\"", "\"connect6\"");
        parse(&connect6.replace("[variant.hex]\nsize = 5", ""))
    };
    for protocol in ["sau", "gomocup"] {
        let config = init(protocol, "[\"depth 4\", \"book 0\"]").unwrap();
        assert_eq!(config.engines[1].init, ["depth 4", "book 0"]);
        for line in ["", " ", "depth 4\\nnew black"] {
            let fault = init(protocol, &format!("[\"depth 4\", \"{line}\"]")).unwrap_err();
            let expected = "expected a command on one line";
            assert!(fault.ends_with(expected), "{line:?}: {fault}");
        }
    }
    for (protocol, expected) in [
        (
            "ugi",
            "init, expected options: ugi sends them before each game",
        ),
        (
            "gtp",
            "init, expected options: gtp sends each as a command before each game",
        ),
        (
            "botzone",
            "init, expected none: Botzone sends only requests",
        ),
    ] {
        let fault = init(protocol, "[\"depth 4\"]").unwrap_err();
        assert!(fault.ends_with(expected), "{fault}");
        assert_eq!(fault.split(':').nth(1), Some("25"), "{fault}");
    }
}

#[test]
fn cores_are_shared_only_on_request() {
    let keys = "cpus = \"one-per-engine\"\nconcurrency = 1000";
    let shared = format!("{keys}\nshare_cpus = true");
    assert!(parse(&LEAGUE.replace("rounds = 2", keys)).is_err());
    let config = parse(&LEAGUE.replace("rounds = 2", &shared)).unwrap();
    assert_eq!(config.cpus, Cpus::OnePerEngine);
    let core = engine_process::cores::available_cores()[0];
    let one = format!("cpus = [{core}]");
    let message = parse(&LEAGUE.replace("rounds = 2", &one)).unwrap_err();
    let expected = "one core per engine with concurrency 1 needs 2 cores, found 1, expected share";
    assert!(message.contains(expected), "{message}");
    let shared = format!("{one}\nshare_cpus = true");
    let config = parse(&LEAGUE.replace("rounds = 2", &shared)).unwrap();
    assert_eq!(config.cpus.cores(), Some(vec![core]));
}

#[test]
fn the_folder_without_the_program_is_named() {
    let text = LEAGUE.replace("\"sh\"", "\"./engine\"");
    let here = std::env::current_dir().unwrap();
    for (file, folder) in [("x.toml", here.clone()), ("dir/x.toml", here.join("dir"))] {
        let fault = Config::parse(Path::new(file), &text, &[])
            .unwrap_err()
            .to_string();
        let folder = folder.display();
        let expected = format!("program \"./engine\", expected an executable file in {folder}");
        assert!(fault.ends_with(&expected), "{fault}");
    }
}

#[test]
fn rules_that_belong_together_are_named_together() {
    expect_faults(&[
        (
            "size = 5",
            "swap = \"none\"",
            "15: expected \"swap-pieces\" or \"swap-sides\", found \"none\"; the key opening says \
             whether there is a swap: \"free\" has none",
        ),
        (
            "size = 5",
            "opening = \"swap-sides\"",
            "15: invalid value: string \"swap-sides\", expected opening \"free\" (no swap), \"swap\" (the \
             key swap says which) or { forced = \"C2\" }",
        ),
    ]);
}

#[test]
fn programs_and_directories_are_relative_to_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join("x.toml"), folder.path().join("engine"));
    let text = LEAGUE
        .replace("\"sh\"", "\"./engine\"")
        .replace("\"-c\"", "\"./engine\", \"./new\"")
        .replace("protocol", "directory = \".\"\nprotocol");
    std::fs::write(&program, "").unwrap();
    let error = Config::parse(&file, &text, &[]).unwrap_err().to_string();
    assert!(
        error.contains("program \"./engine\", expected an executable file"),
        "{error}"
    );
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let config = Config::parse(&file, &text, &[]).unwrap();
    let Program::Command {
        words,
        path,
        arguments,
    } = &config.engines[1].program
    else {
        panic!("a command")
    };
    assert_eq!(words[..2], ["./engine", "./engine"]);
    let [named, rest @ ..] = arguments.as_slice() else {
        panic!("arguments")
    };
    assert!(Path::new(named).is_absolute() && Path::new(named).is_file());
    assert_eq!(rest, ["./new", "exit"], "what names no file stays");
    assert_eq!(
        path.canonicalize().unwrap(),
        program.canonicalize().unwrap()
    );
    assert!(
        config.engines[1]
            .directory
            .as_ref()
            .unwrap()
            .path
            .is_absolute()
    );
}

/// A file that only names engines needs one, whatever its stages expect; a league needs two.
#[test]
fn one_engine_is_enough_where_only_engines_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ours.toml");
    let text = "league = { name = \"x\", games = [\"hex\"], format = \"match\" }\n\
                clock = { move = \"1s\" }\n\
                [[engine]]\nname = \"ours\"\nbuiltin = \"pvs\"\n";
    std::fs::write(&path, text).unwrap();
    let hex = catalog::find("hex").unwrap();
    let engines = crate::spec::of_file(&path, hex).unwrap();
    assert_eq!(engines.len(), 1);
    let refused = Config::load(&path, &[]).unwrap_err().to_string();
    let expected = ":1: only ours for hex, expected two engines or more";
    assert!(refused.ends_with(expected), "{refused}");
    let none = text.replace("\"hex\"]", "\"hex\", \"amazons\"]") + "games = [\"hex\"]\n";
    std::fs::write(&path, none).unwrap();
    let refused = Config::load_engines(&path).unwrap_err().to_string();
    let expected = ":1: no engine for amazons, expected an engine or more";
    assert!(refused.ends_with(expected), "{refused}");
}
