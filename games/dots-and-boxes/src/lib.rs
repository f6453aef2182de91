//! Dots and Boxes (点格棋): a move draws one edge between two neighbouring dots. The side that draws a
//! box's fourth edge owns the box and moves again. When all edges are drawn, the side with more
//! boxes wins.
//!
//! Near the end, every edge opens a chain of boxes to the opponent, and the side that must open the
//! first long chain usually loses. The contest plays 5×5 boxes; all boards of up to 64 edges are
//! supported.
//!
//! | file | contents |
//! |---|---|
//! | `board.rs` | the position and its rules, on bit masks |
//! | `geometry.rs` | the tables of a board's shape |
//! | `moves.rs` | an edge as a move |
//! | `notation.rs` | text of edges (`a1h`), turns and positions; the platform's letters |
//! | `record.rs` | contest records, and the game's part of other formats |
//! | `variant.rs` | board size and early end |
//! | `draw.rs` | the board as text |
//! | `chains.rs` | the value of the endgame, where every edge opens a chain |
//! | `candidates.rs` | the edges worth a search |
//! | `evaluate.rs` | the evaluation, built on the chains |
//! | `images.rs` | one view of a position and its mirror images |
//! | `playout.rs` | policies for Monte-Carlo search |
//! | `player.rs` | the solver before another search |
//! | `solver/` | exact values: net boxes to come, and the lines that keep them |
//! | `dialect.rs` | turns in the other protocols |
//! | `engine.rs` | the interface to the referee and the entries |

pub mod board;
mod candidates;
pub mod chains;
mod dialect;
pub mod draw;
pub mod engine;
pub mod evaluate;
pub mod geometry;
mod images;
pub mod moves;
pub mod notation;
pub mod player;
pub mod playout;
pub mod record;
pub mod solver;
pub mod variant;

pub use board::DotsAndBoxes;
pub use evaluate::Chains;
pub use moves::Edge;
pub use player::SolvingPlayer;
pub use playout::{Random, Sensible};
pub use solver::Solver;
pub use variant::Variant;
