//! The hosts on which the games were played, side by side.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use gamelog::record::Reason;
use serde::Serialize;
use stats::rating::{ChiSquare, Encounter, residuals};

use crate::results::lag::Lags;
use crate::results::summary::GameSummary;

/// A host is named if chance makes such residuals on one of all hosts with less than this
/// probability.
const ALARM: f64 = 0.01;

/// The hosts of games, by name. Imported games, and those of an unknown host, do not count.
#[derive(Clone, Debug, Default)]
pub struct Hosts(BTreeMap<String, Host>);

/// The games of one host.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// Number of games.
    pub games: u32,
    /// Sum of the speeds of the host in games that know it, nodes per second, and their number.
    speeds: (f64, u32),
    /// The smallest and the largest scale of clocks.
    pub scales: Option<[f64; 2]>,
    /// Games lost by a fault.
    pub faults: BTreeMap<Reason, u32>,
    /// Time charged beyond what engines reported.
    pub lags: Lags,
    /// Wins, draws and losses of the first side, by the id of the game and both engines.
    results: BTreeMap<[String; 3], [u64; 3]>,
}

/// How well the results of a host fit those of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Residual {
    /// The residual; without degrees of freedom if the host has too few games.
    #[serde(flatten)]
    pub chi_square: ChiSquare,
    /// The probability that chance alone makes it so large; `None` without degrees of freedom.
    pub probability: Option<f64>,
    /// Whether that is too small for the number of hosts.
    pub is_alarm: bool,
}

impl Residual {
    /// The less probable first.
    fn compare(&self, other: &Residual) -> Ordering {
        let chances = [self, other].map(|residual| residual.probability.unwrap_or(1.0));
        let values = [self, other].map(|residual| residual.chi_square.value);
        let by_chance = chances[0].total_cmp(&chances[1]);
        by_chance.then(values[1].total_cmp(&values[0]))
    }
}

impl Host {
    /// Its mean speed, nodes per second, if it is known.
    pub fn speed(&self) -> Option<f64> {
        let (sum, count) = self.speeds;
        (count > 0).then(|| sum / f64::from(count))
    }
}

impl Hosts {
    /// Adds a game.
    pub(super) fn add(&mut self, game: &GameSummary) {
        if game.host.is_empty() {
            return;
        }
        let host = match self.0.get_mut(&game.host) {
            Some(host) => host,
            None => self.0.entry(game.host.clone()).or_default(),
        };
        host.games += 1;
        if let Some(pace) = game.pace {
            host.speeds.0 += pace.speed as f64;
            host.speeds.1 += 1;
            let [least, most] = host.scales.unwrap_or([pace.scale; 2]);
            host.scales = Some([least.min(pace.scale), most.max(pace.scale)]);
        }
        if game.reason.is_fault() {
            *host.faults.entry(game.reason).or_default() += 1;
        }
        let lags = game.lags_us.iter().flatten();
        lags.for_each(|&lag| host.lags.add(lag));
        let [first, second] = game.names.clone();
        let results = host.results.entry([game.game.clone(), first, second]);
        results.or_default()[game.outcome()] += 1;
    }

    /// The hosts by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Host)> {
        self.0.iter().map(|(name, host)| (&**name, host))
    }

    /// How well the results of each host fit, in the order of [`Hosts::iter`]: χ² of each game that
    /// the hosts have played, summed. A host that is named does not count for the others, which it
    /// would seem to move; of two hosts that differ, both are named.
    pub fn residuals(&self) -> Vec<Residual> {
        let mut residuals = vec![Residual::default(); self.0.len()];
        let mut fitting: Vec<usize> = (0..self.0.len()).collect();
        loop {
            let found = self.residuals_among(&fitting);
            for (&host, residual) in fitting.iter().zip(&found) {
                residuals[host] = *residual;
            }
            let alarms = (0..fitting.len()).filter(|&place| found[place].is_alarm);
            let worst = alarms.min_by(|&a, &b| found[a].compare(&found[b]));
            match worst {
                Some(worst) if fitting.len() > 2 => fitting.remove(worst),
                _ => return residuals,
            };
        }
    }

    /// How well the results of each of these hosts fit those of all of them.
    fn residuals_among(&self, hosts: &[usize]) -> Vec<Residual> {
        let all: Vec<&Host> = self.0.values().collect();
        let hosts: Vec<&Host> = hosts.iter().map(|&host| all[host]).collect();
        let keys = hosts.iter().flat_map(|host| host.results.keys());
        let games: BTreeSet<&str> = keys.map(|[game, ..]| &**game).collect();
        let mut sums = vec![ChiSquare::default(); hosts.len()];
        for game in games {
            for (sum, residual) in sums.iter_mut().zip(residuals_of(game, &hosts)) {
                *sum = sum.and(residual);
            }
        }
        let residual = |chi_square: ChiSquare| {
            let probability = chi_square.probability();
            Residual {
                chi_square,
                probability,
                is_alarm: probability.is_some_and(|chance| chance * (hosts.len() as f64) < ALARM),
            }
        };
        sums.into_iter().map(residual).collect()
    }
}

