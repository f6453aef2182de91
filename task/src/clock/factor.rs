//! A factor of a time, such as `×2`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A whole number from 1 to [`Factor::MOST`] by which a time is multiplied; written `×2` or `x2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Factor(u32);

impl Factor {
    /// The largest factor.
    pub const MOST: u32 = 1000;

    /// Twice the time.
    pub const TWICE: Factor = Factor(2);

    /// The time multiplied by the factor.
    pub fn of(self, time: Duration) -> Duration {
        time.saturating_mul(self.0)
    }
}

impl FromStr for Factor {
    type Err = String;

    fn from_str(text: &str) -> Result<Factor, String> {
        let digits = text.strip_prefix(['×', 'x']);
        let factor = digits.and_then(|digits| digits.parse().ok());
        let factor = factor.filter(|factor| (1..=Factor::MOST).contains(factor));
        factor.map(Factor).ok_or_else(|| {
            let most = Factor::MOST;
            format!("{text:?}, expected a factor from \"×1\" to \"×{most}\"")
        })
    }
}

impl TryFrom<String> for Factor {
    type Error = String;

    fn try_from(text: String) -> Result<Factor, String> {
        text.parse()
    }
}

impl From<Factor> for String {
    fn from(factor: Factor) -> String {
        factor.to_string()
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "×{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_factor_has_a_sign_or_a_letter() {
        for text in ["×2", "x2"] {
            assert_eq!(text.parse(), Ok(Factor::TWICE));
        }
        assert_eq!(
            Factor::TWICE.of(Duration::from_secs(3)),
            Duration::from_secs(6)
        );
        for text in ["", "2", "×", "×0", "×1001", "x2.5", "x-1", "xx2", "5s"] {
            let fault = text.parse::<Factor>().unwrap_err();
            assert_eq!(
                fault,
                format!("{text:?}, expected a factor from \"×1\" to \"×1000\"")
            );
        }
    }

    proptest! {
        #[test]
        fn every_factor_reads_as_it_is_written(number in 1..=Factor::MOST) {
            let factor = Factor(number);
            prop_assert_eq!(factor.to_string().parse(), Ok(factor));
        }

        #[test]
        fn any_text_is_read_without_panic(text in "[×x]?.{0,6}") {
            if let Ok(factor) = text.parse::<Factor>() {
                prop_assert_eq!(factor.to_string().parse(), Ok(factor));
            }
        }
    }
}
