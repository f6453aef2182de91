//! Reads and checks the stages of a league file.

use std::collections::HashSet;

use base::error::BadInput;
use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use super::{Format, Meeting, Seeding, StageConfig, TieBreak};
use crate::config::source::{Source, Step};
use crate::config::{EngineConfig, GameConfig, MAX_ROUNDS, PLAIN_NAME, is_plain_name};

/// Maximum wins that decide a series, and maximum pairs of a meeting.
const MAX_MEETING: u32 = 1_000;

/// Format names in the file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawFormat {
    #[default]
    RoundRobin,
    Gauntlet,
    Match,
    Series,
    Swiss,
    Knockout,
}

/// Keys that `[league]` shares with `[[stage]]`.
pub(in crate::config) const KEYS: [&str; 7] = [
    "format",
    "rounds",
    "meeting",
    "challengers",
    "groups",
    "seeding",
    "tie_breaks",
];

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStage {
    name: Option<String>,
    #[serde(default)]
    format: RawFormat,
    rounds: Option<u32>,
    meeting: Option<Meeting>,
    challengers: Option<Vec<String>>,
    groups: Option<u32>,
    advance: Option<u32>,
    seeding: Option<Seeding>,
    tie_breaks: Option<Vec<TieBreak>>,
}

/// Extracts the stage keys of `[league]`.
pub(in crate::config) fn keys_of(league: DeTable<'_>) -> DeTable<'_> {
    (league.into_iter())
        .filter(|(key, _)| KEYS.contains(&&**key.get_ref()))
        .collect()
}

/// Reads and checks the stages of a league of these games and engines. `only` has the stage keys of
/// `[league]`.
pub(in crate::config) fn read(
    source: &Source<'_>,
    only: Spanned<DeTable<'_>>,
    games: &[GameConfig],
    engines: &[EngineConfig],
) -> Result<Vec<StageConfig>, BadInput> {
    let count = source.count("stage");
    if count == 0 {
        let checker = Checker {
            source,
            at: vec!["league".into()],
            engines,
        };
        let stage = checker.check(source.read_table(&only)?, true)?;
        checker.check_sizes(&stage, games, None)?;
        return Ok(vec![stage]);
    }
    if let Some(key) = only.get_ref().keys().next() {
        let key: &str = key.get_ref();
        let message = format!("{key} in [league] with [[stage]], expected it in the stages");
        return Err(source.error(&["league".into(), key.into()], message));
    }
    let mut stages: Vec<StageConfig> = Vec::new();
    for index in 0..count {
        let at: Vec<Step<'_>> = vec!["stage".into(), index.into()];
        let Some(table) = source.table(&at) else {
            return Err(source.error(&at, "no table, expected [[stage]]"));
        };
        let checker = Checker {
            source,
            at,
            engines,
        };
        let raw: RawStage = source.read_table(&table)?;
        if index > 0 && raw.seeding.is_some() {
            let message =
                "seeding of a later stage, expected none: it uses the ranks of the stage before";
            return Err(checker.error("seeding", message));
        }
        let stage = checker.check(raw, index + 1 == count)?;
        if stages.iter().any(|other| other.name == stage.name) {
            let message = format!("name {:?} twice, expected another name", stage.name);
            return Err(checker.error("name", message));
        }
        checker.check_sizes(&stage, games, stages.last())?;
        stages.push(stage);
    }
    Ok(stages)
}

/// Checks the stage at `at`.
struct Checker<'s, 't> {
    source: &'s Source<'t>,
    at: Vec<Step<'s>>,
    engines: &'s [EngineConfig],
}

impl Checker<'_, '_> {
    fn error(&self, key: &str, message: impl Into<String>) -> BadInput {
        let steps = [&self.at[..], &[Step::Key(key)]].concat();
        self.source.error(&steps, message.into())
    }

    fn check(&self, raw: RawStage, last: bool) -> Result<StageConfig, BadInput> {
        let named = self.at.len() > 1;
        if named && !raw.name.as_deref().is_some_and(is_plain_name) {
            let found = raw
                .name
                .map_or("no name".to_owned(), |name| format!("name {name:?}"));
            return Err(self.error("name", format!("{found}, expected {PLAIN_NAME}")));
        }
        let format = match raw.format {
            RawFormat::RoundRobin | RawFormat::Match | RawFormat::Series => Format::RoundRobin,
            RawFormat::Gauntlet => Format::Gauntlet,
            RawFormat::Swiss => Format::Swiss,
            RawFormat::Knockout => Format::Knockout,
        };
        self.check_advance(raw.advance, last)?;
        let challengers = self.challengers(raw.format, raw.challengers.as_deref())?;
        if raw.format == RawFormat::Match && self.engines.len() != 2 {
            let found = format!("a match of {} engines, expected two", self.engines.len());
            return Err(self.error("format", found));
        }
        Ok(StageConfig {
            format,
            rounds: self.rounds(format, raw.rounds)?,
            are_rounds_given: raw.rounds.is_some(),
            meeting: self.meeting(raw.format, raw.meeting)?,
            groups: self.in_range("groups", raw.groups.unwrap_or(1), 1, 1_000)?,
            advance: raw.advance,
            seeding: raw.seeding.unwrap_or_default(),
            tie_breaks: self.tie_breaks(format, raw.tie_breaks)?,
            challengers,
            name: raw.name.unwrap_or_default(),
        })
    }

    fn in_range(&self, key: &str, value: u32, least: u32, most: u32) -> Result<u32, BadInput> {
        if (least..=most).contains(&value) {
            return Ok(value);
        }
        Err(self.error(key, format!("{key} {value}, expected {least} to {most}")))
    }

    fn rounds(&self, format: Format, given: Option<u32>) -> Result<u32, BadInput> {
        match (format, given) {
            (Format::Knockout, None) => Ok(0),
            (Format::Knockout, Some(_)) => {
                let message = "rounds of a knockout, expected none: it ends with one winner";
                Err(self.error("rounds", message))
            }
            (Format::Swiss, None) => {
                let message = "a Swiss without rounds, expected the number of rounds";
                Err(self.error("format", message))
            }
            (_, given) => self.in_range("rounds", given.unwrap_or(1), 1, MAX_ROUNDS),
        }
    }

    fn meeting(&self, format: RawFormat, given: Option<Meeting>) -> Result<Meeting, BadInput> {
        let refused = |expected: &str| Err(self.error("meeting", expected));
        let meeting = match (format, given) {
            (RawFormat::Series, None) => Meeting::Wins(4),
            (RawFormat::Series, Some(Meeting::Wins(wins))) => Meeting::Wins(wins),
            (RawFormat::Series, Some(_)) => {
                return refused("a series with another meeting, expected { wins = N }");
            }
            (RawFormat::Swiss | RawFormat::Knockout, given) => given.unwrap_or(Meeting::Pairs(1)),
            (_, None) => Meeting::Pairs(1),
            (_, Some(_)) => {
                return refused("meeting, expected only in a series, Swiss or knockout");
            }
        };
        if let Meeting::Pairs(count) | Meeting::Wins(count) = meeting {
            self.in_range("meeting", count, 1, MAX_MEETING)?;
        }
        Ok(meeting)
    }

    fn challengers(
        &self,
        format: RawFormat,
        given: Option<&[String]>,
    ) -> Result<Vec<usize>, BadInput> {
        match (format, given) {
            (RawFormat::Gauntlet, None) => Ok(vec![0]),
            (RawFormat::Gauntlet, Some(names)) => {
                let place = |name: &String| {
                    let place = self.engines.iter().position(|engine| engine.name == *name);
                    place.ok_or_else(|| {
                        let message = format!("challenger {name:?}, expected an engine's name");
                        self.error("challengers", message)
                    })
                };
                let places: Vec<usize> = names.iter().map(place).collect::<Result<_, _>>()?;
                let unique: HashSet<usize> = places.iter().copied().collect();
                if unique.len() < places.len() || places.is_empty() {
                    let message = "challengers, expected one or more, each once";
                    return Err(self.error("challengers", message));
                }
                Ok(places)
            }
            (_, None) => Ok(Vec::new()),
            (_, Some(_)) => {
                Err(self.error("challengers", "challengers, expected only in a gauntlet"))
            }
        }
    }

    fn tie_breaks(
        &self,
        format: Format,
        given: Option<Vec<TieBreak>>,
    ) -> Result<Vec<TieBreak>, BadInput> {
        use TieBreak::{Buchholz, HeadToHead, Lot, Rapid, SonnebornBerger, Wins};
        let Some(given) = given else {
            return Ok(match format {
                Format::RoundRobin | Format::Gauntlet => vec![HeadToHead, SonnebornBerger, Wins],
                Format::Swiss => vec![Buchholz, SonnebornBerger, HeadToHead, Wins],
                Format::Knockout => vec![Rapid, Lot],
            });
        };
        if format == Format::Knockout && given.iter().any(|rule| !rule.is_played()) {
            let message =
                "a tie-break without games, expected \"rapid\", \"lot\" or both in a knockout";
            return Err(self.error("tie_breaks", message));
        }
        let unique: HashSet<TieBreak> = given.iter().copied().collect();
        if unique.len() < given.len() {
            return Err(self.error("tie_breaks", "a tie-break twice, expected each once"));
        }
        Ok(given)
    }

    fn check_advance(&self, advance: Option<u32>, last: bool) -> Result<(), BadInput> {
        match (advance, last) {
            (Some(_), true) => {
                let message = "advance in the last stage, expected only in earlier stages";
                Err(self.error("advance", message))
            }
            (None, false) => {
                let message = "no advance, expected how many of each group advance";
                Err(self.error("", message))
            }
            _ => Ok(()),
        }
    }

    /// Checks that every game has enough entrants for the groups, and enough in each group to
    /// advance.
    fn check_sizes(
        &self,
        stage: &StageConfig,
        games: &[GameConfig],
        before: Option<&StageConfig>,
    ) -> Result<(), BadInput> {
        for game in games {
            let playing = |engine: &&EngineConfig| engine.games.contains(&game.id);
            let all = self.engines.iter().filter(playing).count();
            let entrants = match before {
                Some(stage) => (stage.groups * stage.advance.unwrap_or(0)) as usize,
                None => all,
            };
            let smallest = entrants / stage.groups as usize;
            let id = &game.id;
            if smallest < 2 {
                let groups = stage.groups;
                let message = format!(
                    "{entrants} engines in {id}, groups {groups}, expected two or more in each"
                );
                return Err(self.error("groups", message));
            }
            if let Some(advance) = stage.advance
                && !(1..=smallest).contains(&(advance as usize))
            {
                let message = format!("advance {advance}, expected 1 to {smallest} in {id}");
                return Err(self.error("advance", message));
            }
            let reached = stage
                .challengers
                .iter()
                .all(|&place| playing(&&self.engines[place]));
            if !reached || stage.challengers.len() >= entrants && !stage.challengers.is_empty() {
                let message = format!(
                    "challengers in {id}, expected all of them and other engines to play it"
                );
                return Err(self.error("challengers", message));
            }
        }
        if stage.format == Format::Gauntlet && (stage.groups > 1 || before.is_some()) {
            let message =
                "a gauntlet with groups or as a later stage, expected one group in the first stage";
            return Err(self.error("format", message));
        }
        Ok(())
    }
}
