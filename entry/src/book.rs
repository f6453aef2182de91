//! Opening books: what games and searches have found out about the first positions of a game.
//!
//! | file | what is in it |
//! |---|---|
//! | `book.rs` | what a book holds |
//! | `text.rs` | the file: reading and writing |
//! | `values.rs` | scores backed up from the positions that were searched |
//! | `lookup.rs` | the moves of a book at a position of a game, and the one to play |
//!
//! A book knows no game: positions are canonical keys and moves are canonical bits
//! ([`engine_core::Canonical`]), so that all images of a position share one entry. A move of the
//! book is a legal move whose canonical bits it has. So a key that two positions share by accident
//! never makes an engine play an illegal move.

pub(crate) mod lookup;
mod text;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use engine_core::{Outcome, Score, Side};
use serde_json::Value;

pub use lookup::{Advice, MIN_GAMES, OpenBook};
pub use text::{BookError, MAX_BYTES, VERSION};
pub use values::Values;

/// An opening book of one game and variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// Id of the game.
    pub game: String,
    /// The variant, with all defaults filled in.
    pub variant: Value,
    /// Canonical key of the start position. If a program computes another one, its keys are not
    /// those of the book.
    pub start: u64,
    /// Moves of fewer games were left out; 1 if none were.
    pub min_games: u32,
    /// How the book was made: commands with their seeds, in no order.
    pub made: BTreeSet<String>,
    /// Digests of the games that are counted.
    pub games: BTreeSet<u64>,
    /// The positions by canonical key.
    pub positions: BTreeMap<u64, Known>,
}

/// What a book knows of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The side that acts.
    pub side: Side,
    /// The longest search of the position, if there was one.
    pub searched: Option<Searched>,
    /// Whether the best moves of the position were added and searched. Its value is then that of
    /// its best move.
    pub expanded: bool,
    /// The known moves, by their canonical bits.
    pub moves: BTreeMap<u32, Line>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Searched {
    /// Its length, in nodes or playouts; 0 at the end of the game.
    pub nodes: u64,
    /// Whether no longer search can change the score.
    pub solved: bool,
    /// The value for the side that acts.
    pub score: Score,
    /// Canonical bits of the best move; 0 for none.
    pub best: u32,
}

/// A known move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Canonical key of the position after it.
    pub to: u64,
    /// The results of the games in which it was played.
    pub results: Results,
}

/// Results of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Games that `First` has won.
    pub first: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games that `Second` has won.
    pub second: u32,
}

impl Book {
    /// An empty book. `start` is the canonical key of the variant's start position.
    pub fn new(game: &str, variant: Value, start: u64) -> Book {
        Book {
            game: game.to_owned(),
            variant,
            start,
            min_games: 1,
            made: BTreeSet::new(),
            games: BTreeSet::new(),
            positions: BTreeMap::new(),
        }
    }

    /// Number of expanded positions.
    pub fn expanded(&self) -> usize {
        let known = self.positions.values();
        known.filter(|known| known.expanded).count()
    }

    /// The entry of a position, an empty one if it is new.
    pub fn entry(&mut self, key: u64, side: Side) -> &mut Known {
        self.positions.entry(key).or_insert(Known::new(side))
    }
}

impl Known {
    /// A position of which nothing is known.
    pub fn new(side: Side) -> Known {
        Known {
            side,
            searched: None,
            expanded: false,
            moves: BTreeMap::new(),
        }
    }
}

impl Results {
    /// Counts one more game.
    pub fn count(&mut self, outcome: Outcome) {
        let number = match outcome {
            Outcome::Win(Side::First) => &mut self.first,
            Outcome::Win(Side::Second) => &mut self.second,
            Outcome::Draw => &mut self.draws,
        };
        *number = number.saturating_add(1);
    }

    /// The results of all games of both.
    pub fn plus(self, other: Results) -> Results {
        Results {
            first: self.first.saturating_add(other.first),
            draws: self.draws.saturating_add(other.draws),
            second: self.second.saturating_add(other.second),
        }
    }

    /// Number of games.
    pub fn games(self) -> u64 {
        u64::from(self.first) + u64::from(self.draws) + u64::from(self.second)
    }

    /// Games won and lost by a side.
    pub fn won_and_lost(self, side: Side) -> (u32, u32) {
        match side {
            Side::First => (self.first, self.second),
            Side::Second => (self.second, self.first),
        }
    }

    /// Points of a side: 1 for a win, ½ for a draw.
    pub fn points(self, side: Side) -> f64 {
        f64::from(self.won_and_lost(side).0) + f64::from(self.draws) / 2.0
    }
}
