//! Standings: points and results of every engine. A pure function of the log, updated game by game, and but
//! for [`Versus::in_order`] independent of the order of its games.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use engine_core::Side;
use engine_process::deviation::Deviations;
use gamelog::record::{GameRecord, GameResult, Reason};
use stats::rating::{self, Encounter, Model, Pairing, Ratings};
use stats::sample::PairTable;
use stats::sign::Decisive;
use stats::strength::Results;

use crate::results::anchors::Anchor;
use crate::results::cpu::CpuTimes;
use crate::results::hosts::Hosts;
use crate::results::lag::Lags;
use crate::results::repeats::{Again, Repeats, Seen};
use crate::results::summary::GameSummary;
use crate::results::tally::{Tally, sum};
use crate::results::work::{Clocks, Work};

/// An engine's games against one opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versus {
    /// Results as `First` and as `Second`, by [`Side::index`].
    pub by_side: [Tally; 2],
    /// Pairs of games that differ only in the sides, by the results as `First` and as `Second`.
    pub pairs: PairTable,
    /// The result of each game, and the points of each pair, in the order in which they stand in the log:
    /// from 0.
    order: [Vec<u8>; 2],
    again: Again,
}

impl Versus {
    /// The results of all games, from 0 for a loss to 2, or of all pairs, from 0 to 4, in the order in which
    /// they stand in the log; then the places of forced repeats among them.
    pub fn in_order(&self, of_pairs: bool) -> (&[u8], Vec<u32>) {
        let order = &self.order[usize::from(of_pairs)];
        (order, self.again.places(of_pairs))
    }

    /// Results of all games.
    pub fn total(&self) -> Tally {
        sum(self.by_side)
    }

    /// Number of games that repeat another, by engines that answer alike every time.
    pub fn forced_repeats(&self) -> u32 {
        self.again.games()
    }

    /// Results by side and pairs without those games.
    pub fn observed(&self) -> ([Tally; 2], PairTable) {
        self.again.without(self.by_side, self.pairs)
    }

    /// The decisive pairs, without forced repeats, and the number of all; `None` if fewer than half of them
    /// tie.
    pub fn mostly_tied(&self) -> Option<(Decisive, u64)> {
        let (_, pairs) = self.observed();
        let (decisive, all) = (Decisive::of(&pairs.by_points()), pairs.count());
        (all > 0 && 2 * (decisive.won + decisive.lost) <= all).then_some((decisive, all))
    }

    /// Results for statistics: without forced repeats, and by pairs where games are paired.
    pub fn results(&self) -> Results {
        let (by_side, pairs) = self.observed();
        Results::new(sum(by_side).sample(), &pairs)
    }
}

/// The results of one engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The engine.
    pub name: String,
    /// Results as `First` and as `Second`, by [`Side::index`].
    pub by_side: [Tally; 2],
    /// Results against each opponent.
    pub against: BTreeMap<String, Versus>,
    /// Games lost by a fault: see [`Reason::is_fault`].
    pub faults: BTreeMap<Reason, u32>,
    /// Time charged beyond what the engine itself reported.
    pub lags: Lags,
    /// CPU time in its turns and between them.
    pub cpu: CpuTimes,
    /// How long and how deep it thought.
    pub work: Work,
    /// The clocks of its games.
    pub clocks: Clocks,
    /// Protocol deviations that were tolerated.
    pub deviations: Deviations,
    /// Its builds, as far as they are known, see [`crate::builds`].
    pub builds: BTreeSet<String>,
}

impl Row {
    /// Results of all games.
    pub fn total(&self) -> Tally {
        sum(self.by_side)
    }

    /// Number of pairs of games that differ only in the sides.
    pub fn pairs(&self) -> u64 {
        self.against
            .values()
            .map(|versus| versus.pairs.count())
            .sum()
    }

