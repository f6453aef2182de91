//! The moves of a book at a position of a game, and the one to play.

use std::cmp::Ordering;
use std::fmt::Write;
use std::sync::Arc;

use engine_core::zobrist::mix;
use engine_core::{Canonical, Rng, Score, Side};
use game::{Game, Guided, read_variant};
use protocol::ugi::InfoScore;
use serde_json::Value;

use super::{Book, BookError, Known, Line, Results, Values};

/// Games after which a move without a backed-up score may be played.
pub const MIN_GAMES: u64 = 8;

/// A book that belongs to a game and its variant.
#[derive(Debug)]
pub struct OpenBook<G: Game> {
    book: Arc<Book>,
    values: Values,
    start: G,
}

/// A known move at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice<M> {
    /// The move, which is legal.
    pub mv: M,
    /// Results of the games in which it was played.
    pub results: Results,
    /// Its value for the side that plays it, backed up from searches.
    pub value: Option<Score>,
    /// Whether there is enough evidence to play it without a search: a value at an expanded
    /// position, or [`MIN_GAMES`] games.
    pub is_enough: bool,
    /// The side that plays it.
    pub side: Side,
}

impl<M> Advice<M> {
    /// A lower bound of the expected points, by the games alone: that of Wilson's score interval
    /// (*Probable inference, the law of succession, and statistical inference*, 1927) at one
    /// standard error. 0 without games.
    pub fn least_points(&self) -> f64 {
        let games = self.results.games() as f64;
        if games == 0.0 {
            return 0.0;
        }
        let mean = self.results.points(self.side) / games;
        let middle = mean + 0.5 / games;
        let half = (mean * (1.0 - mean) / games + 0.25 / (games * games)).sqrt();
        (middle - half) / (1.0 + 1.0 / games)
    }

    /// Which of two moves is played: one with enough evidence, then the higher value, then the
    /// better results.
    fn order(&self, other: &Self) -> Ordering {
        let evidence = self.is_enough.cmp(&other.is_enough);
        let value = self.value.cmp(&other.value);
        let results = self.least_points().total_cmp(&other.least_points());
        evidence.then(value).then(results)
    }

    /// The facts in the words of UGI: `score cp 31 games 12 won 7 drawn 1 lost 4`.
    pub fn in_words(&self) -> String {
        let mut text = String::new();
        if let Some(value) = self.value {
            let _ = write!(text, " score {}", InfoScore::from(value));
        }
        let (won, lost) = self.results.won_and_lost(self.side);
        let (games, drawn) = (self.results.games(), self.results.draws);
        if games > 0 {
            let _ = write!(text, " games {games} won {won} drawn {drawn} lost {lost}");
        }
        text.trim_start().to_owned()
    }
}

/// The start of a variant that a book is for. `name` begins the messages.
///
/// # Errors
/// As for [`OpenBook::new`].
pub(crate) fn start<G: Game>(name: &str, book: &Book, variant: &Value) -> Result<G, BookError> {
    let wrong = |message: String| BookError(format!("{name}: {message}"));
    if book.game != G::ID {
        let message = format!("a book of {}, expected one of {}", book.game, G::ID);
        return Err(wrong(message));
    }
    let variant = read_variant::<G>(variant).map_err(|error| wrong(error.to_string()))?;
    let own = read_variant::<G>(&book.variant);
    if own.map_err(|error| wrong(format!("variant: {error}")))? != variant {
        let wanted = serde_json::to_value(&variant).unwrap_or_default();
        let message = format!("a book of the variant {}, expected {wanted}", book.variant);
        return Err(wrong(message));
    }
    let start = G::start(&variant).map_err(|error| wrong(error.to_string()))?;
    let key = Canonical::of(&start).key();
    if book.start != key {
        return Err(wrong(format!(
            "start position {:016x}, expected {key:016x}: another version of the program made this \
             book, make it again",
            book.start
        )));
    }
    Ok(start)
}

impl<G: Guided> OpenBook<G> {
    /// The book that is part of the program; `None` if the game has none for this variant.
    ///
    /// # Panics
    /// The program has a book of another version: whoever changes the keys makes it anew.
    pub fn shipped(variant: &Value) -> Option<OpenBook<G>> {
        let book = Book::from_bytes("the shipped book", G::book()?);
        let book = book.unwrap_or_else(|error| panic!("{}: {error}", G::ID));
        let is_same = read_variant::<G>(&book.variant) == read_variant::<G>(variant);
        let own = book.variant.clone();
        let open = || OpenBook::new("the shipped book", book, &own);
        is_same.then(|| open().unwrap_or_else(|error| panic!("{}: {error}", G::ID)))
    }

    /// A book for a variant of the game. `name` begins the messages.
    ///
    /// # Errors
    /// The book is for another game or variant, or its keys are not those of this program.
    pub fn new(
        name: &str,
        book: impl Into<Arc<Book>>,
        variant: &Value,
    ) -> Result<OpenBook<G>, BookError> {
        let book = book.into();
        Ok(OpenBook {
            start: start(name, &book, variant)?,
            values: Values::of(&book),
            book,
        })
    }

    /// What the book knows of a position in which a player acts; `None` of others, and of
    /// positions of another variant.
    pub fn known(&self, position: &G) -> Option<(&Known, Canonical)> {
        if position.outcome().is_some() || position.is_chance() {
            return None;
        }
        let canonical = Canonical::of(position);
        let known = self.book.positions.get(&canonical.key())?;
        // Boards of other sizes may have the same keys.
        let again = self.start.parse_position(&position.write_position());
        let same = again.is_ok_and(|again| again.key() == position.key());
        (same && known.side == position.side()).then_some((known, canonical))
    }

    /// The known moves of a position, the one to play first. All are legal.
    pub fn advice(&self, position: &G) -> Vec<Advice<G::Move>> {
        let Some((known, canonical)) = self.known(position) else {
            return Vec::new();
        };
        let legal = position.legal_moves().into_iter();
        let mut advice: Vec<_> = legal
            .filter_map(|mv| {
                let line = known.moves.get(&canonical.image(position, mv))?;
                Some(self.one(known, mv, line))
            })
            .collect();
        advice.sort_by(|one, other| other.order(one));
        advice
    }

    fn one<M>(&self, known: &Known, mv: M, line: &Line) -> Advice<M> {
        let value = self.values.after(&self.book, known.side, line.to);
        let value = value.filter(|_| known.expanded);
        let results = line.results;
        Advice {
            mv,
            results,
            value,
            is_enough: value.is_some() || results.games() >= MIN_GAMES,
            side: known.side,
        }
    }

    /// The move to play, if there is enough evidence for one. Among equal moves, such as the images
    /// of one in a symmetric position, `seed` and the position decide.
    pub fn choose(&self, position: &G, seed: u64) -> Option<Advice<G::Move>> {
        let advice = self.advice(position);
        let best = advice.first().filter(|best| best.is_enough)?;
        let equal = advice.iter().take_while(|other| other.order(best).is_eq());
        let mut rng = Rng::new(mix(seed) ^ position.key());
        let index = rng.below(equal.count() as u32) as usize;
        Some(advice[index])
    }

    /// The book itself.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The value of a position for the side that acts, by its canonical key.
    pub fn value(&self, key: u64) -> Option<Score> {
        self.values.get(key)
    }
}

#[cfg(test)]
mod tests;
