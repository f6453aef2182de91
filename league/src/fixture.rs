//! A game of a tournament before it is planned.

use gamelog::record::GameResult;

/// An engine, by index in the league file.
pub type Entrant = usize;

/// A game that a format asks for. These fields identify it within its league and game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fixture {
    /// Its stage, from 0.
    pub stage: usize,
    /// Its group, from 1; 0 if the stage has only one.
    pub group: u32,
    /// Its round, from 1; for a tie-break game, the place that is played for.
    pub round: u32,
    /// Index of its meeting in the round, from 0.
    pub table: u32,
    /// The kind of tie-break game; `None` for a regular game.
    pub decider: Option<Decider>,
    /// Its number within its meeting, from 1; 0 if the meeting is one game or one pair.
    pub number: u32,
    /// Index of its opening, from 0; both games of a pair have the same.
    pub opening: u32,
    /// The entrants that play `First` and `Second`.
    pub sides: [Entrant; 2],
}

/// Kind of a tie-break game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decider {
    /// One of a pair, with the `[rapid]` clock.
    Rapid,
    /// A single game with the `[rapid]` clock and sides by lot.
    Lot,
}

impl Decider {
    /// Its name in the log.
    pub fn word(self) -> &'static str {
        match self {
            Decider::Rapid => "rapid",
            Decider::Lot => "lot",
        }
    }
}

impl Fixture {
    /// Index of its pair within the meeting, from 0.
    pub fn pair(&self) -> u32 {
        self.number.saturating_sub(1) / 2
    }

    /// Whether both games belong to the same meeting.
    pub(super) fn is_same_meeting(&self, other: &Fixture) -> bool {
        let place = |game: &Fixture| (game.stage, game.group, game.decider, game.round, game.table);
        place(self) == place(other)
    }

    /// The sort key of the playing order: whenever a league is stopped, all its games, and all
    /// meetings of a round, have been played about equally often. `game` is the index of its game
    /// in the league.
    pub(super) fn order(&self, game: usize) -> impl Ord + Copy + use<> {
        (
            self.stage,
            self.decider,
            self.round,
            self.pair(),
            self.table,
            game,
        )
    }
}

/// What is asked of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// It is to be played if it has not been.
    Play,
    /// Only whether it has been played: an engine has left.
    Look,
}

/// Returns the result of a game if it has been played.
pub(super) type Ask<'a> = dyn FnMut(&Fixture, Wanted) -> Option<GameResult> + 'a;
