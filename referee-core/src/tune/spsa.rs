//! SPSA: plays its trials, pair by pair, in this process.

use catalog::Contest;
use engine_core::StopFlag;
use engine_core::zobrist::mix;
use entry::parameters::Assignment;
use rayon::prelude::*;

use crate::base::error::BadInput;
use crate::task::opening::Opening;
use crate::task::opening::book::Book;
use crate::tune::checkpoint::{Checkpoint, Folder};
use crate::tune::config::{Method, Tuning};
use anyhow::{Context, Result};
use learning::spsa::Spsa;

/// Most points of the path that is kept.
const POINTS: u64 = 400;

/// Plays the iterations that are missing, and saves a checkpoint after each; fewer if `stop` is
/// set. `progress` is told of every iteration.
///
/// # Errors
/// A game cannot be played, or a checkpoint cannot be written.
pub fn run(
    tuning: &Tuning,
    folder: &mut Folder,
    checkpoint: &mut Checkpoint,
    stop: &StopFlag,
    progress: &mut dyn FnMut(&Checkpoint),
) -> Result<()> {
    let (Some(spsa), &Method::Spsa { iterations, pairs }) = (tuning.spsa(), &tuning.method) else {
        return Ok(());
    };
    let game = &tuning.league.games[0];
    let book = Book::new(
        tuning.rules,
        &game.variant,
        &game.openings,
        tuning.league.seed(),
    );
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(tuning.concurrency)
        .build();
    let pool = pool.context("cannot start the threads of the games")?;
    let stride = iterations.div_ceil(POINTS);
    while checkpoint.iteration < iterations {
        let iteration = checkpoint.iteration;
        let mut values = checkpoint.values();
        let trial = spsa.trial(iteration, &values);
        let players = [&trial.plus, &trial.minus].map(|values| tuning.assignments(values));
        let opening = |pair| {
            book.get((iteration * pairs + pair) as usize)
                .unwrap_or_default()
        };
        let openings: Vec<String> = (0..pairs).map(opening).collect();
        let play = |(pair, opening): (usize, &String)| {
            let seed = mix(spsa.seed(iteration).wrapping_add(pair as u64));
            play_pair(tuning, &players, opening, seed, stop)
        };
        let results: Result<Vec<Option<[f64; 2]>>, BadInput> =
            pool.install(|| openings.par_iter().enumerate().map(play).collect());
        let Some(results) = results?.into_iter().collect::<Option<Vec<_>>>() else {
            return Ok(());
        };
        learn(&spsa, checkpoint, &trial, &results.concat(), &mut values);
        if checkpoint.iteration.is_multiple_of(stride) || checkpoint.iteration == iterations {
            checkpoint.note();
        }
        folder.save(checkpoint)?;
        progress(checkpoint);
    }
    Ok(())
}

/// Moves the values by the points of the forward player in each game.
fn learn(
    spsa: &Spsa,
    checkpoint: &mut Checkpoint,
    trial: &learning::spsa::Trial,
    points: &[f64],
    values: &mut [f64],
) {
    let lead: f64 = points.iter().map(|points| 2.0 * points - 1.0).sum();
    spsa.learn(checkpoint.iteration, trial, lead, values);
    for points in points {
        let place = match points {
            1.0 => 0,
            0.0 => 2,
            _ => 1,
        };
        checkpoint.games[place] += 1;
    }
    checkpoint.set_values(values);
    checkpoint.iteration += 1;
}

/// Plays two games with sides exchanged, from one opening and with the same dice. Returns the points
/// of the first player; `None` if `stop` ended a game.
fn play_pair(
    tuning: &Tuning,
    players: &[Vec<Assignment>; 2],
    opening: &str,
    seed: u64,
    stop: &StopFlag,
) -> Result<Option<[f64; 2]>, BadInput> {
    let Opening { position, words } = Opening::parse(opening);
    let [plus, minus] = players;
    let mut points = [0.0; 2];
    for (points, exchanged) in points.iter_mut().zip([false, true]) {
        let contest = Contest {
            variant: &tuning.league.games[0].variant,
            position,
            words,
            algorithm: tuning.algorithm,
            parameters: if exchanged {
                [minus, plus]
            } else {
                [plus, minus]
            },
            depth: tuning.limits.depth,
            nodes: tuning.limits.nodes,
            time: tuning.limits.time,
            table_mb: tuning.table_mb,
            seed,
        };
        let first = tuning.rules.contest(&contest, stop);
        let first = first.map_err(|error| BadInput(format!("{}: {error}", tuning.rules.id())))?;
        let Some(first) = first else {
            return Ok(None);
        };
        *points = if exchanged { 1.0 - first } else { first };
    }
    Ok(Some(points))
}
