//! A model against the evaluation made by hand.

use std::sync::Arc;

use engine_core::learned::Weights;
use engine_core::players::NoPlayer;
use engine_core::{Limits, Rng, Search, Side, StopFlag};
use entry::Game;

use crate::contest::contest;
use crate::environment::{Player, of_side, opening, player};

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
        let [model, made] = &mut players;
        let seats: [&mut dyn Search<G>; 2] = match learned {
            Side::First => [&mut **model, &mut **made],
            Side::Second => [&mut **made, &mut **model],
        };
        let limits = || Limits::nodes(settings.nodes);
        let mut dice = Rng::new(dice);
        let points = contest(
            opening.clone(),
            seats,
            limits,
            &mut dice,
            &StopFlag::default(),
        );
        of_side(learned, points.expect("nothing stops it"))
    }))
}
