//! The one table of names: every algorithm, and how its player is made.

use crate::evaluate::{Evaluator, Playout};
use crate::mcts::{Mcts, Variant};
use crate::position::Position;
use crate::search::deepening::Pvs;
use crate::search::greedy::Greedy;
use crate::search::random::Random;
use crate::search::{Method, Search};
use crate::settings::Settings;
use crate::table::Table;

/// An algorithm that plays: its family, and which of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// Depth-first search, one ply deeper at a time.
    Deepening(Method),
    /// Monte-Carlo tree search.
    Tree(Variant),
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
            "principal variation search with a table",
            Algorithm::Deepening(Method::Pvs),
        ),
        named(
            "mcts",
            "Monte-Carlo tree search as it suits the game best",
            Algorithm::Tree(Variant::Tuned),
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

/// The system does not have the memory that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

/// Makes a player. `evaluator` and `playout` are called once a thread.
///
/// # Errors
/// [`OutOfMemory`], if the table does not fit.
pub fn player<P, E, L>(
    algorithm: Algorithm,
    evaluator: impl Fn() -> E,
    playout: impl Fn() -> L,
    settings: &Settings,
    resources: Resources,
) -> Result<Box<dyn Search<P>>, OutOfMemory>
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
    let threads = 0..threads.max(1);
    Ok(match algorithm {
        Algorithm::Deepening(Method::Pvs) => {
            let table = Table::new(table_mb).ok_or(OutOfMemory)?;
            Box::new(Pvs::new(
                table,
                threads.map(|_| evaluator()).collect(),
                settings.width,
            ))
        }
        Algorithm::Tree(Variant::Tuned) => {
            let players = threads.map(|_| (evaluator(), playout())).collect();
            Box::new(Mcts::new(players, settings, table_mb, seed))
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
        assert!(message.contains("\"alphago\"") && message.contains("pvs, mcts"));
    }
}
