//! One finished game as a line of the log. `matches/README.md` describes every field.

use std::borrow::Cow;

use engine_core::{Outcome, Side};
use engine_process::deviation::Deviations;
use engine_process::info::EngineInfo;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use task::adjudication::Adjudication;
use task::clock::{self, ClockSpec};
use task::dice::Dice;
use task::pace::{self, Pace};

/// The log schema version that this program writes: every line has a checksum, `crc32`.
///
/// It differs from [`SCHEMA_WITHOUT_SUM`] in two bits, so no flipped bit makes one of the other.
pub const SCHEMA: u32 = 2;

/// The version before, which is read, too: the same without a checksum.
pub const SCHEMA_WITHOUT_SUM: u32 = 1;

/// A string in a line of the log: borrowed from the line, or owned if it contains escape sequences.
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
    /// Version of the schema of the line that it was read from. Always written as [`SCHEMA`].
    #[serde(serialize_with = "written_schema")]
    pub schema: u32,
    /// The game's id. It depends only on the league file.
    pub id: String,
    /// Name of the league.
    pub league: String,
    /// Id of the game: `hex`.
    pub game: String,
    /// The variant, with all defaults filled in.
    pub variant: Value,
    /// The stage and group, and the tie-break if the game was played for one: `groups 2`, `final
    /// rapid`. Empty if the league has only one stage with one group.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stage: String,
    /// Round of the stage, from 1. For a tie-break game: the place that was played for.
    pub round: u32,
    /// Its number within its meeting, from 1; 0 if the meeting is one game or one pair.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub number: u32,
    /// The moves or position played before the engines take over, as an
    /// [`task::opening::Opening`]; empty for none.
    #[serde(default)]
    pub opening: String,
    /// Seed of the game. Both games of a pair have the same seed.
    pub seed: u64,
    /// Seed of the dice, if that is not `seed`: both games of a pair have the same dice, unless an
    /// engine stays from one to the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<u64>,
    /// Who played `First`.
    pub first: EngineRecord,
    /// Who played `Second`.
    pub second: EngineRecord,
    /// The clock of every engine that has no clock of its own.
    pub clock: ClockSpec,
    /// Time left over from the previous game of the meeting on the clocks of `First` and `Second`,
    /// µs. Absent in the first game, and if every game has its own clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried_us: Option<[u64; 2]>,
    /// The adjudication rules of the game.
    #[serde(default, skip_serializing_if = "Adjudication::is_none")]
    pub adjudication: Adjudication,
    /// Keys of the league file that the command line set otherwise, as lines of TOML:
    /// `league.rounds = 10`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<String>,
    /// When the game began.
    pub started: Timestamp,
    /// How long it took, in ms, including handshakes.
    pub duration_ms: u64,
    /// Every turn and roll, in order.
    pub turns: Vec<TurnRecord<S>>,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Reason,
    /// The reason in words: the game's own (`six in a row`), or what the engine did wrong.
    pub detail: String,
    /// The machine it was played on; for an imported game, the venue.
    pub host: String,
    /// Its pace, if the league scales clocks or was played in shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// For an imported game: the format of its record, and the number or name in that record,
    /// `table 21`. Its rolls do not follow from the seed, and its thinking times are unknown. Empty
    /// for other games.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub imported: String,
    /// For a game that was played at the desk: what the operators and the referee did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desk: Option<AtDesk>,
    /// For a game of a league that a person decided instead of playing it: who, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The checksum of its line, only while the line is parsed: [`crate::parse`] takes it, and
    /// [`crate::line`] adds it.
    #[serde(skip_serializing)]
    pub crc32: Option<S>,
}

/// A person's decision of a game that is not played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Who decided.
    pub by: String,
    /// Why.
    pub why: String,
}

/// What sets a game that was played at the desk apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtDesk {
    /// Whether somebody else rolled the dice: the rolls do not follow from the seed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign_dice: bool,
    /// Whether the game went on after a clock had run out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flags_shown: bool,
    /// The clocks that the referee set, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<SetClock>,
    /// Number of corrections of entries.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub corrections: u32,
    /// Numbers of the turns that an operator entered in place of an engine, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entered: Vec<usize>,
}

