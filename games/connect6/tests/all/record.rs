//! Recorded games: legal replay, the recorded result, and the messages for broken records.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use connect6::Connect6;
use engine_core::{Outcome, Position, Side};
use proptest::prelude::*;
use records::{self, Event, Format, Reading, Record, Recorded, conformance};

const GAMES: &str = include_str!("../data/connect6-games.csv");

/// Black's six is in row 1; white's stones are in the top row.
const SHORT: &str = "{[C6][甲队 B][乙队 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];\
B(A,1);W(A,19);W(C,19);B(B,1);B(C,1);W(E,19);W(G,19);B(D,1);B(E,1);W(I,19);W(K,19);B(F,1)}\n";
const BREAK: (&str, &str) = ("W(C,19)", "W(A,19)");

fn read(text: &str) -> Vec<Reading<Connect6>> {
    conformance::readings(text)
}

#[track_caller]
fn faultless(text: &str) -> Record<Connect6> {
    conformance::faultless(text)
}

#[track_caller]
fn check_fault(from: &str, to: &str, message: &str) {
    conformance::check_fault::<Connect6>(SHORT, from, to, message);
}

#[test]
fn a_record_is_written_as_it_was_read_and_read_beside_others() {
    conformance::check::<Connect6>(SHORT, BREAK);
}

#[test]
fn the_header_is_understood() {
    let header = faultless(SHORT).header;
    assert_eq!(header.teams, ["甲队", "乙队"]);
    assert_eq!(header.result, Some(Outcome::Win(Side::First)));
    assert_eq!(
        (&*header.time, &*header.place, &*header.event),
        ("2017.07.29 14:00", "重庆", "2017 CCGC")
    );
    let name = "C6-甲队 B vs 乙队 W-先手胜-2017.07.29 14：00 重庆-2017 CCGC.txt";
    assert_eq!(header.name("C6", ['B', 'W']), name);
    let (read, _) = records::Header::from_name(&format!("/a/b/{name}"), "C6", ['B', 'W']).unwrap();
    assert_eq!(read, header);
}

#[test]
fn lenient_readings_give_the_same_game() {
    let record = faultless(SHORT);
    for (from, to) in [
        (";", " ; "),
        (";", ";\n"),
        ("(", "（"),
        (",", "，"),
        (";W", "；w"),
        ("W(A,19)", "乙队(A,19)"),
        ("W(A,19)", "(A,19)"),
        ("W(A,19)", "W(a，１９)"),
        ("W(A,19)", "W(A,19)MARK[1]"),
        ("{[C6]", "{{C6}"),
        ("{[C6]", "{[c6]"),
        ("[C6]", "【C6】"),
        ("B(F,1)}", "B(F,1);}"),
        ("B(F,1)}", "B(F,1) \n}"),
        ("B(F,1)}", "B(F,1); \n}\n\n"),
    ] {
        assert!(SHORT.contains(from), "{from}");
        assert_eq!(faultless(&SHORT.replace(from, to)), record, "{to}");
    }
    let (_, stones) = SHORT.split_once("];").unwrap();
    for bare in [
        stones.trim_end().trim_end_matches('}'),
        &format!("{{{stones}"),
    ] {
        assert_eq!(faultless(bare).events, record.events);
    }
}

/// What programs of teams write, each with what is noted.
#[test]
fn records_of_teams_programs_are_read() {
    let (head, stones) = SHORT.split_once("];").unwrap();
    let stones = stones.trim_end().trim_end_matches('}');
    let events = faultless(SHORT).events;
    for (text, notes) in [
        (
            format!("{head}];{stones};\n"),
            &["the last '}' is missing"][..],
        ),
        (
            SHORT.replace("先手胜", "流局"),
            &["\"流局\" is none of the results 先手胜, 后手胜, 和棋 and 平局"],
        ),
        (SHORT.replace("先手胜", "黑方胜"), &[]),
        (format!("{head}];;{stones}}}"), &[]),
        (
            SHORT.replace("B(", "one(").replace("W(", "two("),
            &[
                "stones of First are called \"one\"",
                "stones of Second are called \"two\"",
            ],
        ),
    ] {
        let reading = read(&text).remove(0);
        assert_eq!(reading.fault, None, "{text}");
        assert_eq!(reading.notes, notes, "{text}");
        assert_eq!(reading.record.events, events, "{text}");
    }
    // Names of the other side, or of nobody.
    for names in [["one", "one"], ["W", "B"]] {
        let text = SHORT.replace("B(", "1(").replace("W(", "2(");
        let text = text.replace("1(", &format!("{}(", names[0]));
        let text = text.replace("2(", &format!("{}(", names[1]));
        assert!(read(&text)[0].fault.is_some(), "{text}");
    }
}

