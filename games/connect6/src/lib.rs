//! Connect6 (六子棋): rules, notation, evaluation, players.
//!
//! Black places one stone; then the sides alternate with two stones a turn. Six or more in a row
//! win at once, even with the first stone of a turn. A full board without a winner is a draw. There
//! are no forbidden moves, and stones never move or disappear.
//!
//! | file | contents |
//! |---|---|
//! | `board.rs` | the position and the rules |
//! | `geometry.rs` | cells, the lines through them, windows of six |
//! | `moves.rs` | a stone as a move, and move generation in stages |
//! | `notation.rs` | text of stones, turns and positions; the SAU platform's turns |
//! | `record.rs` | contest records, and the game's part of other formats |
//! | `variant.rs` | the size of the board |
//! | `draw.rs` | the board as text |
//! | `windows.rs` | windows of six counted incrementally |
//! | `threats.rs` | winning and blocking stones |
//! | `attack.rs` | wins by continuous double threats, found by `doubles.rs` |
//! | `evaluate.rs` | the evaluation, and the ranking of candidate stones |
//! | `ranking.rs` | the best cells of a quiet position |
//! | `features.rs` | what the learned policy sees of a stone |
//! | `playout.rs` | random and threat-aware playouts |
//! | `dialect.rs` | turns in the other protocols |
//! | `engine.rs` | the interface to the referee and the entries |
//!
//! # Two orders of a turn
//! An action is one stone, so a turn can be played in two orders, and perft counts both. Both
//! orders lead to equal positions with the same key, so they transpose in the table. A search must
//! therefore probe its table also at leaves, at the end of a turn. [`Connect6`]'s `mid_turn` is
//! true between the two stones.
//!
//! # Moves offered to a search
//! A turn on the contest board has up to 65 000 pairs of stones, too many for a deep full-width
//! search.
//! - `generate` gives the stones in three stages: those that complete a six in this turn, otherwise
//!   those that block one, otherwise those in windows of three; then those near a stone; then all
//!   others.
//! - [`WindowEvaluator`] lists the candidate stones, best first: a complete list if a threat
//!   decides, otherwise a limited number. Alpha-beta over the best 14, four stones deep, won all of
//!   10 games against `greedy`; full width, two stones deep, 7 of 10.
//! - The policy that the engines use chooses 8 of 32 such candidates, by the lines through each stone.

mod attack;
pub mod board;
mod dialect;
mod doubles;
pub mod draw;
pub mod engine;
pub mod evaluate;
mod features;
mod geometry;
pub mod moves;
pub mod notation;
pub mod playout;
mod ranking;
pub mod record;
mod threats;
pub mod variant;
pub mod windows;

pub use board::Connect6;
pub use evaluate::WindowEvaluator;
pub use moves::Stone;
pub use playout::{Random, ThreatPlayout};
pub use variant::Variant;
