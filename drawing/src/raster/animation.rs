//! A whole game as an animated GIF.

use std::ops::Range;

use crate::{Picture, Theme};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use tiny_skia::Pixmap;

use super::canvas::draw;
use super::{RasterError, size};

/// A game as an animated GIF, `width` pixels wide, one frame a picture. `seconds` says how long each
/// picture is shown; it is as long as `pictures`, which are of one size and not empty.
///
/// All frames share one palette, and a frame holds only what differs from the one before. The palette
/// is known when all pictures are drawn; until then, of each picture only its changes are kept.
///
/// # Errors
/// A side of the image is not one of [`WIDTHS`](super::WIDTHS).
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
    let drawn = Drawn::of(pictures, theme, width)?;
    let mut written = Vec::new();
    let sides = (width as u16, height as u16);
    let mut encoder =
        Encoder::new(&mut written, sides.0, sides.1, &drawn.colours.table).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let (mut before, mut indices) = (Vec::new(), vec![0; drawn.pixels]);
    for (runs, seconds) in drawn.changes.iter().zip(seconds) {
        for run in runs {
            indices[run.pixels()].fill(drawn.colours.nearest[usize::from(run.group)]);
        }
        let mut frame = changed(&before, &indices, width as usize);
        frame.delay = (seconds * 100.0).round() as u16;
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame).map_err(failed)?;
        before.clone_from(&indices);
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

/// Pictures that have been drawn.
struct Drawn {
    /// Number of pixels of a picture.
    pixels: usize,
    /// What each picture changes, the first one all.
    changes: Vec<Vec<Run>>,
    colours: Colours,
}

/// Pixels in sequence that have changed to similar colours. A board has large areas of one colour: the
/// runs of a whole game take the memory of a few pictures, and grow with the width, not its square.
struct Run {
    start: u32,
    length: u16,
    group: u16,
}

impl Run {
    fn pixels(&self) -> Range<usize> {
        let start = self.start as usize;
        start..start + usize::from(self.length)
    }
}

impl Drawn {
    fn of(pictures: &[Picture], theme: Theme, width: u32) -> Result<Drawn, RasterError> {
        let mut sums = Sums::default();
        let mut shown: Vec<u16> = Vec::new();
        let mut changes = Vec::with_capacity(pictures.len());
        for picture in pictures {
            let pixels = draw(picture, theme, width)?;
            let groups: Vec<u16> = opaque(&pixels).map(|rgb| sums.add(rgb)).collect();
            changes.push(runs(&shown, &groups));
            shown = groups;
        }
        Ok(Drawn {
            pixels: shown.len(),
            changes,
            colours: sums.colours(),
        })
    }
}

/// The pixels whose groups of colours differ.
fn runs(before: &[u16], after: &[u16]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (start, &group) in (0..).zip(after) {
        if before.get(start as usize) == Some(&group) {
            continue;
        }
        let last = runs.last_mut().filter(|run| {
            let is_next = run.pixels().end == start as usize;
            is_next && run.group == group && run.length < u16::MAX
        });
        match last {
            Some(run) => run.length += 1,
            None => runs.push(Run {
                start,
                length: 1,
                group,
            }),
        }
    }
    runs
}

/// The sum of red, green and blue of each group of similar colours, and the number of pixels.
struct Sums(Vec<[u64; 4]>);

impl Default for Sums {
    fn default() -> Sums {
        Sums(vec![[0; 4]; 1 << (3 * BITS)])
    }
}

impl Sums {
    /// Adds a pixel and returns its group.
    fn add(&mut self, rgb: [u8; 3]) -> u16 {
        let group = group_of(rgb);
        for (sum, part) in self.0[group].iter_mut().zip(rgb.into_iter().chain([1])) {
            *sum += u64::from(part);
        }
        group as u16
    }

    /// The palette.
    fn colours(mut self) -> Colours {
        self.0
            .sort_unstable_by_key(|group| std::cmp::Reverse(group[3]));
        let frequent = self.0.iter().take(256).filter(|group| group[3] > 0);
        let colours: Vec<[u8; 3]> = frequent
            .map(|&[red, green, blue, count]| [red, green, blue].map(|sum| (sum / count) as u8))
            .collect();
        Colours {
            table: colours.concat(),
            nearest: (0..1 << (3 * BITS))
                .map(|group| nearest(&colours, group))
                .collect(),
        }
    }
}

/// The palette of all frames: the most frequent colours.
struct Colours {
    /// Red, green and blue of up to 256 colours.
    table: Vec<u8>,
    /// The index of the colour of each group.
    nearest: Vec<u8>,
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

#[cfg(test)]
mod tests {
    use engine_core::Rng;

    use super::*;
    use crate::{Class, Palette, Point, Shape};

    #[test]
    fn runs_lead_from_each_picture_to_the_next() {
        let mut rng = Rng::new(1);
        let mut shown: Vec<u16> = Vec::new();
        for _ in 0..50 {
            let next: Vec<u16> = (0..200).map(|_| rng.below(3) as u16).collect();
            let runs = runs(&shown, &next);
            shown.resize(200, 0);
            for run in &runs {
                shown[run.pixels()].fill(run.group);
            }
            assert_eq!(shown, next);
            assert!(runs.len() < 200);
        }
        // A run of one colour may be longer than a run holds.
        let plain = vec![7; 200_000];
        let lengths = runs(&[], &plain).into_iter().map(|run| run.pixels().len());
        assert_eq!(lengths.sum::<usize>(), plain.len());
    }

    #[test]
    fn changes_take_little_memory() {
        let mut picture = Picture::new(Palette::Stones, Point(0.0, 0.0), Point(10.0, 10.0));
        let mut pictures = Vec::new();
        for cell in 0..100 {
            let centre = Point(f64::from(cell % 10) + 0.5, f64::from(cell / 10) + 0.5);
            picture.add(Shape::circle(Class::PIECES[cell as usize % 2], centre, 0.4));
            pictures.push(picture.clone());
        }
        let drawn = Drawn::of(&pictures, Theme::Light, 240).expect("a size");
        let runs: usize = drawn.changes.iter().map(Vec::len).sum();
        let bytes = runs * size_of::<Run>();
        assert!(bytes < 3 * 4 * drawn.pixels, "{bytes}");
    }
}
