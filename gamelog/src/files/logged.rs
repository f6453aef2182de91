//! Conversion between records and log entries.

use base::digest::Digest;
use catalog::Rules;
use engine_core::{Outcome, Side};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use records::{Extras, Format, Header, Remark, TextReading, TextRecord};
use task::adjudication::Adjudication;
use task::clock::ClockSpec;
use task::opening::{self, Opening};

use crate::record::{EngineRecord, GameRecord, GameResult, Reason, SCHEMA, TurnRecord};

/// League name of imported games whose records name no event.
pub const LEAGUE: &str = "imported";

/// Converts a record to a log entry. The id is a hash of the game and of the data in its record, so
/// that the same record always has the same id. A game without a result is unfinished.
///
/// # Errors
/// The record cannot be replayed.
pub fn game_of(
    rules: &dyn Rules,
    format: Format,
    reading: &TextReading,
) -> Result<GameRecord, String> {
    let TextRecord {
        header,
        variant,
        position,
        words,
        ..
    } = &reading.record;
    let (outcome, reason, detail) = match (reading.ending, header.result) {
        (Some((outcome, ending)), _) => (Some(outcome), Reason::Rules, ending),
        (None, Some(outcome)) => (Some(outcome), Reason::Recorded, "as its record says"),
        (None, None) => (None, Reason::Unfinished, "its record has no result"),
    };
    let result = outcome.map_or(GameResult::Unfinished, GameResult::from);
    let or = |text: &String, other: &str| match text.as_str() {
        "" => other.to_owned(),
        text => text.to_owned(),
    };
    let engine = |side: Side| EngineRecord {
        name: or(&header.teams[side.index()], rules.colours()[side.index()]),
        command: Vec::new(),
        build: String::new(),
        protocol: "record".to_owned(),
        version: String::new(),
        options: Default::default(),
        init: Vec::new(),
        clock: None,
        unconfined: Vec::new(),
        writes: Vec::new(),
        retries: 0,
        deviations: Default::default(),
        after: None,
    };
    Ok(GameRecord {
        schema: SCHEMA,
        id: id(rules, &reading.record, outcome),
        league: or(&header.event, LEAGUE),
        game: rules.id().to_owned(),
        variant: variant.clone(),
        stage: String::new(),
        round: 1,
        number: 0,
        opening: position
            .as_ref()
            .map_or(String::new(), |position| format!("fen {position}")),
        seed: 0,
        dice: None,
        first: engine(Side::First),
        second: engine(Side::Second),
        clock: ClockSpec::default(),
        carried_us: None,
        adjudication: Adjudication::default(),
        overrides: Vec::new(),
        started: time_of(&header.time).unwrap_or(Timestamp::UNIX_EPOCH),
        duration_ms: 0,
        turns: turns(rules, &reading.record, words)?,
        result,
        reason,
        detail: detail.to_owned(),
        host: header.place.clone(),
        pace: None,
        imported: [format.name(), &header.id].join(" ").trim().to_owned(),
        desk: None,
        decision: None,
        crc32: None,
    })
}

fn turns(
    rules: &dyn Rules,
    record: &TextRecord,
    words: &[String],
) -> Result<Vec<TurnRecord>, String> {
    let opening = record
        .position
        .as_ref()
        .map_or(String::new(), |position| format!("fen {position}"));
    let mut game = task::opening::begin(rules, &record.variant, &opening)?;
    let mut turns = Vec::with_capacity(words.len());
    for word in words {
        let side = game.side();
        game.play_words(word)
            .map_err(|error| format!("{word:?}: {error}"))?;
        turns.push(TurnRecord::given(side, word.clone()));
    }
    Ok(turns)
}

