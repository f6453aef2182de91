//! Leagues of engines with different protocols, played, logged and verified by the program itself.

mod gomoku;

use engine_process::deviation::{Deviation, Deviations};
use gamelog::record::{GameRecord, GameResult, Reason};
use serde_json::json;
use task::Protocol;

use crate::common::program::{folder_with, games, python, run, text};

const REFEREE: &str = env!("CARGO_BIN_EXE_referee");

/// An engine of a league, started by a command.
pub fn engine(name: &str, protocol: &str, command: &[&str]) -> String {
    format!("[[engine]]\nname = {name:?}\nprotocol = {protocol:?}\ncommand = {command:?}\n")
}

/// The built-in engine in a protocol, with additional arguments.
fn builtin(game: &str, protocol: &str, more: &[&str]) -> String {
    let command = [
        &[REFEREE, "engine", game, "--protocol", protocol],
        &["--algorithm", "greedy", "--move-time", "100"][..],
        more,
    ]
    .concat();
    engine(protocol, protocol, &command)
}

/// An engine in Python from the folder `scripted`.
fn script(name: &str, protocol: &str, script: &str, arguments: &[&str]) -> String {
    let path = format!("{}/tests/scripted/{script}.py", env!("CARGO_MANIFEST_DIR"));
    let command = [&[python(), "-I", "-S", &path], arguments].concat();
    engine(name, protocol, &command)
}

/// Plays a league; all games must be valid and end by the rules.
fn play(game: &str, settings: &str, engines: &[String]) -> Vec<GameRecord> {
    let games = play_to_any_end(game, settings, engines);
    for game in &games {
        assert_eq!(game.reason, Reason::Rules, "{}: {}", game.id, game.detail);
    }
    games
}

/// Plays a league; all games must be valid.
fn play_to_any_end(game: &str, settings: &str, engines: &[String]) -> Vec<GameRecord> {
    let league = format!(
        "[league]\nname = \"x\"\ngames = [{game:?}]\n{settings}\n{}",
        engines.concat()
    );
    let folder = folder_with(&league);
    let played = run(
        folder.path(),
        &["league", "league.toml", "--anyway", "--out", "out"],
    );
    assert!(played.status.success(), "{}", text(&played.stderr));
    let verified = run(folder.path(), &["verify", "out"]);
    assert!(verified.status.success(), "{}", text(&verified.stdout));
    games(&folder.path().join("out"))
}

pub const CLOCK: &str = "[clock]\nbase = \"60s\"";

#[test]
fn hex_engines_of_all_protocols_play_each_other() {
    let variant = ["--variant", "{ opening = { forced = \"c2\" } }"];
    let staying = [&variant[..], &["--keep-running"]].concat();
    let engines = [
        builtin("hex", "ugi", &variant),
        builtin("hex", "sau", &variant),
        builtin("hex", "gtp", &variant),
        builtin("hex", "botzone", &variant),
        builtin("hex", "botzone-simple", &staying),
    ];
    let settings = format!("{CLOCK}\n[variant.hex]\nopening = {{ forced = \"C2\" }}");
    play("hex", &settings, &engines);
}

/// Connect6 has all protocols.
#[test]
fn connect6_engines_of_all_protocols_play_each_other() {
    let variant = ["--variant", "{ size = 15 }"];
    let staying = [&variant[..], &["--keep-running"]].concat();
    let engines = [
        builtin("connect6", "ugi", &variant),
        builtin("connect6", "sau", &variant),
        builtin("connect6", "gtp", &variant),
        builtin("connect6", "gomocup", &[]),
        builtin("connect6", "botzone", &staying),
        builtin("connect6", "botzone-simple", &variant),
    ];
    play(
        "connect6",
        &format!("{CLOCK}\n[variant.connect6]\nsize = 15"),
        &engines,
    );
}

#[test]
fn amazons_engines_of_all_protocols_play_each_other() {
    let variant = ["--variant", "{ size = 8 }"];
    let engines = [
        builtin("amazons", "ugi", &variant),
        builtin("amazons", "gtp", &[]),
        builtin("amazons", "botzone-simple", &variant),
    ];
    play(
        "amazons",
        &format!("{CLOCK}\n[variant.amazons]\nsize = 8"),
        &engines,
    );
}

