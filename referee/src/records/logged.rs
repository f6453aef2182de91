//! A record as an entry of a log, and back.

use catalog::Rules;
use engine_core::{Outcome, Side};
use entry::record::{Format, Header, TextReading, TextRecord};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::adjudication::Adjudication;
use crate::clock::ClockSpec;
use crate::digest::Digest;
use crate::opening::Opening;
use crate::record::{EngineRecord, GameRecord, GameResult, Reason, SCHEMA, TurnRecord};

/// The league of imported games whose records name no event.
pub const LEAGUE: &str = "imported";

/// The entry of a log for a game that was read from a record. Its id follows from the game and from
/// what its record says, so that the same record always has the same one.
///
/// # Errors
/// A game without a result: it is not over by the rules, and its record names none.
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
    } = &reading.record;
    let (outcome, reason, detail) = match (reading.ending, header.result) {
        (Some((outcome, ending)), _) => (outcome, Reason::Rules, ending),
        (None, Some(outcome)) => (outcome, Reason::Recorded, "as its record says"),
        (None, None) => {
            return Err(
                "neither over by the rules nor with a result, expected a result".to_owned(),
            );
        }
    };
    let or = |text: &String, other: &str| match text.as_str() {
        "" => other.to_owned(),
        text => text.to_owned(),
    };
    let engine = |side: Side| EngineRecord {
        name: or(&header.teams[side.index()], rules.colours()[side.index()]),
        command: Vec::new(),
        protocol: "record".to_owned(),
        version: String::new(),
        options: Default::default(),
        clock: None,
        unconfined: Vec::new(),
        retries: 0,
        deviations: Default::default(),
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
        first: engine(Side::First),
        second: engine(Side::Second),
        clock: ClockSpec::default(),
        carried_us: None,
        adjudication: Adjudication::default(),
        started: time_of(&header.time).unwrap_or(Timestamp::UNIX_EPOCH),
        duration_ms: 0,
        turns: turns(rules, &reading.record, words)?,
        result: GameResult::from(outcome),
        reason,
        detail: detail.to_owned(),
        host: header.place.clone(),
        imported: [format.name(), &header.id].join(" ").trim().to_owned(),
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
    let mut game = crate::opening::begin(rules, &record.variant, &opening)?;
    let mut turns = Vec::with_capacity(words.len());
    for word in words {
        let side = game.side();
        game.play_words(word)
            .map_err(|error| format!("{word:?}: {error}"))?;
        turns.push(TurnRecord {
            side: side.into(),
            text: word.clone(),
            used_us: 0,
            left_us: None,
            info: None,
            refused: Vec::new(),
        });
    }
    Ok(turns)
}

fn id(rules: &dyn Rules, record: &TextRecord, outcome: Outcome) -> String {
    let TextRecord {
        header,
        variant,
        position,
        words,
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
    digest.text(&format!("{outcome:?}"));
    words.iter().for_each(|word| digest.text(word));
    format!("{}-{:016x}", rules.id(), digest.value())
}

/// When a game began that was played at `2017.07.29 14:00`, or on that day; taken for UTC, as records
/// name no zone.
fn time_of(text: &str) -> Option<Timestamp> {
    let (day, time) = text.split_once(' ').unwrap_or((text, ""));
    let day: Date = Date::strptime("%Y-%m-%d", day.replace('.', "-")).ok()?;
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

/// The time in a record: the day alone, if nothing more is known.
fn time_text(started: Timestamp) -> String {
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

/// A game of a log as a record.
pub fn record_of(game: &GameRecord) -> TextRecord {
    let Opening { position, words } = Opening::parse(&game.opening);
    let opening = words
        .split([' ', '\t', ','])
        .filter(|word| !word.is_empty());
    let result = match game.result {
        GameResult::First => Outcome::Win(Side::First),
        GameResult::Second => Outcome::Win(Side::Second),
        GameResult::Draw => Outcome::Draw,
    };
    let (format, id) = game
        .imported
        .split_once(' ')
        .unwrap_or((&game.imported, ""));
    let is_named = |name: &str, side: Side| {
        let colour = catalog::find(&game.game).map(|rules| rules.colours()[side.index()]);
        format.is_empty() || Some(name) != colour
    };
    let team = |name: &str, side: Side| match is_named(name, side) {
        true => name.to_owned(),
        false => String::new(),
    };
    let has_event = format.is_empty() || game.league != LEAGUE;
    TextRecord {
        header: Header {
            id: id.to_owned(),
            teams: [
                team(&game.first.name, Side::First),
                team(&game.second.name, Side::Second),
            ],
            result: Some(result),
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
    }
}
