//! Durations on the command line, written as in league files.

use std::time::Duration;

use jiff::SignedDuration;
use task::clock::MAX_TIME;

/// A duration above 0.
///
/// # Errors
/// What is expected instead.
pub(super) fn above_0(text: &str) -> Result<Duration, String> {
    match from_0(text)? {
        Duration::ZERO => Err("expected a time above 0".to_owned()),
        time => Ok(time),
    }
}

/// A duration of 0 or more.
///
/// # Errors
/// What is expected instead.
pub(super) fn from_0(text: &str) -> Result<Duration, String> {
    let time: SignedDuration = text.parse().map_err(|_| {
        let example = match text.parse::<f64>() {
            Ok(number) if number >= 0.0 => format!("{number}s or {number}ms"),
            _ => "500ms, 10s or 15m".to_owned(),
        };
        format!("expected a time with its unit, such as {example}")
    })?;
    if time > MAX_TIME {
        return Err("expected at most a year".to_owned());
    }
    Duration::try_from(time).map_err(|_| "expected a time of 0 or more".to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_have_units() {
        for (text, ms) in [
            ("500ms", 500),
            ("10s", 10_000),
            ("1.5s", 1500),
            ("15m", 900_000),
            ("1h 30m", 5_400_000),
            ("PT10S", 10_000),
        ] {
            assert_eq!(above_0(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        assert_eq!(from_0("0s"), Ok(Duration::ZERO));
    }

    #[test]
    fn other_text_is_refused_with_an_example() {
        let error = |text| above_0(text).unwrap_err();
        assert!(error("60").ends_with("such as 60s or 60ms"));
        assert!(error("soon").ends_with("such as 500ms, 10s or 15m"));
        assert!(error("-60").ends_with("such as 500ms, 10s or 15m"));
        assert_eq!(error("0s"), "expected a time above 0");
        assert_eq!(error("-1s"), "expected a time of 0 or more");
        assert_eq!(error("9000h"), "expected at most a year");
    }

    proptest! {
        #[test]
        fn text_is_read_or_refused(text in "\\PC{0,12}") {
            if let Ok(time) = above_0(&text) {
                prop_assert!(time > Duration::ZERO);
            }
        }
    }
}
