//! Merges logs of one league that was played in parts. A game is read from its log again when it is
//! copied: memory holds only its place.
//!
//! Nothing that a log says of itself decides what counts: a game is checked against the plan
//! ([`Check`]), what was merged before stays, and of attempts that differ the order of the logs
//! decides, or nobody ([`Rank`]).

mod check;
mod facts;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::Path;
use std::sync::Arc;

use base::error::BadInput;
use gamelog::key::{IdKey, start_of_digest};
use gamelog::record::{GameResult, Logged};
use gamelog::{self, Place};
use jiff::Timestamp;

use crate::tournament::{Ended, Played};

pub use check::{Check, Ids, KnownBuilds, Misfit, Originals, Planned};

/// What merging needs to know of a line of a log.
#[derive(Debug)]
pub struct Game {
    key: IdKey,
    started: Timestamp,
    ended: Ended,
    /// Of its line, to tell records apart.
    digest: [u32; 4],
    /// Why it does not count.
    misfit: Option<Misfit>,
}

impl Game {
    /// Reads it from a line of a log, and checks it.
    ///
    /// # Errors
    /// The line is not a game, and there is no plan by which it could be known that one is missing.
    pub fn read(line: &[u8], check: &Check<'_>) -> Result<Game, String> {
        let digest = start_of_digest(line);
        let record: Logged<'_> = match gamelog::parse(line) {
            Ok(record) => record,
            Err(message) if check.plan.is_some() => return Ok(Game::damaged(digest, message)),
            Err(message) => return Err(message),
        };
        let key = IdKey::of(&record.id);
        Ok(Game {
            key,
            started: record.started,
            ended: Ended::from(&record),
            digest,
            misfit: check.misfit(key, &record),
        })
    }

    fn damaged(digest: [u32; 4], message: String) -> Game {
        Game {
            key: IdKey::of(""),
            started: Timestamp::UNIX_EPOCH,
            ended: Ended {
                result: GameResult::Unfinished,
                left_us: None,
            },
            digest,
            misfit: Some(Misfit::Damaged(message)),
        }
    }
}

/// Which of two records of a game counts if they differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    /// This one, if it is added first: of the merged log, and of logs that the operator prefers.
    First,
    /// This one, if it is added first and the other one is an attempt, too: of jobs that were
    /// submitted.
    Attempt,
    /// None of both.
    Equal,
}

/// The merged games, each once.
#[derive(Debug, Default)]
pub struct Merged {
    /// Number of records that do not count because another one of the game does.
    pub later: usize,
    /// Index in `found` of each game.
    games: HashMap<IdKey, u32>,
    found: Vec<Found>,
    /// The other records of games of which none counts, by their index in `found`.
    contested: HashMap<u32, Vec<Found>>,
    /// The times left of games with a clock for the whole meeting.
    left_us: HashMap<IdKey, [u64; 2]>,
    aside: Vec<(Spot, Misfit)>,
    logs: Vec<Arc<Path>>,
}

/// A game's record: when it began, how it ended, where it is. Small, for a million games.
#[derive(Debug)]
struct Found {
    started: Timestamp,
    digest: [u32; 4],
    result: GameResult,
    rank: Rank,
    spot: Spot,
}

/// A record that counts.
#[derive(Debug)]
pub struct Counted {
    place: Place,
    digest: [u32; 4],
}

impl Counted {
    /// Reads its line again, without its line end.
    ///
    /// # Errors
    /// It cannot be read, or is not the line that was checked.
    pub fn line(&self) -> Result<Vec<u8>, BadInput> {
        let line = self.place.line()?;
        if start_of_digest(&line) == self.digest {
            Ok(line)
        } else {
            Err(BadInput(format!(
                "{}: the line has changed since it was checked, expected a log that nobody writes; \
                 merge again",
                self.place
            )))
        }
    }
}

/// Where a line is.
#[derive(Clone, Copy, Debug)]
struct Spot {
    /// Index of its log.
    log: u32,
    line: u32,
    /// Its bytes in the log: where they begin, and how many they are.
    offset: u64,
    length: u32,
}

impl Merged {
    /// Adds the games of a log. What does not fit is set aside.
    ///
    /// # Errors
    /// The log cannot be read, or a line is not a game.
    ///
    /// # Panics
    /// There are 2³² games or more.
    pub fn add(
        &mut self,
        path: &Path,
        lines: impl Iterator<Item = io::Result<gamelog::Entry<Game>>>,
        rank: Rank,
    ) -> Result<(), BadInput> {
        let log = small(self.logs.len());
        self.logs.push(path.into());
        for entry in lines {
            let entry = entry.map_err(|error| gamelog::unreadable(path, &error))?;
            let bytes = entry.bytes.clone();
            let game = entry.record.map_err(|message| {
                let place = Place::new(&self.logs[log as usize], entry.line, entry.bytes);
                BadInput(format!("{place}: {message}, expected a game"))
            })?;
            let (line, offset) = (small(entry.line), bytes.start);
            // A longer line is damaged, and never read again.
            let length = u32::try_from(bytes.end - offset).unwrap_or(u32::MAX);
            let spot = Spot {
                log,
                line,
                offset,
                length,
            };
            self.add_game(game, spot, rank);
        }
        Ok(())
    }

