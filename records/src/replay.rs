//! Replays a record. Illegal moves of all formats are found and reported here.

use engine_core::{Outcome, ParseError, Side};
use game::VariantError;
use game::turn::{play_roll, turn_is_over};

use super::fault::{Fault, Place, Token};
use super::header::Heading;
use super::{Event, Reading, Record, Recorded, cells, side_of};

/// The number of cells in a text of cells.
fn cells_of(text: &str) -> usize {
    text.chars().filter(char::is_ascii_alphabetic).count()
}

/// The legal part of a record that is being read.
#[derive(Clone, Debug)]
pub struct Replay<G: Recorded> {
    variant: G::Variant,
    start: G,
    position: G,
    events: Vec<Event<G::Move>>,
    /// Number of events that belong to whole turns and rolls.
    whole: usize,
    /// The end of the last token played.
    last: Place,
    /// The side that the record names with the next action.
    named: Option<Side>,
    /// What was understood without being said.
    notes: Vec<String>,
}

impl<G: Recorded> Replay<G> {
    /// A record from the start of the variant, unless stones are set up first.
    ///
    /// # Errors
    /// A variant that the game does not support.
    pub fn new(variant: G::Variant) -> Result<Replay<G>, VariantError> {
        let start = G::start(&variant)?;
        Ok(Replay {
            position: start.clone(),
            start,
            variant,
            events: Vec::new(),
            whole: 0,
            last: Place::start_of(1),
            named: None,
            notes: Vec::new(),
        })
    }

    /// The current position.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The number of actions and rolls so far.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing has been played.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Puts a stone of a colour, an index into [`Game::COLOURS`](crate::Game::COLOURS), on the board
    /// before the first turn, whosever turn it is. The record then begins after it. `read` finds it in
    /// the token, and only if it `may_end` the game, it may.
    ///
    /// # Errors
    /// The colour cannot act in this position, the stone is illegal, or the game is over.
    pub(super) fn set_up(
        &mut self,
        token: &Token<'_>,
        colour: usize,
        read: impl Fn(&G) -> Result<Vec<G::Move>, ParseError>,
        may_end: bool,
    ) -> Result<(), Fault> {
        let mut position = if self.position.colour_index(self.position.side()) == colour {
            self.position.clone()
        } else {
            (self.position.out_of_turn(colour, None))
                .ok_or_else(|| token.fault("a stone of the other colour"))?
        };
        let moves = read(&position).map_err(|error| token.fault(error.expected))?;
        moves.into_iter().for_each(|mv| {
            position.play(mv);
        });
        if !may_end && position.outcome().is_some() {
            let ending = position.ending();
            return Err(token.fault(format!("a game that is not over: {ending}")));
        }
        self.begin_at(position);
        Ok(())
    }

    /// Gives the first turn after the set-up to a colour, all of the turn.
    ///
    /// # Errors
    /// The colour cannot act in this position; `token` is the last one of the set-up.
    pub(super) fn begin_turn(&mut self, token: &Token<'_>, colour: usize) -> Result<(), Fault> {
        let position = &self.position;
        if position.outcome().is_some() {
            return Ok(());
        }
        // A turn in which stones were set up may have begun, so it is passed on and comes back.
        let others = position.out_of_turn(1 - colour, None);
        let whole = others.and_then(|other| other.out_of_turn(colour, None));
        let whole = whole.ok_or_else(|| {
            token.fault(format!(
                "a position in which {} can move",
                G::COLOURS[colour]
            ))
        })?;
        self.begin_at(whole);
        Ok(())
    }

    /// Begins the record at a position.
    fn begin_at(&mut self, position: G) {
        self.start = position.clone();
        self.position = position;
    }

    /// Refuses a token of the side that is not to move. An action that the record leaves out is
    /// played if the token belongs to the one after it.
    ///
    /// # Errors
    /// The game is over, or it is the other side's turn.
    pub fn check_side(&mut self, token: &Token<'_>, side: Side) -> Result<(), Fault> {
        self.check_going_on(token)?;
        self.named = Some(side);
        if !self.fits_named()
            && let Some(implied) = self.position.implied()
        {
            self.play_one(implied);
            self.check_going_on(token)?;
        }
        self.check_named(token)
    }

