use jiff::SignedDuration;

mod clocks;
mod engines;
mod openings;
mod overrides;
mod stages;

use task::seed::Seed;

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
    Config::parse(Path::new("dir/x.toml"), text, &[]).map_err(|error| error.to_string())
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
    assert_eq!((stage.rounds, config.concurrency), (2, 1));
    assert_eq!(config.seed, Some(Seed::of_number(7)));
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

/// Each entry replaces the first text in [`LEAGUE`] with the second; the third begins the message.
fn expect_faults(faults: &[(&str, &str, &str)]) {
    for (from, to, expected) in faults {
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
fn every_fault_is_reported_with_its_line_and_what_was_expected() {
    let games = &*format!("expected one of {}", catalog::ids().join(", "));
    expect_faults(&[
        (
            "rounds",
            "runds",
            "4: unknown field `runds`, expected one of `name`, `games`, `concurrency`, `seed`, `pause_opponent`, ",
        ),
        (
            "rounds = 2",
            "cpus = \"one-per-engine\"\nconcurrency = 1000",
            "4: one core per engine with concurrency 1000 needs 2000 cores, found ",
        ),
        (
            "rounds = 2",
            "cpus = \"two\"",
            "4: invalid value: string \"two\", expected \"by-game\", \"any\", \"one-per-engine\", or a list of cores such as [0, 2]",
        ),
        (
            "rounds = 2",
            "cpus = [0, 9999]",
            "4: core 9999, expected some of ",
        ),
        (
            "rounds = 2",
            "cpus = [0, 0]",
            "4: a core twice, expected each once",
        ),
        (
            "rounds = 2",
            "cpus = []",
            "4: invalid length 0, expected \"by-game\"",
        ),
        (
            "rounds = 2",
            "cpus = [-1]",
            "4: invalid value: integer `-1`, expected usize",
        ),
        (
            "rounds = 2",
            "records = \"gbk\"",
            "4: unknown variant `gbk`, expected `contest` or `contest-gbk`",
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
            "8: openings with engine \"theirs\", expected none, or an engine in ugi, gtp: sau has no words for an engine's own turns",
        ),
        (
            "[clock]",
            "[openings]\nchess = { random_plies = 3 }\n[clock]",
            &format!("8: game \"chess\", {games}"),
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
            "8: file and random_plies together, expected one of them",
        ),
        (
            "[clock]",
            "[openings]\nhex = { file = \"x\", max_advantage = 3 }\n[clock]",
            "8: max_advantage with file, expected it with random_plies",
        ),
        (
            "[clock]",
            "[openings]\nhex = { random_plies = 1, order = \"file\" }\n[clock]",
            "8: order without file, expected both",
        ),
        (
            "[clock]",
            "[openings]\nhex = { file = \"nowhere.txt\" }\n[clock]",
            "8: dir/nowhere.txt: No such file or directory (os error 2), expected a list of openings",
        ),
        (
            "seed = 7",
            "seed = -7",
            "5: invalid value: integer `-7`, expected a number from 0, or the 64 hexadecimal digits of a drawn seed",
        ),
        (
            "seed = 7",
            "seed = \"7\"",
            "5: invalid value: string \"7\", expected a number from 0, or the 64 hexadecimal digits of a drawn seed",
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
            &format!("4: game \"chess\", {games}"),
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
            "[clock.einstein]",
            "[clock.chess]",
            &format!("11: game \"chess\", {games}"),
        ),
        (
            "[variant.hex]",
            "[variant.chess]",
            &format!("14: game \"chess\", {games}"),
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
            "19: pns does not fit einstein, which has dice, and proof searches do not support \
             dice, expected games = [\"…\"] without it",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"fish\"",
            "19: builtin \"fish\", expected one of best, pvs, selective, aspiration,",
        ),
        (
            "builtin = \"pvs\"",
            "",
            "17: engine \"pvs\", expected builtin or command",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nstart_up = \"0s\"",
            "20: start_up 0s, expected a time above 0, at most 1h",
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
            "25: unknown variant `uci`, expected one of `ugi`, `sau`, `gtp`, `botzone`, `botzone-simple`, `gomocup`",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nprotocol = \"sau\"",
            "20: builtin with another protocol, expected ugi or none",
        ),
        (
            "protocol = \"sau\"",
            "games = [\"hex\"]",
            "3: only pvs for einstein, expected two engines or more",
        ),
        (
            "protocol = \"sau\"",
            "games = [\"chess\"]",
            &format!("25: game \"chess\", {games}"),
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
            "26: options, expected none: sau does not support options; init = [\"…\"] sends commands",
        ),
        (
            "protocol = \"sau\"",
            "illegal = { retry = 2 }",
            "25: illegal = { retry = … }, expected forfeit or none: only SAU supports taking back a \
             turn",
        ),
        (
            "protocol = \"sau\"",
            "protocol = \"sau\"\nillegal = { retry = 0 }",
            "26: retry = 0, expected 1 to 100",
        ),
        (
            "protocol = \"sau\"",
            "protocol = \"sau\"\nillegal = \"warn\"",
            "26: unknown variant `warn`, expected `forfeit` or `retry`",
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
            "sandbox = \"basic\"",
            "25: unknown variant `basic`, expected `strict` or `none`",
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
    ]);
}

#[test]
fn an_unreadable_file_is_named() {
    let error = Config::load(Path::new("no/such.toml"), &[])
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("no/such.toml: ") && error.contains("expected"),
        "{error}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    std::fs::write(&path, b"[league]\nname = \"\xff\"").unwrap();
    let error = Config::load(&path, &[]).unwrap_err().to_string();
    assert!(
        error.ends_with("x.toml:2: bytes that are not UTF-8, expected UTF-8 text"),
        "{error}"
    );
}

#[test]
fn no_text_causes_a_panic() {
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

/// `balanced` asks for the openings that are shipped: for all games, or for one.
#[test]
fn shipped_openings_are_asked_for_by_a_word() {
    let with = |league: &str, tables: &str| {
        let text = format!(
            "[league]\nname = \"x\"\ngames = [\"hex\", \"surakarta\"]\n{league}\n{tables}\n[clock]\nnodes = 1\n\
             [[engine]]\nname = \"a\"\nbuiltin = \"random\"\n[[engine]]\nname = \"b\"\nbuiltin = \"random\"\n"
        );
        Config::parse(Path::new("x.toml"), &text, &[])
    };
    let lengths = |config: Config| -> Vec<usize> {
        let games = config.games.iter();
        let length = |game: &GameConfig| match &game.openings {
            Openings::List { openings, .. } => openings.len(),
            Openings::Random { .. } => 1,
            Openings::None => 0,
        };
        games.map(length).collect()
    };
    let all = lengths(with("openings = \"balanced\"", "").unwrap());
    assert!(all.iter().all(|&length| length >= 48), "{all:?}");
    let one = lengths(with("", "[openings]\nhex = \"balanced\"").unwrap());
    assert_eq!(one, [all[0], 0]);
    let own = "[openings.hex]\nrandom_plies = 2";
    let mixed = lengths(with("openings = \"balanced\"", own).unwrap());
    assert_eq!(mixed, [1, all[1]]);
    let mut config = with("", own).unwrap();
    assert_eq!(config.balance(), ["surakarta"]);
    assert_eq!(lengths(config), [1, all[1]]);
    let fault = |league: &str, tables: &str| with(league, tables).unwrap_err().to_string();
    let small = "[variant.hex]\nsize = 5";
    let said = fault("openings = \"balanced\"", small);
    assert!(
        said.starts_with("x.toml:4: no balanced openings are shipped for hex {"),
        "{said}"
    );
    assert!(
        said.contains("expected [openings.hex]; referee openings makes a file"),
        "{said}"
    );
    let said = fault("", "[openings]\nhex = \"even\"");
    assert!(said.contains("expected \"balanced\" or a table"), "{said}");
    let mut config = with("", small).unwrap();
    assert_eq!(config.balance(), ["surakarta"]);
}

#[test]
fn openings_with_a_mark_at_the_start_are_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("o.txt"), "\u{feff}a1 b2\nc3\n").unwrap();
    let text = LEAGUE
        .replace(
            "[variant.hex]",
            "[openings]\nhex = { file = \"o.txt\" }\n[variant.hex]",
        )
        .replace("protocol = \"sau\"", "protocol = \"ugi\"");
    let path = folder.path().join("x.toml");
    let config = Config::parse(&path, &text, &[]).unwrap();
    assert!(
        matches!(&config.games[0].openings, Openings::List { openings, .. } if openings.len() == 2)
    );
}
