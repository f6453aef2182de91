//! The built-in engines as processes: every game, every algorithm, UGI and SAU.

use std::process::{Command, Stdio};
use std::time::Duration;

use engine_core::{Algorithm, Method, Rng};
use serde_json::json;
use task::Protocol;

use crate::common::builtin::Engine;

#[test]
fn ugi_engines_answer_at_any_time_and_exit_at_end_of_input() {
    for game in catalog::GAMES {
        for known in engine_core::Algorithm::ALL {
            let algorithm = known.name;
            if game.fits(known.algorithm).is_err() {
                continue;
            }
            let mut engine = Engine::start(game.id(), &["--table-mb", "4"]);
            engine.send("ugi");
            assert!(engine.expect("id name").contains(game.name()));
            engine.expect("ugiok");
            engine.send(&format!("setoption name algorithm value {algorithm}"));
            engine.send("uginewgame");
            engine.send("isready");
            engine.expect("readyok");
            engine.send("position startpos");
            engine.send("go infinite");
            engine.send("isready");
            engine.expect("readyok");
            engine.send("stop");
            let best = engine.expect("bestmove ");
            engine.send(&format!(
                "position startpos moves {}",
                &best["bestmove ".len()..]
            ));
            engine.send("query p1turn");
            assert_eq!(engine.expect("response"), "response false", "{best}");
            engine.send("go infinite");
            engine.close();
        }
    }
}

/// A file that is gone, or another one, when the engine plays: it was read when its option was set.
#[test]
fn a_file_is_read_when_its_option_is_set_and_never_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("weights");
    let shipped = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../games/surakarta/weights/tuples-1"
    );
    let weights = path.to_str().expect("a path");
    std::fs::copy(shipped, &path).expect("a copy");
    let mut engine = Engine::start("surakarta", &["--table-mb", "1", "--weights", weights]);
    engine.send("ugi");
    engine.expect("ugiok");
    std::fs::remove_file(&path).expect("it is there");
    let mut value = |commands: &[&str]| {
        commands.iter().for_each(|command| engine.send(command));
        engine.send("uginewgame");
        engine.send("isready");
        engine.expect("readyok");
        engine.send("position startpos");
        engine.send("go depth 3");
        let said = engine.expect("info depth 3 ");
        assert_ne!(engine.expect("bestmove "), "bestmove none");
        let score = said.split(" nodes ").next().expect("the first part");
        score.to_owned()
    };
    let learned = value(&[]);
    assert_eq!(value(&["setoption name table_mb value 2"]), learned);
    // The same name again is no change, whatever the file is now.
    std::fs::write(&path, "something else").expect("a file");
    let again = format!("setoption name weights value {weights}");
    assert_eq!(value(&[&again]), learned);
    let by_hand = value(&["setoption name weights value none"]);
    assert_ne!(by_hand, learned);
    engine.send(&again);
    let refused = engine.expect("info string ");
    assert!(
        refused.contains("expected a file of learned weights"),
        "{refused}"
    );
}

/// Which moves a proof search leaves, and where the winner wins, in the words that pages mark.
#[test]
fn a_hex_engine_says_what_its_proof_search_knows() {
    let mut engine = Engine::start("hex", &["--table-mb", "4"]);
    engine.send("setoption name Variant value { size = 6 }");
    let mut remark = |moves: &str| {
        engine.send(&format!("position startpos moves {moves}"));
        engine.send("go nodes 10");
        let said = engine.expect("info string ");
        engine.expect("bestmove ");
        said
    };
    assert_eq!(remark("c4"), "info string must play c3");
    let won = remark("c3 d4");
    assert!(won.starts_with("info string wins within "), "{won}");
    let lost = remark("c3 d4 d3 b5");
    assert!(lost.starts_with("info string loses within "), "{lost}");
}

