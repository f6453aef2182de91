//! Records: contest records with and without the ceremony, SGF, lists.

use engine_core::{Outcome, Position, Side};
use gomoku::Gomoku;
use proptest::prelude::*;
use records::conformance::{check, check_fault, faultless};
use records::{self, Format, Reading, Recorded};
use serde_json::json;

use crate::common::start;

/// Stones only: one fifth stone, no swap.
const PLAIN: &str = "{[C5][甲队 B][乙队 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(H,8);W(H,9);\
                     B(J,10);W(G,7);B(I,9);W(K,11);B(I,10);W(A,1)}\n";
/// Three fifth stones and a swap, and a pass.
const SWAPPED: &str = "{[C5][甲队 B][乙队 W][后手胜][2017.07.29 14:00 重庆][2017 CCGC];B(H,8);W(H,9);\
                       B(J,10);B(X,3);W(swap);W(G,7);B(A,1);B(B,1);B(I,9);W(I,9);W(pass);B(I,10)}\n";

fn turns(record: &records::Record<Gomoku>) -> Vec<String> {
    let mut position = record.start.clone();
    let mut turns: Vec<String> = Vec::new();
    let mut side = None;
    for event in &record.events {
        let records::Event::Move(mv) = *event else {
            panic!("no dice");
        };
        let mover = engine_core::Position::side(&position);
        let text = position.spelled(mv);
        match turns.last_mut().filter(|_| side == Some(mover)) {
            Some(turn) => *turn += &text,
            None => turns.push(text),
        }
        side = Some(mover);
        event.play(&mut position);
    }
    turns
}

#[test]
fn a_record_of_stones_implies_one_fifth_stone_and_no_swap() {
    let record = faultless::<Gomoku>(PLAIN);
    let expected = ["h8h9j10x1", "g7", "i9", "i9k11", "i10", "a1"];
    assert_eq!(turns(&record), expected);
    check::<Gomoku>(PLAIN, ("W(H,9)", "W(H,11)"));
}

#[test]
fn a_record_of_the_whole_ceremony() {
    let record = faultless::<Gomoku>(SWAPPED);
    let expected = ["h8h9j10x3", "swap", "g7", "a1b1i9", "i9pass", "i10"];
    assert_eq!(turns(&record), expected);
    check::<Gomoku>(SWAPPED, ("W(swap)", "B(swap)"));
}

#[test]
fn faults_name_the_rule_with_line_and_column() {
    for (from, to, message) in [
        (
            "B(H,8)",
            "B(H,7)",
            "line 1, column 56: expected the first stone on the centre, h8, found \"B(H,7)\"",
        ),
        (
            "W(H,9)",
            "W(H,11)",
            "line 1, column 63: expected the second stone to touch the first, found \"W(H,11)\"",
        ),
        (
            "B(J,10)",
            "B(L,8)",
            "line 1, column 70: expected the third stone to lie in the 5×5 around the centre, found \
             \"B(L,8)\"",
        ),
        (
            "W(G,7)",
            "B(G,7)",
            "line 1, column 78: expected a move of white, whose turn it is, found \"B(G,7)\"",
        ),
        (
            "W(K,11)",
            "W(swap)",
            "line 1, column 92: expected a cell: a swap is possible only before the fourth stone, \
             found \"W(swap)\"",
        ),
    ] {
        check_fault::<Gomoku>(PLAIN, from, to, message);
    }
    let symmetric = PLAIN
        .replace("B(J,10)", "B(H,10);B(X,2)")
        .replace("W(G,7);B(I,9)", "W(H,11);B(G,8);B(I,9)");
    check_fault::<Gomoku>(
        &symmetric,
        "B(I,9)",
        "B(I,8)",
        "line 1, column 100: expected a stone that mirrors no other: i8 mirrors the offered g8, \
         found \"B(I,8)\"",
    );
    // Black's tenth move makes two threes; white goes on.
    let unclaimed = PLAIN.replace(
        "B(J,10);W(G,7);B(I,9);W(K,11);B(I,10);W(A,1)",
        "B(I,8);W(A,1);B(J,9);W(A,3);B(J,10);W(A,5);B(J,8);W(A,7)",
    );
    check_fault::<Gomoku>(
        &unclaimed,
        "W(A,7)",
        "W(A,7)",
        "line 1, column 120: expected nothing more, as the game is over: three-three, found \
         \"W(A,7)\"",
    );
}

