//! The ranking of a group: points and tie-breaks.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::group::{Group, Played};
use super::meeting::{Bout, Met};
use crate::config::{Format, TieBreak};
use crate::fixture::{Ask, Entrant};
use crate::results::tally::Tally;

/// The place of an entrant in its group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The entrant.
    pub entrant: Entrant,
    /// Rank, from 1; entrants that stay tied share the best rank.
    pub rank: u32,
    /// Games or series won, drawn and lost.
    pub tally: Tally,
    /// Contest points: 2 for a win, 1 for a draw, and those without a game.
    pub points: u32,
    /// Points without a game: for byes, and for what an entrant that has left did not play. They are as
    /// many as for a meeting, or its rest, with every game won.
    pub given: u32,
    /// Twice the Sonneborn-Berger score: points taken from each opponent times its points.
    pub sonneborn_berger: u32,
    /// Buchholz score: points of all opponents.
    pub buchholz: u32,
    /// Whether its rank was decided by lot.
    pub by_lot: bool,
}

/// The ranking of a group, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// One place for each entrant.
    pub places: Vec<Place>,
    /// Whether the ranking is final.
    pub complete: bool,
}

/// Scores of a group.
pub(super) struct Scores {
    bouts: Vec<Bout>,
    /// Points without a game.
    byes: HashMap<Entrant, u32>,
    points: HashMap<Entrant, u32>,
}

impl Scores {
    /// The scores of all regular games.
    pub(super) fn of(group: &Group<'_>, played: &Played) -> Scores {
        let meeting = group.stage.meeting;
        let regular = played.meetings.iter().filter(|met| met.decider.is_none());
        let bouts: Vec<Bout> = regular.flat_map(|met| met.bouts(meeting)).collect();
        let mut byes: HashMap<Entrant, u32> = HashMap::new();
        for bye in &played.byes {
            *byes.entry(bye.entrant).or_default() += bye.points;
        }
        for met in &played.meetings {
            for side in met.sides {
                *byes.entry(side).or_default() += met.given(side);
            }
        }
        let mut points = byes.clone();
        for bout in &bouts {
            for (&entrant, won) in bout.sides.iter().zip(bout.points) {
                *points.entry(entrant).or_default() += won;
            }
        }
        Scores {
            bouts,
            byes,
            points,
        }
    }

    pub(super) fn points(&self, entrant: Entrant) -> u32 {
        self.points.get(&entrant).copied().unwrap_or(0)
    }

    /// Each bout of an entrant: the points it won, and its opponent.
    fn bouts(&self, entrant: Entrant) -> impl Iterator<Item = (u32, Entrant)> {
        self.bouts.iter().filter_map(move |bout| {
            let side = bout.sides.iter().position(|&side| side == entrant)?;
            Some((bout.points[side], bout.sides[1 - side]))
        })
    }

    fn tally(&self, entrant: Entrant) -> Tally {
        let mut tally = Tally::default();
        for (points, _) in self.bouts(entrant) {
            match points {
                2 => tally.wins += 1,
                1 => tally.draws += 1,
                _ => tally.losses += 1,
            }
        }
        tally
    }

    fn head_to_head(&self, entrant: Entrant, tied: &[Entrant]) -> u32 {
        let among = self
            .bouts(entrant)
            .filter(|(_, opponent)| tied.contains(opponent));
        among.map(|(points, _)| points).sum()
    }

    /// A bye counts as a win against a virtual opponent with the entrant's own points, as in FIDE
    /// rules since 2023, so that a bye neither helps nor hurts much.
    fn sonneborn_berger(&self, entrant: Entrant) -> u32 {
        let played = self
            .bouts(entrant)
            .map(|(points, opponent)| points * self.points(opponent));
        played.sum::<u32>() + self.bye(entrant) * self.points(entrant)
    }

    fn buchholz(&self, entrant: Entrant) -> u32 {
        let played = self
            .bouts(entrant)
            .map(|(_, opponent)| self.points(opponent));
        played.sum::<u32>() + self.bye(entrant) / 2 * self.points(entrant)
    }

    fn bye(&self, entrant: Entrant) -> u32 {
        self.byes.get(&entrant).copied().unwrap_or(0)
    }
}

/// Ranks a group. Asks for tie-break games when all regular games are finished, and adds them to
/// `played`.
pub(super) fn rank(group: &Group<'_>, played: &mut Played, ask: &mut Ask<'_>) -> Standing {
    let scores = Scores::of(group, played);
    let mut ranking = Ranking {
        group,
        scores: &scores,
        all_met: played.complete,
        complete: played.complete,
        meetings: Vec::new(),
        ask,
    };
    let ranked = if group.stage.format == Format::Knockout {
        let blocks = played.knocked_out.clone();
        blocks
            .into_iter()
            .filter(|block| !block.is_empty())
            .collect()
    } else {
        ranking.blocks()
    };
    let complete = ranking.complete;
    let meetings = std::mem::take(&mut ranking.meetings);
    let mut standing = Standing {
        places: Vec::new(),
        complete,
    };
    for block in ranked {
        let first = standing.places.len();
        let by_lot = complete && group.contains_boundary(first..first + block.len());
        for (entrant, rank) in with_ranks(group, block, first, by_lot) {
            standing.places.push(Place {
                entrant,
                rank,
                tally: scores.tally(entrant),
                points: scores.points(entrant),
                given: scores.bye(entrant),
                sonneborn_berger: scores.sonneborn_berger(entrant),
                buchholz: scores.buchholz(entrant),
                by_lot,
            });
        }
    }
    played.meetings.extend(meetings);
    standing
}

