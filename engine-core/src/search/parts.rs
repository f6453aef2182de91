//! What a depth-first search is made of, for searches in other crates: nodes and windows, counted nodes,
//! lines, and the range of a value that null windows search.

pub use super::counter::{NodeCounter, Stopped, Value};
pub use super::line::Lines;
pub use super::mtdf::Range;
pub use super::node::{Node, Window, table_cutoff};
