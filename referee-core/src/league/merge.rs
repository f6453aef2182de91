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
use crate::log::key::{IdKey, start_of_digest};
use crate::log::record::{GameResult, Logged};
use crate::log::{self, Place};

/// What merging needs to know of a game.
#[derive(Debug)]
pub struct Game {
    id: String,
    started: Timestamp,
    ended: Ended,
    /// Of its line, to tell records apart.
    digest: [u32; 4],
}

impl Game {
    /// Reads it from a line of a log.
    ///
    /// # Errors
    /// The line is not a game.
    pub fn read(line: &[u8]) -> Result<Game, String> {
        let record: Logged<'_> = log::parse(line)?;
        Ok(Game {
            started: record.started,
            ended: Ended::from(&record),
            id: record.id,
            digest: start_of_digest(line),
        })
    }
}

/// What happens if two records of one game differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Twice {
    /// They are refused.
    #[default]
    Refuse,
    /// The game that began first counts.
    First,
}

/// The merged games, each once.
#[derive(Debug, Default)]
pub struct Merged {
    /// Number of records that do not count because of [`Twice::First`].
    pub twice: usize,
    /// Index in `found` of each game.
    games: HashMap<IdKey, u32>,
    found: Vec<Found>,
    /// The times left of games with a clock for the whole meeting.
    left_us: HashMap<IdKey, [u64; 2]>,
    logs: Vec<Arc<Path>>,
}

/// A game's record: when it began, how it ended, where it is. Small, for a million games.
#[derive(Debug)]
struct Found {
    started: Timestamp,
    digest: [u32; 4],
    result: GameResult,
    /// Index of its log.
    log: u32,
    line: u32,
    /// Its bytes in the log: where they begin, and how many they are.
    offset: u64,
    length: u32,
}

impl Merged {
    /// Adds the games of a log.
    ///
    /// # Errors
    /// The log cannot be read, a line is not a game, or a game differs from another one with the
    /// same id and that is refused.
    ///
    /// # Panics
    /// There are 2³² games or more.
    pub fn add(
        &mut self,
        path: &Path,
        lines: impl Iterator<Item = io::Result<log::Entry<Game>>>,
        twice: Twice,
    ) -> Result<(), BadInput> {
        let log = small(self.logs.len());
        self.logs.push(path.into());
        for entry in lines {
            let entry = entry.map_err(|error| log::unreadable(path, &error))?;
            let bytes = entry.bytes.clone();
            let game = entry.record.map_err(|message| {
                let place = Place::new(&self.logs[log as usize], entry.line, entry.bytes);
                BadInput(format!("{place}: {message}, expected a game"))
            })?;
            let (line, offset) = (small(entry.line), bytes.start);
            let length = small((bytes.end - offset) as usize);
            let found = Found {
                started: game.started,
                digest: game.digest,
                result: game.ended.result,
                log,
                line,
                offset,
                length,
            };
            self.add_game(&game, found, twice)?;
        }
        Ok(())
    }

    fn add_game(&mut self, game: &Game, new: Found, twice: Twice) -> Result<(), BadInput> {
        let key = IdKey::of(&game.id);
        match self.games.entry(key) {
            Entry::Vacant(free) => {
                free.insert(small(self.found.len()));
                self.found.push(new);
            }
            Entry::Occupied(known) => {
                let index = *known.get() as usize;
                let known = &self.found[index];
                if known.digest == new.digest {
                    return Ok(());
                }
                if twice == Twice::Refuse {
                    return Err(BadInput(format!(
                        "{}: game {} differs from {}, expected one record per id",
                        self.place(&new),
                        game.id,
                        self.place(known)
                    )));
                }
                self.twice += 1;
                let order = |found: &Found| (found.started, found.digest);
                if order(known) < order(&new) {
                    return Ok(());
                }
                self.found[index] = new;
            }
        }
        if let Some(left) = game.ended.left_us {
            self.left_us.insert(key, left);
        }
        Ok(())
    }

