//! The one table of names: every algorithm, and how its player is made.

use crate::evaluate::{Evaluator, Playout};
use crate::mcts::Mcts;
use crate::position::Position;
use crate::search::Search;
use crate::search::deepening::Pvs;
use crate::search::greedy::Greedy;
use crate::search::random::Random;
use crate::settings::Settings;
use crate::table::Table;

/// An algorithm that plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Iterative deepening principal variation search.
    #[default]
    Pvs,
    /// Monte-Carlo tree search.
    Mcts,
    /// One ply of evaluation.
    Greedy,
    /// Uniformly random moves.
    Random,
}

impl Algorithm {
    /// Every algorithm with its name.
    pub const ALL: [(&'static str, Algorithm); 4] = [
        ("pvs", Algorithm::Pvs),
        ("mcts", Algorithm::Mcts),
        ("greedy", Algorithm::Greedy),
        ("random", Algorithm::Random),
    ];

    /// The algorithm of this name.
    pub fn find(name: &str) -> Option<Algorithm> {
        Self::ALL
            .into_iter()
            .find(|&(known, _)| known == name)
            .map(|(_, algorithm)| algorithm)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find(|&(_, known)| known == self)
            .map_or("", |(name, _)| name)
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
        Algorithm::Pvs => {
            let table = Table::new(table_mb).ok_or(OutOfMemory)?;
            Box::new(Pvs::new(
                table,
                threads.map(|_| evaluator()).collect(),
                settings.width,
            ))
        }
        Algorithm::Mcts => {
            let players = threads.map(|_| (evaluator(), playout())).collect();
            Box::new(Mcts::new(players, settings, table_mb, seed))
        }
        Algorithm::Greedy => Box::new(Greedy::new(evaluator(), seed)),
        Algorithm::Random => Box::new(Random::new(seed)),
    })
}
