//! Monte-Carlo tree search against exact chances of winning in endgames.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use einstein::{Colour, Einstein};
use engine_core::mcts::{Mcts, Variant};
use engine_core::{Limits, Notation, Position, Report, Search};
use entry::Game;

/// A square of the table, row by row from the top left; `-` for -1.
fn square_name(square: i32) -> String {
    match square {
        -1 => "-".to_string(),
        _ => format!("{}{}", (b'a' + (square % 5) as u8) as char, 5 - square / 5),
    }
}

/// The position with the mover's pieces on these squares, heading for square 24, and the
/// opponent's, heading for 0. The mover is red.
fn position(mover: &str, opponent: &str) -> Einstein {
    let squares = |text: &str| {
        text.split_whitespace()
            .map(|square| square_name(square.parse().unwrap()))
            .collect::<Vec<_>>()
            .join(",")
    };
    let text = format!("R:{} B:{} R roll", squares(mover), squares(opponent));
    Einstein::new(Colour::Red).parse_position(&text).unwrap()
}

/// The endgames with the mover's chance of winning before its roll.
fn table() -> Vec<(Einstein, f64)> {
    let rows = include_str!("data/einstein-values.txt").lines();
    rows.filter(|row| !row.starts_with('#'))
        .map(|row| {
            let [mover, opponent, value] = row.split('|').collect::<Vec<_>>()[..] else {
                panic!("{row}");
            };
            (position(mover, opponent), value.trim().parse().unwrap())
        })
        .collect()
}

/// The chance of winning that a report tells.
fn chance(report: &Report<<Einstein as Position>::Move>) -> f64 {
    let score = report.score;
    match (score.plies_to_win(), score.plies_to_loss()) {
        (Some(_), _) => 1.0,
        (_, Some(_)) => 0.0,
        _ => 0.5 + score.value() as f64 / 2000.0,
    }
}

/// The chance before the roll, by a search after each roll, and whether all were proven.
fn searched(start: &Einstein, variant: Variant, playouts: u64) -> (f64, bool) {
    let players = vec![(start.evaluator(), start.playout())];
    let settings = variant.settings(&Einstein::settings());
    let mut player = Mcts::new(players, &settings, 64, 1).unwrap();
    let mut rolls = Vec::new();
    start.rolls(&mut rolls);
    let (mut sum, mut proven) = (0.0, true);
    for (face, weight) in rolls {
        let mut position = start.clone();
        position.play_roll(face);
        player.new_game();
        let report = player.search(&position, &Limits::nodes(playouts), &mut |_| {});
        proven &= report.nodes < playouts;
        sum += weight as f64 * chance(&report);
    }
    (sum / 6.0, proven)
}

/// What is proven is the exact expectation, to the thousandth that a score tells; what is not is a
/// mean over a tree that still explores, and near; the game's own settings explore little.
#[test]
fn endgames_are_within_their_interval() {
    let mut all_proven = 0;
    for (variant, near) in [(Variant::Uct, 0.05), (Variant::Tuned, 0.15)] {
        for (position, value) in table() {
            let (found, proven) = searched(&position, variant, 400_000);
            let tolerance = if proven { 0.002 } else { near };
            assert!(
                (found - value).abs() < tolerance,
                "{variant:?}, proven {proven}: {found} for {value}: {}",
                position.write_position()
            );
            all_proven += proven as u32;
        }
    }
    assert!(all_proven >= 100, "{all_proven}");
}
