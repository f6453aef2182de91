//! A round that leaves pairings for the rounds to come.
//!
//! After the cheapest pairing of a round, some round to come may have no pairing without a repetition.
//! So the cheapest of those is taken after which the rounds to come can be paired. Whether they can is
//! searched, exactly in small groups; where everybody has at least half of the others left to meet, they
//! can (Dirac 1952).

use std::cell::Cell;

use engine_core::Rng;
use integer_blossom::min_weight_perfect_matching;

/// More rounds than this are not looked ahead in groups of more than [`SMALL`].
const FAR: u32 = 3;
/// In groups of so many, all rounds are until everybody has met everybody.
const SMALL: usize = 12;
/// Pairings of a round that are tried, the cheapest first, at most.
const MOST_TRIED: usize = 2_000;
/// What a round may cost: steps of the searches, each of which pairs a place.
const MOST_STEPS: usize = 2_000_000;

/// The cost of each pair of places, an even number.
pub(super) struct Costs {
    count: usize,
    costs: Vec<i128>,
}

/// The partner of each place.
type Mates = Vec<usize>;

impl Costs {
    /// No cost for any pair of `count` places.
    pub(super) fn new(count: usize) -> Costs {
        Costs {
            count,
            costs: vec![0; count * count],
        }
    }

    /// Sets the cost of a pair of places.
    pub(super) fn set(&mut self, one: usize, other: usize, cost: i128) {
        self.costs[one * self.count + other] = cost;
        self.costs[other * self.count + one] = cost;
    }

    fn get(&self, one: usize, other: usize) -> i128 {
        self.costs[one * self.count + other]
    }

    fn cheapest(&self) -> Mates {
        min_weight_perfect_matching(&self.costs, self.count)
    }

    fn of(&self, mates: &Mates) -> i128 {
        let pairs = mates
            .iter()
            .enumerate()
            .filter(|&(one, &other)| one < other);
        pairs.map(|(one, &other)| self.get(one, other)).sum()
    }
}

/// The pairing of a round: the cheapest after which as many rounds as possible can be paired without a
/// repetition, however many are to come, so that a round more changes none before it. `repeat` is the cost
/// of each earlier meeting of a pair.
pub(super) fn choose(costs: &Costs, repeat: i128) -> Mates {
    let best = costs.cheapest();
    let steps = Cell::new(0);
    let open = Open::of(costs, repeat, &steps);
    // A repetition that cannot be avoided begins a new cycle: what follows is open again.
    let left = (open.least_degree() as u32).saturating_sub(1);
    let far = if costs.count <= SMALL {
        left
    } else {
        left.min(FAR)
    };
    if !open.has(&best) || open.without(&best).lasts(far) {
        return best;
    }
    let mut others = open.pairings();
    others.sort_by_cached_key(|mates| costs.of(mates));
    for rounds in (1..=far).rev() {
        let leaves = |mates: &&Mates| open.without(mates).lasts(rounds);
        if let Some(found) = others.iter().find(leaves) {
            return found.clone();
        }
    }
    best
}

/// The pairs that have met less often than others: a graph of places.
#[derive(Clone)]
struct Open<'s> {
    count: usize,
    pairs: Vec<bool>,
    /// Steps of all searches of this round.
    steps: &'s Cell<usize>,
}

impl<'s> Open<'s> {
    fn of(costs: &Costs, repeat: i128, steps: &'s Cell<usize>) -> Open<'s> {
        let count = costs.count;
        let places = || (0..count).flat_map(move |one| (0..count).map(move |other| (one, other)));
        let met = |(one, other)| costs.get(one, other) / repeat;
        let least = places().filter(|(one, other)| one != other).map(met).min();
        let is_open = |(one, other)| one != other && Some(met((one, other))) == least;
        Open {
            count,
            pairs: places().map(is_open).collect(),
            steps,
        }
    }

    fn is_open(&self, one: usize, other: usize) -> bool {
        self.pairs[one * self.count + other]
    }

    fn has(&self, mates: &Mates) -> bool {
        let mut pairs = mates.iter().enumerate();
        pairs.all(|(one, &other)| self.is_open(one, other))
    }

    fn without(&self, mates: &Mates) -> Open<'s> {
        let mut rest = self.clone();
        for (one, &other) in mates.iter().enumerate() {
            rest.pairs[one * self.count + other] = false;
        }
        rest
    }

