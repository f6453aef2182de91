//! Values of options as text.

use engine_core::Algorithm;
use protocol::Protocol;
use serde_json::Value;

use crate::parameters::{self, Assignment};

/// A value that is read from a text and written as one.
pub(super) trait OptionValue: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// What was expected, and what was found.
    fn read(text: &str) -> Result<Self, String>;

    /// The text that [`OptionValue::read`] reads.
    fn write(&self) -> String;
}

impl OptionValue for u64 {
    fn read(text: &str) -> Result<u64, String> {
        text.parse()
            .map_err(|_| format!("expected a number, found {text:?}"))
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl OptionValue for bool {
    fn read(text: &str) -> Result<bool, String> {
        match text.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("takes true or false, not {text:?}")),
        }
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl OptionValue for String {
    fn read(text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }

    fn write(&self) -> String {
        self.clone()
    }
}

impl OptionValue for Algorithm {
    fn read(text: &str) -> Result<Algorithm, String> {
        Algorithm::find(text)
    }

    fn write(&self) -> String {
        self.name().to_owned()
    }
}

impl OptionValue for Protocol {
    fn read(text: &str) -> Result<Protocol, String> {
        let found = Protocol::ALL.into_iter().find(|known| known.name() == text);
        found.ok_or_else(|| format!("expected a protocol, found {text:?}"))
    }

    fn write(&self) -> String {
        self.name().to_owned()
    }
}

impl OptionValue for Vec<Assignment> {
    fn read(text: &str) -> Result<Vec<Assignment>, String> {
        parameters::parse_list(text)
    }

    fn write(&self) -> String {
        let words: Vec<String> = self.iter().map(ToString::to_string).collect();
        words.join(" ")
    }
}

impl OptionValue for Value {
    fn read(text: &str) -> Result<Value, String> {
        parse_variant(text)
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

/// Reads a variant: a JSON object or a TOML inline table.
///
/// # Errors
/// Text that is neither.
pub fn parse_variant(text: &str) -> Result<Value, String> {
    if let Ok(value @ Value::Object(_)) = serde_json::from_str(text) {
        return Ok(value);
    }
    let line = format!("variant = {text}");
    let mut table: toml::Table = toml::from_str(&line)
        .map_err(|_| format!("{text:?} is not a table such as {{ size = 9 }}"))?;
    match table.remove("variant") {
        Some(table @ toml::Value::Table(_)) if !text.contains('\n') => {
            serde_json::to_value(table).map_err(|error| error.to_string())
        }
        _ => Err(format!("{text:?} is not a table such as {{ size = 9 }}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn variants_are_read_as_toml_and_json() {
        assert_eq!(parse_variant("{ size = 9 }"), Ok(json!({ "size": 9 })));
        assert_eq!(parse_variant("{\"size\": 9}"), Ok(json!({ "size": 9 })));
        assert_eq!(parse_variant("{}"), Ok(json!({})));
        for text in ["", "9", "{", "[1]", "{ a = 1 }\nb = 2", "{ a = 1 } b"] {
            assert!(parse_variant(text).is_err(), "{text}");
        }
    }
}
