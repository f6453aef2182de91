//! Standings: points and results of every engine. A pure function of the log, independent of the
//! order of its games, updated game by game.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::AddAssign;

use engine_core::Side;
use engine_process::deviation::Deviations;
use gamelog::record::{GameRecord, GameResult, Reason, SideName};
use serde::Serialize;
use stats::rating::{Encounter, Model, Pairing, Ratings};
use stats::sample::{Games, PairTable, Sample};
use stats::strength::Results;
use task::pace::Pace;

use crate::results::cpu::CpuTimes;
use crate::results::hosts::Hosts;
use crate::results::lag::Lags;

/// Number of digits of a build in a name.
const BUILD_DIGITS: usize = 8;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// The result of one game for `side`.
    fn one(result: GameResult, side: Side) -> Tally {
        let (wins, draws, losses) = match (result, side) {
            (GameResult::Draw, _) => (0, 1, 0),
            (GameResult::Unfinished, _) => (0, 0, 0),
            (GameResult::First, Side::First) | (GameResult::Second, Side::Second) => (1, 0, 0),
            _ => (0, 0, 1),
        };
        Tally {
            wins,
            draws,
            losses,
        }
    }

    /// Contest points: two for a win, one for a draw.
    pub fn points(self) -> u32 {
        2 * self.wins + self.draws
    }

    /// Number of games.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The results as a sample for statistics.
    pub fn sample(self) -> Games {
        Sample([self.losses, self.draws, self.wins].map(u64::from))
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// An engine's games against one opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versus {
    /// Results as `First` and as `Second`, by [`Side::index`].
    pub by_side: [Tally; 2],
    /// Pairs of games that differ only in the sides, by the results as `First` and as `Second`.
    pub pairs: PairTable,
}

impl Versus {
    /// Results of all games.
    pub fn total(&self) -> Tally {
        sum(self.by_side)
    }

    /// Results of all games, by pairs where games are paired.
    pub fn results(&self) -> Results {
        Results::new(self.total().sample(), &self.pairs)
    }
}

fn sum([first, second]: [Tally; 2]) -> Tally {
    let mut total = first;
    total += second;
    total
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
        self.against(game, side).by_side[side.index()] += tally;
        if tally.losses == 1 && game.reason.is_fault() {
            *self.faults.entry(game.reason).or_default() += 1;
        }
        (game.lags_us[side.index()].iter()).for_each(|&lag| self.lags.add(lag));
        self.cpu.add(&game.cpu[side.index()]);
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

/// The part of a game that counts for the standings. Only its lags grow with the number of turns.
#[derive(Clone, Debug)]
pub struct GameSummary {
    league: String,
    pub(super) game: String,
    /// Names of the engines, by [`Side::index`].
    pub(super) names: [String; 2],
    /// Their builds, empty if unknown, by [`Side::index`].
    builds: [String; 2],
    round: u32,
    seed: u64,
    opening: String,
    result: GameResult,
    pub(super) reason: Reason,
    /// Number of turns, without rolls.
    turns: u64,
    duration_ms: u64,
    /// The machine; empty for an imported game.
    pub(super) host: String,
    pub(super) pace: Option<Pace>,
    /// Lags of the turns of each side, by [`Side::index`], µs.
    pub(super) lags_us: [Vec<u64>; 2],
    /// CPU times, by [`Side::index`].
    cpu: [CpuTimes; 2],
    /// Protocol deviations, by [`Side::index`].
    deviations: [Deviations; 2],
}

impl GameSummary {
    /// The same with the build in the name of every engine whose build is known.
    fn with_builds_in_names(&self) -> GameSummary {
        let mut game = self.clone();
        for (name, build) in game.names.iter_mut().zip(&game.builds) {
            *name = name_of_build(name, build);
        }
        game
    }

    /// 0, 1 or 2 for a win, a draw or a loss of the first side.
    pub(super) fn outcome(&self) -> usize {
        match self.result {
            GameResult::First => 0,
            GameResult::Draw | GameResult::Unfinished => 1,
            GameResult::Second => 2,
        }
    }
}

/// The name of one build of an engine: `bot@ba7816bf`.
pub fn name_of_build(name: &str, build: &str) -> String {
    match build.get(..BUILD_DIGITS) {
        Some(digits) => format!("{name}@{digits}"),
        None => name.to_owned(),
    }
}

impl<S: AsRef<str>> From<&GameRecord<S>> for GameSummary {
    fn from(game: &GameRecord<S>) -> GameSummary {
        let lags = |side: Side| {
            let turns = (game.turns.iter()).filter(move |turn| turn.side == SideName::from(side));
            turns.filter_map(Lags::of).collect()
        };
        GameSummary {
            league: game.league.clone(),
            game: game.game.clone(),
            names: [game.first.name.clone(), game.second.name.clone()],
            builds: [game.first.build.clone(), game.second.build.clone()],
            round: game.round,
            seed: game.seed,
            opening: game.opening.clone(),
            result: game.result,
            reason: game.reason,
            turns: turns(game),
            duration_ms: game.duration_ms,
            host: if game.is_imported() {
                String::new()
            } else {
                game.host.clone()
            },
            pace: game.pace,
            lags_us: Side::BOTH.map(lags),
            cpu: Side::BOTH.map(|side| {
                let after = [&game.first, &game.second][side.index()].after;
                CpuTimes::of(&game.turns, side.into(), after)
            }),
            deviations: [&game.first, &game.second].map(|engine| engine.deviations.clone()),
        }
    }
}

/// Totals over games, independent of who played them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Results of the first side.
    pub first: Tally,
    /// Pairs of games that differ only in the sides, by the results of the first side.
    pub pairs: PairTable,
    /// Number of turns in all games.
    pub turns: u64,
    /// Duration of all games, ms.
    pub duration_ms: u64,
}