/// The single game in a text.
fn read(format: Format, variant: serde_json::Value, text: &str) -> Reading<Gomoku> {
    let variant = serde_json::from_value(variant).expect("a variant");
    let mut readings = Vec::new();
    records::read(format, &variant, text, |reading| readings.push(reading)).expect("a variant");
    assert_eq!(readings.len(), 1, "{text}");
    readings.remove(0)
}

#[test]
fn other_programs_write_stones_only() {
    let expected = ["h8h9j10x1", "g7", "i9", "i9k11"];
    for (format, text) in [
        (
            Format::Sgf,
            "(;FF[4]GM[4]SZ[15];B[h8];W[h9];B[j10];W[g7];B[i9];W[k11])",
        ),
        (
            Format::Sgf,
            "(;FF[4]GM[4]SZ[15];B[hh];W[hg];B[jf];W[gi];B[ig];W[ke])",
        ),
        (Format::Moves, "h8,h9,j10,g7,i9,k11"),
        (Format::Moves, "h8h9j10 g7 i9 k11"),
        (Format::Table, "1,\"h8,h9,j10,g7,i9,k11\","),
    ] {
        let record = read(format, json!({}), text).faultless().expect(text);
        assert_eq!(turns(&record), expected, "{text}");
    }
    let short = read(Format::Moves, json!({}), "h8,h9,j10").faultless();
    assert_eq!(turns(&short.expect("a game")), ["h8h9j10x1"]);
    let free = read(Format::Moves, json!({"opening": "free"}), "a1,b1,c1");
    assert_eq!(
        turns(&free.faultless().expect("a game")),
        ["a1", "b1", "c1"]
    );
}

#[test]
fn sgf_names_the_colours_of_the_stones() {
    let record = faultless::<Gomoku>(SWAPPED);
    let written = records::write(Format::Sgf, &record).expect("a game");
    let nodes = ";B[h8];W[h9];B[j10x3];W[swap];W[g7];B[a1b1i9];W[i9pass];B[i10])";
    assert!(written.ends_with(&format!("\n{nodes}\n")), "{written}");
    let plain = records::write(Format::Sgf, &faultless::<Gomoku>(PLAIN)).expect("a game");
    let nodes = ";B[h8];W[h9];B[j10];W[g7];B[i9];W[k11];B[i10];W[a1])";
    assert!(plain.ends_with(&format!("\n{nodes}\n")), "{plain}");
    let read = read(Format::Sgf, json!({}), &written)
        .faultless()
        .expect("a game");
    assert_eq!(read.events, record.events);
}

/// As piskvork saves it, with times and the names of the engines.
const PSQ: &str =
    "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,1250\r\n8,7,31\r\n-1\r\none\r\ntwo\r\n";

#[test]
fn games_of_gomocup_s_manager() {
    let reading = read(Format::Psq, json!({}), PSQ);
    let record = reading.faultless().expect("a game");
    assert_eq!(turns(&record), ["h8", "i9", "h9"]);
    assert_eq!(record.header.teams, ["one", "two"]);
    assert_eq!(record.variant, gomoku::Variant::FREE_STYLE);
    let written = records::write(Format::Psq, &record).expect("a game");
    assert_eq!(
        written,
        "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n8,7,0\none\ntwo\n-1\n"
    );
    for (from, to, message) in [
        (
            "9,7,1250",
            "8,8,1250",
            "line 3, column 1: expected an empty cell, found \"8,8,1250\"",
        ),
        (
            "9,7,1250",
            "9,16,0",
            "line 3, column 1: expected a column and a row of the board, from 1, found \"9,16,0\"",
        ),
        (
            "9,7,1250",
            "i9",
            "line 3, column 1: expected column, row and time of a stone, as 8,8,0, found \"i9\"",
        ),
        (
            "15x15",
            "15x16",
            "line 1, column 1: expected a square board, found \"Piskvorky 15x16, 11:11, 0\"",
        ),
    ] {
        let fault = read(Format::Psq, json!({}), &PSQ.replace(from, to)).fault;
        assert_eq!(fault.expect(to).to_string(), message);
    }
    let contest = faultless::<Gomoku>(PLAIN);
    let refused = records::write(Format::Psq, &contest).expect_err("a ceremony");
    assert!(refused.to_string().contains("stones only"), "{refused}");
}

