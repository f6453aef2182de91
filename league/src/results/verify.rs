//! Verifies logged games by replaying them under the rules.

use std::collections::HashSet;
use std::time::Duration;

use catalog::AnyMatch;
use engine_core::{Outcome, Side, StopFlag};
use gamelog::Entry;
use gamelog::record::{GameRecord, GameResult, Reason, SetClock, SideName, TurnRecord};
use task::adjudication::Proven;
use task::clock::{self, Clock};
use task::dice::Dice;
use task::opening;

use crate::play::adjudicator::{Adjudicator, Verdict};
use crate::results::cpu::CpuTimes;

/// A replayed game, checked by itself.
#[derive(Debug)]
pub struct Replayed {
    id: String,
    fault: Option<String>,
}

impl Replayed {
    /// Replays a game of a log.
    pub fn of<S: AsRef<str>>(record: GameRecord<S>) -> Replayed {
        Replayed {
            fault: check(&record).err(),
            id: record.id,
        }
    }
}

/// Verifies the games of one log, in order.
#[derive(Debug, Default)]
pub struct Verifier {
    ids: HashSet<String>,
}

impl Verifier {
    /// Checks one line of the log.
    ///
    /// # Errors
    /// One line: the line is not a game, its id is a duplicate, or [`check`] found a fault.
    pub fn check(&mut self, entry: Entry<Replayed>) -> Result<(), String> {
        let Replayed { id, fault } = entry
            .record
            .map_err(|error| format!("not a game: {error}"))?;
        let fault = if self.ids.contains(&id) {
            Some("the id of an earlier game".to_owned())
        } else {
            fault
        };
        let fault = fault.map(|fault| format!("{id}: {fault}"));
        self.ids.insert(id);
        fault.map_or(Ok(()), Err)
    }
}

/// Replays a game. Every turn must be legal, every roll must be the one derived from the seed, the
/// clocks must agree with the time control, and the result must be right.
///
/// # Errors
/// The first fault, on one line.
pub fn check<S: AsRef<str>>(record: &GameRecord<S>) -> Result<(), String> {
    let rules = catalog::find(&record.game).ok_or_else(|| {
        format!(
            "game {:?}, expected one of {}",
            record.game,
            catalog::ids().join(", ")
        )
    })?;
    let game = opening::begin(rules, &record.variant, &record.opening)?;
    let desk = record.desk.clone().unwrap_or_default();
    let mut replay = Replay {
        game,
        dice: (!record.is_imported() && !desk.foreign_dice).then(|| record.dice()),
        clocks: clock::both(&record.clocks(), record.carried_us),
        flags_shown: desk.flags_shown,
        judge: Adjudicator::new(record.adjudication),
    };
    for (index, turn) in record.turns.iter().enumerate() {
        let set = desk.clocks.iter().filter(|set| set.turn == index + 1);
        for SetClock { side, left_us, .. } in set {
            let left = Duration::from_micros(*left_us);
            replay.clocks[Side::from(*side).index()].set(left);
        }
        replay.turn(turn).map_err(|fault| {
            // As `referee replay` counts.
            let opening = opening::turns(rules, &record.variant, &record.opening);
            let before = opening.map_or(0, |turns| turns.len());
            format!("ply {}: {fault}", before + index + 1)
        })?;
    }
    check_duration(record)?;
    replay.check_result(record)
}

struct Replay {
    game: Box<dyn AnyMatch>,
    /// `None` if rolls do not follow from a seed.
    dice: Option<Dice>,
    clocks: [Clock; 2],
    /// Whether the game may go on after a clock has run out.
    flags_shown: bool,
    judge: Adjudicator,
}

impl Replay {
    fn turn<S: AsRef<str>>(&mut self, turn: &TurnRecord<S>) -> Result<(), String> {
        let text = turn.text.as_ref();
        if self.game.outcome().is_some() {
            return Err(format!("{text} after the end of the game"));
        }
        if let Some(verdict) = self.judge.verdict() {
            let Verdict { reason, detail, .. } = verdict;
            return Err(format!("{text} after {reason:?}: {detail}"));
        }
        let side = self.game.side();
        if turn.side != SideName::from(side) {
            return Err(format!(
                "a turn of {:?}, expected one of {side:?}",
                turn.side
            ));
        }
        if self.game.roll_due() {
            return self.roll(text);
        }
        let played = self
            .game
            .play_turn(text)
            .map_err(|error| format!("illegal turn {text:?}: {error}"))?;
        if played != text {
            return Err(format!("{text:?}, expected {played:?}"));
        }
        let score = turn.info.as_ref().and_then(|info| info.score.as_ref());
        self.judge.turn(side, score.map(S::as_ref));
        self.charge(side, turn)
    }

