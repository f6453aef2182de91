//! Residual convolution networks: a logit for each cell of a board, and the log odds of a win.
//!
//! | file | what it is |
//! |---|---|
//! | `view` | what a network sees of a game's positions |
//! | `network` | a network as plain numbers |
//! | `inference` | a network that looks at the positions of a search |
//! | `forward` | the whole computation for a board |
//! | `first` | the first layer, from the contents of cells |
//! | `winograd` | the other layers |
//! | `heads` | the logits, and the value |
//! | `grid` | where cells lie in memory |
//!
//! All is computed in single precision and always in the same order, without fused operations, so
//! every machine gets the same bits. Networks are trained elsewhere: `training/` at the root of the
//! repository does it for Hex.

mod first;
mod forward;
mod grid;
mod heads;
mod inference;
mod network;
mod view;
mod winograd;

pub use forward::Forward;
pub use inference::NetworkInference;
pub use network::{HIDDEN, Network, NetworkError, Shape};
pub use view::View;
