use proptest::option::of;
use proptest::prelude::*;

use super::*;

fn check_command(line: &str) {
    assert_eq!(Command::parse(line).unwrap().to_string(), line);
}

fn check_answer(line: &str) {
    assert_eq!(Answer::parse(line).unwrap().to_string(), line);
}

#[test]
fn commands_round_trip() {
    check_command("ugi");
    check_command("isready");
    check_command("setoption name Table MB value 64");
    check_command("setoption name Clear");
    check_command("setoption name Variant value {\"size\":11, \"a b\":1}");
    check_command("uginewgame");
    check_command("position startpos");
    check_command("position startpos moves d1-d7-g7 a7-b6-b7");
    check_command("position fen 4/4 w 3 moves d6 R6-b4");
    check_command("go p1time 60000 p2time 59000 p1inc 500 p2inc 500");
    check_command("go p1time 60000 p2time 59000 movestogo 12");
    check_command("go p1time 0 p2time 900 byoyomi 5000");
    check_command("go movetime 100");
    check_command("go depth 4 nodes 1000 infinite");
    check_command("stop");
    check_command("query p1turn");
    check_command("quit");
}

#[test]
fn answers_round_trip() {
    check_answer("id name Some Engine 1.0");
    check_answer("id author Somebody");
    check_answer("option name Table MB type spin default 16 min 1 max 65536");
    check_answer("option name Ponder type check default false");
    check_answer("option name Book type string default");
    check_answer("option name Algorithm type combo default pvs var pvs var mcts");
    check_answer("ugiok");
    check_answer("readyok");
    check_answer("info depth 3 seldepth 5 score cp -12 nodes 10 nps 5 time 2 hashfull 1 pv a b");
    check_answer("info score win 3 string well done");
    check_answer("bestmove R:653214");
    check_answer("response p1win");
}

#[test]
fn errors_say_where_and_what() {
    let error = Command::parse("go  movetime soon").unwrap_err();
    assert_eq!(
        error.to_string(),
        "column 14: expected a time in ms, found \"soon\""
    );
    let error = Command::parse("position").unwrap_err();
    assert_eq!(
        error.to_string(),
        "column 9: expected startpos or fen, found the end"
    );
    assert!(Command::parse("").is_err());
    assert!(Command::parse("setoption name").is_err());
    assert!(Answer::parse("Hello, I am an engine").is_err());
    assert!(Answer::parse("bestmove").is_err());
}

#[test]
fn a_clock_below_zero_counts_as_zero() {
    let go = Go {
        p1time: Some(0),
        ..Go::default()
    };
    assert_eq!(Command::parse("go p1time -3"), Ok(Command::Go(go)));
}

#[test]
fn unknown_words_of_go_are_passed_over() {
    let go = Go {
        p1time: Some(5),
        byoyomi: Some(7),
        ..Go::default()
    };
    let line = "go ponder p1time 5 p1margin 3 winc byoyomi 7 mate";
    assert_eq!(Command::parse(line), Ok(Command::Go(go)));
}

#[test]
fn a_clock_is_that_of_the_side_to_move() {
    let go = Command::parse("go p1time 10 p2time 20 p1inc 1 movestogo 3 byoyomi 4");
    let Ok(Command::Go(go)) = go else { panic!() };
    let ms = Duration::from_millis;
    let first = TimeLeft {
        left: ms(10),
        increment: ms(1),
        period: ms(4),
        turns: Some(3),
    };
    assert_eq!(go.clock(Side::First), Some(first));
    let (left, increment) = (ms(20), ms(0));
    let second = TimeLeft {
        left,
        increment,
        ..first
    };
    assert_eq!(go.clock(Side::Second), Some(second));
    let Ok(Command::Go(go)) = Command::parse("go p2time 20 depth 3") else {
        panic!()
    };
    assert_eq!(go.clock(Side::First), None);
}

#[test]
fn unknown_fields_of_info_are_passed_over() {
    let Ok(Answer::Info(info)) = Answer::parse("info depth 4 wdl 1 2 3 nodes 7") else {
        panic!()
    };
    assert_eq!((info.depth, info.nodes), (Some(4), Some(7)));
}

#[test]
fn bounds_and_other_lines_are_told_apart() {
    for line in [
        "info depth 9 multipv 2 score cp 12 lowerbound nodes 7 pv a1 b2",
        "info multipv 1 score loss 4 upperbound",
    ] {
        let answer = Answer::parse(line).unwrap();
        assert_eq!(answer.to_string(), line);
        let Answer::Info(info) = answer else { panic!() };
        assert!(info.bound.is_some() && info.multipv.is_some());
    }
    let Ok(Answer::Info(info)) = Answer::parse("info score cp 12 nodes 3 string lowerbound") else {
        panic!()
    };
    assert_eq!((info.bound, info.multipv), (None, None));
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(line in any::<String>()) {
        let _ = Command::parse(&line);
        let _ = Answer::parse(&line);
    }

    #[test]
    fn what_a_search_may_spend_prints_as_it_reads(
        times in proptest::array::uniform6(of(0..=i64::MAX as u64)),
        (movestogo, depth, nodes) in any::<(Option<u32>, Option<u32>, Option<u64>)>(),
        infinite in any::<bool>(),
    ) {
        let [p1time, p2time, p1inc, p2inc, byoyomi, movetime] = times;
        let go = Command::Go(Go {
            p1time, p2time, p1inc, p2inc, movestogo, byoyomi, movetime, depth, nodes, infinite,
        });
        prop_assert_eq!(Command::parse(&go.to_string()), Ok(go));
    }

    #[test]
    fn any_words_of_the_grammar_print_as_they_read(
        line in proptest::collection::vec(
            prop_oneof![
                Just("setoption"), Just("option"), Just("name"), Just("value"), Just("type"),
                Just("spin"), Just("combo"), Just("var"), Just("default"), Just("position"),
                Just("fen"), Just("startpos"), Just("moves"), Just("go"), Just("depth"),
                Just("infinite"), Just("movestogo"), Just("byoyomi"), Just("info"), Just("score"), Just("cp"), Just("pv"),
                Just("string"), Just("id"), Just("7"), Just("-1"), Just("é"), Just("bestmove"),
            ],
            0..9,
        )
    ) {
        let line = line.join(" ");
        if let Ok(command) = Command::parse(&line) {
            prop_assert_eq!(Command::parse(&command.to_string()), Ok(command));
        }
        if let Ok(answer) = Answer::parse(&line) {
            prop_assert_eq!(Answer::parse(&answer.to_string()), Ok(answer));
        }
    }
}

#[test]
fn scores_read_as_they_print_and_nothing_else_does() {
    for score in [
        InfoScore::Points(-31),
        InfoScore::Win(5),
        InfoScore::Loss(0),
    ] {
        assert_eq!(score.to_string().parse(), Ok(score));
    }
    for text in [
        "",
        "cp",
        "cp x",
        "mate 5",
        "win -1",
        "cp 99999999999",
        "cp 1 lowerbound",
    ] {
        assert!(text.parse::<InfoScore>().is_err(), "{text:?}");
    }
}
