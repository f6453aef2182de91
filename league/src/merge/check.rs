//! What is checked of a game before it counts: that it is one of the plan, that it was played as
//! planned, and by the same engines.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use gamelog::key::IdKey;
use gamelog::record::{GameRecord, GameResult};
use rayon::prelude::*;
use task::pace::Pace;

use super::facts::Facts;
use crate::config::Config;
use crate::tournament::{Due, Tournament};

/// Most games whose differences from the plan are told one by one.
const MOST_EXPLAINED: usize = 1000;
/// By how much a factor of clocks may differ from the expected one: it is rounded in the log.
const ROUNDING: f64 = 1e-6;

/// The games of a league as they are planned, in few bytes: a league may have a million.
#[derive(Debug)]
pub struct Planned {
    /// The id of each game, and the digest of its facts; sorted.
    games: Vec<(IdKey, [u32; 2])>,
    time_scaling: bool,
}

impl Planned {
    /// No games yet.
    pub fn new(config: &Config) -> Planned {
        Planned {
            games: Vec::new(),
            time_scaling: config.time_scaling,
        }
    }

    /// Adds games of the plan.
    pub fn add(&mut self, tournament: &Tournament, games: &[Due]) {
        let facts = games.par_iter().map(|due| {
            let task = tournament.task(due);
            (IdKey::of(&task.id), Facts::of_task(&task).digest())
        });
        self.games.par_extend(facts);
        self.games.par_sort_unstable();
        self.games.dedup();
    }

    /// How a game does not fit the plan.
    fn misfit<S>(
        &self,
        key: IdKey,
        game: &GameRecord<S>,
        reference: Option<u64>,
    ) -> Option<Misfit> {
        let Ok(index) = self.games.binary_search_by_key(&key, |&(key, _)| key) else {
            return Some(Misfit::Unplanned);
        };
        if self.games[index].1 != Facts::of_record(game).digest() {
            return Some(Misfit::Differs(key));
        }
        let is_fair = self.allows(game.pace, reference);
        (!is_fair).then(|| Misfit::Pace(game.pace.map(|pace| pace.scale)))
    }

    /// Whether the clocks of a host may have been scaled like this.
    fn allows(&self, pace: Option<Pace>, reference: Option<u64>) -> bool {
        let expected = match (self.time_scaling, reference, pace) {
            (false, _, _) => 1.0,
            (true, Some(reference), Some(pace)) => Pace::scaled(pace.speed, reference).scale,
            // Nobody knows what the clocks are meant for.
            (true, None, _) => return true,
            (true, Some(_), None) => return false,
        };
        let scale = pace.map_or(1.0, |pace| pace.scale);
        (scale - expected).abs() <= ROUNDING
    }
}

/// The builds that engines may have, by their names. Any if none is known.
#[derive(Clone, Debug, Default)]
pub struct KnownBuilds(BTreeMap<String, BTreeSet<String>>);

impl KnownBuilds {
    /// Adds a build; an empty one is unknown.
    pub fn add(&mut self, engine: &str, build: &str) {
        if build.is_empty() {
            return;
        }
        match self.0.get_mut(engine) {
            Some(builds) if builds.contains(build) => {}
            Some(builds) => drop(builds.insert(build.to_owned())),
            None => drop(self.0.insert(engine.to_owned(), [build.to_owned()].into())),
        }
    }

    /// Whether a build of this engine is known.
    pub fn has(&self, engine: &str) -> bool {
        self.0.contains_key(engine)
    }

    fn misfit<S>(&self, game: &GameRecord<S>) -> Option<Misfit> {
        let other = [&game.first, &game.second].into_iter().find(|engine| {
            let known = self.0.get(&engine.name);
            known.is_some_and(|builds| !builds.contains(&engine.build))
        })?;
        Some(Misfit::Build {
            engine: other.name.clone(),
            build: other.build.clone(),
        })
    }
}

impl<'a> FromIterator<(&'a String, &'a String)> for KnownBuilds {
    fn from_iter<I: IntoIterator<Item = (&'a String, &'a String)>>(builds: I) -> KnownBuilds {
        let mut known = KnownBuilds::default();
        let builds = builds.into_iter();
        builds.for_each(|(engine, build)| known.add(engine, build));
        known
    }
}

/// The ids of some games, in few bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ids(HashSet<IdKey>);

