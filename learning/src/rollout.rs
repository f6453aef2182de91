//! Whole games by a search of a few plies, with results corrected for luck.
//!
//! Most of what decides a game of dice is luck: the value of what was rolled, less the expectation
//! over all rolls. A search of the position before a roll tells it. Over many games luck is 0 on
//! average, whatever the evaluation is worth. So a result without the luck of its game has the
//! same expectation and a smaller variance (as in rollouts of backgammon programs; Veness, Lanctot
//! and Bowling, *Variance Reduction in Monte-Carlo Tree Search*, 2011).

use engine_core::{Evaluator, Position, Rng, Side};

/// The result of a game, in 1 / [`Position::FACES`] points of `First`: a win is
/// `MAX_SCORE * FACES`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who won.
    pub result: i64,
    /// What of it is due to the dice.
    pub luck: i64,
}

impl Played {
    /// A win of `First`.
    pub fn win<P: Position>() -> i64 {
        i64::from(P::MAX_SCORE.value()) * i64::from(P::FACES)
    }

    /// The result without luck. It can exceed a win.
    pub fn adjusted(self) -> i64 {
        self.result - self.luck
    }
}

/// A player of both sides: expectimax to a fixed depth over an evaluation in points, as games with
/// [`Position::MAX_SCORE`] have it.
pub struct Rollout<P: Position, E> {
    evaluator: E,
    plies: u32,
    moves: Vec<P::Move>,
    rolls: Vec<(u8, i32)>,
}

impl<P: Position, E: Evaluator<P>> Rollout<P, E> {
    /// A player that looks `plies` ahead, at least 1.
    ///
    /// # Panics
    /// `plies` is 0.
    pub fn new(evaluator: E, plies: u32) -> Self {
        assert!(plies > 0, "a search of at least one ply");
        Rollout {
            evaluator,
            plies,
            moves: Vec::new(),
            rolls: Vec::new(),
        }
    }

    /// Plays from an unfinished position to the end.
    pub fn play(&mut self, mut position: P, rng: &mut Rng) -> Played {
        let mut luck = 0;
        loop {
            if let Some(score) = position.terminal(0) {
                let points = i64::from(score.value()) * i64::from(P::FACES);
                let result = of_first(position.side(), points);
                return Played { result, luck };
            }
            self.evaluator.reset(&position);
            if position.is_chance() {
                let face = 1 + rng.below(u32::from(P::FACES)) as u8;
                luck += of_first(position.side(), self.luck(&mut position, face));
                position.play_roll(face);
            } else {
                let (mv, _) = self.best(&mut position, self.plies);
                position.play(mv);
            }
        }
    }

    /// What a roll is worth above the average roll to the side that acts. A ply less than the game
    /// is played with tells it well enough, and costs little beside the search for a move.
    fn luck(&mut self, position: &mut P, face: u8) -> i64 {
        let plies = self.plies.saturating_sub(1).max(1);
        let (mut rolled, mut sum) = (0, 0);
        self.each_roll(position, |rollout, position, roll, weight| {
            let value = i64::from(rollout.best(position, plies).1);
            // Equal rolls are given as the first of them.
            if (roll..roll + weight as u8).contains(&face) {
                rolled = value;
            }
            sum += i64::from(weight) * value;
        });
        rolled * i64::from(P::FACES) - sum
    }

    /// Calls `visit` in the position after each roll, with its first face and its weight.
    fn each_roll(&mut self, position: &mut P, mut visit: impl FnMut(&mut Self, &mut P, u8, i32)) {
        let first = self.rolls.len();
        position.rolls(&mut self.rolls);
        for index in first..self.rolls.len() {
            let (face, weight) = self.rolls[index];
            position.play_roll(face);
            visit(self, position, face, weight);
            position.undo_roll(face);
        }
        self.rolls.truncate(first);
    }

    /// The best move and its value for the side to act, looking `plies` ahead; the first of several.
    fn best(&mut self, position: &mut P, plies: u32) -> (P::Move, i32) {
        let (side, first) = (position.side(), self.moves.len());
        for stage in 0..P::STAGES {
            position.generate(stage, &mut self.moves);
        }
        let mut best: Option<(P::Move, i32)> = None;
        for index in first..self.moves.len() {
            let mv = self.moves[index];
            self.evaluator.push(position, mv);
            let undo = position.play(mv);
            let value = self.value(position, plies - 1);
            let value = if position.side() == side {
                value
            } else {
                -value
            };
            position.undo(mv, undo);
            self.evaluator.pop();
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((mv, value));
            }
        }
        self.moves.truncate(first);
        best.expect("an unfinished position has a move")
    }

    /// The value for the side to act, looking `plies` ahead.
    fn value(&mut self, position: &mut P, plies: u32) -> i32 {
        if let Some(score) = position.terminal(0) {
            score.value()
        } else if plies == 0 {
            self.evaluator.evaluate(position).value()
        } else if position.is_chance() {
            let mut sum = 0;
            self.each_roll(position, |rollout, position, _, weight| {
                sum += weight * rollout.best(position, plies).1;
            });
            sum / i32::from(P::FACES)
        } else {
            self.best(position, plies).1
        }
    }
}

/// Points of a side as points of `First`.
fn of_first(side: Side, points: i64) -> i64 {
    match side {
        Side::First => points,
        Side::Second => -points,
    }
}
