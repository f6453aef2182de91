//! The Swiss system: in every round entrants meet who have about as many points.
//!
//! A round is paired at once, as a perfect matching of least cost (Ólafsson, *Weighted matching in
//! chess tournaments*, 1990): nobody meets an opponent again while that can be avoided; then points
//! are as close as can be; then, of those with equal points, the upper half meets the lower one, and
//! who has begun more often meets who has begun less.

use std::collections::HashMap;

use integer_blossom::min_weight_perfect_matching;

use super::fixture::{Ask, Entrant};
use super::group::{Group, Played};
use super::ranking::Scores;

/// What it costs to meet again, so much each time before.
const AGAIN: i128 = 1 << 80;
/// What the square of a difference of points costs.
const POINTS: i128 = 1 << 40;
/// What it costs that one of two entrants begins who has already begun more often than not, for each
/// game of that difference.
const SIDES: i128 = 1 << 20;

/// Asks for all rounds, each of which follows from those before.
pub(super) fn play(group: &Group<'_>, ask: &mut Ask<'_>) -> Played {
    let mut played = Played::default();
    let mut history = History::default();
    for round in 1..=group.stage.rounds {
        let standing = history.standing(group, &played);
        let Round { pairs, bye } = history.pair(standing);
        played.byes.extend(bye);
        let mut complete = true;
        for (table, &[a, b]) in pairs.iter().enumerate() {
            let sides = history.sides(a, b);
            history.note(sides);
            let met = group.meet(round, table as u32, sides, ask);
            complete &= met.complete;
            played.meetings.push(met);
        }
        if !complete {
            return played;
        }
    }
    played.complete = true;
    played
}

/// Who meets in a round, and who has no opponent.
#[derive(Debug, Default, PartialEq, Eq)]
struct Round {
    pairs: Vec<[Entrant; 2]>,
    bye: Option<Entrant>,
}

/// An entrant before a round.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    entrant: Entrant,
    points: u32,
    byes: usize,
}

/// Who has met whom, and who began.
#[derive(Debug, Default)]
struct History {
    met: HashMap<[Entrant; 2], i128>,
    /// Meetings begun, less meetings not begun.
    begun: HashMap<Entrant, i64>,
    /// Who began the last of their meetings.
    began_last: HashMap<Entrant, bool>,
}

impl History {
    /// The entrants by their points, the best first, and by their seeds.
    fn standing(&self, group: &Group<'_>, played: &Played) -> Vec<Waiting> {
        let scores = Scores::of(group, played);
        let mut standing: Vec<Waiting> = (group.entrants.iter())
            .map(|&entrant| Waiting {
                entrant,
                points: scores.points(entrant),
                byes: played.byes.iter().filter(|&&bye| bye == entrant).count(),
            })
            .collect();
        standing.sort_by_key(|waiting| u32::MAX - waiting.points);
        standing
    }

    /// Pairs the entrants. Of an odd number the last of those with fewest byes has no opponent.
    fn pair(&self, mut standing: Vec<Waiting>) -> Round {
        let mut round = Round::default();
        if standing.len() % 2 == 1 {
            let fewest = standing.iter().map(|waiting| waiting.byes).min();
            let last = standing
                .iter()
                .rposition(|waiting| Some(waiting.byes) == fewest);
            round.bye = last.map(|last| standing.remove(last).entrant);
        }
        let count = standing.len();
        let mut costs = vec![0; count * count];
        for upper in 0..count {
            for lower in upper + 1..count {
                costs[upper * count + lower] = self.cost(&standing, upper, lower);
            }
        }
        let mates = min_weight_perfect_matching(&costs, count);
        for (upper, &lower) in mates
            .iter()
            .enumerate()
            .filter(|(upper, lower)| upper < lower)
        {
            round
                .pairs
                .push([standing[upper].entrant, standing[lower].entrant]);
        }
        round
    }

    fn cost(&self, standing: &[Waiting], upper: usize, lower: usize) -> i128 {
        let (a, b) = (standing[upper], standing[lower]);
        let again = self
            .met
            .get(&key(a.entrant, b.entrant))
            .copied()
            .unwrap_or(0);
        let points = i128::from(a.points - b.points);
        let equals = standing
            .iter()
            .filter(|other| other.points == a.points)
            .count();
        let apart = (lower - upper).abs_diff(equals / 2) as i128;
        let [a, b] = [a, b].map(|waiting| self.balance(waiting.entrant));
        let sides = if a.signum() * b.signum() > 0 {
            a.abs().min(b.abs())
        } else {
            0
        };
        again * AGAIN + points * points * POINTS + i128::from(sides) * SIDES + apart * apart
    }

    fn balance(&self, entrant: Entrant) -> i64 {
        self.begun.get(&entrant).copied().unwrap_or(0)
    }

    /// Who begins: who has less often; of equals who did not the last time, or is ranked lower.
    fn sides(&self, upper: Entrant, lower: Entrant) -> [Entrant; 2] {
        let [a, b] = [upper, lower].map(|entrant| self.balance(entrant));
        let last = self.began_last.get(&upper).copied().unwrap_or(false);
        if a < b || a == b && !last {
            [upper, lower]
        } else {
            [lower, upper]
        }
    }

    fn note(&mut self, [first, second]: [Entrant; 2]) {
        *self.met.entry(key(first, second)).or_default() += 1;
        *self.begun.entry(first).or_default() += 1;
        *self.begun.entry(second).or_default() -= 1;
        self.began_last.insert(first, true);
        self.began_last.insert(second, false);
    }
}

fn key(a: Entrant, b: Entrant) -> [Entrant; 2] {
    [a.min(b), a.max(b)]
}