/// A name after a placeholder in the head, line ends in a field, and seven fields.
#[test]
fn heads_are_read_as_programs_write_them() {
    for (head, first, place, event) in [
        (
            "[C6][先手参赛队 one][后手参赛队 two][先手胜][2024.01.01 10:00 x][y]",
            "先手参赛队 one",
            "x",
            "y",
        ),
        (
            "[C6][one\n B][two W][先手胜][2024.01.01 10:00 x][2024\ny]",
            "one",
            "x",
            "2024 y",
        ),
        (
            "[C6][one B][two W][先手胜][2024.01.01 10:00][x][y]",
            "one",
            "x",
            "y",
        ),
        (
            "[C6][one B][two W]先手胜[2024.01.01 10:00 x][y]",
            "one",
            "x",
            "y",
        ),
    ] {
        let name = if first == "one" { "B" } else { "one" };
        let reading = read(&format!("{{{head};{name}(J,10)}}")).remove(0);
        let header = reading.record.header;
        assert_eq!((reading.fault, reading.notes), (None, vec![]), "{head}");
        assert_eq!(header.result, Some(Outcome::Win(Side::First)), "{head}");
        assert_eq!(
            (&*header.teams[0], &*header.place, &*header.event),
            (first, place, event)
        );
    }
}

/// Little Golem asks for two stones even if the first one has won.
#[test]
fn a_stone_after_the_winning_one_is_left_out() {
    let sgf = "(;GM[4];B[a1];W[a19c19];B[b1c1];W[e19g19];B[d1e1];W[i19k19];B[f1X])";
    for (second, is_read) in [
        ("s1", true),
        ("a2", true),
        ("f1", false),
        ("a19", false),
        ("t1", false),
    ] {
        let text = sgf.replace('X', second);
        let mut readings: Vec<Reading<Connect6>> = Vec::new();
        let take = |reading| readings.push(reading);
        records::read(Format::Sgf, &Default::default(), &text, take).unwrap();
        assert_eq!(readings[0].fault.is_none(), is_read, "{text}");
        assert_eq!(
            readings[0].record.events.len(),
            if is_read { 12 } else { 11 },
            "{text}"
        );
    }
}

/// Whose colour won shows at the end of the game.
#[test]
fn a_result_may_name_the_colour() {
    for (word, winner) in [("黑方胜", Side::First), ("白胜", Side::Second)] {
        let text = SHORT.replace("先手胜", word);
        let result = read(&text).remove(0).record.header.result;
        assert_eq!(result, Some(Outcome::Win(winner)), "{text}");
    }
    let reading = read(&SHORT.replace("先手胜", "红方胜")).remove(0);
    assert_eq!(
        (reading.record.header.result, reading.notes.len()),
        (None, 1)
    );
}

/// Columns in any order, and columns of others.
#[test]
fn a_table_names_its_columns() {
    for text in [
        format!("game_id,moves,winner,label\n7,\"{LIST},f1\",black,x\n"),
        format!("label,winner,moves\nx,black,\"{LIST},f1\"\n"),
        format!("moves,id\n{LIST},f1,7\n"),
        format!("name,moves\n\"the \"\"first\"\", of two\",\"{LIST},f1\"\n"),
    ] {
        let reading = read_table(&text).remove(0);
        assert_eq!(reading.fault, None, "{text}");
        assert_eq!(reading.record.events.len(), 12, "{text}");
    }
}

