//! The seed of a league whose file gives none: drawn when the league begins, kept beside its log,
//! shown when it has ended.

use std::path::Path;

use anyhow::{Context, Result};
use base::error::{BadInput, inform};
use task::seed::{FILE_NAME, Seed};

use crate::config::Config;

/// A seed that was drawn.
#[derive(Debug)]
pub struct Drawn {
    seed: Seed,
    /// Whether this run has drawn it.
    is_new: bool,
}

impl Drawn {
    /// Draws a seed for a league whose file gives none, unless it has one from an earlier run. `None`
    /// if the file gives one.
    pub fn for_league(config: &mut Config, folder: &Path) -> Result<Option<Drawn>> {
        if config.seed.is_some() {
            return Ok(None);
        }
        let earlier = Seed::of_log(folder)?;
        let is_new = earlier.is_none();
        let seed = match earlier {
            Some(seed) => seed,
            None => Seed::draw().context("/dev/urandom")?,
        };
        config.seed = Some(seed.clone());
        Ok(Some(Drawn { seed, is_new }))
    }

    /// Saves it in the folder of the log, which must be locked, and announces it.
    pub fn keep(&self, folder: &Path) -> Result<()> {
        let path = folder.join(FILE_NAME);
        if self.is_new {
            self.seed
                .save(folder)
                .with_context(|| path.display().to_string())?;
        }
        inform(format_args!(
            "seed drawn, in {} until the end; its SHA-256: {}",
            path.display(),
            self.seed.commitment()
        ));
        Ok(())
    }

    /// Saves it again if its file has been lost, so that the league can go on with saved games.
    pub fn restore(&self, folder: &Path) -> Result<()> {
        if !folder.join(FILE_NAME).exists() {
            self.seed.save(folder)?;
        }
        Ok(())
    }

    /// What the tables say of it when the league has ended.
    pub fn reveal(&self) -> String {
        format!(
            "Seed, drawn before the first game: {}\nIts SHA-256, as announced: {}\n",
            self.seed,
            self.seed.commitment()
        )
    }
}

/// Gives a league the seed that its file does not give, from the folder of its log. Returns whether there
/// is one: otherwise the league gets any, and only what no seed changes is true of it.
pub fn known_or_any(config: &mut Config, folder: &Path) -> Result<bool> {
    if config.seed.is_none() {
        config.seed = Seed::of_log(folder)?;
    }
    let is_known = config.seed.is_some();
    if !is_known {
        config.seed = Some(Seed::draw().context("/dev/urandom")?);
    }
    Ok(is_known)
}

/// Gives a league the seed that its file does not give, from the folder of its log.
///
/// # Errors
/// No seed has been drawn there.
pub fn from_log(config: &mut Config, file: &Path, folder: &Path) -> Result<()> {
    if known_or_any(config, folder)? {
        return Ok(());
    }
    let example = Seed::draw().context("/dev/urandom")?;
    Err(BadInput(format!(
        "{}: no seed, and none was drawn in {} yet, so its games are unknown; expected [league] with \
         seed = {}, or any other number, or the folder of a league that has begun",
        file.display(),
        folder.display(),
        example.branch("example").value() >> 32
    ))
    .into())
}
