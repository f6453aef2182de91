//! What each part of the depth-first searches is worth in each game:
//! `cargo bench -p catalog --bench items [-- GAME…]`.
//!
//! Every standard position of a game is searched over the candidate moves of the game's engines,
//! with an empty table, on one thread. The depth is the deepest that `pvs` completes within a number
//! of nodes, so that what acts only some plies above the leaves has room to act. Each line of a table
//! switches one technique on, and `=` marks a line with the nodes of the line that it is compared
//! with. Its time is the best of several rounds in which all lines take turns.

use std::time::Duration;

use engine_core::{
    Algorithm, Counters, Limits, Method, Resources, Search, SearchSettings, Selectivity, Settings,
};
use game::Searched;
use game::standard::positions;
use textbook::{AnySearch, Textbook};

/// Number of measurements of each time.
const ROUNDS: usize = 3;
/// Nodes of `pvs` in one position.
const NODES: u64 = 500_000;
/// A line that takes longer than this in one position is skipped.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// One search configuration.
struct Item {
    name: &'static str,
    search: AnySearch,
    settings: Settings,
    /// Whether its values equal those of minimax.
    exact: bool,
}

/// Its cost over all positions.
#[derive(Clone, Copy)]
struct Cost {
    nodes: u64,
    time: Duration,
    counters: Counters,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` and the like only check that it builds.
    if wanted.iter().any(|arg| arg == "--test") {
        return;
    }
    let wanted: Vec<_> = wanted.iter().filter(|arg| !arg.starts_with('-')).collect();
    measure::<amazons::Amazons>(&wanted);
    measure::<surakarta::Surakarta>(&wanted);
    measure::<connect6::Connect6>(&wanted);
    measure::<gomoku::Gomoku>(&wanted);
    measure::<hex::Hex>(&wanted);
    measure::<dots_and_boxes::DotsAndBoxes>(&wanted);
    measure::<einstein::Einstein>(&wanted);
    measure::<tic_tac_toe::TicTacToe>(&wanted);
}

/// The lines of a game's table.
fn items<G: Searched>() -> Vec<Item> {
    let exact = |name, method, search| Item {
        name,
        search: Algorithm::Deepening(method).into(),
        settings: Settings {
            search,
            ..G::settings()
        },
        exact: true,
    };
    let base = SearchSettings::default;
    let selective = |name, selectivity| Item {
        exact: false,
        ..exact(
            name,
            Method::Selective,
            SearchSettings {
                selectivity,
                ..base()
            },
        )
    };
    let none = Selectivity::default;
    let textbook = |name, kind: Textbook| Item {
        search: kind.into(),
        ..exact(name, Method::Pvs, base())
    };
    let mut items = vec![
        textbook("textbook alpha-beta, all moves", Textbook::Plain),
        textbook("textbook alpha-beta, table, all moves", Textbook::FailSoft),
        exact("pvs", Method::Pvs, base()),
        exact("pvs, aspiration windows", Method::Aspiration, base()),
        exact("MTD(f)", Method::Mtdf, base()),
        exact(
            "pvs, counter-moves",
            Method::Pvs,
            SearchSettings {
                counter_moves: true,
                ..base()
            },
        ),
        exact(
            "pvs, continuation history",
            Method::Pvs,
            SearchSettings {
                continuation: true,
                ..base()
            },
        ),
        selective(
            "pvs, internal iterative reduction (3)",
            Selectivity {
                internal_reduction: 3,
                ..none()
            },
        ),
        selective(
            "pvs, late-move reductions (0.5)",
            Selectivity {
                late_move_reduction: 0.5,
                ..none()
            },
        ),
        selective(
            "pvs, late-move pruning (2)",
            Selectivity {
                late_move_pruning: 2,
                ..none()
            },
        ),
        selective(
            "pvs, futility (100)",
            Selectivity {
                futility: 100,
                ..none()
            },
        ),
    ];
    if G::HAS_CHANCE {
        let star2 = SearchSettings {
            star2: true,
            ..base()
        };
        items.push(exact("pvs, Star2 instead of Star1", Method::Pvs, star2));
    }
    if passes::<G>() {
        items.push(selective(
            "pvs, null move (2)",
            Selectivity {
                null_move: 2,
                ..none()
            },
        ));
    }
    if G::STAGES > 1 {
        items.push(selective(
            "pvs, quiescence (8)",
            Selectivity {
                quiescence: 8,
                ..none()
            },
        ));
    }
    if G::settings().candidate_limit.is_some() {
        items.push(selective(
            "pvs, forced candidates extended",
            Selectivity {
                extend_forced: 1,
                ..none()
            },
        ));
        items.push(selective(
            "pvs, all moves where all candidates lose (2)",
            Selectivity {
                widening: 2,
                ..none()
            },
        ));
        let mut all = exact("pvs, all moves instead of candidates", Method::Pvs, base());
        all.settings.candidate_limit = None;
        items.push(all);
    }
    items
}

/// The standard positions of a game.
fn standard<G: Searched>() -> Vec<G> {
    let start = G::start(&G::Variant::default()).expect("the default is a variant");
    let read = |(_, _, text)| {
        start
            .parse_position(text)
            .expect("a test holds the file to it")
    };
    positions(G::STANDARD.text).map(read).collect()
}

/// Whether the game has null moves.
fn passes<G: Searched>() -> bool {
    standard::<G>().iter_mut().any(|position| position.pass())
}

/// A new player for a line.
fn player<G: Searched>(position: &G, item: &Item) -> Box<dyn Search<G>> {
    let resources = Resources {
        table_mb: 64,
        threads: 1,
        seed: 1,
    };
    let player = catalog::player(position, item.search, &item.settings, resources);
    let mut player = player.expect("there is memory");
    player.new_game();
    player
}

/// The standard positions, each with the depth that a line completes within [`NODES`].
fn tasks<G: Searched>(item: &Item) -> Vec<(G, u32)> {
    let task = |position: G| {
        let limits = Limits::nodes(NODES);
        let report = player(&position, item).search(&position, &limits, &mut |_| {});
        (position, report.depth.max(1))
    };
    standard::<G>().into_iter().map(task).collect()
}

/// One search of every position; `None` if one takes too long.
fn cost<G: Searched>(item: &Item, tasks: &[(G, u32)]) -> Option<Cost> {
    let mut cost = Cost {
        nodes: 0,
        time: Duration::ZERO,
        counters: Counters::default(),
    };
    for (position, depth) in tasks {
        let mut limits = Limits::depth(*depth);
        limits.hard = Some(TIME_LIMIT);
        let report = player(position, item).search(position, &limits, &mut |_| {});
        if report.time >= TIME_LIMIT {
            return None;
        }
        cost.nodes += report.nodes;
        cost.time += report.time;
        cost.counters += report.counters;
    }
    Some(cost)
}

/// Measures and prints a game's table.
fn measure<G: Searched>(wanted: &[&String]) {
    if !wanted.is_empty() && !wanted.iter().any(|id| *id == G::ID) {
        return;
    }
    let items = items::<G>();
    let line = |name| items.iter().position(|item| item.name == name);
    let pvs = line("pvs").expect("a line of every game");
    let windows = line("pvs, aspiration windows").expect("a line of every game");
    let tasks = tasks::<G>(&items[pvs]);
    let mut best: Vec<_> = items.iter().map(|item| cost(item, &tasks)).collect();
    for _ in 1..ROUNDS {
        for (item, best) in items.iter().zip(&mut best) {
            // A configuration that took too long once is not tried again.
            if let Some(known) = best
                && let Some(again) = cost(item, &tasks)
            {
                known.time = known.time.min(again.time);
            }
        }
    }
    let depths = tasks.iter().map(|(_, depth)| depth);
    let (least, most) = (depths.clone().min(), depths.max());
    println!(
        "\n## {}, depths {} to {}\n",
        G::NAME,
        least.unwrap_or(&0),
        most.unwrap_or(&0)
    );
    println!("| | nodes | million nodes/s | seconds to depth | cut-offs at the first move |");
    println!("|---|---|---|---|---|");
    let nodes = |place: usize| best[place].map(|cost| cost.nodes);
    let mut idle = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let reference = if item.exact { pvs } else { windows };
        if place == reference || nodes(place).is_none() || nodes(place) != nodes(reference) {
            println!("| {}{} | {} |", item.name, mark(item), row(best[place]));
        } else {
            idle.push(item.name);
        }
    }
    if !idle.is_empty() {
        println!("\nWithout effect: {}.", idle.join("; "));
    }
}

/// Marks a search whose values are not those of minimax.
fn mark(item: &Item) -> &'static str {
    if item.exact { "" } else { " *" }
}

fn row(cost: Option<Cost>) -> String {
    let Some(cost) = cost else {
        return format!("– | – | over {} per position | –", TIME_LIMIT.as_secs());
    };
    let seconds = cost.time.as_secs_f64();
    let rate = match cost.counters.cutoffs {
        0 => "–".to_owned(),
        cutoffs => format!(
            "{:.1} %",
            100.0 * cost.counters.first_cutoffs as f64 / cutoffs as f64
        ),
    };
    format!(
        "{} | {:.2} | {seconds:.3} | {rate}",
        cost.nodes,
        cost.nodes as f64 / seconds / 1e6
    )
}
