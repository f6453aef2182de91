//! Images of positions of every game, read back.

mod pixels;

use catalog::{AnyMatch, GAMES, Shown};
use drawing::{Picture, Theme, raster};
use engine_core::Rng;
use serde_json::json;

/// Plays a random turn, or rolls the die.
fn step(game: &mut dyn AnyMatch, rng: &mut Rng) {
    if game.roll_due() {
        game.roll(1 + rng.below(6) as u8).expect("a roll is due");
    } else {
        game.play_random_turn(rng);
    }
}

/// Pictures of the first turns of a random game.
fn pictures(game: &mut dyn AnyMatch, turns: usize) -> Vec<Picture> {
    let mut rng = Rng::new(1);
    let mut pictures = Vec::new();
    for _ in 0..turns {
        pictures.push(game.picture(&Shown::default()).expect("a picture"));
        step(game, &mut rng);
    }
    pictures
}

#[test]
fn a_png_has_the_size_asked_for_and_shows_something() {
    for rules in GAMES {
        let mut game = rules.start(&json!({})).expect("a game");
        let pictures = pictures(game.as_mut(), 4);
        for (theme, width) in [(Theme::Light, 300), (Theme::Dark, 64)] {
            let image = raster::png(&pictures[3], theme, width).expect("an image");
            let decoder = png::Decoder::new(std::io::Cursor::new(image));
            let mut reader = decoder.read_info().expect("a PNG");
            let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
            let info = reader.next_frame(&mut pixels).expect("a frame");
            let size = pictures[3].size;
            let height = (f64::from(width) * size.1 / size.0).round() as u32;
            assert_eq!((info.width, info.height), (width, height), "{}", rules.id());
            let mut colours: Vec<&[u8]> = pixels.chunks(4).collect();
            colours.sort_unstable();
            colours.dedup();
            assert!(
                colours.len() > 4,
                "{}: {} colours",
                rules.id(),
                colours.len()
            );
        }
    }
}

#[test]
fn a_gif_has_one_frame_a_picture() {
    for rules in GAMES {
        let mut game = rules.start(&json!({})).expect("a game");
        let pictures = pictures(game.as_mut(), 4);
        let seconds = [0.8, 0.5, 0.8, 3.0];
        let image = raster::gif(&pictures, &seconds, Theme::Light, 120).expect("an image");
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&image[..]).expect("a GIF");
        assert_eq!(decoder.width(), 120);
        let mut delays = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            delays.push(frame.delay);
            // The first frame is whole, the others are what differs.
            let is_whole = u32::from(frame.width) == 120;
            assert!(is_whole || delays.len() > 1, "{}", rules.id());
        }
        assert_eq!(delays, [80, 50, 80, 300], "{}", rules.id());
    }
}

#[test]
fn a_wrong_size_is_named() {
    let game = GAMES[0].start(&json!({})).expect("a game");
    let picture = game.picture(&Shown::default()).expect("a picture");
    for width in [0, 15, 4097, u32::MAX] {
        let error = raster::png(&picture, Theme::Light, width).expect_err("a bad size");
        assert_eq!(
            error.to_string(),
            format!("{width} pixels, expected 16 to 4096")
        );
        assert!(raster::gif(std::slice::from_ref(&picture), &[1.0], Theme::Light, width).is_err());
    }
}
