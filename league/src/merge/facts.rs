//! What the plan of a league says of a game, read from a line of a log or from the plan. Both are
//! compared as JSON. Times, hosts, turns and the result are no part of it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gamelog::key::start_of_digest;
use gamelog::record::{EngineRecord, GameRecord};
use serde::Serialize;
use serde_json::Value;
use task::adjudication::Adjudication;
use task::clock::ClockSpec;
use task::{EngineSpec, GameTask};

/// Most characters of a value in a message.
const LONGEST: usize = 60;

/// The facts of a game that its plan decides.
#[derive(Serialize)]
pub(super) struct Facts<'a> {
    league: &'a str,
    game: &'a str,
    variant: &'a Value,
    stage: &'a str,
    round: u32,
    number: u32,
    opening: &'a str,
    seed: u64,
    dice: Option<u64>,
    first: EngineFacts<'a>,
    second: EngineFacts<'a>,
    clock: ClockSpec,
    carried_us: Option<[u64; 2]>,
    adjudication: Adjudication,
    imported: bool,
    desk: bool,
}

/// The same for an engine.
#[derive(Serialize)]
struct EngineFacts<'a> {
    name: &'a str,
    command: &'a [String],
    protocol: &'a str,
    options: BTreeMap<&'a str, Cow<'a, Value>>,
    init: &'a [String],
    clock: Option<ClockSpec>,
    retries: u32,
}

impl<'a> Facts<'a> {
    /// Those of a logged game.
    pub(super) fn of_record<S>(game: &'a GameRecord<S>) -> Facts<'a> {
        Facts {
            league: &game.league,
            game: &game.game,
            variant: &game.variant,
            stage: &game.stage,
            round: game.round,
            number: game.number,
            opening: &game.opening,
            seed: game.seed,
            dice: game.dice,
            first: EngineFacts::of_record(&game.first),
            second: EngineFacts::of_record(&game.second),
            clock: game.clock,
            carried_us: game.carried_us,
            adjudication: game.adjudication,
            imported: game.is_imported(),
            desk: game.desk.is_some(),
        }
    }

    /// Those of a planned game.
    pub(super) fn of_task(task: &'a GameTask) -> Facts<'a> {
        Facts {
            league: &task.league,
            game: &task.game,
            variant: &task.variant,
            stage: &task.stage,
            round: task.round,
            number: task.number,
            opening: &task.opening,
            seed: task.seed,
            dice: task.dice,
            first: EngineFacts::of_spec(&task.first),
            second: EngineFacts::of_spec(&task.second),
            clock: task.clock,
            carried_us: task.carried_us,
            adjudication: task.adjudication,
            imported: false,
            desk: false,
        }
    }

    /// 64 bits of the SHA-256 of all facts: who may choose them freely needs 2⁶⁴ attempts to meet
    /// those of a planned game.
    pub(super) fn digest(&self) -> [u32; 2] {
        let json = serde_json::to_vec(self).expect("plain data has a JSON form");
        let [a, b, ..] = start_of_digest(&json);
        [a, b]
    }

    /// In words, how these facts differ from the expected ones.
    pub(super) fn differences(&self, expected: &Facts<'_>) -> String {
        let [here, there] = [self, expected]
            .map(|facts| serde_json::to_value(facts).expect("plain data has a JSON form"));
        let mut found = Vec::new();
        differ("", &here, &there, &mut found);
        found.join("; ")
    }
}

impl<'a> EngineFacts<'a> {
    fn of_record(engine: &'a EngineRecord) -> EngineFacts<'a> {
        EngineFacts {
            name: &engine.name,
            command: &engine.command,
            protocol: &engine.protocol,
            options: comparable(&engine.options),
            init: &engine.init,
            clock: engine.clock,
            retries: engine.retries,
        }
    }

    fn of_spec(engine: &'a EngineSpec) -> EngineFacts<'a> {
        EngineFacts {
            name: &engine.name,
            command: &engine.command,
            protocol: engine.protocol.name(),
            options: comparable(&engine.options)
                .into_iter()
                .map(|(name, value)| (name, as_logged(value)))
                .collect(),
            init: &engine.init,
            clock: engine.clock,
            retries: engine.retries,
        }
    }
}

/// Options that are the same on every machine. A league has its own folder on each, so of the absolute
/// path of a file only its name is compared; its content belongs to the engine's build.
fn comparable(options: &BTreeMap<String, Value>) -> BTreeMap<&str, Cow<'_, Value>> {
    let options = options.iter();
    options
        .map(|(name, value)| (name.as_str(), without_folder(value)))
        .collect()
}

fn without_folder(value: &Value) -> Cow<'_, Value> {
    let path = value.as_str().and_then(|text| {
        let start = if text.starts_with('/') {
            0
        } else {
            text.find("=/")? + 1
        };
        let (key, path) = text.split_at(start);
        let name = path.rsplit('/').find(|part| !part.is_empty())?;
        Some(format!("{key}{name}"))
    });
    match path {
        Some(path) => Cow::Owned(Value::from(path)),
        None => Cow::Borrowed(value),
    }
}

/// A value as it is read from a log: the last bit of a number with a fraction may be another one.
fn as_logged(value: Cow<'_, Value>) -> Cow<'_, Value> {
    if value.is_string() || value.is_boolean() || value.is_i64() || value.is_u64() {
        return value;
    }
    let read = serde_json::from_str(&value.to_string());
    Cow::Owned(read.expect("JSON that was just written"))
}

/// Adds the places where two JSON values differ.
fn differ(place: &str, here: &Value, there: &Value, found: &mut Vec<String>) {
    if here == there {
        return;
    }
    let (Value::Object(ours), Value::Object(theirs)) = (here, there) else {
        let [here, there] = [here, there].map(shown);
        found.push(format!("{place} is {here}, expected {there}"));
        return;
    };
    let keys = ours
        .keys()
        .chain(theirs.keys().filter(|key| !ours.contains_key(*key)));
    for key in keys {
        let inner = match place {
            "" => key.clone(),
            place => format!("{place}.{key}"),
        };
        let [here, there] = [ours, theirs].map(|map| map.get(key).unwrap_or(&Value::Null));
        differ(&inner, here, there, found);
    }
}

/// The beginning of a value, for a message.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Null => "absent".to_owned(),
        value => value.to_string(),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use gamelog::record::{GameResult, Reason, sample};
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_is_named() {
        let planned = sample::game("hex", "a", "b", GameResult::First, Reason::Rules);
        let mut other = planned.clone();
        assert_eq!(
            Facts::of_record(&other).digest(),
            Facts::of_record(&planned).digest()
        );
        other.seed = 8;
        other.second.options = [("level".to_owned(), json!(3))].into();
        let (other, planned) = (Facts::of_record(&other), Facts::of_record(&planned));
        assert_ne!(other.digest(), planned.digest());
        assert_eq!(
            other.differences(&planned),
            "second.options.level is 3, expected absent; seed is 8, expected 1"
        );
    }

    #[test]
    fn of_the_path_of_a_file_its_name_is_compared() {
        for (text, expected) in [
            ("/home/one/nets/a.bin", "a.bin"),
            ("file=/home/two/a.bin", "file=a.bin"),
            ("nets/a.bin", "nets/a.bin"),
            ("/", "/"),
            ("1/2", "1/2"),
        ] {
            assert_eq!(*without_folder(&json!(text)), json!(expected));
        }
        assert_eq!(*without_folder(&json!(0.5)), json!(0.5));
    }
}
