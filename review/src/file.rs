//! The file of reviews beside a log or a record: one line a game, appended and never changed.
//!
//! A line names the record by a digest of its game, so a review is never shown for a game that was
//! changed. What follows from the searches (values, marks, sums) is not in it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use base::disk;
use base::error::BadInput;
use gamelog::record::GameRecord;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::plan::Plan;
use crate::searched::Searched;

/// The version of the lines.
const VERSION: u32 = 1;

/// What the name of a file of reviews has after that of the log or record.
pub const EXTENSION: &str = "review";

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    review: u32,
    /// The program that searched.
    program: String,
    /// The id of the game, for people.
    id: String,
    /// [`digest`] of its record.
    digest: String,
    plan: Plan,
    points: Searched,
}

/// The reviews beside a log or a record.
pub struct Reviews {
    path: PathBuf,
    /// By digest: the plans and what was found. The last line of a plan counts.
    known: HashMap<String, Vec<(Plan, Searched)>>,
    /// Lines that are no reviews of this version.
    pub unread: usize,
    /// The file, once something was written.
    file: Option<File>,
}

/// The file of reviews of a log or a record.
pub fn path_of(games: &Path) -> PathBuf {
    let mut name = games.as_os_str().to_owned();
    name.push(".");
    name.push(EXTENSION);
    PathBuf::from(name)
}

/// A digest of what a review depends on: game, variant, opening, turns. 32 hexadecimal digits.
pub fn digest(record: &GameRecord) -> String {
    let turns: Vec<&str> = record.turns.iter().map(|turn| &*turn.text).collect();
    let all = serde_json::json!([record.game, record.variant, record.opening, turns]);
    let digest = Sha256::digest(all.to_string());
    digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Reviews {
    /// Reads the reviews at `path`; none if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: PathBuf) -> Result<Reviews, BadInput> {
        let mut reviews = Reviews {
            known: HashMap::new(),
            unread: 0,
            file: None,
            path,
        };
        let mut bytes = Vec::new();
        match disk::open_to_append(&reviews.path, false) {
            Ok(mut file) => {
                let read = file.read_to_end(&mut bytes);
                read.map_err(|error| reviews.failed("read", &error))?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(reviews.failed("read", &error)),
        }
        for line in bytes.split(|&byte| byte == b'\n') {
            reviews.take(line);
        }
        Ok(reviews)
    }

    fn take(&mut self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        match serde_json::from_slice::<Line>(line) {
            Ok(line) if line.review == VERSION => {
                if line.program == env!("CARGO_PKG_VERSION") {
                    self.keep(line.digest, line.plan, line.points);
                }
            }
            _ => self.unread += 1,
        }
    }

    fn keep(&mut self, digest: String, plan: Plan, points: Searched) {
        let of_game = self.known.entry(digest).or_default();
        of_game.retain(|(known, _)| *known != plan);
        of_game.push((plan, points));
    }

    /// What is known of a game by this plan.
    pub fn known(&self, digest: &str, plan: &Plan) -> Option<&Searched> {
        let mut of_game = self.known.get(digest)?.iter();
        of_game.find_map(|(known, points)| (known == plan).then_some(points))
    }

    /// The review of a game that was written last, of those that are whole if any is.
    pub fn best_of(&self, digest: &str) -> Option<(&Plan, &Searched)> {
        let of_game = self.known.get(digest)?;
        let whole = of_game.iter().rfind(|(_, searched)| searched.is_whole());
        whole
            .or(of_game.last())
            .map(|(plan, searched)| (plan, searched))
    }

    /// Appends what was found of a game.
    ///
    /// # Errors
    /// The file cannot be written; the review is lost, what was in the file is not.
    pub fn append(
        &mut self,
        id: &str,
        digest: &str,
        plan: &Plan,
        points: &Searched,
    ) -> Result<(), BadInput> {
        let line = Line {
            review: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            id: id.to_owned(),
            digest: digest.to_owned(),
            plan: plan.clone(),
            points: points.clone(),
        };
        let written = self.write(&line);
        written.map_err(|error| self.failed("write", &error))?;
        self.keep(line.digest, line.plan, line.points);
        Ok(())
    }

    fn write(&mut self, line: &Line) -> std::io::Result<()> {
        if self.file.is_none() {
            let mut file = disk::open_to_append(&self.path, true)?;
            // A line that a kill has cut off stays alone.
            let mut last = [b'\n'];
            if file.seek(SeekFrom::End(0))? > 0 {
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
            }
            if last != [b'\n'] {
                file.write_all(b"\n")?;
            }
            self.file = Some(file);
        }
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        let file = self.file.as_mut().expect("it was opened");
        file.write_all(&bytes)?;
        file.sync_data()
    }

    fn failed(&self, verb: &str, error: &std::io::Error) -> BadInput {
        BadInput(format!(
            "{}: cannot {verb} reviews: {error}",
            self.path.display()
        ))
    }
}
