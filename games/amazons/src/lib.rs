//! Amazons: two sides with four amazons each on a 10×10 board.
//!
//! A turn moves one own amazon like a chess queen, and then shoots an arrow from the new square,
//! also like a queen move; the arrow blocks its target square permanently. Nothing is captured. A
//! side that cannot move on its turn loses, so there are no draws. Black (`First`) begins.
//!
//! | file | contents |
//! |---|---|
//! | `geometry.rs` | squares, bitboards, lines, queen mobility |
//! | `board.rs` | the position and the rules |
//! | `moves.rs` | a turn in 21 bits, and the generation of all turns |
//! | `notation.rs` | text of turns and positions, also for SAU |
//! | `record.rs` | contest records, and the game's part of other formats |
//! | `variant.rs` | board sizes and start positions |
//! | `draw.rs` | the board as text |
//! | `symmetry.rs` | the mirrors of the board |
//! | `sets.rs` | sets of squares of both sides in vector instructions |
//! | `flood.rs` | distances from both sides |
//! | `evaluate.rs` | territory by queen and king distances |
//! | `playout.rs` | random games |
//! | `dialect.rs` | turns in the other protocols |
//! | `engine.rs` | the interface to the referee and the entries |

mod board;
mod dialect;
mod draw;
mod engine;
mod evaluate;
mod flood;
mod geometry;
mod moves;
mod notation;
mod playout;
mod record;
mod sets;
mod symmetry;
mod variant;

pub use board::Amazons;
pub use evaluate::{Features, Territory, Weights};
pub use geometry::{Board, MAX_SIZE, Square};
pub use moves::Action;
pub use playout::{EvaluationPlayout, Random};
pub use variant::{MAX_AMAZONS, Variant};
