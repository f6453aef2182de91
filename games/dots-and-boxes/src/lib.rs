//! Dots and Boxes (点格棋): draw one edge between two neighbouring dots; whoever draws a box's
//! fourth edge owns it and draws again. When all edges are drawn, more boxes win.
//!
//! Near the end every edge opens a chain of boxes to the opponent, and the game is decided by who
//! must open the first long one. The contest plays 5×5 boxes; any board of up to 64 edges will do.
//!
//! | file | what it holds |
//! |---|---|
//! | `board.rs` | the position and its rules, on bit masks |
//! | `geometry.rs` | the tables of a board's shape |
//! | `moves.rs` | an edge as a move |
//! | `notation.rs` | text of edges (`a1h`), turns and positions; the platform's letters |
//! | `record.rs` | contest records, and what other formats need |
//! | `variant.rs` | board size and early end |
//! | `draw.rs` | the board as text |
//! | `chains.rs` | what the rest is worth once every edge opens a chain |
//! | `candidates.rs` | the edges worth a search |
//! | `evaluate.rs` | the judgement of any position, built on the chains |
//! | `playout.rs` | policies for Monte-Carlo search |
//! | `dialect.rs` | turns in GTP, Botzone's and other protocols |
//! | `engine.rs` | the game as the referee and the entries see it |

pub mod board;
mod candidates;
pub mod chains;
mod dialect;
pub mod draw;
pub mod engine;
pub mod evaluate;
pub mod geometry;
pub mod moves;
pub mod notation;
pub mod playout;
pub mod record;
pub mod variant;

pub use board::DotsAndBoxes;
pub use evaluate::Chains;
pub use moves::Edge;
pub use playout::{Random, Sensible};
pub use variant::Variant;
