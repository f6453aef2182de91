//! A record as plies, and the points between them.

use catalog::{AnyGame, AnyMatch};
use engine_core::{Outcome, Side};
use gamelog::record::GameRecord;
use serde_json::Value;
use task::opening::{self, Opening};

/// What comes next at a point of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// A side begins a turn.
    Turn {
        /// The side.
        side: Side,
        /// Whether it has no choice.
        forced: bool,
    },
    /// A roll, after which this side acts.
    Roll(Side),
    /// Nothing: the game is over.
    Over(Outcome),
}

/// A turn or a roll of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The side that plays it, or that acts after the roll.
    pub side: Side,
    /// The turn in UGI notation, or the roll: `d6`.
    pub text: String,
}

/// A game as its plies, with what comes next before each of them and after the last.
pub struct Course {
    /// The game.
    pub rules: &'static dyn AnyGame,
    /// The variant.
    pub variant: Value,
    /// The position in which it begins; `None` for the initial one.
    pub from: Option<String>,
    /// The turns and rolls, those of the opening first. Up to the first one that cannot be played.
    pub plies: Vec<Ply>,
    /// How many of them the opening gave.
    pub opening: usize,
    /// One more than there are plies.
    pub points: Vec<Point>,
    /// The position at each point, as text.
    positions: Vec<String>,
    /// Why the rest of the record cannot be played, if it cannot.
    pub fault: Option<String>,
}

impl Course {
    /// The plies of a record.
    ///
    /// # Errors
    /// The game or the variant is not known, or its opening cannot be played.
    pub fn of(record: &GameRecord) -> Result<Course, String> {
        let rules = catalog::find(&record.game).ok_or_else(|| {
            let (game, known) = (&record.game, catalog::ids().join(", "));
            format!("no game {game:?}, expected one of {known}")
        })?;
        let given = opening::turns(rules, &record.variant, &record.opening)?;
        let opening = given.len();
        let played = record
            .turns
            .iter()
            .map(|turn| (turn.side.into(), turn.text.clone()));
        let from = Opening::parse(&record.opening).position;
        let mut course = Course {
            rules,
            variant: record.variant.clone(),
            from: from.map(str::to_owned),
            plies: Vec::new(),
            opening,
            points: Vec::new(),
            positions: Vec::new(),
            fault: None,
        };
        course.play(given.into_iter().chain(played))?;
        Ok(course)
    }

    /// Plays plies until one cannot be played, and notes the points between them.
    fn play(&mut self, plies: impl Iterator<Item = (Side, String)>) -> Result<(), String> {
        let mut game = self.begin()?;
        self.note(&*game)?;
        for (side, text) in plies {
            if let Err(error) = game.play_words(&text) {
                let number = self.plies.len() + 1;
                self.fault = Some(format!("ply {number}, {text}: {error}"));
                break;
            }
            self.plies.push(Ply { side, text });
            self.note(&*game)?;
        }
        Ok(())
    }

    /// Notes what comes next, after the plies so far.
    fn note(&mut self, game: &dyn AnyMatch) -> Result<(), String> {
        self.points.push(self.point(game)?);
        self.positions.push(game.position());
        Ok(())
    }

    /// The game before its first ply.
    ///
    /// # Errors
    /// The variant or the position is not one of the game.
    pub fn begin(&self) -> Result<Box<dyn AnyMatch>, String> {
        let from = self.from.as_ref();
        let opening = from.map_or(String::new(), |from| format!("fen {from}"));
        opening::begin(self.rules, &self.variant, &opening)
    }

    /// The plies up to a point, as words.
    pub fn words(&self, point: usize) -> String {
        let texts: Vec<&str> = self.plies[..point].iter().map(|ply| &*ply.text).collect();
        texts.join(" ")
    }

    /// Whether a turn leads to the same position as the one that was played, in whatever words.
    pub fn is_as_played(&self, ply: usize, turn: &str) -> bool {
        if self.plies[ply].text == turn {
            return true;
        }
        let before = self.rules.set_up(&self.variant, &self.positions[ply]);
        let after = before.ok().and_then(|mut game| {
            game.play_words(turn).ok()?;
            Some(game.position())
        });
        after.as_ref() == Some(&self.positions[ply + 1])
    }

    fn point(&self, game: &dyn AnyMatch) -> Result<Point, String> {
        if let Some(outcome) = game.outcome() {
            return Ok(Point::Over(outcome));
        }
        let side = game.side();
        if game.roll_due() {
            return Ok(Point::Roll(side));
        }
        let forced = match game.only_action() {
            Some(only) => self.ends_turn(self.plies.len(), &only)?,
            None => false,
        };
        Ok(Point::Turn { side, forced })
    }

    /// Whether a turn of this action alone, after so many plies, is whole.
    fn ends_turn(&self, plies: usize, action: &str) -> Result<bool, String> {
        let mut game = self.begin()?;
        let words = self.words(plies);
        game.play_words(&words).map_err(|error| error.to_string())?;
        let side = game.side();
        game.play_words(action).map_err(|error| error.to_string())?;
        Ok(game.outcome().is_some() || game.roll_due() || game.side() != side)
    }
}
