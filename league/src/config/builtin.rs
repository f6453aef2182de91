//! The options of built-in engines: their words, the files that they name, and what depends on the
//! game.

use std::collections::BTreeMap;
use std::path::Path;

use base::error::BadInput;
use catalog::AnyGame;
use entry::FileOption;
use serde_json::Value;

use super::source::Source;
use super::{EngineConfig, GameConfig, Program};

/// The option that sets parameters of the search and the evaluation.
const PARAMETERS: &str = "parameters";

/// Whether built-in engines have this option and accept this value.
pub(crate) fn check_option(name: &str, value: &Value) -> Result<(), String> {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    if name.eq_ignore_ascii_case("algorithm") {
        return Err("option algorithm, expected it as builtin".to_owned());
    }
    entry::Options::default().set(name, &text)
}

/// The options with the absolute paths of the files that they name in `folder`: engines run in other
/// folders.
pub(crate) fn with_paths(
    folder: &Path,
    options: &BTreeMap<String, Value>,
) -> BTreeMap<String, Value> {
    let find = |name: &str, value: &Value| {
        let path = std::path::absolute(folder.join(file(name, value)?)).ok()?;
        Some(Value::from(path.to_string_lossy()))
    };
    let options = options.iter();
    options
        .map(|(name, value)| {
            let sent = find(name, value).unwrap_or_else(|| value.clone());
            (name.clone(), sent)
        })
        .collect()
}

/// The file that an option names, if it names one.
fn file<'v>(name: &str, value: &'v Value) -> Option<&'v str> {
    FileOption::find(name)?.file(value.as_str()?)
}

/// Whether a game has the parameters that an option sets, if it sets any.
pub(crate) fn check_parameters(
    name: &str,
    value: &Value,
    rules: &dyn AnyGame,
) -> Result<(), String> {
    if !name.eq_ignore_ascii_case(PARAMETERS) {
        return Ok(());
    }
    let assignments = entry::parameters::parse_list(value.as_str().unwrap_or_default())?;
    let found = rules.check_parameters(&assignments);
    found.map_err(|message| format!("{}: {message}", rules.id()))
}

/// Whether the file that an option names is of a game and variant. Its path is absolute.
fn check_file(
    name: &str,
    value: &Value,
    rules: &dyn AnyGame,
    variant: &Value,
) -> Result<(), String> {
    let (Some(option), Some(value)) = (FileOption::find(name), value.as_str()) else {
        return Ok(());
    };
    let found = rules.check_file(option, value, variant);
    found.map_err(|message| format!("{} {message}", option.name()))
}

/// Refuses options of built-in engines that are of no use in one of their games.
pub(super) fn check(
    source: &Source<'_>,
    games: &[GameConfig],
    engines: &[EngineConfig],
) -> Result<(), BadInput> {
    for (index, engine) in engines.iter().enumerate() {
        if !matches!(engine.program, Program::Builtin(_)) {
            continue;
        }
        let played = games.iter().filter(|game| engine.games.contains(&game.id));
        for game in played {
            let rules = catalog::find(&game.id).expect("the games of a league were checked");
            for (name, value) in &engine.sent_options {
                let place = [
                    "engine".into(),
                    index.into(),
                    "options".into(),
                    (**name).into(),
                ];
                check_parameters(name, value, rules)
                    .and_then(|()| check_file(name, value, rules, &game.variant))
                    .map_err(|message| source.error(&place, message))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_are_beside_the_league_file() {
        let sent = |name: &str, value: Value| {
            let options = BTreeMap::from([(name.to_owned(), value)]);
            with_paths(Path::new("/leagues"), &options)[name].clone()
        };
        assert_eq!(sent("Book", json!("hex.book")), json!("/leagues/hex.book"));
        assert_eq!(sent("book", json!("/hex.book")), json!("/hex.book"));
        assert_eq!(sent("book", json!("")), json!(""));
        assert_eq!(sent("book", json!("none")), json!("none"));
        assert_eq!(sent("network", json!("new")), json!("/leagues/new"));
        assert_eq!(sent("weights", json!("new")), json!("/leagues/new"));
        assert_eq!(sent("weights", json!("none")), json!("none"));
        assert_eq!(sent("Policy", json!("new")), json!("/leagues/new"));
        assert_eq!(sent("policy", json!("shipped")), json!("shipped"));
        assert_eq!(sent("threads", json!(3)), json!(3));
    }
}
