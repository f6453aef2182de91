//! Games of a session as entries of the log and as contest records.

use std::path::{Path, PathBuf};

use base::error::BadInput;
use engine_core::Side;
use engine_process::process::unconfined;
use gamelog::files::output::{Folder, Style};
use gamelog::record::{AtDesk, EngineRecord, GameRecord, SCHEMA};
use gamelog::{self, Log, Opened, Place};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use records::{Extras, Format, Header, TextRecord};
use task::adjudication::Adjudication;
use task::opening::{self, Opening};

use super::event::By;
use super::game::Game;
use super::operation::{Refused, Saving};
use super::settings::{Dice, Flag};
use super::state::State;

/// League name of games without an event.
const LEAGUE: &str = "desk";

/// What the log calls the protocol of a person.
const OPERATOR: &str = "operator";

/// The id of a game of a session, by its number in the series, from 1.
pub(super) fn id(session: &str, number: usize) -> String {
    format!("{session}-{number}")
}

/// A game of the series, from 1, as an entry of the log; `None` if it is not over.
pub(super) fn logged(state: &State, session: &str, number: usize) -> Option<GameRecord> {
    let settings = &state.settings;
    let game = &state.games[number - 1];
    let ending = game.ending.as_ref()?;
    let league = match settings.event.as_str() {
        "" => LEAGUE,
        event => event,
    };
    let duration = ending.time.duration_since(game.started);
    let [first, second] = game.seats.map(|seat| player(state, seat));
    Some(GameRecord {
        schema: SCHEMA,
        id: id(session, number),
        league: league.to_owned(),
        game: settings.game.clone(),
        variant: settings.variant.clone(),
        stage: String::new(),
        round: 1,
        number: if settings.wins > 1 { number as u32 } else { 0 },
        opening: settings.opening.clone(),
        seed: game.seed,
        dice: None,
        first,
        second,
        clock: settings.clock,
        carried_us: None,
        adjudication: Adjudication::default(),
        overrides: Vec::new(),
        started: game.started,
        duration_ms: duration.as_millis().max(0) as u64,
        turns: game.turns.iter().map(|turn| turn.record.clone()).collect(),
        result: ending.result,
        reason: ending.reason,
        detail: ending.detail.clone(),
        host: rustix::system::uname().nodename().to_string_lossy().into(),
        pace: None,
        imported: String::new(),
        desk: Some(at_desk(state, game, number)),
        decision: None,
        crc32: None,
    })
}

fn at_desk(state: &State, game: &Game, number: usize) -> AtDesk {
    let corrections = state.corrections.iter();
    let turns = (1..).zip(&game.turns);
    let by_operator = turns.filter(|(_, turn)| turn.by == Some(By::Operator));
    let engine = |side: Side| &state.settings.seats[game.seats[side.index()]].engine;
    let in_place = by_operator.filter(|(_, turn)| engine(turn.record.side.into()).is_some());
    AtDesk {
        foreign_dice: state.settings.dice == Dice::Operator && state.rules().has_dice(),
        flags_shown: state.settings.flag == Flag::Shown,
        clocks: game.set.clone(),
        corrections: corrections.filter(|one| one.game == number).count() as u32,
        entered: in_place.map(|(number, _)| number).collect(),
    }
}

/// Who sat in a seat.
fn player(state: &State, seat: usize) -> EngineRecord {
    let settings = &state.settings.seats[seat];
    let spec = settings.engine.clone();
    let protocol = spec.as_ref().map_or(OPERATOR, |spec| spec.protocol.name());
    let is_engine = spec.is_some();
    let spec = spec.unwrap_or_default();
    EngineRecord {
        name: settings.name.clone(),
        protocol: protocol.to_owned(),
        version: state.engines[seat].version.clone(),
        unconfined: if is_engine {
            unconfined(&spec)
        } else {
            Vec::new()
        },
        writes: spec.writes(),
        command: spec.command,
        build: spec.build,
        options: spec.options,
        init: spec.init,
        clock: settings.clock,
        retries: spec.retries,
        deviations: Default::default(),
        after: None,
    }
}

