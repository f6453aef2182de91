//! Proves who wins from a position; the proof is checked with the rules alone.

use engine_core::proof::dfpn::Dfpn;
use engine_core::proof::{self, Answer, Goal, Prover};
use engine_core::{Algorithm, Limits, Side, StopFlag};
use entry::Game;

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
pub(crate) fn prove<G: Game>(position: &G, nodes: u64, stop: &StopFlag) -> Option<Proof> {
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
fn decide<G: Game>(prover: &mut Dfpn<G>, position: &G, limits: &mut Limits) -> Option<u64> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Match, find};

    fn start(game: &str, variant: serde_json::Value, words: &str) -> Box<dyn Match> {
        let mut game = find(game).unwrap().start(&variant).unwrap();
        game.play_words(words).unwrap();
        game
    }

    fn prove(game: &dyn Match, nodes: u64) -> Option<Proof> {
        game.prove(nodes, &StopFlag::default())
    }

    #[test]
    fn the_winner_is_proven_for_either_side_to_move() {
        // On an empty Hex board the first side wins, but with the swap rule the second.
        let winner = |variant, words| {
            let game = start("hex", variant, words);
            prove(&*game, 100_000).map(|proof| proof.winner)
        };
        let plain = json!({"size": 3, "opening": "free"});
        assert_eq!(winner(plain.clone(), ""), Some(Side::First));
        assert_eq!(winner(plain, "b2"), Some(Side::First));
        assert_eq!(
            winner(json!({"size": 3, "opening": "swap"}), ""),
            Some(Side::Second)
        );
    }

    #[test]
    fn a_proof_needs_its_nodes_and_is_reproducible() {
        let game = start("hex", json!({"size": 3, "opening": "free"}), "");
        let proof = prove(&*game, 100_000).unwrap();
        assert_eq!(prove(&*game, 100_000), Some(proof));
        assert!(proof.nodes > 10 && proof.size > 10, "{proof:?}");
        assert_eq!(prove(&*game, proof.nodes / 2), None);
    }

    #[test]
    fn a_loss_is_proven_where_games_can_be_drawn() {
        let board = |columns: u8, words: &str| {
            start(
                "dots-and-boxes",
                json!({"columns": columns, "rows": 1}),
                words,
            )
        };
        assert!(!board(1, "").can_be_drawn() && board(2, "").can_be_drawn());
        // The side that draws the last of the four edges gets the only box.
        let edges = board(1, "").actions();
        for drawn in 0..4 {
            let proof = prove(&*board(1, &edges[..drawn].join(" ")), 1_000).unwrap();
            assert_eq!(proof.winner, Side::Second, "after {drawn} edges");
        }
        let two = (0..7).map(|drawn| {
            let edges = board(2, "").actions();
            let game = board(2, &edges[..drawn].join(" "));
            (game.side(), prove(&*game, 1_000).map(|proof| proof.winner))
        });
        let two: Vec<_> = two.collect();
        assert!(
            two.iter()
                .any(|(side, winner)| *winner == Some(side.opponent())),
            "{two:?}"
        );
    }

    #[test]
    fn no_proof_without_a_decision_to_make() {
        let dice = start("einstein", json!({}), "R:123456 B:123456 d3");
        assert_eq!(prove(&*dice, 1_000), None);
        assert_eq!(prove(&*start("surakarta", json!({}), ""), 1_000), None);
        let over = start("hex", json!({"size": 2, "opening": "free"}), "a1 b1 a2");
        assert_eq!(prove(&*over, 1_000), None);
        let stop = StopFlag::default();
        stop.stop();
        let open = start("hex", json!({"size": 3, "opening": "free"}), "");
        assert_eq!(open.prove(1_000, &stop), None);
    }
}
