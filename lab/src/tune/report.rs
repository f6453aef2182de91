//! What a tuning has changed, as text, Markdown and JSON.

use std::fmt::Write;

use base::table::render;
use engine_core::parameter::Kind;
use serde_json::{Value, json};

use crate::tune::checkpoint::Checkpoint;
use crate::tune::config::{Method, Tuned, Tuning};
use crate::tune::texel::{Fit, Part};

impl Tuning {
    /// The values that an engine can have, nearest to these: whole numbers where they must be, and
    /// real numbers to a thousandth of their range.
    pub fn rounded(&self, values: &[f64]) -> Vec<f64> {
        let near = |(tuned, value): (&Tuned, &f64)| {
            let dimension = tuned.dimension;
            let places = match tuned.parameter.kind {
                Kind::Real => {
                    (3.0 - (dimension.max - dimension.min).log10().floor()).clamp(0.0, 9.0)
                }
                _ => 0.0,
            };
            let text = format!("{value:.*}", places as usize);
            let near: f64 = text.parse().unwrap_or(*value);
            // Zero without a sign.
            near.clamp(dimension.min, dimension.max) + 0.0
        };
        self.parameters.iter().zip(values).map(near).collect()
    }

    /// Whether an engine with these values differs from the one at the start.
    pub fn has_changed(&self, values: &[f64]) -> bool {
        let pairs = self.parameters.iter().zip(values);
        pairs
            .into_iter()
            .any(|(tuned, value)| tuned.dimension.start != *value)
    }

    /// The values as an engine takes them: `evaluation.piece=110 tree.exploration=0.2`.
    pub fn option(&self, values: &[f64]) -> String {
        let words: Vec<String> = self
            .assignments(values)
            .iter()
            .map(ToString::to_string)
            .collect();
        words.join(" ")
    }
}

/// What was done, in a line.
fn summary(tuning: &Tuning, checkpoint: &Checkpoint) -> String {
    let (name, game) = (&tuning.name, tuning.rules.name());
    match &tuning.method {
        Method::Spsa { iterations, pairs } => {
            let [wins, draws, losses] = checkpoint.games;
            format!(
                "{name}: SPSA in {game}, {} of {iterations} iterations of {pairs} pairs, {} games, seed {}",
                checkpoint.iteration,
                wins + draws + losses,
                tuning.seed
            )
        }
        Method::Texel { regularisation, .. } => match &checkpoint.fit {
            Some(fit) => format!(
                "{name}: Texel's method in {game}, {} games, {} positions, scale {:.3}, regularisation {regularisation}",
                fit.training.games + fit.validation.games,
                fit.training.positions + fit.validation.positions,
                fit.scale
            ),
            None => format!("{name}: Texel's method in {game}, not fitted yet"),
        },
    }
}

/// The cells of the table of parameters, without a header.
fn rows(tuning: &Tuning, checkpoint: &Checkpoint) -> Vec<Vec<String>> {
    let values = tuning.rounded(&checkpoint.values());
    let row = |(tuned, value): (&Tuned, &f64)| {
        let Tuned {
            parameter,
            dimension,
        } = tuned;
        let change = value - dimension.start;
        vec![
            parameter.name.to_owned(),
            parameter.write(dimension.start).to_string(),
            parameter.write(*value).to_string(),
            match parameter.kind {
                Kind::Switch => String::new(),
                // Without the noise of the last binary digit.
                _ => format!("{:+}", (change * 1e9).round() / 1e9),
            },
            format!("{} to {}", dimension.min, dimension.max),
        ]
    };
    tuning.parameters.iter().zip(&values).map(row).collect()
}

/// The parameters that have ended at a bound of their range beyond which engines take values, a line each.
fn at_bounds(tuning: &Tuning, values: &[f64]) -> Vec<String> {
    let ends = tuning.parameters.iter().zip(values);
    let ends = ends.filter(|(tuned, _)| tuned.parameter.kind != Kind::Switch);
    let line = |(tuned, value): (&Tuned, &f64)| {
        let (dimension, parameter) = (tuned.dimension, tuned.parameter);
        let name = parameter.name;
        let (bound, wider) = match *value {
            value if value == dimension.min && value > parameter.min => ("min", "smaller"),
            value if value == dimension.max && value < parameter.max => ("max", "larger"),
            _ => return None,
        };
        Some(format!(
            "{name} has ended at its bound: a {wider} value may be better, which a {wider} {bound} \
             would allow"
        ))
    };
    ends.filter_map(line).collect()
}

