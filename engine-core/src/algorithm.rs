//! The table of algorithm names.

use crate::mcts::TreeMethod;
use crate::position::Position;
use crate::proof::ProofMethod;
use crate::search::Method;

/// A playing algorithm: its family and method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// The strongest algorithm for the game: [`Settings::best`](crate::Settings::best).
    Best,
    /// Depth-first search with iterative deepening.
    Deepening(Method),
    /// Monte-Carlo tree search.
    Tree(TreeMethod),
    /// Proof search.
    Proof(ProofMethod),
    /// One-ply search.
    Greedy,
    /// Uniformly random moves.
    Random,
}

/// An entry of the table of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name in league files, on the command line and in `setoption`.
    pub name: &'static str,
    /// Short description.
    pub about: &'static str,
    /// The algorithm.
    pub algorithm: Algorithm,
}

const fn named(name: &'static str, about: &'static str, algorithm: Algorithm) -> Named {
    Named {
        name,
        about,
        algorithm,
    }
}

impl Algorithm {
    /// All algorithms with their names; the first is the default.
    pub const ALL: &[Named] = &[
        named(
            "best",
            "the strongest algorithm for the game, by the project's matches",
            Algorithm::Best,
        ),
        named(
            "pvs",
            "principal variation search",
            Algorithm::Deepening(Method::Pvs),
        ),
        named(
            "selective",
            "principal variation search with the game's pruning and reductions",
            Algorithm::Deepening(Method::Selective),
        ),
        named(
            "aspiration",
            "pvs with aspiration windows, widened step by step",
            Algorithm::Deepening(Method::Aspiration),
        ),
        named(
            "mtdf",
            "MTD(f): null windows from the value of the last iteration",
            Algorithm::Deepening(Method::Mtdf),
        ),
        named(
            "star1",
            "pvs with Star1 at chance nodes",
            Algorithm::Deepening(Method::Star1),
        ),
        named(
            "star2",
            "pvs with Star2 at chance nodes",
            Algorithm::Deepening(Method::Star2),
        ),
        named(
            "mcts",
            "Monte-Carlo tree search with the game's settings",
            Algorithm::Tree(TreeMethod::Tuned),
        ),
        named(
            "puct",
            "PUCT: exploration by priors from a policy, or from the evaluation",
            Algorithm::Tree(TreeMethod::Puct),
        ),
        named(
            "uct",
            "UCT: UCB1 in a tree, with the game's playout policy",
            Algorithm::Tree(TreeMethod::Uct),
        ),
        named(
            "uct-tuned",
            "UCT with UCB1-tuned: exploration by variance",
            Algorithm::Tree(TreeMethod::UctTuned),
        ),
        named(
            "rave",
            "UCT with RAVE (rapid action value estimation)",
            Algorithm::Tree(TreeMethod::Rave),
        ),
        named(
            "bias",
            "UCT with progressive bias by the evaluation",
            Algorithm::Tree(TreeMethod::Bias),
        ),
        named(
            "widening",
            "UCT with progressive widening by the evaluation",
            Algorithm::Tree(TreeMethod::Widening),
        ),
        named(
            "lgr",
            "UCT with last-good-reply playouts",
            Algorithm::Tree(TreeMethod::Lgr),
        ),
        named(
            "early",
            "UCT with playouts ended early by the evaluation",
            Algorithm::Tree(TreeMethod::Early),
        ),
        named(
            "implicit",
            "UCT with implicit minimax backups of the evaluation",
            Algorithm::Tree(TreeMethod::Implicit),
        ),
        named(
            "flat",
            "flat Monte Carlo: playouts from the root moves, distributed by UCB1",
            Algorithm::Tree(TreeMethod::Flat),
        ),
        named(
            "pns",
            "proof-number search",
            Algorithm::Proof(ProofMethod::Pns),
        ),
        named(
            "pn2",
            "PN2: proof-number search with a second level, for less memory",
            Algorithm::Proof(ProofMethod::Pn2),
        ),
        named(
            "dfpn",
            "depth-first proof-number search with a table",
            Algorithm::Proof(ProofMethod::Dfpn),
        ),
        named("greedy", "one-ply search", Algorithm::Greedy),
        named("random", "uniformly random moves", Algorithm::Random),
    ];

    /// Finds the algorithm with this name.
    ///
    /// # Errors
    /// The name is unknown; the message lists the known names.
    pub fn find(name: &str) -> Result<Algorithm, String> {
        let found = Self::ALL.iter().find(|known| known.name == name);
        found.map(|known| known.algorithm).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|known| known.name).collect();
            format!("unknown algorithm {name:?}, known are {}", known.join(", "))
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|known| known.algorithm == self);
        found.map_or("", |known| known.name)
    }

    /// Whether the algorithm searches to depth 1, 2, 3, …
    pub fn deepens(self) -> bool {
        matches!(self, Algorithm::Deepening(_))
    }

    /// Checks that the algorithm supports the game of `P`.
    ///
    /// # Errors
    /// The reason why not, to follow "it does not fit this game, which …".
    pub fn fits<P: Position>(self) -> Result<(), &'static str> {
        match self {
            Algorithm::Proof(_) if P::HAS_CHANCE => {
                Err("has dice, and proof searches do not support dice")
            }
            Algorithm::Proof(ProofMethod::Dfpn) if P::REPEATS => {
                Err("can repeat positions, and the df-pn table ignores their history")
            }
            _ => Ok(()),
        }
    }
}

impl Default for Algorithm {
    fn default() -> Algorithm {
        Self::ALL[0].algorithm
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_own_algorithm() {
        for known in Algorithm::ALL {
            assert_eq!(Algorithm::find(known.name), Ok(known.algorithm));
            assert_eq!(known.algorithm.name(), known.name);
        }
        let message = Algorithm::find("alphago").unwrap_err();
        assert!(message.contains("\"alphago\"") && message.contains("known are best, pvs, "));
    }
}
