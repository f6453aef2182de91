//! `referee games`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use catalog::Rules;
use serde_json::{Value, json};

use super::facts::{FormatArg, write_json};

/// List the games and the contest's variant of each
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: referee games")]
pub(super) struct Args {
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        if self.format.is_json() {
            let games: Result<Vec<Value>, _> =
                catalog::GAMES.iter().map(|&game| facts(game)).collect();
            write_json(out, &games?)?;
            return Ok(ExitCode::SUCCESS);
        }
        for game in catalog::GAMES {
            let [first, second] = game.colours();
            let variant = game.complete_variant(&json!({}))?;
            writeln!(
                out,
                "{:<15} {:<24} First {first}, Second {second}; {}",
                game.id(),
                game.name(),
                inline_table(&variant)
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What the list says of a game.
fn facts(game: &dyn Rules) -> Result<Value> {
    Ok(json!({
        "id": game.id(),
        "name": game.name(),
        "colours": game.colours(),
        "variant": game.complete_variant(&json!({}))?,
    }))
}

/// A variant in league file syntax.
fn inline_table(value: &Value) -> String {
    match value {
        Value::Object(table) => {
            // TOML has no null: unset keys are left out.
            let pairs = table.iter().filter(|(_, value)| !value.is_null());
            let pairs: Vec<String> = pairs
                .map(|(key, value)| format!("{key} = {}", inline_table(value)))
                .collect();
            if pairs.is_empty() {
                "{}".to_owned()
            } else {
                format!("{{ {} }}", pairs.join(", "))
            }
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline_table).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_written_as_toml() {
        let value = json!({"size": 5, "opening": {"forced": "C2"}, "list": ["a", 1], "none": null});
        let text = inline_table(&value);
        let read: toml::Table = toml::from_str(&format!("variant = {text}")).unwrap();
        let without_null = json!({"size": 5, "opening": {"forced": "C2"}, "list": ["a", 1]});
        assert_eq!(
            serde_json::to_value(&read["variant"]).unwrap(),
            without_null
        );
        assert_eq!(inline_table(&json!({})), "{}");
    }
}
