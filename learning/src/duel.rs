//! Pairs of games between two settings of an engine.

use engine_core::players::NoPlayer;
use engine_core::{Limits, Rng, Search, Settings, Side, StopFlag};
use game::Searched;

use crate::contest::contest;
use crate::environment::{Player, of_side, opening, player};

/// Plays two games between two settings of an engine with sides exchanged. Returns the points of the
/// first in each.
pub(crate) fn pair<G: Searched>(
    start: &G,
    settings: &[Settings; 2],
    searched: Player,
    random_actions: [u32; 2],
    seed: u64,
) -> Result<[f32; 2], NoPlayer> {
    let mut rng = Rng::new(seed);
    let opening = opening(start, random_actions, &mut rng);
    let dice = rng.next_u64();
    let mut players = [
        player(start, searched, &settings[0], 1)?,
        player(start, searched, &settings[1], 1)?,
    ];
    Ok(Side::BOTH.map(|side| {
        players.iter_mut().for_each(|player| player.new_game());
        let [one, other] = &mut players;
        let seats: [&mut dyn Search<G>; 2] = match side {
            Side::First => [&mut **one, &mut **other],
            Side::Second => [&mut **other, &mut **one],
        };
        let limits = || Limits::nodes(searched.nodes);
        let mut dice = Rng::new(dice);
        let points = contest(
            opening.clone(),
            seats,
            limits,
            &mut dice,
            &StopFlag::default(),
        );
        of_side(side, points.expect("nothing stops it"))
    }))
}
