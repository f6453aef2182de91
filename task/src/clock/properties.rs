//! Properties of every clock, for any time control and any turns.

use engine_core::Side;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use super::*;

/// A reference clock that counts down one µs at a time.
struct Ticking {
    spec: ClockSpec,
    main: u64,
    periods: u64,
    turns: u32,
}

fn micros(time: SignedDuration) -> u64 {
    duration(time).as_micros() as u64
}

impl Ticking {
    fn new(spec: &ClockSpec) -> Ticking {
        Ticking {
            spec: *spec,
            main: spec.base.map_or(0, micros),
            periods: spec
                .byoyomi
                .map_or(0, |_| spec.periods.map_or(1, |n| u64::from(n.get()))),
            turns: 0,
        }
    }

    fn left(&self) -> u64 {
        self.main + self.periods * self.spec.byoyomi.map_or(0, micros)
    }

    /// Plays a turn; false if the flag falls.
    fn turn(&mut self, used: u64) -> bool {
        let mut delay = micros(self.spec.delay);
        let mut of_period = self.spec.byoyomi.map_or(0, micros);
        let mut margin = micros(self.spec.margin);
        let mut of_turn = self.spec.per_move.map_or(u64::MAX, micros);
        let mut taken = 0;
        for _ in 0..used {
            if of_turn == 0 {
                if margin == 0 {
                    return false;
                }
                margin -= 1;
                continue;
            }
            of_turn -= 1;
            if delay > 0 {
                delay -= 1;
            } else if self.main > 0 {
                self.main -= 1;
                taken += 1;
            } else if of_period > 0 {
                of_period -= 1;
            } else if self.periods > 1 {
                self.periods -= 1;
                of_period = self.spec.byoyomi.map_or(0, micros) - 1;
            } else if margin > 0 {
                margin -= 1;
            } else {
                return false;
            }
        }
        self.main += micros(self.spec.increment) + taken.min(micros(self.spec.bronstein));
        self.turns += 1;
        if self.spec.moves.is_some_and(|moves| self.turns % moves == 0) {
            self.main += self.spec.base.map_or(0, micros);
        }
        true
    }
}

fn time(most: i64) -> impl Strategy<Value = SignedDuration> {
    (0..=most).prop_map(SignedDuration::from_micros)
}

fn some_time(most: i64) -> impl Strategy<Value = SignedDuration> {
    (1..=most).prop_map(SignedDuration::from_micros)
}

fn count(most: u32) -> impl Strategy<Value = Option<NonZeroU32>> {
    (0..=most).prop_map(NonZeroU32::new)
}

/// No time given per turn, or one of the three kinds.
fn each_turn() -> impl Strategy<Value = [SignedDuration; 3]> {
    (0..4_usize, time(9)).prop_map(|(which, time)| {
        let mut times = [SignedDuration::ZERO; 3];
        times
            .iter_mut()
            .skip(which)
            .take(1)
            .for_each(|it| *it = time);
        times
    })
}

/// A time control that carries over between turns, with times of a few µs, so that all edge cases
/// occur.
fn spec() -> impl Strategy<Value = ClockSpec> {
    let with_base = (some_time(60), count(4), each_turn(), of(some_time(30)));
    let with_base = with_base.prop_map(|(base, moves, times, per_move)| {
        let [increment, delay, bronstein] = times;
        ClockSpec {
            base: Some(base),
            per_move,
            moves,
            increment,
            delay,
            bronstein,
            ..ClockSpec::default()
        }
    });
    let with_byoyomi =
        (of(some_time(60)), some_time(12), count(4)).prop_map(|(base, byoyomi, periods)| {
            ClockSpec {
                base,
                byoyomi: Some(byoyomi),
                periods,
                ..ClockSpec::default()
            }
        });
    (prop_oneof![with_base, with_byoyomi], time(5))
        .prop_map(|(spec, margin)| ClockSpec { margin, ..spec })
}

fn left(clock: &Clock) -> u64 {
    clock.left().map_or(0, |left| left.as_micros() as u64)
}

/// Whether the clock could be charged.
fn charge(clock: &mut Clock, used: u64) -> bool {
    clock.charge(Duration::from_micros(used)).is_ok()
}

