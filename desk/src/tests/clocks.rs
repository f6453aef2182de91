//! Clocks, corrections and flags.

use super::*;

#[test]
fn the_clock_of_a_side_runs_until_its_turn_is_entered() {
    let mut table = Table::new(hex());
    assert_eq!(table.left(3.0), [97.0, 100.0]);
    table.act(10.0, &enter("a1"));
    assert_eq!(table.left(10.0), [90.0, 100.0]);
    assert_eq!(table.left(15.0), [90.0, 95.0]);
    table.act(30.0, &enter("b1"));
    let turn = &table.state.game().turns[1].record;
    assert_eq!((turn.used_us, turn.left_us), (20_000_000, Some(80_000_000)));
    assert_eq!(table.left(31.0), [89.0, 80.0]);
}

#[test]
fn clocks_stand_still_in_a_pause() {
    let mut table = Table::new(Settings {
        wait: true,
        ..hex()
    });
    assert_eq!(table.left(50.0), [100.0, 100.0]);
    table.refuses(50.0, &enter("a1"), "paused, expected resume first");
    table.act(60.0, &Operation::Resume);
    table.act(65.0, &Operation::Pause);
    table.refuses(66.0, &Operation::Pause, "paused already");
    table.act(165.0, &Operation::Resume);
    table.refuses(165.0, &Operation::Resume, "expected a pause");
    table.act(170.0, &enter("a1"));
    assert_eq!(table.left(170.0), [90.0, 100.0]);
    assert_eq!(table.state.epoch, 3);
}

#[test]
fn time_away_is_nobody_s_until_it_is_charged() {
    let mut table = Table::new(hex());
    let away = |table: &Table| table.state.away.map(|away| away.time().as_secs());
    let reopened = |seconds| Event::Reopened {
        until: Some(at(seconds)),
    };
    let none = "no time away";
    table.act(10.0, &enter("a1"));
    table.refuses(12.0, &Operation::ChargeAway, none);
    table.add(60.0, reopened(15.0));
    assert!(table.state.paused);
    assert_eq!((away(&table), table.left(70.0)), (Some(45), [90.0, 95.0]));
    table.act(70.0, &Operation::ChargeAway);
    assert_eq!((away(&table), table.left(75.0)), (None, [90.0, 50.0]));
    table.refuses(75.0, &Operation::ChargeAway, none);
    table.act(80.0, &Operation::Resume);
    table.act(82.0, &enter("b1"));
    assert_eq!(table.left(82.0), [90.0, 48.0]);

    table.add(100.0, reopened(85.0));
    assert_eq!((away(&table), table.left(100.0)), (Some(15), [87.0, 48.0]));
    table.act(101.0, &Operation::Resume);
    assert_eq!(away(&table), None);
    table.refuses(101.0, &Operation::ChargeAway, none);
    // Longer than the clock has run.
    table.add(110.0, reopened(1.0));
    assert_eq!((away(&table), table.left(110.0)), (Some(9), [87.0, 48.0]));
    // A pause was a pause.
    table.add(120.0, reopened(112.0));
    assert_eq!((away(&table), table.left(120.0)), (Some(9), [87.0, 48.0]));
    table.act(130.0, &correct(2));
    assert_eq!(away(&table), None);
}

#[test]
fn time_away_is_used_by_nobody_without_a_clock() {
    let mut settings = hex();
    settings.clock = ClockSpec::unlimited();
    let mut table = Table::new(settings);
    table.act(10.0, &enter("a1"));
    let until = Some(at(15.0));
    table.add(60.0, Event::Reopened { until });
    assert!(!table.state.paused && table.state.away.is_none());
    table.act(62.0, &enter("b1"));
    assert_eq!(table.state.game().turns[1].record.used_us, 7_000_000);
}

#[test]
fn in_journals_of_earlier_versions_clocks_went_on() {
    let line = r#"{"time":"2023-11-14T22:13:40Z","event":"reopened"}"#;
    let entry: Entry = serde_json::from_str(line).unwrap();
    assert_eq!(entry.event, Event::Reopened { until: None });
    let mut table = Table::new(hex());
    table.add(20.0, entry.event);
    assert_eq!(table.left(30.0), [70.0, 100.0]);
    assert_eq!(table.state.reopened, 1);
}