#[test]
fn tic_tac_toe_engines_of_all_protocols_play_each_other() {
    let engines = ["ugi", "sau", "gtp"].map(|protocol| builtin("tic-tac-toe", protocol, &[]));
    play("tic-tac-toe", CLOCK, &engines);
}

/// Edges are exchanged one by one, with passes in between.
#[test]
fn turns_of_many_edges_are_played_on_botzone() {
    let engines = [
        builtin("dots-and-boxes", "sau", &[]),
        builtin("dots-and-boxes", "botzone", &[]),
        builtin("dots-and-boxes", "botzone-simple", &["--keep-running"]),
    ];
    let games = play("dots-and-boxes", CLOCK, &engines);
    let long = |game: &GameRecord| game.turns.iter().any(|turn| turn.text.contains('+'));
    assert!(games.iter().all(long));
}

/// Engines whose protocol supports openings get them; all games of a pair start from the same
/// opening.
#[test]
fn openings_are_sent_in_every_protocol() {
    let variant = ["--variant", "{ size = 15 }"];
    let engines = [
        builtin("connect6", "ugi", &variant),
        builtin("connect6", "gtp", &[]),
        builtin("connect6", "gomocup", &[]),
        builtin("connect6", "botzone", &variant),
    ];
    let settings =
        format!("{CLOCK}\n[variant.connect6]\nsize = 15\n[openings.connect6]\nrandom_plies = 5");
    for game in play("connect6", &settings, &engines) {
        assert_eq!(game.opening.split_whitespace().count(), 5);
    }
}

/// A position is sent as turns that lead to it, in protocols that have no words for one.
#[test]
fn positions_are_sent_in_every_protocol() {
    for (game, variant, turns, strict) in [
        ("connect6", json!({"size": 15}), "h8 g7g8 h9a1 b1c1", None),
        ("connect6", json!({}), "j10 k11i11", Some("gomocup")),
        ("hex", json!({}), "c2 d4 e5", Some("gtp")),
    ] {
        let rules = catalog::find(game).expect("a game");
        let mut board = rules.start(&variant).expect("a variant");
        board.play_words(turns).expect("legal turns");
        let position = board.position();
        let more = ["--variant", &variant.to_string()];
        let speaks = |protocol| rules.announce(protocol, &variant).is_ok();
        let protocols = Protocol::ALL
            .into_iter()
            .filter(|&protocol| speaks(protocol));
        let protocols = protocols.filter(|&protocol| protocol != Protocol::Sau);
        let mut engines: Vec<String> = protocols
            .map(|protocol| builtin(game, protocol.name(), &more))
            .collect();
        engines.extend(strict.map(|name| script("strict", name, name, &[])));
        let openings = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(&openings, format!("fen {position}\n")).expect("the file is written");
        let settings = format!(
            "format = \"gauntlet\"\n{CLOCK}\n[variant]\n{game} = {}\n\
             [openings]\n{game} = {{ file = {:?} }}",
            variant.to_string().replace(':', "="),
            openings.path()
        );
        let games = play(game, &settings, &engines);
        assert_eq!(games.len(), 2 * (engines.len() - 1));
        for game in games {
            assert_eq!(game.opening, format!("fen {position}"));
        }
    }
}

/// The deviations of the engine with this name in all games.
fn deviations(games: &[GameRecord], name: &str) -> Deviations {
    let mut sum = Deviations::default();
    for engine in games.iter().flat_map(|game| [&game.first, &game.second]) {
        if engine.name == name {
            sum.add(&engine.deviations);
        }
    }
    sum
}

#[test]
fn engines_in_python_play_hex() {
    let engines = [
        builtin("hex", "ugi", &[]),
        script("gtp", "gtp", "gtp", &[]),
        script("sloppy", "gtp", "gtp", &["sloppy"]),
        script("json-stays", "botzone", "botzone", &["json", "stay"]),
        script("json-keeps", "botzone", "botzone", &["json", "data"]),
        script(
            "simple-stays",
            "botzone-simple",
            "botzone",
            &["simple", "stay"],
        ),
        script(
            "simple-keeps",
            "botzone-simple",
            "botzone",
            &["simple", "data"],
        ),
    ];
    // The built-in engine's two games against each of them are short.
    let settings = format!("format = \"gauntlet\"\n{CLOCK}");
    let games = play("hex", &settings, &engines);
    let sloppy = deviations(&games, "sloppy");
    assert!(sloppy.count(Deviation::Encoding) > 0 && sloppy.count(Deviation::Chatter) > 0);
    for name in ["gtp", "json-stays", "json-keeps", "simple-stays"] {
        assert!(deviations(&games, name).is_empty(), "{name}");
    }
    let gtp = |game: &&GameRecord| game.first.name == "gtp";
    let game = games.iter().find(gtp).expect("it plays First too");
    assert_eq!(game.first.version, "First cell 1.0");
}

