//! The grammar of the SAU Game Platform's protocol: every line, both directions.
//!
//! Lines are ASCII, at most 255 bytes. The text after `move` is defined by the game.
//! The platform sends no clock.

use std::fmt;

/// A line from the platform to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `name?`: say your name.
    Name,
    /// `new black` or `new white`: a new game, and the engine's
    /// side. The engine of `First` answers at once with its first turn.
    New(String),
    /// `move …`: the opponent's turn.
    Move(String),
    /// `dice N`: a roll. Both engines get it, whichever side moves next.
    Dice(u8),
    /// `error`: the engine's last turn was illegal; answer with another.
    Error,
    /// `end`: the game is over.
    End,
    /// `quit`: exit within a second.
    Quit,
}

/// A line from the engine to the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `name X`.
    Name(String),
    /// `move …`: the engine's turn.
    Move(String),
}

/// The first word of a line and the remaining text, both trimmed.
fn keyword(line: &str) -> (&str, &str) {
    let line = line.trim_end();
    line.split_once(char::is_whitespace)
        .map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

impl Command {
    /// Reads a line from the platform; `None` for a line that is not in the protocol. A keyword
    /// counts only at the start of the line; `name` is read as `name?`.
    pub fn parse(line: &str) -> Option<Command> {
        let (word, rest) = keyword(line);
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("name?" | "name", "") => Some(Command::Name),
            ("new", colour) if !colour.is_empty() => {
                Some(Command::New(colour.to_ascii_lowercase()))
            }
            ("move", turn) if !turn.is_empty() => Some(Command::Move(turn.to_string())),
            ("dice", face) => face.parse().ok().map(Command::Dice),
            ("error", _) => Some(Command::Error),
            ("end", _) => Some(Command::End),
            ("quit" | "exit", _) => Some(Command::Quit),
            _ => None,
        }
    }
}

impl Answer {
    /// Reads a line from an engine; `None` for other output. A keyword counts only at the start of
    /// the line; `name?` is read as `name`.
    pub fn parse(line: &str) -> Option<Answer> {
        let (word, rest) = keyword(line);
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("name" | "name?", name) if !name.is_empty() => Some(Answer::Name(name.to_string())),
            ("move", turn) if !turn.is_empty() => Some(Answer::Move(turn.to_string())),
            _ => None,
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Name => write!(f, "name?"),
            Command::New(colour) => write!(f, "new {colour}"),
            Command::Move(turn) => write!(f, "move {turn}"),
            Command::Dice(face) => write!(f, "dice {face}"),
            Command::Error => write!(f, "error"),
            Command::End => write!(f, "end"),
            Command::Quit => write!(f, "quit"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Name(name) => write!(f, "name {name}"),
            Answer::Move(turn) => write!(f, "move {turn}"),
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
            "name?",
            "new black",
            "move JJ@@",
            "move 2 AAABBC",
            "dice 6",
            "error",
            "end",
            "quit",
        ] {
            assert_eq!(Command::parse(line).unwrap().to_string(), line);
        }
        for line in ["name Some Engine", "move JJ@@"] {
            assert_eq!(Answer::parse(line).unwrap().to_string(), line);
        }
    }

    #[test]
    fn keywords_count_only_at_the_start() {
        assert_eq!(Answer::parse("my move JJ"), None);
        assert_eq!(Answer::parse(" move JJ"), None);
        assert_eq!(Answer::parse("moved JJ"), None);
        assert_eq!(
            Answer::parse("MOVE JJ@@\r"),
            Some(Answer::Move("JJ@@".into()))
        );
        assert_eq!(
            Answer::parse("name? Some Engine"),
            Some(Answer::Name("Some Engine".into()))
        );
        assert_eq!(Command::parse("new"), None);
        assert_eq!(Command::parse("dice six"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic_and_prints_as_it_reads(line in any::<String>()) {
            if let Some(command) = Command::parse(&line) {
                prop_assert_eq!(Command::parse(&command.to_string()), Some(command));
            }
            if let Some(answer) = Answer::parse(&line) {
                prop_assert_eq!(Answer::parse(&answer.to_string()), Some(answer));
            }
        }
    }
}
