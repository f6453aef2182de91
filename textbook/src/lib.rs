//! The searches that the textbooks teach, for learning and for comparison: the course and
//! `referee compare` use them, and no engine does. What plays is in [`engine_core::search`] and
//! [`engine_core::mcts`].
//!
//! They search a [`Board`], an object-safe game, so they are compiled once and not again for every
//! game. They search all moves on one thread, and all return the minimax value.
//!
//! | file | what it is |
//! |---|---|
//! | `board` | an object-safe game with its evaluation |
//! | `minimax` | minimax, by two functions and by one |
//! | `negamax` | minimax by one function with a sign change |
//! | `alphabeta` | alpha-beta: without a table, and with one, fail-hard and fail-soft |
//! | `plain` | alpha-beta by itself, compiled for the game, to measure what a search costs |
//! | `windows` | windows at the root: aspiration, bisection |
//! | `deepening` | iterative deepening |
//! | `searcher` | what they share: nodes, moves, signs, rolls |
//! | `player` | the player of a game |
//! | `any` | a search of an engine or of the textbooks, by its name |

mod alphabeta;
mod any;
mod board;
mod deepening;
pub mod minimax;
mod negamax;
pub mod plain;
mod player;
mod searcher;
mod windows;

pub use any::AnySearch;
pub use board::{Board, Evaluated, MoveBits, Status};
pub use player::player;

/// A textbook search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Textbook {
    /// Minimax by two functions, one for each side.
    Minimax,
    /// Minimax by one function that checks whose turn it is.
    MinimaxOne,
    /// Minimax by one function with a sign change.
    Negamax,
    /// Alpha-beta in the order of generation, without a table.
    Plain,
    /// Alpha-beta with a table, fail-hard: values are clamped to the window.
    FailHard,
    /// Alpha-beta with a table, fail-soft: values outside the window are bounds.
    FailSoft,
    /// Fail-soft alpha-beta in an aspiration window that is fully opened after a failure.
    Aspiration,
    /// Fail-soft alpha-beta in null windows that halve the range of possible values.
    Bisection,
}

impl Textbook {
    /// Every textbook search.
    pub const ALL: [Textbook; 8] = [
        Textbook::Minimax,
        Textbook::MinimaxOne,
        Textbook::Negamax,
        Textbook::Plain,
        Textbook::FailHard,
        Textbook::FailSoft,
        Textbook::Aspiration,
        Textbook::Bisection,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Textbook::Minimax => "minimax",
            Textbook::MinimaxOne => "minimax-one",
            Textbook::Negamax => "negamax",
            Textbook::Plain => "alphabeta-plain",
            Textbook::FailHard => "alphabeta-hard",
            Textbook::FailSoft => "alphabeta",
            Textbook::Aspiration => "aspiration-full",
            Textbook::Bisection => "bisection",
        }
    }

    /// Whether the search uses a transposition table.
    pub fn has_table(self) -> bool {
        match self {
            Textbook::Minimax | Textbook::MinimaxOne | Textbook::Negamax | Textbook::Plain => false,
            Textbook::FailHard
            | Textbook::FailSoft
            | Textbook::Aspiration
            | Textbook::Bisection => true,
        }
    }
}
