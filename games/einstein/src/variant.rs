//! The rule settings.

use engine_core::{Position, Side};
use game::VariantError;
use serde::{Deserialize, Serialize};

use crate::board::Einstein;
use crate::notation;

/// A colour of pieces. Red starts in the top left corner, blue in the bottom right corner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// From A5 to E1.
    #[default]
    Red,
    /// From E1 to A5.
    Blue,
}

impl Colour {
    /// The other colour.
    pub const fn opponent(self) -> Colour {
        match self {
            Colour::Red => Colour::Blue,
            Colour::Blue => Colour::Red,
        }
    }

    /// The letter before a piece's number: `R` or `B`.
    pub const fn letter(self) -> char {
        match self {
            Colour::Red => 'R',
            Colour::Blue => 'B',
        }
    }

    /// `red` or `blue`.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Blue => "blue",
        }
    }
}

/// The rule settings. The default is the contest game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {
    /// The colour of `First`.
    pub first_colour: Colour,
    /// Fixed layouts of `First` and `Second`, as `["653214", "123456"]`: the numbers on the home
    /// squares, row by row from the top, left to right. The game then begins with the first roll.
    /// If empty, the players lay out.
    pub layouts: Vec<String>,
}

impl Variant {
    /// The start position.
    ///
    /// # Errors
    /// `layouts` with a length other than 0 or 2, or a layout other than the digits 1 to 6, each
    /// once.
    pub fn start(&self) -> Result<Einstein, VariantError> {
        let mut position = Einstein::new(self.first_colour);
        if ![0, 2].contains(&self.layouts.len()) {
            return Err(VariantError(format!(
                "layouts: expected none, or that of First and that of Second, found {}",
                self.layouts.len()
            )));
        }
        for (side, digits) in Side::BOTH.into_iter().zip(&self.layouts) {
            let layout = notation::parse_layout(digits, position.colour(side))
                .map_err(|error| VariantError(format!("layouts: {digits:?}: {error}")))?;
            position.play(layout);
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_layouts(layouts: &[&str]) -> Variant {
        Variant {
            layouts: layouts.iter().map(|digits| digits.to_string()).collect(),
            ..Variant::default()
        }
    }

    #[test]
    fn settings_are_read_by_name() {
        let read = |json| serde_json::from_str::<Variant>(json).map_err(|e| e.to_string());
        assert_eq!(read("{}"), Ok(Variant::default()));
        let all = r#"{"first_colour":"blue","layouts":["653214","123456"]}"#;
        let variant = Variant {
            first_colour: Colour::Blue,
            ..with_layouts(&["653214", "123456"])
        };
        assert_eq!(serde_json::to_string(&variant).unwrap(), all);
        assert_eq!(read(all), Ok(variant));
        for (wrong, complaint) in [
            (r#"{"first_color":"blue"}"#, "unknown field `first_color`"),
            (r#"{"first_colour":"green"}"#, "unknown variant `green`"),
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains(complaint), "{wrong}: {error}");
        }
    }

    #[test]
    fn layouts_are_none_or_two_orders_of_six_numbers() {
        assert!(with_layouts(&[]).start().is_ok());
        assert!(with_layouts(&["653214", "123456"]).start().is_ok());
        for wrong in [
            &["653214"][..],
            &["653214", "123456", "123456"],
            &["653214", "123457"],
            &["653214", "123455"],
            &["653214", "12345"],
            &["", ""],
            &["653214", "1234567"],
            &["六53214", "123456"],
        ] {
            assert!(with_layouts(wrong).start().is_err(), "{wrong:?}");
        }
    }
}
