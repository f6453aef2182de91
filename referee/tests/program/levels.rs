//! The levels of `referee play`.

use desk::{self, Level};
use jiff::SignedDuration;

use crate::common::program::{run_with, text};

#[test]
fn a_level_sets_time_depth_and_noise() {
    for level in Level::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let play = ["play", "tic-tac-toe", "--level", level.name];
        let output = run_with(folder.path(), &play, b"quit\n");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let sessions = desk::sessions(&folder.path().join("matches/desk")).expect("a folder");
        let [(_, Ok(state))] = &sessions[..] else {
            panic!("one session");
        };
        let (settings, seat) = (&state.settings, &state.settings.seats[1]);
        assert!(
            seat.name.ends_with(&format!(" ({})", level.name)),
            "{}",
            seat.name
        );
        let time = SignedDuration::try_from(level.time).expect("a short time");
        let clock = settings.clock;
        assert_eq!((clock.per_move, clock.depth), (Some(time), level.depth));
        let options = &seat.engine.as_ref().expect("an engine").options;
        let noise = options.get("noise").map_or(Some(0), |noise| noise.as_u64());
        assert_eq!(noise, Some(level.noise.into()));
    }
}

#[test]
fn a_level_is_one_of_the_list_and_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, expected) in [
        (
            ["--level", "superb"].as_slice(),
            "possible values: beginner, easy, medium, hard, strong",
        ),
        (&["--level", "easy", "--depth", "3"], "cannot be used with"),
        (&["--level", "easy", "--move", "3s"], "cannot be used with"),
    ] {
        let output = run_with(folder.path(), &[&["play", "hex"], arguments].concat(), b"");
        assert_eq!(output.status.code(), Some(2));
        let error = text(&output.stderr);
        assert!(error.contains(expected), "{error}");
    }
}
