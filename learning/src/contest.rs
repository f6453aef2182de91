//! A game between two players of this process: what learners and tuners play by the thousand. A
//! league has every check of the referee; here both players are our own searches.

use engine_core::{Limits, Position, Rng, Search, StopFlag};

use crate::environment::roll;

/// Plays a game from a position to its end. The players are those of `First` and of `Second`, and
/// every action is searched within `limits`. Returns the points of `First`; `None` if `stop` ended
/// the game.
pub fn contest<P: Position>(
    mut position: P,
    players: [&mut dyn Search<P>; 2],
    limits: impl Fn() -> Limits,
    dice: &mut Rng,
    stop: &StopFlag,
) -> Option<f32> {
    loop {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.points_of_first());
        }
        if stop.is_set() {
            return None;
        }
        if position.is_chance() {
            roll(&mut position, dice);
            continue;
        }
        let mut limits = limits();
        limits.stop = stop.child();
        let action = choose(players[position.side().index()], &position, &limits);
        position.play(action);
    }
}

/// The action that a search finds within the limits.
fn choose<P: Position>(player: &mut dyn Search<P>, position: &P, limits: &Limits) -> P::Move {
    let report = player.search(position, limits, &mut |report| {
        // Monte-Carlo search ignores the limit: its depth is the length of its line.
        if limits.depth.is_some_and(|depth| report.depth >= depth) {
            limits.stop.stop();
        }
    });
    let found = report.pv.first().copied();
    let found = found.filter(|&action| position.is_legal(action));
    found.unwrap_or_else(|| position.legal_moves()[0])
}
