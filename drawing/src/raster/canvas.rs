//! One picture as pixels.

use crate::{Form, Layer, Picture, Point, Shape, Step, Theme};
use tiny_skia::{FillRule, Paint as Ink, Path, PathBuilder, Pixmap, Rect, Transform};

use super::font;
use super::paint::Paint;
use super::{RasterError, size};

/// A picture as PNG, `width` pixels wide. [`Theme::Auto`] is the light one. What is outside the
/// rounded corners is transparent.
///
/// # Errors
/// A side of the image is not one of [`WIDTHS`](super::WIDTHS).
pub fn png(picture: &Picture, theme: Theme, width: u32) -> Result<Vec<u8>, RasterError> {
    let pixels = draw(picture, theme, width)?;
    let written = pixels.encode_png();
    written.map_err(|error| RasterError::Format("PNG", error.to_string()))
}

/// A picture as pixels.
pub(crate) fn draw(picture: &Picture, theme: Theme, width: u32) -> Result<Pixmap, RasterError> {
    let (width, height) = size(picture, width)?;
    let mut pixels = Pixmap::new(width, height).ok_or(RasterError::Size(width))?;
    let Point(left, top) = picture.corner;
    let scale = width as f32 / picture.size.0 as f32;
    let place = Transform::from_translate(-left as f32, -top as f32).post_scale(scale, scale);
    for layer in [Layer::Ground].into_iter().chain(Layer::CHANGING) {
        for shape in picture.layer(layer) {
            let paint = Paint::of(shape.class, picture.palette, theme);
            draw_shape(&mut pixels, shape, &paint, place);
        }
    }
    Ok(pixels)
}

fn draw_shape(pixels: &mut Pixmap, shape: &Shape, paint: &Paint, place: Transform) {
    let Some(path) = path(&shape.form) else {
        return;
    };
    let ink = |colour| {
        let mut ink = Ink::default();
        ink.set_color(colour);
        ink
    };
    if let Some(colour) = paint.fill {
        pixels.fill_path(&path, &ink(colour), FillRule::Winding, place, None);
    }
    if let Some((colour, stroke)) = &paint.stroke {
        pixels.stroke_path(&path, &ink(*colour), stroke, place, None);
    }
}

/// The outline of a form; `None` if it has no extent.
fn path(form: &Form) -> Option<Path> {
    let mut path = PathBuilder::new();
    match form {
        Form::Line(from, to) => {
            let ((x1, y1), (x2, y2)) = (floats(*from), floats(*to));
            path.move_to(x1, y1);
            path.line_to(x2, y2);
        }
        Form::Circle(centre, radius) => {
            let (x, y) = floats(*centre);
            path.push_circle(x, y, *radius as f32);
        }
        Form::Rectangle(corner, size, radius) => rectangle(&mut path, *corner, *size, *radius),
        Form::Polygon(points) => {
            for (i, &point) in points.iter().enumerate() {
                let (x, y) = floats(point);
                match i {
                    0 => path.move_to(x, y),
                    _ => path.line_to(x, y),
                }
            }
            path.close();
        }
        Form::Path(steps) => follow(&mut path, steps),
        Form::Text(Point(x, y), height, text) => {
            let baseline = y + crate::svg::BASELINE * height;
            return font::outline(text, *x as f32, baseline as f32, *height as f32);
        }
    }
    path.finish()
}

fn floats(Point(x, y): Point) -> (f32, f32) {
    (x as f32, y as f32)
}

/// A rectangle with rounded corners.
fn rectangle(path: &mut PathBuilder, corner: Point, size: Point, radius: f64) {
    let (far, r) = (corner + size, radius);
    if radius == 0.0 {
        let ((left, top), (right, bottom)) = (floats(corner), floats(far));
        if let Some(rectangle) = Rect::from_ltrb(left, top, right, bottom) {
            path.push_rect(rectangle);
        }
        return;
    }
    let quarter = |to| Step::Arc {
        radius,
        long: false,
        clockwise: true,
        to,
    };
    let (Point(left, top), Point(right, bottom)) = (corner, far);
    let steps = [
        Step::Move(Point(left + r, top)),
        Step::Line(Point(right - r, top)),
        quarter(Point(right, top + r)),
        Step::Line(Point(right, bottom - r)),
        quarter(Point(right - r, bottom)),
        Step::Line(Point(left + r, bottom)),
        quarter(Point(left, bottom - r)),
        Step::Line(Point(left, top + r)),
        quarter(Point(left + r, top)),
        Step::Close,
    ];
    follow(path, &steps);
}

