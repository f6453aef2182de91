//! Texel's method on the games of logs.

use std::fmt::Display;

use anyhow::Result;
use base::error::BadInput;
use engine_core::Side;
use engine_core::parameter::Kind;
use entry::parameters::Assignment;
use learning::LoggedGame;
use learning::texel::{Bounds, Samples, fit};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::logged::{drawn, games};
use crate::tune::checkpoint::{Checkpoint, Folder};
use crate::tune::config::{Method, Tuned, Tuning};

/// The share of its range by which a weight is changed for its numeric derivative.
const STEP: f64 = 0.025;

/// What a fit has found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// The scale of the evaluation's log odds.
    pub scale: f64,
    /// The games that trained.
    pub training: Part,
    /// The games that only validated.
    pub validation: Part,
    /// Games of other variants, and games lost by a fault, which were left out.
    pub left_out: u64,
}

/// A part of the games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Number of games.
    pub games: u64,
    /// Number of quiet positions.
    pub positions: u64,
    /// Mean cross-entropy with the values at the start, nats.
    pub before: f64,
    /// The same with the new values.
    pub after: f64,
}

/// A game's positions, by the evaluation with several values.
type Positions = Vec<(f32, Vec<f32>)>;

/// Fits the weights to the logs, and saves the result in the checkpoint.
///
/// # Errors
/// The logs cannot be read or have too few games, or the checkpoint cannot be written.
pub fn run(tuning: &Tuning, folder: &mut Folder, checkpoint: &mut Checkpoint) -> Result<()> {
    let &Method::Texel {
        validation,
        regularisation,
        ref logs,
        skip,
    } = &tuning.method
    else {
        return Ok(());
    };
    if checkpoint.fit.is_some() {
        return Ok(());
    }
    let cannot = |error: &dyn Display| BadInput(format!("{}: {error}", tuning.name));
    let variant = &tuning.league.games[0].variant;
    let (games, left_out) = games(logs, tuning.rules, variant).map_err(|error| cannot(&error))?;
    let is_validation = |game: &LoggedGame| drawn(tuning.seed, game) < validation;
    let (validating, training): (Vec<LoggedGame>, Vec<LoggedGame>) =
        games.into_iter().partition(is_validation);
    let start = checkpoint.values();
    let steps = steps(&tuning.parameters);
    let mut tried = vec![start.clone()];
    for (index, [down, up]) in steps.iter().enumerate() {
        for value in [down, up] {
            let mut values = start.clone();
            values[index] = *value;
            tried.push(values);
        }
    }
    let seen = evaluate(tuning, &training, skip, &tried)?;
    let samples = samples(&seen, &steps);
    let scale = samples.scale().map_err(|error| cannot(&error))?;
    let bounds: Vec<Bounds> = tuning.parameters.iter().map(bounds_of).collect();
    let moves = fit(&samples, scale, &bounds, regularisation);
    let values: Vec<f64> = start
        .iter()
        .zip(&moves)
        .map(|(start, step)| start + step)
        .collect();
    let rounded = tuning.rounded(&values);
    let part = |games: &[LoggedGame]| -> Result<Part, BadInput> {
        let seen = evaluate(tuning, games, skip, &[start.clone(), rounded.clone()])?;
        let loss = |place: usize| {
            let mut samples = Samples::new(0);
            seen.iter()
                .for_each(|(result, odds)| samples.add(odds[place], &[], *result));
            samples.loss(scale, &[])
        };
        Ok(Part {
            games: games.len() as u64,
            positions: seen.len() as u64,
            before: loss(0),
            after: loss(1),
        })
    };
    let found = Fit {
        scale,
        training: part(&training)?,
        validation: part(&validating)?,
        left_out,
    };
    if found.validation.positions == 0 {
        let message = format!("{}: no games to validate, expected more games", tuning.name);
        return Err(BadInput(message).into());
    }
    checkpoint.set_values(&values);
    checkpoint.iteration = 1;
    checkpoint.fit = Some(found);
    checkpoint.note();
    folder.save(checkpoint)?;
    Ok(())
}

/// For each weight, the values below and above the start for its derivative.
fn steps(parameters: &[Tuned]) -> Vec<[f64; 2]> {
    let step = |tuned: &Tuned| {
        let Bounds { start, min, max } = bounds_of(tuned);
        let mut step = STEP * (max - min);
        if tuned.parameter.kind != Kind::Real {
            step = step.round().max(1.0);
        }
        [start - step, start + step].map(|value| value.clamp(min, max))
    };
    parameters.iter().map(step).collect()
}

fn bounds_of(tuned: &Tuned) -> Bounds {
    Bounds {
        start: tuned.dimension.start,
        min: tuned.dimension.min,
        max: tuned.dimension.max,
    }
}

/// The results and log odds, by each of these values, of all quiet positions of the games.
fn evaluate(
    tuning: &Tuning,
    games: &[LoggedGame],
    skip: usize,
    tried: &[Vec<f64>],
) -> Result<Positions, BadInput> {
    let variant = &tuning.league.games[0].variant;
    let parameters: Vec<Vec<Assignment>> = tried
        .iter()
        .map(|values| tuning.assignments(values))
        .collect();
    let of_game = |game: &LoggedGame| -> Result<Positions, BadInput> {
        let from = (game.position.as_deref(), &*game.opening);
        let seen = tuning
            .rules
            .estimates(variant, from, &game.turns, skip, &parameters);
        let seen = seen.map_err(|error| BadInput(format!("game {}: {error}", game.id)))?;
        let result = |side| match side {
            Side::First => game.points,
            Side::Second => 1.0 - game.points,
        };
        Ok(seen
            .into_iter()
            .map(|seen| (result(seen.side), seen.odds))
            .collect())
    };
    let all: Result<Vec<Positions>, BadInput> = games.par_iter().map(of_game).collect();
    Ok(all?.concat())
}

/// The positions with the derivatives of their log odds.
fn samples(seen: &Positions, steps: &[[f64; 2]]) -> Samples {
    let mut samples = Samples::new(steps.len());
    for (result, odds) in seen {
        let slopes = steps.iter().enumerate().map(|(index, [down, up])| {
            let change = odds[2 + 2 * index] - odds[1 + 2 * index];
            (f64::from(change) / (up - down)) as f32
        });
        let slopes: Vec<f32> = slopes.collect();
        samples.add(odds[0], &slopes, *result);
    }
    samples
}