    fn add(&mut self, game: &GameSummary, side: Side) {
        let tally = Tally::one(game.result, side);
        self.by_side[side.index()] += tally;
        let versus = self.against(game, side);
        versus.by_side[side.index()] += tally;
        versus.order[0].push(tally.points() as u8);
        if tally.losses == 1 && game.reason.is_fault() {
            *self.faults.entry(game.reason).or_default() += 1;
        }
        (game.lags_us[side.index()].iter()).for_each(|&lag| self.lags.add(lag));
        self.cpu.add(&game.cpu[side.index()]);
        self.work.add(&game.work[side.index()]);
        if let Some(clocks) = game.clocks {
            self.clocks.add(clocks[side.index()]);
        }
        self.deviations.add(&game.deviations[side.index()]);
        let build = &game.builds[side.index()];
        if !build.is_empty() && !self.builds.contains(build) {
            self.builds.insert(build.clone());
        }
    }

    /// The results against the opponent in `game`.
    fn against(&mut self, game: &GameSummary, side: Side) -> &mut Versus {
        let opponent = &game.names[side.opponent().index()];
        self.against.entry(opponent.clone()).or_default()
    }
}

/// Pairs of which the same side won both games are mentioned from this number on, and if they are one in
/// this many.
const LEAST_SAME: u64 = 3;
const MANY_SAME: u64 = 4;

/// Totals over games, independent of who played them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Results of the first side.
    pub first: Tally,
    /// Pairs of games that differ only in the sides, by the results of the first side.
    pub pairs: PairTable,
    /// Number of turns in all games.
    pub turns: u64,
    /// Duration of all games, ms.
    pub duration_ms: u64,
    /// Number of games that do not repeat another.
    pub distinct: u32,
    again: Again,
}

impl Facts {
    fn add(&mut self, game: &GameSummary, seen: Seen) {
        self.first += Tally::one(game.result, Side::First);
        self.distinct += u32::from(!seen.is_repeat);
        self.turns += game.turns;
        self.duration_ms += game.duration_ms;
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        self.first.games()
    }

    /// Number of games that repeat another, by engines that answer alike every time.
    pub fn forced_repeats(&self) -> u32 {
        self.again.games()
    }

    /// Results of the first side and pairs without those games.
    pub fn observed(&self) -> (Tally, PairTable) {
        let by_side = [self.first, Tally::default()];
        let ([first, _], pairs) = self.again.without(by_side, self.pairs);
        (first, pairs)
    }

    /// Results of the first side for statistics: without forced repeats, and by pairs where games are
    /// paired.
    pub fn results(&self) -> Results {
        let (first, pairs) = self.observed();
        Results::new(first.sample(), &pairs)
    }

    /// Pairs of which the same side won both games, where there are so many that sides decide rather than
    /// engines: those of `First`, those of `Second`, and all pairs.
    pub fn decided_by_sides(&self) -> Option<[u64; 3]> {
        let (_, pairs) = self.observed();
        let [first, second, all] = [pairs.0[2][2], pairs.0[0][0], pairs.count()];
        let same = first + second;
        (same >= LEAST_SAME && MANY_SAME * same >= all).then_some([first, second, all])
    }
}

/// Games still without their pair partner: what both have in common, then the side and the result of
/// the engine whose name sorts first: 0 for a loss, 1 for a draw, 2 for a win.
type Unpaired = HashMap<String, Vec<(Side, usize)>>;

/// A table of engines.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: BTreeMap<String, Row>,
    unpaired: Unpaired,
    /// The pairs that were completed, by [`Course::pair`].
    paired: HashSet<u64>,
    /// The engines that have answered a position in two ways, by game.
    varied: BTreeSet<[String; 2]>,
    /// The leagues of its games.
    pub leagues: BTreeSet<String>,
    /// Number of games in which the engines had different clocks.
    pub odds: u32,
    /// Totals of all its games.
    pub facts: Facts,
    /// Totals by opening text; without games from the initial position.
    pub openings: BTreeMap<String, Facts>,
}

impl Table {
    /// Adds a game.
    fn add(&mut self, game: &GameSummary, seen: Seen) {
        self.facts.add(game, seen);
        self.odds += u32::from(game.clocks.is_some_and(|[first, second]| first != second));
        if !self.leagues.contains(&game.league) {
            self.leagues.insert(game.league.clone());
        }
        if !game.opening.is_empty() {
            let opening = self.openings.entry(game.opening.clone());
            opening.or_default().add(game, seen);
        }
        for side in Side::BOTH {
            self.row_of(&game.names[side.index()]).add(game, side);
        }
        for side in Side::BOTH {
            if seen.varied[side.index()] {
                self.vary(&game.game, &game.names[side.index()]);
            }
        }
        if seen.is_repeat && self.is_forced(game) {
            self.repeat(game);
        }
        self.pair(game, seen);
    }

