//! Levels: how strong an engine plays against a person.

use std::time::Duration;

/// How strong an engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Its name in English.
    pub name: &'static str,
    /// Time per turn.
    pub time: Duration,
    /// Depth of the search, plies.
    pub depth: Option<u32>,
    /// How many of 100 actions are random; only built-in engines have this option, `noise`.
    pub noise: u32,
}

impl Level {
    /// All levels, from weak to strong.
    pub const ALL: [Level; 6] = [
        Level::new("beginner", 1000, Some(1), 40),
        Level::new("easy", 1000, Some(1), 10),
        Level::new("medium", 1000, Some(2), 0),
        Level::new("hard", 300, None, 0),
        Level::new("strong", 1000, None, 0),
        Level::new("very strong", 5000, None, 0),
    ];

    /// The level for whoever has not chosen one.
    pub const USUAL: Level = Level::ALL[2];

    /// The level of this name.
    pub fn find(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name == name)
    }

    const fn new(name: &'static str, ms: u64, depth: Option<u32>, noise: u32) -> Level {
        Level {
            name,
            time: Duration::from_millis(ms),
            depth,
            noise,
        }
    }
}