proptest! {
    #[test]
    fn it_agrees_with_a_ticking_clock(spec in spec(), turns in vec(0..30_u64, 0..20)) {
        let (mut clock, mut ticking) = (Clock::new(&spec), Ticking::new(&spec));
        prop_assert_eq!(left(&clock), ticking.left());
        for used in turns {
            let before = left(&clock);
            let goes_on = ticking.turn(used);
            prop_assert_eq!(charge(&mut clock, used), goes_on);
            if !goes_on {
                prop_assert_eq!(left(&clock), before);
                break;
            }
            prop_assert_eq!(left(&clock), ticking.left());
        }
    }

    #[test]
    fn no_time_is_made_or_lost(spec in spec(), turns in vec(0..30_u64, 0..20)) {
        let spec = ClockSpec { margin: SignedDuration::ZERO, ..spec };
        let mut clock = Clock::new(&spec);
        let free = micros(spec.delay) + micros(spec.bronstein);
        for used in turns {
            let (before, base_due) = (left(&clock), clock.turns_to_go() == Some(1));
            let base = spec.base.filter(|_| base_due).map_or(0, micros);
            let given = micros(spec.increment) + base;
            if !charge(&mut clock, used) {
                let of_turn = spec.per_move.map_or(u64::MAX, micros);
                prop_assert!(used > (before + micros(spec.delay)).min(of_turn));
                break;
            }
            let (after, cost) = (left(&clock), used.saturating_sub(free));
            if spec.byoyomi.is_none() {
                prop_assert_eq!(after + cost, before + given);
            } else {
                // A period is used up only by a turn longer than it.
                prop_assert!(after <= before && before <= after + cost);
                prop_assert!(after >= spec.byoyomi.map_or(0, micros));
            }
        }
    }

    #[test]
    fn a_longer_turn_never_leaves_more(
        spec in spec(),
        turns in vec(0..15_u64, 0..10),
        [short, long] in [0..90_u64, 0..90],
    ) {
        let mut clock = Clock::new(&spec);
        for used in turns {
            let _ = charge(&mut clock, used);
        }
        let (short, long) = (short.min(long), short.max(long));
        let (mut quick, mut slow) = (clock.clone(), clock);
        if charge(&mut slow, long) {
            prop_assert!(charge(&mut quick, short));
            prop_assert!(left(&quick) >= left(&slow));
        }
    }

    /// With a base that is longer by the delay, the Bronstein clock always shows the simple-delay
    /// clock plus the delay, and both flags fall at the same turn.
    #[test]
    fn bronstein_is_a_delay_that_is_part_of_the_base(
        base in some_time(60),
        delay in time(9),
        margin in time(5),
        turns in vec(0..30_u64, 0..20),
    ) {
        let plain = ClockSpec { margin, ..ClockSpec::default() };
        let mut simple = Clock::new(&ClockSpec { base: Some(base), delay, ..plain });
        let base = Some(base + delay);
        let mut bronstein = Clock::new(&ClockSpec { base, bronstein: delay, ..plain });
        for used in turns {
            let goes_on = charge(&mut simple, used);
            prop_assert_eq!(charge(&mut bronstein, used), goes_on);
            prop_assert_eq!(left(&bronstein), left(&simple) + micros(delay));
        }
    }

    #[test]
    fn periods_of_one_turn_are_an_increment(base in some_time(60), turns in vec(0..90_u64, 0..20)) {
        let plain = ClockSpec { base: Some(base), ..ClockSpec::default() };
        let mut repeated = Clock::new(&ClockSpec { moves: NonZeroU32::new(1), ..plain });
        let mut added = Clock::new(&ClockSpec { increment: base, ..plain });
        for used in turns {
            prop_assert_eq!(charge(&mut repeated, used), charge(&mut added, used));
            prop_assert_eq!(left(&repeated), left(&added));
        }
    }

    /// With every time control, an engine that trusts the `go` command and stays within the
    /// built-in engines' limits never loses on time, even without a margin. 1 µs of the generated
    /// times stands for 1 ms.
    #[test]
    fn an_engine_that_obeys_the_go_command_never_loses_on_time(
        spec in spec(),
        turns in 1..40_u32,
        overhead in 0..4_u32,
    ) {
        let slow = |time: SignedDuration| time * 1_000;
        let spec = ClockSpec {
            base: spec.base.map(slow),
            byoyomi: spec.byoyomi.map(slow),
            per_move: spec.per_move.map(slow),
            increment: slow(spec.increment),
            delay: slow(spec.delay),
            bronstein: slow(spec.bronstein),
            margin: SignedDuration::ZERO,
            ..spec
        };
        let overhead = overhead * Duration::from_millis(1);
        let mut clocks = [Clock::new(&spec), Clock::new(&spec)];
        for _ in 0..200 {
            let words = go(&clocks, Side::Second);
            let sent = words.clock(Side::Second).expect("a clock");
            let of_turn = words.movetime.map(Duration::from_millis);
            let of_turn = of_turn.map(|time| time.saturating_sub(overhead));
            let hard = sent.turn_time(turns, overhead).hard;
            let hard = of_turn.map_or(hard, |time| time.min(hard));
            let used = if hard.is_zero() { hard } else { hard + overhead };
            prop_assert_eq!(clocks[1].charge(used), Ok(()));
            let whole = clocks[1].left().expect("a clock");
            let sent = go(&clocks, Side::Second).clock(Side::Second).expect("a clock");
            prop_assert!(sent.left + sent.period <= whole + duration(spec.delay));
        }
    }
}