/// Engines for Go leave out the column letter i.
#[test]
fn engines_that_leave_out_the_letter_i_play_hex() {
    let skips =
        |name: &str, habit: &str| script(name, "gtp", "gtp", &[habit]) + "letters = \"skip-i\"\n";
    let go = skips("go", "skip-i");
    // Each plays the first empty cells: all columns are used.
    let others = [
        script("hex", "gtp", "gtp", &["all"]),
        builtin("hex", "ugi", &[]),
    ];
    for other in others {
        let games = play("hex", CLOCK, &[go.clone(), other]);
        assert!(deviations(&games, "go").is_empty());
    }
    for (engine, told) in [
        (
            script("go", "gtp", "gtp", &["skip-i"]),
            "go in hex cannot play: its columns leave out the letter i: it refuses i1 and takes a later \
             one; expected letters = \"skip-i\" in its table",
        ),
        (
            skips("hex", "all"),
            "hex in hex cannot play: its columns have the letter i; expected letters = \"all\" in its \
             table, or none",
        ),
    ] {
        let league = format!(
            "[league]\nname = \"x\"\ngames = [\"hex\"]\n{CLOCK}\n{engine}{}",
            builtin("hex", "ugi", &[])
        );
        let folder = folder_with(&league);
        let output = run(folder.path(), &["league", "league.toml"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(told),
            "{}",
            text(&output.stderr)
        );
    }
}

/// This engine knows few GTP commands, plays several games in one process, and is stopped while it
/// waits.
#[test]
fn an_engine_in_c_plays_hex() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("gtp");
    let source = format!("{}/tests/scripted/gtp.c", env!("CARGO_MANIFEST_DIR"));
    let built = std::process::Command::new("cc")
        .args(["-std=c99", "-Wall", "-Werror", "-o"])
        .args([program.as_path(), source.as_ref()])
        .output()
        .expect("a compiler of C is there");
    assert!(built.status.success(), "{}", text(&built.stderr));
    let program = program.to_str().expect("UTF-8");
    let kept = |name: &str| engine(name, "gtp", &[program]) + "keep = true\n";
    let engines = [builtin("hex", "ugi", &[]), kept("c"), kept("d")];
    let settings = format!("rounds = 2\npause_opponent = true\n{CLOCK}");
    let games = play("hex", &settings, &engines);
    assert_eq!(games.len(), 12);
    let c = |game: &&GameRecord| game.first.name == "c";
    let game = games.iter().find(c).expect("it plays First too");
    assert_eq!(game.first.version, "First cell in C");
    // It lists no commands, so it is sent `time_settings`, and refuses it.
    let kinds: Vec<Deviation> = deviations(&games, "c")
        .iter()
        .map(|(kind, _)| kind)
        .collect();
    assert_eq!(kinds, [Deviation::RefusedClock]);
}

/// A bot that keeps running is stopped between its turns; one that exits cannot be. Both play on.
#[test]
fn bots_are_stopped_while_they_wait() {
    let engines = [
        builtin("dots-and-boxes", "ugi", &[]),
        builtin("dots-and-boxes", "botzone", &[]),
        builtin("dots-and-boxes", "botzone-simple", &["--keep-running"]),
    ];
    let kept: Vec<String> = engines
        .iter()
        .map(|it| format!("{it}keep = true\n"))
        .collect();
    let settings = format!("rounds = 2\npause_opponent = true\n{CLOCK}");
    play("dots-and-boxes", &settings, &kept);
}