/// Adds the steps of a path.
fn follow(path: &mut PathBuilder, steps: &[Step]) {
    let mut at = Point(0.0, 0.0);
    for &step in steps {
        match step {
            Step::Move(to) => {
                let (x, y) = floats(to);
                path.move_to(x, y);
                at = to;
            }
            Step::Line(to) => {
                let (x, y) = floats(to);
                path.line_to(x, y);
                at = to;
            }
            Step::Arc {
                radius,
                long,
                clockwise,
                to,
            } => {
                arc(path, at, to, radius, long, clockwise);
                at = to;
            }
            Step::Close => path.close(),
        }
    }
}

/// Adds an arc as cubic curves of at most an eighth of a circle each; the error is below 10⁻⁵ of
/// the radius.
fn arc(path: &mut PathBuilder, from: Point, to: Point, radius: f64, long: bool, clockwise: bool) {
    use std::f64::consts::{FRAC_PI_4, TAU};
    let half = (to - from) * 0.5;
    // A radius that is too small for the way grows to fit, as in SVG.
    let radius = radius.max(half.length());
    let distance = (radius * radius - half.length() * half.length())
        .max(0.0)
        .sqrt();
    let across = half.turned() * (1.0 / half.length().max(1e-9));
    let side = if long == clockwise { -1.0 } else { 1.0 };
    let centre = from + half + across * (side * distance);
    let angle = |Point(x, y): Point| y.atan2(x);
    let (start, end) = (angle(from - centre), angle(to - centre));
    let mut sweep = (end - start).rem_euclid(TAU);
    if !clockwise {
        sweep -= TAU;
    }
    let pieces = (sweep.abs() / FRAC_PI_4).ceil().max(1.0);
    let step = sweep / pieces;
    let handle = 4.0 / 3.0 * (step / 4.0).tan() * radius;
    let at = |angle: f64| centre + Point(angle.cos(), angle.sin()) * radius;
    let along = |angle: f64| Point(-angle.sin(), angle.cos()) * handle;
    for piece in 0..pieces as u32 {
        let begin = start + step * f64::from(piece);
        let end = begin + step;
        let ((x1, y1), (x2, y2)) = (
            floats(at(begin) + along(begin)),
            floats(at(end) - along(end)),
        );
        let (x, y) = floats(at(end));
        path.cubic_to(x1, y1, x2, y2, x, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounds of an arc from (1, 0) to (0, 1) with radius 1.
    fn bounds(long: bool, clockwise: bool) -> [f32; 4] {
        let mut path = PathBuilder::new();
        path.move_to(1.0, 0.0);
        arc(
            &mut path,
            Point(1.0, 0.0),
            Point(0.0, 1.0),
            1.0,
            long,
            clockwise,
        );
        let path = path.finish().expect("an arc");
        let bounds = path.compute_tight_bounds().expect("bounds");
        [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()]
    }

    #[test]
    fn arcs_run_as_in_svg() {
        for (long, clockwise, expected) in [
            // A quarter around the origin, and the other three around (1, 1).
            (false, true, [0.0, 0.0, 1.0, 1.0]),
            (true, true, [0.0, 0.0, 2.0, 2.0]),
            (false, false, [0.0, 0.0, 1.0, 1.0]),
            (true, false, [-1.0, -1.0, 1.0, 1.0]),
        ] {
            let found = bounds(long, clockwise);
            let near = found
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-3);
            assert!(near, "{long} {clockwise}: {found:?}");
        }
    }
}
