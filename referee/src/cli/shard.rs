//! A part of a plan.

use std::collections::HashSet;
use std::io::Read;
use std::str::FromStr;

use anyhow::Result;
use referee_core::base::error::BadInput;
use referee_core::league::tournament::{Due, Tournament};

/// The I-th of N parts of a plan; both games of a pair are in the same part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// From 0.
    index: usize,
    count: usize,
}

impl Shard {
    /// Whether the game at index `place` of the plan belongs to it.
    pub(super) fn holds(self, place: usize) -> bool {
        place / 2 % self.count == self.index
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index @ 1.., count)) if index <= count => Ok(Shard {
                index: index - 1,
                count,
            }),
            _ => Err("expected I/N with 1 ≤ I ≤ N, such as 2/4".to_owned()),
        }
    }
}

/// Selection of the games of a plan.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Part {
    /// Only these games: ids separated by commas, or @FILE with one id per line, @- for standard
    /// input
    #[arg(long, value_name = "IDS", conflicts_with = "shard")]
    only: Option<String>,
    /// Only the I-th of N equal parts of the games; both games of a pair are in the same part
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

impl Part {
    /// The games with these ids.
    pub(super) fn of_ids(ids: &[String]) -> Part {
        Part {
            only: Some(ids.join("\n")),
            shard: None,
        }
    }

    /// Whether games are selected: less than the whole plan.
    pub(super) fn is_given(&self) -> bool {
        self.only.is_some() || self.shard.is_some()
    }

    /// The selected games of a league.
    pub(super) fn of(&self, tournament: &Tournament) -> Result<Vec<Due>> {
        let plan = tournament.plan();
        if let Some(shard) = self.shard {
            let numbered = plan.into_iter().enumerate();
            let held = numbered.filter(|&(place, _)| shard.holds(place));
            return Ok(held.map(|(_, due)| due).collect());
        }
        let Some(ids) = &self.only else {
            return Ok(plan);
        };
        let text = match ids.strip_prefix('@') {
            Some(file) => read(file)?,
            None => ids.replace(',', "\n"),
        };
        let mut unknown: HashSet<&str> = text.split_whitespace().collect();
        let wanted = unknown.clone();
        let held = plan.into_iter().filter(|due| {
            let id = tournament.id(due);
            unknown.remove(&*id);
            wanted.contains(&*id)
        });
        let held = held.collect();
        if let Some(id) = text.split_whitespace().find(|id| unknown.contains(id)) {
            return Err(BadInput(format!(
                "--only: game {id:?} is not in the plan, expected ids printed by referee plan"
            ))
            .into());
        }
        Ok(held)
    }
}

fn read(file: &str) -> Result<String> {
    let mut text = String::new();
    let read = match file {
        "-" => std::io::stdin().read_to_string(&mut text),
        path => std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text)),
    };
    read.map_err(|error| BadInput(format!("--only @{file}: {error}, expected a list of ids")))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_equal_disjoint_and_complete() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"]
            .map(|text| text.parse().unwrap())
            .into();
        for place in 0..60 {
            assert_eq!(shards.iter().filter(|shard| shard.holds(place)).count(), 1);
            assert!(
                shards
                    .iter()
                    .all(|s| s.holds(place / 2 * 2) == s.holds(place / 2 * 2 + 1))
            );
        }
        for shard in shards {
            assert_eq!((0..60).filter(|&place| shard.holds(place)).count(), 20);
        }
    }

    #[test]
    fn invalid_shards_are_refused() {
        for text in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