/// How well the results of each host in one game fit those of all of them.
fn residuals_of(game: &str, hosts: &[&Host]) -> Vec<ChiSquare> {
    let of_game = |host: &&Host| {
        let results = host.results.iter().filter(|([id, ..], _)| id == game);
        let named =
            results.map(|([_, first, second], counts)| ([first.clone(), second.clone()], *counts));
        named.collect::<Vec<_>>()
    };
    let results: Vec<_> = hosts.iter().map(of_game).collect();
    let names = results.iter().flatten().flat_map(|(names, _)| names);
    let names: BTreeSet<&str> = names.map(String::as_str).collect();
    let places: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let encounter = |(names, results): &([String; 2], [u64; 3])| Encounter {
        first: places[&*names[0]],
        second: places[&*names[1]],
        results: *results,
    };
    let parts = results
        .iter()
        .map(|host| host.iter().map(encounter).collect());
    residuals(names.len(), &parts.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use engine_core::Rng;
    use gamelog::record::sample::game;
    use gamelog::record::{GameRecord, GameResult};
    use task::pace::Pace;

    use super::*;
    use crate::results::standings::Standings;

    /// Games of three engines that score alike on each of four hosts, but one on the last.
    fn games(slow: f64) -> Vec<GameRecord> {
        let mut rng = Rng::new(3);
        let mut games = Vec::new();
        for round in 0..1_200 {
            let names = [["a", "b"], ["b", "c"], ["c", "a"]][round % 3];
            let [first, second] = match round % 2 {
                0 => names,
                _ => [names[1], names[0]],
            };
            let host = round % 4;
            let chance = |name| match (name, host) {
                ("c", 3) => slow,
                _ => 1.0,
            };
            let share = chance(first) / (chance(first) + chance(second));
            let result = if f64::from(rng.unit()) < share {
                GameResult::First
            } else {
                GameResult::Second
            };
            games.push(GameRecord {
                id: round.to_string(),
                host: format!("pc0{host}"),
                pace: Some(Pace::unscaled(1_000_000 + host as u64)),
                ..game("hex", first, second, result, Reason::Rules)
            });
        }
        games
    }

    fn alarms(games: &[GameRecord]) -> Vec<bool> {
        let standings = Standings::of(games);
        let residuals = standings.hosts.residuals();
        residuals.iter().map(|residual| residual.is_alarm).collect()
    }

    #[test]
    fn a_host_on_which_an_engine_is_weaker_is_named() {
        assert_eq!(alarms(&games(1.0)), [false; 4]);
        assert_eq!(alarms(&games(0.1)), [false, false, false, true]);
        assert_eq!(alarms(&games(0.1)[..30]), [false; 4], "too few games");
        let two: Vec<_> = (games(0.1).into_iter())
            .filter(|game| ["pc00", "pc03"].contains(&&*game.host))
            .collect();
        assert_eq!(alarms(&two), [true; 2], "either may be wrong");
        let standings = Standings::of(&games(1.0));
        let speeds: Vec<_> = standings
            .hosts
            .iter()
            .map(|(_, host)| host.speed())
            .collect();
        assert_eq!(speeds[3], Some(1_000_003.0));
        assert!(Standings::default().hosts.residuals().is_empty());
    }
}
