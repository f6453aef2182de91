//! Colours, and the style sheets made of them.
//!
//! The red and blue of [`Palette::Inks`] are the vermilion and blue of Okabe and Ito, *Color
//! Universal Design* (2008), which are told apart with every kind of colour vision; the blue is
//! darker here, so that they differ in lightness, too.

use crate::class::Class;
use crate::look::Ink;

/// The colours of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Palette {
    /// Black and white on a board of wood.
    Stones,
    /// Red and blue on paper.
    Inks,
}

impl Palette {
    /// Every palette.
    pub const ALL: [Palette; 2] = [Palette::Stones, Palette::Inks];

    /// Its class in SVG and in style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            Palette::Stones => "stones",
            Palette::Inks => "inks",
        }
    }

    /// The colours in the light and in the dark theme.
    const fn colours(self) -> &'static [(Ink, [u32; 2])] {
        match self {
            Palette::Stones => STONES,
            Palette::Inks => INKS,
        }
    }

    /// Red, green and blue of a colour. [`Theme::Auto`] is the light one.
    pub fn colour(self, ink: Ink, theme: Theme) -> [u8; 3] {
        let mut colours = self.colours().iter();
        let (_, themes) = colours
            .find(|(known, _)| *known == ink)
            .expect("every palette has all");
        let [_, red, green, blue] = themes[usize::from(theme == Theme::Dark)].to_be_bytes();
        [red, green, blue]
    }
}

/// The themes of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Bright, for paper and projectors.
    #[default]
    Light,
    /// For dark pages.
    Dark,
    /// As the reader's system prefers; programs that do not know this show the light one.
    Auto,
}

const STONES: &[(Ink, [u32; 2])] = &[
    (Ink::Board, [0xe9cb98, 0x8f7149]),
    (Ink::Light, [0xf0d9ad, 0xa08258]),
    (Ink::Dark, [0xd9b57b, 0x7d6140]),
    (Ink::Grid, [0x6e4f28, 0x3d2a12]),
    (Ink::Coordinate, [0x70522c, 0xe6d3b3]),
    (Ink::Ink, [0x2a1d0c, 0xf3e6cf]),
    (Ink::First, [0x1d1d21, 0x17171a]),
    (Ink::FirstRim, [0x000000, 0x000000]),
    (Ink::OnFirst, [0xffffff, 0xffffff]),
    (Ink::OnFirstGhost, [0xffffff, 0xffffff]),
    (Ink::Second, [0xfdfcf8, 0xf6f2e9]),
    (Ink::SecondRim, [0x5d4a2c, 0x2e2312]),
    (Ink::OnSecond, [0x1d1d21, 0x17171a]),
    (Ink::Blocked, [0x4d6a80, 0x34495a]),
    (Ink::OnBlocked, [0xdfe9f0, 0xa9bfce]),
    (Ink::Trail, [0x0072b2, 0x8fd3ff]),
    (Ink::Last, [0xe8501e, 0xe8501e]),
    (Ink::Ring, [0xe8501e, 0xff8a5c]),
    (Ink::Forbidden, [0xc02d0e, 0xffb199]),
    (Ink::Hint, [0x006d4f, 0x7ff0c4]),
];

const INKS: &[(Ink, [u32; 2])] = &[
    (Ink::Board, [0xf4f2ec, 0x22252b]),
    (Ink::Light, [0xffffff, 0x2d3138]),
    (Ink::Dark, [0xe9e5da, 0x272b31]),
    (Ink::Grid, [0xb3aea1, 0x737a87]),
    (Ink::Coordinate, [0x6a655a, 0xa7adb8]),
    (Ink::Ink, [0x26282d, 0xe9ebef]),
    (Ink::First, [0xd55e00, 0xf07c33]),
    (Ink::FirstRim, [0xa64900, 0xb9530f]),
    (Ink::OnFirst, [0xffffff, 0x1b1d21]),
    (Ink::OnFirstGhost, [0x26282d, 0xffffff]),
    (Ink::Second, [0x00548f, 0x3a92d6]),
    (Ink::SecondRim, [0x003d69, 0x1c68a3]),
    (Ink::OnSecond, [0xffffff, 0x10171d]),
    (Ink::Blocked, [0x6a655a, 0xa7adb8]),
    (Ink::OnBlocked, [0xffffff, 0x22252b]),
    (Ink::Trail, [0xe3b62c, 0x9b8433]),
    (Ink::Last, [0xffffff, 0x14161a]),
    (Ink::Ring, [0x26282d, 0xffffff]),
    (Ink::Forbidden, [0x26282d, 0xe9ebef]),
    (Ink::Hint, [0x00795a, 0x4fd6a8]),
];

