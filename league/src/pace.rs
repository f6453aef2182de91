//! How fast this host is, and the clocks of a league on it.

pub mod speed;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use base::error::inform;
use catalog::AnyGame;
use task::pace::{self, Pace};

use crate::config::Config;

/// The pace of this host in a league with its log in `folder`: measured if the league scales its
/// clocks, or is played in shards.
pub fn of_host(config: &Config, folder: &Path) -> Result<Option<Pace>> {
    let known = pace::reference(folder)?;
    if known.is_none() && !config.time_scaling {
        return Ok(None);
    }
    let speed = measure(config);
    if !config.time_scaling {
        return Ok(Some(Pace::unscaled(speed)));
    }
    let reference = match known {
        Some(reference) => reference,
        // The league begins here.
        None => save(folder, speed)?,
    };
    let pace = Pace::scaled(speed, reference);
    inform(format_args!(
        "this host makes {} nodes per second; its clocks are those of the file times {}",
        pace.speed, pace.scale
    ));
    Ok(Some(pace))
}

/// Measures this host as the one for which the clocks of a league are meant, unless one is known.
pub fn begin(config: &Config, folder: &Path) -> Result<()> {
    if pace::reference(folder)?.is_none() {
        save(folder, measure(config))?;
    }
    Ok(())
}

fn save(folder: &Path, speed: u64) -> Result<u64> {
    let saved = fs::create_dir_all(folder).and_then(|()| pace::save_reference(folder, speed));
    saved.with_context(|| folder.display().to_string())?;
    Ok(speed)
}

/// Measures this host by the games of a league.
fn measure(config: &Config) -> u64 {
    let games = config.games.iter();
    let rules: Vec<&dyn AnyGame> = games.filter_map(|game| catalog::find(&game.id)).collect();
    speed::measure(&rules)
}
