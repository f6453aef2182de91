//! The grammar of the Gomocup protocol of piskvork (Petr Laštovička, Martin Petříček): every line,
//! both directions.
//!
//! A turn is a list of cells, column and row from 0 at the top left: `9,9`, or `10,9 9,10` for a
//! turn of two stones. The protocol writes answers of several stones in the same way.

use std::fmt;

/// A line from the manager to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `START n`: a new game on a board of this size; the answer is `OK` or `ERROR`.
    Start(u32),
    /// `RECTSTART w,h`: a new game on a board that may not be square; the answer is `OK` or `ERROR`.
    RectStart(String),
    /// `SWAP2BOARD`: a decision in Gomocup's opening; stones follow as after `BOARD`.
    Swap2Board,
    /// `RESTART`: a new game on the same board; the answer is `OK`.
    Restart,
    /// `BEGIN`: play the first turn.
    Begin,
    /// `TURN x,y`: the opponent's turn; the answer is the engine's.
    Turn(String),
    /// `BOARD`: stones follow, line by line.
    Board,
    /// `x,y,who`: a stone, after `BOARD`; `1` is the engine's own, other values the opponent's.
    Stone {
        /// Its cell, `x,y`.
        cell: String,
        /// Whether it is the engine's.
        own: bool,
    },
    /// `DONE`: the end of the stones; the answer is the engine's turn.
    Done,
    /// `INFO key value`; no answer is sent.
    Info {
        /// The key, in lower case.
        key: String,
        /// Its value.
        value: String,
    },
    /// `ABOUT`: say who you are.
    About,
    /// `END`: exit.
    End,
}

/// A line from the engine to the manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `OK`.
    Ok,
    /// A turn.
    Turn(String),
    /// `name="…", version="…", …`: who the engine is, its name and version.
    About(String),
    /// `ERROR …`: the engine cannot do what the command asks.
    Error(String),
    /// `UNKNOWN …`: the engine does not know the command.
    Unknown(String),
    /// `MESSAGE …` or `DEBUG …`, for human readers.
    Message(String),
}

/// The first word in upper case, and the remaining text, trimmed.
fn keyword(line: &str) -> (String, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word.to_ascii_uppercase(), rest.trim())
}

/// Whether the text consists of pairs of numbers: `9,9`, `10,9 9,10`.
fn is_turn(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.contains(',')
        && text.chars().all(|c| c.is_ascii_digit() || ", ".contains(c))
}

/// Words with one blank between them.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Command {
    /// Reads a line from the manager; `None` for a line that is not in the protocol.
    pub fn parse(line: &str) -> Option<Command> {
        let (word, rest) = keyword(line);
        Some(match (word.as_str(), rest) {
            ("START", size) => Command::Start(size.parse().ok()?),
            ("RECTSTART", size) if is_turn(size) => Command::RectStart(joined(size)),
            ("SWAP2BOARD", "") => Command::Swap2Board,
            ("RESTART", "") => Command::Restart,
            ("BEGIN", "") => Command::Begin,
            ("TURN", turn) if is_turn(turn) => Command::Turn(joined(turn)),
            ("BOARD", "") => Command::Board,
            ("DONE", "") => Command::Done,
            ("INFO", info) => {
                let (key, value) = info.split_once(char::is_whitespace).unwrap_or((info, ""));
                let key = Some(key.to_ascii_lowercase()).filter(|key| !key.is_empty())?;
                let value = value.trim().into();
                Command::Info { key, value }
            }
            ("ABOUT", "") => Command::About,
            ("END", "") => Command::End,
            (stone, "") if is_turn(stone) => {
                let (cell, who) = stone.rsplit_once(',')?;
                let cell = Some(cell).filter(|cell| is_turn(cell))?.into();
                let own = who.parse::<u32>().ok()? == 1;
                Command::Stone { cell, own }
            }
            _ => return None,
        })
    }
}

