//! Tabular Q-learning (Watkins and Dayan, *Q-Learning*, 1992) for games of two players, over
//! afterstates (Sutton and Barto, *Reinforcement Learning*, 2nd edition, 2018, section 6.8).
//!
//! The value of a move is that of the position after it, before any roll: moves that lead to one
//! position share what they learn. Values are expected results, from −1, a loss, to 1, a win. The
//! table has them for the side that acts next, because either side may have moved before.

use std::collections::HashMap;

use engine_core::zobrist::mix;
use engine_core::{Outcome, Position, Rng, Side};
use serde::{Deserialize, Serialize};

use crate::schedule::{Schedule, ScheduleError};

/// How a learner learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QSettings {
    /// The learning rate, above 0 to 1, by the number of earlier visits to the position.
    pub rate: Schedule,
    /// The share of random moves, 0 to 1, by the number of earlier episodes (ε-greedy).
    pub exploration: Schedule,
}

impl QSettings {
    /// Checks all numbers.
    ///
    /// # Errors
    /// A schedule has a number outside its range.
    pub fn check(&self) -> Result<(), ScheduleError> {
        // A rate of 0 learns nothing.
        self.rate.check(f64::MIN_POSITIVE, 1.0)?;
        self.exploration.check(0.0, 1.0)
    }
}

/// What is known of a position after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Known {
    value: f64,
    visits: u64,
}

/// A table of values that learns by playing against itself.
///
/// Positions are told apart by their keys, so a game whose result depends on its history
/// ([`Position::REPEATS`]) is not for it.
#[derive(Clone, Debug)]
pub struct QLearner {
    settings: QSettings,
    known: HashMap<u64, Known>,
    episodes: u64,
    seed: u64,
    rng: Rng,
}

/// What a learner knows, enough to go on exactly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QState {
    /// By key, in ascending order.
    known: Vec<(u64, Known)>,
    episodes: u64,
}

/// Maximum number of positions that [`QLearner::worst`] visits.
const MOST_VISITED: usize = 1_000_000;

impl QLearner {
    /// A learner that knows nothing: all values are 0.
    ///
    /// # Errors
    /// The settings have a number outside its range.
    pub fn new(settings: QSettings, seed: u64) -> Result<QLearner, ScheduleError> {
        settings.check()?;
        Ok(QLearner {
            settings,
            known: HashMap::new(),
            episodes: 0,
            seed,
            rng: Rng::new(seed),
        })
    }

    /// What the learner knows.
    pub fn state(&self) -> QState {
        let mut known: Vec<(u64, Known)> = self.known.iter().map(|(&k, &v)| (k, v)).collect();
        known.sort_unstable_by_key(|&(key, _)| key);
        QState {
            known,
            episodes: self.episodes,
        }
    }

    /// Goes on from what a learner with the same settings and seed knew.
    pub fn restore(&mut self, state: QState) {
        self.known = state.known.into_iter().collect();
        self.episodes = state.episodes;
    }

    /// Number of games that it has played against itself.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// Number of positions in the table.
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    /// The learned value of a position after a move, for the side that acts next.
    pub fn value<P: Position>(&self, position: &P) -> f64 {
        match position.outcome() {
            Some(Outcome::Draw) => 0.0,
            Some(Outcome::Win(winner)) if winner == position.side() => 1.0,
            Some(Outcome::Win(_)) => -1.0,
            None => {
                let known = self.known.get(&position.key());
                known.map_or(0.0, |known| known.value)
            }
        }
    }

