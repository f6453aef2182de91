//! A part of a plan.

use std::collections::HashSet;
use std::io::Read;

use anyhow::Result;
use base::error::BadInput;
use lab::cluster::part::Shard;
use league::tournament::{Due, Tournament};

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
