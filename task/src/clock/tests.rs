use engine_core::Side;

use super::*;

const MS: Duration = Duration::from_millis(1);

fn clock(edit: impl Fn(&mut ClockSpec)) -> Clock {
    let mut spec = ClockSpec {
        margin: SignedDuration::from_millis(20),
        ..ClockSpec::default()
    };
    edit(&mut spec);
    Clock::new(&spec)
}

#[test]
fn sudden_death_counts_down_and_the_increment_is_added_after_the_turn() {
    let mut clock = clock(|spec| {
        spec.base = Some(SignedDuration::from_secs(1));
        spec.increment = SignedDuration::from_millis(100);
    });
    assert_eq!(clock.patience(), 1020 * MS);
    clock.charge(300 * MS).unwrap();
    assert_eq!(clock.left(), Some(800 * MS));
    clock.charge(Duration::from_nanos(1_999)).unwrap();
    assert_eq!(
        clock.left(),
        Some(900 * MS - Duration::from_micros(1)),
        "whole µs"
    );
}

#[test]
fn the_flag_falls_only_beyond_the_margin() {
    let mut clock = clock(|spec| spec.base = Some(SignedDuration::from_secs(1)));
    clock.charge(1020 * MS).unwrap();
    assert_eq!(clock.left(), Some(Duration::ZERO));
    assert_eq!(clock.patience(), 20 * MS);
    let fallen = clock.charge(21 * MS).unwrap_err();
    assert_eq!(fallen.to_string(), "0.021 s used of 0.000 s");
    assert_eq!(
        clock.left(),
        Some(Duration::ZERO),
        "a fallen flag leaves the clock unchanged"
    );
}

#[test]
fn time_per_turn_does_not_accumulate() {
    let mut clock = clock(|spec| spec.per_move = Some(SignedDuration::from_millis(100)));
    for _ in 0..5 {
        clock.charge(110 * MS).unwrap();
    }
    assert_eq!(clock.left(), None);
    assert!(clock.charge(121 * MS).is_err());
}

/// As in Gomocup.
#[test]
fn a_turn_and_the_game_may_both_have_a_time() {
    let spec = |spec: &mut ClockSpec| {
        spec.per_move = Some(SignedDuration::from_millis(100));
        spec.base = Some(SignedDuration::from_millis(250));
    };
    let mut one = clock(spec);
    let sent = |one: &Clock| {
        let go = go(&[one.clone(), clock(spec)], Side::First);
        (go.p1time, go.movetime)
    };
    assert_eq!(sent(&one), (Some(250), Some(100)));
    assert!(one.charge(121 * MS).is_err(), "more than a turn has");
    // The margin is no time of the game.
    one.charge(120 * MS).unwrap();
    assert_eq!(one.left(), Some(150 * MS));
    one.charge(90 * MS).unwrap();
    assert_eq!((one.allowed(), sent(&one)), (60 * MS, (Some(60), Some(60))));
    assert!(one.charge(81 * MS).is_err(), "more than is left");
    let late = one.after(50 * MS);
    assert_eq!(
        (late.allowed(), sent(&late)),
        (10 * MS, (Some(10), Some(10)))
    );
}

#[test]
fn without_a_clock_a_turn_has_a_time_limit() {
    let mut clock = clock(|spec| spec.nodes = Some(1_000));
    clock.charge(UNTIMED_TURN).unwrap();
    assert_eq!(clock.left(), None);
    assert!(clock.charge(UNTIMED_TURN + 21 * MS).is_err());
    let patient = |spec: &mut ClockSpec| {
        spec.depth = Some(9);
        spec.patience = Some(SignedDuration::from_mins(5));
    };
    assert_eq!(self::clock(patient).patience(), 300_020 * MS);
}

/// A clock from keys of a league file, without a margin unless the keys set one.
fn written(keys: &str) -> Clock {
    let margin = if keys.contains("margin") {
        ""
    } else {
        "margin = \"0s\""
    };
    Clock::new(&toml::from_str(&format!("{keys}\n{margin}")).expect("a clock"))
}

/// Charges turns and checks the time left after each, in ms.
fn check(clock: &mut Clock, turns: &[(u32, u32)]) {
    for (number, &(used, left)) in turns.iter().enumerate() {
        assert_eq!(clock.charge(used * MS), Ok(()), "turn {}", number + 1);
        assert_eq!(clock.left(), Some(left * MS), "turn {}", number + 1);
    }
}

/// Like a US Chess digital clock: the delay runs down before the clock does.
#[test]
fn a_delay_is_free_and_does_not_accumulate() {
    let mut clock = written("base = \"10s\"\ndelay = \"3s\"");
    check(
        &mut clock,
        &[(2_000, 10_000), (3_000, 10_000), (5_000, 8_000)],
    );
    assert_eq!(clock.patience(), 11_000 * MS);
    check(&mut clock, &[(11_000, 0), (3_000, 0)]);
    let fallen = clock.charge(3_001 * MS).unwrap_err();
    assert_eq!(fallen.to_string(), "3.001 s used of 3.000 s");
}