    /// The move with the highest value and this value, the first of several; `None` if the position
    /// has no moves. At a chance position there are none.
    pub fn best<P: Position>(&self, position: &mut P) -> Option<(P::Move, f64)> {
        let side = position.side();
        let mut best: Option<(P::Move, f64)> = None;
        for mv in position.legal_moves() {
            let undo = position.play(mv);
            let value = self.value(position);
            let value = if position.side() == side {
                value
            } else {
                -value
            };
            position.undo(mv, undo);
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((mv, value));
            }
        }
        best
    }

    /// The expected result of an unfinished position for the side that acts next, if both sides play
    /// their best moves from now on: an average over all rolls if one is due.
    pub fn expected<P: Position>(&self, position: &mut P) -> f64 {
        if !position.is_chance() {
            return self.best(position).map_or(0.0, |(_, value)| value);
        }
        let mut rolls = Vec::new();
        position.rolls(&mut rolls);
        let weighted = rolls.into_iter().map(|(face, weight)| {
            position.play_roll(face);
            let value = self.expected(position);
            position.undo_roll(face);
            f64::from(weight) * value
        });
        weighted.sum::<f64>() / f64::from(P::FACES)
    }

    /// Plays one game against itself from an unfinished position, and learns the values of that
    /// position and of those after every move.
    ///
    /// The target of a position is the result, or the expectation before the next move:
    /// the best move's value, whatever is played then. The die is known, so that no roll is sampled
    /// for it.
    ///
    /// # Panics
    /// Positions of the game can repeat: a table of positions ignores their history.
    pub fn episode<P: Position>(&mut self, mut position: P) {
        assert!(!P::REPEATS, "positions repeat");
        let exploration = self.settings.exploration.at(self.episodes);
        // Every episode has its own stream, so that a learner can go on from a state.
        self.rng = Rng::new(self.seed ^ mix(self.episodes));
        self.episodes += 1;
        self.back_up(&mut position);
        while position.outcome().is_none() {
            if position.is_chance() {
                let face = 1 + self.rng.below(u32::from(P::FACES)) as u8;
                position.play_roll(face);
                continue;
            }
            let mv = if f64::from(self.rng.unit()) < exploration {
                let moves = position.legal_moves();
                moves[self.rng.below(moves.len() as u32) as usize]
            } else {
                let best = self.best(&mut position);
                best.expect("an unfinished position has a move").0
            };
            position.play(mv);
            if position.outcome().is_none() {
                self.back_up(&mut position);
            }
        }
    }

    /// Moves the value of an unfinished position towards what the next moves are worth.
    fn back_up<P: Position>(&mut self, position: &mut P) {
        let target = self.expected(position);
        let known = self.known.entry(position.key()).or_default();
        known.value += self.settings.rate.at(known.visits) * (target - known.value);
        known.visits += 1;
    }

    /// The worst result of a side that plays its best moves, against every line of the other side and
    /// every roll: −1, 0 or 1. `None` in a game of more than a million positions.
    pub fn worst<P: Position>(&self, start: &P, own: Side) -> Option<f64> {
        self.worst_from(&mut start.clone(), own, &mut HashMap::new())
    }

    fn worst_from<P: Position>(
        &self,
        position: &mut P,
        own: Side,
        visited: &mut HashMap<u64, f64>,
    ) -> Option<f64> {
        match position.outcome() {
            Some(Outcome::Draw) => return Some(0.0),
            Some(Outcome::Win(winner)) => return Some(if winner == own { 1.0 } else { -1.0 }),
            None => {}
        }
        if let Some(&worst) = visited.get(&position.key()) {
            return Some(worst);
        }
        if visited.len() >= MOST_VISITED {
            return None;
        }
        let mut worst = f64::INFINITY;
        if position.is_chance() {
            for face in 1..=P::FACES {
                position.play_roll(face);
                worst = worst.min(self.worst_from(position, own, visited)?);
                position.undo_roll(face);
            }
        } else {
            let moves = match self.best(position) {
                Some((mv, _)) if position.side() == own => vec![mv],
                _ => position.legal_moves(),
            };
            for mv in moves {
                let undo = position.play(mv);
                worst = worst.min(self.worst_from(position, own, visited)?);
                position.undo(mv, undo);
            }
        }
        visited.insert(position.key(), worst);
        Some(worst)
    }
}