    /// Whether the next action may be of the side that the record names with it.
    fn fits_named(&self) -> bool {
        let sides = [self.position.side(), self.position.recorded_side()];
        self.named.is_none_or(|named| sides.contains(&named))
    }

    fn check_named(&self, token: &Token<'_>) -> Result<(), Fault> {
        if self.fits_named() {
            return Ok(());
        }
        let colour = self.position.colour_name(self.position.recorded_side());
        Err(token.fault(format!("a move of {colour}, whose turn it is")))
    }

    /// Plays an action, and notes whether it ends a turn.
    fn play_one(&mut self, mv: G::Move) {
        let side = self.position.side();
        self.position.play(mv);
        self.events.push(Event::Move(mv));
        if turn_is_over(&self.position, side) {
            self.whole = self.events.len();
        }
    }

    fn check_going_on(&self, token: &Token<'_>) -> Result<(), Fault> {
        if self.position.outcome().is_some() {
            let ending = self.position.ending();
            return Err(token.fault(format!("nothing more, as the game is over: {ending}")));
        }
        Ok(())
    }

    /// Plays a token as `word`, a turn or its first actions in the game's notation.
    ///
    /// # Errors
    /// The game is over, a roll is due, or the move is illegal.
    pub fn play(&mut self, token: &Token<'_>, word: &str) -> Result<(), Fault> {
        self.play_by(token, |position| position.parse_turn(word))
    }

    /// Plays the actions that `read` finds in a token, after an action that the record leaves out if
    /// they are legal only then.
    ///
    /// # Errors
    /// As for [`Replay::play`].
    pub fn play_by(
        &mut self,
        token: &Token<'_>,
        read: impl Fn(&G) -> Result<Vec<G::Move>, ParseError>,
    ) -> Result<(), Fault> {
        self.check_going_on(token)?;
        if self.position.is_chance() {
            return Err(token.fault("a roll of the die first"));
        }
        let mut found = read(&self.position);
        if found.is_err()
            && let Some(implied) = self.position.implied()
        {
            self.play_one(implied);
            self.check_going_on(token)?;
            self.check_named(token)?;
            found = read(&self.position);
        }
        self.named = None;
        let moves = found.map_err(|error| token.fault(error.expected))?;
        let side = self.position.side();
        for (index, &mv) in moves.iter().enumerate() {
            if index > 0 && turn_is_over(&self.position, side) {
                return Err(token.fault(format!("the end of the turn after {index} actions")));
            }
            self.play_one(mv);
        }
        self.last = token.end();
        Ok(())
    }

    /// Casts the die.
    ///
    /// # Errors
    /// The game is over, no roll is due, or the die has no such face.
    pub fn roll(&mut self, token: &Token<'_>, face: &str) -> Result<(), Fault> {
        self.check_going_on(token)?;
        let face = play_roll(&mut self.position, &format!("d{face}"))
            .map_err(|error| token.fault(error.expected))?;
        self.events.push(Event::Roll(face));
        self.whole = self.events.len();
        Ok(())
    }

    /// Plays a word of a list: a roll, `d6`, if one is due, otherwise a turn or its first actions, or
    /// turns of cells without anything between them, `a2d4e5`.
    ///
    /// # Errors
    /// As for [`Replay::play`] and [`Replay::roll`].
    pub fn word(&mut self, token: &Token<'_>, word: &str) -> Result<(), Fault> {
        if self.position.outcome().is_none() && self.position.is_chance() {
            return match word.strip_prefix(['d', 'D']) {
                Some(face) => self.roll(token, face),
                None => Err(token.fault(format!("a roll, d1 to d{}", G::FACES))),
            };
        }
        if self.events.is_empty() {
            self.begin_with(word);
        }
        let is_turn =
            self.check_going_on(token).is_err() || G::read_turn(&self.position, word).is_ok();
        match cells(word, "").filter(|cells| cells.len() > 1 && !is_turn) {
            Some(cells) => self.play_cells(token, word, &cells),
            None => self.play_by(token, |position| position.read_turn(word)),
        }
    }