#[test]
fn a_person_may_have_no_limit_and_an_engine_not() {
    let mut settings = hex();
    settings.seats[1].clock = Some(ClockSpec::unlimited());
    let mut table = Table::new(settings.clone());
    table.act(10.0, &enter("a1"));
    table.act(100_000.0, &enter("b1"));
    table.act(100_001.0, &enter("a2"));
    assert_eq!(
        table
            .state
            .game()
            .left(engine_core::Side::Second, at(100_002.0)),
        None
    );
    table.act(200_000.0, &enter("b2"));
    table.act(200_001.0, &enter("a3"));
    assert_eq!(table.logged().result, GameResult::First);
    settings.seats.reverse();
    let refused = with_engine(settings, Protocol::Ugi).check().unwrap_err();
    assert!(refused.0.starts_with("clock of A: no limit"), "{refused}");
}

#[test]
fn a_correction_in_a_contest_keeps_the_time_that_was_thought() {
    let mut table = Table::new(contest());
    table.act(10.0, &enter("a1"));
    table.act(30.0, &enter("b1"));
    table.act(37.0, &enter("c1"));
    table.act(40.0, &correct(2));
    // Second had thought for 20 s when b1 was entered.
    assert_eq!(table.left(40.0), [90.0, 80.0]);
    table.act(45.0, &enter("b2"));
    assert_eq!(table.left(45.0), [90.0, 75.0]);
    let [correction] = &table.state.corrections[..] else {
        panic!("one correction");
    };
    assert_eq!((correction.game, correction.from), (1, 2));
    assert_eq!(correction.removed, ["b1", "c1"]);
    assert_eq!(correction.left_us, [Some(90_000_000), Some(80_000_000)]);
    assert_eq!(correction.reason, "misread");
}

#[test]
fn taking_back_at_home_gives_the_time_back() {
    let mut table = Table::new(hex());
    table.act(10.0, &enter("a1"));
    table.act(30.0, &enter("b1"));
    table.act(40.0, &correct(2));
    assert_eq!(table.left(41.0), [90.0, 99.0]);
    assert_eq!(table.state.corrections, []);
}

#[test]
fn the_rules_end_a_game_and_stop_its_clocks() {
    let mut table = Table::new(hex());
    for (seconds, turn) in [(1.0, "a1"), (2.0, "b1"), (3.0, "a2"), (4.0, "b2")] {
        table.act(seconds, &enter(turn));
    }
    table.act(5.0, &enter("a3"));
    let ending = table.state.game().ending.clone().unwrap();
    assert_eq!(
        (ending.result, ending.reason),
        (GameResult::First, Reason::Rules)
    );
    assert_eq!(table.left(60.0), [97.0, 98.0]);
    assert!(table.state.is_over());
    let game = table.logged();
    assert_eq!(game.duration_ms, 5_000);
    assert_eq!((&*game.league, &*game.first.protocol), ("desk", "operator"));
    // The last entry was wrong: the game goes on.
    table.act(60.0, &correct(5));
    assert_eq!(table.state.game().ending, None);
    assert_eq!(table.left(61.0), [97.0, 98.0]);
}

#[test]
fn a_flag_ends_the_game_or_is_shown() {
    let mut table = Table::new(hex());
    assert_eq!(table.state.lost_on_time(at(100.0)), None);
    let fallen = table.state.lost_on_time(at(100.1));
    assert_eq!(fallen, Some(engine_core::Side::First));
    let side = SideName::First;
    table.add(100.1, Event::Flag { side });
    assert_eq!(table.logged().reason, Reason::Time);

    let mut table = Table::new(contest());
    assert_eq!(table.state.lost_on_time(at(120.0)), None);
    assert_eq!(table.state.fallen(at(120.0)), [true, false]);
    table.act(120.0, &enter("a1"));
    assert_eq!(table.left(121.0), [0.0, 99.0]);
    assert_eq!(table.state.fallen(at(121.0)), [true, false]);
    table.act(122.0, &enter("b1"));
    table.act(125.0, &enter("a2"));
    let other = SideName::Second;
    table.refuses(
        126.0,
        &Operation::Claim { side: other },
        "Second has time left",
    );
    table.act(126.0, &Operation::Claim { side });
    let game = table.logged();
    assert_eq!(
        (game.result, game.reason),
        (GameResult::Second, Reason::Time)
    );
    assert_eq!(game.turns[2].used_us, 3_000_000);
}

