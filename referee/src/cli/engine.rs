//! `referee engine`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use base::error::BadInput;
use catalog::AnyGame;
use engine_core::parameter::{Kind, Parameter};
use serde_json::{Value, json};

use super::facts::{FormatArg, write_json};
use super::position::find;

/// Play a game as a built-in engine, on standard input and output
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct Args {
    /// The game, as listed by `referee games`
    game: String,
    /// List the parameters that --set takes: name, default, range, meaning
    #[arg(long = "parameters")]
    list: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    options: entry::Options,
}

/// What `best` is in each game, and an example.
fn after_help() -> String {
    let best = |game: &&dyn AnyGame| format!("{} {}", game.id(), game.best().name());
    let best: Vec<String> = catalog::GAMES.iter().map(best).collect();
    format!(
        "The algorithm `best` is, by the matches in matches/samples/best: {}.\n\n\
         The parameters of --set are also the value of the UGI option `parameters`: \
         a league file has options = {{ parameters = \"tree.exploration=0.5 …\" }}.\n\n\
         Example: referee engine hex\n\
         Example: referee engine hex --algorithm mcts --threads 2\n\
         Example: referee engine hex --parameters --format json\n\
         Example: referee engine hex --set evaluation.tempo=50 --set tree.exploration=0.3",
        best.join(", ")
    )
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let rules = find(&self.game)?;
        if self.list {
            self.list(rules, out)?;
            return Ok(ExitCode::SUCCESS);
        }
        rules
            .serve(&self.options)
            .map_err(|error| BadInput(error.to_string()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Lists the parameters of a game's engines.
    fn list(&self, rules: &dyn AnyGame, out: &mut dyn Write) -> Result<()> {
        let parameters = rules.parameters();
        if self.format.is_json() {
            let parameters: Vec<Value> = parameters.iter().map(facts).collect();
            write_json(out, &parameters)?;
            return Ok(());
        }
        writeln!(
            out,
            "{:<30} {:>8}  {:<18} meaning",
            "parameter", "default", "range"
        )?;
        for parameter in &parameters {
            let Parameter { name, about, .. } = *parameter;
            let default = parameter.write(parameter.default).to_string();
            let range = range(parameter);
            writeln!(out, "{name:<30} {default:>8}  {range:<18} {about}")?;
        }
        Ok(())
    }
}

/// The values of a parameter, in words.
fn range(parameter: &Parameter) -> String {
    let Parameter { min, max, .. } = parameter;
    match parameter.kind {
        Kind::Integer => format!("{min} to {max}"),
        Kind::Real => format!("{min} to {max}, real"),
        Kind::Switch => "true, false".to_owned(),
    }
}

/// A parameter as JSON.
fn facts(parameter: &Parameter) -> Value {
    let Parameter {
        name,
        about,
        default,
        min,
        max,
        ..
    } = *parameter;
    let kind = match parameter.kind {
        Kind::Integer => "integer",
        Kind::Real => "real",
        Kind::Switch => "switch",
    };
    json!({ "name": name, "kind": kind, "default": default, "min": min, "max": max, "about": about })
}
