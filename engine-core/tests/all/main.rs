//! The tests of the searches, in one program: it is linked with the searches once.

mod candidates;
mod conformance;
mod mcts;
mod noisy;
mod only_move;
mod ponder;
mod proof;
mod search;
mod selectivity;
mod tictactoe;
mod trees;
mod with_prover;
