//! The clocks of a league file: `[clock]`, `[clock.GAME]`, `[rapid]`, `[rapid.GAME]`.

use std::collections::BTreeMap;

use base::error::BadInput;
use jiff::SignedDuration;
use task::clock::{ClockSpec, MAX_TIME};

use super::source::{Source, Step};
use super::tables::{Table, Tables};

/// A table such as `[clock]`, and the `[clock.GAME]` tables in it.
#[derive(Clone)]
pub(super) struct Clocks<'t> {
    /// The keys for all games; `None` if there are none.
    common: Option<Table<'t>>,
    special: BTreeMap<String, Table<'t>>,
}

impl<'t> Clocks<'t> {
    /// Reads the table of this name, if it exists.
    pub(super) fn read(source: &Source<'t>, name: &str) -> Result<Option<Clocks<'t>>, BadInput> {
        let Some(Tables { common, special }) = Tables::read(source, name, &[])? else {
            return Ok(None);
        };
        for (id, table) in &special {
            read_clock(source, &[name.into(), id.as_str().into()], table)?;
        }
        if let Some(table) = &common {
            read_clock(source, &[name.into()], table)?;
        }
        Ok(Some(Clocks { common, special }))
    }

    /// Adds the clocks of `others` for all games that have no clock here.
    pub(super) fn or(mut self, others: Clocks<'t>) -> Clocks<'t> {
        if self.common.is_none() {
            self.common = others.common;
            for (id, table) in others.special {
                self.special.entry(id).or_insert(table);
            }
        }
        self
    }

    /// The clock of a game: its own table, or the common one.
    pub(super) fn of(&self, source: &Source<'t>, id: &str) -> Result<ClockSpec, BadInput> {
        source.read_table(self.table(source, id)?)
    }

    /// The table of a game's clock.
    pub(super) fn table(&self, source: &Source<'t>, id: &str) -> Result<&Table<'t>, BadInput> {
        let table = self.special.get(id).or(self.common.as_ref());
        table.ok_or_else(|| {
            let message = format!("no clock for {id}, expected [clock] or [clock.{id}]");
            source.error(&["clock".into()], message)
        })
    }
}

/// Reads and checks the clock at `steps`.
fn read_clock<'t>(
    source: &Source<'t>,
    steps: &[Step<'_>],
    table: &Table<'t>,
) -> Result<ClockSpec, BadInput> {
    let clock: ClockSpec = source.read_table(table)?;
    check(&clock)
        .map_err(|(key, message)| source.error(&[steps, &[Step::Key(key)]].concat(), message))?;
    Ok(clock)
}

/// A key of a clock, and the fault found.
pub(crate) type Fault = (&'static str, String);

/// Refuses clocks without a limit, with negative times, or with contradictory keys.
pub fn check(clock: &ClockSpec) -> Result<(), Fault> {
    check_times(clock)?;
    check_limits(clock)?;
    check_conflicts(clock)?;
    check_required(clock)?;
    check_periods(clock)
}

fn check_times(clock: &ClockSpec) -> Result<(), Fault> {
    let above_0 = [
        ("base", clock.base),
        ("byoyomi", clock.byoyomi),
        ("move", clock.per_move),
        ("patience", clock.patience),
    ];
    let from_0 = [
        ("increment", clock.increment),
        ("delay", clock.delay),
        ("bronstein", clock.bronstein),
        ("margin", clock.margin),
    ];
    let above_0 = (above_0.into_iter()).filter_map(|(key, time)| Some((key, time?, true)));
    let from_0 = (from_0.into_iter()).map(|(key, time)| (key, time, false));
    for (key, time, must_be_above_0) in above_0.chain(from_0) {
        let expected = if must_be_above_0 && !time.is_positive() {
            "a time above 0".to_owned()
        } else if time.is_negative() {
            "a time of 0 or more".to_owned()
        } else if time > MAX_TIME {
            format!("at most {}", signed(MAX_TIME))
        } else if time.subsec_nanos() % 1_000 != 0 {
            "whole µs".to_owned()
        } else {
            continue;
        };
        return Err((key, format!("{key} {}, expected {expected}", signed(time))));
    }
    Ok(())
}

fn check_limits(clock: &ClockSpec) -> Result<(), Fault> {
    let depth = clock.depth.map(u64::from);
    for (key, limit) in [("nodes", clock.nodes), ("depth", depth)] {
        if limit == Some(0) {
            return Err((key, format!("{key} 0, expected 1 or more")));
        }
    }
    Ok(())
}

/// Refuses pairs of keys that exclude each other.
fn check_conflicts(clock: &ClockSpec) -> Result<(), Fault> {
    let whole_match = ("match", clock.whole_match);
    let moves = ("moves", clock.moves.is_some());
    let increment = ("increment", !clock.increment.is_zero());
    let delay = ("delay", !clock.delay.is_zero());
    let bronstein = ("bronstein", !clock.bronstein.is_zero());
    let byoyomi = ("byoyomi", clock.byoyomi.is_some());
    let per_move = ("move", clock.per_move.is_some());
    for [(one, one_given), (other, other_given)] in [
        [moves, whole_match],
        [byoyomi, whole_match],
        [byoyomi, per_move],
        [increment, delay],
        [increment, bronstein],
        [delay, bronstein],
        [byoyomi, moves],
        [byoyomi, increment],
        [byoyomi, delay],
        [byoyomi, bronstein],
    ] {
        if one_given && other_given {
            let message = format!("{one} and {other} together, expected one of them");
            return Err((other, message));
        }
    }
    Ok(())
}

/// Refuses keys without the key that they require.
fn check_required(clock: &ClockSpec) -> Result<(), Fault> {
    let missing = |key, other| Err((key, format!("{key} without {other}, expected both")));
    for (key, given) in [
        ("match", clock.whole_match),
        ("moves", clock.moves.is_some()),
        ("increment", !clock.increment.is_zero()),
        ("delay", !clock.delay.is_zero()),
        ("bronstein", !clock.bronstein.is_zero()),
    ] {
        if given && clock.base.is_none() {
            return missing(key, "base");
        }
    }
    if clock.first_turn.is_some() && clock.per_move.is_none() {
        return missing("first_turn", "move");
    }
    if clock.periods.is_some() && clock.byoyomi.is_none() {
        return missing("periods", "byoyomi");
    }
    let timed = clock.is_timed();
    if timed && clock.patience.is_some() {
        let message = "patience with a time limit, expected patience only with nodes or depth";
        return Err(("patience", message.to_owned()));
    }
    if !timed && clock.nodes.is_none() && clock.depth.is_none() {
        let message = "no limit, expected base, byoyomi, move, nodes or depth";
        return Err(("", message.to_owned()));
    }
    Ok(())
}

/// Refuses byo-yomi periods whose total time is too long.
fn check_periods(clock: &ClockSpec) -> Result<(), Fault> {
    let (Some(period), Some(periods)) = (clock.byoyomi, clock.periods) else {
        return Ok(());
    };
    let most = MAX_TIME.as_micros() / period.as_micros().max(1);
    if i128::from(periods.get()) > most {
        let (period, limit) = (signed(period), signed(MAX_TIME));
        let message = format!("{periods} periods of {period}, expected at most {limit} in total");
        return Err(("periods", message));
    }
    Ok(())
}

/// A duration in league file syntax, with its sign.
fn signed(time: SignedDuration) -> String {
    let sign = if time.is_negative() { "-" } else { "" };
    format!("{sign}{:#}", time.abs())
}
