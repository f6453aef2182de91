//! One finished game as the log keeps it. `matches/README.md` describes every field.

use std::borrow::Cow;

use engine_core::{Outcome, Side};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::adjudication::Adjudication;
use crate::clock::{self, ClockSpec};
use crate::deviation::Deviations;

/// The version of the log's schema that this program writes.
pub const SCHEMA: u32 = 1;

/// Text of a line of the log: borrowed from it, but where characters are escaped.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Text<'l>(#[serde(borrow)] Cow<'l, str>);

impl AsRef<str> for Text<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// A game whose turns are borrowed from its line of the log.
pub type Logged<'l> = GameRecord<Text<'l>>;

/// One game: one line of the log. `S` is the text of its turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord<S = String> {
    /// Version of the schema, [`SCHEMA`].
    pub schema: u32,
    /// The game's id, which follows from the league file alone.
    pub id: String,
    /// Name of the league.
    pub league: String,
    /// Id of the game: `hex`.
    pub game: String,
    /// The complete variant.
    pub variant: Value,
    /// The stage and group, and what broke a tie: `groups 2`, `final rapid`. Empty where the league
    /// has but one stage of one group.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stage: String,
    /// Round of the stage, from 1; of a game that breaks a tie, the place that was played for.
    pub round: u32,
    /// Its number in its meeting, from 1; 0 in a meeting of one game or one pair.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub number: u32,
    /// What stands before the engines take over, as an [`crate::opening::Opening`]; empty for none.
    #[serde(default)]
    pub opening: String,
    /// Seed of the game: dice follow from it. Both games of a pair have the same.
    pub seed: u64,
    /// Who played `First`.
    pub first: EngineRecord,
    /// Who played `Second`.
    pub second: EngineRecord,
    /// The clock of a side whose engine has none of its own.
    pub clock: ClockSpec,
    /// What an earlier game of the same meeting had left on the clocks of `First` and `Second`, in
    /// µs; absent where every game has clocks of its own, and in the first game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried_us: Option<[u64; 2]>,
    /// When the game was to be ended before its end.
    #[serde(default, skip_serializing_if = "Adjudication::is_none")]
    pub adjudication: Adjudication,
    /// When the game began.
    pub started: Timestamp,
    /// How long it took, in ms, handshakes included.
    pub duration_ms: u64,
    /// Every turn and roll, in order.
    pub turns: Vec<TurnRecord<S>>,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Reason,
    /// The reason in words: the game's own (`six in a row`), or what the engine did.
    pub detail: String,
    /// The machine it was played on; of an imported game, the place.
    pub host: String,
    /// Of a game that was imported: the format of its record, and that record's own number or name,
    /// `table 21`. Its rolls then follow from no seed, and nothing is known of its time.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub imported: String,
}

impl<S> GameRecord<S> {
    /// Whether it was played elsewhere.
    pub fn is_imported(&self) -> bool {
        !self.imported.is_empty()
    }

    /// The clocks of both sides, `First` first.
    pub fn clocks(&self) -> [ClockSpec; 2] {
        [&self.first, &self.second].map(|engine| engine.clock.unwrap_or(self.clock))
    }

    /// What is left on the clocks of both sides at the end, in µs: nothing of who has lost on time.
    /// `None` where no time is kept.
    pub fn left_us(&self) -> Option<[u64; 2]> {
        let begun = clock::both(&self.clocks(), self.carried_us);
        let mut left = [0; 2];
        for (side, clock) in Side::BOTH.into_iter().zip(begun) {
            let turns = self.turns.iter().filter(|turn| turn.side == side.into());
            let last = turns.filter_map(|turn| turn.left_us).next_back();
            let fallen = self.reason == Reason::Time && self.result == GameResult::loss_of(side);
            left[side.index()] = match last {
                _ if fallen => 0,
                Some(left) => left,
                None => clock.left()?.as_micros() as u64,
            };
        }
        Some(left)
    }
}

/// Whether a number is left out of the log.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// One engine of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineRecord {
    /// Its name in the league.
    pub name: String,
    /// The command it was started with.
    pub command: Vec<String>,
    /// The protocol it was spoken to in: `ugi` or `sau`.
    pub protocol: String,
    /// What it calls itself (`id name` of UGI, the answer to `name?` of SAU), if it said so.
    #[serde(default)]
    pub version: String,
    /// The options that were set.
    #[serde(default)]
    pub options: std::collections::BTreeMap<String, Value>,
    /// Its clock, where it is not the game's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockSpec>,
    /// How many illegal turns in a row it may take back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retries: u32,
    /// What it was not confined in, as the system lacks the means: a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unconfined: Vec<String>,
    /// What it did otherwise than its protocol has it, how often.
    #[serde(default, skip_serializing_if = "Deviations::is_empty")]
    pub deviations: Deviations,
}

