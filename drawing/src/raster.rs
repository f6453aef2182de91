//! Pictures of positions as PNG, and of whole games as GIF.
//!
//! The shapes of a picture are drawn by `tiny-skia`, the rasteriser of `resvg`. `resvg` itself would read
//! back the SVG that [`svg`](crate::svg) has just written, and costs more than twice as much to build,
//! seven times with text. Letters come from a small part of Inter, so that they look the same everywhere;
//! see `font/LICENSE`.

mod animation;
mod canvas;
mod font;
mod paint;

pub use animation::gif;
pub use canvas::png;

use crate::{Picture, Point};
use thiserror::Error;

/// The least and the greatest width of an image, in pixels.
pub const WIDTHS: std::ops::RangeInclusive<u32> = 16..=4096;

/// Why there is no image.
#[derive(Debug, Error)]
pub enum RasterError {
    /// The width is not one of [`WIDTHS`].
    #[error("{0} pixels, expected {start} to {end}", start = WIDTHS.start(), end = WIDTHS.end())]
    Size(u32),
    /// An image in a format could not be written.
    #[error("{0}: {1}")]
    Format(&'static str, String),
}

/// The width and height in pixels of a picture that is `width` pixels wide.
///
/// # Errors
/// A side is not one of [`WIDTHS`].
fn size(picture: &Picture, width: u32) -> Result<(u32, u32), RasterError> {
    let Point(across, down) = picture.size;
    let height = (f64::from(width) * down / across).round() as u32;
    match [width, height]
        .into_iter()
        .find(|side| !WIDTHS.contains(side))
    {
        Some(side) => Err(RasterError::Size(side)),
        None => Ok((width, height)),
    }
}
