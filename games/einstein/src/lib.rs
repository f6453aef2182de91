//! EinStein würfelt nicht!: 5×5 squares, six numbered pieces a side, one die.
//!
//! Each side lays out its pieces 1–6 in its corner. Then the sides alternate: roll the die and move
//! the piece with that number one square towards the opposite corner. If that piece is captured,
//! move the nearest higher or nearest lower one. A piece on the target square, own or enemy, is
//! captured. A side wins by reaching the opposite corner or capturing the last enemy piece.
//!
//! | file | what it holds |
//! |---|---|
//! | `board.rs` | the position and its rules |
//! | `army.rs` | the pieces of one side in 30 bits |
//! | `tables.rs` | geometry, and which pieces a die moves |
//! | `moves.rs` | the actions |
//! | `notation.rs`, `scan.rs` | text of actions and positions |
//! | `variant.rs` | settings of the rules |
//! | `record.rs`, `record/lines.rs` | contest records, and what other formats need |
//! | `draw.rs` | the board as text |
//! | `evaluate.rs`, `race.rs` | the static evaluation |
//! | `endgame.rs`, `endgame/` | exact winning probabilities with at most four pieces: `group` (classes of pieces), `index` (places in a table), `fill` |
//! | `layout.rs`, `layout/file.rs` | what layouts are worth, as learned in games; the file of it |
//! | `inputs.rs` | what learned weights see: pieces and pairs of pieces |
//! | `playout.rs` | random games, and playouts for Monte-Carlo search |
//! | `engine.rs` | the game as referee and entries see it |

mod army;
mod board;
mod draw;
mod endgame;
mod engine;
mod evaluate;
mod inputs;
mod layout;
mod moves;
mod notation;
mod playout;
mod race;
mod record;
mod scan;
mod tables;
mod variant;

pub use board::{Einstein, Undo, WIN_POINTS};
pub use endgame::Endgames;
pub use evaluate::{RaceAndThreats, Weights};
pub use inputs::PiecePairs;
pub use layout::{LayoutRate, LayoutRow, Layouts, LayoutsError, equal_layouts, layout_classes};
pub use moves::Action;
pub use playout::{EarlyEnd, Random};
pub use variant::{Colour, Variant};