impl Facts {
    fn add(&mut self, game: &GameSummary) {
        self.first += Tally::one(game.result, Side::First);
        self.turns += game.turns;
        self.duration_ms += game.duration_ms;
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        self.first.games()
    }

    /// Results of the first side, by pairs where games are paired.
    pub fn results(&self) -> Results {
        Results::new(self.first.sample(), &self.pairs)
    }
}

/// Number of turns of a game, without rolls.
fn turns<S: AsRef<str>>(game: &GameRecord<S>) -> u64 {
    let dice = catalog::find(&game.game).is_some_and(|rules| rules.has_dice());
    let is_roll = |text: &str| {
        let face = text.strip_prefix('d').filter(|_| dice);
        face.is_some_and(|face| face.parse::<u8>().is_ok())
    };
    let turns = game
        .turns
        .iter()
        .filter(|turn| !is_roll(turn.text.as_ref()));
    turns.count() as u64
}

/// Games still without their pair partner: what both have in common, then the side and the result of
/// the engine whose name sorts first: 0 for a loss, 1 for a draw, 2 for a win.
type Unpaired = HashMap<String, Vec<(Side, usize)>>;

/// A table of engines.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: BTreeMap<String, Row>,
    unpaired: Unpaired,
    /// Totals of all its games.
    pub facts: Facts,
    /// Totals by opening text; without games from the initial position.
    pub openings: BTreeMap<String, Facts>,
}

impl Table {
    /// The table of these games.
    pub fn of<'g>(games: impl IntoIterator<Item = &'g GameRecord>) -> Table {
        let mut table = Table::default();
        games.into_iter().for_each(|game| table.add(&game.into()));
        table
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameSummary) {
        self.facts.add(game);
        if !game.opening.is_empty() {
            let opening = self.openings.entry(game.opening.clone());
            opening.or_default().add(game);
        }
        for side in Side::BOTH {
            self.row_of(&game.names[side.index()]).add(game, side);
        }
        self.pair(game);
    }

    fn row_of(&mut self, name: &str) -> &mut Row {
        self.rows.entry(name.to_owned()).or_insert_with(|| Row {
            name: name.to_owned(),
            ..Row::default()
        })
    }

    /// Finds the other game of a pair: the same except for the sides.
    fn pair(&mut self, game: &GameSummary) {
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
        self.row_of(names[0]).against(game, side).pairs.0[first][second] += 1;
        let against = self.row_of(names[1]).against(game, side.opponent());
        against.pairs.0[other(second)][other(first)] += 1;
        let openings = self.openings.get_mut(&game.opening);
        for facts in openings.into_iter().chain([&mut self.facts]) {
            facts.pairs.0[first][other(second)] += 1;
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

    /// The ratings of the engines, in the order of [`Table::ranked`]. The rating of `anchor` is 0.
    pub fn ratings(&self, anchor: Option<&str>) -> Ratings {
        let rows = self.ranked();
        let places = places(&rows);
        let mut encounters = Vec::new();
        let mut pairs = Vec::new();
        for (first, row) in rows.iter().enumerate() {
            for (name, versus) in &row.against {
                let second = places[&**name];
                let tally = versus.by_side[Side::First.index()];
                encounters.push(Encounter {
                    first,
                    second,
                    results: [tally.wins, tally.draws, tally.losses].map(u64::from),
                });
                // Every pair is in the rows of both engines.
                if first < second {
                    pairs.push(pairing(first, second, &versus.pairs));
                }
            }
        }
        let model = Model {
            advantage: true,
            anchor: anchor.and_then(|name| places.get(name).copied()),
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
    /// Number of imported games that were not finished, which count nowhere.
    pub unfinished: u64,
}

impl Standings {
    /// Standings without games. With `by_build`, every build of an engine counts as an engine of its
    /// own, by [`name_of_build`].
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
        let renamed = self.by_build.then(|| game.with_builds_in_names());
        let game = renamed.as_ref().unwrap_or(game);
        self.by_game.entry(game.game.clone()).or_default().add(game);
        self.all.add(game);
        self.hosts.add(game);
    }
}

#[cfg(test)]
mod tests;
