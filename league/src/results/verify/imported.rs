//! Games that come from records.

use engine_core::{Outcome, Side};
use gamelog::files::logged::{game_of, reading, record_of};
use gamelog::record::{GameResult, Reason};
use records::Format;

use super::check;

#[test]
fn a_legal_record_is_a_legal_game() {
    for (game, format, text) in [
        (
            "hex",
            Format::Contest,
            "{[HEX][甲 R][乙 B][先手胜][2025.01.01 14:00 重庆][赛事]R(A,1);B(B,2)}",
        ),
        (
            "amazons",
            Format::Contest,
            "#[AM][a][b][后手胜][北京][];1 d1d7(g7)",
        ),
        ("connect6", Format::Table, "21,\"j10,k9,j12\",black"),
    ] {
        let (rules, reading) = reading(game, format, text);
        let logged = game_of(rules, format, &reading).expect("it has a result");
        assert_eq!(check(&logged), Ok(()), "{text}");
    }
}

#[test]
fn rolls_of_imported_games_follow_from_no_seed() {
    let text = "R:A5-6;B5-2;C5-4;A4-1;B4-5;A3-3\nB:E3-3;D2-2;E2-1;C1-4;D1-5;E1-6\n1:5;(R5,C3)\n";
    let (rules, mut reading) = reading("einstein", Format::Contest, text);
    let open = game_of(rules, Format::Contest, &reading).expect("a game");
    assert_eq!(
        (open.result, open.reason),
        (GameResult::Unfinished, Reason::Unfinished)
    );
    assert_eq!(check(&open), Ok(()));
    assert_eq!(record_of(&open), reading.record);
    reading.record.header.result = Some(Outcome::Win(Side::First));
    let mut game = game_of(rules, Format::Contest, &reading).expect("it has a result");
    assert_eq!(check(&game), Ok(()));
    game.turns[2].text = "d7".to_owned();
    let fault = check(&game).expect_err("no such face");
    assert_eq!(fault, "ply 3: \"d7\", expected a roll, d1 to d6");
    game.turns[2].text = "d5".to_owned();
    game.imported.clear();
    let fault = check(&game).expect_err("not the seed's");
    assert!(fault.contains("the roll from the game's seed"), "{fault}");
}
