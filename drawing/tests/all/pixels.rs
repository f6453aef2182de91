//! Images pixel by pixel: colours of both themes, and what each frame of an animation shows.

use drawing::raster::{gif, png};
use drawing::{Class, Ink, Palette, Picture, Point, Shape, Theme};

/// Width and height of the images: 100 pixels a cell.
const SIDE: u32 = 400;

/// A picture of 4×4 cells.
fn board(shapes: &[Shape]) -> Picture {
    let mut picture = Picture::new(Palette::Stones, Point(0.0, 0.0), Point(4.0, 4.0));
    shapes.iter().for_each(|shape| picture.add(shape.clone()));
    picture
}

/// An image: red, green, blue and opacity of each pixel.
struct Image(Vec<[u8; 4]>);

impl Image {
    fn of_png(bytes: Vec<u8>) -> Image {
        let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        let mut reader = decoder.read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("a frame");
        Image(pixels.as_chunks().0.to_vec())
    }

    fn drawn(picture: &Picture, theme: Theme) -> Image {
        Image::of_png(png(picture, theme, SIDE).expect("an image"))
    }

    /// The colour at a place, in cells.
    fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let pixel = |cells: f64| (cells * f64::from(SIDE) / 4.0) as usize;
        let [red, green, blue, _] = self.0[pixel(y) * SIDE as usize + pixel(x)];
        [red, green, blue]
    }
}

/// A colour over another one.
fn over(ink: Ink, below: Ink, opacity: f64, theme: Theme) -> [u8; 3] {
    let [ink, below] = [ink, below].map(|ink| Palette::Stones.colour(ink, theme));
    std::array::from_fn(|at| {
        let [ink, below] = [ink, below].map(|colour| f64::from(colour[at]));
        (opacity * ink + (1.0 - opacity) * below).round() as u8
    })
}

/// Whether colours differ by the rounding of a blend at most.
fn are_close(one: [u8; 3], other: [u8; 3], most: u8) -> bool {
    let differences = one
        .into_iter()
        .zip(other)
        .map(|(one, other)| one.abs_diff(other));
    differences.into_iter().all(|difference| difference <= most)
}

#[test]
fn colours_are_those_of_the_palette_in_both_themes() {
    let picture = board(&[
        Shape::circle(Class::First, Point(1.0, 1.0), 0.4),
        Shape::circle(Class::Second, Point(3.0, 1.0), 0.4),
        Shape::circle(Class::FirstBox, Point(1.0, 3.0), 0.4),
        Shape::circle(Class::Movable, Point(3.0, 3.0), 0.4),
    ]);
    let exact = Palette::Stones;
    for theme in [Theme::Light, Theme::Dark] {
        let image = Image::drawn(&picture, theme);
        assert_eq!(
            image.at(2.0, 2.0),
            exact.colour(Ink::Board, theme),
            "{theme:?}"
        );
        assert_eq!(
            image.at(1.0, 1.0),
            exact.colour(Ink::First, theme),
            "{theme:?}"
        );
        assert_eq!(
            image.at(3.0, 1.0),
            exact.colour(Ink::Second, theme),
            "{theme:?}"
        );
        // The rim of a piece has four hundredths of a cell.
        let rims = [(1.0, Ink::FirstRim), (3.0, Ink::SecondRim)];
        for (x, ink) in rims {
            assert_eq!(
                image.at(x + 0.405, 1.0),
                exact.colour(ink, theme),
                "{theme:?}"
            );
        }
        let seen = over(Ink::First, Ink::Board, 0.3, theme);
        assert!(are_close(image.at(1.0, 3.0), seen, 1), "{theme:?}");
        // A ring is empty.
        assert_eq!(
            image.at(3.0, 3.0),
            exact.colour(Ink::Board, theme),
            "{theme:?}"
        );
        assert_eq!(
            image.at(3.405, 3.0),
            exact.colour(Ink::Ink, theme),
            "{theme:?}"
        );
    }
    let automatic = Image::drawn(&picture, Theme::Auto);
    assert_eq!(automatic.0, Image::drawn(&picture, Theme::Light).0);
}

