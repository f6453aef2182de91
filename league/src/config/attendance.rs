//! Engines that enter a tournament late, or leave it: the keys `from` and `until`.

use base::error::BadInput;
use serde::Deserialize;

use super::source::Source;
use super::stage::{Format, StageConfig};
use super::{EngineConfig, MAX_ROUNDS};

/// In which rounds an engine takes part. Rounds count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attendance {
    /// The first round of the first stage in which it plays, if it entered when others had begun.
    pub from: Option<u32>,
    /// The stage, by its index, and the last round of it in which it plays: 0 for none.
    pub until: Option<(usize, u32)>,
}

impl Attendance {
    /// Whether it plays in a round of a stage.
    pub fn has(&self, stage: usize, round: u32) -> bool {
        self.has_entered(stage, round) && !self.has_left(stage, round)
    }

    /// Whether it has entered before a round of a stage, or in it.
    pub fn has_entered(&self, stage: usize, round: u32) -> bool {
        stage > 0 || self.from.is_none_or(|from| round >= from)
    }

    /// Whether it has left before a round of a stage.
    pub fn has_left(&self, stage: usize, round: u32) -> bool {
        self.until.is_some_and(|until| (stage, round) > until)
    }

    /// Whether it plays in a later stage than this one, if its place in the table is good enough.
    pub fn may_advance(&self, stage: usize) -> bool {
        self.until.is_none_or(|(last, _)| last > stage)
    }
}

/// `until` in the file: a round of the first stage, or a stage and a round of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Until {
    Round(u32),
    Stage(String),
}

impl Until {
    fn resolve(&self, stages: &[StageConfig]) -> Option<(usize, u32)> {
        match self {
            Until::Round(round) => Some((0, *round)),
            Until::Stage(text) => {
                let (name, round) = text.rsplit_once(' ')?;
                let stage = stages.iter().position(|stage| stage.name == name)?;
                Some((stage, round.parse().ok()?))
            }
        }
    }
}

/// Checks `from` and `until` of every engine; these are as in the file.
pub(super) fn check(
    source: &Source<'_>,
    stages: &[StageConfig],
    engines: &mut [EngineConfig],
    given: &[(Option<u32>, Option<Until>)],
) -> Result<(), BadInput> {
    let first = &stages[0];
    for (index, (engine, (from, until))) in engines.iter_mut().zip(given).enumerate() {
        let error = |key: &'static str, message: String| {
            Err(source.error(&["engine".into(), index.into(), key.into()], message))
        };
        if let Some(from) = *from {
            if first.format == Format::Knockout {
                let message = "from in a knockout, expected none: its bracket has no place for late \
                               engines";
                return error("from", message.to_owned());
            }
            if !(1..=first.rounds).contains(&from) {
                let message = format!("from {from}, expected a round, 1 to {}", first.rounds);
                return error("from", message);
            }
        }
        let until = match until {
            None => None,
            Some(until) => match until
                .resolve(stages)
                .filter(|(_, round)| *round <= MAX_ROUNDS)
            {
                Some(until) => Some(until),
                None => {
                    let names: Vec<String> = (stages.iter())
                        .filter(|stage| !stage.name.is_empty())
                        .map(|stage| format!(", or \"{} 1\"", stage.name))
                        .collect();
                    let message = format!(
                        "until, expected the last round in which it plays, as in 2{}",
                        names.concat()
                    );
                    return error("until", message);
                }
            },
        };
        engine.attendance = Attendance { from: *from, until };
    }
    Ok(())
}
