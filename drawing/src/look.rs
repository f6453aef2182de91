//! How a shape looks: its inside and its outline, in colours of a palette.

use std::fmt::Write;

macro_rules! inks {
    ($($(#[$doc:meta])* $ink:ident, $name:literal;)*) => {
        /// A colour by its meaning; a [palette](crate::Palette) says which it is.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Ink {
            $($(#[$doc])* $ink,)*
        }

        impl Ink {
            /// Every one.
            pub const ALL: &[Ink] = &[$(Ink::$ink,)*];

            /// Its name in style sheets.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Ink::$ink => $name,)*
                }
            }
        }
    };
}

inks! {
    /// The ground of the whole picture.
    Board, "board";
    /// A light square.
    Light, "light";
    /// A dark square.
    Dark, "dark";
    /// The lines of the board.
    Grid, "grid";
    /// Names of columns and rows.
    Coordinate, "coordinate";
    /// What is written and drawn on the board.
    Ink, "ink";
    /// The first colour.
    First, "first";
    /// The rim of its pieces.
    FirstRim, "first-rim";
    /// What is written on its pieces.
    OnFirst, "on-first";
    /// What is written on its stones in a line of play.
    OnFirstGhost, "on-first-ghost";
    /// The second colour.
    Second, "second";
    /// The rim of its pieces.
    SecondRim, "second-rim";
    /// What is written on its pieces.
    OnSecond, "on-second";
    /// A blocked square.
    Blocked, "blocked";
    /// A mark on it.
    OnBlocked, "on-blocked";
    /// Where the last turn led.
    Trail, "trail";
    /// The last stone.
    Last, "last";
    /// A ring on the board.
    Ring, "ring";
    /// A forbidden point.
    Forbidden, "forbidden";
    /// A candidate.
    Hint, "hint";
}

/// How a shape looks. Opacities are in per cent, lengths in hundredths of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// The colour of the inside, and its opacity; `None` for an outline alone.
    pub fill: Option<(Ink, u8)>,
    /// The outline; `None` for none.
    pub line: Option<Line>,
}

/// A line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its colour.
    pub ink: Ink,
    /// Its opacity.
    pub opacity: u8,
    /// Its width.
    pub width: u8,
    /// Whether its ends are round.
    pub round_ends: bool,
    /// Whether its corners are round.
    pub round_corners: bool,
    /// The lengths of a dash and of the gap after it; `None` for an unbroken line.
    pub dash: Option<(u8, u8)>,
}

impl Look {
    /// An inside without an outline.
    pub(crate) const fn filled(ink: Ink) -> Look {
        let fill = Some((ink, 100));
        Look { fill, line: None }
    }

    /// A line, or an outline without an inside.
    pub(crate) const fn line(ink: Ink, width: u8) -> Look {
        let line = Line {
            ink,
            opacity: 100,
            width,
            round_ends: false,
            round_corners: false,
            dash: None,
        };
        Look {
            fill: None,
            line: Some(line),
        }
    }

    /// With an outline.
    pub(crate) const fn outlined(self, ink: Ink, width: u8) -> Look {
        let Look { line, .. } = Look::line(ink, width);
        Look { line, ..self }
    }

    /// With an inside of this opacity.
    pub(crate) const fn see_through(self, opacity: u8) -> Look {
        let fill = match self.fill {
            Some((ink, _)) => Some((ink, opacity)),
            None => None,
        };
        Look { fill, ..self }
    }

    /// With a line of this opacity.
    pub(crate) const fn pale(self, opacity: u8) -> Look {
        self.with(Line {
            opacity,
            ..self.line_of()
        })
    }

    /// With round ends of the line.
    pub(crate) const fn round_ends(self) -> Look {
        self.with(Line {
            round_ends: true,
            ..self.line_of()
        })
    }

    /// With round corners of the line.
    pub(crate) const fn round_corners(self) -> Look {
        self.with(Line {
            round_corners: true,
            ..self.line_of()
        })
    }

    /// With dashes and gaps of these lengths.
    pub(crate) const fn dashed(self, dash: u8, gap: u8) -> Look {
        self.with(Line {
            dash: Some((dash, gap)),
            ..self.line_of()
        })
    }

    const fn with(self, line: Line) -> Look {
        Look {
            line: Some(line),
            ..self
        }
    }

    const fn line_of(self) -> Line {
        self.line.expect("a look with a line")
    }

    /// Its CSS declarations, with colours as `colour` writes them.
    pub(crate) fn css(self, colour: impl Fn(Ink) -> String) -> String {
        let mut css = match self.fill {
            Some((ink, opacity)) => {
                format!("fill:{}{}", colour(ink), opacity_of("fill", opacity))
            }
            None => "fill:none".to_owned(),
        };
        let Some(line) = self.line else {
            return css;
        };
        // Writing to a text does not fail.
        let _ = write!(
            css,
            ";stroke:{};stroke-width:{}",
            colour(line.ink),
            line.width
        );
        if line.round_ends {
            css += ";stroke-linecap:round";
        }
        if line.round_corners {
            css += ";stroke-linejoin:round";
        }
        css += &opacity_of("stroke", line.opacity);
        if let Some((dash, gap)) = line.dash {
            let _ = write!(css, ";stroke-dasharray:{dash} {gap}");
        }
        css
    }
}

/// The declaration of an opacity: nothing for 100 per cent.
fn opacity_of(what: &str, opacity: u8) -> String {
    match opacity {
        100 => String::new(),
        _ => {
            let digits = format!("{opacity:02}");
            format!(";{what}-opacity:.{}", digits.trim_end_matches('0'))
        }
    }
}
