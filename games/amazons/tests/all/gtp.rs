//! The engine in GTP, as graphical boards use it.

use amazons::{Amazons, Variant};
use engine_core::{Notation, Position};
use game::{Game, Written};
use protocol::gtp::conformance;

const AMAZONS: &str = env!("CARGO_BIN_EXE_amazons");

#[test]
fn every_listed_command_is_known() {
    conformance::check_list(AMAZONS);
}

#[test]
fn either_colour_moves_at_any_time() {
    let played = "play b d1-d7-g7\nplay b g1-g6-f6\nplay w d10-d8-e8\nplay w g10-g9-h9";
    let board = conformance::last(AMAZONS, &[], &format!("{played}\nshowboard"));
    let undone = format!("{played}\ngenmove w\nundo\nshowboard");
    assert_eq!(conformance::last(AMAZONS, &[], &undone), board);
    let start = conformance::last(AMAZONS, &[], "showboard");
    let undone = format!("{played}\nundo\nundo\nundo\nundo\nshowboard");
    assert_eq!(conformance::last(AMAZONS, &[], &undone), start);
    let foreign = conformance::refusal(AMAZONS, &[], "play b d10-d8-e8");
    assert!(foreign.starts_with("illegal move: column 1: "), "{foreign}");
}

#[test]
fn amazons_are_not_set_up() {
    let refused = conformance::with_file("(;GM[18]SZ[10]AB[d1])", |path| {
        conformance::refusal(AMAZONS, &[], &format!("loadsgf {path}"))
    });
    let message = "expected a game from the first position, because no stones can be set up in \
                   Amazons with this variant, found \"AB\"";
    assert!(refused.ends_with(message), "{refused}");
}

#[test]
fn whole_turns_are_candidates() {
    let ask = |command: &str| conformance::last(AMAZONS, &[], command);
    assert_eq!(ask("all_legal_moves").split(' ').count(), 2176);
    let best = ask("search_candidates w");
    let word = best.split(' ').nth(1).unwrap_or_default();
    let played = format!("play w {word}");
    conformance::last(AMAZONS, &[], &played);
}

/// A side without a legal move has lost: it cannot be its turn in an unfinished game.
#[test]
fn blocked_amazons_are_not_to_move() {
    let start = Amazons::start(&Variant::default()).expect("the default");
    let blocked = "10/10/10/10/10/10/bbbb6/10/xxxxx5/wwwwx5 b";
    let position = start.parse_position(blocked).expect("a position");
    assert_eq!(position.outcome(), None);
    assert_eq!(position.out_of_turn(1, None), None);
    let free = "10/10/10/10/10/10/bbbb6/10/xxxx6/wwwwx5 b";
    let position = start.parse_position(free).expect("a position");
    let white = position.out_of_turn(1, None).expect("white can move");
    assert_eq!(white.write_position(), free.replace(" b", " w"));
}
