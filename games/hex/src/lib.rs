//! Hex: two sides place stones alternately on a rhombus of hexagons. Red (First) connects top and
//! bottom, blue (Second) left and right. Stones never move; exactly one side wins. With the pie
//! rule, Second may swap instead of placing its first stone.
//!
//! | file | contents |
//! |---|---|
//! | `geometry.rs` | cells, sets of cells as bit rows, connectivity |
//! | `board.rs` | the rules: [`Hex`] |
//! | `moves.rs` | a stone or a swap: [`Action`] |
//! | `variant.rs` | size, opening, kind of swap: [`Variant`] |
//! | `notation.rs` | text of actions and positions, UGI and SAU |
//! | `record.rs` | contest records, and what other formats need |
//! | `openings.rs` | first stones where the other side may swap |
//! | `draw.rs` | the board as text, and as a picture with the winning chain (`chain.rs`) |
//! | `playout.rs` | playouts: [`Random`], [`SaveBridges`], [`MixedPlayout`], over `fill.rs` |
//! | `evaluate.rs` | the evaluation: [`Distance`], over `distance.rs` and `lanes.rs` |
//! | `connections.rs` | virtual connections and must-play regions: [`Connections`] |
//! | `reduction.rs` | dead and captured cells, moves that are not needed: [`Reduction`] |
//! | `guide.rs` | what both tell a proof search: [`ByConnections`] |
//! | `dialect.rs` | turns in GTP, Botzone's and other protocols |
//! | `engine.rs` | the game as the referee and the entries see it |

mod board;
mod chain;
mod connections;
mod dialect;
mod distance;
mod draw;
mod engine;
mod evaluate;
mod features;
mod fill;
mod geometry;
mod guide;
mod lanes;
mod links;
mod moves;
mod notation;
mod openings;
mod planes;
mod playout;
mod record;
mod reduction;
mod variant;

pub use board::{Colour, Hex, Undo};
pub use connections::{Connections, MustPlay, Win};
pub use evaluate::{Distance, Weights};
pub use features::Surroundings;
pub use geometry::{Cell, CellSet, STEPS};
pub use guide::ByConnections;
pub use moves::Action;
pub use planes::Stones;
pub use playout::{MixedPlayout, Random, SaveBridges};
pub use reduction::{Inferior, Reduced, Reduction, Vulnerable};
pub use variant::{Opening, Swap, Variant};
