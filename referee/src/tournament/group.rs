//! A group of a stage: its entrants, and who meets whom in it.

use super::fixture::{Ask, Decider, Entrant, Fixture};
use super::meeting::{self, Met};
use super::{knockout, swiss};
use crate::config::{Config, Format, Meeting, StageConfig};
use crate::digest::Digest;

/// A group of a stage, in one game of a league.
pub(super) struct Group<'c> {
    pub(super) config: &'c Config,
    pub(super) stage: &'c StageConfig,
    /// The place of the stage in the file, from 0.
    pub(super) stage_index: usize,
    /// From 1; 0 where the stage has only one.
    pub(super) number: u32,
    /// The place of the game in the league, from 0.
    pub(super) game: usize,
    /// The entrants, the first seed first.
    pub(super) entrants: Vec<Entrant>,
    /// The opening of its first meeting.
    pub(super) opening: u32,
}

/// What a group has played.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) meetings: Vec<Met>,
    /// Who had no opponent in a round.
    pub(super) byes: Vec<Entrant>,
    /// Whether all of it is over.
    pub(super) complete: bool,
    /// Those who went out of a knockout together, the last first.
    pub(super) knocked_out: Vec<Vec<Entrant>>,
}

impl Group<'_> {
    /// Asks for everything that the group plays.
    pub(super) fn play(&self, ask: &mut Ask<'_>) -> Played {
        match self.stage.format {
            Format::RoundRobin | Format::Gauntlet => self.all_pairs(ask),
            Format::Swiss => swiss::play(self, ask),
            Format::Knockout => knockout::play(self, ask),
        }
    }

    /// The most meetings of a round.
    fn tables(&self) -> u32 {
        let entrants = self.entrants.len() as u32;
        match self.stage.format {
            Format::RoundRobin | Format::Gauntlet => self.pairs().len() as u32,
            Format::Swiss => entrants / 2,
            Format::Knockout => entrants.next_power_of_two() / 2,
        }
    }

    /// How many openings it takes at most.
    pub(super) fn openings(&self) -> u32 {
        let ties = self.stage.tie_breaks.iter().filter(|rule| rule.is_played());
        let entrants = self.entrants.len() as u32;
        self.meeting_openings() + ties.count() as u32 * entrants * entrants
    }

    /// How many it takes at most, ties aside.
    fn meeting_openings(&self) -> u32 {
        let rounds = match self.stage.format {
            Format::Knockout => self.entrants.len().next_power_of_two().ilog2(),
            _ => self.stage.rounds,
        };
        rounds * self.tables() * self.stage.meeting.openings()
    }

    /// Has two entrants meet.
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
        let one_by_one = self.config.games[self.game].clock.whole_match;
        meeting::play(meeting, one_by_one, &first, ask)
    }

    /// Has two entrants play for a place, from 1. `table` tells meetings for the same place apart.
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
            Decider::Lot => (Meeting::Game, self.drawn(sides)),
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
        let one_by_one = self.config.games[self.game].rapid.whole_match;
        meeting::play(meeting, one_by_one, &first, ask)
    }

    /// Which of the openings for ties two entrants have: another one for every two, and every rule.
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

    /// Entrants in an order that follows from the league's seed.
    pub(super) fn drawn<const N: usize>(&self, mut entrants: [Entrant; N]) -> [Entrant; N] {
        entrants.sort_by_key(|&entrant| self.lot(entrant));
        entrants
    }

    /// An entrant's lot in this stage: who has the least is drawn first.
    pub(super) fn lot(&self, entrant: Entrant) -> u64 {
        lot(self.config, self.game, &self.stage.name, entrant)
    }

    /// All pairs that meet in every round of a round robin or gauntlet.
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

    /// Round robin, or gauntlet.
    ///
    /// Each game of a league begins with another pair, so that wherever a league is cut all pairs
    /// have nearly played equally often.
    fn all_pairs(&self, ask: &mut Ask<'_>) -> Played {
        let pairs = self.pairs();
        let mut played = Played::default();
        for round in 1..=self.stage.rounds {
            for step in 0..pairs.len() {
                let place = (step + self.game) % pairs.len();
                let [a, b] = pairs[place];
                // A pair of games has both sides twice; of a series, each begins every other one.
                let turned = matches!(self.stage.meeting, Meeting::Wins(_)) && round % 2 == 0;
                let sides = if turned { [b, a] } else { [a, b] };
                played
                    .meetings
                    .push(self.meet(round, place as u32, sides, ask));
            }
        }
        played.complete = played.meetings.iter().all(|met| met.complete);
        played
    }
}

/// An entrant's lot in a stage of a game: a number that follows from the league's seed.
pub(super) fn lot(config: &Config, game: usize, stage: &str, entrant: Entrant) -> u64 {
    let mut digest = Digest::default();
    digest.number(config.seed);
    digest.text(&config.games[game].id);
    digest.text(stage);
    digest.text(&config.engines[entrant].name);
    digest.value()
}
