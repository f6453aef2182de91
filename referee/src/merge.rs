//! Logs of one league that was played in parts, put together again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;

use crate::error::BadInput;
use crate::log;
use crate::record::GameRecord;
use crate::standings::{Counted, Standings};
use crate::tournament::{Ended, Played};

/// A game, and its line in the merged log.
#[derive(Debug)]
pub struct Game {
    id: String,
    started: Timestamp,
    counted: Counted,
    ended: Ended,
    line: Vec<u8>,
}

impl Game {
    /// A game of a log.
    pub fn of<S: AsRef<str> + Serialize>(record: GameRecord<S>) -> Game {
        let mut line = serde_json::to_vec(&record).expect("a record has a JSON form");
        line.push(b'\n');
        Game {
            started: record.started,
            counted: Counted::from(&record),
            ended: Ended::from(&record),
            id: record.id,
            line,
        }
    }
}

/// Games, each once.
#[derive(Debug, Default)]
pub struct Merged {
    /// The games by their ids.
    pub played: Played,
    /// How their engines stand.
    pub standings: Standings,
    found: HashMap<String, Found>,
}

/// A game, when it began, and where it was found first.
#[derive(Debug)]
struct Found {
    line: Vec<u8>,
    started: Timestamp,
    path: Arc<Path>,
    number: usize,
}

impl Merged {
    /// Takes in the lines of a log.
    ///
    /// # Errors
    /// A log that cannot be read, a line that is no game, or a game that differs from another one
    /// with the same id.
    pub fn add(
        &mut self,
        path: &Path,
        lines: impl Iterator<Item = io::Result<log::Entry<Game>>>,
    ) -> Result<(), BadInput> {
        let path: Arc<Path> = path.into();
        for entry in lines {
            let entry = entry.map_err(|error| log::unreadable(&path, &error))?;
            let (number, place) = (entry.line, place(&path, entry.line));
            let game = entry
                .record
                .map_err(|message| BadInput(format!("{place}: {message}, expected a game")))?;
            match self.found.entry(game.id.clone()) {
                Entry::Vacant(free) => {
                    self.played.add(game.id, game.ended);
                    self.standings.add(&game.counted);
                    free.insert(Found {
                        line: game.line,
                        started: game.started,
                        path: Arc::clone(&path),
                        number,
                    });
                }
                Entry::Occupied(known) if known.get().line == game.line => {}
                Entry::Occupied(known) => {
                    let Found { path, number, .. } = known.get();
                    return Err(BadInput(format!(
                        "{place}: game {} is not the one in {}, expected one record of an id",
                        game.id,
                        self::place(path, *number)
                    )));
                }
            }
        }
        Ok(())
    }

    /// The lines of the games in the order in which they began: the same, whatever the order of the
    /// logs.
    pub fn lines(&self) -> Vec<&[u8]> {
        let mut games: Vec<_> = self.found.iter().collect();
        games.sort_by_key(|&(id, found)| (found.started, id));
        games.iter().map(|(_, found)| &*found.line).collect()
    }
}

fn place(path: &Path, line: usize) -> String {
    format!("{}:{line}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Stream;
    use crate::record::{GameResult, Reason, sample};

    fn game(id: &str, result: GameResult) -> GameRecord {
        GameRecord {
            id: id.to_owned(),
            ..sample::game("hex", "a", "b", result, Reason::Rules)
        }
    }

    fn add(merged: &mut Merged, path: &str, games: &[GameRecord]) -> Result<(), BadInput> {
        let bytes: Vec<u8> = games
            .iter()
            .flat_map(|game| Game::of(game.clone()).line)
            .collect();
        merged.add(
            path.as_ref(),
            Stream::new(&*bytes, |line| log::parse::<String>(line).map(Game::of)),
        )
    }

    fn merged(logs: &[&[&str]]) -> Vec<String> {
        let mut merged = Merged::default();
        for ids in logs {
            let games: Vec<_> = ids.iter().map(|id| game(id, GameResult::First)).collect();
            add(&mut merged, "log", &games).expect("the same records");
        }
        let id = |line: &[u8]| {
            let record: GameRecord = serde_json::from_slice(line).expect("a game");
            record.id
        };
        merged.lines().into_iter().map(id).collect()
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
        let won = |id| game(id, GameResult::First);
        add(&mut merged, "one", &[won("x"), won("y")]).expect("games");
        let drawn = game("y", GameResult::Draw);
        let error = add(&mut merged, "two", &[drawn]).expect_err("they differ");
        let expected = "two:1: game y is not the one in one:2, expected one record of an id";
        assert_eq!(error.to_string(), expected);
    }
}
