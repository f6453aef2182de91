//! Logged games as text, ply by ply: the turns of the opening, then those of the engines.

mod pictures;
mod swings;

use std::fmt::Write;

use catalog::{AnyGame, AnyMatch, Match};
use engine_core::{Outcome, Side};
use gamelog::record::{GameRecord, GameResult, Reason, SideName, TurnRecord};
use jiff::Timestamp;
use task::opening::{self, Opening};

pub use self::swings::{expectation, turning_points};

/// A logged game to be shown.
pub struct Replay {
    /// The game, with the turns of its opening before those of the engines.
    game: GameRecord,
    /// How many turns and rolls the opening has.
    opening: usize,
}

impl Replay {
    /// The replay of a game. An opening that cannot be played has no turns; [`Replay::frame`] then
    /// says what is wrong with it.
    pub fn new(mut game: GameRecord) -> Replay {
        let turns = opening_turns(&game).unwrap_or_default();
        let opening = turns.len();
        if opening > 0 {
            let position = Opening::parse(&game.opening).position;
            game.opening = position.map_or(String::new(), |position| format!("fen {position}"));
            game.turns.splice(..0, turns);
        }
        Replay { game, opening }
    }

    /// The id of the game.
    pub fn id(&self) -> &str {
        &self.game.id
    }

    /// Number of turns and rolls, with those of the opening.
    pub fn plies(&self) -> usize {
        self.game.turns.len()
    }

    /// Three lines about the game: id, players and result.
    pub fn heading(&self) -> String {
        heading(&self.game)
    }

    /// One line for each turn and roll.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        (1..=self.plies()).map(|ply| self.line(ply))
    }

    /// The position after `ply` turns and rolls, with the board; 0 is the start of the game.
    ///
    /// # Errors
    /// The game cannot be replayed up to this ply.
    pub fn frame(&self, ply: usize) -> Result<String, String> {
        let ply = ply.min(self.plies());
        let game = self.position(ply)?;
        let line = match ply {
            0 => "   0. start".to_owned(),
            ply => self.line(ply),
        };
        let of_these = match self.opening {
            0 => String::new(),
            opening => format!(", {opening} in the opening"),
        };
        let (heading, plies, board) = (self.heading(), self.plies(), game.board());
        let state = state(&*game, find(&self.game)?.colours());
        Ok(format!(
            "{heading}\n\n{line} (of {plies}{of_these})\n\n{board}\n{state}\n"
        ))
    }

    /// The position after `ply` turns and rolls, at most all of them.
    ///
    /// # Errors
    /// As for [`Replay::frame`].
    pub fn position(&self, ply: usize) -> Result<Box<dyn AnyMatch>, String> {
        let Replay { game: record, .. } = self;
        let mut game = opening::begin(find(record)?, &record.variant, &record.opening)?;
        for TurnRecord { text, .. } in record.turns.iter().take(ply) {
            let played = game.play_words(text);
            played.map_err(|error| format!("{text:?}: {error}"))?;
        }
        Ok(game)
    }

    /// The game, with the turns of its opening before those of the engines.
    pub fn game(&self) -> &GameRecord {
        &self.game
    }

    /// The plies of the turns in which an engine's score of the game has changed since its turn
    /// before, the largest change first. Beyond a score of 3 the game counts as decided.
    pub fn swings(&self) -> Vec<usize> {
        let swings = swings::swings(&self.game.turns).into_iter();
        swings.map(|(ply, _)| ply).collect()
    }

    /// The line of a turn or roll, from 1.
    fn line(&self, ply: usize) -> String {
        let line = turn_line(ply, &self.game.turns[ply - 1]);
        let mark = if ply <= self.opening { "  opening" } else { "" };
        line + mark
    }
}

fn opening_turns(game: &GameRecord) -> Result<Vec<TurnRecord>, String> {
    let rules = find(game)?;
    let turns = opening::turns(rules, &game.variant, &game.opening)?;
    let given = |(side, text)| TurnRecord::given(side, text);
    Ok(turns.into_iter().map(given).collect())
}

fn find(game: &GameRecord) -> Result<&'static dyn AnyGame, String> {
    catalog::find(&game.game).ok_or_else(|| format!("no game {:?}", game.game))
}

/// The side to move or the result: `First (red) to move`.
pub fn state(game: &dyn Match, colours: [&str; 2]) -> String {
    let name = |side| side_name(game, side, colours);
    match game.outcome() {
        Some(Outcome::Win(side)) => format!("over: {} wins, {}", name(side), game.ending()),
        Some(Outcome::Draw) => format!("over: draw, {}", game.ending()),
        None if game.roll_due() => format!("{} to move, after a roll", name(game.side())),
        None => format!("{} to move", name(game.side())),
    }
}

/// A side and the colour that it plays in this position: `First (red)`. A swap exchanges colours.
pub fn side_name(game: &dyn Match, side: Side, colours: [&str; 2]) -> String {
    format!("{side:?} ({})", colours[game.colour_of(side)])
}

/// Three lines about the game: id, players and result.
fn heading(record: &GameRecord) -> String {
    let winner = match record.result {
        GameResult::First => format!("{} (First) won", record.first.name),
        GameResult::Second => format!("{} (Second) won", record.second.name),
        GameResult::Draw => "draw".to_owned(),
        GameResult::Unfinished => "no result".to_owned(),
    };
    // Imported games may have no date.
    let is_known = !record.is_imported() || record.started != Timestamp::UNIX_EPOCH;
    let began = if is_known {
        record.started.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
    } else {
        "at an unknown time".to_owned()
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

/// A finished game on one line.
pub fn one_line(game: &GameRecord) -> String {
    let score = match game.result {
        GameResult::First => "1-0",
        GameResult::Second => "0-1",
        GameResult::Draw => "½-½",
        GameResult::Unfinished => "*",
    };
    let (first, second) = (&game.first.name, &game.second.name);
    let seconds = game.duration_ms as f64 / 1000.0;
    let (id, round, reason) = (&game.game, game.round, ending(game));
    format!("{id} r{round} {first} {score} {second}: {reason} ({seconds:.1} s)")
}

/// The reason as written in the log.
pub fn word(reason: Reason) -> &'static str {
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
        Reason::Unfinished => "unfinished",
        Reason::Decided => "decided",
    }
}

/// One line for a turn or roll: number, side, text, times, and the engine's report.
fn turn_line(number: usize, turn: &TurnRecord) -> String {
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

#[cfg(test)]
mod tests;
