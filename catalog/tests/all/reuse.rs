//! What a player keeps between searches, in every game with the default settings.

use amazons::Amazons;
use connect6::Connect6;
use dots_and_boxes::DotsAndBoxes;
use einstein::Einstein;
use engine_core::mcts::TreeMethod;
use engine_core::{Algorithm, Limits, Method, Report, Resources, Search};
use game::{Game, Searched};
use hex::Hex;
use surakarta::Surakarta;

fn player<G: Searched>(start: &G, method: Method) -> Box<dyn Search<G>> {
    let resources = Resources {
        table_mb: 64,
        threads: 1,
        seed: 1,
    };
    let player = start.player(Algorithm::Deepening(method), &G::settings(), resources);
    player.expect("there is memory")
}

/// The game's typical positions in which a player acts.
fn positions<G: Searched>() -> Vec<G> {
    let start = G::start(&Default::default()).expect("the contest's variant");
    let texts = game::standard::positions(G::STANDARD.text);
    texts
        .map(|(_, _, text)| start.parse_position(text).expect("a position"))
        .collect()
}

fn search<G: Game>(player: &mut dyn Search<G>, root: &G, depth: u32) -> Report<G::Move> {
    player.search(root, &Limits::depth(depth), &mut |_| {})
}

/// A repeated search costs at most a twentieth of the first one and has the same value, unless it
/// reduces nodes that the table does not know. It costs a tenth if it reduces moves further where a
/// cutoff is expected: in Connect6 6.8 %, without either reduction 0.5 %. It costs a fifth if it looks for
/// moves that are good alone, which a fuller table finds at other nodes: in Surakarta 15.9 %.
fn repeat<G: Searched>() {
    let selectivity = G::settings().search.selectivity;
    for method in [Method::Pvs, Method::Selective] {
        let is_selective = method == Method::Selective;
        let reduces = is_selective && selectivity.internal_reduction > 0;
        let expects = is_selective && selectivity.cutoff_reduction > 0.0;
        let (mut first, mut second) = (0, 0);
        for root in positions::<G>() {
            let mut player = player(&root, method);
            let depth = G::STANDARD.bench_depth;
            let once = search(&mut *player, &root, depth);
            let twice = search(&mut *player, &root, depth);
            if !reduces {
                assert_eq!(once.score, twice.score, "{}", root.write_position());
            }
            first += once.nodes;
            second += twice.nodes;
        }
        let share = 100.0 * second as f64 / first as f64;
        println!("{}, {method:?}: {share:.2} % of {first} nodes", G::ID);
        let most = match (is_selective && selectivity.singular > 0, expects) {
            (true, _) => 20.0,
            (false, true) => 10.0,
            (false, false) => 5.0,
        };
        assert!(share <= most, "{}, {method:?}: {share:.2} %", G::ID);
    }
}

#[test]
fn a_repeated_search_costs_little() {
    repeat::<Amazons>();
    repeat::<Connect6>();
    repeat::<DotsAndBoxes>();
    repeat::<Einstein>();
    repeat::<Hex>();
    repeat::<Surakarta>();
}

/// The search of a turn's next action starts at the depth that the first search left: its first
/// report is one ply less deep and needs no node.
fn next_action<G: Searched>() {
    let mut checked = 0;
    for root in positions::<G>() {
        let mut player = player(&root, Method::Pvs);
        let depth = G::STANDARD.bench_depth;
        let report = search(&mut *player, &root, depth);
        let mut next = root.clone();
        next.play(report.pv[0]);
        if next.side() != root.side() || next.outcome().is_some() || report.solved {
            continue;
        }
        let mut first = None;
        player.search(&next, &Limits::depth(depth), &mut |report| {
            first.get_or_insert((report.depth, report.nodes, report.score));
        });
        let expected = Some((depth - 1, 0, report.score));
        assert_eq!(first, expected, "{}", root.write_position());
        checked += 1;
    }
    assert!(checked > 0, "{}", G::ID);
}

#[test]
fn the_next_action_of_a_turn_starts_at_the_depth_of_the_first() {
    next_action::<Connect6>();
    next_action::<DotsAndBoxes>();
}

/// Tree search finds the position again that it expected, in trees that fill their memory as those of a
/// contest's turn do: its line goes on where the last one went. Without the tree a single playout has no
/// line.
fn expected_replies<G: Searched>() {
    // A network's playouts take a hundred times as long.
    let (nodes, table_mb) = if G::ID == "hex" {
        (4_000, 4)
    } else {
        (60_000, 64)
    };
    let (mut tries, mut kept) = (0, 0);
    for root in positions::<G>() {
        let resources = Resources {
            table_mb,
            threads: 1,
            seed: 1,
        };
        let algorithm = Algorithm::Tree(TreeMethod::Tuned);
        let player = root.player(algorithm, &G::settings(), resources);
        let mut player = player.expect("there is memory");
        let report = player.search(&root, &Limits::nodes(nodes), &mut |_| {});
        // A turn and the reply to it.
        let mut next = root.clone();
        let mut line = report.pv.iter();
        while let Some(&mv) = line.next()
            && next.outcome().is_none()
        {
            next.play(mv);
            if next.is_chance() {
                next.play_roll(1);
            }
            if next.side() == root.side() && !next.mid_turn() && line.len() < report.pv.len() - 1 {
                break;
            }
        }
        if next.outcome().is_some() || next.side() != root.side() || line.len() < 2 {
            continue;
        }
        tries += 1;
        let again = player.search(&next, &Limits::nodes(1), &mut |_| {});
        kept += (again.pv.len() > 1) as u32;
    }
    println!("{}: {kept} of {tries} trees kept", G::ID);
    assert_eq!(kept, tries, "{}", G::ID);
}

#[test]
fn the_tree_is_found_again_after_the_expected_reply() {
    expected_replies::<Amazons>();
    expected_replies::<Connect6>();
    expected_replies::<DotsAndBoxes>();
    expected_replies::<Hex>();
    expected_replies::<Surakarta>();
}