/// A clock that the referee set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetClock {
    /// Before which turn or roll, from 1.
    pub turn: usize,
    /// Whose.
    pub side: SideName,
    /// The time left at the beginning of that turn, µs.
    pub left_us: u64,
}

impl<S> GameRecord<S> {
    /// Whether it was lost by a failure before any engine has played: such games may be given up.
    pub fn may_be_given_up(&self) -> bool {
        self.failed() && self.turns_of_engines() == 0
    }

    /// Whether it ended because a program failed.
    pub fn failed(&self) -> bool {
        [Reason::Crash, Reason::Disconnect, Reason::Stall].contains(&self.reason)
    }

    /// Number of turns, without rolls: these are the referee's, and take no time.
    pub fn turns_of_engines(&self) -> usize {
        self.turns.iter().filter(|turn| turn.used_us > 0).count()
    }

    /// The dice of the game.
    pub fn dice(&self) -> Dice {
        Dice::new(self.dice.unwrap_or(self.seed))
    }

    /// Whether the game was imported.
    pub fn is_imported(&self) -> bool {
        !self.imported.is_empty()
    }

    /// The clocks of both sides as they ran, scaled to the host, `First` first.
    pub fn clocks(&self) -> [ClockSpec; 2] {
        let clocks = [&self.first, &self.second].map(|engine| engine.clock.unwrap_or(self.clock));
        pace::clocks(clocks, self.pace)
    }

    /// Time left on the clocks of both sides at the end, in µs; 0 for a side that lost on time.
    /// `None` if the game has no time control.
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

fn written_schema<S: Serializer>(_: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(SCHEMA)
}

/// Whether the field is omitted from the log.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The same for a time in µs.
pub fn is_zero_us(time: &u64) -> bool {
    *time == 0
}

/// One engine of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineRecord {
    /// Its name in the league.
    pub name: String,
    /// The command it was started with.
    pub command: Vec<String>,
    /// Its build, the first 16 hexadecimal digits of a SHA-256 of its files; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub build: String,
    /// The files and folders that it may change, which are no part of its build.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
    /// Its protocol, such as `ugi` or `sau`.
    pub protocol: String,
    /// The name it reported (`id name` in UGI, the answer to `name?` in SAU), if any.
    #[serde(default)]
    pub version: String,
    /// The options that were set.
    #[serde(default)]
    pub options: std::collections::BTreeMap<String, Value>,
    /// Its own commands that were sent before the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub init: Vec<String>,
    /// Its own clock, if it differs from the clock of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockSpec>,
    /// How many illegal turns in a row it may take back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retries: u32,
    /// Confinement that this system does not support, one item a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unconfined: Vec<String>,
    /// Protocol deviations that were tolerated, with their counts.
    #[serde(default, skip_serializing_if = "Deviations::is_empty")]
    pub deviations: Deviations,
    /// Its CPU time after its last turn, until the end of the game, if that was much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<WaitRecord>,
}

/// One turn of a side, or one roll of the die. `S` is the type of its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord<S = String> {
    /// The side that played the turn, or that plays after the roll.
    pub side: SideName,
    /// The turn in UGI notation, or the roll: `d6`.
    pub text: S,
    /// Time used for the turn, in µs; 0 for a roll.
    #[serde(default)]
    pub used_us: u64,
    /// Time left on the side's clock after the turn, in µs, including the increment and all
    /// remaining byo-yomi periods. Absent if no time carries over from turn to turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_us: Option<u64>,
    /// What was taken from the clock before the turn for CPU time while the engine was not to move, in
    /// µs.
    #[serde(default, skip_serializing_if = "is_zero_us")]
    pub charged_us: u64,
    /// The last search report of the engine before it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub info: Option<EngineInfo<S>>,
    /// The CPU time of the engine's processes; absent for a roll, and if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<CpuTime>,
    /// Illegal turns that the engine took back before this one, each with the fault found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

impl TurnRecord {
    /// A turn that no engine was asked for, or a roll.
    pub fn given(side: Side, text: String) -> TurnRecord {
        TurnRecord {
            side: side.into(),
            text,
            used_us: 0,
            left_us: None,
            charged_us: 0,
            info: None,
            cpu: None,
            refused: Vec::new(),
        }
    }
}

