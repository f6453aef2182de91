//! Colours, and the style sheets made of them.
//!
//! The red and blue of [`Palette::Inks`] are the vermilion and blue of Okabe and Ito, *Color
//! Universal Design* (2008), which are told apart with every kind of colour vision; the blue is
//! darker here, so that they differ in lightness, too.

use crate::class::Class;

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

    /// The colours in the light and in the dark theme, by their names in [`Class`].
    const fn colours(self) -> &'static [(&'static str, [&'static str; 2])] {
        match self {
            Palette::Stones => STONES,
            Palette::Inks => INKS,
        }
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

const STONES: &[(&str, [&str; 2])] = &[
    ("board", ["#e9cb98", "#8f7149"]),
    ("light", ["#f0d9ad", "#a08258"]),
    ("dark", ["#d9b57b", "#7d6140"]),
    ("grid", ["#6e4f28", "#3d2a12"]),
    ("coordinate", ["#70522c", "#e6d3b3"]),
    ("ink", ["#2a1d0c", "#f3e6cf"]),
    ("first", ["#1d1d21", "#17171a"]),
    ("first-rim", ["#000000", "#000000"]),
    ("on-first", ["#ffffff", "#ffffff"]),
    ("on-first-ghost", ["#ffffff", "#ffffff"]),
    ("second", ["#fdfcf8", "#f6f2e9"]),
    ("second-rim", ["#5d4a2c", "#2e2312"]),
    ("on-second", ["#1d1d21", "#17171a"]),
    ("blocked", ["#4d6a80", "#34495a"]),
    ("on-blocked", ["#dfe9f0", "#a9bfce"]),
    ("trail", ["#0072b2", "#8fd3ff"]),
    ("last", ["#e8501e", "#e8501e"]),
    ("ring", ["#e8501e", "#ff8a5c"]),
    ("forbidden", ["#c02d0e", "#ffb199"]),
    ("hint", ["#006d4f", "#7ff0c4"]),
];

const INKS: &[(&str, [&str; 2])] = &[
    ("board", ["#f4f2ec", "#22252b"]),
    ("light", ["#ffffff", "#2d3138"]),
    ("dark", ["#e9e5da", "#272b31"]),
    ("grid", ["#b3aea1", "#737a87"]),
    ("coordinate", ["#6a655a", "#a7adb8"]),
    ("ink", ["#26282d", "#e9ebef"]),
    ("first", ["#d55e00", "#f07c33"]),
    ("first-rim", ["#a64900", "#b9530f"]),
    ("on-first", ["#ffffff", "#1b1d21"]),
    ("on-first-ghost", ["#26282d", "#ffffff"]),
    ("second", ["#00548f", "#3a92d6"]),
    ("second-rim", ["#003d69", "#1c68a3"]),
    ("on-second", ["#ffffff", "#10171d"]),
    ("blocked", ["#6a655a", "#a7adb8"]),
    ("on-blocked", ["#ffffff", "#22252b"]),
    ("trail", ["#e3b62c", "#9b8433"]),
    ("last", ["#ffffff", "#14161a"]),
    ("ring", ["#26282d", "#ffffff"]),
    ("forbidden", ["#26282d", "#e9ebef"]),
    ("hint", ["#00795a", "#4fd6a8"]),
];

/// Declarations for all text.
pub(crate) const TEXT: &str = "font-family:Inter,system-ui,'Helvetica Neue',Arial,sans-serif;font-weight:500;\
                    text-anchor:middle";

/// The declarations of a class with `$name` replaced.
fn declarations(class: Class, mut colour: impl FnMut(&str) -> String) -> String {
    let mut pieces = class.style().split('$');
    let mut text = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let end = piece.find(';').unwrap_or(piece.len());
        text += &colour(&piece[..end]);
        text += &piece[end..];
    }
    text
}

/// One rule for each class, with the colours of one theme.
pub(crate) fn flat_rules(palette: Palette, theme: Theme, classes: &[Class]) -> String {
    let rule = |&class: &Class| {
        let style = of_class(class, palette, theme);
        format!(".{}{{{style}}}", class.name())
    };
    classes.iter().map(rule).collect()
}

/// The CSS declarations of a class with literal colours. [`Theme::Auto`] is the light one.
pub fn of_class(class: Class, palette: Palette, theme: Theme) -> String {
    let theme = usize::from(theme == Theme::Dark);
    declarations(class, |name| {
        let colour = palette.colours().iter().find(|(known, _)| *known == name);
        colour.map_or(String::new(), |(_, colours)| colours[theme].to_string())
    })
}

/// The style sheet of pages with fragments: every class, with the colours as custom properties.
///
/// The theme is the one that the reader's system prefers, unless an element around the picture has
/// the attribute `data-theme` with `light` or `dark`.
pub fn of_pages() -> String {
    let properties = |palette: Palette, theme: usize| -> String {
        let property =
            |(name, colours): &(&str, [&str; 2])| format!("--{name}:{};", colours[theme]);
        palette.colours().iter().map(property).collect()
    };
    let mut sheet = format!(
        ".picture{{display:block;width:100%;height:auto}}.picture text{{{TEXT}}}\
         .picture .target{{fill:transparent;cursor:pointer}}\n"
    );
    for palette in Palette::ALL {
        let name = palette.name();
        let [light, dark] = [0, 1].map(|theme| properties(palette, theme));
        sheet += &format!(
            ".{name},[data-theme=light] .{name}{{{light}}}\n\
             @media (prefers-color-scheme:dark){{.{name}{{{dark}}}\
             [data-theme=light] .{name}{{{light}}}}}\n\
             [data-theme=dark] .{name}{{{dark}}}\n"
        );
    }
    for &class in Class::ALL {
        let style = declarations(class, |name| format!("var(--{name})"));
        sheet += &format!(".picture .{}{{{style}}}\n", class.name());
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_of_a_class_is_in_both_palettes() {
        for palette in Palette::ALL {
            for &class in Class::ALL {
                declarations(class, |name| {
                    let known = palette.colours().iter().any(|(known, _)| *known == name);
                    assert!(known, "{palette:?} {class:?} {name}");
                    String::new()
                });
            }
        }
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
        assert!(!sheet.contains('$'));
    }
}