    fn roll(&mut self, text: &str) -> Result<(), String> {
        let Some(dice) = &mut self.dice else {
            return self.recorded_roll(text);
        };
        let face = dice.roll(self.game.faces());
        if text != format!("d{face}") {
            return Err(format!(
                "{text:?}, expected d{face}, the roll from the game's seed"
            ));
        }
        self.game.roll(face).map_err(|error| error.to_string())
    }

    /// A roll of an imported game: any face of the die.
    fn recorded_roll(&mut self, text: &str) -> Result<(), String> {
        let faces = self.game.faces();
        let face = (1..=faces).find(|face| text == format!("d{face}"));
        let face = face.ok_or_else(|| format!("{text:?}, expected a roll, d1 to d{faces}"))?;
        self.game.roll(face).map_err(|error| error.to_string())
    }

    fn charge<S>(&mut self, side: Side, turn: &TurnRecord<S>) -> Result<(), String> {
        let clock = &mut self.clocks[side.index()];
        let charged = Duration::from_micros(turn.charged_us);
        if clock.take(charged) != charged {
            return Err(format!(
                "{} µs charged to the clock of {side:?}, expected no more than it had",
                turn.charged_us
            ));
        }
        match clock.charge(Duration::from_micros(turn.used_us)) {
            Err(_) if self.flags_shown => clock.run_out(),
            charged => charged
                .map_err(|fallen| format!("clock of {side:?}: {fallen}, but the game continued"))?,
        }
        let left = clock.left().map(|left| left.as_micros());
        let logged = turn.left_us.map(u128::from);
        if left == logged {
            return Ok(());
        }
        let show = |left: Option<u128>| left.map_or("no clock".to_owned(), |us| format!("{us} µs"));
        Err(format!(
            "clock of {side:?}: {} left, expected {}",
            show(logged),
            show(left)
        ))
    }

    /// Whether the logged result agrees with the final position.
    fn check_result<S>(&self, record: &GameRecord<S>) -> Result<(), String> {
        let (result, reason) = (record.result, record.reason);
        let outcome = self.game.outcome();
        if reason == Reason::Rules {
            let outcome = outcome.ok_or("ended by the rules, but the game is not over")?;
            if GameResult::from(outcome) != result {
                return Err(format!(
                    "result {result:?}, expected {:?}",
                    GameResult::from(outcome)
                ));
            }
            if record.detail != self.game.ending() {
                let ending = self.game.ending();
                return Err(format!("ended by {:?}, expected {ending:?}", record.detail));
            }
            return Ok(());
        }
        if reason == Reason::Time && forfeits(record) {
            return Ok(());
        }
        if let Some(outcome) = outcome {
            return Err(format!(
                "ended by {reason:?}, but the game is over: {}",
                words(outcome)
            ));
        }
        if let Some(verdict) = self.judge.verdict() {
            return check_verdict(record, &verdict);
        }
        match reason {
            Reason::AgreedWin | Reason::AgreedDraw | Reason::Length => Err(format!(
                "ended by {reason:?}, but its turns and scores do not justify it"
            )),
            Reason::Proof => self.check_proof(record),
            Reason::Unfinished if result != GameResult::Unfinished => {
                Err(format!("result {result:?} of an unfinished game"))
            }
            _ if result == GameResult::Unfinished && reason != Reason::Unfinished => {
                Err(format!("not finished, but by {reason:?}"))
            }
            Reason::Recorded | Reason::Unfinished if record.is_imported() => Ok(()),
            Reason::Unfinished => Err("an unfinished game that was not imported".to_owned()),
            Reason::Recorded => Err("a recorded result, but the game was not imported".to_owned()),
            Reason::Decided if record.desk.is_some() || record.decision.is_some() => Ok(()),
            Reason::Decided => Err("a decided result, but nobody has decided it".to_owned()),
            _ => self.check_loss(record),
        }
    }

