//! The Swiss system: in every round, entrants with similar points meet.
//!
//! A round is paired as a minimum-cost perfect matching (Ólafsson, *Weighted matching in chess
//! tournaments*, 1990). In order of priority: no repeated pairing and no second bye if avoidable, also
//! in later rounds (see `ahead`); a bye for the lowest; the smallest point differences; a balance of who
//! begins; and, among entrants with equal points, the upper half against the lower half.

mod ahead;

use std::collections::HashMap;

use self::ahead::{Costs, choose};
use super::group::{Bye, Group, Played};
use super::ranking::Scores;
use crate::fixture::{Ask, Entrant};

/// Cost of a repeated pairing or bye, for each earlier one.
const REPEAT_COST: i128 = 1 << 96;
/// Cost of a bye, times its distance from the lowest place.
const BYE_COST: i128 = 1 << 80;
/// Cost of a point difference, times its square.
const POINTS_COST: i128 = 1 << 40;
/// Cost of pairing two entrants that both began more often than not (or less often), for each game
/// of the smaller imbalance.
const SIDES_COST: i128 = 1 << 20;

/// Plays all rounds; each depends on the ones before.
pub(super) fn play(group: &Group<'_>, ask: &mut Ask<'_>) -> Played {
    let mut played = Played::default();
    let mut history = History::default();
    for round in 1..=group.stage.rounds {
        let standing = history.standing(group, &played, round);
        let paired = history.pair(standing);
        played.byes.extend(paired.bye.map(|entrant| Bye {
            round,
            entrant,
            points: group.stage.meeting.points(),
        }));
        let mut complete = true;
        for (table, &[a, b]) in paired.pairs.iter().enumerate() {
            let sides = history.sides(a, b);
            history.record(sides);
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

/// The pairings of a round.
#[derive(Debug, Default, PartialEq, Eq)]
struct Round {
    pairs: Vec<[Entrant; 2]>,
    bye: Option<Entrant>,
}

/// The state of an entrant before a round.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    entrant: Entrant,
    points: u32,
    byes: usize,
}

/// Past pairings, and who began.
#[derive(Debug, Default)]
struct History {
    met: HashMap<[Entrant; 2], i128>,
    /// For each entrant: meetings it began minus meetings it did not.
    begin_balance: HashMap<Entrant, i64>,
    /// Whether each entrant began its last meeting.
    began_last: HashMap<Entrant, bool>,
}

impl History {
    /// The entrants that play in a round, by points, then by seed.
    fn standing(&self, group: &Group<'_>, played: &Played, round: u32) -> Vec<Candidate> {
        let scores = Scores::of(group, played);
        let present = group
            .entrants
            .iter()
            .filter(|&&entrant| group.has(entrant, round));
        let mut standing: Vec<Candidate> = present
            .map(|&entrant| Candidate {
                entrant,
                points: scores.points(entrant),
                byes: played
                    .byes
                    .iter()
                    .filter(|bye| bye.entrant == entrant)
                    .count(),
            })
            .collect();
        standing.sort_by_key(|candidate| u32::MAX - candidate.points);
        standing
    }

    /// Pairs the entrants of a round. If their number is odd, one gets a bye: the lowest of those with the
    /// fewest, unless pairings would be repeated then.
    fn pair(&self, standing: Vec<Candidate>) -> Round {
        // The last place of an odd number is the bye.
        let count = standing.len().next_multiple_of(2);
        let mut costs = Costs::new(count);
        for upper in 0..standing.len() {
            for lower in upper + 1..count {
                costs.set(upper, lower, self.cost(&standing, upper, lower));
            }
        }
        let mut round = Round::default();
        let mates = choose(&costs, REPEAT_COST);
        for (upper, &lower) in mates
            .iter()
            .enumerate()
            .filter(|(upper, lower)| upper < lower)
        {
            match standing.get(lower) {
                Some(candidate) => {
                    (round.pairs).push([standing[upper].entrant, candidate.entrant]);
                }
                None => round.bye = Some(standing[upper].entrant),
            }
        }
        round
    }

    /// The cost of a pair, or of a bye if `lower` is no place of the standing.
    fn cost(&self, standing: &[Candidate], upper: usize, lower: usize) -> i128 {
        let Some(b) = standing.get(lower) else {
            let [byes, above] = [standing[upper].byes, lower - 1 - upper];
            return byes as i128 * REPEAT_COST + above as i128 * BYE_COST;
        };
        let (a, b) = (standing[upper], *b);
        let met = self.met.get(&key(a.entrant, b.entrant));
        let repeats = met.copied().unwrap_or(0);
        let points = i128::from(a.points - b.points);
        let equals = standing
            .iter()
            .filter(|other| other.points == a.points)
            .count();
        let apart = (lower - upper).abs_diff(equals / 2) as i128;
        let [a, b] = [a, b].map(|candidate| self.begin_balance(candidate.entrant));
        let sides = if a.signum() * b.signum() > 0 {
            a.abs().min(b.abs())
        } else {
            0
        };
        repeats * REPEAT_COST
            + points * points * POINTS_COST
            + i128::from(sides) * SIDES_COST
            + apart * apart
    }

    fn begin_balance(&self, entrant: Entrant) -> i64 {
        self.begin_balance.get(&entrant).copied().unwrap_or(0)
    }

    /// Who begins: the entrant that began less often; if equal, the upper one, unless it began its
    /// last meeting.
    fn sides(&self, upper: Entrant, lower: Entrant) -> [Entrant; 2] {
        let [a, b] = [upper, lower].map(|entrant| self.begin_balance(entrant));
        let last = self.began_last.get(&upper).copied().unwrap_or(false);
        if a < b || a == b && !last {
            [upper, lower]
        } else {
            [lower, upper]
        }
    }

    fn record(&mut self, [first, second]: [Entrant; 2]) {
        *self.met.entry(key(first, second)).or_default() += 1;
        *self.begin_balance.entry(first).or_default() += 1;
        *self.begin_balance.entry(second).or_default() -= 1;
        self.began_last.insert(first, true);
        self.began_last.insert(second, false);
    }
}

fn key(a: Entrant, b: Entrant) -> [Entrant; 2] {
    [a.min(b), a.max(b)]
}
