//! Searches where the piece count can end a game, which may depend on the path to the position.

use engine_core::table::Table;
use engine_core::{Algorithm, Limits, Method, Notation, Position, Report, Resources, Rng, Score};
use game::{Game, Searched};
use surakarta::Surakarta;
use textbook::minimax::minimax;
use textbook::{AnySearch, Textbook};

fn start() -> Surakarta {
    Surakarta::start(&Default::default()).expect("the contest's rules")
}

fn position(text: &str) -> Surakarta {
    start().parse_position(text).expect("a position")
}

fn player(search: AnySearch) -> Box<dyn engine_core::Search<Surakarta>> {
    let resources = Resources {
        table_mb: 4,
        threads: 1,
        seed: 1,
    };
    let settings = Surakarta::settings();
    match search {
        AnySearch::Engine(algorithm) => {
            let player = start().player(algorithm, &settings, resources);
            player.expect("there is memory")
        }
        AnySearch::Textbook(taught) => {
            let table = Table::new(resources.table_mb);
            textbook::player(taught, table, start().evaluator(), &settings.search)
        }
    }
}

fn search(
    algorithm: AnySearch,
    root: &Surakarta,
    depth: u32,
) -> Report<<Surakarta as Position>::Move> {
    player(algorithm).search(root, &Limits::depth(depth), &mut |_| {})
}

const PVS: AnySearch = AnySearch::Engine(Algorithm::Deepening(Method::Pvs));

const ALGORITHMS: [AnySearch; 5] = [
    AnySearch::Textbook(Textbook::Negamax),
    AnySearch::Textbook(Textbook::Plain),
    AnySearch::Textbook(Textbook::FailSoft),
    PVS,
    AnySearch::Engine(Algorithm::Deepening(Method::Selective)),
];

/// One or two plies before the quiet limit, every step leads to the end of the game, and more pieces
/// win.
#[test]
fn an_end_by_counting_is_a_win_or_a_loss() {
    for (text, value) in [
        ("b5/6/6/6/6/w4w b 99", Score::loss_in(1)),
        ("b1b3/6/6/6/6/5w b 98", Score::win_in(2)),
    ] {
        for algorithm in ALGORITHMS {
            let score = search(algorithm, &position(text), 5).score;
            assert_eq!(score, Some(value), "{algorithm:?} of {text}");
        }
    }
}

/// The same for a repetition, which is one on this path alone.
#[test]
fn an_end_by_repetition_is_a_win_on_its_path() {
    let mut root = position("b5/6/6/6/6/w4w b 0");
    for mv in "a6-a5 a1-a2 a5-a6 a2-a1 a6-a5 a1-a2 a5-a6".split(' ') {
        let mv = root.parse_move(mv).expect("a legal move");
        root.play(mv);
    }
    for algorithm in &ALGORITHMS[..4] {
        let score = search(*algorithm, &root, 2).score;
        assert_eq!(score, Some(Score::win_in(1)), "{algorithm:?}");
    }
    let elsewhere = position(&root.write_position());
    for algorithm in &ALGORITHMS[..4] {
        let score = search(*algorithm, &elsewhere, 2)
            .score
            .expect("it has searched");
        assert!(!score.is_proven(), "{algorithm:?}: {score:?}");
    }
}

/// A win by captures is a proven win.
#[test]
fn captures_are_proven() {
    let root = position("6/6/6/6/1b2w1/6 b 5");
    for algorithm in ALGORITHMS {
        let report = search(algorithm, &root, 3);
        assert_eq!(report.score, Some(Score::win_in(1)), "{algorithm:?}");
    }
}

/// One player searches the positions of a game in order, with a table that has no history: every
/// win or loss it reports agrees with a search of all continuations from there.
#[test]
fn proofs_do_not_rest_on_other_ways_to_a_position() {
    let mut rng = Rng::new(5);
    let mut proofs = 0;
    for game in 0..80 {
        let mut player = player(PVS);
        let texts = [
            "b5/6/6/6/6/w4w b 0",
            "b1b3/6/6/6/6/4ww b 0",
            "b5/6/3w2/6/6/w4w w 88",
            "1b4/6/6/2b3/6/5w w 90",
        ];
        let mut root = position(texts[game % texts.len()]);
        for _ in 0..40 {
            if root.outcome().is_some() {
                break;
            }
            let report = player.search(&root, &Limits::depth(5), &mut |_| {});
            let score = report.score.expect("it has searched");
            if score.is_proven() {
                let plies = score.plies_to_win().or(score.plies_to_loss()).unwrap_or(0);
                let value = minimax(&root, &mut root.evaluator(), plies);
                assert_eq!(value, score, "{}", root.write_position());
                proofs += 1;
            }
            let moves = root.legal_moves();
            root.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    assert!(proofs > 20, "{proofs}");
}
