//! Connect6 (六子棋): rules, notation, evaluation, players.
//!
//! Black places one stone, then the sides place two a turn. Six or more in a row win at once, also
//! with the first stone of a turn. A full board without a winner is a draw. There are no forbidden
//! moves, and no stone is ever moved or taken.
//!
//! | file | what is in it |
//! |---|---|
//! | `board.rs` | the position and the rules |
//! | `geometry.rs` | cells, the lines through them, windows of six |
//! | `moves.rs` | a stone as a move, and move generation in stages |
//! | `notation.rs` | text of stones, turns and positions; the SAU platform's turns |
//! | `record.rs` | contest records, and what other formats need |
//! | `variant.rs` | the size of the board |
//! | `draw.rs` | the board as a picture |
//! | `windows.rs` | windows of six counted incrementally: threats, winning and blocking stones |
//! | `evaluate.rs` | the evaluation, and the ranking of candidate stones |
//! | `playout.rs` | random and threat-aware playouts |
//! | `dialect.rs` | turns in GTP, Botzone's and other protocols |
//! | `engine.rs` | all of it as one `entry::Game` |
//!
//! # One turn, two orders
//! An action is one stone, so the two stones of a turn can be played in two orders, and perft counts
//! both. The position does not remember the order: both lead to equal positions with one key, and
//! the transposition table joins them. A search must therefore probe its table also where it would
//! evaluate, at the end of a turn. [`Connect6`]'s `mid_turn` is true between the two stones.
//!
//! # What a search is offered
//! A turn of the contest board has up to 65 000 pairs of stones, too many to look far at full width.
//! - `generate` gives the stones in three stages: those that complete a six this turn, else those
//!   that block one, else those in windows of three; then those near a stone; then the rest.
//! - [`WindowEvaluator`] lists, as candidates, the stones worth a search, best first: complete where a
//!   threat decides, a chosen number of them elsewhere. Alpha-beta over the best 14, four stones
//!   deep, won all of 10 games against `greedy`; full width, two stones deep, 7 of 10.

pub mod board;
mod dialect;
pub mod draw;
pub mod engine;
pub mod evaluate;
mod geometry;
pub mod moves;
pub mod notation;
pub mod playout;
pub mod record;
pub mod variant;
pub mod windows;

pub use board::Connect6;
pub use evaluate::WindowEvaluator;
pub use moves::Stone;
pub use playout::{Random, ThreatPlayout};
pub use variant::Variant;
