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
use crate::log::record::Logged;
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
    /// The games by their ids.
    pub played: Played,
    /// Number of records that do not count because of [`Twice::First`].
    pub twice: usize,
    places: HashMap<IdKey, u32>,
    found: Vec<Found>,
}

/// A game's record: when it began, where it is.
#[derive(Debug)]
struct Found {
    started: Timestamp,
    digest: [u32; 4],
    place: Place,
}

impl Merged {
    /// Adds the games of a log.
    ///
    /// # Errors
    /// The log cannot be read, a line is not a game, or a game differs from another one with the
    /// same id and that is refused.
    ///
    /// # Panics
    /// There are more than 2³² games.
    pub fn add(
        &mut self,
        path: &Path,
        lines: impl Iterator<Item = io::Result<log::Entry<Game>>>,
        twice: Twice,
    ) -> Result<(), BadInput> {
        let path: Arc<Path> = path.into();
        for entry in lines {
            let entry = entry.map_err(|error| log::unreadable(&path, &error))?;
            let place = Place::new(&path, entry.line, entry.bytes);
            let game = entry
                .record
                .map_err(|message| BadInput(format!("{place}: {message}, expected a game")))?;
            self.add_game(game, place, twice)?;
        }
        Ok(())
    }

    fn add_game(&mut self, game: Game, place: Place, twice: Twice) -> Result<(), BadInput> {
        let new = Found {
            started: game.started,
            digest: game.digest,
            place,
        };
        match self.places.entry(IdKey::of(&game.id)) {
            Entry::Vacant(free) => {
                free.insert(u32::try_from(self.found.len()).expect("below 2^32 games"));
                self.found.push(new);
            }
            Entry::Occupied(known) => {
                let known = &mut self.found[*known.get() as usize];
                if known.digest == new.digest {
                    return Ok(());
                }
                if twice == Twice::Refuse {
                    return Err(BadInput(format!(
                        "{}: game {} differs from {}, expected one record per id",
                        new.place, game.id, known.place
                    )));
                }
                self.twice += 1;
                let order = |found: &Found| (found.started, found.digest);
                if order(known) < order(&new) {
                    return Ok(());
                }
                *known = new;
            }
        }
        self.played.add(&game.id, game.ended);
        Ok(())
    }

    /// Where the games are, sorted by start time and id: the order of the logs does not matter.
    ///
    /// # Errors
    /// Games that began at the same time cannot be read again.
    pub fn places(&self) -> Result<Vec<&Place>, BadInput> {
        let mut games: Vec<&Found> = self.found.iter().collect();
        games.sort_by_key(|found| found.started);
        let mut places = Vec::with_capacity(games.len());
        for together in games.chunk_by(|a, b| a.started == b.started) {
            if let [game] = together {
                places.push(&game.place);
                continue;
            }
            let named = together
                .iter()
                .map(|game| Ok((game.place.game()?.id, game)));
            let mut named: Vec<_> = named.collect::<Result<_, BadInput>>()?;
            named.sort_by(|(a, _), (b, _)| a.cmp(b));
            places.extend(named.iter().map(|(_, game)| &game.place));
        }
        Ok(places)
    }
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
            let line = |game| serde_json::to_string(game).expect("JSON") + "\n";
            std::fs::write(&path, games.iter().map(line).collect::<String>()).expect("a log");
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
        let places = all.merged.places().expect("the logs").into_iter();
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
            let places = logs.merged.places().expect("the logs").into_iter();
            let games: Vec<_> = places.map(|place| place.game().expect("a game")).collect();
            assert_eq!(games, [two[0].clone(), one[0].clone()]);
            assert_eq!((logs.merged.twice, logs.merged.played.len()), (2, 2));
        }
    }
}
