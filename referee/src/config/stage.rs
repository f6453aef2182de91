//! The stages of a league: who meets whom, how often, and who goes on.
//!
//! The keys stand in `[league]` for a league of one stage, or in a `[[stage]]` each.

mod check;

use serde::Deserialize;

#[cfg(test)]
pub(super) use check::KEYS;
pub(super) use check::{keys_of, read};

use crate::tournament::Decider;

/// One stage of a league, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct StageConfig {
    /// Its name; empty for the only one.
    pub name: String,
    /// Who meets whom.
    pub format: Format,
    /// Rounds: of a round robin or gauntlet each pair meets so often, of a Swiss each entrant has so
    /// many meetings. 0 for a knockout, which ends of itself.
    pub rounds: u32,
    /// What is played when two entrants meet.
    pub meeting: Meeting,
    /// Groups that play apart, 1 or more.
    pub groups: u32,
    /// How many of each group go on to the next stage; all of the last stage's places matter.
    pub advance: Option<u32>,
    /// In what order entrants are seeded in the first stage; later ones go by the ranks before.
    pub seeding: Seeding,
    /// What tells entrants with equal points apart, the first that does.
    pub tie_breaks: Vec<TieBreak>,
    /// The engines that meet all others in a gauntlet, by their places in the file.
    pub challengers: Vec<usize>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everybody everybody.
    RoundRobin,
    /// The challengers everybody else.
    Gauntlet,
    /// Entrants with about as many points, never twice while that can be avoided.
    Swiss,
    /// The winners of the last round, in a bracket.
    Knockout,
}

/// What two entrants play when they meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Meeting {
    /// One game.
    Game,
    /// So many pairs of games, the sides exchanged.
    Pairs(u32),
    /// A series that the first to win so many games wins.
    Wins(u32),
}

/// The order in which entrants are seeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seeding {
    /// That of the file.
    #[default]
    File,
    /// One that follows from the league's seed.
    Random,
}

/// What tells entrants with equal points apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// Points of the meetings among the tied.
    HeadToHead,
    /// Points of the opponents, as many as were taken from each (Sonneborn and Berger).
    SonnebornBerger,
    /// Points of all opponents (Buchholz).
    Buchholz,
    /// Won games, or series.
    Wins,
    /// A pair of games more between any two of the tied, with the `[rapid]` clock.
    Rapid,
    /// One game more between any two of the tied, with the `[rapid]` clock and sides by lot.
    Lot,
}

impl TieBreak {
    /// Whether more games are played for it.
    pub fn is_played(self) -> bool {
        self.decider().is_some()
    }

    /// The games that are played for it.
    pub fn decider(self) -> Option<Decider> {
        match self {
            TieBreak::Rapid => Some(Decider::Rapid),
            TieBreak::Lot => Some(Decider::Lot),
            _ => None,
        }
    }
}