#[test]
fn faults_are_reported_with_their_place() {
    check_fault(
        "[C6]",
        "[HEX]",
        "line 1, column 3: expected the code C6, found \"HEX\"",
    );
    check_fault(
        "[C6]",
        "[C6",
        "line 1, column 5: expected ']' and the next field, found \"[甲队\"",
    );
    check_fault(
        "先手胜",
        "后手胜",
        "line 1, column 19: expected a win of black, because the game ended: six in a row, found \"后手胜\"",
    );
    check_fault(
        "W(C,19)",
        "W(A,19)",
        "line 1, column 71: expected an empty cell, found \"W(A,19)\"",
    );
    check_fault(
        "W(C,19)",
        "W(C,20)",
        "line 1, column 71: expected a row 1 to 19, found \"W(C,20)\"",
    );
    check_fault(
        "W(C,19)",
        "W(C,",
        "line 1, column 75: expected ')' after the cell, found \";B(B,1);B(C,1);W(E,1\"",
    );
    check_fault(
        "W(C,19)",
        "W",
        "line 1, column 71: expected a stone, as B(J,10) or W(J,10), found \"W;B(B,1);B(C,1);W(E,\"",
    );
    check_fault(
        "W(C,19)",
        "B(C,19)",
        "line 1, column 71: expected a move of white, whose turn it is, found \"B(C,19)\"",
    );
    check_fault(
        "W(C,19)",
        "丙(C,19)",
        "line 1, column 71: expected B, W or a team's name before the cell, found \"丙(C,19)\"",
    );
    check_fault(
        "W(C,19)",
        "W(C,1,9)",
        "line 1, column 71: expected nothing more, as the turn is over, found \"W(C,1,9)\"",
    );
    check_fault(
        "W(C,19)",
        "W(pass)",
        "line 1, column 71: expected a row 1 to 19, found \"W(pass)\"",
    );
    check_fault(
        "B(F,1)}",
        "B(F,1);W(S,1)}",
        "line 1, column 146: expected nothing more, as the game is over: six in a row, found \"W(S,1)\"",
    );
    check_fault(
        "B(F,1)}",
        "B(F,1)}x",
        "line 1, column 146: expected nothing more after '}', found \"x\"",
    );
}

/// Half a turn is a fault, unless the record states the result: then the game was broken off.
#[test]
fn a_turn_may_be_broken_off_with_a_result() {
    let half = SHORT.replace("W(K,19);B(F,1)}", "}");
    let reading = &read(&half)[0];
    assert_eq!((reading.fault.clone(), reading.is_broken_off), (None, true));
    assert_eq!(reading.record.events, faultless(SHORT).events[..9]);
    let fault = read(&half.replace("先手胜", ""))[0].fault.clone();
    let message = "line 1, column 127: expected the rest of the turn, found the end";
    assert_eq!(
        fault.map(|fault| fault.to_string()).as_deref(),
        Some(message)
    );
}

#[test]
fn the_legal_part_is_kept() {
    let reading = &read(&SHORT.replace("W(G,19)", "W(A,1)"))[0];
    assert!(reading.fault.is_some());
    // Only whole turns.
    assert_eq!(reading.record.events, faultless(SHORT).events[..5]);
}

fn read_table(text: &str) -> Vec<Reading<Connect6>> {
    let mut readings = Vec::new();
    records::read(Format::Table, &Default::default(), text, |reading| {
        readings.push(reading)
    })
    .unwrap();
    readings
}

#[test]
fn all_games_of_the_table_replay() {
    let games = read_table(GAMES);
    assert_eq!(games.len(), 829);
    let mut wins = [0; 2];
    let mut written = records::head(Format::Table).to_owned();
    for (game, line) in games.iter().zip(GAMES.lines().skip(1)) {
        assert_eq!(game.fault, None);
        let winner = game
            .end
            .outcome()
            .and_then(Outcome::winner)
            .expect("every game ends on a six");
        assert!(has_six(&game.end, winner), "{line}");
        assert!(line.ends_with(["black", "white"][winner.index()]));
        wins[winner.index()] += 1;
        written += &records::write(Format::Table, &game.record).unwrap();
    }
    let black = GAMES
        .lines()
        .filter(|line| line.ends_with(",black"))
        .count();
    assert_eq!(wins, [black, 829 - black]);
    assert_eq!(written, GAMES.replace("\r\n", "\n"));
}

fn has_six(position: &Connect6, side: Side) -> bool {
    let at = |x: i32, y: i32| x >= 0 && y >= 0 && position.at(x as usize, y as usize) == Some(side);
    (0..19 * 19).any(|cell| {
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .iter()
            .any(|(dx, dy)| (0..6).all(|k| at(cell % 19 + k * dx, cell / 19 + k * dy)))
    })
}

