//! The table of algorithm names, and the construction of players.

use crate::evaluate::{Evaluator, Playout};
use crate::mcts::{Mcts, TreeMethod};
use crate::position::Position;
use crate::proof::dfpn::Dfpn;
use crate::proof::pns::Pns;
use crate::proof::{ProofMethod, ProofPlayer};
use crate::search::deepening;
use crate::search::greedy::Greedy;
use crate::search::random::Random;
use crate::search::{Method, Search};
use crate::settings::Settings;
use crate::table::Table;
use NoPlayer::OutOfMemory;

/// A playing algorithm: its family and method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// The strongest algorithm for the game: [`Settings::best`].
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
            "minimax",
            "minimax without pruning, by two functions",
            Algorithm::Deepening(Method::Minimax),
        ),
        named(
            "minimax-one",
            "minimax without pruning, by one function",
            Algorithm::Deepening(Method::MinimaxOne),
        ),
        named(
            "negamax",
            "negamax without pruning: one function with a sign change",
            Algorithm::Deepening(Method::Negamax),
        ),
        named(
            "alphabeta-plain",
            "alpha-beta without table and ordering",
            Algorithm::Deepening(Method::Plain),
        ),
        named(
            "alphabeta-hard",
            "alpha-beta, fail-hard",
            Algorithm::Deepening(Method::FailHard),
        ),
        named(
            "alphabeta",
            "alpha-beta, fail-soft",
            Algorithm::Deepening(Method::FailSoft),
        ),
        named(
            "aspiration",
            "pvs with aspiration windows, widened step by step",
            Algorithm::Deepening(Method::Aspiration),
        ),
        named(
            "aspiration-full",
            "pvs with aspiration windows, fully opened after a failure",
            Algorithm::Deepening(Method::AspirationFull),
        ),
        named(
            "mtdf",
            "MTD(f): null windows from the value of the last iteration",
            Algorithm::Deepening(Method::Mtdf),
        ),
        named(
            "bisection",
            "bisection: null windows that halve the range of values",
            Algorithm::Deepening(Method::Bisection),
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
            "flat",
            "flat Monte Carlo: playouts from the root moves, distributed by UCB1",
            Algorithm::Tree(TreeMethod::Flat),
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
            "puct",
            "PUCT: exploration by priors from the evaluation",
            Algorithm::Tree(TreeMethod::Puct),
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

    /// Replaces [`Algorithm::Best`] by the algorithm that the settings name.
    pub fn resolve(self, settings: &Settings) -> Algorithm {
        match self {
            Algorithm::Best => settings.best,
            known => known,
        }
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

/// Resources of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Memory of the table or tree, in MiB.
    pub table_mb: usize,
    /// Threads, at least 1.
    pub threads: usize,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// Why a player cannot be created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPlayer {
    /// The memory cannot be allocated.
    OutOfMemory,
    /// The algorithm does not support the game: the reason from [`Algorithm::fits`].
    Unfit(&'static str),
}

/// Creates a player. `evaluator` and `playout` are called once for each thread.
///
/// # Errors
/// [`NoPlayer`] if the memory cannot be allocated or the algorithm does not support the game.
pub fn player<P, E, L>(
    algorithm: Algorithm,
    evaluator: impl Fn() -> E,
    playout: impl Fn() -> L,
    settings: &Settings,
    resources: Resources,
) -> Result<Box<dyn Search<P>>, NoPlayer>
where
    P: Position,
    E: Evaluator<P> + 'static,
    L: Playout<P> + 'static,
{
    let Resources {
        table_mb,
        threads,
        seed,
    } = resources;
    let algorithm = algorithm.resolve(settings);
    algorithm.fits::<P>().map_err(NoPlayer::Unfit)?;
    let threads = 0..threads.max(1);
    let bytes = table_mb.saturating_mul(1 << 20);
    Ok(match algorithm {
        Algorithm::Best => unreachable!("the settings name an algorithm"),
        Algorithm::Deepening(method) => {
            let table = Table::new(table_mb).ok_or(OutOfMemory)?;
            let evaluators = threads.map(|_| evaluator()).collect();
            deepening::player(method, table, evaluators, settings)
        }
        Algorithm::Tree(method) => {
            let players = threads.map(|_| (evaluator(), playout())).collect();
            let settings = method.settings(settings);
            Box::new(Mcts::new(players, &settings, table_mb, seed).ok_or(OutOfMemory)?)
        }
        Algorithm::Proof(ProofMethod::Dfpn) => {
            let prover = Dfpn::new(bytes).ok_or(OutOfMemory)?;
            Box::new(ProofPlayer::new(prover, evaluator()))
        }
        Algorithm::Proof(variant) => {
            let second_level = variant == ProofMethod::Pn2;
            let prover = Pns::new(bytes, second_level).ok_or(OutOfMemory)?;
            Box::new(ProofPlayer::new(prover, evaluator()))
        }
        Algorithm::Greedy => Box::new(Greedy::new(evaluator(), seed)),
        Algorithm::Random => Box::new(Random::new(seed)),
    })
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
