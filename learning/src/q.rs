//! Tabular Q-learning (Watkins and Dayan, *Q-Learning*, 1992) for games of two players, over
//! afterstates (Sutton and Barto, *Reinforcement Learning*, 2nd edition, 2018, section 6.8).
//!
//! The value of a move is that of the position after it, before any roll: moves that lead to one
//! position share what they learn. Values are expected results, from −1, a loss, to 1, a win. The
//! table has them for the side that acts next, because either side may have moved before.

use std::collections::HashMap;

use engine_core::{Outcome, Position, Rng};

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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    rng: Rng,
}

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
            rng: Rng::new(seed),
        })
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

    /// Plays one game against itself from an unfinished position, and learns from every move.
    ///
    /// The target of a position after a move is the result, or the expectation before the next move:
    /// the best move's value, whatever is played then. The die is known, so that no roll is sampled
    /// for it.
    pub fn episode<P: Position>(&mut self, mut position: P) {
        const {
            assert!(!P::REPEATS, "a table of positions ignores their history");
        }
        let exploration = self.settings.exploration.at(self.episodes);
        self.episodes += 1;
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
                let target = self.expected(&mut position);
                self.learn(position.key(), target);
            }
        }
    }

    /// Moves the value of a position towards a target.
    fn learn(&mut self, key: u64, target: f64) {
        let known = self.known.entry(key).or_default();
        known.value += self.settings.rate.at(known.visits) * (target - known.value);
        known.visits += 1;
    }
}