/// CPU time of an engine's processes, in all their threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CpuTime {
    /// In the turn, in ms.
    pub turn_ms: u64,
    /// Before it, since the engine's last turn or the start of the game, in ms.
    pub idle_ms: u64,
}

/// CPU time of an engine's processes while it is not to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitRecord {
    /// CPU time, in ms.
    pub idle_ms: u64,
    /// How long it was not to move, in ms.
    pub waited_ms: u64,
}

/// A side, as written in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// The side that takes the first turn.
    First,
    /// The other side.
    Second,
}

impl From<SideName> for Side {
    fn from(side: SideName) -> Side {
        match side {
            SideName::First => Side::First,
            SideName::Second => Side::Second,
        }
    }
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
    /// The game was not finished. Only imported games are so, and no statistics count them.
    Unfinished,
}

impl GameResult {
    /// The result of a finished game.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            GameResult::First => Some(Outcome::Win(Side::First)),
            GameResult::Second => Some(Outcome::Win(Side::Second)),
            GameResult::Draw => Some(Outcome::Draw),
            GameResult::Unfinished => None,
        }
    }

    /// Who lost; nobody in a draw or without a result.
    pub fn loser(self) -> Option<Side> {
        match self {
            GameResult::First => Some(Side::Second),
            GameResult::Second => Some(Side::First),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }

    /// The result if `side` loses.
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
    /// By the rules of the game; `detail` says how.
    Rules,
    /// The loser's flag fell.
    Time,
    /// The loser played an illegal turn.
    Illegal,
    /// The loser's process exited.
    Crash,
    /// The loser closed its input or output while its process was alive.
    Disconnect,
    /// The loser did not start, or did not answer a handshake in time.
    Stall,
    /// The loser resigned.
    Resign,
    /// Adjudicated: both engines reported for several turns that this side wins.
    AgreedWin,
    /// Adjudicated: both engines reported drawn scores for several turns.
    AgreedDraw,
    /// Adjudicated: a draw at the maximum number of turns.
    Length,
    /// Adjudicated: the referee's own proof search proved a win for this side.
    Proof,
    /// Imported: the game was not over by the rules, and the result is the one in its record.
    Recorded,
    /// Imported: the game was not over by the rules, and its record has no result.
    Unfinished,
    /// At the desk, the players agreed on the result, or a referee decided it; in a league, a person decided
    /// a game that is not played.
    Decided,
}

impl Reason {
    /// Whether a game between two engines can end like this: the others are entered by people, or have no
    /// result.
    pub fn is_played(self) -> bool {
        !matches!(
            self,
            Reason::Recorded | Reason::Unfinished | Reason::Decided
        )
    }

    /// Whether the loser's program is at fault.
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
            | Reason::Recorded
            | Reason::Unfinished
            | Reason::Decided => false,
        }
    }
}

/// Records to test with.
#[cfg(any(test, feature = "testing"))]
pub mod sample {
    use super::*;

    /// A game without turns.
    pub fn game(
        game: &str,
        first: &str,
        second: &str,
        result: GameResult,
        reason: Reason,
    ) -> GameRecord {
        let engine = |name: &str| EngineRecord {
            name: name.to_owned(),
            command: vec![name.to_owned()],
            build: String::new(),
            protocol: "ugi".to_owned(),
            version: String::new(),
            options: Default::default(),
            init: Vec::new(),
            clock: None,
            retries: 0,
            unconfined: Vec::new(),
            writes: Vec::new(),
            deviations: Deviations::default(),
            after: None,
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
            dice: None,
            first: engine(first),
            second: engine(second),
            clock: serde_json::from_str(r#"{"nodes": 1}"#).expect("a clock"),
            carried_us: None,
            adjudication: Adjudication::default(),
            overrides: Vec::new(),
            started: Timestamp::UNIX_EPOCH,
            duration_ms: 0,
            turns: Vec::new(),
            result,
            reason,
            detail: String::new(),
            host: String::new(),
            pace: None,
            imported: String::new(),
            desk: None,
            decision: None,
            crc32: None,
        }
    }

    /// A turn of `First` that took no time.
    pub fn turn(text: &str) -> TurnRecord {
        TurnRecord::given(Side::First, text.to_owned())
    }
}
