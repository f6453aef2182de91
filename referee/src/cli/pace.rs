//! How fast this host is, and the clocks of a league on it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use catalog::Rules;
use referee_core::base::error::inform;
use referee_core::cluster::speed;
use referee_core::league::config::Config;
use referee_core::task::pace::{self, Pace};

/// The pace of this host in a league with its log in `folder`: measured if the league scales its
/// clocks, or is played in shards.
pub(super) fn of_host(config: &Config, folder: &Path) -> Result<Option<Pace>> {
    if config.time_scaling {
        let reference = reference(config, folder)?;
        let pace = Pace::scaled(measure(config), reference);
        inform(format_args!(
            "this host makes {} nodes per second; its clocks are those of the file times {}",
            pace.speed, pace.scale
        ));
        return Ok(Some(pace));
    }
    let is_shard = pace::reference(folder)?.is_some();
    Ok(is_shard.then(|| Pace::unscaled(measure(config))))
}

/// The speed for which the clocks of a league are meant: that of the host on which it began.
pub(super) fn reference(config: &Config, folder: &Path) -> Result<u64> {
    if let Some(speed) = pace::reference(folder)? {
        return Ok(speed);
    }
    let speed = measure(config);
    fs::create_dir_all(folder)
        .and_then(|()| pace::save_reference(folder, speed))
        .with_context(|| folder.display().to_string())?;
    Ok(speed)
}

/// Measures this host by the games of a league.
fn measure(config: &Config) -> u64 {
    let games = config.games.iter();
    let rules: Vec<&dyn Rules> = games.filter_map(|game| catalog::find(&game.id)).collect();
    speed::measure(&rules)
}
