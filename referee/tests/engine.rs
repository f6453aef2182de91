//! The built-in engines as a referee meets them: every game, every algorithm, both protocols.

mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::builtin::Engine;
use referee::task::Protocol;

#[test]
fn ugi_engines_answer_at_any_time_and_end_with_their_input() {
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

#[test]
fn a_second_go_ends_the_first_and_neither_outlives_the_input() {
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
            "dfpn does not fit surakarta, which can repeat a position",
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

/// The fastest of a few, as a busy machine may hold up any of them.
#[test]
fn stop_is_answered_within_ten_milliseconds() {
    for game in catalog::GAMES {
        for algorithm in ["pvs", "mcts"] {
            let mut engine = Engine::start(game.id(), &["--algorithm", algorithm]);
            engine.send("isready");
            engine.expect("readyok");
            let fastest = (0..10)
                .map(|_| {
                    engine.send("go infinite");
                    std::thread::sleep(Duration::from_millis(30));
                    let asked = Instant::now();
                    engine.send("stop");
                    engine.expect("bestmove ");
                    asked.elapsed()
                })
                .min()
                .expect("it was asked");
            assert!(
                fastest < Duration::from_millis(10),
                "{} {algorithm}: {fastest:?}",
                game.id()
            );
            engine.close();
        }
    }
}

#[test]
fn malformed_lines_get_an_info_string_and_no_death() {
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

/// Equal searches on one thread are equal, whatever was searched before.
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

/// As under a platform that does not keep it.
#[test]
fn a_closed_standard_error_costs_no_game() {
    let arguments = ["--protocol", "sau", "--algorithm", "greedy"];
    let mut engine = Engine::start("hex", &arguments);
    engine.send("chatter");
    engine.send("new red");
    engine.expect("move ");
    engine.close();
}

/// As from a platform that is as sloppy as some engines are.
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
    for turn in ["MOVE jj\r", "move aaac \r"] {
        engine.send(turn);
        let answer = engine.expect("move ");
        let stones = &answer["move ".len()..];
        assert!(stones.len() == 4 && stones.bytes().all(|byte| byte.is_ascii_uppercase()));
    }
    engine.send("END\r");
    engine.send("Quit\r");
    engine.close();
}

/// Under a platform that refuses legal turns, as one with another idea of the position does.
#[test]
fn a_refused_turn_of_sau_is_answered_with_another() {
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
        while state.outcome().is_none() && turns < 6 {
            if state.roll_due() {
                state.roll(3).expect("a roll is due");
                engine.send("dice 3");
                other.send("dice 3");
            }
            let is_engine = state.side() == engine_core::Side::First;
            let (mover, waiter) = if is_engine {
                (&mut engine, &mut other)
            } else {
                (&mut other, &mut engine)
            };
            let mut answers = vec![mover.expect("move ")];
            // A layout, or any move that is not forced, has two others.
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
        // Who is not to move has nothing to take back.
        assert_eq!(engine.unexpected(), [""; 0]);
        for engine in [engine, other] {
            engine.close();
        }
    }
}

/// A forced turn is the answer again, as there is no other.
#[test]
fn a_refused_turn_that_is_forced_is_played_again() {
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
    // Of a game that is over nothing is taken back, and it does not come to life again.
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