fn id(rules: &dyn Rules, record: &TextRecord, outcome: Option<Outcome>) -> String {
    let TextRecord {
        header,
        variant,
        position,
        words,
        ..
    } = record;
    let mut digest = Digest::default();
    let [first, second] = &header.teams;
    for text in [
        &header.id,
        first,
        second,
        &header.time,
        &header.place,
        &header.event,
    ] {
        digest.text(text);
    }
    digest.text(&variant.to_string());
    digest.text(position.as_deref().unwrap_or_default());
    let outcome = outcome.map_or(String::new(), |outcome| format!("{outcome:?}"));
    digest.text(&outcome);
    words.iter().for_each(|word| digest.text(word));
    format!("{}-{:016x}", rules.id(), digest.value())
}

/// The start time for a text such as `2017.07.29 14:00`, or only the day. Records name no time
/// zone; UTC is assumed.
fn time_of(text: &str) -> Option<Timestamp> {
    // SGF separates several days of a game by commas.
    let text = text.split(',').next().unwrap_or_default();
    let (day, time) = text.split_once(' ').unwrap_or((text, ""));
    let day: Date = Date::strptime("%Y-%m-%d", day.replace(['.', '/'], "-")).ok()?;
    let seconds = format!(
        "%Y-%m-%d{}",
        if time.matches(':').count() == 2 {
            " %H:%M:%S"
        } else {
            " %H:%M"
        }
    );
    let begun = DateTime::strptime(&seconds, format!("{day} {time}"));
    let begun = begun.unwrap_or_else(|_| day.to_datetime(Default::default()));
    Some(begun.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// The time for a record: only the day if the time is unknown.
pub(crate) fn time_text(started: Timestamp) -> String {
    let midnight = started.as_second().rem_euclid(86_400) == 0;
    if started == Timestamp::UNIX_EPOCH {
        return String::new();
    }
    let format = if midnight {
        "%Y.%m.%d"
    } else {
        "%Y.%m.%d %H:%M"
    };
    started.strftime(format).to_string()
}

/// What a log knows of a game beside its record: clocks, how it was won, and, with `has_comments`, a
/// comment for each turn: its time, and depth, score and line of the engine.
pub fn extras_of(game: &GameRecord, has_comments: bool) -> Extras {
    let remark = |turn: &TurnRecord| Remark {
        seconds_left: turn.left_us.map(|left| left as f64 / 1e6),
        comment: if has_comments {
            comment(turn)
        } else {
            String::new()
        },
        ..Remark::default()
    };
    Extras {
        remarks: game.turns.iter().map(remark).collect(),
        won_by: match game.reason {
            Reason::Resign => "Resign",
            Reason::Time => "Time",
            reason if reason.is_fault() => "Forfeit",
            _ => "",
        },
        main_seconds: game.clock.base.map(|base| base.as_secs_f64()),
    }
}

/// A turn in words: `1.250 s, depth 9, score cp 31, line h8 i9`.
fn comment(turn: &TurnRecord) -> String {
    let mut parts = Vec::new();
    if turn.used_us > 0 {
        parts.push(format!("{:.3} s", turn.used_us as f64 / 1e6));
    }
    if let Some(info) = &turn.info {
        let words = [
            ("depth", info.depth.map(|depth| depth.to_string())),
            ("score", info.score.clone()),
            ("line", info.pv.clone()),
        ];
        let words = words.into_iter();
        parts.extend(words.filter_map(|(name, value)| Some(format!("{name} {}", value?))));
    }
    parts.join(", ")
}

/// Converts a log entry to a record, without its [`extras_of`].
pub fn record_of(game: &GameRecord) -> TextRecord {
    let Opening { position, words } = Opening::parse(&game.opening);
    let opening = opening::split(words);
    let result = game.result.outcome();
    let (format, id) = game
        .imported
        .split_once(' ')
        .unwrap_or((&game.imported, ""));
    let is_named = |name: &str, side: Side| {
        let colour = catalog::find(&game.game).map(|rules| rules.colours()[side.index()]);
        format.is_empty() || Some(name) != colour
    };
    let team = |name: &str, side: Side| {
        if is_named(name, side) {
            name.to_owned()
        } else {
            String::new()
        }
    };
    let has_event = format.is_empty() || game.league != LEAGUE;
    TextRecord {
        header: Header {
            id: id.to_owned(),
            teams: [
                team(&game.first.name, Side::First),
                team(&game.second.name, Side::Second),
            ],
            result,
            time: time_text(game.started),
            place: if format.is_empty() {
                String::new()
            } else {
                game.host.clone()
            },
            event: if has_event {
                game.league.clone()
            } else {
                String::new()
            },
        },
        variant: game.variant.clone(),
        position: position.map(str::to_owned),
        words: opening
            .map(str::to_owned)
            .chain(game.turns.iter().map(|turn| turn.text.clone()))
            .collect(),
        extras: Extras::default(),
    }
}

/// Reads one record of the contest's variant.
///
/// # Panics
/// It is none, or has a fault.
#[cfg(any(test, feature = "testing"))]
pub fn reading(
    game: &str,
    format: Format,
    text: &str,
) -> (&'static dyn catalog::AnyGame, TextReading) {
    let rules = catalog::find(game).expect("a game");
    let mut readings = Vec::new();
    let mut take = |reading| readings.push(reading);
    rules
        .read_records(format, &serde_json::json!({}), text, &mut take)
        .expect("the contest's variant");
    assert_eq!((readings.len(), &readings[0].fault), (1, &None));
    (rules, readings.remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_the_same_after_the_log() {
        for (game, format, text) in [
            (
                "hex",
                Format::Contest,
                "{[HEX][甲 R][乙 B][先手胜][2025.01.01 14:00 重庆][赛事]R(A,1);B(B,2)}",
            ),
            (
                "hex",
                Format::Contest,
                "{[HEX][][][和棋][2025.01.01][]R(A,1);B(B,2)}",
            ),
            (
                "amazons",
                Format::Contest,
                "#[AM][a][b][后手胜][北京][];1 d1d7(g7)",
            ),
            ("connect6", Format::Table, "21,\"j10,k9,j12\",black"),
        ] {
            let (rules, reading) = reading(game, format, text);
            let logged = game_of(rules, format, &reading).expect("it has a result");
            assert_eq!(record_of(&logged), reading.record, "{text}");
            assert_eq!(logged.reason, Reason::Recorded);
            let again = game_of(rules, format, &reading).expect("it has a result");
            assert_eq!(again.id, logged.id);
            assert!(logged.id.starts_with(&format!("{game}-")), "{}", logged.id);
        }
    }

    #[test]
    fn the_id_follows_from_all_that_a_record_says() {
        let text = "{[HEX][甲 R][乙 B][先手胜][2025.01.01 14:00 重庆][赛事]R(A,1);B(B,2)}";
        let id = |text: &str| {
            let (rules, reading) = reading("hex", Format::Contest, text);
            game_of(rules, Format::Contest, &reading)
                .expect("it has a result")
                .id
        };
        for (from, to) in [
            ("甲", "丙"),
            ("先手", "后手"),
            ("14:00", "15:00"),
            ("重庆", ""),
            ("B,2", "B,3"),
        ] {
            assert_ne!(id(&text.replace(from, to)), id(text), "{to}");
        }
    }

    #[test]
    fn times_are_read_as_far_as_they_are_known() {
        for (text, expected) in [
            ("2017.07.29 14:00", Some("2017-07-29T14:00:00Z")),
            ("2019.08.08 14:00:05", Some("2019-08-08T14:00:05Z")),
            ("2017-07-29", Some("2017-07-29T00:00:00Z")),
            ("2017.07.29 noon", Some("2017-07-29T00:00:00Z")),
            ("2017.13.29", None),
            ("", None),
        ] {
            let read = time_of(text).map(|time| time.to_string());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }
}
