//! The tests of the searches, in one program: it is linked with the searches once.

mod beside;
mod candidates;
mod conformance;
mod mcts;
mod noisy;
mod proof;
mod search;
mod tictactoe;
mod trees;