/// Gomocup's free-style game is on 20×20.
#[test]
fn records_of_the_largest_board() {
    let psq = "Piskvorky 20x20, 11:11, 0\n20,1,0\n1,20,0\n20,20,0\n1,1,0\n-1\none\ntwo\n";
    let record = read(Format::Psq, json!({}), psq).faultless().expect(psq);
    assert_eq!(turns(&record), ["t20", "a1", "t1", "a20"]);
    assert_eq!(record.variant.size, 20);
    let sgf = records::write(Format::Sgf, &record).expect("a game");
    assert!(
        sgf.contains("SZ[20]") && sgf.contains(";B[t20];W[a1];B[t1];W[a20])"),
        "{sgf}"
    );
    for format in records::formats::<Gomoku>() {
        let written = records::write(format, &record).expect("a game");
        let variant = serde_json::to_value(record.variant).expect("JSON");
        let again = read(format, variant, &written).faultless();
        assert_eq!(again.expect(&written).events, record.events, "{written}");
    }
    let letters = "(;FF[4]GM[4]SZ[20];B[ta];W[at];B[tt];W[aa])";
    let other = read(Format::Sgf, json!({}), letters).faultless();
    assert_eq!(other.expect(letters).events, record.events);
    for (from, to) in [("20,1,0", "21,1,0"), ("20x20", "21x21")] {
        let fault = read(Format::Psq, json!({}), &psq.replace(from, to)).fault;
        assert!(fault.is_some(), "{to}");
    }
}

#[test]
fn a_board_of_another_size_has_no_prescribed_opening() {
    let text = "(;FF[4]GM[4]SZ[19];B[a1];W[s19])";
    let reading = read(Format::Sgf, json!({}), text).faultless().expect(text);
    let free = r#"{"opening": "free", "forbidden": "off", "size": 19}"#;
    assert_eq!(reading.start, start(free));
}

/// Piskvork writes names only where programs played, and the code of an error last; a second player who
/// begins is the first name's opponent. Gomocup's judge adds the result.
#[test]
fn files_of_piskvork_and_of_the_judge() {
    let stones = "8,8,0\n9,7,1250\n8,7,31\n";
    for (head, tail, teams) in [
        ("11:11, 0", "-1", ["", ""]),
        ("0:11, 0", "0", ["", ""]),
        ("11:11, 0", "one\ntwo\n-1", ["one", "two"]),
        ("11:11, 1", "one\ntwo\n0", ["two", "one"]),
        ("11:11, 0", "-1\none\ntwo", ["one", "two"]),
        ("11:11, 0", "one\ntwo", ["one", "two"]),
        ("11:11, 0", "one\ntwo\n-1\n2,Freestyle15_1", ["one", "two"]),
    ] {
        let text = format!("Piskvorky 15x15, {head}\n{stones}{tail}\n");
        let reading = read(Format::Psq, json!({}), &text);
        let record = reading.faultless().expect(&text);
        assert_eq!(turns(&record), ["h8", "i9", "h9"], "{text}");
        assert_eq!(record.header.teams, teams, "{text}");
        let is_judged = tail.contains("Freestyle");
        let second = is_judged.then_some(Outcome::Win(Side::Second));
        assert_eq!(record.header.result, second, "{text}");
    }
    let gomotur = "one\ntwo\n0,0,5\n19,19,5\n-1\n";
    let reading = read(Format::Psq, json!({"opening": "free", "size": 20}), gomotur);
    assert_eq!(turns(&reading.faultless().expect(gomotur)), ["a20", "t1"]);
}