#[test]
fn bronstein_gives_time_back_after_the_flag_check() {
    let mut clock = written("base = \"10s\"\nbronstein = \"3s\"");
    check(
        &mut clock,
        &[(2_000, 10_000), (3_000, 10_000), (5_000, 8_000)],
    );
    assert_eq!(clock.patience(), 8_000 * MS);
    check(
        &mut clock,
        &[(8_000, 3_000), (1_000, 3_000), (3_000, 3_000)],
    );
    let fallen = clock.charge(3_001 * MS).unwrap_err();
    assert_eq!(fallen.to_string(), "3.001 s used of 3.000 s");
}

/// Time within the margin was not charged, so it is not given back.
#[test]
fn bronstein_does_not_give_back_the_margin() {
    let mut clock = written("base = \"1s\"\nbronstein = \"3s\"\nmargin = \"1s\"");
    check(&mut clock, &[(2_000, 1_000), (1_500, 1_000)]);
}

#[test]
fn the_base_is_added_again_after_its_turns() {
    let mut clock = written("base = \"60s\"\nmoves = 2");
    check(&mut clock, &[(20_000, 40_000), (30_000, 70_000)]);
    check(&mut clock, &[(69_000, 1_000), (1_000, 60_000)]);
    assert!(clock.charge(60_001 * MS).is_err());
    let mut clock = written("base = \"10s\"\nmoves = 2\nincrement = \"1s\"");
    check(&mut clock, &[(4_000, 7_000), (5_000, 13_000)]);
    let mut clock = written("base = \"10s\"\nmoves = 2\ndelay = \"1s\"");
    check(&mut clock, &[(4_000, 7_000), (500, 17_000)]);
}

#[test]
fn a_turn_within_a_period_of_byo_yomi_does_not_use_it_up() {
    let mut clock = written("base = \"10s\"\nbyoyomi = \"5s\"\nperiods = 3");
    assert_eq!(clock.left(), Some(25_000 * MS));
    // The second turn runs from the base into the first period.
    check(
        &mut clock,
        &[(8_000, 17_000), (4_000, 15_000), (5_000, 15_000)],
    );
    // The first turn exceeds one period, the second two.
    check(&mut clock, &[(5_001, 10_000), (10_000, 5_000)]);
    check(&mut clock, &[(0, 5_000), (5_000, 5_000)]);
    let fallen = clock.charge(5_001 * MS).unwrap_err();
    assert_eq!(fallen.to_string(), "5.001 s used of 5.000 s");
}

#[test]
fn a_turn_can_use_up_several_periods() {
    let mut clock = written("base = \"2s\"\nbyoyomi = \"5s\"\nperiods = 3");
    check(&mut clock, &[(13_000, 5_000)]);
    let mut clock = written("base = \"2s\"\nbyoyomi = \"5s\"\nperiods = 3");
    assert!(clock.charge(17_001 * MS).is_err());
    check(&mut clock, &[(17_000, 5_000)]);
}

#[test]
fn the_last_period_stays_within_the_margin() {
    let mut clock = written("byoyomi = \"1s\"\nmargin = \"3s\"");
    check(&mut clock, &[(4_000, 1_000), (1_000, 1_000)]);
    assert!(clock.charge(4_001 * MS).is_err());
}

#[test]
fn go_commands_of_all_time_controls() {
    let command = |keys: [&str; 2], side| go(&keys.map(written), side).to_string();
    let alike = |keys| command([keys; 2], Side::First);
    for (keys, expected) in [
        (
            "base = \"10s\"",
            " p1time 10000 p2time 10000 p1inc 0 p2inc 0",
        ),
        (
            "base = \"10s\"\nincrement = \"1s\"",
            " p1time 10000 p2time 10000 p1inc 1000 p2inc 1000",
        ),
        (
            "base = \"10s\"\ndelay = \"1s\"",
            " p1time 11000 p2time 11000 p1inc 1000 p2inc 1000",
        ),
        (
            "base = \"10s\"\nbronstein = \"1s\"",
            " p1time 10000 p2time 10000 p1inc 1000 p2inc 1000",
        ),
        (
            "base = \"10s\"\nmoves = 40",
            " p1time 10000 p2time 10000 p1inc 0 p2inc 0 movestogo 40",
        ),
        (
            "base = \"10s\"\nbyoyomi = \"1s\"\nperiods = 3",
            " p1time 10000 p2time 10000 p1inc 0 p2inc 0 byoyomi 1000",
        ),
        (
            "byoyomi = \"1s\"",
            " p1time 0 p2time 0 p1inc 0 p2inc 0 byoyomi 1000",
        ),
        ("move = \"100ms\"\nnodes = 5", " movetime 100 nodes 5"),
        ("depth = 7", " depth 7"),
    ] {
        assert_eq!(alike(keys), expected);
    }
    let odds = [
        "base = \"10s\"\nmoves = 3\ndepth = 3",
        "base = \"1s\"\nbyoyomi = \"500ms\"",
    ];
    assert_eq!(
        command(odds, Side::First),
        " p1time 10000 p2time 1000 p1inc 0 p2inc 0 movestogo 3 depth 3"
    );
    assert_eq!(
        command(odds, Side::Second),
        " p1time 10000 p2time 1000 p1inc 0 p2inc 0 byoyomi 500"
    );
    let odds = ["base = \"10s\"", "move = \"1s\""];
    assert_eq!(command(odds, Side::First), " p1time 10000 p1inc 0");
    assert_eq!(command(odds, Side::Second), " movetime 1000");
    let odds = ["depth = 3", "base = \"10s\""];
    assert_eq!(command(odds, Side::First), " depth 3");
    assert_eq!(command(odds, Side::Second), " p2time 10000 p2inc 0");
}

