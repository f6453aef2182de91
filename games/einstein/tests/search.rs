//! Monte-Carlo tree search against exact chances of winning in endgames.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

mod values;

use einstein::Einstein;
use engine_core::mcts::{Mcts, Variant};
use engine_core::{Limits, Notation, Position, Report, Search};
use entry::Game;
use values::table;

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
