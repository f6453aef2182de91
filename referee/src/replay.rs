//! Logged games as text, ply by ply.

use std::fmt::Write;

use catalog::Match;
use engine_core::{Outcome, Side};
use jiff::Timestamp;

use crate::opening;
use crate::record::{GameRecord, GameResult, Reason, SideName, TurnRecord};

/// The side to move or the result: `First (red) to move`.
pub fn state(game: &dyn Match, colours: [&str; 2]) -> String {
    let name = |side: Side| format!("{side:?} ({})", colours[side.index()]);
    match game.outcome() {
        Some(Outcome::Win(side)) => format!("over: {} wins, {}", name(side), game.ending()),
        Some(Outcome::Draw) => format!("over: draw, {}", game.ending()),
        None if game.roll_due() => format!("{} to move, after a roll", name(game.side())),
        None => format!("{} to move", name(game.side())),
    }
}

/// Three lines about the game: id, players and result.
pub fn heading(record: &GameRecord) -> String {
    let winner = match record.result {
        GameResult::First => format!("{} (First) won", record.first.name),
        GameResult::Second => format!("{} (Second) won", record.second.name),
        GameResult::Draw => "draw".to_owned(),
    };
    // Imported games may have no date.
    let is_known = !record.is_imported() || record.started != Timestamp::UNIX_EPOCH;
    let began = match is_known {
        true => record.started.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        false => "at an unknown time".to_owned(),
    };
    format!(
        "{}\n{} (First) against {} (Second), {began}\n{winner}: {}",
        record.id,
        record.first.name,
        record.second.name,
        ending(record)
    )
}

/// Why the game ended.
pub fn ending(record: &GameRecord) -> String {
    match record.reason {
        Reason::Rules => record.detail.clone(),
        reason => format!("{} ({})", word(reason), record.detail),
    }
}

/// The reason as written in the log.
fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::Rules => "rules",
        Reason::Time => "time",
        Reason::Illegal => "illegal",
        Reason::Crash => "crash",
        Reason::Disconnect => "disconnect",
        Reason::Stall => "stall",
        Reason::Resign => "resign",
        Reason::AgreedWin => "agreed-win",
        Reason::AgreedDraw => "agreed-draw",
        Reason::Length => "length",
        Reason::Proof => "proof",
        Reason::Recorded => "recorded",
    }
}

/// One line for a turn or roll: number, side, text, times, and the engine's report.
pub fn turn_line(number: usize, turn: &TurnRecord) -> String {
    let side = match turn.side {
        SideName::First => "First",
        SideName::Second => "Second",
    };
    let mut line = format!("{number:>4}. {side:<6} {}", turn.text);
    if turn.used_us > 0 {
        let _ = write!(line, "  {:.3} s", turn.used_us as f64 / 1e6);
    }
    if let Some(left) = turn.left_us {
        let _ = write!(line, ", {:.3} s left", left as f64 / 1e6);
    }
    if let Some(info) = &turn.info {
        for (name, value) in [
            ("depth", info.depth.map(|depth| depth.to_string())),
            ("score", info.score.clone()),
            ("nodes", info.nodes.map(|nodes| nodes.to_string())),
        ] {
            if let Some(value) = value {
                let _ = write!(line, "  {name} {value}");
            }
        }
    }
    for refused in &turn.refused {
        let _ = write!(line, "  after {refused}");
    }
    line
}

/// The position after `ply` turns and rolls, with the board; 0 is the start of the game.
///
/// # Errors
/// The record cannot be replayed up to this ply.
pub fn frame(record: &GameRecord, ply: usize) -> Result<String, String> {
    let rules = catalog::find(&record.game).ok_or_else(|| format!("no game {:?}", record.game))?;
    let mut game = opening::begin(rules, &record.variant, &record.opening)?;
    let play = |game: &mut dyn Match, text: &str| {
        game.play_words(text)
            .map_err(|error| format!("{text:?}: {error}"))
    };
    for turn in &record.turns[..ply.min(record.turns.len())] {
        play(&mut *game, &turn.text)?;
    }
    let mut text = format!("{}\n\n", heading(record));
    let last = ply
        .checked_sub(1)
        .and_then(|index| Some((index, record.turns.get(index)?)));
    match last {
        Some((index, turn)) => {
            let _ = writeln!(
                text,
                "{} (of {})",
                turn_line(index + 1, turn),
                record.turns.len()
            );
        }
        None => {
            let _ = writeln!(text, "   0. start (of {})", record.turns.len());
        }
    }
    let _ = write!(
        text,
        "\n{}\n{}\n",
        game.board(),
        state(&*game, rules.colours())
    );
    Ok(text)
}

#[cfg(test)]
mod tests;
