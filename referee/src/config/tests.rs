use jiff::SignedDuration;

use super::*;

const LEAGUE: &str = r#"[league]
name = "test"
games = ["hex", "einstein"]
rounds = 2
seed = 7

[clock]
base = "60s"
increment = "500ms"

[clock.einstein]
move = "100ms"

[variant.hex]
size = 5

[[engine]]
name = "pvs"
builtin = "pvs"
options = { table_mb = 64 }

[[engine]]
name = "theirs"
command = ["sh", "-c", "exit"]
protocol = "sau"
environment = { THREADS = "1" }
"#;

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(Path::new("dir/x.toml"), text).map_err(|error| error.to_string())
}

/// The message for [`LEAGUE`] with `from` replaced by `to`.
fn complaint(from: &str, to: &str) -> String {
    assert!(LEAGUE.contains(from), "{from:?} is not in the sample");
    parse(&LEAGUE.replacen(from, to, 1)).expect_err(&format!("{from:?} as {to:?} is accepted"))
}

#[test]
fn a_league_is_read() {
    let config = parse(LEAGUE).unwrap();
    let [stage] = &config.stages[..] else {
        panic!("one stage")
    };
    assert_eq!((stage.rounds, config.concurrency, config.seed), (2, 1, 7));
    assert_eq!(
        config.games[0].variant,
        catalog::find("hex")
            .unwrap()
            .complete_variant(&serde_json::json!({"size": 5}))
            .unwrap()
    );
    assert_eq!(
        config.games[0].clock.base,
        Some(SignedDuration::from_secs(60))
    );
    assert_eq!(config.games[1].clock.base, None);
    assert_eq!(
        config.games[1].clock.per_move,
        Some(SignedDuration::from_millis(100))
    );
    assert_eq!(config.engines[1].games, ["hex", "einstein"]);
    let Program::Command { path, .. } = &config.engines[1].program else {
        panic!("a command")
    };
    assert!(path.is_absolute() && path.ends_with("sh"), "{path:?}");
}

