//! The static evaluation: the race over the dice, and capture threats.
//!
//! The number of turns that a side alone on the board needs depends on its dice and the distances
//! of its pieces; a table holds the distribution for all 5⁶ cases. Two such distributions give the
//! exact probability of winning the race once the sides have passed each other. The literature
//! instead sums `chance to be moved × distance` (Lorentz, *An MCTS Program to Play EinStein Würfelt
//! Nicht!*, 2011; Turner, *EinStein Würfelt Nicht! – An Analysis of Endgame Play*, 2012). That sum
//! ignores that a captured piece makes the others more mobile, and how certain a lead is. A capture
//! is worth the turns that it costs the other side, weighted by the faces that allow it.

use engine_core::real::{ln, logistic};
use engine_core::{Candidates, Evaluator, Score};

use crate::army::Army;
use crate::board::{Einstein, Phase, WIN_POINTS};
use crate::endgame::Endgames;
use crate::layout::{by_quality, quality};
use crate::moves::Action;
use crate::race::{Race, UNIT, index, unit_cost};
use crate::tables::{GOAL, MOVABLE, STEPS};

engine_core::weights! {
    /// Coefficients of a logistic model of the winning probability, fitted by maximum likelihood to
    /// 394 000 positions of 12 000 games. Both players took the action with the best evaluation,
    /// and a tenth of the actions was random.
    pub struct Weights {
        /// The log odds of winning the race without captures.
        race: f32 = 0.59, 0 to 2;
        /// Turns that the best capture costs the opponent, averaged over the die.
        threat: f32 = 0.54, -1 to 3;
        /// The same for captures by the opponent, which come one turn later.
        danger: f32 = 0.23, -1 to 3;
        /// Each piece more on the board.
        piece: f32 = 0.2, -1 to 2;
    }
}

/// Maximum probability of winning a race: captures can still upset a race of a few turns.
const CERTAIN: f32 = 0.999;

/// The faces (bit `face - 1`) that allow moving a piece, by the mask of pieces on the board.
static FACES_OF: [[u8; 6]; 64] = {
    let mut faces = [[0; 6]; 64];
    let mut alive = 1;
    while alive < 64 {
        let mut face = 1;
        while face <= 6 {
            let [low, high] = MOVABLE[alive][face];
            faces[alive][low as usize] |= 1 << (face - 1);
            faces[alive][high as usize] |= 1 << (face - 1);
            face += 1;
        }
        alive += 1;
    }
    faces
};

/// The squares that a piece reaches in one step, one bit each.
static REACH: [u32; 32] = {
    let mut reach = [0; 32];
    let mut square = 0;
    while square < 25 {
        let mut i = 0;
        while i < STEPS[square].count {
            reach[square] |= 1 << STEPS[square].targets[i as usize];
            i += 1;
        }
        square += 1;
    }
    reach
};

/// The squares that a piece can ever reach, one bit each.
static AHEAD: [u32; 32] = {
    let mut ahead = [0; 32];
    let mut square = 25;
    while square > 0 {
        square -= 1;
        ahead[square] = REACH[square];
        let mut i = 0;
        while i < STEPS[square].count {
            ahead[square] |= ahead[STEPS[square].targets[i as usize] as usize];
            i += 1;
        }
    }
    ahead
};

/// The mask of a side that has lost no piece.
const ALL_PIECES: u8 = 0b11_1111;

/// All faces of the die.
const ANY_FACE: u8 = 0b11_1111;

/// The static evaluation, in points: a winning probability `p` is worth `10 000 (2p − 1)`. With at most
/// four pieces on the board it is exact.
pub struct RaceAndThreats {
    races: &'static [Race],
    endgames: &'static Endgames,
    weights: Weights,
}

impl Default for RaceAndThreats {
    fn default() -> RaceAndThreats {
        RaceAndThreats::new(Weights::DEFAULT)
    }
}

impl RaceAndThreats {
    /// An evaluator with these weights.
    pub fn new(weights: Weights) -> RaceAndThreats {
        RaceAndThreats {
            races: Race::table(),
            endgames: Endgames::shared(),
            weights,
        }
    }

