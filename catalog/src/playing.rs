//! A game in progress behind the trait object [`Match`].

use std::mem;

use drawing::{BUTTON, Picture};
use engine_core::{Outcome, ParseError, Rng, Side, StopFlag, perft};
use game::turn::{Told, turn_is_over};
use game::{Engine, View, turn};
use protocol::Protocol;

use crate::prove::{self, Proof};
use crate::rules::{Match, Shown};

/// A game in progress, with what pictures of it show.
pub(crate) struct Playing<G: Engine> {
    position: G,
    /// The actions since the start.
    history: Vec<G::Move>,
    /// The position before the last turn, and the number of actions before it.
    last: Option<(G, usize)>,
    /// Whether the last turn goes on.
    in_turn: bool,
}

impl<G: Engine> Playing<G> {
    /// A game that begins at a position.
    pub(crate) fn new(position: G) -> Playing<G> {
        Playing {
            position,
            history: Vec::new(),
            last: None,
            in_turn: false,
        }
    }

    /// Goes on to the position after `moves`, all of one turn, or after a roll if there are none.
    fn advance(&mut self, after: G, moves: &[G::Move]) {
        let before = mem::replace(&mut self.position, after);
        if moves.is_empty() {
            return;
        }
        let side = before.side();
        if !self.in_turn {
            self.last = Some((before, self.history.len()));
        }
        self.history.extend_from_slice(moves);
        self.in_turn = !turn_is_over(&self.position, side);
    }

    /// The position.
    pub(crate) fn position(&self) -> &G {
        &self.position
    }

    /// Plays a word of a list of moves, and returns its actions.
    pub(crate) fn play_word(&mut self, word: &str) -> Result<Vec<G::Move>, ParseError> {
        let mut after = self.position.clone();
        let moves = turn::play_word(&mut after, word)?;
        self.advance(after, &moves);
        Ok(moves)
    }

    /// The state of the game in words.
    fn title(&self) -> String {
        let colour = |side| G::COLOURS[self.position.colour_index(side)];
        let side = self.position.side();
        let state = match self.position.outcome() {
            Some(Outcome::Win(winner)) => {
                format!("{} wins, {}", colour(winner), self.position.ending())
            }
            Some(Outcome::Draw) => format!("draw, {}", self.position.ending()),
            None if self.position.is_chance() => format!("{} to roll", colour(side)),
            None => format!("{} to move", colour(side)),
        };
        format!("{}: {state}", G::NAME)
    }

    /// The actions of a line in UGI notation, up to the first roll or the first illegal word.
    fn line(&self, text: &str) -> Vec<G::Move> {
        let (mut game, mut line) = (self.position.clone(), Vec::new());
        for (_, word) in turn::words(text) {
            match turn::play_word(&mut game, word) {
                Ok(moves) if !moves.is_empty() => line.extend(moves),
                _ => break,
            }
        }
        line
    }
}

impl<G: Engine> Match for Playing<G> {
    fn side(&self) -> Side {
        self.position.side()
    }

    fn colour_of(&self, side: Side) -> usize {
        self.position.colour_index(side)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn turns_left(&self) -> u32 {
        self.position().turns_left()
    }

    fn can_be_drawn(&self) -> bool {
        self.position.can_be_drawn()
    }

    fn prove(&self, nodes: u64, stop: &StopFlag) -> Option<Proof> {
        prove::prove(&self.position, nodes, stop)
    }

    fn ending(&self) -> &'static str {
        self.position.ending()
    }

    fn roll_due(&self) -> bool {
        self.position.outcome().is_none() && self.position.is_chance()
    }

    fn mid_turn(&self) -> bool {
        self.position.mid_turn()
    }

    fn faces(&self) -> u8 {
        G::FACES
    }

    fn roll(&mut self, face: u8) -> Result<(), ParseError> {
        turn::play_roll(&mut self.position, &format!("d{face}")).map(|_| ())
    }

    fn play_turn(&mut self, text: &str) -> Result<String, ParseError> {
        self.play_turn_in(Protocol::Ugi, text)
    }

    fn play_turn_in(&mut self, protocol: Protocol, text: &str) -> Result<String, ParseError> {
        let (moves, after) = turn::turn_from(&self.position, protocol, text)?;
        let written = self.position.write_turn(&moves);
        self.advance(after, &moves);
        Ok(written)
    }

    fn play_part_in(&mut self, protocol: Protocol, text: &str) -> Result<(), ParseError> {
        let mut after = self.position.clone();
        let moves = turn::play_part_in(&mut after, protocol, text)?;
        self.advance(after, &moves);
        Ok(())
    }

    fn follow(&mut self, protocol: Protocol, words: &[&str]) -> Result<Vec<Told>, ParseError> {
        let mut after = self.position.clone();
        let told = turn::follow(&mut after, protocol, words.iter().copied())?;
        words
            .iter()
            .try_for_each(|word| self.play_word(word).map(drop))?;
        Ok(told)
    }

    fn play_random_turn(&mut self, rng: &mut Rng) -> Option<String> {
        let mut after = self.position.clone();
        let side = after.side();
        let mut moves = Vec::new();
        while !turn_is_over(&after, side) {
            let legal = after.legal_moves();
            let mv = legal[rng.below(legal.len() as u32) as usize];
            after.play(mv);
            moves.push(mv);
        }
        let text = (!moves.is_empty()).then(|| self.position.write_turn(&moves));
        self.advance(after, &moves);
        text
    }

    fn play_words(&mut self, text: &str) -> Result<(), ParseError> {
        for (before, word) in turn::words(text) {
            self.play_word(word)
                .map_err(|error| error.shifted(before))?;
        }
        Ok(())
    }

    fn actions(&self) -> Vec<String> {
        let mut actions: Vec<String> = if self.roll_due() {
            (1..=G::FACES).map(|face| format!("d{face}")).collect()
        } else {
            self.position
                .legal_moves()
                .iter()
                .map(|&mv| self.position.write_move(mv))
                .collect()
        };
        actions.sort();
        actions
    }

    fn board(&self) -> String {
        self.position.draw()
    }

    fn position(&self) -> String {
        self.position.write_position()
    }

    fn picture(&self, shown: &Shown<'_>) -> Result<Picture, ParseError> {
        let line = self.line(shown.line);
        let hints = shown
            .hints
            .iter()
            .map(|text| self.position.parse_move(text));
        let hints = hints.collect::<Result<Vec<G::Move>, ParseError>>()?;
        let view = View {
            before: self.last.as_ref().map(|(before, _)| before),
            last: self
                .last
                .as_ref()
                .map_or(&[], |(_, played)| &self.history[*played..]),
            numbered: if shown.numbers { &self.history } else { &[] },
            line: &line,
            hints: &hints,
            forbidden: shown.forbidden,
        };
        let mut picture = self.position.picture(&view);
        picture.title = self.title();
        picture.description = self.position.write_position();
        Ok(picture)
    }

    fn clicks(&self, action: &str) -> Result<Vec<String>, ParseError> {
        if self.roll_due() {
            turn::play_roll(&mut self.position.clone(), action)?;
            return Ok(vec![format!("{BUTTON}{}", action.to_lowercase())]);
        }
        let action = self.position.parse_move(action)?;
        Ok(self.position.clicks(action))
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&mut self.position.clone(), depth)
    }
}
