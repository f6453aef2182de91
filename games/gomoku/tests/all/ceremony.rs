//! The ceremony of the opening: prescribed stones, swap, offer.

use engine_core::{Position, Side};
use game::Game;
use gomoku::{Cell, Colour, OPENINGS, Stage};

use crate::common::{after, check_refused, start};

#[test]
fn a_game_without_a_swap() {
    let position = after("{}", "h8h9j10x2");
    assert_eq!(
        (position.stage(), position.side()),
        (Stage::Fourth, Side::Second)
    );
    let position = after("{}", "h8h9j10x2 g7");
    assert_eq!(
        (position.stage(), position.side()),
        (Stage::Offer, Side::First)
    );
    let position = after("{}", "h8h9j10x2 g7 a1b1");
    assert_eq!(
        (position.stage(), position.side()),
        (Stage::Keep, Side::Second)
    );
    let position = after("{}", "h8h9j10x2 g7 a1b1 b1c1");
    assert_eq!(
        (position.stage(), position.side()),
        (Stage::Play, Side::First)
    );
    assert_eq!(position.to_move(), Colour::Black);
    assert_eq!(position.at(Cell::new(0, 0)), None);
    assert_eq!(position.at(Cell::new(1, 0)), Some(Colour::Black));
    assert_eq!(position.at(Cell::new(2, 0)), Some(Colour::White));
}

#[test]
fn after_a_swap_first_plays_white() {
    let position = after("{}", "h8h9j10x2");
    assert_eq!(position.colour_index(Side::First), 0);
    let position = after("{}", "h8h9j10x2 swap");
    assert_eq!(position.colour_index(Side::First), 1);
    assert_eq!(
        (position.stage(), position.side()),
        (Stage::Fourth, Side::First)
    );
    assert!(!position.may_swap());
    let position = after("{}", "h8h9j10x2 swap g7 a1b1 b1c1 d1");
    assert_eq!(position.side(), Side::First);
    assert_eq!(position.to_move(), Colour::White);
}

#[test]
fn every_setup_is_one_of_26_openings() {
    let mut found = Vec::new();
    let position = after("{}", "h8");
    for second in position.legal_moves() {
        let mut position = position.clone();
        position.play(second);
        for third in position.legal_moves() {
            let mut position = position.clone();
            position.play(third);
            let named = position.named_opening().expect("a named opening");
            found.push((named.short(), named.chinese, named.japanese));
        }
    }
    assert_eq!(found.len(), 8 * 23);
    found.sort();
    // Openings on an axis of symmetry arise in four ways, others in eight.
    let mut counts: Vec<usize> = found.chunk_by(|a, b| a == b).map(<[_]>::len).collect();
    assert_eq!(counts.len(), 26);
    counts.sort();
    assert_eq!(counts, [[4].repeat(6), [8].repeat(20)].concat());
    let names: Vec<String> = OPENINGS.iter().map(|named| named.short()).collect();
    assert_eq!(
        names.iter().filter(|name| name.starts_with('D')).count(),
        13
    );
}

#[test]
fn faults_name_the_rule() {
    let start = start("{}");
    for (turn, message) in [
        (
            "h7",
            "column 1: expected the first stone on the centre, h8, found \"h7\"",
        ),
        (
            "h8h10",
            "column 3: expected the second stone to touch the first, found \"h10\"",
        ),
        (
            "h8h9k8",
            "column 5: expected the third stone to lie in the 5×5 around the centre, found \"k8\"",
        ),
        ("h8h9h8", "column 5: expected an empty cell, found \"h8\""),
        (
            "h8h9h10h11",
            "column 8: expected x and the number of fifth stones that black will offer, as x2, \
             found \"h\"",
        ),
        (
            "h8h9h10x13",
            "column 9: expected a number of fifth stones 1 to 12, found \"13\"",
        ),
        (
            "h8x2",
            "column 3: expected a cell: the number of fifth stones follows the third, found \"x2\"",
        ),
        (
            "swap",
            "column 1: expected a cell: a swap is possible only before the fourth stone, found \
             \"swap\"",
        ),
        (
            "h8h9h10x2swap",
            "column 10: expected nothing more, as the turn is over, found \"s\"",
        ),
    ] {
        check_refused(&start, turn, message);
    }
    let offered = after("{}", "h8h9h10x3 h11");
    check_refused(
        &offered,
        "g8i8",
        "column 3: expected a stone that mirrors no other: i8 mirrors the offered g8, found \"i8\"",
    );
    check_refused(
        &offered,
        "g8g8",
        "column 3: expected a cell that is not offered yet, found \"g8\"",
    );
    let keep = after("{}", "h8h9h10x2 h11 g8g9");
    check_refused(
        &keep,
        "h7",
        "column 1: expected one of the offered stones, g8 g9, found \"h7\"",
    );
    check_refused(
        &keep,
        "g8claim",
        "column 3: expected another action: a claim is possible only right after a forbidden \
         move, found \"claim\"",
    );
    let twice = after("{}", "h8h9h10x2 swap");
    check_refused(
        &twice,
        "swap",
        "column 1: expected a cell: a swap is possible only before the fourth stone, found \
         \"swap\"",
    );
}

/// Four stones that a group of symmetries maps onto themselves, and the size of the group.
const SYMMETRIC: [(&str, usize); 4] = [
    ("h8h9h10x12 h11", 2),
    ("h8i9j10x12 k11", 2),
    ("h8i9g7x12 h1", 1),
    ("h8h9j10x12 a1", 1),
];

#[test]
fn an_offer_excludes_its_images_under_all_symmetries_of_the_four_stones() {
    for (turns, group) in SYMMETRIC {
        let offering = after("{}", turns);
        // In all 8 symmetries of the board.
        for symmetry in 0..8 {
            let image = engine_core::Symmetric::transform(&offering, symmetry);
            for first in image.legal_moves() {
                let mut position = image.clone();
                position.play(first);
                let legal = position.legal_moves();
                let excluded = 221 - legal.len();
                assert!(excluded == 1 || excluded == group, "{turns}: {excluded}");
                let gomoku::Action::Cell(cell) = first else {
                    panic!("an offer is a cell");
                };
                for reflection in 0..8 {
                    let keeps = engine_core::Symmetric::transform(&image, reflection) == image;
                    let mirrored = cell.transformed(reflection, 15);
                    if keeps {
                        assert!(!position.is_legal(gomoku::Action::Cell(mirrored)));
                    }
                }
            }
        }
    }
}