/// The best search opens with a fair stone where the other side may swap; other searches and an analysis
/// look for a stone themselves.
#[test]
fn a_hex_engine_opens_with_a_fair_stone_before_a_swap() {
    let mut engine = Engine::start("hex", &["--table-mb", "4"]);
    let mut opener = |option: &str, go: &str| {
        engine.send(&format!("setoption name {option}"));
        engine.send("position startpos");
        engine.send(go);
        if go == "go infinite" {
            engine.expect("info depth");
            engine.send("stop");
        }
        engine.expect("bestmove ");
        let lines = engine.unexpected();
        lines.into_iter().find(|line| line.contains("opener"))
    };
    let go = "go nodes 10";
    assert_eq!(opener("seed value 1", go), None);
    let said = opener(r#"Variant value { opening = "swap" }"#, go);
    let said = said.expect("a fair stone");
    assert!(said.starts_with("info string opener "), "{said}");
    assert!(
        (2..20).any(|seed| opener(&format!("seed value {seed}"), go).as_ref() != Some(&said)),
        "always {said}"
    );
    assert_eq!(opener("seed value 1", "go infinite"), None);
    assert_eq!(opener("algorithm value pvs", go), None);
}

#[test]
fn a_second_go_ends_the_first_and_end_of_input_ends_both() {
    let mut engine = Engine::start("hex", &["--table-mb", "4"]);
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("go infinite");
    engine.expect("bestmove ");
    engine.send("isready");
    engine.expect("readyok");
    engine.send("stop");
    engine.expect("bestmove ");
    engine.send("go infinite");
    engine.send("go infinite");
    engine.close();
}

#[test]
fn an_algorithm_that_does_not_fit_is_refused_with_the_reason() {
    for (game, algorithm, message) in [
        (
            "einstein",
            "pns",
            "pns does not fit einstein, which has dice",
        ),
        (
            "surakarta",
            "dfpn",
            "dfpn does not fit surakarta, which can repeat positions",
        ),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_referee"))
            .args(["engine", game, "--algorithm", algorithm])
            .stdin(Stdio::null())
            .output()
            .expect("the referee is built");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(message), "{error}");
        assert!(!output.status.success());

        let mut engine = Engine::start(game, &["--table-mb", "4"]);
        engine.send("ugi");
        let offered = engine.expect("option name algorithm");
        assert!(!offered.contains(algorithm), "{offered}");
        engine.send(&format!("setoption name algorithm value {algorithm}"));
        assert!(engine.expect("info string").contains(message));
        engine.send("go depth 1");
        assert_ne!(engine.expect("bestmove"), "bestmove none");
        engine.close();
    }
}

#[test]
fn an_endless_search_stops_when_told() {
    for game in catalog::GAMES {
        for algorithm in ["pvs", "mcts"] {
            let mut engine = Engine::start(game.id(), &["--algorithm", algorithm]);
            engine.send("isready");
            engine.expect("readyok");
            engine.send("go infinite");
            std::thread::sleep(Duration::from_millis(30));
            engine.send("stop");
            engine.expect("bestmove ");
            engine.close();
        }
    }
}

