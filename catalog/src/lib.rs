//! All games of this workspace behind one object-safe interface.
//!
//! A new game needs one line in [`GAMES`].

mod book;
mod contest;
mod estimates;
mod playing;
mod prove;
mod records;
mod rules;
mod search;

pub use book::{Booked, KnownMove, Place, Step as BookStep};
pub use contest::Contest;
pub use estimates::Estimate;
pub use prove::{PROVER, Proof};
pub use records::Records;
pub use rules::{Match, Rules, Shown};
pub use search::{Finding, Request, SearchError, Step};

use std::marker::PhantomData;

use rules::Entry;

/// The games, in alphabetical order of their ids.
pub static GAMES: &[&dyn Rules] = &[
    &Entry::<amazons::Amazons>(PhantomData),
    &Entry::<connect6::Connect6>(PhantomData),
    &Entry::<dots_and_boxes::DotsAndBoxes>(PhantomData),
    &Entry::<einstein::Einstein>(PhantomData),
    &Entry::<gomoku::Gomoku>(PhantomData),
    &Entry::<hex::Hex>(PhantomData),
    &Entry::<surakarta::Surakarta>(PhantomData),
    &Entry::<tic_tac_toe::TicTacToe>(PhantomData),
];

/// The game with this id.
pub fn find(id: &str) -> Option<&'static dyn Rules> {
    GAMES.iter().copied().find(|game| game.id() == id)
}

/// The ids of all games, for messages.
pub fn ids() -> Vec<&'static str> {
    GAMES.iter().map(|game| game.id()).collect()
}
