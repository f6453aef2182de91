//! A round that leaves pairings for the rounds to come.
//!
//! The cheapest pairing of a round may leave entrants of whom some round to come cannot be paired without
//! a repetition. So the cheapest of those pairings is taken that leave enough others of all entrants, no two
//! with a pair in common. Whether they exist is searched exactly in small groups; where everybody has at least half of the others left to meet, they do (Dirac 1952).

use engine_core::Rng;
use integer_blossom::min_weight_perfect_matching;

/// More rounds than this are not looked ahead in groups of more than [`SMALL`].
const FAR: u32 = 3;
/// In groups of so many, all rounds are until everybody has met everybody.
const SMALL: usize = 12;
/// Pairings of a round that are tried, the cheapest first, and steps of a search, at most.
const MOST_TRIED: usize = 2_000;
const MOST_STEPS: usize = 20_000;

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
    let open = Open::of(costs, repeat);
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
struct Open {
    count: usize,
    pairs: Vec<bool>,
}

impl Open {
    fn of(costs: &Costs, repeat: i128) -> Open {
        let count = costs.count;
        let places = || (0..count).flat_map(move |one| (0..count).map(move |other| (one, other)));
        let met = |(one, other)| costs.get(one, other) / repeat;
        let least = places().filter(|(one, other)| one != other).map(met).min();
        let is_open = |(one, other)| one != other && Some(met((one, other))) == least;
        Open {
            count,
            pairs: places().map(is_open).collect(),
        }
    }

    fn is_open(&self, one: usize, other: usize) -> bool {
        self.pairs[one * self.count + other]
    }

    fn has(&self, mates: &Mates) -> bool {
        let mut pairs = mates.iter().enumerate();
        pairs.all(|(one, &other)| self.is_open(one, other))
    }

    fn without(&self, mates: &Mates) -> Open {
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

    /// Whether so many rounds can be paired with open pairs, each once. A search that takes too long
    /// says no.
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
        self.lasts_by_chance(rounds) || self.lasts_by_search(rounds, &mut 0)
    }

    /// Whether some random pairings, one after the other, last.
    fn lasts_by_chance(&self, rounds: u32) -> bool {
        const TRIES: u64 = 8;
        const CLOSED: i128 = 1 << 40;
        (0..TRIES).any(|seed| {
            let mut rng = Rng::new(seed);
            let mut rest = self.clone();
            (0..rounds).all(|_| {
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
    fn lasts_by_search(&self, rounds: u32, steps: &mut usize) -> bool {
        if rounds == 0 {
            return true;
        }
        let mut found = false;
        self.each_pairing(&mut |mates| {
            *steps += 1;
            found = self.without(mates).lasts_by_search(rounds - 1, steps);
            found || *steps > MOST_STEPS
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

    /// Shows every pairing with open pairs, until it is enough.
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
