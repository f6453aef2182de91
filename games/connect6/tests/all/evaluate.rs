//! The evaluation against brute force: decisive threats and incremental counts.

use connect6::evaluate::Weights;
use connect6::{Connect6, Random, Stone, WindowEvaluator};
use engine_core::{Evaluator, Notation, Outcome, Playout, Position, Rng, Score, Side};
use game::Written;

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

/// The stones of both sides in each six cells in a row, the side to move first, counted cell by
/// cell.
fn windows(position: &Connect6) -> Vec<[usize; 2]> {
    let size = i32::from(position.size());
    let mut cells = vec![None; (size * size) as usize];
    let placed = position.placed().expect("any stones can be set up");
    for (side, stones) in Side::BOTH.into_iter().zip(placed) {
        for stone in stones {
            let place = usize::from(stone.row()) * size as usize + usize::from(stone.column());
            cells[place] = Some(side);
        }
    }
    let mut windows = Vec::new();
    for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let line = (0..6).map(|step| (row + down * step, column + right * step));
            let is_inside = |&(row, column): &(i32, i32)| {
                (0..size).contains(&row) && (0..size).contains(&column)
            };
            if line.clone().all(|cell| is_inside(&cell)) {
                let owners: Vec<_> = line
                    .map(|(row, column)| cells[(row * size + column) as usize])
                    .collect();
                let count = |side| owners.iter().filter(|&&owner| owner == Some(side)).count();
                let side = position.side();
                windows.push([count(side), count(side.opponent())]);
            }
        }
    }
    windows
}

/// With any weights, the value of a position without threats is the sum over its open windows, and
/// the points of the stones left.
#[test]
fn quiet_values_are_sums_over_open_windows() {
    let mut rng = Rng::new(9);
    let mut seen = 0;
    for size in [6, 9, 19] {
        for _ in 0..60 {
            let values: Vec<f64> = Weights::PARAMETERS
                .iter()
                .map(|weight| {
                    let share = f64::from(rng.below(1 << 16)) / f64::from(1 << 16);
                    // Windows are counted in sixteenths of a point.
                    ((weight.min + share * (weight.max - weight.min)) * 16.0).round() / 16.0
                })
                .collect();
            let mut evaluator = WindowEvaluator::with(size, Weights::of(&values));
            let mut position = Connect6::new(size);
            let mut random = Random::default();
            evaluator.reset(&position);
            for _ in 0..rng.below(40).min(u32::from(size) * 2) {
                let windows = windows(&position);
                let is_quiet =
                    |&[own, enemy]: &[usize; 2]| own.min(enemy) > 0 || own.max(enemy) < 4;
                if position.outcome().is_some() || !windows.iter().all(is_quiet) {
                    break;
                }
                let left = position.stones_left() as usize;
                let (begin, last) = values.split_at(9);
                let values = if left == 2 { begin } else { last };
                let points = windows.iter().map(|&[own, enemy]| match (own, enemy) {
                    (1.., 0) => values[own - 1],
                    (0, 1..) => -values[2 + enemy],
                    _ => 0.0,
                });
                let free = values[6 + left];
                let expected = (points.sum::<f64>() + free).round_ties_even() as i32;
                assert_eq!(
                    evaluator.evaluate(&position).value(),
                    expected,
                    "{values:?}"
                );
                seen += 1;
                let stone = random.choose(&position, &mut rng);
                evaluator.push(&position, stone);
                position.play(stone);
            }
        }
    }
    assert!(seen > 2_000, "{seen}");
}
