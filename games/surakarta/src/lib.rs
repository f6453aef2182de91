//! Surakarta: 6×6 points and eight corner arcs, which connect the lines into two loops.
//!
//! Each side starts with twelve pieces on its two nearest rows. A turn moves a piece one step to an
//! empty neighbour, diagonals included, or captures: along a loop, through at least one arc, over
//! empty points, onto the first piece in the way, which must be an enemy piece. A side without
//! pieces, or without a legal move on its turn, loses. Threefold repetition, or too many plies
//! without a capture, ends the game by the count of pieces.
//!
//! | file | contents |
//! |---|---|
//! | `geometry.rs` | points, the two loops, steps, symmetries, as tables |
//! | `moves.rs` | the move, captures by bit scans on the loops, steps by shifts |
//! | `board.rs` | the position: play, undo, endings, key |
//! | `variant.rs` | the rule settings |
//! | `notation.rs` | text of moves and positions, the SAU grammar |
//! | `record.rs` | contest records, and the game's part of other formats |
//! | `draw.rs` | the board as text |
//! | `evaluate.rs` | material, exchanges, mobility, access to the loops |
//! | `inputs.rs` | what learned weights see: groups of points, numbers of pieces |
//! | `playout.rs` | random games, and the playouts of `mcts`: captures, then the evaluation |
//! | `engine.rs` | the interface to the referee and the entries |

mod board;
mod draw;
mod engine;
mod evaluate;
mod geometry;
mod inputs;
mod moves;
mod notation;
mod playout;
mod record;
mod variant;

pub use board::{Ending, Surakarta, Undo};
pub use evaluate::{Evaluation, Weights};
pub use inputs::Tuples;
pub use moves::Action;
pub use playout::{Random, Tactical};
pub use variant::Variant;