/// The current game as a contest record, with this header.
pub(super) fn text(state: &State, saving: &Saving) -> TextRecord {
    let (settings, game) = (&state.settings, state.game());
    let or = |given: &String, usual: &str| match given.as_str() {
        "" => usual.to_owned(),
        given => given.to_owned(),
    };
    let names = game.seats.map(|seat| settings.seats[seat].name.as_str());
    let Opening { position, words } = Opening::parse(&settings.opening);
    let begun = date(game.started, TimeZone::system());
    let result = game
        .ending
        .as_ref()
        .and_then(|ending| ending.result.outcome());
    TextRecord {
        header: Header {
            id: String::new(),
            teams: [0, 1].map(|side| or(&saving.teams[side], names[side])),
            result,
            time: or(&saving.date, &begun),
            place: or(&saving.place, &settings.place),
            event: or(&saving.event, &settings.event),
        },
        variant: settings.variant.clone(),
        position: position.map(str::to_owned),
        words: opening::split(words)
            .chain(game.words())
            .map(str::to_owned)
            .collect(),
        extras: Extras::default(),
    }
}

/// A moment as a record has it: the time on the wall.
fn date(moment: Timestamp, zone: TimeZone) -> String {
    let moment = moment.to_zoned(zone);
    moment.strftime("%Y.%m.%d %H:%M").to_string()
}

/// Writes the contest record of the current game to a new file, and returns its path.
pub(super) fn save(state: &State, saving: &Saving) -> Result<PathBuf, Refused> {
    let style = Style {
        format: Format::Contest,
        encoding: saving.encoding,
    };
    let mut folder = Folder::new(saving.folder.clone());
    let written = folder.write(style, state.rules(), &text(state, saving));
    written.map_err(|error| Refused(format!("record: {error}")))
}

/// Appends a finished game to the log in the desk's folder. The log is open only for this moment, so
/// that several programs can share the folder. Returns warnings for the user.
pub(super) fn append(folder: &Path, game: &GameRecord) -> Result<Vec<String>, BadInput> {
    let mut is_known = false;
    let Opened { mut log, warnings } =
        Log::open(folder, |game| game.id, |id| is_known |= id == game.id)?;
    if !is_known {
        let path = log.path().display().to_string();
        log.append(game)
            .map_err(|error| BadInput(format!("{path}: {error}")))?;
    }
    Ok(warnings)
}

/// Gives up a game of the log whose result was taken back.
pub(super) fn give_up(folder: &Path, id: &str) -> Result<(), BadInput> {
    let Some(place) = find(folder, id)? else {
        return Ok(());
    };
    let mut log = Log::open(folder, |_| (), |()| ())?.log;
    log.drop_game(id, &place)
        .map_err(|error| BadInput(format!("{place}: {error}")))
}

/// Whether the log in the desk's folder has a game.
pub(super) fn is_logged(folder: &Path, id: &str) -> Result<bool, BadInput> {
    Ok(find(folder, id)?.is_some())
}

fn find(folder: &Path, id: &str) -> Result<Option<Place>, BadInput> {
    let path = folder.join(gamelog::FILE_NAME);
    if !path.exists() {
        return Ok(None);
    }
    let mut found = None;
    gamelog::places(&[path], |known, place| {
        if known == id {
            found = Some(place);
        }
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use jiff::tz::offset;

    use super::*;

    #[test]
    fn records_have_the_local_time() {
        let moment = "2026-11-23T18:30:00Z".parse().unwrap();
        let zone = |hours| TimeZone::fixed(offset(hours));
        assert_eq!(date(moment, zone(8)), "2026.11.24 02:30");
        assert_eq!(date(moment, zone(0)), "2026.11.23 18:30");
    }
}
