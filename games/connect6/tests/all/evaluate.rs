//! The evaluation against brute force: decisive threats and incremental counts.

use connect6::{Connect6, Random, Stone, WindowEvaluator};
use engine_core::{Evaluator, Notation, Outcome, Playout, Position, Rng, Score, Side};

/// Above this value, the evaluation claims that threats have decided.
const DECIDED: i32 = 50_000;

fn position(text: &str) -> Connect6 {
    let size = text.matches('/').count() as u8 + 1;
    Connect6::new(size).parse_position(text).expect(text)
}

fn evaluate(position: &Connect6) -> i32 {
    let mut evaluator = WindowEvaluator::new(position.size());
    evaluator.reset(position);
    evaluator.evaluate(position).value()
}

/// Whether the side to move can win in this turn, by brute force.
fn wins_this_turn(position: &Connect6) -> bool {
    let side = position.side();
    position.legal_moves().into_iter().any(|stone| {
        let mut after = position.clone();
        after.play(stone);
        after.outcome() == Some(Outcome::Win(side))
            || (after.outcome().is_none() && after.side() == side && wins_this_turn(&after))
    })
}

/// Whether the enemy wins after every turn of the side to move, by brute force.
fn loses_next_turn(position: &Connect6) -> bool {
    let side = position.side();
    position.legal_moves().into_iter().all(|stone| {
        let mut after = position.clone();
        after.play(stone);
        match after.outcome() {
            Some(outcome) => outcome == Outcome::Win(side.opponent()),
            None if after.side() == side => loses_next_turn(&after),
            None => wins_this_turn(&after),
        }
    })
}

/// A board of `size` where most stones of a row are of one colour, so that threats are common.
/// `None` if a side has won.
fn crowded(size: u8, rng: &mut Rng) -> Option<Connect6> {
    let rows: Vec<String> = (0..size)
        .map(|_| {
            let owner = ["b", "w"][rng.below(2) as usize];
            let other = ["w", "b"][rng.below(2) as usize];
            let cells = [owner, owner, owner, owner, other, "1", "1", "1"];
            (0..size).map(|_| cells[rng.below(8) as usize]).collect()
        })
        .collect();
    let (side, left) = (["black", "white"][rng.below(2) as usize], 1 + rng.below(2));
    let rows = (2..=size as usize)
        .rev()
        .fold(rows.join("/"), |rows, empty| {
            rows.replace(&"1".repeat(empty), &empty.to_string())
        });
    let text = format!("{rows} {side} {left}");
    let position = Connect6::new(size).parse_position(&text).ok()?;
    position.outcome().is_none().then_some(position)
}

#[test]
fn decided_positions_are_those_that_brute_force_finds() {
    let mut rng = Rng::new(6);
    let mut seen = [0; 3];
    for _ in 0..2_000 {
        let Some(position) = crowded(6, &mut rng) else {
            continue;
        };
        // A board that fills up before the end of the enemy's turn cuts its threats short.
        if position.stones() > 32 {
            continue;
        }
        let value = evaluate(&position);
        let won = wins_this_turn(&position);
        let lost = !won && loses_next_turn(&position);
        let text = position.write_position();
        assert_eq!(value > DECIDED, won, "{text}");
        assert_eq!(value < -DECIDED, lost, "{text}");
        seen[if won {
            0
        } else if lost {
            1
        } else {
            2
        }] += 1;
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
}

#[test]
fn one_and_two_blocks_are_a_defence_and_three_are_needed_too_many() {
    let one = position("8/8/8/8/8/8/8/wbbbb3 white 2");
    let two = position("8/8/8/8/8/8/8/1w1bbbb1 white 2");
    assert!(evaluate(&one).abs() < DECIDED);
    assert!(evaluate(&two).abs() < DECIDED);
    let three = position("8/bbbb4/8/8/wwbbbb2/8/8/wbbbb3 white 2");
    assert!(evaluate(&three) < -DECIDED);
    let open_five = position("9/9/9/9/9/9/9/9/2bbbbb2 white 1");
    assert!(evaluate(&open_five) < -DECIDED);
    let first = position("9/9/9/9/9/9/9/9/2bbbb3 black 2");
    assert!(evaluate(&first) > DECIDED);
    let short = position("9/9/9/9/9/9/9/9/2bbbb3 black 1");
    assert!(evaluate(&short).abs() < DECIDED);
}

#[test]
fn push_and_pop_agree_with_reset() {
    let mut rng = Rng::new(9);
    for size in [6, 15, 19] {
        let mut position = Connect6::new(size);
        let mut evaluator = WindowEvaluator::new(size);
        evaluator.reset(&position);
        let mut played = Vec::new();
        while position.outcome().is_none() {
            assert_eq!(evaluator.evaluate(&position).value(), evaluate(&position));
            let back = rng.below(3) == 0 && !played.is_empty();
            if back {
                let stone = played.pop().unwrap();
                position.undo(stone, ());
                evaluator.pop();
            } else {
                let stone = Random::default().choose(&position, &mut rng);
                evaluator.push(&position, stone);
                position.play(stone);
                played.push(stone);
            }
        }
    }
}

#[test]
fn exchanged_colours_exchange_the_value() {
    let mut rng = Rng::new(4);
    let mut compared = 0;
    for _ in 0..200 {
        let Some(position) = crowded(10, &mut rng) else {
            continue;
        };
        let text = position.write_position();
        let (rows, turn) = text.split_once(' ').unwrap();
        let rows = rows.replace('b', "x").replace('w', "b").replace('x', "w");
        let turn = match position.side() {
            Side::First => turn.replace("black", "white"),
            Side::Second => turn.replace("white", "black"),
        };
        let other = position.parse_position(&format!("{rows} {turn}")).unwrap();
        assert_eq!(evaluate(&position), evaluate(&other), "{text}");
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn evaluations_are_never_proofs() {
    let won = position("9/9/9/9/9/9/9/9/bbbbb4 black 1");
    assert!(evaluate(&won) <= Score::MAX_EVAL.value());
    assert!(WindowEvaluator::new(9).probability(Score::points(evaluate(&won))) > 0.99);
}

fn candidates(position: &Connect6, limit: usize) -> Vec<Stone> {
    let mut evaluator = WindowEvaluator::new(position.size());
    evaluator.reset(position);
    let mut out = Vec::new();
    evaluator.candidates(position, limit, &mut out);
    out
}

#[track_caller]
fn check_candidates(text: &str, expected: &str) {
    let position = position(text);
    let mut found: Vec<String> = candidates(&position, 8)
        .iter()
        .map(|&stone| position.write_move(stone))
        .collect();
    found.sort();
    assert_eq!(found.join(" "), expected);
}

#[test]
fn candidates_win_or_block_where_that_is_all_there_is() {
    check_candidates("8/8/8/8/8/8/8/wbbbb3 black 2", "f1 g1");
    check_candidates("8/8/8/8/8/8/8/wbbbb3 white 2", "f1 g1");
    check_candidates("8/8/8/8/8/8/8/bbbbb3 white 1", "f1 g1");
}

#[test]
fn candidates_are_legal_and_there_are_always_some() {
    let mut rng = Rng::new(2);
    let mut position = Connect6::new(12);
    while position.outcome().is_none() {
        let stones = candidates(&position, 20);
        assert!((1..=60).contains(&stones.len()));
        assert!(stones.iter().all(|&stone| position.is_legal(stone)));
        position.play(Random::default().choose(&position, &mut rng));
    }
}