#[test]
fn every_fault_is_told_with_its_line_and_what_was_expected() {
    const GAMES: &str =
        "expected one of amazons, connect6, dots-and-boxes, einstein, hex, surakarta";
    for (from, to, expected) in [
        (
            "rounds",
            "runds",
            "4: unknown field `runds`, expected one of `name`, `games`, `concurrency`, `seed`, `pause_opponent`, ",
        ),
        (
            "rounds = 2",
            "cpus = \"one-per-engine\"\nconcurrency = 1000",
            "4: one core per engine and 1000 games at a time, which takes 2000 of ",
        ),
        (
            "rounds = 2",
            "cpus = \"two\"",
            "4: unknown variant `two`, expected `any` or `one-per-engine`",
        ),
        (
            "rounds = 2",
            "pause_opponent = 1",
            "4: invalid type: integer `1`, expected a boolean",
        ),
        (
            "rounds = 2",
            "rounds = \"2\"",
            "4: invalid type: string \"2\", expected u32",
        ),
        (
            "rounds = 2",
            "rounds = 0",
            "4: rounds 0, expected 1 to 100000",
        ),
        (
            "rounds = 2",
            "rounds = 100001",
            "4: rounds 100001, expected 1 to 100000",
        ),
        (
            "rounds = 2",
            "rounds = -1",
            "4: invalid value: integer `-1`, expected u32",
        ),
        (
            "rounds = 2",
            "rounds = ",
            "4: string values must be quoted, expected literal string",
        ),
        (
            "rounds = 2",
            "rounds = 2\nrounds = 3",
            "5: duplicate key, expected a league file",
        ),
        (
            "[clock]\n",
            "[openings]\nhex = { random_plies = 2 }\n[clock]\n",
            "8: openings for engine \"theirs\", expected none, as SAU has no words for them",
        ),
        (
            "[clock]",
            "[openings]\nchess = { random_plies = 3 }\n[clock]",
            &format!("8: game \"chess\", {GAMES}"),
        ),
        (
            "[clock]",
            "[openings]\nhex = { random_plies = 300 }\n[clock]",
            "8: invalid value: integer `300`, expected u8",
        ),
        (
            "[clock]",
            "[openings]\nhex = {}\n[clock]",
            "8: no openings, expected file or random_plies",
        ),
        (
            "[clock]",
            "[openings]\nhex = { random_plies = 1, file = \"x\" }\n[clock]",
            "8: file beside random_plies, expected one of them",
        ),
        (
            "[clock]",
            "[openings]\nhex = { file = \"x\", max_advantage = 3 }\n[clock]",
            "8: max_advantage of a file, expected it of random_plies",
        ),
        (
            "[clock]",
            "[openings]\nhex = { random_plies = 1, order = \"file\" }\n[clock]",
            "8: order without a file, expected a file",
        ),
        (
            "[clock]",
            "[openings]\nhex = { file = \"nowhere.txt\" }\n[clock]",
            "8: dir/nowhere.txt: No such file or directory (os error 2), expected a list of openings",
        ),
        (
            "seed = 7",
            "seed = -7",
            "5: invalid value: integer `-7`, expected u64",
        ),
        (
            "name = \"test\"",
            "",
            "1: missing field `name`, expected a league file",
        ),
        (
            "name = \"test\"",
            "name = \"../x\"",
            "2: name \"../x\", expected 1 to 64 letters, ",
        ),
        (
            "\"einstein\"]",
            "\n\"chess\"]",
            &format!("4: game \"chess\", {GAMES}"),
        ),
        (
            "\"einstein\"]",
            "\"hex\"]",
            "3: game \"hex\" twice, expected it once",
        ),
        (
            "[\"hex\", \"einstein\"]",
            "[]",
            "3: no games, expected some of amazons, ",
        ),
        (
            "[\"hex\", \"einstein\"]",
            "\"hex\"",
            "3: invalid type: string \"hex\", expected a sequence",
        ),
        ("60s", "-60s", "8: base -1m, expected a time above 0"),
        ("60s", "0s", "8: base 0s, expected a time above 0"),
        ("60s", "8761h", "8: base 8761h, expected at most 8760h"),
        (
            "60s",
            "soon",
            "8: failed to parse input in the \"friendly\" duration format: ",
        ),
        (
            "\"60s\"",
            "60",
            "8: invalid type: integer `60`, expected a signed duration string, such as \"60s\"",
        ),
        (
            "base = \"60s\"",
            "",
            "9: increment alone, expected base beside it",
        ),
        (
            "base = \"60s\"\nincrement = \"500ms\"",
            "",
            "7: no clock for hex, expected [clock] or [clock.hex]",
        ),
        (
            "base = \"60s\"\nincrement = \"500ms\"",
            "margin = \"5ms\"",
            "7: no limit, expected base, byoyomi, move, nodes or depth",
        ),
        (
            "increment = \"500ms\"",
            "move = \"1s\"",
            "9: base and move together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "increment = \"-1ms\"",
            "9: increment -1ms, expected a time of 0 or more",
        ),
        (
            "increment = \"500ms\"",
            "nodes = 0",
            "9: nodes 0, expected 1 or more",
        ),
        (
            "increment = \"500ms\"",
            "patience = \"5s\"",
            "9: patience beside a time, expected it where only nodes or depth end a turn",
        ),
        (
            "increment = \"500ms\"",
            "increment = \"500ms\"\ndelay = \"1s\"",
            "10: increment and delay together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "delay = \"500ms\"\nbronstein = \"1s\"",
            "10: delay and bronstein together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "increment = \"500ms\"\nbyoyomi = \"5s\"",
            "9: byoyomi and increment together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "byoyomi = \"5s\"\nmoves = 40",
            "10: byoyomi and moves together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "match = true\nmoves = 40",
            "9: moves and match together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "match = true\nbyoyomi = \"5s\"",
            "9: byoyomi and match together, expected one of them",
        ),
        (
            "move = \"100ms\"",
            "move = \"100ms\"\nbyoyomi = \"5s\"",
            "12: byoyomi and move together, expected one of them",
        ),
        (
            "move = \"100ms\"",
            "move = \"100ms\"\nmoves = 40",
            "13: moves alone, expected base beside it",
        ),
        (
            "move = \"100ms\"",
            "move = \"100ms\"\ndelay = \"1s\"",
            "13: delay alone, expected base beside it",
        ),
        (
            "increment = \"500ms\"",
            "periods = 3",
            "9: periods alone, expected byoyomi beside it",
        ),
        (
            "increment = \"500ms\"",
            "byoyomi = \"5s\"\nperiods = 0",
            "10: invalid value: integer `0`, expected a nonzero u32",
        ),
        (
            "increment = \"500ms\"",
            "byoyomi = \"8760h\"\nperiods = 2",
            "10: 2 periods of 8760h, expected at most 8760h in all",
        ),
        (
            "increment = \"500ms\"",
            "byoyomi = \"0s\"",
            "9: byoyomi 0s, expected a time above 0",
        ),
        (
            "increment = \"500ms\"",
            "increment = \"1500ns\"",
            "9: increment 1µs 500ns, expected whole µs",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = \"1s\"",
            "20: invalid type: string \"1s\", expected a map",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = { bass = \"1s\" }",
            "20: unknown field `bass`, expected one of `base`, ",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = { move = \"1s\" }",
            "20: in hex: base and move together, expected one of them",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = { margin = \"-1s\" }",
            "20: in hex: margin -1s, expected a time of 0 or more",
        ),
        (
            "move = \"100ms\"",
            "nodes = 5\npatience = \"0s\"",
            "13: patience 0s, expected a time above 0",
        ),
        (
            "increment = \"500ms\"",
            "depht = 3",
            "9: unknown field `depht`, expected one of `base`, ",
        ),
        (
            "move = \"100ms\"",
            "move = \"-100ms\"",
            "12: move -100ms, expected a time above 0",
        ),
        (
            "[clock.einstein]",
            "[clock.chess]",
            &format!("11: game \"chess\", {GAMES}"),
        ),
        (
            "[variant.hex]",
            "[variant.chess]",
            &format!("14: game \"chess\", {GAMES}"),
        ),
        (
            "size = 5",
            "\nsize = 50",
            "16: size: expected 2 to 19, found 50",
        ),
        (
            "size = 5",
            "sise = 5",
            "15: unknown field `sise`, expected ",
        ),
        (
            "size = 5",
            "size = \"5\"",
            "15: invalid type: string \"5\", expected u",
        ),
        (
            "[[engine]]",
            "[[engines]]",
            "17: unknown field `engines`, expected one of `league`, ",
        ),
        (
            "name = \"pvs\"",
            "name = \"theirs\"",
            "23: name \"theirs\" twice, expected another name",
        ),
        (
            "name = \"pvs\"",
            "name = \"\"",
            "18: name \"\", expected 1 to 64 letters, ",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pns\"",
            "19: pns does not fit einstein, which has dice, while a proof search knows only moves, \
             expected games = [\"…\"] without it",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"fish\"",
            "19: builtin \"fish\", expected one of pvs, selective, minimax,",
        ),
        (
            "builtin = \"pvs\"",
            "",
            "17: engine \"pvs\", expected builtin or command",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\ncommand = [\"sh\"]",
            "20: builtin and command together, expected one of them",
        ),
        (
            "table_mb = 64",
            "tabel_mb = 64",
            "20: unknown option \"tabel_mb\", expected one of algorithm, table_mb, ",
        ),
        (
            "table_mb = 64",
            "Game = \"hex\"",
            "20: unknown option \"Game\", expected one of algorithm, table_mb, ",
        ),
        (
            "table_mb = 64",
            "Algorithm = \"mcts\"",
            "20: option algorithm, expected it as builtin",
        ),
        (
            "table_mb = 64",
            "table_mb = \"x\"",
            "20: table_mb takes a number from 0 to ",
        ),
        (
            "table_mb = 64",
            "table_mb = [1]",
            "20: option table_mb = [1], expected a number, a boolean, or text on one line",
        ),
        (
            "\"sh\"",
            "\"no-such-engine\"",
            "24: program \"no-such-engine\", expected an executable file in PATH",
        ),
        (
            "\"sh\"",
            "\"./no-such-engine\"",
            "24: program \"./no-such-engine\", expected an executable file in /",
        ),
        (
            "[\"sh\", \"-c\", \"exit\"]",
            "[]",
            "24: no program, expected [\"program\", \"argument\", …]",
        ),
        (
            "[\"sh\", \"-c\", \"exit\"]",
            "\"sh\"",
            "24: invalid type: string \"sh\", expected a sequence",
        ),
        (
            "\"exit\"",
            "\"\\u0000\"",
            "24: a NUL in a command, expected text",
        ),
        (
            "\"sau\"",
            "\"uci\"",
            "25: unknown variant `uci`, expected `ugi` or `sau`",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nprotocol = \"sau\"",
            "20: another protocol for a builtin, expected ugi or none",
        ),
        (
            "protocol = \"sau\"",
            "games = [\"hex\"]",
            "3: only pvs for einstein, expected two engines or more",
        ),
        (
            "protocol = \"sau\"",
            "games = [\"chess\"]",
            &format!("25: game \"chess\", {GAMES}"),
        ),
        (
            "protocol = \"sau\"",
            "games = [\"connect6\"]",
            "25: no game of the league for theirs, expected some of hex, einstein",
        ),
        (
            "protocol = \"sau\"",
            "directory = \"nowhere\"",
            "25: directory \"nowhere\", expected a folder",
        ),
        (
            "protocol = \"sau\"",
            "protocol = \"sau\"\noptions = { level = 3 }",
            "26: options, expected none, as SAU has no words for them",
        ),
        (
            "protocol = \"sau\"",
            "options = { \"a\\nquit\" = 1 }",
            "25: option \"a\\nquit\", expected a name on one line",
        ),
        (
            "protocol = \"sau\"",
            "wrapper = [\"no-such-wrapper\"]",
            "25: program \"no-such-wrapper\", expected an executable file in PATH",
        ),
        (
            "protocol = \"sau\"",
            "sandbox = \"none\"",
            "25: unknown variant `none`, expected `basic` or `strict`",
        ),
        (
            "protocol = \"sau\"",
            "memory_mb = 4",
            "25: memory_mb 4, expected 16 to 16777216",
        ),
        (
            "protocol = \"sau\"",
            "memory_mb = \"4G\"",
            "25: invalid type: string \"4G\", expected u64",
        ),
        (
            "protocol = \"sau\"",
            "open_files = 3",
            "25: open_files 3, expected 16 to 1048576",
        ),
        (
            "THREADS",
            "\"A=B\"",
            "26: variable \"A=B\", expected a name without =",
        ),
    ] {
        let complaint = complaint(from, to);
        let expected = format!("dir/x.toml:{expected}");
        assert!(
            complaint.starts_with(&expected),
            "{to:?}: {complaint:?}, not {expected:?}"
        );
        let says_what_is_right = ["expected ", " takes "]
            .iter()
            .any(|words| complaint.contains(words));
        assert!(says_what_is_right, "{complaint:?}");
        assert!(!complaint.contains('\n'), "{complaint:?} is not one line");
    }
}

#[test]
fn an_engine_can_have_odds() {
    let odds = |keys: &str| {
        let engine = format!("name = \"pvs\"\nclock = {{ {keys} }}");
        let config = parse(&LEAGUE.replace("name = \"pvs\"", &engine)).unwrap();
        assert!(config.engines[1].odds.is_empty(), "theirs has none");
        (config.games.clone(), config.engines[0].odds.clone())
    };
    let (games, clocks) = odds("margin = \"1s\"");
    for game in games {
        let margin = SignedDuration::from_secs(1);
        let expected = ClockSpec {
            margin,
            ..game.clock
        };
        assert_eq!(clocks[&game.id], expected, "every other key is the game's");
    }
    let (_, clocks) = odds("margin = \"20ms\"");
    assert!(clocks.is_empty(), "what the games have anyway is none");
    let text = LEAGUE.replace("[clock.einstein]\nmove = \"100ms\"", "");
    let engine = "name = \"pvs\"\ngames = [\"hex\"]\nclock = { base = \"6s\", increment = \"0s\" }";
    let text =
        text.replace("name = \"pvs\"", engine) + "[[engine]]\nname = \"x\"\nbuiltin = \"pvs\"";
    let config = parse(&text).unwrap();
    let hex = &config.engines[0].odds["hex"];
    assert_eq!(hex.base, Some(SignedDuration::from_secs(6)));
    assert!(hex.increment.is_zero() && config.engines[0].odds.len() == 1);
}

#[test]
fn cores_are_shared_only_if_the_file_says_so() {
    let keys = "cpus = \"one-per-engine\"\nconcurrency = 1000";
    let shared = format!("{keys}\nshare_cpus = true");
    assert!(parse(&LEAGUE.replace("rounds = 2", keys)).is_err());
    let config = parse(&LEAGUE.replace("rounds = 2", &shared)).unwrap();
    assert_eq!(config.cpus, Cpus::OnePerEngine);
}

#[test]
fn programs_and_directories_are_found_from_the_file_s_folder() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join("x.toml"), folder.path().join("engine"));
    let text = LEAGUE
        .replace("\"sh\"", "\"./engine\"")
        .replace("\"-c\"", "\"./engine\", \"./new\"")
        .replace("protocol", "directory = \".\"\nprotocol");
    std::fs::write(&program, "").unwrap();
    let error = Config::parse(&file, &text).unwrap_err().to_string();
    assert!(
        error.contains("program \"./engine\", expected an executable file"),
        "{error}"
    );
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let config = Config::parse(&file, &text).unwrap();
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

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let error = Config::load(Path::new("no/such.toml"))
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("no/such.toml: ") && error.contains("expected"),
        "{error}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    std::fs::write(&path, b"[league]\nname = \"\xff\"").unwrap();
    let error = Config::load(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("x.toml:2: bytes that are not UTF-8, expected UTF-8 text"),
        "{error}"
    );
}

#[test]
fn any_text_is_an_error_and_no_panic() {
    let mut rng = engine_core::Rng::new(1);
    for _ in 0..500 {
        let mut text: Vec<char> = LEAGUE.chars().collect();
        for _ in 0..3 {
            let at = rng.below(text.len() as u32) as usize;
            let new = ['"', '[', ']', '=', '\n', '-', '9', '{', 'é', '.'][rng.below(10) as usize];
            match rng.below(3) {
                0 => text[at] = new,
                1 => text.insert(at, new),
                _ => drop(text.remove(at)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Err(error) = parse(&text) {
            assert!(
                error.starts_with("dir/x.toml:") && !error.contains('\n'),
                "{text}: {error}"
            );
        }
    }
}

#[test]
fn faults_of_stages_are_told_with_their_lines() {
    let expect = |to: &str, expected: &str| {
        let complaint = complaint("rounds = 2", to);
        assert_eq!(complaint, format!("dir/x.toml:{expected}"), "{to:?}");
    };
    expect(
        "format = \"league\"",
        "4: unknown variant `league`, expected one of `round-robin`, `gauntlet`, `match`, \
         `series`, `swiss`, `knockout`",
    );
    expect(
        "format = \"swiss\"",
        "4: a Swiss without rounds, expected how many there are",
    );
    expect(
        "format = \"knockout\"\nrounds = 1",
        "5: rounds of a knockout, expected none: it ends with one winner",
    );
    expect(
        "meeting = \"game\"",
        "4: a meeting, expected it in a series, Swiss or knockout",
    );
    expect(
        "format = \"series\"\nmeeting = { wins = 0 }",
        "5: meeting 0, expected 1 to 1000",
    );
    expect(
        "format = \"gauntlet\"\nchallengers = [\"nobody\"]",
        "5: challenger \"nobody\", expected an engine's name",
    );
    expect(
        "challengers = [\"pvs\"]",
        "4: challengers, expected them in a gauntlet",
    );
    expect(
        "format = \"knockout\"\ntie_breaks = [\"wins\"]",
        "5: a tie-break that is not played, expected \"rapid\", \"lot\" or both for the ties of a \
         knockout",
    );
    expect(
        "tie_breaks = [\"wins\", \"wins\"]",
        "4: a tie-break twice, expected each once",
    );
    expect(
        "groups = 2",
        "4: 2 engines in hex, groups 2, expected two or more in each",
    );
    let groups = "[[stage]]\nname = \"groups\"\nadvance = 1\n";
    let last = "[[stage]]\nname = \"final\"\n";
    let stages = |first: &str, second: &str, expected: &str| {
        let text = LEAGUE
            .replace("rounds = 2\n", "")
            .replace("[clock]", &format!("{first}{second}[clock]"));
        assert_eq!(parse(&text).unwrap_err(), format!("dir/x.toml:{expected}"));
    };
    stages(
        &groups.replace("groups", ""),
        last,
        "7: name \"\", expected 1 to 64 letters, digits and any of - _ . +, the first a letter or \
         a digit",
    );
    stages(
        &groups.replace("advance = 1\n", ""),
        last,
        "6: no advance, expected how many of each group go on",
    );
    stages(
        groups,
        groups,
        "11: advance in the last stage, expected it in those before",
    );
    stages(
        groups,
        "[[stage]]\nname = \"groups\"\n",
        "10: name \"groups\" twice, expected another name",
    );
    stages(
        groups,
        last,
        "9: 1 engines in hex, groups 1, expected two or more in each",
    );
    stages(
        &groups.replace("advance = 1", "advance = 3"),
        last,
        "8: advance 3, expected 1 to 2 in hex",
    );
    stages(
        &groups.replace("advance = 1", "advance = 2"),
        &format!("{last}seeding = \"random\"\n"),
        "11: seeding of a later stage, expected none: it goes by the ranks before",
    );
    let both = LEAGUE.replace("[clock]", &format!("{groups}{last}[clock]"));
    assert_eq!(
        parse(&both).unwrap_err(),
        "dir/x.toml:4: rounds beside [[stage]], expected it in the stages"
    );
}

#[test]
fn openings_of_a_file_are_checked_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    let league = LEAGUE.replace("protocol = \"sau\"\n", "").replace(
        "[clock]\n",
        "[openings]\nhex = { file = \"openings.txt\", order = \"file\" }\n[clock]\n",
    );
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        Config::parse(&folder.path().join("x.toml"), &league).map_err(|error| error.to_string())
    };
    let config = read("# five by five\na1 b2\n\nc3  # the centre\n").unwrap();
    let openings = ["a1 b2", "c3"].map(str::to_owned).to_vec();
    let expected = Openings::List {
        openings,
        shuffled: false,
    };
    assert_eq!(config.games[0].openings, expected);
    for (text, expected) in [
        ("", ": no openings, expected one a line"),
        ("a1\na1 a1\n", ":2: opening: column 4: "),
        ("fen x\n", ":1: opening: position: column 1: "),
        (
            "a1 b1 a2 b2 a3 b3 a4 b4 a5\n",
            ":1: the game is over, expected one to play",
        ),
    ] {
        let message = read(text).unwrap_err();
        assert!(
            message.contains(&format!("openings.txt{expected}")),
            "{message}"
        );
    }
}
