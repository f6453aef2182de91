//! The engine in GTP, as graphical boards use it.

use protocol::gtp::conformance;

const ENTRY: &str = env!("CARGO_BIN_EXE_tic-tac-toe");

#[test]
fn every_listed_command_is_known() {
    conformance::check_list(ENTRY);
}

#[test]
fn the_board_has_one_size() {
    assert_eq!(conformance::last(ENTRY, &[], "boardsize 3"), "");
    let refused = conformance::refusal(ENTRY, &[], "boardsize 4");
    assert_eq!(refused, "unacceptable size");
}

#[test]
fn a_position_is_set_up_mark_by_mark() {
    let played = "play w a1\nplay w b1\nplay b a3\n";
    let won = format!("{played}genmove w\nfinal_score");
    assert_eq!(conformance::last(ENTRY, &[], &won), "W+");
    let legal = conformance::last(ENTRY, &[], &format!("{played}undo\nall_legal_moves"));
    assert_eq!(legal, "c1 a2 b2 c2 a3 b3 c3");
}
