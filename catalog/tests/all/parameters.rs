//! The named parameters of every game's engines: setting one to its default changes nothing, and its
//! bounds are harmless.

use engine_core::{Algorithm, Limits, Report, Resources, Rng};
use entry::parameters::{Assignment, find, parameters, settings};
use game::{Engine, Game};

/// Limit of nodes or playouts of a search.
const NODES: u64 = 60;

/// Algorithms that use all parameters between them; the last one plays the game best.
const ALGORITHMS: [&str; 5] = ["selective", "aspiration", "star2", "mcts", "best"];

fn assignment(name: &str, value: String) -> Assignment {
    Assignment {
        name: name.to_owned(),
        value,
    }
}

/// Searches a position with these parameters.
fn search<G: Engine>(position: &G, algorithm: Algorithm, set: &[Assignment]) -> Report<G::Move> {
    let resources = Resources {
        table_mb: 1,
        threads: 1,
        seed: 1,
    };
    let settings = settings::<G>(set).expect("values in range");
    let player = position.player(algorithm, &settings, resources);
    let mut player = player.expect("there is memory");
    player.search(position, &Limits::nodes(NODES), &mut |_| {})
}

/// A position in the middle of a random game.
fn middle<G: Game>() -> G {
    let mut position = G::start(&G::Variant::default()).expect("the contest's variant");
    let mut rng = Rng::new(3);
    for _ in 0..12 {
        let before = position.clone();
        if position.is_chance() {
            position.play_roll(1 + rng.below(u32::from(G::FACES)) as u8);
        } else {
            let moves = position.legal_moves();
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if position.outcome().is_some() {
            position = before;
            break;
        }
    }
    while position.is_chance() {
        position.play_roll(1);
    }
    position
}

fn check<G: Engine>() {
    let position: G = middle();
    let all = parameters::<G>();
    let defaults: Vec<Assignment> = (all.iter())
        .map(|known| assignment(known.name, known.write(known.default).to_string()))
        .collect();
    for algorithm in ALGORITHMS {
        let algorithm = Algorithm::find(algorithm).expect("an algorithm");
        let unset = search(&position, algorithm, &[]);
        let set = search(&position, algorithm, &defaults);
        let facts = |report: &Report<G::Move>| (report.nodes, report.score, report.pv.clone());
        assert_eq!(facts(&set), facts(&unset), "{} {algorithm:?}", G::ID);
        for parameter in &all {
            assert!(parameter.about.len() > 5 && !parameter.about.ends_with("  "));
            for bound in [parameter.min, parameter.max] {
                let value = parameter.write(bound).to_string();
                let report = search(&position, algorithm, &[assignment(parameter.name, value)]);
                assert!(
                    report.pv.first().is_some_and(|&mv| position.is_legal(mv)),
                    "{} {} = {bound} {algorithm:?}",
                    G::ID,
                    parameter.name
                );
            }
        }
    }
}

#[test]
fn defaults_change_nothing_and_bounds_are_harmless() {
    check::<amazons::Amazons>();
    check::<connect6::Connect6>();
    check::<dots_and_boxes::DotsAndBoxes>();
    check::<einstein::Einstein>();
    check::<gomoku::Gomoku>();
    check::<hex::Hex>();
    check::<surakarta::Surakarta>();
    check::<tic_tac_toe::TicTacToe>();
}

#[test]
fn names_are_unique_and_their_weights_change_the_evaluation() {
    for game in catalog::GAMES {
        let mut names: Vec<&str> = game.parameters().iter().map(|known| known.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{}", game.id());
    }
    let position: surakarta::Surakarta = middle();
    let pvs = Algorithm::find("pvs").expect("an algorithm");
    let set = [assignment("evaluation.freedom", "30".into())];
    assert_ne!(
        search(&position, pvs, &set).score,
        search(&position, pvs, &[]).score
    );
}

#[test]
fn wrong_parameters_are_told() {
    let fault = |name: &str, value: &str| {
        let set = [assignment(name, value.into())];
        settings::<surakarta::Surakarta>(&set).unwrap_err()
    };
    let unknown = fault("evaluation.peice", "1");
    assert!(
        unknown.starts_with(
            "unknown parameter \"evaluation.peice\", did you mean evaluation.piece? Known are \
             candidate_limit, "
        ),
        "{unknown}"
    );
    assert!(fault("freedom", "1").contains("did you mean evaluation.freedom?"));
    assert_eq!(
        fault("evaluation.piece", "1000"),
        "evaluation.piece = 1000, expected a whole number from 20 to 400"
    );
    assert_eq!(
        fault("search.star2", "2"),
        "search.star2 = 2, expected true or false"
    );
    let all = parameters::<surakarta::Surakarta>();
    assert_eq!(find(&all, "tree.bias").map(|found| found.default), Ok(0.0));
}
