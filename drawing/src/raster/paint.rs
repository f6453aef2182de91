//! How the shapes of a class are painted.

use tiny_skia::{Color, LineCap, LineJoin, Stroke, StrokeDash};

use crate::look::{Ink, Line};
use crate::{Class, Palette, Theme, svg};

/// How the shapes of a class are painted. Lengths are in cells.
#[derive(Clone, Debug)]
pub(super) struct Paint {
    /// The colour of the inside.
    pub(super) fill: Option<Color>,
    /// The colour of the outline, and how it is drawn.
    pub(super) stroke: Option<(Color, Stroke)>,
}

impl Paint {
    /// The paint of a class.
    pub(super) fn of(class: Class, palette: Palette, theme: Theme) -> Paint {
        let look = class.look();
        let colour = |ink: Ink, opacity: u8| {
            let [red, green, blue] = palette.colour(ink, theme);
            let mut colour = Color::from_rgba8(red, green, blue, 255);
            colour.apply_opacity(f32::from(opacity) / 100.0);
            colour
        };
        Paint {
            fill: look.fill.map(|(ink, opacity)| colour(ink, opacity)),
            stroke: (look.line).map(|line| (colour(line.ink, line.opacity), stroke(line))),
        }
    }
}

fn stroke(line: Line) -> Stroke {
    let cells = |units: u8| f32::from(units) / svg::CELL as f32;
    let dash = |(dash, gap)| StrokeDash::new(vec![cells(dash), cells(gap)], 0.0);
    Stroke {
        width: cells(line.width),
        line_cap: if line.round_ends {
            LineCap::Round
        } else {
            LineCap::Butt
        },
        line_join: if line.round_corners {
            LineJoin::Round
        } else {
            LineJoin::Miter
        },
        dash: line.dash.and_then(dash),
        ..Stroke::default()
    }
}
