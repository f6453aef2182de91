//! A group of a stage: its entrants and their pairings.

use super::meeting::{self, Ending, Met};
use super::{knockout, swiss};
use crate::config::{Attendance, Config, Format, Meeting, StageConfig};
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
    /// Index of the first opening of meetings that only late entrants make necessary: apart, so that all
    /// other games keep theirs.
    pub(super) late_opening: u32,
}

/// The games of a group so far.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) meetings: Vec<Met>,
    pub(super) byes: Vec<Bye>,
    /// Whether all games are finished.
    pub(super) complete: bool,
    /// Knockout only: the entrants eliminated in the same round, the last round first.
    pub(super) knocked_out: Vec<Vec<Entrant>>,
}

/// A round in which an entrant has nobody to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bye {
    /// The round, from 1.
    pub round: u32,
    /// The entrant.
    pub entrant: Entrant,
    /// Its points: as many as from a meeting with every game won.
    pub points: u32,
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

    /// In which rounds an entrant plays.
    fn attendance(&self, entrant: Entrant) -> &Attendance {
        &self.config.engines[entrant].attendance
    }

    /// Whether an entrant plays in a round, from 1.
    pub(super) fn has(&self, entrant: Entrant, round: u32) -> bool {
        self.attendance(entrant).has(self.stage_index, round)
    }

    /// Whether an entrant has entered before a round, or in it.
    fn has_entered(&self, entrant: Entrant, round: u32) -> bool {
        self.attendance(entrant)
            .has_entered(self.stage_index, round)
    }

    /// The number of entrants that did not come late: they are the first.
    fn punctual(&self) -> usize {
        let is_late = |&&entrant: &&Entrant| !self.has_entered(entrant, 0);
        self.entrants.len() - self.entrants.iter().filter(is_late).count()
    }

    /// Maximum number of meetings in a round of entrants that did not come late.
    fn tables(&self) -> u32 {
        self.tables_of(self.punctual())
    }

    /// By how many meetings in a round late entrants increase that number.
    fn late_tables(&self) -> u32 {
        self.tables_of(self.entrants.len()) - self.tables()
    }

    /// Maximum number of meetings in a round of the first `count` entrants.
    fn tables_of(&self, count: usize) -> u32 {
        match self.stage.format {
            Format::RoundRobin | Format::Gauntlet => self.pairs(count).len() as u32,
            Format::Swiss => count as u32 / 2,
            Format::Knockout => count.next_power_of_two() as u32 / 2,
        }
    }

    /// Index of the opening of a meeting: that of its first game.
    fn opening(&self, round: u32, table: u32) -> u32 {
        let place = |tables: u32, table: u32| (round - 1) * tables + table;
        let openings = self.stage.meeting.openings();
        match table.checked_sub(self.tables()) {
            None => self.opening + place(self.tables(), table) * openings,
            Some(late) => self.late_opening + place(self.late_tables(), late) * openings,
        }
    }

    /// Maximum number of openings needed without late entrants.
    pub(super) fn openings(&self) -> u32 {
        let ties = self.stage.tie_breaks.iter().filter(|rule| rule.is_played());
        let entrants = self.punctual() as u32;
        self.meeting_openings() + ties.count() as u32 * entrants * entrants
    }

    /// Maximum number of openings that late entrants need besides.
    pub(super) fn late_openings(&self) -> u32 {
        self.stage.rounds * self.late_tables() * self.stage.meeting.openings()
    }

    /// Maximum number of openings needed for regular games without late entrants.
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
        let first = Fixture {
            stage: self.stage_index,
            group: self.number,
            round,
            table,
            decider: None,
            number: 0,
            opening: self.opening(round, table),
            sides,
        };
        let sequential = self.config.games[self.game].clock.whole_match;
        let staying = sides.map(|side| self.has(side, round));
        meeting::play(self.stage.meeting, sequential, &first, staying, ask)
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
        meeting::play(meeting, sequential, &first, [true; 2], ask)
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

    /// An entrant's lot in this stage: the lowest comes first.
    pub(super) fn lot(&self, entrant: Entrant) -> u64 {
        lot(self.config, self.game, &self.stage.name, entrant)
    }

    /// All pairs of the first `count` entrants that meet in each round of a round robin or gauntlet.
    fn pairs(&self, count: usize) -> Vec<[Entrant; 2]> {
        let challengers = &self.stage.challengers;
        let entrants = &self.entrants[..count];
        let mut pairs = Vec::new();
        for (index, &a) in entrants.iter().enumerate() {
            for &b in &entrants[index + 1..] {
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
        let pairs = self.pairs_with_late();
        // Those of late entrants come last in each round, and move no other.
        let others = self.tables().max(1) as usize;
        let mut played = Played::default();
        for round in 1..=self.stage.rounds {
            for step in 0..pairs.len() {
                let place = if step < others {
                    (step + self.game) % others
                } else {
                    step
                };
                let [a, b] = pairs[place];
                if ![a, b].iter().all(|&side| self.has_entered(side, round)) {
                    continue;
                }
                // In a pair of games both entrants have both sides. In a series the first side
                // alternates by round.
                let swapped = matches!(self.stage.meeting, Meeting::Wins(_)) && round % 2 == 0;
                let sides = if swapped { [b, a] } else { [a, b] };
                played
                    .meetings
                    .push(self.meet(round, place as u32, sides, ask));
            }
        }
        self.annul(&mut played.meetings);
        played.complete = played.meetings.iter().all(|met| met.complete);
        played
    }

    /// All pairs, those with a late entrant last.
    fn pairs_with_late(&self) -> Vec<[Entrant; 2]> {
        let mut pairs = self.pairs(self.punctual());
        let all = self.pairs(self.entrants.len());
        let late: Vec<_> = all
            .into_iter()
            .filter(|pair| !pairs.contains(pair))
            .collect();
        pairs.extend(late);
        pairs
    }

    /// Annuls the meetings of entrants that left before they had played half of their games, as FIDE's
    /// rules for round robins do.
    fn annul(&self, meetings: &mut [Met]) {
        let has_left = |entrant: &&Entrant| !self.has(**entrant, self.stage.rounds);
        for entrant in self.entrants.iter().filter(has_left) {
            let own = meetings
                .iter_mut()
                .filter(|met| met.sides.contains(entrant));
            let own: Vec<&mut Met> = own.collect();
            let units = own.iter().map(|met| met.units(self.stage.meeting));
            let [played, all] = units.fold([0, 0], |sum, met| [sum[0] + met[0], sum[1] + met[1]]);
            if 2 * played < all {
                own.into_iter()
                    .for_each(|met| met.ending = Some(Ending::Annulled));
            }
        }
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