    /// Notes that an engine has answered a position in two ways.
    fn vary(&mut self, game: &str, name: &str) {
        if !self.varied.insert([game, name].map(str::to_owned)) {
            return;
        }
        let facts = self.openings.values_mut().chain([&mut self.facts]);
        let rows = self.rows.values_mut();
        let versus = rows.flat_map(|row| row.against.values_mut());
        facts
            .map(|facts| &mut facts.again)
            .chain(versus.map(|versus| &mut versus.again))
            .for_each(|again| again.forget(game, name));
    }

    /// Whether both engines have always answered alike.
    fn is_forced(&self, game: &GameSummary) -> bool {
        let mut names = game.names.iter();
        names.all(|name| !self.varied.contains(&[game.game.clone(), name.clone()]))
    }

    /// Notes a game that repeats another.
    fn repeat(&mut self, game: &GameSummary) {
        let pairing = game.pairing();
        for side in Side::BOTH {
            let row = self.row_of(&game.names[side.index()]);
            let versus = row.against(game, side);
            let tally = Tally::one(game.result, side);
            versus.again.add_game(&pairing, side, tally);
            let place = versus.order[0].len() - 1;
            versus.again.add_place(&pairing, false, place);
        }
        let tally = Tally::one(game.result, Side::First);
        let openings = self.openings.get_mut(&game.opening);
        for facts in openings.into_iter().chain([&mut self.facts]) {
            facts.again.add_game(&pairing, Side::First, tally);
        }
    }

    fn row_of(&mut self, name: &str) -> &mut Row {
        self.rows.entry(name.to_owned()).or_insert_with(|| Row {
            name: name.to_owned(),
            ..Row::default()
        })
    }

    /// Finds the other game of a pair: the same except for the sides.
    fn pair(&mut self, game: &GameSummary, seen: Seen) {
        let [first, second] = &game.names;
        let side = if first <= second {
            Side::First
        } else {
            Side::Second
        };
        let result = Tally::one(game.result, side).points() as usize;
        let names = match side {
            Side::First => [first, second],
            Side::Second => [second, first],
        };
        let (league, id, round, seed) = (&game.league, &game.game, game.round, game.seed);
        let common = format!("{league} {id} {round} {seed} {names:?} {}", game.opening);
        let waiting = self.unpaired.entry(common);
        let Entry::Occupied(mut waiting) = waiting else {
            waiting.or_default().push((side, result));
            return;
        };
        let games = waiting.get_mut();
        let Some(twin) = games.iter().position(|&(other, _)| other != side) else {
            games.push((side, result));
            return;
        };
        let (_, twin) = games.swap_remove(twin);
        if games.is_empty() {
            waiting.remove();
        }
        let (first, second) = match side {
            Side::First => (result, twin),
            Side::Second => (twin, result),
        };
        let other = |result| 2 - result;
        let course = game.course.as_ref().filter(|_| seen.is_watched);
        let is_repeat = course.is_some_and(|course| !self.paired.insert(course.pair));
        let again = (is_repeat && self.is_forced(game)).then(|| game.pairing());
        let add = |pairs: &mut PairTable, repeats: &mut Again, [one, other]: [usize; 2]| {
            pairs.0[one][other] += 1;
            if let Some(pairing) = &again {
                repeats.add_pair(pairing, [one, other]);
            }
        };
        let sides = [side, side.opponent()];
        let results = [[first, second], [other(second), other(first)]];
        for ((name, side), results) in names.into_iter().zip(sides).zip(results) {
            let versus = self.row_of(name).against(game, side);
            add(&mut versus.pairs, &mut versus.again, results);
            if let Some(pairing) = &again {
                let place = versus.order[1].len();
                versus.again.add_place(pairing, true, place);
            }
            versus.order[1].push((results[0] + results[1]) as u8);
        }
        let openings = self.openings.get_mut(&game.opening);
        for facts in openings.into_iter().chain([&mut self.facts]) {
            add(&mut facts.pairs, &mut facts.again, [first, other(second)]);
        }
    }

