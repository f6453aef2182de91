//! Dots and Boxes (点格棋): draw one edge between two neighbouring dots; whoever draws a box's
//! fourth edge owns it and draws again. When all edges are drawn, more boxes win.
//!
//! Near the end every edge opens a chain of boxes to the opponent, and the game is decided by who
//! must open the first long one. The contest plays 5×5 boxes; any board of up to 64 edges will do.
//!
//! - [`board`]: the position and its rules on bit masks; [`geometry`]: the tables of a board's shape
//! - [`moves`]: an edge as a move; [`notation`]: its text (`a1h`), turns, positions, the platform's letters
//! - [`variant`]: board size and early end; [`draw`]: the board as text
//! - [`chains`]: what the rest is worth once every edge opens a chain; [`evaluate`]: the judgement of
//!   any position built on it; [`playout`]: policies for Monte-Carlo search
//! - [`engine`]: all of it tied together

pub mod board;
mod candidates;
pub mod chains;
pub mod draw;
pub mod engine;
pub mod evaluate;
pub mod geometry;
pub mod moves;
pub mod notation;
pub mod playout;
pub mod variant;

pub use board::DotsAndBoxes;
pub use evaluate::Chains;
pub use moves::Edge;
pub use playout::{Random, Sensible};
pub use variant::Variant;
