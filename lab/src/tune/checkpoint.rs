//! The state of a tuning on the disk, and its folder.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use base::disk::{self, replace};
use base::error::BadInput;
use gamelog::lock;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::tune::config::Tuning;
use crate::tune::texel::Fit;

/// Name of the file in the folder of a tuning.
pub const FILE_NAME: &str = "state.json";

/// The version of its format.
const SCHEMA: u32 = 1;

/// A real number as text, so that what is read is what was written, to the last bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Exact(f64);

impl TryFrom<String> for Exact {
    type Error = String;

    fn try_from(text: String) -> Result<Exact, String> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number
            .map(Exact)
            .ok_or(format!("{text:?}, expected a number"))
    }
}

impl From<Exact> for String {
    fn from(number: Exact) -> String {
        number.0.to_string()
    }
}

/// How far a tuning has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    schema: u32,
    /// The digest of the configuration.
    digest: String,
    /// The configuration, to say what has changed.
    configuration: Vec<String>,
    /// Number of iterations done.
    pub iteration: u64,
    /// Games won, drawn and lost by the players that were moved forward.
    pub games: [u64; 3],
    values: Vec<Exact>,
    /// The values after some of the iterations.
    path: Vec<(u64, Vec<Exact>)>,
    /// The result of Texel's method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<Fit>,
}

impl Checkpoint {
    /// The beginning of a tuning.
    pub fn new(tuning: &Tuning) -> Checkpoint {
        let (configuration, digest) = tuning.configuration();
        let start = tuning.parameters.iter().map(|tuned| tuned.dimension.start);
        let mut checkpoint = Checkpoint {
            schema: SCHEMA,
            digest,
            configuration,
            iteration: 0,
            games: [0; 3],
            values: start.map(Exact).collect(),
            path: Vec::new(),
            fit: None,
        };
        checkpoint.note();
        checkpoint
    }

    /// The values of the parameters.
    pub fn values(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.0).collect()
    }

    /// Sets the values of the parameters.
    pub fn set_values(&mut self, values: &[f64]) {
        self.values = values.iter().copied().map(Exact).collect();
    }

    /// Adds the values to the path.
    pub fn note(&mut self) {
        self.path.push((self.iteration, self.values.clone()));
    }

    /// Iterations and the values after them.
    pub fn path(&self) -> impl Iterator<Item = (u64, Vec<f64>)> {
        let numbers = |values: &[Exact]| values.iter().map(|value| value.0).collect();
        self.path
            .iter()
            .map(move |(iteration, values)| (*iteration, numbers(values)))
    }
}

/// A checkpoint that could not be written.
#[derive(Debug, Error)]
#[error("{}: cannot be written: {error}. {kept}", path.display())]
pub struct Unwritten {
    path: PathBuf,
    error: io::Error,
    /// What is still there.
    kept: String,
}

/// The folder of a tuning, which no other process may use meanwhile.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Locked.
    _lock: File,
    /// The iteration of the checkpoint on the disk, if there is one.
    saved: Option<u64>,
}

impl Folder {
    /// Opens or creates the folder of a tuning and reads its checkpoint, or begins anew.
    ///
    /// # Errors
    /// The folder cannot be used, another process uses it, or its checkpoint cannot be read or
    /// belongs to another configuration.
    pub fn open(path: &Path, tuning: &Tuning) -> Result<(Folder, Checkpoint), BadInput> {
        let bad = |error: io::Error| {
            BadInput(format!(
                "{}: {error}, expected a folder for the tuning",
                path.display()
            ))
        };
        fs::create_dir_all(path).map_err(bad)?;
        let file = disk::open_to_append(&path.join("lock"), true).map_err(bad)?;
        if !lock(&file).map_err(bad)? {
            let message = format!("{}: another process tunes here", path.display());
            return Err(BadInput(message));
        }
        let found = read(&path.join(FILE_NAME), tuning)?;
        let folder = Folder {
            path: path.to_owned(),
            _lock: file,
            saved: found.as_ref().map(|checkpoint| checkpoint.iteration),
        };
        Ok((folder, found.unwrap_or_else(|| Checkpoint::new(tuning))))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the checkpoint: whatever happens, the old one or the new one is there.
    ///
    /// # Errors
    /// It cannot be written; the old one is still there.
    pub fn save(&mut self, checkpoint: &Checkpoint) -> Result<(), Unwritten> {
        let path = self.path.join(FILE_NAME);
        Folder::write(&path, checkpoint).map_err(|error| Unwritten {
            path,
            error,
            kept: match self.saved {
                Some(iteration) => format!("The checkpoint of iteration {iteration} remains"),
                None => "There is no checkpoint yet".to_owned(),
            },
        })?;
        self.saved = Some(checkpoint.iteration);
        Ok(())
    }

    fn write(path: &Path, checkpoint: &Checkpoint) -> io::Result<()> {
        let mut text = serde_json::to_vec(checkpoint)?;
        text.push(b'\n');
        replace(path, &text)
    }
}

/// The checkpoint in a folder that another process may use, or the beginning.
///
/// # Errors
/// It cannot be read or belongs to another configuration.
pub fn of_folder(folder: &Path, tuning: &Tuning) -> Result<Checkpoint, BadInput> {
    let found = read(&folder.join(FILE_NAME), tuning)?;
    Ok(found.unwrap_or_else(|| Checkpoint::new(tuning)))
}

/// The checkpoint at `path`; `None` if there is none.
fn read(path: &Path, tuning: &Tuning) -> Result<Option<Checkpoint>, BadInput> {
    let shown = path.display();
    let remove = "remove it to begin again, or give another folder with --out";
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(BadInput(format!("{shown}: {error}, expected a checkpoint"))),
    };
    let checkpoint: Checkpoint = serde_json::from_slice(&text).map_err(|error| {
        BadInput(format!(
            "{shown}: {error}, expected a checkpoint of a tuning; {remove}"
        ))
    })?;
    let (lines, digest) = tuning.configuration();
    if checkpoint.schema != SCHEMA {
        let found = checkpoint.schema;
        return Err(BadInput(format!(
            "{shown}: schema {found}, expected {SCHEMA}; {remove}"
        )));
    }
    if checkpoint.digest != digest {
        let pairs = lines.iter().zip(&checkpoint.configuration);
        let changed = pairs.into_iter().find(|(now, then)| now != then);
        let changed = match changed {
            Some((now, then)) => format!("{then:?} is now {now:?}"),
            None => "its number of parameters has changed".to_owned(),
        };
        return Err(BadInput(format!(
            "{shown}: a checkpoint of another configuration: {changed}; {remove}"
        )));
    }
    let fits = |values: &[Exact]| values.len() == tuning.parameters.len();
    if !fits(&checkpoint.values) || !checkpoint.path.iter().all(|(_, values)| fits(values)) {
        let message =
            format!("{shown}: too few or too many values, expected a checkpoint; {remove}");
        return Err(BadInput(message));
    }
    Ok(Some(checkpoint))
}
