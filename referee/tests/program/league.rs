//! Whole leagues, played by the program itself.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gamelog::record::{GameRecord, Reason};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::program::{folder_with, games, ids, referee, run, text};

const REFEREE: &str = env!("CARGO_BIN_EXE_referee");

#[test]
fn a_match_needs_no_file() {
    let folder = folder_with(LEAGUE);
    let small = [
        "--game",
        "hex",
        "--variant",
        "{ size = 3 }",
        "--nodes",
        "20",
    ];
    let play = |arguments: &[&str]| {
        let arguments = [&["match"], arguments, &small, &["--quiet"]].concat();
        run(folder.path(), &arguments)
    };
    let played = |out: &str| games(&folder.path().join("matches").join(out));

    let output = play(&["pvs", "mcts", "--games", "4"]);
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
    assert!(text(&output.stdout).starts_with("Hex: 4 games\n"));
    let first = played("pvs-mcts-hex");
    assert_eq!(first.len(), 4);
    let openings: BTreeSet<&str> = first.iter().map(|game| &*game.opening).collect();
    assert_eq!(openings.len(), 2, "two plies each: {openings:?}");
    assert_eq!(first[0].clock.nodes, Some(20));

    // Each match has a folder of its own, unless the same one is named.
    play(&["pvs", "mcts", "--games", "2"]);
    assert_eq!(played("pvs-mcts-hex-2").len(), 2);
    play(&[
        "pvs",
        "mcts",
        "--games",
        "4",
        "--out",
        "matches/pvs-mcts-hex-2",
    ]);
    assert_eq!(played("pvs-mcts-hex-2").len(), 4);

    // Names, commands, engines of a league file, and keys for them.
    let command = format!("ours='{REFEREE}' engine hex --algorithm pvs");
    let keys = ["--set", "engine.ours.options.table_mb=2", "--games", "2"];
    let output = play(
        &[
            &[&*command, "random", "--engines", "league.toml"],
            &keys[..],
        ]
        .concat(),
    );
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
    let game = &played("ours-random-hex")[0];
    assert_eq!((&*game.first.name, &*game.second.name), ("ours", "random"));
    assert_eq!(
        game.first.command[1..],
        ["engine", "hex", "--algorithm", "pvs"]
    );
    assert_eq!(game.overrides, ["engine.ours.options.table_mb = 2"]);

    for (arguments, message) in [
        (
            &["pvz", "mcts"][..],
            "program \"pvz\", expected an executable file in PATH, a search such as pvs, mcts or \
             best, or a name in the file of --engines\n",
        ),
        (
            &["pvz", "mcts", "--engines", "league.toml"],
            "program \"pvz\", expected an executable file in PATH, a search such as pvs, mcts or \
             best, or mcts, pvs, random\n",
        ),
        (
            &["./pvz", "mcts"],
            "./pvz: program \"./pvz\", expected an executable file in ",
        ),
        (&["a 'b", "mcts"], "\"a 'b\": expected a command"),
        (
            &["pvs", "mcts", "--openings", "none.txt"],
            "--openings none.txt: ",
        ),
        (
            &["pvs", "mcts", "--random-plies", "300"],
            "--random-plies 300: ",
        ),
    ] {
        let output = play(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = text(&output.stderr);
        assert!(error.starts_with(message), "{error}");
    }
    let output = play(&["pvs", "mcts", "--games", "3"]);
    assert!(text(&output.stderr).contains("expected an even number"));
}

/// Three built-in engines in all six games, small where the rules allow it.
const LEAGUE: &str = r#"
[league]
name = "small"
seed = 7
games = ["amazons", "surakarta", "connect6", "hex", "dots-and-boxes", "einstein"]
concurrency = 2

[clock]
nodes = 50

[clock.einstein]
base = "60s"
increment = "100ms"
nodes = 50

[variant.amazons]
size = 6

[variant.connect6]
size = 9

[variant.hex]
size = 4

[variant.dots-and-boxes]
columns = 2
rows = 2

[variant.surakarta]
quiet_limit = 20

[[engine]]
name = "pvs"
builtin = "pvs"
options = { table_mb = 1 }

[[engine]]
name = "mcts"
builtin = "mcts"
options = { table_mb = 1 }

[[engine]]
name = "random"
builtin = "random"
"#;

#[test]
fn the_command_line_overrides_the_file_and_the_log_says_so() {
    let folder = folder_with(LEAGUE);
    let arguments = |command| {
        [
            command,
            "league.toml",
            "--games",
            "hex,surakarta",
            "--rounds",
            "2",
            "--set",
            "clock.nodes=20",
            "--set",
            "engine.random.name=dice",
            "--quiet",
        ]
    };
    let league = run(folder.path(), &arguments("league"));
    assert_eq!(league.status.code(), Some(0));
    // Two rounds without openings: that is said even so.
    let warnings: Vec<&str> = text(&league.stderr).lines().collect();
    let is_known =
        |line: &&str| line.contains(": the same two engines begin 2 times at the same position;");
    assert!(
        warnings.len() == 2 && warnings.iter().all(is_known),
        "{warnings:?}"
    );
    let played = games(&folder.path().join("matches/small"));
    let expected = [
        "clock.nodes = 20",
        "engine.random.name = \"dice\"",
        "league.rounds = 2",
    ];
    assert_eq!(played.len(), 2 * 2 * 6);
    for game in &played {
        assert!(["hex", "surakarta"].contains(&&*game.game));
        assert_eq!(game.clock.nodes, Some(20));
        assert_eq!(game.overrides, expected);
    }
    let plan = run(folder.path(), &arguments("plan"));
    let planned: BTreeSet<&str> = text(&plan.stdout).lines().collect();
    assert_eq!(planned, ids(&played));

    let unknown = run(folder.path(), &["league", "league.toml", "--games", "go"]);
    let message = "--games go: not in the league file, expected some of amazons, ";
    assert!(text(&unknown.stderr).starts_with(message));
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn a_league_is_played_once_and_verified() {
    let folder = folder_with(LEAGUE);
    let league = run(folder.path(), &["league", "league.toml"]);
    assert!(league.status.success(), "{}", text(&league.stderr));
    let out = folder.path().join("matches/small");
    let played = games(&out);
    assert_eq!(played.len(), 36);
    for game in &played {
        assert_eq!(game.reason, Reason::Rules, "{}: {}", game.id, game.detail);
    }
    assert!(
        text(&league.stderr).contains("[36/36] "),
        "{}",
        text(&league.stderr)
    );

    let verify = run(folder.path(), &["verify", "matches"]);
    assert_eq!(text(&verify.stdout), "36 games: 36 valid, 0 faulty\n");
    assert!(verify.status.success());

    let standings = run(folder.path(), &["standings", "matches/small/games.jsonl"]);
    assert_eq!(text(&standings.stdout), text(&league.stdout));
    assert_eq!(
        fs::read(out.join("standings.txt")).expect("tables"),
        league.stdout
    );

    let replay = run(
        folder.path(),
        &["replay", "matches", "einstein", "--ply", "3"],
    );
    assert!(
        text(&replay.stdout).contains("   3. First  d"),
        "{}",
        text(&replay.stdout)
    );

    let before = fs::read(out.join(gamelog::FILE_NAME)).expect("a log");
    let again = run(folder.path(), &["league", "league.toml"]);
    assert!(again.status.success());
    assert_eq!(
        fs::read(out.join(gamelog::FILE_NAME)).expect("a log"),
        before
    );

    let json = |arguments: &[&str]| {
        let output = run(folder.path(), &[arguments, &["--format", "json"]].concat());
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")
    };
    assert_eq!(
        json(&["league", "league.toml"]),
        json(&["standings", "matches/small"])
    );
    let beside = fs::read(out.join("standings.txt")).expect("tables");
    assert_eq!(beside, league.stdout, "text, whatever is printed");
    let entry = serde_json::to_value(&played[7]).expect("an entry");
    assert_eq!(json(&["replay", "matches", &played[7].id]), entry);
}

#[test]
fn games_of_a_pair_have_the_same_dice() {
    let folder = folder_with(LEAGUE);
    assert!(
        run(folder.path(), &["league", "league.toml", "--out", "out"])
            .status
            .success()
    );
    let games = games(&folder.path().join("out"));
    let einstein: Vec<&GameRecord> = games
        .iter()
        .filter(|game| game.game == "einstein")
        .collect();
    let mut pairs = 0;
    for game in &einstein {
        let names = (&game.second.name, &game.first.name);
        let twin = einstein
            .iter()
            .find(|other| (&other.first.name, &other.second.name) == names);
        let rolls = |game: &GameRecord| -> Vec<String> {
            let rolls = game.turns.iter().filter(|turn| turn.text.starts_with('d'));
            rolls.map(|turn| turn.text.clone()).collect()
        };
        let (rolls, twins) = (rolls(game), rolls(twin.expect("a twin")));
        let common = rolls.len().min(twins.len());
        assert!(common > 0);
        assert_eq!(rolls[..common], twins[..common]);
        pairs += 1;
    }
    assert_eq!(pairs, 6);
}

#[test]
fn a_stopped_or_killed_league_resumes() {
    // Enough games that a signal after three of them comes before the last, on a busy machine too.
    let text = LEAGUE
        .replace("nodes = 50", "nodes = 300")
        .replace("concurrency = 2", "concurrency = 2\nrounds = 6");
    let folder = folder_with(&text);
    let out = folder.path().join("matches/small");
    let log = out.join(gamelog::FILE_NAME);
    for signal in [Signal::INT, Signal::KILL] {
        let lines = || fs::read(&log).map_or(0, |log| log.iter().filter(|&&b| b == b'\n').count());
        let before = lines();
        // The tests themselves may run in the background of a script, which ignores Ctrl-C.
        let mut league = Command::new("env")
            .args(["--default-signal=INT", REFEREE, "league", "league.toml"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let patience = Instant::now() + Duration::from_secs(60);
        while lines() < before + 3 {
            assert!(Instant::now() < patience, "no game in a minute");
            std::thread::sleep(Duration::from_millis(2));
        }
        kill_process(Pid::from_child(&league), signal).expect("it runs");
        assert!(!league.wait().expect("it ends").success());
        if signal == Signal::INT {
            let mut stderr = String::new();
            let pipe = league.stderr.as_mut().expect("a pipe");
            std::io::Read::read_to_string(pipe, &mut stderr).expect("text");
            assert!(
                stderr.ends_with("To resume: referee league league.toml\n"),
                "{stderr}"
            );
        }
    }
    // A kill in the middle of a write leaves an incomplete line.
    let mut bytes = fs::read(&log).expect("a log");
    bytes.extend(b"{\"schema\":1,\"id\":\"hex-");
    fs::write(&log, &bytes).expect("the log is written");
    let league = run(folder.path(), &["league", "league.toml"]);
    assert!(league.status.success());
    let stderr = std::str::from_utf8(&league.stderr).expect("UTF-8");
    assert!(stderr.contains("broken last line, moved to"), "{stderr}");
    let games = games(&out);
    assert_eq!((games.len(), ids(&games).len()), (216, 216));
    assert!(run(folder.path(), &["verify", "matches"]).status.success());
}

#[test]
fn a_league_goes_on_when_nobody_reads_its_messages() {
    let folder = folder_with(LEAGUE);
    let mut league = referee(folder.path(), &["league", "league.toml", "--out", "out"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(league.stderr.take());
    assert!(league.wait().expect("it ends").success());
    assert_eq!(games(&folder.path().join("out")).len(), 36);
}

#[test]
fn fixed_nodes_and_one_thread_are_reproducible() {
    let folder = folder_with(LEAGUE);
    let turns = |out: &str| {
        assert!(
            run(folder.path(), &["league", "league.toml", "--out", out])
                .status
                .success()
        );
        let games = games(&folder.path().join(out));
        let turns = |game: GameRecord| {
            let turns = game
                .turns
                .into_iter()
                .map(|turn| turn.text)
                .collect::<Vec<_>>();
            (game.id, turns.join(" "))
        };
        games.into_iter().map(turns).collect::<BTreeSet<_>>()
    };
    assert_eq!(turns("one"), turns("two"));
}

#[test]
fn engines_that_do_not_start_or_answer_lose() {
    let text = r#"
        league = { name = "x", games = ["hex"] }
        clock = { nodes = 10 }
        variant.hex = { size = 3 }
        engine = [
            { name = "random", builtin = "random" },
            { name = "dies", command = ["false"] },
            { name = "broken", command = ["./broken"] },
        ]
    "#;
    let folder = folder_with(text);
    // Executable, but in no executable format.
    let broken = folder.path().join("broken");
    fs::write(&broken, b"\x7fELF nonsense").expect("the file is written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&broken, mode).expect("the file is there");
    let league = run(
        folder.path(),
        &["league", "league.toml", "--anyway", "--out", "out"],
    );
    assert!(league.status.success());
    let games = games(&folder.path().join("out"));
    assert_eq!(games.len(), 6);
    for game in &games {
        assert_ne!(game.reason, Reason::Rules, "{}: {}", game.id, game.detail);
    }
    let verify = run(folder.path(), &["verify", "out"]);
    assert_eq!(
        std::str::from_utf8(&verify.stdout),
        Ok("6 games: 6 valid, 0 faulty\n")
    );
}

#[test]
fn nothing_is_played_from_a_bad_file() {
    for (from, to, expected) in [
        (
            "[clock]",
            "[clok]",
            "league.toml:8: unknown field `clok`, expected one of ",
        ),
        (
            "\"pvs\"\noptions",
            "\"fish\"\noptions",
            "league.toml:34: builtin \"fish\", expected ",
        ),
        (
            "\"hex\"",
            "\"chess\"",
            "league.toml:5: game \"chess\", expected one of amazons, ",
        ),
        (
            "\"60s\"",
            "\"-60s\"",
            "league.toml:12: base -1m, expected a time above 0",
        ),
        (
            "nodes = 50",
            "nodes = \"x\"",
            "league.toml:9: invalid type: string \"x\", expected u64",
        ),
    ] {
        let folder = folder_with(&LEAGUE.replacen(from, to, 1));
        let league = run(folder.path(), &["league", "league.toml"]);
        assert_eq!(league.status.code(), Some(2));
        let stderr = text(&league.stderr);
        assert!(stderr.starts_with(expected), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }
}

#[test]
fn engines_take_over_where_an_opening_ends() {
    let openings = "[openings]\nhex = { file = \"hex.txt\" }\neinstein = { file = \"einstein.txt\" }\n\
                    dots-and-boxes = { random_plies = 2 }\n\n[[engine]]";
    let folder = folder_with(&LEAGUE.replacen("[[engine]]", openings, 1));
    let file = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("the file is written");
    };
    file(
        "hex.txt",
        "fen 4/1r2/4/4 b\nfen 4/1r2/4/4 b moves d4\na1 b2\n",
    );
    file("einstein.txt", "R:653214 B:123456  # layouts\n");
    let league = run(folder.path(), &["league", "league.toml", "--out", "out"]);
    assert!(league.status.success(), "{}", text(&league.stderr));
    let games = games(&folder.path().join("out"));
    for game in &games {
        assert_eq!(game.reason, Reason::Rules, "{}: {}", game.id, game.detail);
    }
    let openings = |id: &str| -> BTreeSet<&str> {
        games
            .iter()
            .filter(|game| game.game == id)
            .map(|game| &*game.opening)
            .collect()
    };
    assert_eq!(
        openings("hex").len(),
        3,
        "three pairs of engines, three openings"
    );
    assert_eq!(openings("einstein"), BTreeSet::from(["R:653214 B:123456"]));
    assert_eq!(openings("dots-and-boxes").len(), 3);
    let verify = run(folder.path(), &["verify", "out"]);
    assert_eq!(text(&verify.stdout), "36 games: 36 valid, 0 faulty\n");
}

/// A league of many short games, under `nohup` if `wrapped`, whose terminal goes after its first game.
/// Returns its exit status, its standard error, and the number of games in its log.
fn hung_up(wrapped: bool, rounds: usize) -> (Option<i32>, String, usize) {
    let folder = folder_with(&format!(
        "[league]\nrounds = {rounds}\nname = \"long\"\ngames = [\"hex\"]\n[clock]\nmove = \"60s\"\n\
         [variant.hex]\nsize = 2\n[[engine]]\nname = \"a\"\nbuiltin = \"random\"\n\
         keep = true\n[[engine]]\nname = \"b\"\nbuiltin = \"random\"\nkeep = true\n"
    ));
    let mut command = if wrapped {
        Command::new("nohup")
    } else {
        // The tests themselves may run under `nohup`.
        let mut command = Command::new("env");
        command.arg("--default-signal=HUP");
        command
    };
    let referee = (command.args([REFEREE, "league", "league.toml", "--out", "out"]))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let log = folder.path().join("out").join(gamelog::FILE_NAME);
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&log).map_or(0, |log| log.len()) == 0 {
        assert!(Instant::now() < deadline, "no game has ended");
        std::thread::sleep(Duration::from_millis(2));
    }
    kill_process(Pid::from_child(&referee), Signal::HUP).expect("it is not reaped");
    let output = referee.wait_with_output().expect("it ends");
    let games = games(&folder.path().join("out")).len();
    (output.status.code(), text(&output.stderr).to_owned(), games)
}

#[test]
fn a_league_outlives_its_terminal_under_nohup() {
    let (status, said, games) = hung_up(true, 500);
    assert_eq!((status, games), (Some(0), 1000), "{said}");
    // Fifty times as many games: the signal comes first on a busy machine, too.
    let (status, said, games) = hung_up(false, 25_000);
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("hung up; stopping after the games in progress"),
        "{said}"
    );
    assert!((1..50_000).contains(&games), "{games}");
}

/// Ctrl-Z stops the referee and not the engines, whose clocks count the pause.
#[test]
fn a_game_in_which_the_referee_was_paused_is_void() {
    let engine = env!("CARGO_BIN_EXE_test-engine");
    let folder = folder_with(&format!(
        "league = {{ name = \"x\", games = [\"hex\"] }}\nclock = {{ base = \"60s\" }}\n\
         variant.hex = {{ size = 3 }}\n\
         engine = [{{ name = \"late\", command = [\"{engine}\", \"late\", \"1\"] }}, \
         {{ name = \"b\", builtin = \"random\" }}]\n"
    ));
    let trace = folder.path().join("trace");
    let referee = referee(
        folder.path(),
        &["league", "league.toml", "--anyway", "--trace", "trace"],
    )
    .stdout(Stdio::null())
    .stderr(Stdio::piped())
    .spawn()
    .expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    let asked = || fs::read_to_string(&trace).is_ok_and(|text| text.contains(" > go"));
    while !asked() {
        assert!(Instant::now() < deadline, "no engine has been asked");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The answer takes two seconds.
    let id = Pid::from_child(&referee);
    kill_process(id, Signal::STOP).expect("it runs");
    std::thread::sleep(Duration::from_secs(3));
    kill_process(id, Signal::CONT).expect("it runs");
    let output = referee.wait_with_output().expect("it ends");
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("is void and begins again"), "{said}");
    let games = games(&folder.path().join("matches/x"));
    assert_eq!(games.len(), 2);
}