/// The rules that a file states, in the numbers of Gomocup and in words.
#[test]
fn sgf_states_the_rules() {
    let six = ";B[h8];W[a1];B[i8];W[a3];B[j8];W[a5];B[k8];W[a7];B[f8];W[a9];B[g8]";
    for (rules, is_over, is_legal) in [
        ("RU[0]", true, true),
        ("RU[1]", false, true),
        ("RU[4]", true, true),
        ("RU[Renju]", true, true),
        ("RU[8]", false, false),
        ("RU[prescribed]", false, false),
        // None of the contest's openings.
        ("", true, true),
    ] {
        let text = format!("(;GM[4]{rules}SZ[15]{six})");
        let reading = read(Format::Sgf, json!({}), &text);
        assert_eq!(
            reading.fault.is_none(),
            is_legal,
            "{rules} {:?}",
            reading.fault
        );
        assert_eq!(
            reading.end.outcome().is_some() && is_legal,
            is_over,
            "{rules}"
        );
        assert_eq!(reading.is_relaxed, rules.is_empty(), "{rules}");
    }
    for variant in [
        json!({}),
        json!({"forbidden": "claimed"}),
        json!({"opening": "free", "forbidden": "off"}),
        json!({"opening": "free", "forbidden": "off", "exactly_five": true}),
        json!({"opening": "free", "size": 9}),
        json!({"opening": "free", "forbidden": "claimed"}),
        json!({"forbidden": "off", "exactly_five": true}),
    ] {
        let record = read(Format::Moves, variant, "h8h9i9").faultless();
        let record = record.or_else(|_| {
            read(Format::Moves, json!({"opening": "free", "size": 9}), "a1").faultless()
        });
        let record = record.expect("a game");
        let text = records::write(Format::Sgf, &record).expect("a game");
        let again = read(Format::Sgf, json!({}), &text)
            .faultless()
            .expect(&text);
        assert_eq!(again.variant, record.variant, "{text}");
    }
}

/// A game that breaks the contest's rules after one of its openings is not free-style.
#[test]
fn rules_are_relaxed_only_where_the_opening_does_not_fit() {
    let contest = "h8,h9,j10,g7,i9,k11,i10";
    let reading = read(Format::Moves, json!({}), contest);
    assert_eq!((reading.fault, reading.is_relaxed), (None, false));
    let again = read(Format::Moves, json!({}), &format!("{contest},h8"));
    assert!(again.fault.is_some() && !again.is_relaxed);
    let free = read(Format::Moves, json!({}), "a1,b1,c1");
    assert_eq!((free.fault, free.is_relaxed), (None, true));
    let stated = read(Format::Moves, json!({"forbidden": "claimed"}), "a1,b1,c1");
    assert!(stated.fault.is_some());
}

/// Programs for Renju write the numbers of Go and of Nine Men's Morris.
#[test]
fn numbers_of_other_games_are_noted() {
    for number in [1, 5] {
        let text = format!("(;GM[{number}]SZ[15];B[hh];W[hg];B[ii])");
        let reading = read(Format::Sgf, json!({}), &text);
        assert_eq!((reading.fault, reading.notes.len()), (None, 1), "{text}");
    }
    let fault = read(Format::Sgf, json!({}), "(;GM[11];B[hh])").fault;
    assert!(
        fault
            .expect("Hex")
            .to_string()
            .contains("expected 4, Gomoku")
    );
}

proptest! {
    #[test]
    fn no_text_panics(
        text in prop_oneof!["[a-tA-T0-9,/ bwx\"\n()\\[\\]{};#]{0,60}", "\\PC{0,40}"],
        stones in "\\{\\[C5\\]\\[\\]\\[\\]\\[\\](;[BW]\\(([A-OX],[0-9]{1,2}|swap|pass)\\)){0,9}\\}?",
    ) {
        for format in records::formats::<Gomoku>() {
            for text in [&text, &stones] {
                records::read::<Gomoku>(format, &Default::default(), text, |_| {}).expect("a variant");
            }
        }
    }
}
