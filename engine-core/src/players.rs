//! The construction of players.

use crate::algorithm::Algorithm;
use crate::evaluate::{Evaluator, Playout};
use crate::mcts::Mcts;
use crate::position::Position;
use crate::proof::pns::Pns;
use crate::proof::{ProofMethod, ProofPlayer, Prover, WithProver};
use crate::search::greedy::Greedy;
use crate::search::random::Random;
use crate::search::{Search, deepening};
use crate::settings::Settings;
use crate::table::Table;
use NoPlayer::OutOfMemory;

const DFPN: Algorithm = Algorithm::Proof(ProofMethod::Dfpn);
/// A proof search, or a solver, beside a tree gets one part in so many of the memory.
pub const PROOF_PART: usize = 4;

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

/// Creates a player. `evaluator` and `playout` are called once for each thread; `dfpn` makes the
/// game's depth-first proof-number search with so many bytes, if it can.
///
/// # Errors
/// [`NoPlayer`] if the memory cannot be allocated or the algorithm does not support the game.
pub fn player<P, E, L>(
    algorithm: Algorithm,
    evaluator: impl Fn() -> E,
    playout: impl Fn() -> L,
    dfpn: impl FnOnce(usize) -> Option<Box<dyn Prover<P>>>,
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
    let algorithm = settings.resolve(algorithm);
    algorithm.fits::<P>().map_err(NoPlayer::Unfit)?;
    let threads = 0..threads.max(1);
    let bytes = table_mb.saturating_mul(1 << 20);
    Ok(match algorithm {
        Algorithm::Best => unreachable!("the settings name an algorithm"),
        Algorithm::Deepening(method) => {
            let table = Table::new(table_mb).ok_or(OutOfMemory)?;
            let evaluators = threads.map(|_| evaluator()).collect();
            let Settings {
                search,
                candidate_limit,
                ..
            } = settings;
            deepening::player(method, table, evaluators, search, *candidate_limit)
        }
        Algorithm::Tree(method) => {
            let tree = method.settings(&settings.tree);
            let has_proofs = tree.proof_share > 0.0 && DFPN.fits::<P>().is_ok();
            let share = f64::from(tree.proof_share);
            let own_thread = has_proofs && share * threads.len() as f64 >= 1.0;
            let threads = threads.skip(usize::from(own_thread));
            let players = threads.map(|_| (evaluator(), playout())).collect();
            let limit = settings.candidate_limit.filter(|_| method.has_candidates());
            let proof_mb = if has_proofs { table_mb / PROOF_PART } else { 0 };
            let mcts = Mcts::new(players, &tree, limit, table_mb - proof_mb, seed);
            let player = Box::new(mcts.ok_or(OutOfMemory)?);
            if !has_proofs {
                return Ok(player);
            }
            let prover = dfpn(proof_mb << 20).ok_or(OutOfMemory)?;
            Box::new(WithProver::new(player, prover, share, own_thread))
        }
        DFPN => {
            let prover = dfpn(bytes).ok_or(OutOfMemory)?;
            Box::new(ProofPlayer::new(prover, evaluator()))
        }
        Algorithm::Proof(variant) => {
            let second_level = variant == ProofMethod::Pn2;
            let prover = Pns::new(bytes, second_level).ok_or(OutOfMemory)?;
            Box::new(ProofPlayer::new(Box::new(prover), evaluator()))
        }
        Algorithm::Greedy => Box::new(Greedy::new(evaluator(), seed)),
        Algorithm::Random => Box::new(Random::new(seed)),
    })
}