    /// The fewest open partners of a place.
    fn least_degree(&self) -> usize {
        let rows = self.pairs.chunks(self.count.max(1));
        let degrees = rows.map(|row| row.iter().filter(|&&open| open).count());
        degrees.min().unwrap_or(0)
    }

    /// Counts steps; false if there were too many.
    fn may_go_on(&self, steps: usize) -> bool {
        self.steps.set(self.steps.get() + steps);
        self.steps.get() <= MOST_STEPS
    }

    /// Whether so many rounds can be paired with open pairs, each once. After too many steps the answer
    /// is no.
    fn lasts(&self, rounds: u32) -> bool {
        // A graph of whose nodes each has half of the others as neighbours has a perfect matching, and
        // each round takes one neighbour of each.
        let degree = self.least_degree();
        if rounds == 0 || 2 * (degree + 1) >= self.count + 2 * rounds as usize {
            return true;
        }
        if degree < rounds as usize {
            return false;
        }
        self.lasts_by_chance(rounds) || self.lasts_by_search(rounds)
    }

    /// Whether some random pairings, one after the other, last.
    fn lasts_by_chance(&self, rounds: u32) -> bool {
        const TRIES: u64 = 8;
        const CLOSED: i128 = 1 << 40;
        (0..TRIES).any(|seed| {
            let mut rng = Rng::new(seed);
            let mut rest = self.clone();
            (0..rounds).all(|_| {
                if !self.may_go_on(self.count * self.count) {
                    return false;
                }
                let mut costs = Costs::new(self.count);
                for one in 0..self.count {
                    for other in one + 1..self.count {
                        let closed = if rest.is_open(one, other) { 0 } else { CLOSED };
                        costs.set(one, other, closed + i128::from(rng.below(1 << 20)));
                    }
                }
                let mates = costs.cheapest();
                let goes_on = rest.has(&mates);
                rest = rest.without(&mates);
                goes_on
            })
        })
    }

    /// Whether some pairings last, by trying all.
    fn lasts_by_search(&self, rounds: u32) -> bool {
        if rounds == 0 {
            return true;
        }
        let mut found = false;
        self.each_pairing(&mut |mates| {
            found = self.without(mates).lasts_by_search(rounds - 1);
            found
        });
        found
    }

    /// The pairings of all places with open pairs; not all of them if there are too many.
    fn pairings(&self) -> Vec<Mates> {
        let mut all = Vec::new();
        self.each_pairing(&mut |mates| {
            all.push(mates.clone());
            all.len() == MOST_TRIED
        });
        all
    }

    /// Shows every pairing with open pairs, until it is enough, or there were too many steps.
    fn each_pairing(&self, enough: &mut dyn FnMut(&Mates) -> bool) {
        let mut mates = vec![usize::MAX; self.count];
        self.complete(&mut mates, 0, enough);
    }

    /// Pairs the places from `first` on; true if it is enough.
    fn complete(
        &self,
        mates: &mut Mates,
        first: usize,
        enough: &mut dyn FnMut(&Mates) -> bool,
    ) -> bool {
        if !self.may_go_on(1) {
            return true;
        }
        let is_free = |mates: &Mates, place: usize| mates[place] == usize::MAX;
        let Some(one) = (first..self.count).find(|&place| is_free(mates, place)) else {
            return enough(mates);
        };
        for other in one + 1..self.count {
            if !is_free(mates, other) || !self.is_open(one, other) {
                continue;
            }
            (mates[one], mates[other]) = (other, one);
            let is_enough = self.complete(mates, one + 1, enough);
            (mates[one], mates[other]) = (usize::MAX, usize::MAX);
            if is_enough {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two teams of an odd number whose members have met all of the other team: nobody can be paired
    /// without a repetition, and to try all pairings would take years.
    #[test]
    fn a_hopeless_search_ends() {
        const TEAM: usize = 21;
        const REPEAT: i128 = 1 << 20;
        let mut costs = Costs::new(2 * TEAM);
        for one in 0..2 * TEAM {
            for other in one + 1..2 * TEAM {
                let met = (one < TEAM) != (other < TEAM);
                costs.set(one, other, i128::from(met) * REPEAT);
            }
        }
        let steps = Cell::new(0);
        let open = Open::of(&costs, REPEAT, &steps);
        assert_eq!(open.least_degree(), TEAM - 1);
        assert!(!open.lasts(1));
        assert!(steps.get() > MOST_STEPS, "the search gave up");
        let mates = choose(&costs, REPEAT);
        assert!(
            mates
                .iter()
                .enumerate()
                .all(|(one, &other)| mates[other] == one)
        );
    }
}
