//! A model against the evaluation made by hand.

use std::sync::Arc;

use engine_core::learned::Weights;
use engine_core::players::NoPlayer;
use engine_core::{Limits, Rng, Side};
use entry::Game;

use crate::environment::{Player, opening, player, random_event};

/// Plays two games with sides exchanged. Returns the model's points in each.
pub(crate) fn pair<G: Game>(
    start: &G,
    weights: &Arc<Weights>,
    settings: Player,
    random_actions: [u32; 2],
    seed: u64,
) -> Result<[f32; 2], NoPlayer> {
    let mut rng = Rng::new(seed);
    let opening = opening(start, random_actions, &mut rng);
    let dice = rng.next_u64();
    let mut players = [
        player(start, settings.algorithm, Some(weights), 1)?,
        player(start, settings.algorithm, None, 1)?,
    ];
    Ok(Side::BOTH.map(|learned| {
        players.iter_mut().for_each(|player| player.new_game());
        let mut rng = Rng::new(dice);
        let mut position = opening.clone();
        loop {
            if let Some(outcome) = position.outcome() {
                let points = outcome.points_of_first();
                break if learned == Side::First {
                    points
                } else {
                    1.0 - points
                };
            }
            if position.is_chance() {
                random_event(&mut position, &mut rng);
                continue;
            }
            let player = &mut players[usize::from(position.side() != learned)];
            let report = player.search(&position, &Limits::nodes(settings.nodes), &mut |_| {});
            let mv = report
                .pv
                .first()
                .expect("an unfinished position has a move");
            position.play(*mv);
        }
    }))
}