/// The entrants of a tied block with their ranks; the ranks differ only if `by_lot`.
fn with_ranks(
    group: &Group<'_>,
    mut block: Vec<Entrant>,
    first: usize,
    by_lot: bool,
) -> Vec<(Entrant, u32)> {
    if by_lot {
        block.sort_by_key(|&entrant| group.lot(entrant));
    }
    let rank = |index| (first + if by_lot { index } else { 0 }) as u32 + 1;
    block
        .into_iter()
        .enumerate()
        .map(|(index, entrant)| (entrant, rank(index)))
        .collect()
}

impl Group<'_> {
    /// Whether the boundary between those who advance and the others is inside these places.
    fn contains_boundary(&self, places: Range<usize>) -> bool {
        let boundary = self.stage.advance.unwrap_or(0) as usize;
        places.start < boundary && boundary < places.end
    }

    /// Whether the order within these places matters: always in the last stage, otherwise only if
    /// it decides who advances.
    fn order_matters(&self, places: Range<usize>) -> bool {
        self.stage.advance.is_none() || self.contains_boundary(places)
    }
}

/// A ranking in progress.
struct Ranking<'r, 'c, 'a> {
    group: &'r Group<'c>,
    scores: &'r Scores,
    /// Whether all regular meetings are finished.
    all_met: bool,
    /// Whether the tie-break games are finished too.
    complete: bool,
    meetings: Vec<Met>,
    ask: &'r mut Ask<'a>,
}

impl Ranking<'_, '_, '_> {
    /// The entrants in blocks, best first; a block holds entrants that stay tied.
    fn blocks(&mut self) -> Vec<Vec<Entrant>> {
        let scores = self.scores;
        let mut blocks = Vec::new();
        let mut first = 0;
        for block in split(&self.group.entrants, |entrant| scores.points(entrant)) {
            let count = block.len();
            let rules = &self.group.stage.tie_breaks;
            blocks.extend(self.break_ties(block, rules, first));
            first += count;
        }
        blocks
    }

    /// Breaks the ties within a block whose best place is `first`, from 0.
    fn break_ties(
        &mut self,
        block: Vec<Entrant>,
        rules: &[TieBreak],
        first: usize,
    ) -> Vec<Vec<Entrant>> {
        let Some((&rule, rest)) = rules.split_first().filter(|_| block.len() > 1) else {
            return vec![block];
        };
        let scores = self.scores;
        let parts = match rule {
            TieBreak::HeadToHead => split(&block, |entrant| scores.head_to_head(entrant, &block)),
            TieBreak::SonnebornBerger => split(&block, |entrant| scores.sonneborn_berger(entrant)),
            TieBreak::Buchholz => split(&block, |entrant| scores.buchholz(entrant)),
            TieBreak::Wins => split(&block, |entrant| scores.tally(entrant).wins),
            TieBreak::Rapid | TieBreak::Lot => match self.play_off(&block, rule, first) {
                Some(parts) => parts,
                None => return vec![block],
            },
        };
        let mut blocks = Vec::new();
        let mut first = first;
        for part in parts {
            let count = part.len();
            blocks.extend(self.break_ties(part, rest, first));
            first += count;
        }
        blocks
    }

    /// Plays tie-break games between the tied entrants, if all regular games are finished and their
    /// places matter. `None` until the tie-break games are finished.
    fn play_off(
        &mut self,
        block: &[Entrant],
        rule: TieBreak,
        first: usize,
    ) -> Option<Vec<Vec<Entrant>>> {
        let decider = rule.decider()?;
        if !self.all_met || !self.group.order_matters(first..first + block.len()) {
            return None;
        }
        let mut points: HashMap<Entrant, u32> = HashMap::new();
        let (mut table, mut complete) = (0, true);
        for (index, &a) in block.iter().enumerate() {
            for &b in &block[index + 1..] {
                let place = first as u32 + 1;
                let met = self.group.decide(decider, place, table, [a, b], self.ask);
                table += 1;
                for (side, won) in met.sides.into_iter().zip(met.points()) {
                    *points.entry(side).or_default() += won;
                }
                complete &= met.complete;
                self.meetings.push(met);
            }
        }
        self.complete &= complete;
        complete.then(|| split(block, |entrant| points[&entrant]))
    }
}

/// Groups entrants by score, best first; entrants with equal scores keep their order.
fn split(entrants: &[Entrant], score: impl Fn(Entrant) -> u32) -> Vec<Vec<Entrant>> {
    let mut sorted = entrants.to_vec();
    sorted.sort_by_cached_key(|&entrant| Reverse(score(entrant)));
    let parts = sorted.chunk_by(|&a, &b| score(a) == score(b));
    parts.map(<[Entrant]>::to_vec).collect()
}
