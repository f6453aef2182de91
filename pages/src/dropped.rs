//! Records that were dropped on a page: their games become a league of their own.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use base::error::BadInput;
use gamelog::Log;
use gamelog::files::logged::game_of;
use gamelog::files::{Records, Source, Take, at};
use gamelog::record::{GameRecord, Logged};
use records::TextReading;

/// The name of the league of dropped records.
pub(crate) const LEAGUE: &str = "records";

/// Largest file, bytes.
pub(crate) const LARGEST: usize = 4 << 20;

/// What became of a file.
pub(crate) struct Taken {
    /// The ids of its games, those that were known before too.
    pub(crate) ids: Vec<String>,
    /// What could not be read, one message for each.
    pub(crate) faults: Vec<String>,
}

/// Takes the games of a file into the league of dropped records below `root`. Of a game that cannot be
/// played to its end, the part before the fault is taken.
///
/// # Errors
/// The file cannot be kept, or the log cannot be written.
pub(crate) fn take(root: &Path, name: &str, bytes: &[u8]) -> Result<Taken, String> {
    let mut found = Found::default();
    found.read(name, bytes).map_err(|error| error.to_string())?;
    let Found { games, faults } = found;
    let ids = games.iter().map(|game| game.id.clone()).collect();
    if !games.is_empty() {
        append(&root.join(LEAGUE), &games).map_err(|error| error.to_string())?;
    }
    Ok(Taken { ids, faults })
}

fn append(folder: &Path, games: &[GameRecord]) -> Result<(), BadInput> {
    let mut ids = HashSet::new();
    let opened = Log::open(
        folder,
        |game: Logged<'_>| game.id,
        |id| {
            ids.insert(id);
        },
    )?;
    let mut log = opened.log;
    for game in games {
        if ids.insert(game.id.clone()) {
            let appended = log.append(game);
            appended.map_err(|error| BadInput(format!("{}: {error}", log.path().display())))?;
        }
    }
    Ok(())
}

/// What was found in a file.
#[derive(Default)]
struct Found {
    games: Vec<GameRecord>,
    faults: Vec<String>,
}

impl Found {
    /// Reads a file as `referee import` does, under its own name, which may say who played.
    fn read(&mut self, name: &str, bytes: &[u8]) -> Result<(), BadInput> {
        let folder = tempfile::tempdir();
        let kept = folder.and_then(|folder| {
            let path = folder.path().join(file_name(name));
            fs::write(&path, bytes).map(|()| (folder, path))
        });
        let (_folder, path) =
            kept.map_err(|error| BadInput(format!("cannot keep {name:?}: {error}")))?;
        let source = Source::default();
        let mut files = source.find(&[path])?;
        source.each(&mut files, self)
    }

    fn note(&mut self, place: &str, message: &str) {
        // The folder is of no use to anybody.
        let place = place.rsplit('/').next().unwrap_or(place);
        // Nor is an option of a command.
        let message = message.replace(", or --game to name the game", "");
        self.faults.push(format!("{place}: {message}"));
    }
}

/// The last part of a name, without what no file name has.
fn file_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut safe: String = last.chars().filter(|c| !c.is_control()).take(60).collect();
    if safe.trim_matches('.').is_empty() {
        safe = "record".to_owned();
    }
    safe
}

impl Take for Found {
    type Error = BadInput;

    fn log(&mut self, path: &Path) -> Result<bool, BadInput> {
        let name = path.display().to_string();
        self.note(
            &name,
            "a log, expected a record; put logs below the folder of the leagues",
        );
        Ok(true)
    }

    fn game(
        &mut self,
        path: &Path,
        records: &Records,
        reading: TextReading,
    ) -> Result<(), BadInput> {
        if let Some(fault) = &reading.fault {
            self.note(&at(path, fault.place), &fault.message());
        }
        match game_of(records.rules, records.format, &reading) {
            Ok(game) => self.games.push(game),
            Err(message) => self.note(&format!("{}:{}", path.display(), reading.line), &message),
        }
        Ok(())
    }

    fn refuse(&mut self, at: &str, message: &str) -> Result<(), BadInput> {
        self.note(at, message);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_taken_once_and_faults_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let sgf = b"(;FF[4]GM[11]SZ[5]PB[a]PW[b];B[c3];W[b2];B[d2])";
        let taken = take(folder.path(), "../../lost.sgf", sgf).unwrap();
        assert_eq!(
            (taken.ids.len(), taken.faults.len()),
            (1, 0),
            "{:?}",
            taken.faults
        );
        let log = folder.path().join(LEAGUE).join(gamelog::FILE_NAME);
        let lines = || fs::read_to_string(&log).unwrap().lines().count();
        assert_eq!(lines(), 1);
        assert_eq!(
            take(folder.path(), "again.sgf", sgf).unwrap().ids,
            taken.ids
        );
        assert_eq!(lines(), 1, "the same game is the same");
        // Up to the fault.
        let faulty = b"(;FF[4]GM[11]SZ[5];B[c3];W[c3])";
        let taken = take(folder.path(), "faulty.sgf", faulty).unwrap();
        assert_eq!(taken.ids.len(), 1);
        assert!(
            taken.faults[0].starts_with("faulty.sgf:1:"),
            "{:?}",
            taken.faults
        );
        let none = take(folder.path(), "none.txt", b"nothing of this kind").unwrap();
        assert!(none.ids.is_empty() && none.faults.len() == 1);
        assert_eq!(lines(), 2);
        for name in ["", "..", "/", "a/..", "\0"] {
            assert_eq!(file_name(name), "record", "{name:?}");
        }
    }
}
