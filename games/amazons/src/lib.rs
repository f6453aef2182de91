//! Amazons: two sides with four amazons each on a 10×10 board.
//!
//! A turn moves one own amazon like a queen of chess, and then shoots an arrow from its new square
//! like another queen's move; the square it hits is blocked for good. Nothing is captured. The side
//! to move that cannot loses, so there are no draws. Black (`First`) begins.
//!
//! | file | what it holds |
//! |---|---|
//! | `geometry.rs` | squares, bitboards, the lines and how far a queen runs on them |
//! | `board.rs` | the position and the rules |
//! | `moves.rs` | a turn in 21 bits, and the generation of all turns |
//! | `notation.rs` | text of turns and positions, SAU's too |
//! | `record.rs` | contest records, and what other formats need |
//! | `variant.rs` | boards and where the amazons begin |
//! | `draw.rs` | the board as a picture |
//! | `symmetry.rs` | the mirrors of the board |
//! | `flood.rs` | distances from both sides |
//! | `evaluate.rs` | territory by queen's and king's distances |
//! | `playout.rs` | random games |
//! | `dialect.rs` | turns in GTP, Botzone's and other protocols |
//! | `engine.rs` | the game as the referee and the entries see it |

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
mod symmetry;
mod variant;

pub use board::Amazons;
pub use evaluate::{Features, Territory};
pub use geometry::{Board, MAX_SIZE, Square};
pub use moves::Action;
pub use playout::{Judgement, Random};
pub use variant::{MAX_AMAZONS, Variant};