const HEADER: [&str; 5] = ["parameter", "start", "end", "change", "range"];

/// The losses of a part of the games, in a line.
fn losses(name: &str, part: &Part) -> String {
    format!(
        "{name}: {} games, {} positions, loss {:.5} -> {:.5}",
        part.games, part.positions, part.before, part.after
    )
}

/// The report as text, without the closing test.
pub fn text(tuning: &Tuning, checkpoint: &Checkpoint) -> String {
    let mut text = summary(tuning, checkpoint) + "\n";
    if let Some(fit) = &checkpoint.fit {
        let _ = writeln!(text, "{}", losses("training", &fit.training));
        let _ = writeln!(text, "{}", losses("validation", &fit.validation));
        if fit.left_out > 0 {
            let _ = writeln!(
                text,
                "left out: {} games of other variants or lost by a fault",
                fit.left_out
            );
        }
    }
    let header = HEADER.map(str::to_owned).to_vec();
    let table = render(header, rows(tuning, checkpoint));
    let values = tuning.rounded(&checkpoint.values());
    let _ = writeln!(text, "\n{}\n", table.trim_end());
    for line in at_bounds(tuning, &values) {
        let _ = writeln!(text, "warning: {line}\n");
    }
    let _ = writeln!(
        text,
        "options = {{ parameters = \"{}\" }}",
        tuning.option(&values)
    );
    text
}

/// The report as Markdown, without the closing test.
pub fn markdown(tuning: &Tuning, checkpoint: &Checkpoint) -> String {
    let mut text = summary(tuning, checkpoint) + "\n\n";
    if let Some(fit) = &checkpoint.fit {
        let _ = writeln!(text, "- {}", losses("training", &fit.training));
        let _ = writeln!(text, "- {}\n", losses("validation", &fit.validation));
    }
    let _ = writeln!(text, "| {} |", HEADER.join(" | "));
    let _ = writeln!(text, "|---|---:|---:|---:|---|");
    for row in rows(tuning, checkpoint) {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    for line in at_bounds(tuning, &tuning.rounded(&checkpoint.values())) {
        let _ = writeln!(text, "\n{line}");
    }
    text
}

/// The report as JSON; `test` is the closing test, null if there was none.
pub fn facts(tuning: &Tuning, checkpoint: &Checkpoint, test: Value) -> Value {
    let values = tuning.rounded(&checkpoint.values());
    let parameter = |(tuned, value): (&Tuned, &f64)| {
        json!({
            "name": tuned.parameter.name,
            "start": tuned.dimension.start,
            "end": value,
            "min": tuned.dimension.min,
            "max": tuned.dimension.max,
        })
    };
    let parameters: Vec<Value> = tuning
        .parameters
        .iter()
        .zip(&values)
        .map(parameter)
        .collect();
    let [wins, draws, losses] = checkpoint.games;
    json!({
        "name": tuning.name,
        "game": tuning.rules.id(),
        "method": match tuning.method {
            Method::Spsa { .. } => "spsa",
            Method::Texel { .. } => "texel",
        },
        "seed": tuning.seed,
        "iterations": checkpoint.iteration,
        "games": wins + draws + losses,
        "parameters": parameters,
        "option": tuning.option(&values),
        "fit": checkpoint.fit.as_ref().map(fit_facts),
        "sprt": test,
    })
}

/// What a fit has found, to six digits: a checkpoint that is read may differ in the last bit.
fn fit_facts(fit: &Fit) -> Value {
    let digits = |number: f64| (number * 1e6).round() / 1e6;
    let part = |part: &Part| {
        json!({
            "games": part.games,
            "positions": part.positions,
            "before": digits(part.before),
            "after": digits(part.after),
        })
    };
    json!({
        "scale": digits(fit.scale),
        "training": part(&fit.training),
        "validation": part(&fit.validation),
        "left_out": fit.left_out,
    })
}