    /// Searches for the proof again. The node count in the log is that of the original program.
    fn check_proof<S>(&self, record: &GameRecord<S>) -> Result<(), String> {
        let due = self
            .judge
            .proof_due()
            .ok_or("a proof, but no proof search was due")?;
        if due > Proven::MAX_NODES {
            return Err(format!(
                "a proof within {due} nodes, expected at most {}",
                Proven::MAX_NODES
            ));
        }
        let proof = self.game.prove(due, &StopFlag::default());
        let proof = proof.ok_or_else(|| format!("no proof within {due} nodes"))?;
        let proven = GameResult::from(Outcome::Win(proof.winner));
        if proven != record.result {
            return Err(format!(
                "result {:?}, but the proven result is {proven:?}",
                record.result
            ));
        }
        Ok(())
    }

    /// Whether this side can have lost for this reason at this point.
    fn check_loss<S>(&self, record: &GameRecord<S>) -> Result<(), String> {
        let (result, reason) = (record.result, record.reason);
        let to_move = self.game.side();
        let loser = match result {
            GameResult::First => Side::Second,
            GameResult::Second => Side::First,
            GameResult::Draw => return Err(format!("a draw by {reason:?}")),
            GameResult::Unfinished => return Err(format!("not finished, but by {reason:?}")),
        };
        let in_game = !record.turns.is_empty();
        if in_game && reason == Reason::Stall {
            return Err("lost by Stall, but the game had begun".to_owned());
        }
        // At the desk, a side may resign at any time, and a flag may be claimed later.
        if record.desk.is_some() && matches!(reason, Reason::Time | Reason::Resign) {
            return Ok(());
        }
        // Before the first turn, either side may fail the handshake.
        let needs_turn = matches!(reason, Reason::Time | Reason::Illegal | Reason::Resign);
        if (in_game || needs_turn) && loser != to_move {
            return Err(format!(
                "lost by {reason:?} by {loser:?}, but {to_move:?} is to move"
            ));
        }
        Ok(())
    }
}

/// Whether the loser has computed for so much of the time in which it was not to move that it may have
/// forfeited the game, at any moment of it: the log does not say whether its league has that rule.
fn forfeits<S>(record: &GameRecord<S>) -> bool {
    let (side, loser) = match record.result {
        GameResult::First => (SideName::Second, &record.second),
        GameResult::Second => (SideName::First, &record.first),
        GameResult::Draw | GameResult::Unfinished => return false,
    };
    let mut times = CpuTimes::of(&record.turns, side, loser.after);
    // Every time in the log is rounded.
    times.idle_ms = times.idle_ms.saturating_add(times.turns + 1);
    times.wait().forfeits()
}

/// Checks the logged result of a game that must be adjudicated.
fn check_verdict<S>(record: &GameRecord<S>, verdict: &Verdict) -> Result<(), String> {
    let ended = Verdict {
        result: record.result,
        reason: record.reason,
        detail: record.detail.clone(),
    };
    if ended == *verdict {
        return Ok(());
    }
    let show = |verdict: &Verdict| {
        let Verdict {
            result,
            reason,
            detail,
        } = verdict;
        format!("{result:?} by {reason:?}: {detail}")
    };
    Err(format!(
        "ended as {}, expected {}",
        show(&ended),
        show(verdict)
    ))
}

fn words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(side) => format!("{side:?} won"),
        Outcome::Draw => "a draw".to_owned(),
    }
}

/// The sum of the turns cannot exceed the duration of the game; both are rounded down.
fn check_duration<S>(record: &GameRecord<S>) -> Result<(), String> {
    let used: u128 = record
        .turns
        .iter()
        .map(|turn| u128::from(turn.used_us))
        .sum();
    let whole = (u128::from(record.duration_ms) + 1) * 1_000;
    if used > whole {
        return Err(format!(
            "turns of {used} µs in a game of {} ms",
            record.duration_ms
        ));
    }
    Ok(())
}

#[cfg(test)]
mod imported;
#[cfg(test)]
mod tests;
