//! Proves who wins from a position; the proof is checked with the rules alone.

use engine_core::proof::dfpn::Dfpn;
use engine_core::proof::{self, Answer, Goal, Prover};
use engine_core::{Algorithm, Limits, Side, StopFlag};
use game::Searched;

/// The algorithm that searches for proofs.
pub const PROVER: Algorithm = Algorithm::Proof(proof::ProofMethod::Dfpn);

/// Memory of the table per node that may be searched, in bytes. An entry takes 24; the table never
/// fills up, so it never replaces an entry.
const BYTES_A_NODE: u64 = 64;

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The side that wins against any play of the other.
    pub winner: Side,
    /// Number of positions in the proof tree.
    pub size: usize,
    /// Nodes searched to find it.
    pub nodes: u64,
}

/// Searches for a proof within this number of nodes, with an empty table.
pub(crate) fn prove<G: Searched>(position: &G, nodes: u64, stop: &StopFlag) -> Option<Proof> {
    if PROVER.fits::<G>().is_err() || position.outcome().is_some() {
        return None;
    }
    let bytes = nodes.saturating_mul(BYTES_A_NODE);
    let mut prover = Dfpn::new(usize::try_from(bytes).ok()?)?;
    let mut limits = Limits::nodes(nodes);
    limits.stop = stop.clone();
    let nodes = decide(&mut prover, position, &mut limits)?;
    limits.nodes = None;
    let tree = prover.proof_tree(&limits)?;
    // The table can confuse two positions (hash collision); the rules cannot.
    proof::check(position, &tree).ok()?;
    Some(Proof {
        winner: tree.goal.side,
        size: tree.nodes.len(),
        nodes,
    })
}

/// Asks whether the side to move wins and then, if the game can be drawn, whether it loses; each
/// with half of the nodes. Returns the nodes needed to answer one of the two.
fn decide<G: Searched>(prover: &mut Dfpn<G>, position: &G, limits: &mut Limits) -> Option<u64> {
    let side = position.side();
    let all = limits.nodes.unwrap_or(u64::MAX);
    let draws = position.can_be_drawn();
    limits.nodes = Some(if draws { all.div_ceil(2) } else { all });
    let win = prover.prove(position, Goal::win(side), limits);
    match win.answer {
        Answer::Proven => return Some(win.nodes),
        Answer::Disproven if !draws => return Some(win.nodes),
        _ if !draws => return None,
        _ => {}
    }
    limits.nodes = Some(all - win.nodes);
    let draw = prover.prove(position, Goal::draw(side), limits);
    (draw.answer == Answer::Disproven).then_some(win.nodes + draw.nodes)
}