#[test]
fn corners_are_transparent_and_lines_are_broken_where_they_should() {
    let line = |class, y| Shape::line(class, Point(0.5, y), Point(3.5, y));
    let image = Image::drawn(
        &board(&[line(Class::HintLine, 1.0), line(Class::Way, 3.0)]),
        Theme::Light,
    );
    assert_eq!(image.0[0][3], 0);
    assert_eq!(image.0[SIDE as usize / 2][3], 255);
    let row = |y: f64| (50..350).map(move |x| (f64::from(x) / 100.0 + 0.005, y));
    let ground = Palette::Stones.colour(Ink::Board, Theme::Light);
    let empty = |y| row(y).filter(|&(x, y)| image.at(x, y) == ground).count();
    // Dots of a tenth of a cell, each followed by as much ground: a dash of 1 with round ends of 5.
    assert!((100..200).contains(&empty(1.0)), "{}", empty(1.0));
    assert_eq!(empty(3.0), 0);
    // Round ends reach beyond the end of the line, the width is 13 hundredths of a cell.
    assert_ne!(image.at(0.46, 3.0), ground);
    assert_eq!(image.at(0.42, 3.0), ground);
    assert_ne!(image.at(2.0, 3.05), ground);
    assert_eq!(image.at(2.0, 3.08), ground);
}

/// What the frames of an animation show one after the other.
fn shown(animation: &[u8]) -> Vec<Vec<[u8; 3]>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(animation).expect("a GIF");
    let width = usize::from(decoder.width());
    let mut canvas = vec![[0; 3]; width * usize::from(decoder.height())];
    let mut all = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        // What the next frame leaves out stays as it is.
        assert_eq!(frame.dispose, gif::DisposalMethod::Keep);
        let pixels = frame.buffer.as_chunks::<4>().0;
        for (row, line) in pixels.chunks(frame.width.into()).enumerate() {
            let begin = (usize::from(frame.top) + row) * width + usize::from(frame.left);
            for (at, [red, green, blue, _]) in line.iter().enumerate() {
                canvas[begin + at] = [*red, *green, *blue];
            }
        }
        all.push(canvas.clone());
    }
    all
}

#[test]
fn every_frame_shows_its_picture() {
    let place = |x, y| Point(f64::from(x) + 0.5, f64::from(y) + 0.5);
    let piece = |colour: usize, x, y| Shape::circle(Class::PIECES[colour], place(x, y), 0.4);
    // A piece, another one elsewhere, the first one moved, nothing, and an empty board.
    let pictures = [
        board(&[piece(0, 0, 3)]),
        board(&[piece(0, 0, 3), piece(1, 2, 1)]),
        board(&[piece(0, 1, 3), piece(1, 2, 1)]),
        board(&[piece(0, 1, 3), piece(1, 2, 1)]),
        board(&[]),
    ];
    for theme in [Theme::Light, Theme::Dark] {
        let animation = gif(&pictures, &[0.1; 5], theme, SIDE).expect("an animation");
        let frames = shown(&animation);
        assert_eq!(frames.len(), pictures.len());
        for (number, (frame, picture)) in frames.iter().zip(&pictures).enumerate() {
            let image = Image::drawn(picture, theme);
            // The corners are transparent in an image, and have the colour of the board in an animation.
            let solid = image
                .0
                .iter()
                .zip(frame)
                .filter(|(pixel, _)| pixel[3] == 255);
            for (&[red, green, blue, _], &found) in solid {
                // An animation tells colours apart by five bits of each part, and may take a neighbour.
                assert!(
                    are_close([red, green, blue], found, 16),
                    "{theme:?} {number}: {red} {green} {blue}, {found:?}"
                );
            }
        }
    }
}
