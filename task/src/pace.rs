//! The speed of a host, and clocks that make up for it.

use std::io::{self, ErrorKind};
use std::path::Path;

use base::disk::replace;
use base::error::BadInput;
use base::input;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::clock::ClockSpec;

/// Name of the file beside a log with the speed for which the clocks of its league are meant: one
/// number, in nodes per second.
const FILE_NAME: &str = "speed";

/// How fast the host of a game was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Its speed, nodes per second, of alpha-beta on one thread.
    pub speed: u64,
    /// What the times of the clocks were multiplied by, in thousandths; 1 if they were not.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: f64,
}

fn one() -> f64 {
    1.0
}

fn is_one(scale: &f64) -> bool {
    *scale == 1.0
}

impl Pace {
    /// The pace of a host with this speed, with clocks as in the league file.
    pub fn unscaled(speed: u64) -> Pace {
        Pace { speed, scale: 1.0 }
    }

    /// The pace of a host with this speed, with clocks that are meant for a host of `reference`, both
    /// in nodes per second.
    pub fn scaled(speed: u64, reference: u64) -> Pace {
        let scale = reference as f64 / speed.max(1) as f64;
        Pace {
            speed,
            scale: (1000.0 * scale).round().max(1.0) / 1000.0,
        }
    }

    /// A clock on this host. The margin and the patience stay: they are not time for a search.
    pub fn clock(&self, clock: ClockSpec) -> ClockSpec {
        let scaled = |time: SignedDuration| {
            let us = (time.as_micros() as f64 * self.scale).round();
            SignedDuration::from_micros(us as i64)
        };
        ClockSpec {
            base: clock.base.map(scaled),
            increment: scaled(clock.increment),
            delay: scaled(clock.delay),
            bronstein: scaled(clock.bronstein),
            byoyomi: clock.byoyomi.map(scaled),
            per_move: clock.per_move.map(scaled),
            ..clock
        }
    }
}

/// Both clocks of a game on a host whose pace may be unknown.
pub fn clocks(clocks: [ClockSpec; 2], pace: Option<Pace>) -> [ClockSpec; 2] {
    match pace {
        Some(pace) if pace.scale != 1.0 => clocks.map(|clock| pace.clock(clock)),
        _ => clocks,
    }
}

/// The speed for which the clocks of the league with its log in `folder` are meant; `None` if none
/// was measured.
///
/// # Errors
/// The file cannot be read, or holds no speed.
pub fn reference(folder: &Path) -> Result<Option<u64>, BadInput> {
    let path = folder.join(FILE_NAME);
    let message = match input::supplied(&path) {
        Ok(text) => match text.trim_end().parse() {
            Ok(speed) if speed > 0 => return Ok(Some(speed)),
            _ => format!("{:?}", text.trim_end()),
        },
        // Whoever opens the log says what is wrong with a folder that is none.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => error.to_string(),
    };
    Err(BadInput(format!(
        "{}: {message}, expected the speed of a host in nodes per second, such as 1500000",
        path.display()
    )))
}

/// Writes that speed beside the log in `folder`.
///
/// # Errors
/// The file cannot be written.
pub fn save_reference(folder: &Path, speed: u64) -> io::Result<()> {
    replace(&folder.join(FILE_NAME), format!("{speed}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn clock(text: &str) -> ClockSpec {
        serde_json::from_str(text).expect("a clock")
    }

    #[test]
    fn a_slow_host_gets_more_time() {
        let slow = Pace::scaled(500_000, 1_500_000);
        assert_eq!(slow.scale, 3.0);
        for (text, expected) in [
            (
                r#"{"base": "PT1M", "increment": "PT0.5S", "margin": "PT0.02S"}"#,
                r#"{"base": "PT3M", "increment": "PT1.5S", "margin": "PT0.02S"}"#,
            ),
            (
                r#"{"base": "PT1M", "bronstein": "PT1S"}"#,
                r#"{"base": "PT3M", "bronstein": "PT3S"}"#,
            ),
            (
                r#"{"base": "PT1M", "delay": "PT1S"}"#,
                r#"{"base": "PT3M", "delay": "PT3S"}"#,
            ),
            (
                r#"{"byoyomi": "PT2S", "periods": 3}"#,
                r#"{"byoyomi": "PT6S", "periods": 3}"#,
            ),
            (
                r#"{"move": "PT0.1S", "nodes": 1000}"#,
                r#"{"move": "PT0.3S", "nodes": 1000}"#,
            ),
            (
                r#"{"depth": 3, "patience": "PT9S"}"#,
                r#"{"depth": 3, "patience": "PT9S"}"#,
            ),
        ] {
            assert_eq!(slow.clock(clock(text)), clock(expected));
        }
    }

    #[test]
    fn a_pace_is_read_as_it_was_written() {
        for (speed, reference) in [(3, 1), (999, 1_000), (1_234_567, 7_654_321), (0, 1), (7, 7)] {
            let pace = Pace::scaled(speed, reference);
            let text = serde_json::to_string(&pace).expect("JSON");
            assert_eq!(serde_json::from_str::<Pace>(&text).expect("a pace"), pace);
        }
        let same = serde_json::to_string(&Pace::unscaled(5)).expect("JSON");
        assert_eq!(same, r#"{"speed":5}"#);
    }

    #[test]
    fn the_speed_of_a_league_is_kept_beside_its_log() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(reference(folder.path()), Ok(None));
        save_reference(folder.path(), 1_500_000).expect("written");
        assert_eq!(reference(folder.path()), Ok(Some(1_500_000)));
        fs::write(folder.path().join(FILE_NAME), "fast\n").expect("written");
        let error = reference(folder.path()).expect_err("no number");
        assert!(
            error.0.ends_with(
                "\"fast\", expected the speed of a host in nodes per second, such as 1500000"
            ),
            "{error}"
        );
    }
}
