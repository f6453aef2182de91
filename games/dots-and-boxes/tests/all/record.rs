//! Contest records: reading, writing, and the messages for broken ones.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use dots_and_boxes::DotsAndBoxes;
use engine_core::{Outcome, Position, Rng, Side};
use game::Game;
use proptest::prelude::*;
use records::{self, Event, Header, Reading, Record, Recorded, conformance};

const SHORT: &str = "{\"R\":\"甲队\",\"B\":\"乙队\",\"winner\":\"R\",\"Date\":\"2022-08-06\",\
\"Event\":\"2022 CCGC\",\"game\":[{\"piece\":\"r(e2,v)\"},{\"piece\":\"b(d3,h)\"}]}\n";
const BREAK: (&str, &str) = ("b(d3,h)", "b(e2,v)");

fn read(text: &str) -> Vec<Reading<DotsAndBoxes>> {
    conformance::readings(text)
}

#[track_caller]
fn faultless(text: &str) -> Record<DotsAndBoxes> {
    conformance::faultless(text)
}

#[track_caller]
fn check_fault(from: &str, to: &str, message: &str) {
    conformance::check_fault::<DotsAndBoxes>(SHORT, from, to, message);
}

#[test]
fn a_record_is_written_as_it_was_read_and_read_beside_others() {
    conformance::check::<DotsAndBoxes>(SHORT, BREAK);
}

#[test]
fn who_draws_first_is_first() {
    let record = faultless(SHORT);
    let exchanged = SHORT
        .replace("r(", "x(")
        .replace("b(", "r(")
        .replace("x(", "b(");
    let blue_first = faultless(&exchanged);
    assert_eq!(blue_first.events, record.events);
    assert_eq!(blue_first.header.teams, ["乙队", "甲队"]);
    assert_eq!(record.header.result, Some(Outcome::Win(Side::First)));
    assert_eq!(blue_first.header.result, Some(Outcome::Win(Side::Second)));
}

#[test]
fn lines_blanks_and_other_keys_do_not_matter() {
    let record = faultless(SHORT);
    for (from, to) in [
        (",\"", ",\n  \""),
        ("{\"R\"", " {\"round\": 3, \"R\""),
        ("r(e2,v)", "R（E2， V）"),
    ] {
        assert_eq!(faultless(&SHORT.replace(from, to)), record, "{to}");
    }
}

#[test]
fn faults_are_reported_with_their_place() {
    check_fault(
        "b(d3,h)",
        "b(e2,v)",
        "line 1, column 111: expected an edge that is not drawn yet, found \"b(e2,v)\"",
    );
    check_fault(
        "b(d3,h)",
        "b(d7,h)",
        "line 1, column 111: expected a dot's row, 1 to 6, found \"b(d7,h)\"",
    );
    check_fault(
        "b(d3,h)",
        "b(d3)",
        "line 1, column 111: expected h or v, found \"b(d3)\"",
    );
    check_fault(
        "b(d3,h)",
        "r(d3,h)",
        "line 1, column 111: expected a move of blue, whose turn it is, found \"r(d3,h)\"",
    );
    check_fault(
        "b(d3,h)",
        "d3,h",
        "line 1, column 111: expected an edge, as r(e2,v) or b(d3,h), found \"d3,h\"",
    );
    check_fault(
        "\"R\",\"Date",
        "\"G\",\"Date",
        "line 1, column 30: expected R, B or draw, found \"G\"",
    );
    check_fault(
        "\"game\":",
        "\"games\":",
        "line 1, column 122: expected a record in JSON, with \"game\":[{\"piece\":\"r(e2,v)\"},…]\
, found \"missing field `game`\"",
    );
}

/// A complete random game.
fn whole() -> Record<DotsAndBoxes> {
    let variant = Default::default();
    let start = DotsAndBoxes::start(&variant).unwrap();
    let mut edges = start.legal_moves();
    Rng::new(7).shuffle(&mut edges);
    let events = edges.into_iter().map(Event::Move).collect();
    let header = Header::default();
    Record {
        header,
        variant,
        start,
        events,
    }
}

#[test]
fn winner_and_boxes_must_be_those_of_the_game() {
    let mut record = whole();
    let outcome = record.end().outcome().unwrap();
    record.header.result = Some(outcome);
    let text = DotsAndBoxes::write_contest(&record).unwrap();
    assert_eq!(faultless(&text), record);
    let fault = |text: &str| read(text)[0].fault.clone().unwrap().to_string();
    let (right, wrong) = match outcome {
        Outcome::Win(Side::First) => ("R", "B"),
        _ => ("B", "R"),
    };
    let turned = text.replace(
        &format!("\"winner\":\"{right}\""),
        &format!("\"winner\":\"{wrong}\""),
    );
    let message = fault(&turned);
    assert!(
        message.starts_with("line 1, column 26: expected a win of "),
        "{message}"
    );
    assert!(
        message.ends_with(&format!(
            "because the game ended: all edges drawn, more boxes, found \"{wrong}\""
        )),
        "{message}"
    );
    let boxes = record.end().boxes_of(Side::First);
    let turned = text.replace(&format!("\"RScore\":{boxes}"), "\"RScore\":26");
    let message = fault(&turned);
    assert!(
        message.ends_with(&format!(
            "expected \"RScore\":{boxes}, as the boxes are, found \"\\\"RScore\\\":26\""
        )),
        "{message}"
    );
    let longer = text.replace("]}", ",{\"piece\":\"r(a1,h)\"}]}");
    assert!(
        fault(&longer).contains("expected nothing more, as the game is over: all edges drawn"),
        "{}",
        fault(&longer)
    );
}

proptest! {
    #[test]
    fn no_text_panics(
        text in prop_oneof!["[{}\\[\\]\":,rb(a-f1-6hv)]{0,60}", "\\PC{0,40}"],
        edges in proptest::collection::vec("[rb]\\([a-g][0-7],[hv]\\)", 0..9),
    ) {
        let pieces: Vec<String> = edges.iter().map(|edge| format!("{{\"piece\":\"{edge}\"}}")).collect();
        let json = format!("{{\"game\":[{}]}}", pieces.join(","));
        for format in records::formats::<DotsAndBoxes>() {
            for text in [&text, &json] {
                records::read::<DotsAndBoxes>(format, &Default::default(), text, |_| {}).unwrap();
            }
        }
    }
}
