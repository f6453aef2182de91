//! Unusual questions to every algorithm in a process of its own: each must get an answer, either a
//! legal turn or a message.

use std::time::{Duration, Instant};

use catalog::{AnyMatch, Match};
use engine_core::Named;
use engine_core::{Algorithm, Rng};

use crate::common::builtin::Engine;

/// A game, its variant, and the turns and rolls that lead to a position with a player to move.
struct Case {
    game: &'static str,
    variant: &'static str,
    words: &'static str,
}

/// One game without dice, one with.
const CASES: [Case; 2] = [
    Case {
        game: "hex",
        variant: "{\"size\": 3}",
        words: "a1",
    },
    Case {
        game: "einstein",
        variant: "{}",
        words: "R:123456 B:123456 d3",
    },
];

impl Case {
    fn start(&self) -> Box<dyn AnyMatch> {
        let rules = catalog::find(self.game).expect("a game of the catalogue");
        let variant = serde_json::from_str(self.variant).expect("JSON");
        rules.start(&variant).expect("a variant of the game")
    }

    fn engine(&self, algorithm: &str) -> Engine {
        let arguments = [
            "--variant",
            self.variant,
            "--algorithm",
            algorithm,
            "--table-mb",
            "4",
        ];
        Engine::start(self.game, &arguments)
    }

    /// Asks for a turn after `words` and plays it, which checks that it is legal.
    fn ask(&self, engine: &mut Engine, words: &str, go: &str) {
        let mut game = self.start();
        game.play_words(words).expect("a position of the game");
        engine.send(&format!("position startpos moves {words}"));
        engine.send(go);
        let answer = engine.expect("bestmove ");
        let turn = &answer["bestmove ".len()..];
        if let Err(error) = game.play_turn(turn) {
            panic!("{} after {words:?}, {go}: {answer}: {error}", self.game);
        }
    }

    /// The names of the algorithms that play this game.
    fn algorithms(&self) -> Vec<&'static str> {
        let rules = catalog::find(self.game).expect("a game of the catalogue");
        let fits = |known: &&Named| rules.fits(known.algorithm).is_ok();
        let fitting = Algorithm::ALL.iter().filter(fits);
        fitting.map(|known| known.name).collect()
    }

    /// Plays random games until `wanted` holds. Returns the turns and rolls that lead there.
    fn find(&self, wanted: impl Fn(&dyn Match) -> bool) -> String {
        let mut rng = Rng::new(1);
        for _ in 0..10_000 {
            let (mut game, mut words) = (self.start(), Vec::new());
            loop {
                if wanted(&*game) {
                    return words.join(" ");
                }
                if game.outcome().is_some() {
                    break;
                }
                let actions = game.actions();
                let word = actions[rng.below(actions.len() as u32) as usize].clone();
                game.play_words(&word).expect("a legal action");
                words.push(word);
            }
        }
        panic!("no such position of {}", self.game);
    }
}

/// Calls `check` for every game and algorithm.
fn for_all(check: impl Fn(&Case, &str)) {
    for case in &CASES {
        for name in case.algorithms() {
            check(case, name);
        }
    }
}

#[test]
fn zero_limits_give_a_legal_turn() {
    for_all(|case, algorithm| {
        let mut engine = case.engine(algorithm);
        for go in [
            "go movetime 0",
            "go movetime -7",
            "go p1time 0 p2time 0",
            "go p1time 1 p2time 1 p1inc 0 p2inc 0",
            "go nodes 0",
            "go nodes 1",
            "go depth 0",
            "go depth 0 nodes 0 movetime 0",
        ] {
            case.ask(&mut engine, case.words, go);
        }
        engine.close();
    });
}

#[test]
fn a_finished_position_has_no_move_and_a_message() {
    for case in &CASES {
        let over = case.find(|game| game.outcome().is_some());
        for name in case.algorithms() {
            let mut engine = case.engine(name);
            engine.send(&format!("position startpos moves {over}"));
            for go in ["go movetime 5", "go depth 3", "go infinite"] {
                engine.send(go);
                let message = engine.expect("info string");
                assert_eq!(message, "info string the game is over");
                assert_eq!(engine.expect("bestmove"), "bestmove none", "{}", name);
            }
            engine.close();
        }
    }
}

#[test]
fn a_due_roll_is_reported() {
    let due = CASES[1].find(|game| game.roll_due());
    for name in CASES[1].algorithms() {
        let mut engine = CASES[1].engine(name);
        engine.send(&format!("position startpos moves {due}"));
        engine.send("go movetime 5");
        assert!(engine.expect("info string").contains("a roll is due"));
        assert_eq!(engine.expect("bestmove"), "bestmove none", "{}", name);
        engine.close();
    }
}

#[test]
fn a_single_legal_move_takes_no_time() {
    for case in &CASES {
        let single = case
            .find(|game| game.outcome().is_none() && !game.roll_due() && game.actions().len() == 1);
        for name in case.algorithms() {
            let mut engine = case.engine(name);
            let start = Instant::now();
            case.ask(&mut engine, &single, "go movetime 15000");
            case.ask(&mut engine, &single, "go p1time 900000 p2time 900000");
            let took = start.elapsed();
            assert!(took < Duration::from_secs(15), "{}: {took:?}", name);
            engine.close();
        }
    }
}

#[test]
fn engines_play_with_tables_of_any_size() {
    for_all(|case, algorithm| {
        let mut engine = case.engine(algorithm);
        for megabytes in [0, 1, 1 << 20] {
            engine.send(&format!("setoption name table_mb value {megabytes}"));
            engine.send("isready");
            engine.expect("readyok");
            case.ask(&mut engine, case.words, "go movetime 20");
            let trouble = engine.unexpected().concat().contains("no memory");
            assert_eq!(trouble, megabytes == 1 << 20, "{algorithm}");
        }
        engine.close();
    });
}

#[test]
fn engines_play_with_more_threads_than_cores() {
    for_all(|case, algorithm| {
        let mut engine = case.engine(algorithm);
        engine.send("setoption name threads value 1024");
        engine.send("isready");
        engine.expect("readyok");
        case.ask(&mut engine, case.words, "go movetime 20");
        let messages = engine.unexpected().concat();
        assert!(messages.contains("no cores for threads 1024"), "{messages}");
        engine.close();
    });
}

#[test]
fn an_unknown_algorithm_gets_the_list_of_known_ones() {
    let mut engine = CASES[0].engine("random");
    engine.send("setoption name algorithm value alphago");
    let message = engine.expect("info string");
    assert!(message.contains("\"alphago\""), "{message}");
    for name in CASES[0].algorithms() {
        assert!(message.contains(name), "{message}");
    }
    CASES[0].ask(&mut engine, CASES[0].words, "go depth 1");
    engine.close();
}