    /// Gives the first turn to `Second` where it may begin and only it can make the turn.
    fn begin_with(&mut self, word: &str) {
        let position = &self.position;
        let can_begin = G::SECOND_MAY_BEGIN && position.outcome().is_none();
        if !can_begin || position.read_turn(word).is_ok() {
            return;
        }
        let second = position.colour_index(Side::Second);
        let other = position.out_of_turn(second, None);
        if let Some(other) = other.filter(|other| other.read_turn(word).is_ok()) {
            self.notes
                .push("the first turn is one of Second, who begins".to_owned());
            self.begin_at(other);
        }
    }

    /// Plays turns that are written without anything between them.
    fn play_cells(&mut self, token: &Token<'_>, word: &str, cells: &[String]) -> Result<(), Fault> {
        let mut rest = cells;
        while !rest.is_empty() {
            // No action has more than three cells.
            let mut lengths = (1..=rest.len().min(3)).map(|length| rest[..length].concat());
            let is_turn = |text: &String| self.position.read_turn(text).is_ok();
            let turn = match self.position.outcome() {
                None => lengths.find(is_turn),
                Some(_) => None,
            };
            let Some(turn) = turn else {
                // As if nothing could be split; a fault names the cell where others precede it.
                let is_first = rest.len() == cells.len();
                let failed = if is_first { word } else { &rest[0] };
                return self.play_by(token, |position| position.read_turn(failed));
            };
            self.play_by(token, |position| position.read_turn(&turn))?;
            rest = &rest[cells_of(&turn)..];
        }
        Ok(())
    }

    /// The reading of a record that begins at `line`, with the fault that ended it. If there was
    /// none, an unfinished turn or a wrong result counts as a fault.
    pub fn finish(
        mut self,
        mut heading: Heading<'_>,
        fault: Result<(), Fault>,
        line: usize,
    ) -> Reading<G> {
        // The last action of a turn may be implied, too.
        if fault.is_ok()
            && self.whole < self.events.len()
            && let Some(implied) = self.position.implied()
        {
            self.play_one(implied);
        }
        if let Some((colour, token)) = heading.winner
            && let Some(side) = side_of(&self.position, colour)
        {
            heading.claim(Outcome::Win(side), token);
        }
        let fault = fault
            .and_then(|()| self.check_whole(&heading))
            .and_then(|()| self.check_result(&heading));
        if fault.is_ok() && self.events.is_empty() && heading.header.result.is_some() {
            self.notes.push("a result without turns".to_owned());
        }
        let is_broken_off = self.whole < self.events.len();
        self.events.truncate(self.whole);
        Reading {
            record: Record {
                header: heading.header,
                variant: self.variant,
                start: self.start,
                events: self.events,
            },
            line,
            fault: fault.err(),
            end: self.position,
            is_broken_off,
            notes: [heading.notes, self.notes].concat(),
            is_relaxed: false,
        }
    }

    /// A record may end within a turn only if it states the result.
    fn check_whole(&self, heading: &Heading<'_>) -> Result<(), Fault> {
        if self.whole == self.events.len() || heading.header.result.is_some() {
            return Ok(());
        }
        Err(Fault {
            place: self.last,
            found: String::new(),
            expected: "the rest of the turn".to_owned(),
        })
    }

    fn check_result(&self, heading: &Heading<'_>) -> Result<(), Fault> {
        let claimed = heading.header.result.zip(heading.result);
        let (Some(outcome), Some((claimed, token))) = (self.position.outcome(), claimed) else {
            return Ok(());
        };
        if outcome == claimed {
            return Ok(());
        }
        let won = match outcome {
            Outcome::Win(side) => format!("a win of {}", self.position.colour_name(side)),
            Outcome::Draw => "a draw".to_owned(),
        };
        let ending = self.position.ending();
        Err(token.fault(format!("{won}, because the game ended: {ending}")))
    }
}
