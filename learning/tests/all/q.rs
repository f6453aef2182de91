//! Q-learning until play is exact, held against plain searches of the whole game.

use std::collections::HashMap;

use dots_and_boxes::DotsAndBoxes;
use einstein::{Colour, Einstein};
use engine_core::{Notation, Outcome, Position, Side};
use game::Game;
use learning::{QLearner, QSettings, Schedule};
use tic_tac_toe::TicTacToe;

/// The exact expected result of an unfinished position for its side to act, or for the side that acts
/// after the roll: expectimax over the whole game.
fn exact<P: Position>(position: &mut P, known: &mut HashMap<u64, f64>) -> f64 {
    let side = position.side();
    match position.outcome() {
        Some(Outcome::Draw) => return 0.0,
        Some(Outcome::Win(winner)) => return if winner == side { 1.0 } else { -1.0 },
        None => {}
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let value = if position.is_chance() {
        (1..=P::FACES)
            .map(|face| {
                position.play_roll(face);
                let value = exact(position, known);
                position.undo_roll(face);
                value / f64::from(P::FACES)
            })
            .sum()
    } else {
        let mut best = f64::NEG_INFINITY;
        for mv in position.legal_moves() {
            let undo = position.play(mv);
            let after = exact(position, known);
            best = best.max(if position.side() == side {
                after
            } else {
                -after
            });
            position.undo(mv, undo);
        }
        best
    };
    known.insert(position.key(), value);
    value
}

/// The rules and the die are known, so that targets need no average.
const EXACT: Schedule = Schedule::Constant(1.0);

fn learner(rate: Schedule, exploration: Schedule, seed: u64) -> QLearner {
    QLearner::new(QSettings { rate, exploration }, seed).expect("numbers in their ranges")
}

/// Learns a game from its start, and checks that the play of both sides is exact.
fn check_play<P: Position>(start: &P, rate: Schedule, episodes: u64) {
    let mut learner = learner(rate, Schedule::Linear(1.0, 0.5, episodes), 1);
    for _ in 0..episodes {
        learner.episode(start.clone());
    }
    let value = exact(&mut start.clone(), &mut HashMap::new());
    for own in Side::BOTH {
        let result = learner.worst(start, own).expect("a small game");
        let expected = if own == start.side() { value } else { -value };
        assert_eq!(
            result,
            expected,
            "{own:?}, {} positions",
            learner.positions()
        );
    }
}

#[test]
fn tic_tac_toe_is_never_lost() {
    let start = TicTacToe::start(&Default::default()).unwrap();
    let falling = Schedule::Harmonic {
        first: 0.5,
        half: 100.0,
    };
    check_play(&start, falling, 20_000);
}

#[test]
fn small_boards_of_dots_and_boxes_are_played_exactly() {
    for (variant, episodes) in [
        (r#"{"columns": 2, "rows": 2}"#, 100_000),
        (r#"{"columns": 3, "rows": 2}"#, 300_000),
    ] {
        let variant = serde_json::from_str(variant).unwrap();
        check_play(&DotsAndBoxes::start(&variant).unwrap(), EXACT, episodes);
    }
}

/// All endings of EinStein in which each colour has pieces of these numbers, before either colour's
/// roll, each with the number of steps to the goals.
fn endings(numbers: [&[usize]; 2]) -> Vec<(usize, Einstein)> {
    let mut endings = Vec::new();
    let count = numbers.concat().len();
    for index in 0..25_usize.pow(count as u32) {
        let squares = (0..count).map(|piece| (index / 25_usize.pow(piece as u32)) % 25);
        let mut squares = squares.map(|square| [square % 5, square / 5]);
        let mut steps = 0;
        let mut army = |numbers: &[usize], goal: [usize; 2]| {
            let mut text = vec!["-".to_owned(); 6];
            for (&number, [column, row]) in numbers.iter().zip(&mut squares) {
                steps += goal[0].abs_diff(column) + goal[1].abs_diff(row);
                text[number - 1] = format!("{}{}", char::from(b'a' + column as u8), 1 + row);
            }
            text.join(",")
        };
        let (red, blue) = (army(numbers[0], [4, 0]), army(numbers[1], [0, 4]));
        for colour in ["R", "B"] {
            let text = format!("R:{red} B:{blue} {colour} roll");
            // Two pieces on one square, or one that has arrived, are no position in play.
            if let Ok(position) = Einstein::new(Colour::Red).parse_position(&text)
                && position.outcome().is_none()
            {
                endings.push((steps, position));
            }
        }
    }
    endings
}

#[test]
fn endings_of_einstein_have_their_exact_values() {
    let mut all = Vec::new();
    for red in [&[2][..], &[5], &[2, 5]] {
        for blue in [&[3][..], &[4], &[3, 4]] {
            all.extend(endings([red, blue]));
        }
    }
    // What an ending can become comes before it.
    all.sort_by_key(|&(steps, _)| steps);
    let mut learner = learner(EXACT, Schedule::Constant(1.0), 2);
    for (_, ending) in &all {
        learner.episode(ending.clone());
    }
    let mut known = HashMap::new();
    for (_, mut ending) in all {
        let exact = exact(&mut ending, &mut known);
        let learned = learner.value(&ending);
        let text = ending.write_position();
        assert!(
            (learned - exact).abs() < 0.01,
            "{text}: {learned}, expected {exact}"
        );
    }
}

#[test]
fn one_seed_gives_one_table() {
    let start = TicTacToe::start(&Default::default()).unwrap();
    let learn = |seed| {
        let mut learner = learner(EXACT, Schedule::Constant(0.3), seed);
        (0..500).for_each(|_| learner.episode(start.clone()));
        let (mv, value) = learner.best(&mut start.clone()).unwrap();
        (learner.positions(), start.write_move(mv), value)
    };
    assert_eq!(learn(1), learn(1));
    assert_ne!(learn(1), learn(2));
}

#[test]
fn settings_that_learn_nothing_are_refused() {
    let rate = |rate| QSettings {
        rate: Schedule::Constant(rate),
        exploration: Schedule::Constant(0.1),
    };
    for wrong in [0.0, -1.0, 1.5, f64::NAN] {
        assert!(QLearner::new(rate(wrong), 1).is_err(), "{wrong}");
    }
    let exploration = QSettings {
        exploration: Schedule::Linear(1.0, -0.5, 10),
        ..rate(0.5)
    };
    assert!(QLearner::new(exploration, 1).is_err());
}

#[test]
fn a_learner_that_goes_on_ends_as_one_that_was_not_interrupted() {
    let start = TicTacToe::start(&Default::default()).unwrap();
    let new = || learner(Schedule::Constant(0.3), Schedule::Linear(1.0, 0.1, 500), 3);
    let (mut whole, mut part) = (new(), new());
    for episode in 0..600 {
        whole.episode(start.clone());
        if episode == 250 {
            let state = part.state();
            part = new();
            part.restore(state);
        }
        part.episode(start.clone());
    }
    assert_eq!(part.state(), whole.state());
    assert_eq!((whole.episodes(), part.episodes()), (600, 600));
}
