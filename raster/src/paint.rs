//! The style of a class, read from its CSS.

use drawing::{Class, Palette, Theme, style};
use tiny_skia::{Color, LineCap, LineJoin, Stroke, StrokeDash};

/// How the shapes of a class are painted. Lengths are in cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paint {
    /// The colour of the inside.
    pub(crate) fill: Option<Color>,
    /// The colour of the outline, and how it is drawn.
    pub(crate) stroke: Option<(Color, Stroke)>,
}

impl Paint {
    /// The paint of a class. SVG's defaults are black fills without outlines; every class says what
    /// it wants instead.
    pub(crate) fn of(class: Class, palette: Palette, theme: Theme) -> Paint {
        let css = style::of_class(class, palette, theme);
        let value = |wanted: &str| {
            let mut declarations = css.split(';').filter_map(|text| text.split_once(':'));
            declarations.find_map(|(name, value)| (name == wanted).then_some(value))
        };
        let number = |name: &str| value(name).and_then(|value| value.parse::<f32>().ok());
        let opaque = |name: &str, opacity: &str| {
            let mut colour = value(name).and_then(colour)?;
            colour.apply_opacity(number(opacity).unwrap_or(1.0));
            Some(colour)
        };
        let cells = |units: f32| units / drawing::svg::CELL as f32;
        let dash = value("stroke-dasharray").and_then(|lengths| {
            let lengths = lengths.split(' ').filter_map(|length| length.parse().ok());
            StrokeDash::new(lengths.map(cells).collect(), 0.0)
        });
        let stroke = Stroke {
            width: number("stroke-width").map_or(0.01, cells),
            line_cap: match value("stroke-linecap") {
                Some("round") => LineCap::Round,
                _ => LineCap::Butt,
            },
            line_join: match value("stroke-linejoin") {
                Some("round") => LineJoin::Round,
                _ => LineJoin::Miter,
            },
            dash,
            ..Stroke::default()
        };
        Paint {
            fill: opaque("fill", "fill-opacity"),
            stroke: opaque("stroke", "stroke-opacity").map(|colour| (colour, stroke)),
        }
    }
}

/// Reads `#rrggbb`; `None` for `none`.
fn colour(text: &str) -> Option<Color> {
    let number = u32::from_str_radix(text.strip_prefix('#')?, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some(Color::from_rgba8(red, green, blue, 255))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declaration_is_known() {
        let known = [
            "fill",
            "fill-opacity",
            "stroke",
            "stroke-opacity",
            "stroke-width",
            "stroke-linecap",
            "stroke-linejoin",
            "stroke-dasharray",
        ];
        for palette in Palette::ALL {
            for &class in Class::ALL {
                let css = style::of_class(class, palette, Theme::Light);
                for declaration in css.split(';') {
                    let (name, value) = declaration.split_once(':').expect("name:value");
                    assert!(known.contains(&name), "{class:?} {name}");
                    if ["fill", "stroke"].contains(&name) {
                        assert!(
                            value == "none" || colour(value).is_some(),
                            "{class:?} {value}"
                        );
                    }
                }
                let paint = Paint::of(class, palette, Theme::Dark);
                assert!(paint.fill.is_some() || paint.stroke.is_some(), "{class:?}");
            }
        }
    }
}
