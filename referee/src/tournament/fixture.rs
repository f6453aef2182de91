//! A game of a tournament, before it is planned.

use crate::record::GameResult;

/// An engine, by its place in the league file.
pub type Entrant = usize;

/// A game that a format asks for. What is in here tells it from all other games of its league.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fixture {
    /// Its stage, from 0.
    pub stage: usize,
    /// Its group, from 1; 0 where the stage has only one.
    pub group: u32,
    /// Its round, from 1; of a game that breaks a tie, the place that is played for.
    pub round: u32,
    /// The place of its meeting in the round, from 0.
    pub table: u32,
    /// The tie that it breaks, if it breaks one.
    pub decider: Option<Decider>,
    /// Its number in its meeting, from 1; 0 in a meeting of one game or one pair.
    pub number: u32,
    /// Which of the openings it has, from 0; the games of a pair have the same.
    pub opening: u32,
    /// Who plays `First`, and who `Second`.
    pub sides: [Entrant; 2],
}

/// Why a game is played after all others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decider {
    /// It is one of a pair with the `[rapid]` clock.
    Rapid,
    /// It is one game with the `[rapid]` clock and sides by lot.
    Lot,
}

impl Decider {
    /// Its word in the log.
    pub fn word(self) -> &'static str {
        match self {
            Decider::Rapid => "rapid",
            Decider::Lot => "lot",
        }
    }
}

impl Fixture {
    /// The pair of its meeting that it belongs to, from 0.
    pub fn pair(&self) -> u32 {
        self.number.saturating_sub(1) / 2
    }

    /// Whether it is a game of the same meeting as another one.
    pub(super) fn meets_as(&self, other: &Fixture) -> bool {
        let place = |game: &Fixture| (game.stage, game.group, game.decider, game.round, game.table);
        place(self) == place(other)
    }

    /// What decides the order of play: a league that is cut anywhere has played all its games, and
    /// all meetings of a round, about equally often. `game` is its game's place in the league.
    pub(super) fn turn(&self, game: usize) -> impl Ord + Copy + use<> {
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

/// Answers with the result of a game, if it has been played.
pub(super) type Ask<'a> = dyn FnMut(&Fixture) -> Option<GameResult> + 'a;
