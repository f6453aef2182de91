//! A group of a stage: its entrants and their pairings.

use super::meeting::{self, Met};
use super::{knockout, swiss};
use crate::config::{Config, Format, Meeting, StageConfig};
use crate::fixture::{Ask, Decider, Entrant, Fixture};

/// One group of a stage, in one game of a league.
pub(super) struct Group<'c> {
    pub(super) config: &'c Config,
    pub(super) stage: &'c StageConfig,
    /// Index of the stage in the file, from 0.
    pub(super) stage_index: usize,
    /// Number of the group, from 1; 0 if the stage has only one.
    pub(super) number: u32,
    /// Index of the game in the league, from 0.
    pub(super) game: usize,
    /// The entrants by seed, the first seed first.
    pub(super) entrants: Vec<Entrant>,
    /// Index of the opening of its first meeting.
    pub(super) opening: u32,
}

/// The games of a group so far.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) meetings: Vec<Met>,
    /// Entrants with a bye, one entry per bye.
    pub(super) byes: Vec<Entrant>,
    /// Whether all games are finished.
    pub(super) complete: bool,
    /// Knockout only: the entrants eliminated in the same round, the last round first.
    pub(super) knocked_out: Vec<Vec<Entrant>>,
}

impl Group<'_> {
    /// Asks for all games of the group.
    pub(super) fn play(&self, ask: &mut Ask<'_>) -> Played {
        match self.stage.format {
            Format::RoundRobin | Format::Gauntlet => self.all_pairs(ask),
            Format::Swiss => swiss::play(self, ask),
            Format::Knockout => knockout::play(self, ask),
        }
    }

    /// Maximum number of meetings in a round.
    fn tables(&self) -> u32 {
        let entrants = self.entrants.len() as u32;
        match self.stage.format {
            Format::RoundRobin | Format::Gauntlet => self.pairs().len() as u32,
            Format::Swiss => entrants / 2,
            Format::Knockout => entrants.next_power_of_two() / 2,
        }
    }

    /// Maximum number of openings needed.
    pub(super) fn openings(&self) -> u32 {
        let ties = self.stage.tie_breaks.iter().filter(|rule| rule.is_played());
        let entrants = self.entrants.len() as u32;
        self.meeting_openings() + ties.count() as u32 * entrants * entrants
    }

    /// Maximum number of openings needed for regular games.
    fn meeting_openings(&self) -> u32 {
        let rounds = match self.stage.format {
            Format::Knockout => self.entrants.len().next_power_of_two().ilog2(),
            _ => self.stage.rounds,
        };
        rounds * self.tables() * self.stage.meeting.openings()
    }

    /// Plays the meeting of two entrants.
    pub(super) fn meet(
        &self,
        round: u32,
        table: u32,
        sides: [Entrant; 2],
        ask: &mut Ask<'_>,
    ) -> Met {
        let meeting = self.stage.meeting;
        let before = (round - 1) * self.tables() + table;
        let first = Fixture {
            stage: self.stage_index,
            group: self.number,
            round,
            table,
            decider: None,
            number: 0,
            opening: self.opening + before * meeting.openings(),
            sides,
        };
        let sequential = self.config.games[self.game].clock.whole_match;
        meeting::play(meeting, sequential, &first, ask)
    }

    /// Plays a tie-break of two entrants for a place, from 1. `table` distinguishes meetings for
    /// the same place.
    pub(super) fn decide(
        &self,
        decider: Decider,
        place: u32,
        table: u32,
        sides: [Entrant; 2],
        ask: &mut Ask<'_>,
    ) -> Met {
        let (meeting, sides) = match decider {
            Decider::Rapid => (Meeting::Pairs(1), sides),
            Decider::Lot => (Meeting::Game, self.sorted_by_lot(sides)),
        };
        let first = Fixture {
            stage: self.stage_index,
            group: self.number,
            round: place,
            table,
            decider: Some(decider),
            number: 0,
            opening: self.opening + self.meeting_openings() + self.decider_opening(decider, sides),
            sides,
        };
        let sequential = self.config.games[self.game].rapid.whole_match;
        meeting::play(meeting, sequential, &first, ask)
    }

    /// Index of the opening for a tie-break: a different one for each pair of entrants and each
    /// tie-break rule.
    fn decider_opening(&self, decider: Decider, sides: [Entrant; 2]) -> u32 {
        let count = self.entrants.len();
        let [a, b] = sides.map(|side| {
            self.entrants
                .iter()
                .position(|&entrant| entrant == side)
                .unwrap_or(0)
        });
        let played = self.stage.tie_breaks.iter().filter(|rule| rule.is_played());
        let rule = played
            .take_while(|rule| rule.decider() != Some(decider))
            .count();
        (rule * count * count + a.min(b) * count + a.max(b)) as u32
    }

    /// Sorts entrants by lot, which is derived from the league's seed.
    pub(super) fn sorted_by_lot<const N: usize>(&self, mut entrants: [Entrant; N]) -> [Entrant; N] {
        entrants.sort_by_key(|&entrant| self.lot(entrant));
        entrants
    }

    /// An entrant's lot in this stage: the lowest is sorted_by_lot first.
    pub(super) fn lot(&self, entrant: Entrant) -> u64 {
        lot(self.config, self.game, &self.stage.name, entrant)
    }

    /// All pairs that meet in each round of a round robin or gauntlet.
    fn pairs(&self) -> Vec<[Entrant; 2]> {
        let challengers = &self.stage.challengers;
        let mut pairs = Vec::new();
        for (index, &a) in self.entrants.iter().enumerate() {
            for &b in &self.entrants[index + 1..] {
                if challengers.is_empty() || challengers.contains(&a) != challengers.contains(&b) {
                    pairs.push([a, b]);
                }
            }
        }
        pairs
    }

    /// Plays a round robin or gauntlet.
    ///
    /// Each game of the league starts with a different pair, so that all pairs have played about
    /// equally often whenever the league is stopped.
    fn all_pairs(&self, ask: &mut Ask<'_>) -> Played {
        let pairs = self.pairs();
        let mut played = Played::default();
        for round in 1..=self.stage.rounds {
            for step in 0..pairs.len() {
                let place = (step + self.game) % pairs.len();
                let [a, b] = pairs[place];
                // In a pair of games both entrants have both sides. In a series the first side
                // alternates by round.
                let swapped = matches!(self.stage.meeting, Meeting::Wins(_)) && round % 2 == 0;
                let sides = if swapped { [b, a] } else { [a, b] };
                played
                    .meetings
                    .push(self.meet(round, place as u32, sides, ask));
            }
        }
        played.complete = played.meetings.iter().all(|met| met.complete);
        played
    }
}

/// An entrant's lot in a stage of a game, derived from the league's seed.
pub(super) fn lot(config: &Config, game: usize, stage: &str, entrant: Entrant) -> u64 {
    let mut branch = config.seed().branch("lots");
    branch.text(&config.games[game].id);
    branch.text(stage);
    branch.text(&config.engines[entrant].name);
    branch.value()
}
