//! The report as JSON, with all figures.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use engine_process::deviation::Deviations;
use gamelog::record::Reason;
use serde::Serialize;
use stats::Figure;
use stats::rating::Ratings;
use stats::sign::Decisive;
use stats::strength::Strength;

use crate::results::anchors::Anchor;
use crate::results::cpu::CpuTimes;
use crate::results::hosts::{Host, Hosts, Residual};
use crate::results::lag::LagReport;
use crate::results::standings::{Facts, Row, Standings, Table, Versus, places};
use crate::results::tally::Tally;
use crate::results::work::MeanWork;

#[derive(Serialize)]
struct Report<'a> {
    /// Tables by game.
    games: &'a BTreeMap<&'a str, TableReport<'a>>,
    all: &'a TableReport<'a>,
    /// The ratings that were given, by engine.
    anchors: BTreeMap<&'a str, f64>,
    /// The machines, by name.
    hosts: BTreeMap<&'a str, HostReport<'a>>,
}

#[derive(Serialize)]
struct TableReport<'a> {
    #[serde(flatten)]
    facts: FactsReport,
    /// First-side advantage in Elo: value and error, or a bound; null if there is neither.
    first_advantage: Option<Figure>,
    /// The engines, the best first.
    engines: Vec<EngineReport<'a>>,
    /// The leagues of its games.
    leagues: &'a BTreeSet<String>,
    /// Games in which the engines had different clocks.
    time_odds: u32,
    /// Names of the engines, in groups whose ratings cannot be compared.
    groups: Vec<Vec<&'a str>>,
    openings: BTreeMap<&'a str, FactsReport>,
}

#[derive(Serialize)]
struct HostReport<'a> {
    games: u32,
    /// Nodes per second, the mean; null if unknown.
    speed: Option<f64>,
    /// The smallest and the largest scale of clocks; null if unknown.
    scales: Option<[f64; 2]>,
    faults: &'a BTreeMap<Reason, u32>,
    lag: Option<LagReport>,
    /// How well its results fit those of all hosts.
    residual: Residual,
}

#[derive(Serialize)]
struct FactsReport {
    games: u32,
    /// Games that do not repeat another, move for move.
    distinct_games: u32,
    /// Games that repeat another by engines that answer alike every time: they count in no estimate.
    forced_repeats: u32,
    /// Pairs of games with sides exchanged.
    pairs: u64,
    /// Results of the first side.
    first: Tally,
    /// Elo of the first side from its score, if all engines were equally strong.
    first_elo: Option<Figure>,
    mean_turns: f64,
    mean_seconds: f64,
}

#[derive(Serialize)]
struct EngineReport<'a> {
    name: &'a str,
    points: u32,
    /// Pairs of games with sides exchanged.
    pairs: u64,
    elo: Option<Figure>,
    as_first: Tally,
    as_second: Tally,
    faults: &'a BTreeMap<Reason, u32>,
    /// Null if the engine never reported its time.
    lag: Option<LagReport>,
    /// Null if it is not known of any turn.
    cpu: Option<CpuTimes>,
    /// Means over its turns; null without any.
    turns: Option<MeanWork>,
    /// The clocks of its games, the most used first.
    clocks: Vec<String>,
    /// By kind.
    deviations: &'a Deviations,
    /// Its builds, as far as they are known.
    builds: &'a BTreeSet<String>,
    against: BTreeMap<&'a str, VersusReport>,
}

#[derive(Serialize)]
struct VersusReport {
    as_first: Tally,
    as_second: Tally,
    score: Option<f64>,
    /// Games that repeat another by engines that answer alike every time: they count in no estimate.
    forced_repeats: u32,
    /// From the games between these two only, by pairs where games are paired.
    #[serde(flatten)]
    alone: Strength,
    /// Pairs of games by points: 0, ½, 1, 1½, 2.
    pairs: [u64; 5],
    decisive_pairs: Decided,
    /// From the games of all engines.
    difference: Option<Figure>,
    superiority_by_all: Option<f64>,
}