/// One move short of black's six.
const LIST: &str = "a1,a19,c19,b1,c1,e19,g19,d1,e1,i19,k19";

#[track_caller]
fn check_line(line: &str, message: &str) {
    let fault = read_table(line)[0].fault.clone().expect(message);
    assert_eq!(fault.to_string(), format!("line 1, {message}"));
}

#[test]
fn broken_lines_of_a_table_are_reported_with_their_place() {
    let good = format!("7,\"{LIST},f1\",black");
    assert_eq!(read_table(&good)[0].fault, None);
    for (end, message) in [
        (
            ",k19\",black",
            "column 43: expected an empty cell, found \"k19\"",
        ),
        (
            ",f1,g1\",black",
            "column 46: expected nothing more, as the game is over: six in a row, found \"g1\"",
        ),
        (
            ",f20\",black",
            "column 43: expected a row 1 to 19 on 19x19, or --variant '{ size = … }', found \"f20\"",
        ),
        (
            ",t1\",black",
            "column 43: expected a column letter a to s on 19x19, or --variant '{ size = … }', found \"t1\"",
        ),
        (
            ",f1\",white",
            "column 47: expected a win of black, because the game ended: six in a row, found \"white\"",
        ),
        (
            ",f1\",red",
            "column 47: expected black, white or draw, found \"red\"",
        ),
        (
            ",f1,black",
            "column 51: expected '\"' after the field, found the end",
        ),
    ] {
        check_line(&format!("7,\"{LIST}{end}"), message);
    }
    check_line(
        "7",
        "column 2: expected a comma and the moves, found the end",
    );
    check_line(
        "7,j10",
        "column 6: expected a comma and the winner, found the end",
    );
}

#[test]
fn tables_are_read_leniently() {
    let list = LIST.to_uppercase().replace(',', " , ");
    for line in [
        format!("7, {list} , F1,Black"),
        format!("game_id,moves,winner\n\n7,\"{LIST},f1\","),
    ] {
        let games = read_table(&line);
        assert_eq!((games.len(), games[0].fault.clone()), (1, None));
        assert_eq!(games[0].end.outcome(), Some(Outcome::Win(Side::First)));
    }
}

#[test]
fn sgf_is_read_in_both_grammars() {
    let text = "(;FF[4]GM[4]SZ[19]PB[甲\\]队]RE[B+];B[j10];W[jjkk];B[a1](;B[a2];W[a3a4])(;B[b2]))";
    let mut readings: Vec<Reading<Connect6>> = Vec::new();
    records::read(Format::Sgf, &Default::default(), text, |reading| {
        readings.push(reading)
    })
    .unwrap();
    let fault = readings[0].fault.clone().expect("jj is taken");
    assert_eq!(
        fault.to_string(),
        "line 1, column 43: expected a row 1 to 19, found \"jjkk\""
    );
    assert_eq!(readings[0].record.header.teams[0], "甲]队");
    let text = text.replace("jjkk", "iikk");
    readings.clear();
    records::read(Format::Sgf, &Default::default(), &text, |reading| {
        readings.push(reading)
    })
    .unwrap();
    assert_eq!(
        (readings[0].fault.clone(), readings[0].record.events.len()),
        (None, 7)
    );
    let first = ["j10", "i11", "k9", "a1", "a2", "a3", "a4"];
    let mut position = readings[0].record.start.clone();
    for (event, name) in readings[0].record.events.iter().zip(first) {
        let Event::Move(stone) = *event else {
            panic!("no dice")
        };
        assert_eq!(position.spelled(stone), name);
        event.play(&mut position);
    }
}

proptest! {
    #[test]
    fn no_text_panics(
        text in prop_oneof!["[a-tA-T0-9,/ bw\"\n()\\[\\]{};#]{0,60}", "\\PC{0,40}"],
        stones in "\\{\\[C6\\]\\[\\]\\[\\]\\[\\](;[BW]\\([A-T],[0-9]{1,2}\\)){0,9}\\}?",
    ) {
        for format in records::formats::<Connect6>() {
            for text in [&text, &stones] {
                records::read::<Connect6>(format, &Default::default(), text, |_| {}).unwrap();
            }
        }
    }
}