#[test]
fn turns_to_go_count_down_and_start_again() {
    let mut clock = written("base = \"1s\"\nmoves = 3");
    let mut counts = Vec::new();
    for _ in 0..5 {
        counts.push(clock.turns_to_go().unwrap());
        clock.charge(MS).unwrap();
    }
    assert_eq!(counts, [3, 2, 1, 3, 2]);
}

/// The engine is not told: whoever thinks for `movetime` has time to start.
#[test]
fn the_first_turn_may_take_longer() {
    let spec = |keys: &str| written(keys).spec;
    let mut clock = written("move = \"100ms\"\nfirst_turn = \"×3\"");
    assert_eq!(clock.patience(), 300 * MS);
    assert!(clock.charge(301 * MS).is_err(), "the flag falls");
    let go = go(&[clock.clone(), clock.clone()], Side::First);
    assert_eq!(go.movetime, Some(100));
    clock.charge(300 * MS).unwrap();
    assert_eq!(clock.patience(), 100 * MS, "only the first turn");
    assert!(clock.charge(101 * MS).is_err());
    let [one, none] = ["\nfirst_turn = \"x1\"", ""].map(|key| spec(&format!("move = \"1s\"{key}")));
    assert_eq!(Clock::new(&one).patience(), Clock::new(&none).patience());
    let json = serde_json::to_string(&spec("move = \"1s\"\nfirst_turn = \"x2\"")).unwrap();
    assert!(json.contains(r#""first_turn":"×2""#), "{json}");
    assert!(!serde_json::to_string(&none).unwrap().contains("first_turn"));
}

#[test]
fn an_engine_that_is_asked_again_is_told_what_is_left_of_its_turn() {
    let told = |clock: &Clock, used| {
        let own = clock.after(used);
        go(&[own.clone(), own], Side::First)
    };
    let base = clock(|spec| spec.base = Some(SignedDuration::from_secs(60)));
    assert_eq!(told(&base, 10_000 * MS).p1time, Some(50_000));
    assert_eq!(told(&base, 99_000 * MS).p1time, Some(0));
    assert_eq!(
        base.left(),
        Some(60_000 * MS),
        "the clock itself is unchanged"
    );
    let turns = clock(|spec| {
        spec.per_move = Some(SignedDuration::from_secs(10));
        spec.first_turn = Some(Factor::TWICE);
    });
    for (used, expected) in [(0, 10_000), (5, 10_000), (15, 5_000), (99, 1)] {
        let movetime = told(&turns, 1_000 * used * MS).movetime;
        assert_eq!(movetime, Some(expected), "after {used} s");
    }
    let periods = clock(|spec| {
        spec.base = Some(SignedDuration::from_secs(60));
        spec.byoyomi = Some(SignedDuration::from_secs(30));
        spec.periods = std::num::NonZeroU32::new(3);
    });
    assert_eq!(periods.after(70_000 * MS).left(), Some(90_000 * MS));
    assert_eq!(periods.after(100_000 * MS).left(), Some(60_000 * MS));
}

#[test]
fn a_clock_that_has_run_out_stays_at_nothing() {
    let mut clock = clock(|spec| spec.base = Some(SignedDuration::from_secs(1)));
    assert!(clock.charge(5_000 * MS).is_err());
    clock.run_out();
    assert_eq!(clock.left(), Some(Duration::ZERO));
    clock.set(3_000 * MS);
    clock.charge(1_000 * MS).unwrap();
    assert_eq!(clock.left(), Some(2_000 * MS));
}

#[test]
fn a_clock_in_words_has_its_keys() {
    for (text, expected) in [
        (
            "base = \"10s\"\nincrement = \"100ms\"",
            "base 10s, increment 100ms",
        ),
        (
            "move = \"500ms\"\nfirst_turn = \"x2\"",
            "move 500ms, first_turn ×2",
        ),
        (
            "base = \"15m\"\nmatch = true\nmoves = 40",
            "base 15m, match true, moves 40",
        ),
        // How patient the referee is says nothing of the engines.
        (
            "nodes = 1000\npatience = \"9s\"\nmargin = \"5ms\"",
            "nodes 1000",
        ),
        ("byoyomi = \"1s\"\nperiods = 3", "byoyomi 1s, periods 3"),
    ] {
        let spec: ClockSpec = toml::from_str(text).expect("a clock");
        assert_eq!(spec.to_string(), expected);
    }
}
