//! A plot of the parameters over the iterations.

use anyhow::Result;

use crate::plot::Curves;
use crate::tune::checkpoint::Checkpoint;
use crate::tune::config::{Tuned, Tuning};

/// Plots the values of all parameters as SVG, each in its range.
///
/// # Errors
/// The plot cannot be drawn.
pub fn svg(tuning: &Tuning, checkpoint: &Checkpoint) -> Result<String> {
    let curves = Curves {
        title: format!("{}: parameters in their ranges", tuning.name),
        axes: ["iterations", "share of the range"],
        label: |share| format!("{share:.1}"),
        last: checkpoint.iteration as f64,
        curves: curves(tuning, checkpoint),
    };
    curves.svg()
}

/// A parameter's name, and iterations with the share of its range.
type Curve = (String, Vec<(f64, f64)>);

fn curves(tuning: &Tuning, checkpoint: &Checkpoint) -> Vec<Curve> {
    let path: Vec<(u64, Vec<f64>)> = checkpoint.path().collect();
    let curve = |(index, tuned): (usize, &Tuned)| {
        let dimension = tuned.dimension;
        let share = |value: f64| (value - dimension.min) / (dimension.max - dimension.min);
        let points = path
            .iter()
            .map(|(iteration, values)| (*iteration as f64, share(values[index])));
        let last = path
            .last()
            .map_or(dimension.start, |(_, values)| values[index]);
        let label = format!(
            "{} {:.4} to {last:.4}",
            tuned.parameter.name, dimension.start
        );
        (label, points.collect())
    };
    tuning.parameters.iter().enumerate().map(curve).collect()
}
