//! The choice of a part of a plan.

use league::session::part::{Part, Shard};

/// Selection of the games of a plan.
#[derive(Debug, Default, clap::Args)]
pub(super) struct PartArgs {
    /// Only these games: ids separated by commas, or @FILE with one id per line, @- for standard
    /// input
    #[arg(long, value_name = "IDS", conflicts_with = "shard")]
    only: Option<String>,
    /// Only the I-th of N equal parts of the games; both games of a pair are in the same part
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

impl PartArgs {
    /// The games that were selected.
    pub(super) fn part(self) -> Part {
        match (self.only, self.shard) {
            (Some(ids), _) => Part::Ids(ids),
            (None, Some(shard)) => Part::Shard(shard),
            (None, None) => Part::All,
        }
    }
}
