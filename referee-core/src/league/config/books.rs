//! The opening books of built-in engines.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::source::Source;
use super::{EngineConfig, GameConfig, Program};
use crate::base::error::BadInput;
use crate::book;
use crate::task::option;

/// The option of built-in engines that names their opening book.
const BOOK: &str = "book";

/// The options of a built-in engine with the absolute path of the book that they name in `folder`:
/// engines run in other folders.
pub fn with_book(folder: &Path, options: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let find = |name: &str, value: &Value| {
        let is_book = name.eq_ignore_ascii_case(BOOK);
        let text = value.as_str().filter(|text| is_book && !text.is_empty())?;
        let path = std::path::absolute(folder.join(text)).ok()?;
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

/// Refuses a book of a built-in engine that is none of all its games.
pub(super) fn check(
    source: &Source<'_>,
    games: &[GameConfig],
    engines: &[EngineConfig],
) -> Result<(), BadInput> {
    for (index, engine) in engines.iter().enumerate() {
        let path = option(&engine.sent_options, BOOK).and_then(Value::as_str);
        let (Program::Builtin(_), Some(path)) =
            (&engine.program, path.filter(|path| !path.is_empty()))
        else {
            continue;
        };
        let wrong = |error: BadInput| {
            source.error(
                &["engine".into(), index.into(), "options".into()],
                format!("book {error}"),
            )
        };
        let book = book::load(Path::new(path)).map_err(wrong)?;
        let played = games.iter().filter(|game| engine.games.contains(&game.id));
        for game in played {
            let fits = book::check(path, &book, &game.id, &game.variant);
            fits.map_err(wrong)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_book_is_beside_the_league_file() {
        let sent = |name: &str, value: Value| {
            let options = BTreeMap::from([(name.to_owned(), value)]);
            with_book(Path::new("/leagues"), &options)[name].clone()
        };
        assert_eq!(sent("Book", json!("hex.book")), json!("/leagues/hex.book"));
        assert_eq!(sent("book", json!("/hex.book")), json!("/hex.book"));
        assert_eq!(sent("book", json!("")), json!(""));
        assert_eq!(sent("threads", json!(3)), json!(3));
    }
}
