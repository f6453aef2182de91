//! Tic-tac-toe (井字棋), the teaching game: two sides place a mark each in turn on 3×3 cells. Three
//! in a row win; a full board without a winner is a draw.
//!
//! Perfect play draws. There are 255 168 games and 5 478 positions, so plain minimax solves the game
//! in a moment; `tests/all/facts.rs` counts them. `docs/course` teaches game search on it.
//!
//! | file | contents |
//! |---|---|
//! | `board.rs` | the position and the rules |
//! | `moves.rs` | a cell as a move |
//! | `variant.rs` | the settings of the rules: none |
//! | `notation.rs` | text of cells and positions; the SAU platform's cells |
//! | `record.rs` | the game's part of the record formats |
//! | `draw.rs` | the board as text |
//! | `evaluate.rs` | the textbook's evaluation: open lines |
//! | `playout.rs` | random playouts |
//! | `dialect.rs` | turns in GTP |
//! | `engine.rs` | the interface to the referee and the entries |

pub mod board;
mod dialect;
pub mod draw;
pub mod engine;
pub mod evaluate;
pub mod moves;
pub mod notation;
pub mod playout;
pub mod record;
pub mod variant;

pub use board::TicTacToe;
pub use evaluate::OpenLines;
pub use moves::Cell;
pub use playout::Random;
pub use variant::Variant;
