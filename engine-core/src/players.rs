//! The one table of names: every algorithm, and how its player is made.

use crate::evaluate::{Evaluator, Playout};
use crate::mcts::{Mcts, Variant};
use crate::position::Position;
use crate::proof::dfpn::Dfpn;
use crate::proof::pns::Pns;
use crate::proof::{self, ProofPlayer};
use crate::search::deepening;
use crate::search::greedy::Greedy;
use crate::search::random::Random;
use crate::search::{Method, Search};
use crate::settings::Settings;
use crate::table::Table;
use NoPlayer::OutOfMemory;

/// An algorithm that plays: its family, and which of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// Depth-first search, one ply deeper at a time.
    Deepening(Method),
    /// Monte-Carlo tree search.
    Tree(Variant),
    /// A search for proofs.
    Proof(proof::Variant),
    /// One ply of evaluation.
    Greedy,
    /// Uniformly random moves.
    Random,
}

/// A line of the table of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name in league files, on the command line and in `setoption`.
    pub name: &'static str,
    /// What it is, in a few words.
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
    /// Every algorithm with its name; the first is the default.
    pub const ALL: &[Named] = &[
        named(
            "pvs",
            "principal variation search",
            Algorithm::Deepening(Method::Pvs),
        ),
        named(
            "selective",
            "principal variation search that leaves out what the game allows",
            Algorithm::Deepening(Method::Selective),
        ),
        named(
            "minimax",
            "every node, by two functions",
            Algorithm::Deepening(Method::Minimax),
        ),
        named(
            "minimax-one",
            "every node, by one function",
            Algorithm::Deepening(Method::MinimaxOne),
        ),
        named(
            "negamax",
            "every node, by one function and a change of sign",
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
            "pvs in aspiration windows, re-opened step by step",
            Algorithm::Deepening(Method::Aspiration),
        ),
        named(
            "aspiration-full",
            "pvs in aspiration windows, re-opened at once",
            Algorithm::Deepening(Method::AspirationFull),
        ),
        named(
            "mtdf",
            "null windows from the last value on: MTD(f)",
            Algorithm::Deepening(Method::Mtdf),
        ),
        named(
            "bisection",
            "null windows that halve the range of values",
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
            "Monte-Carlo tree search as it suits the game best",
            Algorithm::Tree(Variant::Tuned),
        ),
        named(
            "flat",
            "flat Monte Carlo: playouts from the root's moves, shared out by UCB1",
            Algorithm::Tree(Variant::Flat),
        ),
        named(
            "uct",
            "UCT: UCB1 in a tree, with the game's playouts",
            Algorithm::Tree(Variant::Uct),
        ),
        named(
            "uct-tuned",
            "UCT with UCB1-tuned, which explores by variance",
            Algorithm::Tree(Variant::UctTuned),
        ),
        named(
            "puct",
            "PUCT: exploration by priors from the evaluation",
            Algorithm::Tree(Variant::Puct),
        ),
        named(
            "rave",
            "UCT with rapid action value estimation",
            Algorithm::Tree(Variant::Rave),
        ),
        named(
            "bias",
            "UCT with progressive bias by the evaluation",
            Algorithm::Tree(Variant::Bias),
        ),
        named(
            "widening",
            "UCT with progressive widening by the evaluation",
            Algorithm::Tree(Variant::Widening),
        ),
        named(
            "lgr",
            "UCT with last-good-reply playouts",
            Algorithm::Tree(Variant::Lgr),
        ),
        named(
            "early",
            "UCT with playouts ended early by the evaluation",
            Algorithm::Tree(Variant::Early),
        ),
        named(
            "implicit",
            "UCT with implicit minimax backups of the evaluation",
            Algorithm::Tree(Variant::Implicit),
        ),
        named(
            "pns",
            "proof-number search",
            Algorithm::Proof(proof::Variant::Pns),
        ),
        named(
            "pn2",
            "proof-number search with a second level, for less memory",
            Algorithm::Proof(proof::Variant::Pn2),
        ),
        named(
            "dfpn",
            "depth-first proof-number search with a table",
            Algorithm::Proof(proof::Variant::Dfpn),
        ),
        named("greedy", "one ply of evaluation", Algorithm::Greedy),
        named("random", "uniformly random moves", Algorithm::Random),
    ];

    /// The algorithm of this name.
    ///
    /// # Errors
    /// An unknown name: a message that lists the known ones.
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

    /// Whether it plays the game of `P`.
    ///
    /// # Errors
    /// Why it does not, as the end of "it does not fit this game, which …".
    pub fn fits<P: Position>(self) -> Result<(), &'static str> {
        match self {
            Algorithm::Proof(_) if P::HAS_CHANCE => {
                Err("has dice, while a proof search knows only moves")
            }
            Algorithm::Proof(proof::Variant::Dfpn) if P::REPEATS => Err(
                "can repeat a position, while its table knows positions and not the way to them",
            ),
            _ => Ok(()),
        }
    }
}

impl Default for Algorithm {
    fn default() -> Algorithm {
        Self::ALL[0].algorithm
    }
}

/// What a player may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Memory of the table or tree, MiB.
    pub table_mb: usize,
    /// Threads, at least 1.
    pub threads: usize,
    /// Seed of everything random.
    pub seed: u64,
}

/// Why there is no player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPlayer {
    /// The system does not have the memory that was asked for.
    OutOfMemory,
    /// The algorithm does not fit the game: the reason that [`Algorithm::fits`] gives.
    Unfit(&'static str),
}

/// Makes a player. `evaluator` and `playout` are called once a thread.
///
/// # Errors
/// [`NoPlayer`], if the table does not fit into memory, or the algorithm does not fit the game.
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
    algorithm.fits::<P>().map_err(NoPlayer::Unfit)?;
    let threads = 0..threads.max(1);
    let bytes = table_mb.saturating_mul(1 << 20);
    Ok(match algorithm {
        Algorithm::Deepening(method) => {
            let table = Table::new(table_mb).ok_or(OutOfMemory)?;
            let evaluators = threads.map(|_| evaluator()).collect();
            deepening::player(method, table, evaluators, settings)
        }
        Algorithm::Tree(variant) => {
            let players = threads.map(|_| (evaluator(), playout())).collect();
            let settings = variant.settings(settings);
            Box::new(Mcts::new(players, &settings, table_mb, seed).ok_or(OutOfMemory)?)
        }
        Algorithm::Proof(proof::Variant::Dfpn) => {
            let prover = Dfpn::new(bytes).ok_or(OutOfMemory)?;
            Box::new(ProofPlayer::new(prover, evaluator()))
        }
        Algorithm::Proof(variant) => {
            let second_level = variant == proof::Variant::Pn2;
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
        assert!(message.contains("\"alphago\"") && message.contains("known are pvs, "));
    }
}