/// One turn of a side, or one roll of the die. `S` is its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord<S = String> {
    /// The side that played the turn, or will play after the roll.
    pub side: SideName,
    /// The turn as UGI writes it, or the roll: `d6`.
    pub text: S,
    /// What the turn took, in µs; 0 for a roll.
    #[serde(default)]
    pub used_us: u64,
    /// What is left on the side's clock after the turn, with what the rules give after it and with
    /// periods of byo-yomi, in µs; absent where time is not kept from turn to turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_us: Option<u64>,
    /// What the engine last reported before it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub info: Option<EngineInfo<S>>,
    /// The illegal turns that the engine took back before, each with what was wrong with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

/// What an engine reported of its search. `S` is its text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineInfo<S = String> {
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Score as it was written: `cp 31`, `win 5`, `loss 4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<S>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time that it said it had taken, in ms: in any report of the turn, the last counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The principal variation, turns separated by blanks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pv: Option<S>,
}

/// A side, as the log writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// The side that takes the first turn.
    First,
    /// The other side.
    Second,
}

impl From<Side> for SideName {
    fn from(side: Side) -> SideName {
        match side {
            Side::First => SideName::First,
            Side::Second => SideName::Second,
        }
    }
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// `First` won.
    First,
    /// `Second` won.
    Second,
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// The result of a side's loss.
    pub fn loss_of(side: Side) -> GameResult {
        GameResult::from(Outcome::Win(side.opponent()))
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome {
            Outcome::Win(Side::First) => GameResult::First,
            Outcome::Win(Side::Second) => GameResult::Second,
            Outcome::Draw => GameResult::Draw,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// By the rules of the game; `detail` has its words.
    Rules,
    /// The loser's flag fell.
    Time,
    /// The loser played an illegal turn.
    Illegal,
    /// The loser's process ended.
    Crash,
    /// The loser closed its output or input while it was alive.
    Disconnect,
    /// The loser did not start, or did not answer a handshake in time.
    Stall,
    /// The loser gave up.
    Resign,
    /// Adjudicated: both engines said for several turns that this side wins.
    AgreedWin,
    /// Adjudicated: both engines said for several turns that nobody does.
    AgreedDraw,
    /// Adjudicated: a draw after the most turns that a game may have.
    Length,
    /// Adjudicated: a search of the referee's own has proven that this side wins.
    Proof,
    /// The game was imported before its end by the rules, with a record that has this result.
    Recorded,
}

impl Reason {
    /// Whether it is a fault of the loser's program.
    pub fn is_fault(self) -> bool {
        match self {
            Reason::Time | Reason::Illegal | Reason::Crash | Reason::Disconnect | Reason::Stall => {
                true
            }
            Reason::Rules
            | Reason::Resign
            | Reason::AgreedWin
            | Reason::AgreedDraw
            | Reason::Length
            | Reason::Proof
            | Reason::Recorded => false,
        }
    }
}

#[cfg(test)]
pub(crate) mod sample {
    use super::*;

    /// A game without turns, for tests of what does not look at them.
    pub(crate) fn game(
        game: &str,
        first: &str,
        second: &str,
        result: GameResult,
        reason: Reason,
    ) -> GameRecord {
        let engine = |name: &str| EngineRecord {
            name: name.to_owned(),
            command: vec![name.to_owned()],
            protocol: "ugi".to_owned(),
            version: String::new(),
            options: Default::default(),
            clock: None,
            retries: 0,
            unconfined: Vec::new(),
            deviations: Deviations::default(),
        };
        GameRecord {
            schema: SCHEMA,
            id: format!("{game}-r1-{first}-{second}-0"),
            league: "test".to_owned(),
            game: game.to_owned(),
            variant: serde_json::json!({}),
            stage: String::new(),
            round: 1,
            number: 0,
            opening: String::new(),
            seed: 1,
            first: engine(first),
            second: engine(second),
            clock: serde_json::from_str(r#"{"nodes": 1}"#).expect("a clock"),
            carried_us: None,
            adjudication: Adjudication::default(),
            started: Timestamp::UNIX_EPOCH,
            duration_ms: 0,
            turns: Vec::new(),
            result,
            reason,
            detail: String::new(),
            host: String::new(),
            imported: String::new(),
        }
    }

    /// A turn of `First` that took no time.
    pub(crate) fn turn(text: &str) -> TurnRecord {
        TurnRecord {
            side: SideName::First,
            text: text.to_owned(),
            used_us: 0,
            left_us: None,
            info: None,
            refused: Vec::new(),
        }
    }
}