    /// The rows, best engine first: by points, then fewer games, then name.
    pub fn ranked(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.values().collect();
        rows.sort_by_key(|row| (u32::MAX - row.total().points(), row.total().games()));
        rows
    }

    /// The row of an engine.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.get(name)
    }

    /// The ratings of the engines, in the order of [`Table::ranked`], without forced repeats. Anchors
    /// that did not play here count for nothing.
    pub fn ratings(&self, anchors: &[Anchor]) -> Ratings {
        let rows = self.ranked();
        let places = places(&rows);
        let mut encounters = Vec::new();
        let mut pairs = Vec::new();
        for (first, row) in rows.iter().enumerate() {
            for (name, versus) in &row.against {
                let second = places[&**name];
                let (by_side, paired) = versus.observed();
                let tally = by_side[Side::First.index()];
                encounters.push(Encounter {
                    first,
                    second,
                    results: [tally.wins, tally.draws, tally.losses].map(u64::from),
                });
                // Every pair is in the rows of both engines.
                if first < second {
                    pairs.push(pairing(first, second, &paired));
                }
            }
        }
        let given = |anchor: &Anchor| {
            Some(rating::Anchor {
                player: *places.get(&*anchor.name)?,
                rating: anchor.rating,
            })
        };
        let given: Vec<rating::Anchor> = anchors.iter().filter_map(given).collect();
        let model = Model {
            advantage: true,
            anchors: &given,
        };
        Ratings::of(rows.len(), &encounters, &pairs, model)
    }
}

/// The place of each engine in a ranking, from 0.
pub fn places<'r>(rows: &[&'r Row]) -> HashMap<&'r str, usize> {
    let named = rows.iter().zip(0..);
    named.map(|(row, place)| (&*row.name, place)).collect()
}

/// The pairs of two engines, by the results of the first sides.
fn pairing(first: usize, second: usize, pairs: &PairTable) -> Pairing {
    // From a win of the first side to its loss: as First, that is from a win of this engine to its
    // loss, as Second from a loss to a win.
    let results = [2, 1, 0].map(|as_first: usize| pairs.0[as_first]);
    Pairing {
        first,
        second,
        results,
    }
}

/// The standings of a log.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// One table per game, by id.
    pub by_game: BTreeMap<String, Table>,
    /// The table of all games.
    pub all: Table,
    /// The hosts.
    pub hosts: Hosts,
    /// Whether every build of an engine has its own row.
    by_build: bool,
    repeats: Repeats,
    /// Number of imported games that were not finished, which count nowhere.
    pub unfinished: u64,
    /// Number of games that a person decided instead of playing them: they count in a tournament, and say
    /// nothing of strength.
    pub decided: u64,
}

impl Standings {
    /// Standings without games. With `by_build`, every build of an engine counts as an engine of its
    /// own, by [`name_of_build`](crate::results::summary::name_of_build).
    pub fn new(by_build: bool) -> Standings {
        Standings {
            by_build,
            ..Standings::default()
        }
    }

    /// The standings after these games, in any order.
    pub fn of<'g>(games: impl IntoIterator<Item = &'g GameRecord>) -> Standings {
        let mut standings = Standings::default();
        games
            .into_iter()
            .for_each(|game| standings.add(&game.into()));
        standings
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameSummary) {
        if game.result == GameResult::Unfinished {
            self.unfinished += 1;
            return;
        }
        if game.is_decided {
            self.decided += 1;
            return;
        }
        let renamed = self.by_build.then(|| game.with_builds_in_names());
        let game = renamed.as_ref().unwrap_or(game);
        let course = game.course.as_ref();
        let seen = course.map_or(Seen::default(), |course| self.repeats.see(course));
        let table = self.by_game.entry(game.game.clone()).or_default();
        table.add(game, seen);
        self.all.add(game, seen);
        self.hosts.add(game);
    }
}

#[cfg(test)]
mod tests;