    /// The probability that the side to act wins the race without further captures.
    fn race(&self, position: &Einstein, own_index: usize, enemy_index: usize) -> f32 {
        let enemy = &self.races[enemy_index];
        let Phase::Move(die) = position.phase else {
            return self.races[own_index].chance_against(enemy);
        };
        let own = position.armies[position.side.index()];
        let movable = MOVABLE[own.alive() as usize][die as usize];
        if movable.iter().any(|&piece| own.distance(piece) == 1) {
            return CERTAIN;
        }
        let [low, high] = movable.map(|piece| &self.races[own_index - UNIT[piece as usize]]);
        let after = if low.turns <= high.turns { low } else { high };
        1.0 - enemy.chance_against(after)
    }

    /// The turns that the best capture by `hunter` costs `prey`, summed over `faces`.
    fn threat(&self, hunter: Army, prey: Army, prey_index: usize, faces: u8) -> f32 {
        let targets = prey.occupied_in_other_frame();
        let mut best = [0f32; 6];
        for piece in 0..6 {
            let mut hits = REACH[hunter.field(piece) as usize] & targets;
            while hits != 0 {
                let square = GOAL - hits.trailing_zeros() as u8;
                hits &= hits - 1;
                let victim = prey.find(square).expect("a target holds a piece");
                let without = prey_index - unit_cost(victim, square);
                let cost = self.races[without].turns - self.races[prey_index].turns;
                let mut moved_by = FACES_OF[hunter.alive() as usize][piece as usize] & faces;
                while moved_by != 0 {
                    let face = &mut best[moved_by.trailing_zeros() as usize];
                    *face = face.max(cost);
                    moved_by &= moved_by - 1;
                }
            }
        }
        best.iter().sum()
    }

    /// The winning probability of the side to act; both sides have laid out.
    fn chance(&self, position: &Einstein) -> f32 {
        let own = position.armies[position.side.index()];
        let enemy = position.armies[position.side.opponent().index()];
        let (own_index, enemy_index) = (index(own), index(enemy));
        let race = self
            .race(position, own_index, enemy_index)
            .clamp(1.0 - CERTAIN, CERTAIN);
        if !can_meet(own, enemy) {
            return race;
        }
        let threat = match position.phase {
            Phase::Move(die) => self.threat(own, enemy, enemy_index, 1 << (die - 1)),
            _ => self.threat(own, enemy, enemy_index, ANY_FACE) / 6.0,
        };
        let danger = self.threat(enemy, own, own_index, ANY_FACE) / 6.0;
        let pieces = own.alive().count_ones() as f32 - enemy.alive().count_ones() as f32;
        let weights = &self.weights;
        let log_odds = weights.race * ln(race / (1.0 - race)) + weights.threat * threat
            - weights.danger * danger
            + weights.piece * pieces;
        logistic(log_odds)
    }
}

/// The number of faces that let `piece` of an army move.
pub(crate) fn faces_of(army: Army, piece: u8) -> u32 {
    FACES_OF[army.alive() as usize][piece as usize].count_ones()
}

/// Whether a piece can still reach an enemy's square: if none can, no enemy piece can either.
pub(crate) fn can_meet(own: Army, enemy: Army) -> bool {
    let ahead = (0..6).fold(0, |squares, piece| {
        squares | AHEAD[own.field(piece) as usize]
    });
    ahead & enemy.occupied_in_other_frame() != 0
}

/// The points of a winning probability.
fn points(chance: f32) -> f32 {
    WIN_POINTS as f32 * (2.0 * chance - 1.0)
}

impl Evaluator<Einstein> for RaceAndThreats {
    #[inline]
    fn exact(&self, position: &Einstein) -> Option<Score> {
        let chance = self.endgames.chance(position)?;
        Some(Score::points(points(chance).round() as i32))
    }

