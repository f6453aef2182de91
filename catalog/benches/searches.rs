//! Nodes of `pvs` and playouts of `mcts` a second, and what they allocate, of every game:
//! `cargo bench -p catalog --bench searches [-- GAME…]`.
//!
//! Both search the standard positions on one thread with the settings of the game's engines, `pvs`
//! to the depth of `referee bench`. Each figure is the best of several rounds in which all games
//! take turns, so that a busy moment of the machine does not fall on one game alone.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use catalog::{AnyGame, Finding, GAMES, Request, Rules};
use engine_core::mcts::TreeMethod;
use engine_core::{Algorithm, Method};
use serde_json::json;

/// Measurements of each figure.
const ROUNDS: usize = 5;
/// Playouts of `mcts` at each position.
const PLAYOUTS: u64 = 20_000;
/// Memory of the table or tree, MiB.
const TABLE_MB: usize = 64;

/// The system's allocator, which counts what it is asked for.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

/// One thread searches; a locked addition would slow down what is measured.
fn count() {
    ALLOCATIONS.store(ALLOCATIONS.load(Relaxed) + 1, Relaxed);
}

// SAFETY: `System` does all the work; counting touches no memory of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller promises what `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above, and `pointer` came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above, and `pointer` came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What one search of all positions did.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// Nodes or playouts.
    nodes: u64,
    seconds: f64,
    allocations: u64,
    /// Depths, sizes of values and nodes in one number, as of `referee bench`: equal for two
    /// versions that search alike.
    signature: u64,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` and the like only check that it builds.
    if wanted.iter().any(|arg| arg == "--test") {
        return;
    }
    let wanted: Vec<_> = wanted.iter().filter(|arg| !arg.starts_with('-')).collect();
    let asked = |id| wanted.is_empty() || wanted.iter().any(|game| *game == id);
    let games: Vec<_> = GAMES.iter().filter(|game| asked(game.id())).collect();
    let searches = [
        Algorithm::Deepening(Method::Pvs),
        Algorithm::Tree(TreeMethod::Tuned),
    ];
    let mut best = vec![[None; 2]; games.len()];
    for _ in 0..ROUNDS {
        for (game, best) in games.iter().zip(&mut best) {
            for (algorithm, best) in searches.iter().zip(best) {
                let cost = search_all(**game, *algorithm);
                *best = Some(faster(*best, cost));
            }
        }
    }
    println!("| game | search | a second | allocations each | signature |");
    println!("|---|---|---|---|---|");
    for (game, costs) in games.iter().zip(best) {
        for (algorithm, cost) in searches.iter().zip(costs) {
            println!("{}", row(**game, *algorithm, cost.unwrap_or_default()));
        }
    }
}

fn faster(best: Option<Cost>, cost: Cost) -> Cost {
    best.filter(|best| best.seconds < cost.seconds)
        .unwrap_or(cost)
}

/// Searches every standard position of a game.
fn search_all(game: &dyn AnyGame, algorithm: Algorithm) -> Cost {
    let depth = matches!(algorithm, Algorithm::Deepening(_)).then(|| game.standard().bench_depth);
    let request = Request {
        algorithm: algorithm.into(),
        depth,
        nodes: depth.is_none().then_some(PLAYOUTS),
        time: None,
        as_played: true,
        table_mb: TABLE_MB,
        seed: 1,
    };
    let mut cost = Cost::default();
    for (_, _, position) in game::standard::positions(game.standard().text) {
        let before = ALLOCATIONS.load(Relaxed);
        let finding = game
            .search(&json!({}), position, &request)
            .expect("a test holds the file to it");
        cost.allocations += ALLOCATIONS.load(Relaxed) - before;
        cost.nodes += finding.nodes;
        cost.seconds += finding.time.as_secs_f64();
        cost.signature = cost.signature.wrapping_add(signature(&finding));
    }
    cost
}

fn signature(finding: &Finding) -> u64 {
    let score = finding.steps.last().map_or(0, |step| step.score.value());
    finding.nodes + u64::from(finding.seldepth + score.unsigned_abs())
}

fn row(game: &dyn Rules, algorithm: Algorithm, cost: Cost) -> String {
    format!(
        "| {} | {} | {:.0} | {:.3} | {} |",
        game.id(),
        algorithm.name(),
        cost.nodes as f64 / cost.seconds,
        cost.allocations as f64 / cost.nodes as f64,
        cost.signature
    )
}
