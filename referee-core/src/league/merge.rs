//! Merges logs of one league that was played in parts. A game is read from its log again when it is
//! copied: memory holds only its place.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use crate::base::error::BadInput;
use crate::league::tournament::{Ended, Played};
use crate::log::record::GameRecord;
use crate::log::{self, Place};
use crate::results::standings::{GameSummary, Standings};

/// What merging needs to know of a game.
#[derive(Debug)]
pub struct Game {
    id: String,
    started: Timestamp,
    summary: GameSummary,
    ended: Ended,
}

impl Game {
    /// Extracts it from a log record.
    pub fn of<S: AsRef<str>>(record: GameRecord<S>) -> Game {
        Game {
            started: record.started,
            summary: GameSummary::from(&record),
            ended: Ended::from(&record),
            id: record.id,
        }
    }
}

/// The merged games, each once.
#[derive(Debug, Default)]
pub struct Merged {
    /// The games by their ids.
    pub played: Played,
    /// The standings over all games.
    pub standings: Standings,
    found: HashMap<String, Found>,
}

/// When a game began, and where it was first found.
#[derive(Debug)]
struct Found {
    started: Timestamp,
    place: Place,
}

impl Merged {
    /// Adds the games of a log.
    ///
    /// # Errors
    /// The log cannot be read, a line is not a game, or a game differs from another one with the
    /// same id.
    pub fn add(
        &mut self,
        path: &Path,
        lines: impl Iterator<Item = io::Result<log::Entry<Game>>>,
    ) -> Result<(), BadInput> {
        let path: Arc<Path> = path.into();
        for entry in lines {
            let entry = entry.map_err(|error| log::unreadable(&path, &error))?;
            let place = Place::new(&path, entry.line, entry.bytes);
            let game = entry
                .record
                .map_err(|message| BadInput(format!("{place}: {message}, expected a game")))?;
            match self.found.entry(game.id.clone()) {
                Entry::Vacant(free) => {
                    self.played.add(game.id, game.ended);
                    self.standings.add(&game.summary);
                    free.insert(Found {
                        started: game.started,
                        place,
                    });
                }
                Entry::Occupied(known) => {
                    let known = &known.get().place;
                    if known.line()? != place.line()? {
                        return Err(BadInput(format!(
                            "{place}: game {} differs from {known}, expected one record per \
                             id",
                            game.id
                        )));
                    }
                }
            }
        }
        Ok(())
    }

    /// Where the games are, sorted by start time and id: the order of the logs does not matter.
    pub fn places(&self) -> Vec<&Place> {
        let mut games: Vec<_> = self.found.iter().collect();
        games.sort_by_key(|&(id, found)| (found.started, id));
        games.iter().map(|(_, found)| &found.place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::record::{GameResult, Reason, Text, sample};

    fn game(id: &str, result: GameResult) -> GameRecord {
        GameRecord {
            id: id.to_owned(),
            ..sample::game("hex", "a", "b", result, Reason::Rules)
        }
    }

    /// Logs to merge.
    struct Logs {
        folder: tempfile::TempDir,
        merged: Merged,
    }

    impl Logs {
        fn new() -> Logs {
            Logs {
                folder: tempfile::tempdir().expect("a folder"),
                merged: Merged::default(),
            }
        }

        fn add(&mut self, name: &str, games: &[GameRecord]) -> Result<(), BadInput> {
            let path = self.folder.path().join(name);
            let line = |game| serde_json::to_string(game).expect("JSON") + "\n";
            std::fs::write(&path, games.iter().map(line).collect::<String>()).expect("a log");
            let read = |line: &[u8]| log::parse::<Text>(line).map(Game::of);
            self.merged.add(&path, log::stream(&path, read)?)
        }
    }

    fn merged(logs: &[&[&str]]) -> Vec<String> {
        let mut all = Logs::new();
        for (number, ids) in logs.iter().enumerate() {
            let games: Vec<_> = ids.iter().map(|id| game(id, GameResult::First)).collect();
            let name = number.to_string();
            all.add(&name, &games).expect("the same records");
        }
        let places = all.merged.places().into_iter();
        places
            .map(|place| place.game().expect("a game").id)
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
        let mut logs = Logs::new();
        let won = |id| game(id, GameResult::First);
        logs.add("one", &[won("x"), won("y")]).expect("games");
        let drawn = game("y", GameResult::Draw);
        let error = logs.add("two", &[drawn]).expect_err("they differ");
        let at = |name: &str| logs.folder.path().join(name).display().to_string();
        let (one, two) = (at("one"), at("two"));
        let expected = format!("{two}:1: game y differs from {one}:2, expected one record per id");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn a_missing_log_is_reported() {
        let mut logs = Logs::new();
        let won = game("x", GameResult::First);
        logs.add("one", std::slice::from_ref(&won)).expect("a game");
        std::fs::remove_file(logs.folder.path().join("one")).expect("the log");
        let error = logs.add("two", &[won]).expect_err("it cannot be compared");
        assert!(error.to_string().ends_with("expected a log"), "{error}");
    }
}
