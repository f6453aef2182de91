//! Logs of one league that was played in parts, put together again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use crate::error::BadInput;
use crate::log::Contents;
use crate::record::GameRecord;

/// Games, each once, and where each was found first.
#[derive(Debug, Default)]
pub struct Merged {
    found: HashMap<String, (GameRecord, Place)>,
}

/// A line of a log.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    line: usize,
}

impl Merged {
    /// Takes in the games of a log.
    ///
    /// # Errors
    /// A line that is no game, or a game that differs from another one with the same id.
    pub fn add(&mut self, path: &Path, contents: Contents) -> Result<(), BadInput> {
        for entry in contents.entries {
            let place = Place {
                path: path.to_owned(),
                line: entry.line,
            };
            let record = entry.record.map_err(|message| {
                BadInput(format!("{}: {message}, expected a game", place.text()))
            })?;
            match self.found.entry(record.id.clone()) {
                Entry::Vacant(free) => {
                    free.insert((record, place));
                }
                Entry::Occupied(known) if known.get().0 == record => {}
                Entry::Occupied(known) => {
                    return Err(BadInput(format!(
                        "{}: game {} is not the one in {}, expected one record of an id",
                        place.text(),
                        record.id,
                        known.get().1.text()
                    )));
                }
            }
        }
        Ok(())
    }

    /// The games in the order in which they began: the same, whatever the order of the logs.
    pub fn into_games(self) -> Vec<GameRecord> {
        let mut games: Vec<_> = self.found.into_values().map(|(game, _)| game).collect();
        games.sort_by(|a, b| (a.started, &a.id).cmp(&(b.started, &b.id)));
        games
    }
}

impl Place {
    fn text(&self) -> String {
        format!("{}:{}", self.path.display(), self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameResult, Reason, sample};

    fn log(ids: &[&str]) -> Contents {
        let mut bytes = Vec::new();
        for id in ids {
            let game = sample::game("hex", "a", "b", GameResult::First, Reason::Rules);
            let id = (*id).to_owned();
            serde_json::to_writer(&mut bytes, &GameRecord { id, ..game }).expect("JSON");
            bytes.push(b'\n');
        }
        Contents::parse(&bytes)
    }

    fn merged(logs: &[&[&str]]) -> Vec<String> {
        let mut merged = Merged::default();
        for ids in logs {
            merged
                .add("log".as_ref(), log(ids))
                .expect("the same records");
        }
        merged
            .into_games()
            .into_iter()
            .map(|game| game.id)
            .collect()
    }

    #[test]
    fn every_game_is_kept_once_whatever_the_order() {
        assert_eq!(merged(&[&["b", "a"], &["c", "a"]]), ["a", "b", "c"]);
        assert_eq!(merged(&[&["c", "a"], &["b", "a"], &["b"]]), ["a", "b", "c"]);
        assert_eq!(merged(&[]), [""; 0]);
    }

    #[test]
    fn two_records_of_one_id_are_refused() {
        let mut merged = Merged::default();
        merged.add("one".as_ref(), log(&["x", "y"])).expect("games");
        let mut other = log(&["y"]);
        other.entries[0].record.as_mut().expect("a game").result = GameResult::Draw;
        let error = merged.add("two".as_ref(), other).expect_err("they differ");
        let expected = "two:1: game y is not the one in one:2, expected one record of an id";
        assert_eq!(error.to_string(), expected);
    }
}