/// Declarations for all text.
pub(crate) const TEXT: &str = "font-family:Inter,system-ui,'Helvetica Neue',Arial,sans-serif;font-weight:500;\
                    text-anchor:middle";

/// One rule for each class, with the colours of one theme.
pub(crate) fn flat_rules(palette: Palette, theme: Theme, classes: &[Class]) -> String {
    let rule = |&class: &Class| {
        let style = of_class(class, palette, theme);
        format!(".{}{{{style}}}", class.name())
    };
    classes.iter().map(rule).collect()
}

/// The CSS declarations of a class with literal colours.
fn of_class(class: Class, palette: Palette, theme: Theme) -> String {
    class
        .look()
        .css(|ink| hexadecimal(palette.colour(ink, theme)))
}

/// A colour in CSS.
fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The style sheet of pages with fragments: every class, with the colours as custom properties.
///
/// The theme is the one that the reader's system prefers, unless an element around the picture has
/// the attribute `data-theme` with `light` or `dark`.
pub fn of_pages() -> String {
    let properties = |palette: Palette, theme: Theme| -> String {
        let colour = |ink| hexadecimal(palette.colour(ink, theme));
        let inks = Ink::ALL.iter();
        let properties = inks.map(|&ink| format!("--{}:{};", ink.name(), colour(ink)));
        properties.collect()
    };
    let mut sheet = format!(
        ".picture{{display:block;width:100%;height:auto}}.picture text{{{TEXT}}}\
         .picture .target{{fill:transparent;cursor:pointer}}\n"
    );
    for palette in Palette::ALL {
        let name = palette.name();
        let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| properties(palette, theme));
        sheet += &format!(
            ".{name},[data-theme=light] .{name}{{{light}}}\n\
             @media (prefers-color-scheme:dark){{.{name}{{{dark}}}\
             [data-theme=light] .{name}{{{light}}}}}\n\
             [data-theme=dark] .{name}{{{dark}}}\n"
        );
    }
    for &class in Class::ALL {
        let style = class.look().css(|ink| format!("var(--{})", ink.name()));
        sheet += &format!(".picture .{}{{{style}}}\n", class.name());
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_palette_has_every_colour_once() {
        for palette in Palette::ALL {
            let inks: Vec<Ink> = palette.colours().iter().map(|&(ink, _)| ink).collect();
            assert_eq!(inks, Ink::ALL, "{palette:?}");
        }
        assert_eq!(
            Palette::Inks.colour(Ink::First, Theme::Light),
            [0xd5, 0x5e, 0]
        );
        assert_eq!(
            Palette::Inks.colour(Ink::First, Theme::Dark),
            [0xf0, 0x7c, 0x33]
        );
    }

    #[test]
    fn looks_are_css() {
        let css = |class| of_class(class, Palette::Inks, Theme::Light);
        assert_eq!(css(Class::Board), "fill:#f4f2ec");
        assert_eq!(css(Class::FirstBox), "fill:#d55e00;fill-opacity:.3");
        assert_eq!(
            css(Class::Way),
            "fill:none;stroke:#e3b62c;stroke-width:13;stroke-linecap:round;stroke-linejoin:round;\
             stroke-opacity:.85"
        );
        assert_eq!(
            css(Class::Offer),
            "fill:#d55e00;fill-opacity:.35;stroke:#d55e00;stroke-width:5;stroke-dasharray:12 9"
        );
    }

    #[test]
    fn a_page_can_choose_a_theme() {
        let sheet = of_pages();
        for part in [
            "--first:#d55e00",
            "[data-theme=dark] .inks{",
            "var(--first)",
        ] {
            assert!(sheet.contains(part), "{part}");
        }
    }
}