#[test]
fn malformed_lines_get_an_info_string() {
    for game in catalog::GAMES {
        let mut engine = Engine::start(game.id(), &["--algorithm", "greedy"]);
        for line in [
            "hello",
            "go depth x",
            "position",
            "position fen nonsense",
            "position startpos moves zz",
            "setoption name threads value 0",
            "setoption name no such option value 1",
            "setoption name Variant value { nonsense = 1 }",
            "setoption name Game value chess",
        ] {
            engine.send(line);
            engine.expect("info string");
        }
        engine.send("go depth 1");
        assert_ne!(engine.expect("bestmove"), "bestmove none");
        engine.send("quit");
        engine.close();
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let mut engine = Engine::start("hex", &["--variant", "{ size = 2 }"]);
    engine.send("position startpos moves a1 b1 a2");
    engine.send("query result");
    assert_eq!(engine.expect("response"), "response p1win");
    engine.send("go depth 3");
    assert_eq!(engine.expect("bestmove"), "bestmove none");
    engine.close();
}

/// Equal searches on one thread give equal results, whatever was searched before.
#[test]
fn a_new_game_forgets_the_last_one() {
    for algorithm in ["pvs", "mcts"] {
        for game in ["hex", "einstein", "dots-and-boxes"] {
            let mut engine = Engine::start(game, &["--algorithm", algorithm]);
            let mut answers = (0..3).map(|_| {
                engine.send("uginewgame");
                engine.send("position startpos");
                engine.send("go nodes 3000");
                engine.expect("bestmove")
            });
            let first = answers.next();
            assert!(
                answers.all(|answer| Some(&answer) == first.as_ref()),
                "{algorithm} {game}"
            );
        }
    }
}

/// Some platforms close standard error.
#[test]
fn a_closed_standard_error_costs_no_game() {
    let arguments = ["--protocol", "sau", "--algorithm", "greedy"];
    let mut engine = Engine::start("hex", &arguments);
    engine.send("chatter");
    engine.send("new red");
    engine.expect("move ");
    engine.close();
}

/// The platform says `black` and `white` in every game that it has; First is black.
#[test]
fn sau_engines_know_the_platform_s_words_and_the_colours_of_the_game() {
    let arguments = ["--protocol", "sau", "--algorithm", "greedy"];
    for game in catalog::GAMES {
        let words = [["black", "white"], game.sau_colours(), game.colours()];
        let mut engine = Engine::start(game.id(), &arguments);
        for [first, second] in words {
            engine.send(&format!("new {first}"));
            engine.expect("move ");
            engine.send("end");
            engine.send(&format!("new {second}"));
            engine.send("name?");
            assert_eq!(engine.expect(""), format!("name {}", game.id()));
            engine.send("end");
        }
        engine.close();
    }
}

/// Some platforms are as imprecise as some engines.
#[test]
fn sau_engines_read_leniently_and_write_strictly() {
    let arguments = ["--protocol", "sau", "--algorithm", "greedy"];
    let mut engine = Engine::start("connect6", &arguments);
    for question in ["name", "NAME?", "name?\r", "Name? \r"] {
        engine.send(question);
        assert_eq!(engine.expect("name"), "name connect6");
    }
    engine.send("\u{516d}\u{5b50}\u{68cb} 2.1\r");
    engine.send("New WHITE\r");
    for turn in ["MOVE jj\r", "move kkkl \r"] {
        engine.send(turn);
        let answer = engine.expect("move ");
        let stones = &answer["move ".len()..];
        assert!(stones.len() == 4 && stones.bytes().all(|byte| byte.is_ascii_uppercase()));
    }
    engine.send("END\r");
    engine.send("Quit\r");
    engine.close();
}

/// A platform may refuse a legal turn because it has a different position.
#[test]
fn a_refused_turn_in_sau_is_replaced_by_another() {
    for game in catalog::GAMES {
        let arguments = ["--protocol", "sau", "--move-time", "20", "--table-mb", "4"];
        let mut engine = Engine::start(game.id(), &arguments);
        let mut other = Engine::start(game.id(), &arguments);
        let colours = game.colours();
        engine.send("error");
        engine.send(&format!("new {}", colours[0]));
        other.send(&format!("new {}", colours[1]));
        let mut state = game
            .start(&serde_json::json!({}))
            .expect("the contest's rules");
        let mut turns = 0;
        // It ends where the engine waits: where it is to move, it may answer at any time.
        let first = engine_core::Side::First;
        while state.outcome().is_none() && (turns < 5 || state.side() == first) {
            if state.roll_due() {
                state.roll(3).expect("a roll is due");
                engine.send("dice 3");
                other.send("dice 3");
            }
            let (mover, waiter) = if state.side() == first {
                (&mut engine, &mut other)
            } else {
                (&mut other, &mut engine)
            };
            let mut answers = vec![mover.expect("move ")];
            // A layout, or a move that is not forced, has two alternatives.
            while state.actions().len() > 3 && answers.len() < 3 {
                mover.send("error");
                answers.push(mover.expect("move "));
            }
            let distinct: std::collections::HashSet<_> = answers.iter().collect();
            assert_eq!(distinct.len(), answers.len(), "{answers:?}");
            let answer = answers.last().expect("one");
            let turn = &answer["move ".len()..];
            state
                .play_turn_in(Protocol::Sau, turn)
                .unwrap_or_else(|error| panic!("{turn}: {error}"));
            waiter.send(answer);
            turns += 1;
        }
        // The side not to move has no turn to replace.
        assert_eq!(engine.unexpected(), [""; 0]);
        for engine in [engine, other] {
            engine.close();
        }
    }
}

/// A forced turn is repeated, because there is no other.
#[test]
fn a_refused_forced_turn_is_repeated() {
    let arguments = [
        "--protocol",
        "sau",
        "--move-time",
        "20",
        "--variant",
        "{ opening = { forced = \"C2\" } }",
    ];
    let mut engine = Engine::start("hex", &arguments);
    engine.send("new red");
    for _ in 0..3 {
        assert_eq!(engine.expect("move "), "move CB");
        engine.send("error");
    }
    engine.expect("move ");
    engine.send("end");
    // In a finished game no turn is replaced, and the game does not start again.
    engine.send("error");
    engine.send("name?");
    engine.expect("name ");
    assert_eq!(engine.unexpected(), [""; 0]);
    engine.close();
}

#[test]
fn sau_engines_play_a_whole_game_against_each_other() {
    for game in catalog::GAMES {
        let arguments = [
            "--protocol",
            "sau",
            "--algorithm",
            "greedy",
            "--move-time",
            "1",
        ];
        let mut engines = [(); 2].map(|()| Engine::start(game.id(), &arguments));
        let rules = serde_json::json!({});
        let mut state = game.start(&rules).expect("the contest's rules");
        for (engine, colour) in engines.iter_mut().zip(game.colours()) {
            engine.send("name?");
            assert_eq!(engine.expect("name"), format!("name {}", game.id()));
            engine.send(&format!("new {colour}"));
        }
        let mut face = 0;
        while state.outcome().is_none() {
            if state.roll_due() {
                face = face % state.faces() + 1;
                state.roll(face).expect("a roll is due");
                engines
                    .iter_mut()
                    .for_each(|engine| engine.send(&format!("dice {face}")));
            }
            let side = state.side();
            let answer = engines[side.index()].expect("move ");
            let turn = &answer["move ".len()..];
            state
                .play_turn_in(Protocol::Sau, turn)
                .unwrap_or_else(|error| panic!("{turn}: {error}"));
            engines[side.opponent().index()].send(&answer);
        }
        for mut engine in engines {
            engine.send("end");
            engine.send("quit");
            engine.close();
        }
    }
}

/// The words after a name in an `info` line.
fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    let mut words = info.split(' ').skip_while(|&word| word != name);
    words.nth(1)
}

