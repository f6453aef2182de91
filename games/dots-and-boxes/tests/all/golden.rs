//! Golden games: a line `variant {json}`, the turns, and a line `result …: ending`.

use dots_and_boxes::{DotsAndBoxes, Variant};
use engine_core::{Notation, Outcome, Position, Side};
use game::{Drawn, Game, turn};

/// The start of the variant in a header.
fn start(header: &str) -> DotsAndBoxes {
    let json = header.strip_prefix("variant ").expect("a variant");
    let variant: Variant = serde_json::from_str(json).expect("a variant");
    variant.start().expect("the variant is one of the game")
}

fn replay(file: &str) {
    let lines: Vec<&str> = file.lines().collect();
    let (header, result) = (lines[0], lines[lines.len() - 1]);
    let mut position = start(header);
    for text in lines[1..lines.len() - 1]
        .iter()
        .flat_map(|line| line.split_whitespace())
    {
        let before = position.clone();
        let moves = turn::play_turn(&mut position, text)
            .unwrap_or_else(|error| panic!("{text}: {error}\n{}", position.draw()));
        assert_eq!(before.write_turn(&moves), text);
    }
    let outcome = match position.outcome() {
        Some(Outcome::Win(Side::First)) => "First",
        Some(Outcome::Win(Side::Second)) => "Second",
        Some(Outcome::Draw) => "Draw",
        None => "none",
    };
    assert_eq!(
        result,
        format!("result {outcome}: {}", position.ending()),
        "\n{}",
        position.draw()
    );
}

#[test]
fn a_game_on_the_contest_board() {
    replay(include_str!("../golden/contest.txt"));
}

#[test]
fn a_draw_on_four_boxes() {
    replay(include_str!("../golden/draw.txt"));
}

#[test]
fn an_early_end() {
    replay(include_str!("../golden/majority.txt"));
}