#[test]
fn engines_in_python_play_connect6() {
    let engines = [
        builtin("connect6", "ugi", &[]),
        script("gomocup", "gomocup", "gomocup", &[]),
        script("sloppy", "gomocup", "gomocup", &["sloppy"]),
    ];
    let settings = format!("{CLOCK}\n[openings.connect6]\nrandom_plies = 3");
    for settings in [CLOCK, &settings] {
        let games = play("connect6", settings, &engines);
        assert!(deviations(&games, "sloppy").count(Deviation::Chatter) > 0);
        assert!(deviations(&games, "gomocup").is_empty());
    }
}

/// Both ends of a swap: the engine that swaps, in any word, and the one that is told so. Either may
/// move the stone or exchange colours; the variant says what the others do.
#[test]
fn gtp_engines_swap_in_any_word() {
    for (swap, more) in [("swap-pieces", &["mirrors"][..]), ("swap-sides", &[])] {
        let words = ["swap", "swap-pieces", "swap-sides"];
        let mut engines: Vec<String> = words
            .iter()
            .map(|&word| script(word, "gtp", "htp", &[&["quiet", word], more].concat()))
            .collect();
        let variant = format!("{{ opening = 'swap', swap = '{swap}' }}");
        engines.push(builtin("hex", "gtp", &["--variant", &variant]));
        let settings = format!("{CLOCK}\n[variant.hex]\nopening = \"swap\"\nswap = \"{swap}\"");
        let games = play("hex", &settings, &engines);
        let swaps = |game: &&GameRecord| words.contains(&&*game.second.name);
        let swapped: Vec<&GameRecord> = games.iter().filter(swaps).collect();
        assert_eq!(swapped.len(), 9);
        for game in swapped {
            assert_eq!(game.turns[1].text, "swap", "{}", game.id);
        }
        for (word, cut, spelling) in [("swap", 3, 0), ("swap-pieces", 0, 0), ("swap-sides", 0, 3)] {
            let found = deviations(&games, word);
            let found = [Deviation::Cut, Deviation::Spelling].map(|kind| found.count(kind));
            assert_eq!(found, [cut, spelling], "{swap}: {word}");
        }
    }
}

/// A resignation in any case loses, for the side that plays either colour.
#[test]
fn gtp_engines_resign_after_a_swap() {
    let engines = [
        script("resigns", "gtp", "htp", &["quiet", "resigns"]),
        script("swaps", "gtp", "htp", &["quiet", "swap-sides"]),
    ];
    let variant = "[variant.hex]\nopening = \"swap\"\nswap = \"swap-sides\"";
    for game in play_to_any_end("hex", &format!("{CLOCK}\n{variant}"), &engines) {
        let loser = match game.result {
            GameResult::First => &game.second,
            _ => &game.first,
        };
        let ended = (game.reason, &*game.detail, &*loser.name);
        assert_eq!(ended, (Reason::Resign, "resigns", "resigns"), "{}", game.id);
    }
}

/// An engine is told its time by the commands that it lists. The scripted engines exit if they are
/// asked for a turn without having been told.
#[test]
fn engines_are_told_their_time_in_their_own_commands() {
    let engines = [
        builtin("hex", "gtp", &[]),
        script("plain", "gtp", "htp", &[]),
        script("settings", "gtp", "htp", &["settings"]),
        script("limited", "gtp", "htp", &["limited"]),
        script("limited-deaf", "gtp", "htp", &["limited", "deaf"]),
        script("managed", "gtp", "htp", &["managed"]),
    ];
    let settings = format!("format = \"gauntlet\"\n{CLOCK}");
    let games = play("hex", &settings, &engines);
    for name in ["gtp", "plain", "limited", "limited-deaf", "managed"] {
        assert!(deviations(&games, name).is_empty(), "{name}");
    }
    // `time_settings` and three arguments of `time_left`, in each of two games.
    let refused = deviations(&games, "settings").count(Deviation::RefusedClock);
    assert_eq!(refused, 4);
    let engines = [
        builtin("hex", "gtp", &[]),
        script("limited", "gtp", "htp", &["limited"]),
    ];
    play("hex", "[clock]\nmove = \"60s\"", &engines);
}