/// The margin of a position of Dots and Boxes for its side to move, over all moves; 100 a box.
fn margin(position: &str) -> i32 {
    let request = catalog::Request {
        algorithm: Algorithm::Deepening(Method::Pvs).into(),
        depth: None,
        nodes: None,
        time: None,
        as_played: false,
        table_mb: 4,
        seed: 1,
    };
    let game = catalog::find("dots-and-boxes").expect("a game of the catalogue");
    let finding = game.search(&json!({}), position, &request);
    let steps = finding.expect("it can be searched").steps;
    steps.last().expect("a ply was searched").score.value()
}

/// A turn of several boxes is played to its end as its search has found it. The search ends when the
/// rest is solved, each report is one of the whole turn, and none has a score without a search.
#[test]
fn a_long_turn_keeps_what_its_first_search_has_found() {
    let game = catalog::find("dots-and-boxes").expect("a game of the catalogue");
    let mut rng = Rng::new(4);
    let mut long_turns = 0;
    for algorithm in ["pvs", "mcts"] {
        let mut engine = Engine::start("dots-and-boxes", &["--table-mb", "4"]);
        engine.send(&format!("setoption name algorithm value {algorithm}"));
        for _ in 0..25 {
            let mut start = game.start(&json!({})).expect("the contest's variant");
            while start.actions().len() > 13 {
                let actions = start.actions();
                let action = &actions[rng.below(actions.len() as u32) as usize];
                start.play_words(action).expect("a legal action");
            }
            engine.unexpected();
            engine.send(&format!("position fen {}", start.position()));
            engine.send("go movetime 10000");
            let best = engine.expect("bestmove ")["bestmove ".len()..].to_owned();
            let reports = engine.unexpected();
            let mut nodes = 0;
            for report in reports.iter().filter(|report| report.contains(" pv ")) {
                assert!(report.contains(" score "), "{report}");
                let now = field(report, "nodes").and_then(|nodes| nodes.parse().ok());
                assert!(now >= Some(nodes), "{reports:#?}");
                nodes = now.unwrap_or(0);
            }
            let last = reports.iter().rev().find(|report| report.contains(" pv "));
            let last = last.expect("there was a report");
            assert!(last.contains(&format!(" pv {best}")), "{best}: {last}");
            let expected = margin(&start.position());
            let (side, text) = (start.side(), start.position());
            start.play_turn(&best).expect("a legal turn");
            let found = match start.outcome() {
                // The margin of a game that is over is not asked for here.
                Some(_) => continue,
                None if start.side() == side => margin(&start.position()),
                None => -margin(&start.position()),
            };
            assert_eq!(found, expected, "{algorithm}: {best} at {text}");
            long_turns += (best.split(['+', ',']).count() > 2) as u32;
        }
    }
    assert!(long_turns > 5, "{long_turns}");
}
