//! All games of this workspace behind object-safe interfaces.
//!
//! | trait | what it offers |
//! |---|---|
//! | [`Rules`] | names, variants, positions and protocols as text: what plays and records games needs |
//! | [`Records`] | records of games |
//! | [`Engines`] | the engines of this program: their options, searches, games between them |
//! | [`Learned`] | what methods of learning see |
//! | [`Match`] | a game in progress, in which nothing illegal can be played |
//! | [`Pictured`], [`Booked`], [`Studied`] | its pictures, its place in opening books, proofs and counts |
//!
//! [`AnyGame`] and [`AnyMatch`] are all of these. A new game needs one line in [`GAMES`].

mod analyst;
mod book;
mod contest;
mod engines;
mod estimates;
mod learned;
mod pictured;
mod playing;
mod prove;
mod records;
mod rules;
mod search;
mod studied;

pub use analyst::{Analyst, Judgement, Means, Spend};
pub use book::{Booked, KnownMove, Place, Step as BookStep};
pub use contest::Contest;
pub use engines::Engines;
pub use estimates::Estimate;
pub use learned::Learned;
pub use pictured::{Pictured, Shown};
pub use playing::Match;
pub use prove::{PROVER, Proof};
pub use records::Records;
pub use rules::Rules;
pub use search::{Finding, Request, SearchError, Step, player};
pub use studied::Studied;

use std::marker::PhantomData;

use ::records::Recorded;
use game::Engine;
use playing::Playing;

/// A game of the catalogue with all that it offers.
pub trait AnyGame: Rules + Records + Engines + Learned {}

/// A game in progress with all that can be asked of it.
pub trait AnyMatch: Match + Booked + Pictured + Studied {}

impl<G: Engine> AnyMatch for Playing<G> {}

/// The implementation of a game's traits.
struct Entry<G>(PhantomData<G>);

impl<G: Recorded + Engine> AnyGame for Entry<G> {}

/// The games, in alphabetical order of their ids.
pub static GAMES: &[&dyn AnyGame] = &[
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
pub fn find(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.id() == id)
}

/// The ids of all games, for messages.
pub fn ids() -> Vec<&'static str> {
    GAMES.iter().map(|game| game.id()).collect()
}
