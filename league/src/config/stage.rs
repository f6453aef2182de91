//! The stages of a league: pairing, number of games, and how many entrants advance.
//!
//! The keys are in `[league]` for a league of one stage, or in one `[[stage]]` table per stage.

mod check;

use serde::Deserialize;

#[cfg(test)]
pub(super) use check::KEYS;
pub(super) use check::{keys_of, read};

use crate::fixture::Decider;

/// One checked stage of a league.
#[derive(Clone, Debug, PartialEq)]
pub struct StageConfig {
    /// Its name; empty if it is the only one.
    pub name: String,
    /// How entrants are paired.
    pub format: Format,
    /// Rounds: how often each pair meets in a round robin or gauntlet, or the meetings of each
    /// entrant in a Swiss. 0 for a knockout, which ends with one winner.
    pub rounds: u32,
    /// Whether the file or an argument says how many rounds.
    pub are_rounds_given: bool,
    /// What is played when two entrants meet.
    pub meeting: Meeting,
    /// Number of groups that play separately, 1 or more.
    pub groups: u32,
    /// How many entrants of each group advance to the next stage; `None` in the last stage, where
    /// all places count.
    pub advance: Option<u32>,
    /// Seeding order of the first stage; later stages seed by the ranks of the stage before.
    pub seeding: Seeding,
    /// Tie-breaks, in order of priority.
    pub tie_breaks: Vec<TieBreak>,
    /// The challengers of a gauntlet, by index in the file.
    pub challengers: Vec<usize>,
}

/// How entrants are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// All against all.
    RoundRobin,
    /// The challengers against all others.
    Gauntlet,
    /// Entrants with similar points; no repeated pairing while that can be avoided.
    Swiss,
    /// A bracket: the winners of each round meet in the next.
    Knockout,
}

/// The games of one meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Meeting {
    /// One game.
    Game,
    /// This many pairs of games with sides exchanged.
    Pairs(u32),
    /// A series: first to this many wins.
    Wins(u32),
}

/// How entrants are seeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seeding {
    /// In the order of the file.
    #[default]
    File,
    /// In random order, derived from the league's seed.
    Random,
}

/// A tie-break between entrants with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// Points of the meetings among the tied entrants.
    HeadToHead,
    /// Sonneborn-Berger: points of the opponents, weighted by the score against each.
    SonnebornBerger,
    /// Buchholz: sum of the points of all opponents.
    Buchholz,
    /// Number of games or series won.
    Wins,
    /// A pair of extra games between every two tied entrants, with the `[rapid]` clock.
    Rapid,
    /// One extra game between every two tied entrants, with the `[rapid]` clock and sides by lot.
    Lot,
}

impl TieBreak {
    /// Whether this tie-break plays extra games.
    pub fn is_played(self) -> bool {
        self.decider().is_some()
    }

    /// The extra games that it plays, if any.
    pub fn decider(self) -> Option<Decider> {
        match self {
            TieBreak::Rapid => Some(Decider::Rapid),
            TieBreak::Lot => Some(Decider::Lot),
            _ => None,
        }
    }
}
