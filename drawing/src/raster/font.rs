//! Text as outlines.

use tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The printable ASCII characters of Inter Medium.
static INTER: &[u8] = include_bytes!("../../font/inter-500.ttf");

/// The outline of a line of text around its middle: `x` is its centre, `y` its baseline, `height`
/// the height of the font. Characters that the font does not have are left out.
pub(crate) fn outline(text: &str, x: f32, y: f32, height: f32) -> Option<Path> {
    let face = Face::parse(INTER, 0).ok()?;
    let scale = height / f32::from(face.units_per_em());
    let glyphs: Vec<GlyphId> = text.chars().filter_map(|c| face.glyph_index(c)).collect();
    let advance = |&glyph: &GlyphId| f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
    let width: f32 = glyphs.iter().map(advance).sum();
    let mut pen = Pen {
        path: PathBuilder::new(),
        at: -width / 2.0,
    };
    for glyph in &glyphs {
        face.outline_glyph(*glyph, &mut pen);
        pen.at += advance(glyph);
    }
    // Fonts count upwards.
    let place = Transform::from_row(scale, 0.0, 0.0, -scale, x, y);
    pen.path.finish()?.transform(place)
}

/// Draws glyphs one after the other.
struct Pen {
    path: PathBuilder,
    /// Where the next glyph begins.
    at: f32,
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.at + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.at + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.at + x1, y1, self.at + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let at = self.at;
        self.path.cubic_to(at + x1, y1, at + x2, y2, at + x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_centred_and_digits_are_as_high_as_the_svg_assumes() {
        let bounds = outline("8", 5.0, 3.0, 1.0).expect("an outline").bounds();
        assert!(
            (bounds.left() + bounds.right() - 10.0).abs() < 0.05,
            "{bounds:?}"
        );
        let height = bounds.bottom() - bounds.top();
        assert!((0.70..0.77).contains(&height), "{bounds:?}");
        assert!(outline("\u{4e2d}", 0.0, 0.0, 1.0).is_none());
    }
}
