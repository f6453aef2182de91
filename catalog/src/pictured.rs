//! A game in progress as text and as a picture, and what a turn did in the game's terms.

use drawing::{BUTTON, Picture};
use engine_core::{Outcome, ParseError};
use game::{Engine, Lapse, View, turn};

use crate::playing::{Match, Playing};

/// A game in progress as text and as a picture.
pub trait Pictured {
    /// The board as plain text.
    fn board(&self) -> String;

    /// The position as a picture, with the last turn marked. Turns before the first of this match
    /// are not known: they have no marks and no numbers.
    ///
    /// # Errors
    /// A hint is not legal here.
    fn picture(&self, shown: &Shown<'_>) -> Result<Picture, ParseError>;

    /// The clicks that enter a legal action, or a roll if one is due: names of targets of the
    /// picture, or of buttons, with [`drawing::BUTTON`] in front. The clicks of no action are the
    /// first ones of another's.
    ///
    /// # Errors
    /// The action is not legal here.
    fn clicks(&self, action: &str) -> Result<Vec<String>, ParseError>;

    /// What the other side loses if this turn is played here.
    ///
    /// # Errors
    /// The turn is not legal here.
    fn taken_by(&self, turn: &str) -> Result<Option<Lapse>, ParseError>;
}

/// What [`Pictured::picture`] shows besides the position and the last turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// Whether stones show the numbers of their moves.
    pub numbers: bool,
    /// A line of play in UGI notation: actions or turns, separated by blanks. It ends at the first
    /// roll, and at the first word that cannot be played, as engines report lines that are wrong.
    pub line: &'a str,
    /// Candidate actions in UGI notation.
    pub hints: &'a [&'a str],
    /// Whether points where the side to move must not play are marked.
    pub forbidden: bool,
}

impl<G: Engine> Pictured for Playing<G> {
    fn board(&self) -> String {
        self.position().draw()
    }

    fn picture(&self, shown: &Shown<'_>) -> Result<Picture, ParseError> {
        let line = line(self, shown.line);
        let hints = shown
            .hints
            .iter()
            .map(|text| self.position().parse_move(text));
        let hints = hints.collect::<Result<Vec<G::Move>, ParseError>>()?;
        let last = self.last_turn();
        let view = View {
            before: last.map(|(before, _)| before),
            last: last.map_or(&[], |(_, actions)| actions),
            numbered: if shown.numbers { self.history() } else { &[] },
            line: &line,
            hints: &hints,
            forbidden: shown.forbidden,
        };
        let mut picture = self.position().picture(&view);
        picture.title = title(self);
        picture.description = self.position().write_position();
        Ok(picture)
    }

    fn clicks(&self, action: &str) -> Result<Vec<String>, ParseError> {
        if self.roll_due() {
            turn::play_roll(&mut self.position().clone(), action)?;
            return Ok(vec![format!("{BUTTON}{}", action.to_lowercase())]);
        }
        let action = self.position().parse_move(action)?;
        Ok(self.position().clicks(action))
    }

    fn taken_by(&self, turn: &str) -> Result<Option<Lapse>, ParseError> {
        let mut after = self.position().clone();
        turn::play_turn(&mut after, turn)?;
        Ok(self.position().taken(&after))
    }
}

/// The state of the game in words.
fn title<G: Engine>(game: &Playing<G>) -> String {
    let colour = |side| G::COLOURS[game.position().colour_index(side)];
    let side = game.position().side();
    let state = match game.position().outcome() {
        Some(Outcome::Win(winner)) => {
            format!("{} wins, {}", colour(winner), game.position().ending())
        }
        Some(Outcome::Draw) => format!("draw, {}", game.position().ending()),
        None if game.position().is_chance() => format!("{} to roll", colour(side)),
        None => format!("{} to move", colour(side)),
    };
    format!("{}: {state}", G::NAME)
}

/// The actions of a line in UGI notation, up to the first roll or the first illegal word.
fn line<G: Engine>(game: &Playing<G>, text: &str) -> Vec<G::Move> {
    let (mut position, mut line) = (game.position().clone(), Vec::new());
    for (_, word) in turn::words(text) {
        match turn::play_word(&mut position, word) {
            Ok(moves) if !moves.is_empty() => line.extend(moves),
            _ => break,
        }
    }
    line
}
