//! The grammar of GTP, the Go Text Protocol, version 2 (Gunnar Farnebäck, 2002): every line, both
//! directions. HTP, used by Hex programs, has the same grammar.
//!
//! A command is one line; a response begins with `=` or `?` and ends with an empty line. The game
//! defines the text of a turn.

pub mod conformance;

use std::fmt;

use engine_core::Side;

/// A line from the controller to the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// A number that the response repeats.
    pub id: Option<u32>,
    /// The command's name.
    pub name: String,
    /// The arguments, one per word.
    pub arguments: Vec<String>,
}

/// The engine's response to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The command's number.
    pub id: Option<u32>,
    /// Whether the command succeeded.
    pub success: bool,
    /// The answer, or the error message. Lines are separated by `\n`; only a text of a single line
    /// may be empty.
    pub text: String,
}

/// The colour of a side; black moves first.
pub fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "b",
        Side::Second => "w",
    }
}

/// Reads a colour: `b`, `w`, `black` or `white`, ignoring case.
pub fn side(colour: &str) -> Option<Side> {
    match colour.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::First),
        "w" | "white" => Some(Side::Second),
        _ => None,
    }
}

/// The number at the start of `text`, and the remaining text.
fn split_id(text: &str) -> (Option<u32>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    match digits.parse() {
        Ok(id) => (Some(id), rest),
        Err(_) => (None, text),
    }
}

/// A line without control characters; tabs become blanks.
fn plain(line: &str) -> String {
    let shown = line.chars().filter(|&c| c == '\t' || !c.is_control());
    shown.map(|c| if c == '\t' { ' ' } else { c }).collect()
}

impl Command {
    /// A command without a number.
    pub fn new(name: &str, arguments: &[&str]) -> Command {
        Command {
            id: None,
            name: name.into(),
            arguments: arguments.iter().map(|&word| word.into()).collect(),
        }
    }

    /// Reads a line; `None` for an empty one. Text after `#` is a comment.
    pub fn parse(line: &str) -> Option<Command> {
        let line = plain(line);
        let text = line.split('#').next().unwrap_or_default().trim();
        let (id, rest) = split_id(text);
        let mut words = rest.split_whitespace().map(String::from);
        Some(Command {
            id,
            name: words.next()?,
            arguments: words.collect(),
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        write!(f, "{}", self.name)?;
        self.arguments
            .iter()
            .try_for_each(|word| write!(f, " {word}"))
    }
}

/// Includes the empty line that ends a response. There is always a blank before the text, even if it
/// is empty: HexGui needs one.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", if self.success { '=' } else { '?' })?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        write!(f, " {}\n\n", self.text)
    }
}

/// Assembles responses from lines.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    response: Option<Response>,
}

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// The last line of this response.
    Response(Response),
    /// A line within a response, or an empty line between responses.
    Part,
    /// Not part of the protocol.
    Chatter,
}

impl Reader {
    /// Maximum length of a response, bytes; further text is dropped.
    const MAX_RESPONSE: usize = 1 << 16;

    /// Processes the next line.
    pub fn line(&mut self, line: &str) -> Read {
        let line = plain(line);
        let line = line.trim_end();
        let Some(mut response) = self.response.take() else {
            let Some(rest) = line.strip_prefix(['=', '?']) else {
                let empty = line.is_empty();
                return if empty { Read::Part } else { Read::Chatter };
            };
            let (id, text) = split_id(rest);
            self.response = Some(Response {
                id,
                success: line.starts_with('='),
                text: text.trim().into(),
            });
            return Read::Part;
        };
        if line.is_empty() {
            return Read::Response(response);
        }
        if response.text.len() + line.len() < Self::MAX_RESPONSE {
            if !response.text.is_empty() {
                response.text.push('\n');
            }
            response.text.push_str(line);
        }
        self.response = Some(response);
        Read::Part
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<Read> {
        let mut reader = Reader::default();
        let lines = text.lines().map(|line| reader.line(line));
        lines.filter(|read| *read != Read::Part).collect()
    }

    fn response(id: Option<u32>, success: bool, text: &str) -> Read {
        let text = text.into();
        Read::Response(Response { id, success, text })
    }

    #[test]
    fn commands_are_words_after_a_number() {
        let command = Command::parse("12 play b\ta1 # the corner\r").unwrap();
        assert_eq!(command.id, Some(12));
        assert_eq!(
            (&*command.name, &*command.arguments.join("|")),
            ("play", "b|a1")
        );
        assert_eq!(command.to_string(), "12 play b a1");
        for line in ["", "  ", "# only a comment", "7"] {
            assert_eq!(Command::parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn responses_end_with_an_empty_line() {
        assert_eq!(read("= d5\r\n\r\n"), [response(None, true, "d5")]);
        assert_eq!(read("=7 d5\n\n\n"), [response(Some(7), true, "d5")]);
        assert_eq!(
            read("hello\n? no\n\n=\nplay\ngenmove\n\n= unfinished"),
            [
                Read::Chatter,
                response(None, false, "no"),
                response(None, true, "play\ngenmove"),
            ]
        );
    }

    #[test]
    fn a_response_without_end_is_not_kept_whole() {
        let mut reader = Reader::default();
        reader.line("=");
        for _ in 0..1000 {
            assert_eq!(reader.line(&"x".repeat(1000)), Read::Part);
        }
        assert!(matches!(reader.line(""), Read::Response(found) if found.text.len() < 1 << 16));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic_and_prints_as_it_reads(text in any::<String>()) {
            for line in text.lines() {
                if let Some(command) = Command::parse(line) {
                    prop_assert_eq!(Command::parse(&command.to_string()), Some(command));
                }
            }
            for found in read(&text) {
                if let Read::Response(response) = &found {
                    prop_assert_eq!(read(&response.to_string()), [found]);
                }
            }
        }

        #[test]
        fn what_is_printed_is_read(id in any::<Option<u32>>(), success in any::<bool>(), text in "([a-z0-9][a-z0-9 ]*[a-z](\n[a-z0-9 ]*[a-z])*)?") {
            let text = if id.is_none() { text.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned() } else { text };
            let whole = Response { id, success, text };
            prop_assert_eq!(read(&whole.to_string()), [Read::Response(whole)]);
        }
    }
}
