//! A whole game as an animated GIF.

use drawing::{Picture, Theme};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use tiny_skia::Pixmap;

use crate::canvas::draw;
use crate::{RasterError, size};

/// A game as an animated GIF, `width` pixels wide, one frame a picture. `seconds` says how long each
/// picture is shown; it is as long as `pictures`, which are of one size and not empty.
///
/// All frames share one palette, and a frame holds only what differs from the one before.
///
/// # Errors
/// A side of the image is not one of [`WIDTHS`](crate::WIDTHS).
pub fn gif(
    pictures: &[Picture],
    seconds: &[f64],
    theme: Theme,
    width: u32,
) -> Result<Vec<u8>, RasterError> {
    let failed = |error: gif::EncodingError| RasterError::Format("GIF", error.to_string());
    let (width, height) = match pictures.first() {
        Some(first) => size(first, width)?,
        None => return Err(RasterError::Format("GIF", "no pictures".to_string())),
    };
    let colours = Colours::of(pictures, theme, width)?;
    let mut written = Vec::new();
    let sides = (width as u16, height as u16);
    let mut encoder =
        Encoder::new(&mut written, sides.0, sides.1, &colours.table).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut before: Vec<u8> = Vec::new();
    for (picture, seconds) in pictures.iter().zip(seconds) {
        let indices = colours.indices(&draw(picture, theme, width)?);
        let mut frame = changed(&before, &indices, width as usize);
        frame.delay = (seconds * 100.0).round() as u16;
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame).map_err(failed)?;
        before = indices;
    }
    drop(encoder);
    Ok(written)
}

/// The smallest rectangle that holds all pixels that differ; one pixel if none does.
fn changed(before: &[u8], after: &[u8], width: usize) -> Frame<'static> {
    let differs = |&i: &usize| before.get(i) != after.get(i);
    let (mut left, mut right, mut top, mut bottom) = (width, 0, usize::MAX, 0);
    for i in (0..after.len()).filter(differs) {
        (left, right) = (left.min(i % width), right.max(i % width));
        (top, bottom) = (top.min(i / width), bottom.max(i / width));
    }
    if left > right {
        (left, right, top, bottom) = (0, 0, 0, 0);
    }
    let rows = after.chunks(width).skip(top).take(bottom - top + 1);
    let pixels: Vec<u8> = rows.flat_map(|row| &row[left..=right]).copied().collect();
    Frame {
        left: left as u16,
        top: top as u16,
        ..Frame::from_indexed_pixels(
            (right - left + 1) as u16,
            (bottom - top + 1) as u16,
            pixels,
            None,
        )
    }
}

/// Bits of each of red, green and blue that tell colours apart.
const BITS: u32 = 5;

/// The palette of all frames: the most frequent colours.
struct Colours {
    /// Red, green and blue of up to 256 colours.
    table: Vec<u8>,
    /// The index of each colour, by its high bits.
    nearest: Vec<u8>,
}

impl Colours {
    fn of(pictures: &[Picture], theme: Theme, width: u32) -> Result<Colours, RasterError> {
        // The sum of red, green and blue of each group of similar colours, and their number.
        let mut groups = vec![[0u64; 4]; 1 << (3 * BITS)];
        for picture in pictures {
            for rgb in opaque(&draw(picture, theme, width)?) {
                let group = &mut groups[group_of(rgb)];
                for (sum, part) in group.iter_mut().zip(rgb.into_iter().chain([1])) {
                    *sum += u64::from(part);
                }
            }
        }
        groups.sort_unstable_by_key(|group| std::cmp::Reverse(group[3]));
        let frequent = groups.iter().take(256).filter(|group| group[3] > 0);
        let colours: Vec<[u8; 3]> = frequent
            .map(|&[red, green, blue, count]| [red, green, blue].map(|sum| (sum / count) as u8))
            .collect();
        Ok(Colours {
            table: colours.concat(),
            nearest: (0..1 << (3 * BITS))
                .map(|group| nearest(&colours, group))
                .collect(),
        })
    }

    /// The colour of each pixel as an index.
    fn indices(&self, pixels: &Pixmap) -> Vec<u8> {
        opaque(pixels)
            .map(|rgb| self.nearest[group_of(rgb)])
            .collect()
    }
}

/// The pixels without their opacity: what is transparent gets the colour of the pixel before, since
/// only the rounded corners are.
fn opaque(pixels: &Pixmap) -> impl Iterator<Item = [u8; 3]> {
    let middle = pixels.pixels()[pixels.width() as usize / 2];
    let board = [middle.red(), middle.green(), middle.blue()];
    pixels
        .pixels()
        .iter()
        .map(move |pixel| match pixel.alpha() {
            255 => [pixel.red(), pixel.green(), pixel.blue()],
            _ => board,
        })
}

/// The group of a colour: its high bits.
fn group_of(rgb: [u8; 3]) -> usize {
    let high = |part: u8| usize::from(part) >> (8 - BITS);
    let [red, green, blue] = rgb.map(high);
    (red << (2 * BITS)) | (green << BITS) | blue
}

/// The index of the colour that is nearest to the middle of a group.
fn nearest(colours: &[[u8; 3]], group: usize) -> u8 {
    let part = |shift: u32| ((group >> shift & ((1 << BITS) - 1)) << (8 - BITS)) as i32 + 4;
    let middle = [part(2 * BITS), part(BITS), part(0)];
    let distance = |colour: &[u8; 3]| -> i32 {
        let parts = colour.iter().zip(middle);
        parts
            .map(|(&part, middle)| (i32::from(part) - middle).pow(2))
            .sum()
    };
    let best = (0..colours.len()).min_by_key(|&i| distance(&colours[i]));
    best.unwrap_or(0) as u8
}