    fn place(&self, found: &Found) -> Place {
        let bytes = found.offset..found.offset + u64::from(found.length);
        Place::new(&self.logs[found.log as usize], found.line as usize, bytes)
    }

    /// Where the games are, sorted by start time and id: the order of the logs does not matter.
    ///
    /// # Errors
    /// Games that began at the same time cannot be read again.
    pub fn places(&self) -> Result<impl Iterator<Item = Place>, BadInput> {
        let mut games: Vec<&Found> = self.found.iter().collect();
        games.sort_by_key(|found| found.started);
        for together in games.chunk_by_mut(|a, b| a.started == b.started) {
            if together.len() > 1 {
                let named = together
                    .iter()
                    .map(|found| Ok((self.place(found).game()?.id, *found)));
                let mut named: Vec<_> = named.collect::<Result<_, BadInput>>()?;
                named.sort_by(|(a, _), (b, _)| a.cmp(b));
                let found = named.into_iter().map(|(_, found)| found);
                together
                    .iter_mut()
                    .zip(found)
                    .for_each(|(game, found)| *game = found);
            }
        }
        Ok(games.into_iter().map(|found| self.place(found)))
    }

    /// The games by their ids. What it frees is more than what it takes.
    pub fn into_played(self) -> Played {
        let results: Vec<GameResult> = self.found.iter().map(|found| found.result).collect();
        drop(self.found);
        let games = self.games.into_iter();
        let results = games.map(|(key, index)| (key, results[index as usize]));
        Played::of(results.collect(), self.left_us)
    }
}

/// A number below 2³².
fn small(number: usize) -> u32 {
    u32::try_from(number).expect("below 2^32")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::log::record::{GameRecord, GameResult, Reason, sample};

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

        fn write(&self, name: &str, games: &[GameRecord]) -> PathBuf {
            let path = self.folder.path().join(name);
            let lines = games.iter().map(|game| log::line(game).expect("JSON"));
            std::fs::write(&path, lines.collect::<Vec<_>>().concat()).expect("a log");
            path
        }

        fn add(&mut self, name: &str, games: &[GameRecord]) -> Result<(), BadInput> {
            let path = self.write(name, games);
            let lines = log::stream(&path, Game::read)?;
            self.merged.add(&path, lines, Twice::Refuse)
        }
    }

    fn merged(logs: &[&[&str]]) -> Vec<String> {
        let mut all = Logs::new();
        for (number, ids) in logs.iter().enumerate() {
            let games: Vec<_> = ids.iter().map(|id| game(id, GameResult::First)).collect();
            let name = number.to_string();
            all.add(&name, &games).expect("the same records");
        }
        let places = all.merged.places().expect("the logs");
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
    fn of_games_that_were_played_twice_the_first_counts_in_any_order() {
        let minute = |minute: i64| Timestamp::from_second(60 * minute).expect("a time");
        let record = |id, started, result| GameRecord {
            started: minute(started),
            ..game(id, result)
        };
        let one = [
            record("x", 1, GameResult::First),
            record("y", 2, GameResult::First),
        ];
        let two = [
            record("y", 0, GameResult::Draw),
            record("x", 3, GameResult::Draw),
        ];
        for order in [[&one, &two], [&two, &one]] {
            let mut logs = Logs::new();
            for (number, games) in order.into_iter().enumerate() {
                let path = logs.write(&number.to_string(), games);
                let lines = log::stream(&path, Game::read).expect("a log");
                logs.merged.add(&path, lines, Twice::First).expect("games");
            }
            let places = logs.merged.places().expect("the logs");
            let games: Vec<_> = places.map(|place| place.game().expect("a game")).collect();
            assert_eq!(games, [two[0].clone(), one[0].clone()]);
            assert_eq!(logs.merged.twice, 2);
            assert_eq!(logs.merged.into_played().len(), 2);
        }
    }
}