    fn evaluate(&mut self, position: &Einstein) -> Score {
        let [own, enemy] =
            [position.side, position.side.opponent()].map(|side| position.armies[side.index()]);
        let other = position.side.opponent();
        if position.phase == Phase::Layout {
            return Score::points(-quality(other, enemy));
        }
        if let Some(score) = self.exact(position) {
            return score;
        }
        let mut points = points(self.chance(position)) as i32;
        if own.alive() & enemy.alive() == ALL_PIECES {
            points += quality(position.side, own) - quality(other, enemy);
        }
        // At most a win: the search windows at chance nodes rely on this bound.
        Score::points(points.clamp(-WIN_POINTS, WIN_POINTS))
    }

    /// The best layouts; all steps, because they are few.
    fn candidates(
        &mut self,
        position: &Einstein,
        limit: usize,
        out: &mut Vec<Action>,
    ) -> Candidates {
        if position.phase != Phase::Layout {
            return Candidates::All;
        }
        out.clear();
        out.extend(by_quality(position.side).iter().take(limit.max(1)));
        Candidates::Selected
    }

    /// The inverse of the scale of [`WIN_POINTS`].
    fn probability(&self, score: Score) -> f32 {
        (0.5 + score.value() as f32 / (2 * WIN_POINTS) as f32).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use engine_core::{Notation, Position, Side};

    use super::*;
    use crate::variant::Colour;

    /// The probability without the tables of endings.
    fn chance(position: &str, die: Option<u8>) -> f32 {
        let mut position = Einstein::new(Colour::Red).parse_position(position).unwrap();
        die.into_iter().for_each(|die| position.play_roll(die));
        RaceAndThreats::default().chance(&position)
    }

    /// The squares of a side in the table of values, whose frame is the mover's.
    fn army(text: &str, image: impl Fn(u8) -> u8) -> Army {
        let squares: Vec<Option<u8>> = text
            .split_whitespace()
            .map(|square| square.parse().ok().map(&image))
            .collect();
        Army::from_squares(squares.try_into().unwrap())
    }

    /// The mean error in the table of values is 0.113; that of a constant ½ is 0.406.
    #[test]
    fn the_evaluation_of_endings_is_near_without_tables() {
        let evaluator = RaceAndThreats::default();
        let (mut errors, mut count) = (0.0, 0.0);
        let rows = include_str!("../tests/data/einstein-values.txt").lines();
        for row in rows.filter(|row| !row.starts_with('#')) {
            let [mover, opponent, value] = row.split('|').collect::<Vec<_>>()[..] else {
                panic!("{row}");
            };
            let armies = [army(mover, |s| s), army(opponent, |s| GOAL - s)];
            let position = Einstein::new(Colour::Red)
                .with_armies(armies, Side::First, Phase::Roll)
                .unwrap();
            let value: f32 = value.trim().parse().unwrap();
            errors += (evaluator.chance(&position) - value).abs();
            count += 1.0;
        }
        assert!(errors / count < 0.12, "{}", errors / count);
    }

    #[test]
    fn a_race_without_contact_is_exact() {
        for (position, expected) in [
            // Both sides need two turns.
            ("R:d3,-,-,-,-,- B:b3,-,-,-,-,- R roll", 1.0),
            ("R:c2,-,-,-,-,- B:a4,-,-,-,-,- R roll", 0.0),
            // All faces but 6 move piece 1, and blue needs one turn.
            ("R:d1,-,-,-,-,a1 B:a4,-,-,-,-,- R roll", 5.0 / 6.0),
        ] {
            let found = chance(position, None);
            assert!((found - expected).abs() < 0.002, "{found}: {position}");
        }
    }

    #[test]
    fn the_die_decides() {
        let position = "R:d1,b1,-,-,-,- B:a4,-,-,-,-,- R roll";
        assert!(chance(position, Some(1)) > 0.99);
        assert!(chance(position, Some(6)) < 0.01);
    }

    #[test]
    fn a_threat_is_worth_something() {
        let facing = "R:c3,b5,-,-,-,- B:d2,-,-,-,-,- R roll";
        let apart = "R:c3,b5,-,-,-,- B:b2,-,-,-,-,- R roll";
        assert!(chance(facing, Some(1)) > chance(apart, Some(1)) + 0.1);
    }
}