/// Booleans of a league file are digits or words, as the engine reads them.
#[test]
fn boolean_options_are_written_as_the_engine_reads_them() {
    let option = "options = { \"param_htp ponder\" = false }\n";
    let engines = [
        script("digits", "gtp", "htp", &[]) + option,
        script("words", "gtp", "htp", &["words"]) + option,
        script("text", "gtp", "htp", &["stubborn"]) + &option.replace("false", "\"off\""),
    ];
    play("hex", CLOCK, &engines);
    let engines = [
        script("digits", "gtp", "htp", &[]),
        script("stubborn", "gtp", "htp", &["stubborn"]) + option,
    ];
    for game in play_to_any_end("hex", CLOCK, &engines) {
        assert_eq!(game.reason, Reason::Stall);
        assert_eq!(
            game.detail,
            "before the game: cannot start: param_htp ponder 0 is refused: argument is not a \
             boolean; expected an option that the engine knows, written as it reads it: \"param_htp ponder\" = \"…\""
        );
    }
}

/// Each way to end a game, in each protocol.
#[test]
fn games_end_as_expected_in_every_protocol() {
    let slow = "[clock]\nmove = \"1s\"";
    for (game, settings, protocol, arguments, reason, detail) in [
        (
            "hex",
            CLOCK,
            "gtp",
            &["resigns"][..],
            Reason::Resign,
            "resigns",
        ),
        (
            "hex",
            CLOCK,
            "gtp",
            &["refuses"],
            Reason::Illegal,
            "illegal move",
        ),
        (
            "hex",
            CLOCK,
            "gtp",
            &["small"],
            Reason::Stall,
            "boardsize 11 11 is refused: unacceptable size",
        ),
        (
            "hex",
            slow,
            "gtp",
            &["slow"],
            Reason::Time,
            "no turn within",
        ),
        (
            "hex",
            CLOCK,
            "botzone",
            &["json", "crash"],
            Reason::Crash,
            "exit status: 3",
        ),
        (
            "hex",
            slow,
            "botzone",
            &["json", "lingers"],
            Reason::Time,
            "no turn within",
        ),
        (
            "hex",
            CLOCK,
            "botzone-simple",
            &["simple", "nonsense"],
            Reason::Illegal,
            "I do not know",
        ),
        (
            "hex",
            CLOCK,
            "botzone",
            &["json", "sloppy"],
            Reason::Resign,
            "resigns",
        ),
        (
            "hex",
            CLOCK,
            "botzone-simple",
            &["simple", "sloppy"],
            Reason::Resign,
            "resigns",
        ),
        (
            "connect6",
            CLOCK,
            "gomocup",
            &["small"],
            Reason::Stall,
            "START 19 is refused: unsupported size",
        ),
        (
            "connect6",
            CLOCK,
            "gomocup",
            &["unknown"],
            Reason::Stall,
            "START 19 is refused: START",
        ),
        (
            "connect6",
            CLOCK,
            "gomocup",
            &["nameless"],
            Reason::Illegal,
            "ERROR out of ideas",
        ),
        (
            "connect6",
            CLOCK,
            "gomocup",
            &["error"],
            Reason::Illegal,
            "ERROR out of ideas",
        ),
    ] {
        let file = protocol.split('-').next().expect("a name");
        let engines = [
            builtin(game, "ugi", &[]),
            script("a", protocol, file, arguments),
        ];
        for game in play_to_any_end(game, settings, &engines) {
            let loser = match game.result {
                GameResult::First => &game.second,
                _ => &game.first,
            };
            let ended = (game.reason, loser.name.as_str());
            assert_eq!(ended, (reason, "a"), "{arguments:?}: {}", game.detail);
            assert!(game.detail.contains(detail), "{}", game.detail);
        }
    }
}

/// Botzone's judge gives the first turn twice the time: 12 s here, of which the bot sleeps 6.5.
#[test]
fn a_bot_may_use_the_longer_time_of_its_first_turn() {
    let late = script("a", "botzone", "botzone", &["json", "warms-up", "6.5"]);
    for (key, reason) in [("", Reason::Rules), ("first_turn = \"x1\"", Reason::Time)] {
        let engines = [builtin("hex", "ugi", &[]), late.clone()];
        let settings = format!("concurrency = 2\n[clock]\nmove = \"6s\"\n{key}");
        let games = play_to_any_end("hex", &settings, &engines);
        assert_eq!(games.len(), 2);
        for game in games {
            assert_eq!(game.reason, reason, "{key}: {}", game.detail);
        }
    }
}