    fn add_game(&mut self, game: Game, spot: Spot, rank: Rank) {
        let new = Found {
            started: game.started,
            digest: game.digest,
            result: game.ended.result,
            rank,
            spot,
        };
        match (self.games.entry(game.key), game.misfit) {
            // What was merged before counts.
            (Entry::Occupied(known), Some(_))
                if self.found[*known.get() as usize].digest == new.digest => {}
            (_, Some(misfit)) => self.aside.push((spot, misfit)),
            (Entry::Vacant(free), None) => {
                free.insert(small(self.found.len()));
                self.found.push(new);
                if let Some(left) = game.ended.left_us {
                    self.left_us.insert(game.key, left);
                }
            }
            (Entry::Occupied(known), None) => {
                let index = *known.get();
                if self.meet(index, new) {
                    self.left_us.remove(&game.key);
                }
            }
        }
    }

    /// Compares another record of a game with those that are known; whether none of them counts.
    fn meet(&mut self, index: u32, new: Found) -> bool {
        let known = &self.found[index as usize];
        let is_settled = match (known.rank, new.rank) {
            (Rank::First, _) | (Rank::Attempt, Rank::Attempt) => true,
            (Rank::Attempt | Rank::Equal, _) => false,
        };
        if known.digest == new.digest {
            return false;
        }
        if is_settled {
            self.later += 1;
            return false;
        }
        let others = self.contested.entry(index).or_default();
        if others.iter().all(|other| other.digest != new.digest) {
            others.push(new);
        }
        true
    }

    fn place(&self, spot: Spot) -> Place {
        let bytes = spot.offset..spot.offset + u64::from(spot.length);
        Place::new(&self.logs[spot.log as usize], spot.line as usize, bytes)
    }

    /// The lines that do not fit, and why.
    pub fn aside(&self) -> impl Iterator<Item = (Place, &Misfit)> {
        let aside = self.aside.iter();
        aside.map(|(spot, misfit)| (self.place(*spot), misfit))
    }

    /// The games of which no record counts, each with the places of all its records.
    pub fn contested(&self) -> impl Iterator<Item = Vec<Place>> {
        let mut indices: Vec<u32> = self.contested.keys().copied().collect();
        indices.sort_unstable();
        indices.into_iter().map(|index| {
            let others = &self.contested[&index];
            let all = [&self.found[index as usize]].into_iter().chain(others);
            all.map(|found| self.place(found.spot)).collect()
        })
    }

    /// Forgets what was set aside, and the records that do not count: the logs are read again.
    pub fn read_again(&mut self) {
        self.aside.clear();
        self.later = 0;
    }

    /// The records that count, sorted by start time and id: the order of the logs does not matter.
    ///
    /// # Errors
    /// Games that began at the same time cannot be read again.
    pub fn counted(&self) -> Result<impl Iterator<Item = Counted>, BadInput> {
        let found = (0..).zip(&self.found);
        let counts = found.filter(|(index, _)| !self.contested.contains_key(index));
        let mut games: Vec<&Found> = counts.map(|(_, found)| found).collect();
        games.sort_by_key(|found| found.started);
        for together in games.chunk_by_mut(|a, b| a.started == b.started) {
            if together.len() > 1 {
                let named = together
                    .iter()
                    .map(|found| Ok((self.place(found.spot).game()?.id, *found)));
                let mut named: Vec<_> = named.collect::<Result<_, BadInput>>()?;
                named.sort_by(|(a, _), (b, _)| a.cmp(b));
                let found = named.into_iter().map(|(_, found)| found);
                together
                    .iter_mut()
                    .zip(found)
                    .for_each(|(game, found)| *game = found);
            }
        }
        Ok(games.into_iter().map(|found| Counted {
            place: self.place(found.spot),
            digest: found.digest,
        }))
    }

    /// The games that count by their ids.
    pub fn played(&self) -> Played {
        let games = self.games.iter();
        let counts = games.filter(|(_, index)| !self.contested.contains_key(index));
        let results = counts.map(|(key, index)| (*key, self.found[*index as usize].result));
        Played::of(results.collect(), self.left_us.clone())
    }

    /// The same. What it frees is more than what it takes.
    pub fn into_played(self) -> Played {
        let results: Vec<GameResult> = self.found.iter().map(|found| found.result).collect();
        drop(self.found);
        let games = self.games.into_iter();
        let counts = games.filter(|(_, index)| !self.contested.contains_key(index));
        let results = counts.map(|(key, index)| (key, results[index as usize]));
        Played::of(results.collect(), self.left_us)
    }
}

/// A number below 2³².
fn small(number: usize) -> u32 {
    u32::try_from(number).expect("below 2^32")
}

#[cfg(test)]
mod tests;
