//! Hex: two sides lay stones in turn on a rhombus of hexagons; red (First) joins top and bottom,
//! blue (Second) left and right. Stones never move, one side always wins, and never both. With the
//! pie rule, Second may swap instead of laying its first stone.
//!
//! | file | what it holds |
//! |---|---|
//! | `geometry.rs` | cells, sets of cells as rows of bits, chains |
//! | `board.rs` | the rules: [`Hex`] |
//! | `moves.rs` | a stone or a swap: [`Action`] |
//! | `variant.rs` | size, opening, kind of swap: [`Variant`] |
//! | `notation.rs` | text of actions and positions, UGI and SAU |
//! | `record.rs` | contest records, and what other formats need |
//! | `draw.rs` | the board as text |
//! | `playout.rs` | playouts: [`Random`], [`SaveBridges`], [`Judged`] |
//! | `evaluate.rs` | the evaluation: [`Distance`], over `distance.rs` and `bits.rs` |
//! | `dialect.rs` | turns in GTP, Botzone's and other protocols |
//! | `engine.rs` | the game as the referee and the entries see it |

mod bits;
mod board;
mod dialect;
mod distance;
mod draw;
mod engine;
mod evaluate;
mod geometry;
mod moves;
mod notation;
mod playout;
mod record;
mod variant;

pub use board::{Colour, Hex, Undo};
pub use evaluate::Distance;
pub use geometry::{Cell, CellSet, STEPS};
pub use moves::Action;
pub use playout::{Judged, Random, SaveBridges};
pub use variant::{Opening, Swap, Variant};
