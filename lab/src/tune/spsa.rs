//! SPSA: plays its trials, pair by pair, in this process.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use base::error::BadInput;
use catalog::Contest;
use engine_core::StopFlag;
use engine_core::zobrist::mix;
use entry::parameters::Assignment;
use learning::spsa::Spsa;
use rayon::prelude::*;
use task::opening::Opening;
use task::opening::book::Book;

use crate::tune::checkpoint::{Checkpoint, Folder};
use crate::tune::config::{Method, Tuning};

/// Most points of the path that is kept.
const POINTS: u64 = 400;

/// A tuning by SPSA, and the threads and openings of its games.
pub struct Trials<'t> {
    tuning: &'t Tuning,
    spsa: Spsa,
    /// Number of iterations.
    pub iterations: u64,
    /// Pairs of games of each.
    pub pairs: usize,
    book: Book,
    pool: rayon::ThreadPool,
}

/// The points of the player that was moved forward, in the two games of each pair.
pub type Points = Vec<[f64; 2]>;

impl<'t> Trials<'t> {
    /// The trials of a tuning on so many threads; `None` if it is not by SPSA.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn new(tuning: &'t Tuning, threads: usize) -> Result<Option<Trials<'t>>> {
        let (Some(spsa), &Method::Spsa { iterations, pairs }) = (tuning.spsa(), &tuning.method)
        else {
            return Ok(None);
        };
        let game = &tuning.league.games[0];
        let seed = tuning.league.seed();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Some(Trials {
            tuning,
            spsa,
            iterations,
            pairs: pairs as usize,
            book: Book::new(tuning.rules, &game.variant, &game.openings, seed),
            pool: pool.context("cannot start the threads of the games")?,
        }))
    }

    /// Plays some pairs of the iteration that follows a checkpoint, by their numbers from 0; `None`
    /// if `stop` ended a game.
    ///
    /// # Errors
    /// A game cannot be played.
    pub fn play(
        &self,
        checkpoint: &Checkpoint,
        pairs: Range<usize>,
        stop: &StopFlag,
    ) -> Result<Option<Points>> {
        let iteration = checkpoint.iteration;
        let trial = self.spsa.trial(iteration, &checkpoint.values());
        let players = [&trial.plus, &trial.minus].map(|values| self.tuning.assignments(values));
        let play = |pair: usize| {
            let opening = self.book.get(iteration as usize * self.pairs + pair);
            let seed = mix(self.spsa.seed(iteration).wrapping_add(pair as u64));
            play_pair(
                self.tuning,
                &players,
                &opening.unwrap_or_default(),
                seed,
                stop,
            )
        };
        let pairs = || pairs.into_par_iter().map(play);
        let played: Result<Vec<Option<_>>, BadInput> = self.pool.install(|| pairs().collect());
        Ok(played?.into_iter().collect())
    }
}

/// Runs the iterations that are missing, and saves a checkpoint after each. `play` plays all pairs of
/// an iteration, in their order; `None` ends the run. `progress` is told of every iteration.
///
/// # Errors
/// Those of `play`, or a checkpoint cannot be written.
pub fn run(
    trials: &Trials<'_>,
    folder: &mut Folder,
    checkpoint: &mut Checkpoint,
    play: &mut dyn FnMut(&Path, &Checkpoint) -> Result<Option<Points>>,
    progress: &mut dyn FnMut(&Checkpoint),
) -> Result<()> {
    let iterations = trials.iterations;
    let stride = iterations.div_ceil(POINTS);
    while checkpoint.iteration < iterations {
        let Some(points) = play(folder.path(), checkpoint)? else {
            return Ok(());
        };
        let mut values = checkpoint.values();
        let trial = trials.spsa.trial(checkpoint.iteration, &values);
        learn(
            &trials.spsa,
            checkpoint,
            &trial,
            &points.concat(),
            &mut values,
        );
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