impl<S: AsRef<str>> FromIterator<S> for Ids {
    fn from_iter<I: IntoIterator<Item = S>>(ids: I) -> Ids {
        Ids(ids.into_iter().map(|id| IdKey::of(id.as_ref())).collect())
    }
}

/// What is checked of the games of a log.
#[derive(Clone, Copy, Debug, Default)]
pub struct Check<'a> {
    /// They are games of this plan. A line that is damaged is then set aside, too.
    pub plan: Option<&'a Planned>,
    /// They are games of a shard.
    pub ids: Option<&'a Ids>,
    /// Their engines have these builds.
    pub builds: Option<&'a KnownBuilds>,
    /// The speed for which the clocks of the league are meant, in nodes per second, see
    /// [`task::pace::reference`].
    pub reference: Option<u64>,
}

impl Check<'_> {
    /// Why a game does not count; `None` if it does.
    pub(super) fn misfit<S>(&self, key: IdKey, game: &GameRecord<S>) -> Option<Misfit> {
        if self.ids.is_some_and(|ids| !ids.0.contains(&key)) {
            return Some(Misfit::OtherShard);
        }
        if self.plan.is_some()
            && (!game.reason.is_played() || game.result == GameResult::Unfinished)
        {
            return Some(Misfit::NotPlayed);
        }
        let unplanned = self
            .plan
            .and_then(|plan| plan.misfit(key, game, self.reference));
        unplanned.or_else(|| self.builds?.misfit(game))
    }
}

/// Why a game does not count.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// Its line is not as it was written, or is no game.
    Damaged(String),
    /// Its id is not in the plan.
    Unplanned,
    /// Its id is in the plan, but not among the games of its shard.
    OtherShard,
    /// It was not played as planned: seed, opening, clock, options or others.
    Differs(IdKey),
    /// An engine was another build.
    Build {
        /// Its name.
        engine: String,
        /// What it was.
        build: String,
    },
    /// No game of a league ends like this: it has no result, or somebody entered it.
    NotPlayed,
    /// Its clocks were multiplied by this, and should not, or by another factor.
    Pace(Option<f64>),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Damaged(message) => write!(f, "{message}, expected a game"),
            Misfit::Unplanned => f.write_str("its id is not in the plan"),
            Misfit::OtherShard => f.write_str("its id is not among the games of its shard"),
            Misfit::Differs(_) => f.write_str("it was not played as planned"),
            Misfit::Build { engine, build } if build.is_empty() => {
                write!(f, "the build of engine {engine} is absent")
            }
            Misfit::Build { engine, build } => {
                write!(f, "engine {engine} was another build, {build}")
            }
            Misfit::NotPlayed => f.write_str("no game of a league ends like this"),
            Misfit::Pace(None) => f.write_str("its clocks were not scaled to its host"),
            Misfit::Pace(Some(scale)) => {
                write!(f, "its clocks were multiplied by {scale}, not as planned")
            }
        }
    }
}

/// The planned games of the misfits that differ from them, so that the difference can be told.
#[derive(Default)]
pub struct Originals(HashMap<IdKey, Due>);

impl Originals {
    /// Finds them in the plan, which is asked for only if there are any.
    pub fn find<'m>(
        tournament: &Tournament,
        plan: impl FnOnce() -> Vec<Due>,
        misfits: impl Iterator<Item = &'m Misfit>,
    ) -> Originals {
        let differing = misfits.filter_map(|misfit| match misfit {
            Misfit::Differs(key) => Some(*key),
            _ => None,
        });
        let wanted: HashSet<IdKey> = differing.take(MOST_EXPLAINED).collect();
        if wanted.is_empty() {
            return Originals::default();
        }
        let plan = plan().into_par_iter();
        let named = plan.map(|due| (IdKey::of(&tournament.id(&due)), due));
        Originals(named.filter(|(key, _)| wanted.contains(key)).collect())
    }

    /// Why a game does not count, in words.
    pub fn explain<S>(
        &self,
        tournament: &Tournament,
        misfit: &Misfit,
        game: Option<&GameRecord<S>>,
    ) -> String {
        let (Misfit::Differs(key), Some(game)) = (misfit, game) else {
            return misfit.to_string();
        };
        let Some(due) = self.0.get(key) else {
            return misfit.to_string();
        };
        let task = tournament.task(due);
        let differences = Facts::of_record(game).differences(&Facts::of_task(&task));
        format!("{misfit}: {differences}")
    }
}
