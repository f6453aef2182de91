//! The engine in GTP, as graphical boards use it.

use protocol::gtp::conformance;

const GOMOKU: &str = env!("CARGO_BIN_EXE_gomoku");
const FREE: [&str; 2] = ["--variant", "{ opening = 'free' }"];

#[test]
fn every_listed_command_is_known() {
    conformance::check_list(GOMOKU);
}

#[test]
fn a_position_is_set_up_stone_by_stone() {
    let played = "play b a1\nplay b b1\nplay w a2\nplay b c1\nplay b d1\nplay w h8\n";
    let won = format!("{played}genmove b\nfinal_score");
    assert_eq!(conformance::last(GOMOKU, &FREE, &won), "B+");
    let legal = conformance::last(GOMOKU, &FREE, &format!("{played}all_legal_moves"));
    assert_eq!(legal.split(' ').count(), 225 - 6);
}

/// No letter is left out: the columns are a to t.
#[test]
fn the_largest_board_has_columns_a_to_t() {
    let four = "play b t20\nplay w a1\nplay b t19\nplay w c1\nplay b t18\nplay w e1\nplay b t17\n";
    let played = format!("boardsize 20\nclear_board\n{four}");
    let legal = conformance::last(GOMOKU, &FREE, &format!("{played}all_legal_moves"));
    assert_eq!(legal.split(' ').count(), 400 - 7);
    assert!(legal.split(' ').any(|turn| turn == "i9"), "{legal}");
    assert_eq!(
        conformance::last(GOMOKU, &FREE, &format!("{played}genmove w")),
        "t16"
    );
    let won = format!("{played}genmove b\nfinal_score");
    assert_eq!(conformance::last(GOMOKU, &FREE, &won), "B+");
    let refused = conformance::refusal(GOMOKU, &FREE, "boardsize 21");
    assert_eq!(refused, "unacceptable size");
}

/// h8 would be forbidden without the white stone at g8, which comes later in the file.
#[test]
fn set_up_stones_are_loaded() {
    let game = "(;GM[4]SZ[15]AB[i8][j8][h9][h10][h8]AW[g8];W[a1];B[b1])";
    conformance::with_file(game, |path| {
        let legal = format!("loadsgf {path}\nall_legal_moves");
        let legal = conformance::last(GOMOKU, &FREE, &legal);
        assert_eq!(legal.split(' ').count(), 225 - 8);
        let refused = conformance::refusal(GOMOKU, &[], &format!("loadsgf {path}"));
        let message = "expected a game from the first position, because no stones can be set up in \
                       Gomoku with this variant, found \"AB\"";
        assert!(refused.ends_with(message), "{refused}");
    });
}

#[test]
fn the_ceremony_is_played_turn_by_turn() {
    let opening = "play b h8h9j10x2\nplay w swap\nplay w g7\nplay b a1b1\nplay w b1c1\n";
    let legal = conformance::last(GOMOKU, &[], &format!("{opening}all_legal_moves"));
    // 219 cells and a pass.
    assert_eq!(legal.split(' ').count(), 220);
    let answers = conformance::responses(GOMOKU, &[], "play b h8h9h10x2\nplay w h11\nplay b g8i8");
    let refused = answers.iter().rev().nth(1).expect("an answer");
    assert!(format!("{refused:?}").contains("mirrors"), "{refused:?}");
}