#[test]
fn the_referee_sets_a_clock() {
    let mut table = Table::new(contest());
    table.act(10.0, &enter("a1"));
    let set = |side, seconds: u64| Operation::SetClock {
        side,
        left_us: seconds * 1_000_000,
    };
    table.act(15.0, &set(SideName::Second, 300));
    assert_eq!(table.left(16.0), [90.0, 299.0]);
    table.act(20.0, &set(SideName::First, 30));
    table.act(25.0, &enter("b1"));
    assert_eq!(table.left(25.0), [30.0, 290.0]);
    table.act(26.0, &enter("a2"));
    table.act(27.0, &correct(2));
    assert_eq!(table.left(27.0), [30.0, 290.0]);
    table.act(28.0, &enter("b2"));
    table.refuses(28.0, &set(SideName::First, 1 << 40), "expected at most");
    table.act(
        29.0,
        &Operation::Resign {
            side: SideName::Second,
        },
    );
    let game = table.logged();
    let desk = game.desk.clone().unwrap();
    assert_eq!((desk.clocks.len(), desk.corrections), (2, 1));
    let mut forged = game;
    forged.desk = None;
    let fault = verify::check(&forged).unwrap_err();
    assert!(fault.contains("expected 84000000 µs"), "{fault}");

    let table = Table::new(Settings {
        clock: ClockSpec {
            per_move: Some(SignedDuration::from_secs(5)),
            ..ClockSpec::default()
        },
        ..hex()
    });
    table.refuses(1.0, &set(SideName::First, 9), "expected one with base");
    assert_eq!(
        table
            .state
            .game()
            .left(engine_core::Side::First, at(2.0))
            .unwrap()
            .as_secs(),
        3
    );
}

#[test]
fn the_clock_of_an_engine_runs_until_its_turn_is_on_the_board() {
    let mut table = Table::new(with_engine(contest(), Protocol::Ugi));
    table.act(1.0, &Operation::Hurry);
    let answer = |text: &str| Event::Answer {
        text: text.to_owned(),
        info: None,
    };
    table.add(10.0, answer("a1"));
    assert_eq!(table.left(12.0), [88.0, 100.0]);
    table.refuses(12.0, &Operation::Hurry, "the engine does not think");
    table.refuses(
        12.0,
        &enter("b2"),
        "b2, but the engine plays a1: expected a1",
    );
    assert_eq!(table.state.game().turns.len(), 0);
    table.act(15.0, &Operation::Confirm);
    assert_eq!(table.left(15.0), [85.0, 100.0]);
    assert_eq!(table.state.game().turns[0].by, Some(By::Engine));
    table.act(16.0, &enter("b2"));
    table.add(20.0, answer(RESIGN));
    table.act(21.0, &correct(3));
    assert_eq!(table.state.game().answer, None);
    // In place of the engine.
    table.act(22.0, &enter("c1"));
    table.act(23.0, &enter("c2"));
    table.add(24.0, answer(RESIGN));
    table.act(25.0, &Operation::Confirm);
    let game = table.logged();
    assert_eq!(
        (game.result, game.reason),
        (GameResult::Second, Reason::Resign)
    );
    assert_eq!(game.desk.unwrap().entered, [3]);

    let table = Table::new(with_engine(contest(), Protocol::Sau));
    table.refuses(
        1.0,
        &Operation::Hurry,
        "sau has no command to answer at once",
    );
}