/// Pairs that do not tie, without forced repeats.
#[derive(Serialize)]
struct Decided {
    #[serde(flatten)]
    decisive: Decisive,
    /// The exact sign test: the probability of a result at least as uneven between equal engines.
    p: f64,
}

impl Decided {
    fn of(played: &Versus) -> Decided {
        let (_, pairs) = played.observed();
        let decisive = Decisive::of(&pairs.by_points());
        Decided {
            p: decisive.probability(),
            decisive,
        }
    }
}

pub(super) fn write(standings: &Standings, anchors: &[Anchor]) -> String {
    let games: BTreeMap<&str, TableReport<'_>> = (standings.by_game.iter())
        .map(|(id, games)| (&**id, table(games, anchors)))
        .collect();
    // All games are those of the only one.
    let all = match games.len() {
        1 => None,
        _ => Some(table(&standings.all, anchors)),
    };
    let report = Report {
        all: (all.as_ref().or(games.values().next())).expect("one of the two is there"),
        games: &games,
        anchors: (anchors.iter())
            .map(|anchor| (&*anchor.name, anchor.rating))
            .collect(),
        hosts: hosts(&standings.hosts),
    };
    let text = serde_json::to_string_pretty(&report).expect("numbers and text are JSON");
    text + "\n"
}

fn table<'a>(table: &'a Table, anchors: &[Anchor]) -> TableReport<'a> {
    let rows = table.ranked();
    let places = places(&rows);
    let ratings = table.ratings(anchors);
    let group = |group: &Vec<usize>| group.iter().map(|&player| &*rows[player].name).collect();
    let openings = table.openings.iter();
    TableReport {
        facts: facts(&table.facts),
        first_advantage: ratings.advantage,
        engines: (rows.iter().enumerate())
            .map(|(place, row)| engine((place, row), &places, &ratings))
            .collect(),
        leagues: &table.leagues,
        time_odds: table.odds,
        groups: ratings.groups.iter().map(group).collect(),
        openings: openings
            .map(|(text, games)| (&**text, facts(games)))
            .collect(),
    }
}

fn hosts(hosts: &Hosts) -> BTreeMap<&str, HostReport<'_>> {
    let all = hosts.iter().zip(hosts.residuals());
    let report = |((name, host), residual)| {
        let host: &Host = host;
        let report = HostReport {
            games: host.games,
            speed: host.speed(),
            scales: host.scales,
            faults: &host.faults,
            lag: host.lags.report(),
            residual,
        };
        (name, report)
    };
    all.map(report).collect()
}

fn facts(games: &Facts) -> FactsReport {
    let count = f64::from(games.games().max(1));
    FactsReport {
        games: games.games(),
        distinct_games: games.distinct,
        forced_repeats: games.forced_repeats(),
        pairs: games.pairs.count(),
        first: games.first,
        first_elo: games.results().elo(),
        mean_turns: games.turns as f64 / count,
        mean_seconds: games.duration_ms as f64 / count / 1000.0,
    }
}

fn engine<'a>(
    (place, row): (usize, &'a Row),
    places: &HashMap<&str, usize>,
    ratings: &Ratings,
) -> EngineReport<'a> {
    let versus = |(name, played): (&'a String, &Versus)| {
        let other = places[&**name];
        let [as_first, as_second] = played.by_side;
        let report = VersusReport {
            as_first,
            as_second,
            score: played.total().sample().score(),
            forced_repeats: played.forced_repeats(),
            alone: played.results().strength(),
            pairs: played.pairs.by_points().0,
            decisive_pairs: Decided::of(played),
            difference: ratings.difference(place, other),
            superiority_by_all: ratings.superiority(place, other),
        };
        (&**name, report)
    };
    let [as_first, as_second] = row.by_side;
    EngineReport {
        name: &row.name,
        points: row.total().points(),
        pairs: row.pairs(),
        elo: ratings.players[place],
        as_first,
        as_second,
        faults: &row.faults,
        lag: row.lags.report(),
        cpu: (row.cpu.turns > 0).then_some(row.cpu),
        turns: row.work.mean(),
        clocks: row.clocks.words(),
        deviations: &row.deviations,
        builds: &row.builds,
        against: row.against.iter().map(versus).collect(),
    }
}
