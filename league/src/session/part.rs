//! A part of a plan.

use std::collections::HashSet;
use std::io::Read;
use std::ops::Range;
use std::str::FromStr;

use anyhow::Result;
use base::error::BadInput;

use crate::tournament::{Due, Tournament};

/// The games of a plan that are played here.
#[derive(Clone, Debug, Default)]
pub enum Part {
    /// All of them.
    #[default]
    All,
    /// Those with these ids, separated by commas or white space; or `@` and a file with them, `@-` for
    /// standard input.
    Ids(String),
    /// An equal part.
    Shard(Shard),
}

impl Part {
    /// The games with these ids.
    pub fn of_ids(ids: &[String]) -> Part {
        Part::Ids(ids.join("\n"))
    }

    /// Whether games are selected: less than the whole plan.
    pub fn is_given(&self) -> bool {
        !matches!(self, Part::All)
    }

    /// The selected games of a league.
    pub(super) fn of(&self, tournament: &Tournament) -> Result<Vec<Due>> {
        let plan = tournament.plan();
        let ids = match self {
            Part::All => return Ok(plan),
            Part::Ids(ids) => ids,
            Part::Shard(shard) => {
                let numbered = plan.into_iter().enumerate();
                let held = numbered.filter(|&(place, _)| shard.holds(place));
                return Ok(held.map(|(_, due)| due).collect());
            }
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

/// One of several equal shards: `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    index: usize,
    count: usize,
}

impl Shard {
    /// Shard `index`, from 0, of `count`.
    pub fn new(index: usize, count: usize) -> Shard {
        Shard { index, count }
    }

    /// Whether the game at index `place` of a plan belongs to it: the two games of a pair belong to
    /// the same shard.
    pub fn holds(self, place: usize) -> bool {
        place / 2 % self.count == self.index
    }

    /// Its share of so many items: shares are equal but for one item, and in order.
    pub fn range(self, items: usize) -> Range<usize> {
        let start = |index: usize| index * items / self.count;
        start(self.index)..start(self.index + 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index @ 1.., count)) if index <= count => Ok(Shard::new(index - 1, count)),
            _ => Err("expected I/N with 1 ≤ I ≤ N, such as 2/4".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_all_items_once() {
        for (items, count) in [(0, 1), (1, 3), (10, 3), (16, 16), (17, 4)] {
            let shares = (0..count).map(|index| Shard::new(index, count).range(items));
            let all: Vec<usize> = shares.clone().flatten().collect();
            assert_eq!(all, (0..items).collect::<Vec<_>>());
            let sizes: Vec<usize> = shares.map(|share| share.len()).collect();
            assert!(sizes.iter().max() <= sizes.iter().map(|size| size + 1).min().as_ref());
        }
    }

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
