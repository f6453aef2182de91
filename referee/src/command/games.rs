//! `referee games`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

/// List the games and the contest's variant of each
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: referee games")]
pub(super) struct Args {}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
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
