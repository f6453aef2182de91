//! Gomoku (五子棋) as the contest plays it, Renju, and the free-style and standard games: rules,
//! notation, players.
//!
//! Two sides place stones alternately; five in a row win. In the contest the opening is prescribed,
//! the players may swap, black offers several fifth stones, and three-three, four-four and overline
//! are forbidden to black.
//!
//! | file | contents |
//! |---|---|
//! | `board.rs` | the position and the rules |
//! | `state.rs` | a position without its stones, and keys |
//! | `symmetry.rs` | positions under the symmetries of the board |
//! | `opening.rs` | the ceremony of the opening, and the 26 named openings |
//! | `forbidden.rs` | forbidden moves of black |
//! | `geometry.rs` | cells, sets of cells, the lines through a cell, symmetries |
//! | `moves.rs` | actions, and the stages in which stones are generated |
//! | `variant.rs` | size, opening, forbidden moves, length of a winning row |
//! | `notation.rs` | text of actions, turns and positions; the SAU platform's turns |
//! | `record.rs` | contest records, and the game's part of other formats |
//! | `draw.rs` | the board as text |
//! | `shapes.rs` | what a stone makes of one line, as a table |
//! | `values.rs` | what the shapes through a cell are worth together, from `data/values.bin` |
//! | `patterns.rs` | shapes and values of all cells, kept up to date stone by stone |
//! | `threats.rs` | fours and open threes, for threat-space search |
//! | `fours.rs` | continuous fours, looked for once in each position |
//! | `evaluate.rs` | the evaluation, and candidate stones |
//! | `playout.rs` | random playouts |
//! | `dialect.rs` | turns in the other protocols |
//! | `engine.rs` | the interface to the referee and the entries |
//!
//! # Sides and colours
//! First is the player who sets the opening. It plays black, unless Second swaps; then First plays
//! white. A turn of the ceremony has several actions: the first turn is three stones and a number.

mod board;
mod dialect;
mod draw;
mod engine;
mod evaluate;
mod forbidden;
mod fours;
mod geometry;
mod moves;
mod notation;
mod opening;
mod patterns;
mod playout;
mod record;
mod shapes;
mod state;
mod symmetry;
mod threats;
mod values;
mod variant;

pub use board::{Colour, Gomoku, Undo};
pub use evaluate::PatternEvaluator;
pub use forbidden::Forbidden;
pub use geometry::{Cell, Cells};
pub use moves::Action;
pub use opening::{MOST_OFFERS, NamedOpening, OPENINGS, Stage};
pub use patterns::Inputs;
pub use playout::Random;
pub use state::Last;
pub use variant::{ForbiddenRule, Opening, Variant};