impl Answer {
    /// Reads a line from an engine; `None` for other output.
    pub fn parse(line: &str) -> Option<Answer> {
        let line = line.trim();
        let (word, rest) = keyword(line);
        let rest = rest.to_owned();
        Some(match word.as_str() {
            "OK" => Answer::Ok,
            "ERROR" => Answer::Error(rest),
            "UNKNOWN" => Answer::Unknown(rest),
            "MESSAGE" | "DEBUG" => Answer::Message(rest),
            _ if is_turn(line) => Answer::Turn(joined(line)),
            _ if line.to_ascii_lowercase().starts_with("name=") => Answer::About(about(line)),
            _ => return None,
        })
    }
}

/// Name and version from `name="…", version="…", author="…"`, separated by a blank.
fn about(line: &str) -> String {
    let value = |key: &str| {
        let start = line.to_ascii_lowercase().find(&format!("{key}=\""))?;
        let rest = line.get(start + key.len() + 2..)?;
        rest.split('"').next()
    };
    let words = ["name", "version"].into_iter().filter_map(value);
    words.collect::<Vec<_>>().join(" ").trim().into()
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Start(size) => write!(f, "START {size}"),
            Command::RectStart(size) => write!(f, "RECTSTART {size}"),
            Command::Swap2Board => write!(f, "SWAP2BOARD"),
            Command::Restart => write!(f, "RESTART"),
            Command::Begin => write!(f, "BEGIN"),
            Command::Turn(turn) => write!(f, "TURN {turn}"),
            Command::Board => write!(f, "BOARD"),
            Command::Stone { cell, own } => write!(f, "{cell},{}", if *own { 1 } else { 2 }),
            Command::Done => write!(f, "DONE"),
            Command::Info { key, value } => write!(f, "INFO {key} {value}"),
            Command::About => write!(f, "ABOUT"),
            Command::End => write!(f, "END"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Ok => write!(f, "OK"),
            Answer::Turn(turn) => write!(f, "{turn}"),
            Answer::About(name) => write!(f, "name=\"{name}\""),
            Answer::Error(text) => write!(f, "ERROR {text}"),
            Answer::Unknown(text) => write!(f, "UNKNOWN {text}"),
            Answer::Message(text) => write!(f, "MESSAGE {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_round_trip() {
        for line in [
            "START 19",
            "RECTSTART 15,20",
            "SWAP2BOARD",
            "RESTART",
            "BEGIN",
            "TURN 9,9",
            "TURN 10,9 9,10",
            "BOARD",
            "9,9,1",
            "10,11,2",
            "DONE",
            "INFO timeout_turn 5000",
            "ABOUT",
            "END",
        ] {
            assert_eq!(Command::parse(line).unwrap().to_string(), line);
        }
        for line in [
            "OK",
            "9,9",
            "10,9 9,10",
            "ERROR no",
            "UNKNOWN",
            "MESSAGE hm",
        ] {
            assert_eq!(Answer::parse(line).unwrap().to_string().trim_end(), line);
        }
    }

    #[test]
    fn engines_are_read_leniently() {
        assert_eq!(
            Answer::parse("name=\"Six\", version=\"1.2\", author=\"x\", country=\"CN\"\r"),
            Some(Answer::About("Six 1.2".into()))
        );
        assert_eq!(Answer::parse("ok - everything is good"), Some(Answer::Ok));
        assert_eq!(
            Answer::parse(" 9,9  8,8 "),
            Some(Answer::Turn("9,9 8,8".into()))
        );
        for line in ["", "hello", "9", "-1,3", "a,b", "name"] {
            assert_eq!(Answer::parse(line), None, "{line:?}");
        }
        assert_eq!(Command::parse("start 19\r"), Some(Command::Start(19)));
        for line in [
            "", "START", "START x", "TURN", "TURN a1", "9,9", "INFO", "BEGIN 1",
        ] {
            assert_eq!(Command::parse(line), None, "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic_and_prints_as_it_reads(
            line in prop_oneof![any::<String>(), "[A-Za-z ]{0,8}[0-9, ]{0,12}", "(?i)(name=|info )[ -~]{0,30}"]
        ) {
            if let Some(command) = Command::parse(&line) {
                prop_assert_eq!(Command::parse(&command.to_string()), Some(command));
            }
            if let Some(answer) = Answer::parse(&line) {
                prop_assert_eq!(Answer::parse(&answer.to_string()), Some(answer));
            }
        }
    }
}
