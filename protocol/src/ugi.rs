//! The grammar of UGI, the Universal Game Interface of kz04px: every line, both directions.
//!
//! The engine side and the referee read and write with the same types, so they
//! cannot disagree. A line is one command; words are separated by blanks.

mod info;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use engine_core::time::TimeLeft;
use engine_core::{ParseError, Side};

use self::info::parse_info;
pub use self::info::{Bound, Info, InfoScore};

/// A line from the referee to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`: start the handshake.
    Ugi,
    /// `isready`: answer when all earlier commands are done.
    IsReady,
    /// `setoption name N [value V]`. The name may hold blanks; the value is the rest of the line.
    SetOption {
        /// Name of the option.
        name: String,
        /// Its value; empty for none.
        value: String,
    },
    /// `uginewgame`: a new game begins.
    NewGame,
    /// `position startpos [moves …]` or `position fen F [moves …]`.
    Position {
        /// The position in the game's notation; `None` for the start of the variant.
        fen: Option<String>,
        /// Turns and rolls played from there.
        moves: Vec<String>,
    },
    /// `go …`: start a search.
    Go(Go),
    /// `stop`: end the search and answer.
    Stop,
    /// `query gameover|p1turn|result`.
    Query(Query),
    /// `quit`: exit.
    Quit,
}

/// Limits of a search; times in ms.
///
/// `movestogo` and `byoyomi` are not part of UGI: they come from UCI and USI. An engine that
/// ignores them thinks too briefly.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Go {
    /// Remaining time of `First`.
    pub p1time: Option<u64>,
    /// Remaining time of `Second`.
    pub p2time: Option<u64>,
    /// Increment of `First`.
    pub p1inc: Option<u64>,
    /// Increment of `Second`.
    pub p2inc: Option<u64>,
    /// Turns until the side to move gets more time, including this one.
    pub movestogo: Option<u32>,
    /// Time for each turn after the clock of the side to move has run out; unused time is lost.
    pub byoyomi: Option<u64>,
    /// Time for this turn.
    pub movetime: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes, or playouts.
    pub nodes: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
}

impl Go {
    /// The clock of `side`, which is to move; `None` if the command gives none.
    pub fn clock(&self, side: Side) -> Option<TimeLeft> {
        let (time, increment) = match side {
            Side::First => (self.p1time, self.p1inc),
            Side::Second => (self.p2time, self.p2inc),
        };
        let left = time.or(self.byoyomi.map(|_| 0))?;
        let told = |ms: Option<u64>| Duration::from_millis(ms.unwrap_or(0));
        Some(TimeLeft {
            left: Duration::from_millis(left),
            increment: told(increment),
            period: told(self.byoyomi),
            turns: self.movestogo,
        })
    }
}

/// A question about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is the game over? `true` or `false`.
    GameOver,
    /// Does `First` act next? `true` or `false`.
    P1Turn,
    /// `p1win`, `p2win`, `draw` or `none`.
    Result,
}

/// A line from the engine to the referee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `id name …`.
    Name(String),
    /// `id author …`.
    Author(String),
    /// `option name N type T …`.
    Option(OptionLine),
    /// `ugiok`: end of the handshake.
    UgiOk,
    /// `readyok`.
    ReadyOk,
    /// `info …`.
    Info(Info),
    /// `bestmove M`.
    BestMove(String),
    /// `response …`, to a [`Query`].
    Response(String),
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name; may contain blanks.
    pub name: String,
    /// Its type and the data of the type.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A whole number within bounds.
    Spin {
        /// The value if none is set.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// `true` or `false`.
    Check {
        /// The value if none is set.
        default: bool,
    },
    /// Any text.
    String {
        /// The value if none is set.
        default: String,
    },
    /// One of several words.
    Combo {
        /// The value if none is set.
        default: String,
        /// The words.
        vars: Vec<String>,
    },
}

/// The words of a line, with their columns.
struct Words<'a> {
    line: &'a str,
    /// Byte offset of the unread text.
    at: usize,
}

impl<'a> Words<'a> {
    fn new(line: &'a str) -> Words<'a> {
        Words { line, at: 0 }
    }

    fn next(&mut self) -> Option<&'a str> {
        let rest = &self.line[self.at..];
        let start = rest.len() - rest.trim_start().len();
        let word = rest[start..].split_whitespace().next()?;
        self.at += start + word.len();
        Some(word)
    }

    fn peek(&self) -> Option<&'a str> {
        Words {
            line: self.line,
            at: self.at,
        }
        .next()
    }

    /// The remaining text, trimmed.
    fn rest(&mut self) -> &'a str {
        let rest = self.line[self.at..].trim();
        self.at = self.line.len();
        rest
    }

    /// The words up to `stop` (exclusive) or the end, joined by single blanks.
    fn until(&mut self, stop: &[&str]) -> String {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| !stop.contains(word)) {
            words.push(word);
            self.next();
        }
        words.join(" ")
    }

    fn column(&self) -> usize {
        self.line[..self.at].chars().count() + 1
    }

    /// An error at the last word read, `found`.
    fn wrong(&self, found: &str, expected: &str) -> ParseError {
        let column = self.column() - found.chars().count();
        ParseError::new(column, found, expected)
    }

    fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, ParseError> {
        let word = self.next().unwrap_or("");
        word.parse().map_err(|_| self.wrong(word, expected))
    }

    /// Reads a time in ms. A clock that has run out may be negative, which counts as 0.
    fn millis(&mut self) -> Result<u64, ParseError> {
        self.number::<i64>("a time in ms")
            .map(|ms| ms.max(0) as u64)
    }
}

impl Command {
    /// Reads a line from the referee; the first word may be in any case.
    ///
    /// # Errors
    /// An unknown command, or an invalid word in a known one.
    pub fn parse(line: &str) -> Result<Command, ParseError> {
        let mut words = Words::new(line);
        let word = words.next().unwrap_or("");
        match word.to_ascii_lowercase().as_str() {
            "ugi" => Ok(Command::Ugi),
            "isready" => Ok(Command::IsReady),
            "setoption" => parse_set_option(&mut words),
            "uginewgame" => Ok(Command::NewGame),
            "position" => parse_position(&mut words),
            "go" => parse_go(&mut words).map(Command::Go),
            "stop" => Ok(Command::Stop),
            "query" => parse_query(&mut words),
            "quit" => Ok(Command::Quit),
            _ => Err(words.wrong(
                word,
                "ugi, isready, setoption, uginewgame, position, go, stop, query or quit",
            )),
        }
    }
}

fn parse_set_option(words: &mut Words) -> Result<Command, ParseError> {
    match words.next() {
        Some("name") => {}
        other => return Err(words.wrong(other.unwrap_or(""), "name")),
    }
    let name = words.until(&["value"]);
    if name.is_empty() {
        let found = words.next().unwrap_or("");
        return Err(words.wrong(found, "the name of an option"));
    }
    words.next();
    Ok(Command::SetOption {
        name,
        value: words.rest().to_string(),
    })
}

fn parse_position(words: &mut Words) -> Result<Command, ParseError> {
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(words.until(&["moves"])),
        other => return Err(words.wrong(other.unwrap_or(""), "startpos or fen")),
    };
    let moves = match words.next() {
        Some("moves") => words.rest().split_whitespace().map(String::from).collect(),
        None => Vec::new(),
        Some(other) => return Err(words.wrong(other, "moves")),
    };
    Ok(Command::Position { fen, moves })
}

fn parse_go(words: &mut Words) -> Result<Go, ParseError> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "p1time" => go.p1time = Some(words.millis()?),
            "p2time" => go.p2time = Some(words.millis()?),
            "p1inc" => go.p1inc = Some(words.millis()?),
            "p2inc" => go.p2inc = Some(words.millis()?),
            "movestogo" => go.movestogo = Some(words.number("a number of turns")?),
            "byoyomi" => go.byoyomi = Some(words.millis()?),
            "movetime" => go.movetime = Some(words.millis()?),
            "depth" => go.depth = Some(words.number("a depth in plies")?),
            "nodes" => go.nodes = Some(words.number("a number of nodes")?),
            "infinite" => go.infinite = true,
            // Unknown words are skipped: referees may send extensions.
            _ => {}
        }
    }
    Ok(go)
}

fn parse_query(words: &mut Words) -> Result<Command, ParseError> {
    let word = words.next().unwrap_or("");
    match word {
        "gameover" => Ok(Command::Query(Query::GameOver)),
        "p1turn" => Ok(Command::Query(Query::P1Turn)),
        "result" => Ok(Command::Query(Query::Result)),
        _ => Err(words.wrong(word, "gameover, p1turn or result")),
    }
}

impl Answer {
    /// Reads a line from an engine; the first word, and the word after `id`, may be in any case.
    ///
    /// # Errors
    /// A line that is not in the protocol; a referee ignores such output.
    pub fn parse(line: &str) -> Result<Answer, ParseError> {
        let mut words = Words::new(line);
        let word = words.next().unwrap_or("");
        match word.to_ascii_lowercase().as_str() {
            "id" => parse_id(&mut words),
            "option" => parse_option(&mut words).map(Answer::Option),
            "ugiok" => Ok(Answer::UgiOk),
            "readyok" => Ok(Answer::ReadyOk),
            "info" => parse_info(&mut words).map(Answer::Info),
            "bestmove" => match words.next() {
                Some(mv) => Ok(Answer::BestMove(mv.to_string())),
                None => Err(words.wrong("", "a move")),
            },
            "response" => Ok(Answer::Response(words.rest().to_string())),
            _ => Err(words.wrong(
                word,
                "id, option, ugiok, readyok, info, bestmove or response",
            )),
        }
    }
}

/// The reply that a turn's line expects: `b2` of `bestmove a1 ponder b2`.
pub fn expected_reply(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip(2);
    let ponder = words.next()?;
    words
        .next()
        .filter(|_| ponder.eq_ignore_ascii_case("ponder"))
}

fn parse_id(words: &mut Words) -> Result<Answer, ParseError> {
    let word = words.next().unwrap_or("");
    match word.to_ascii_lowercase().as_str() {
        "name" => Ok(Answer::Name(words.rest().to_string())),
        "author" => Ok(Answer::Author(words.rest().to_string())),
        _ => Err(words.wrong(word, "name or author")),
    }
}

/// Words that end the value of an option attribute.
const ATTRIBUTES: [&str; 5] = ["type", "default", "min", "max", "var"];

fn parse_option(words: &mut Words) -> Result<OptionLine, ParseError> {
    match words.next() {
        Some("name") => {}
        other => return Err(words.wrong(other.unwrap_or(""), "name")),
    }
    let name = words.until(&["type"]);
    words.next();
    let kind = words.next().unwrap_or("");
    let kind_error = words.wrong(kind, "spin, check, string or combo");
    let (mut default, mut min, mut max, mut vars) = (String::new(), i64::MIN, i64::MAX, Vec::new());
    while let Some(word) = words.next() {
        match word {
            "default" => default = words.until(&ATTRIBUTES),
            "min" => min = words.number("a whole number")?,
            "max" => max = words.number("a whole number")?,
            "var" => vars.push(words.until(&ATTRIBUTES)),
            _ => return Err(words.wrong(word, "default, min, max or var")),
        }
    }
    let kind = match kind {
        "spin" => OptionKind::Spin {
            default: default.parse().unwrap_or(min),
            min,
            max,
        },
        "check" => OptionKind::Check {
            default: default == "true",
        },
        "string" => OptionKind::String { default },
        "combo" => OptionKind::Combo { default, vars },
        _ => return Err(kind_error),
    };
    Ok(OptionLine { name, kind })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Ugi => write!(f, "ugi"),
            Command::IsReady => write!(f, "isready"),
            Command::SetOption { name, value } if value.is_empty() => {
                write!(f, "setoption name {name}")
            }
            Command::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Command::NewGame => write!(f, "uginewgame"),
            Command::Position { fen, moves } => {
                match fen {
                    None => write!(f, "position startpos")?,
                    Some(fen) => write!(f, "position fen {fen}")?,
                }
                if !moves.is_empty() {
                    write!(f, " moves")?;
                }
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Command::Go(go) => write!(f, "go{go}"),
            Command::Stop => write!(f, "stop"),
            Command::Query(Query::GameOver) => write!(f, "query gameover"),
            Command::Query(Query::P1Turn) => write!(f, "query p1turn"),
            Command::Query(Query::Result) => write!(f, "query result"),
            Command::Quit => write!(f, "quit"),
        }
    }
}

/// Writes ` name value` if there is a value.
fn field<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, value: Option<T>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}

/// The words after `go`, each preceded by a blank.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        field(f, "p1time", self.p1time)?;
        field(f, "p2time", self.p2time)?;
        field(f, "p1inc", self.p1inc)?;
        field(f, "p2inc", self.p2inc)?;
        field(f, "movestogo", self.movestogo)?;
        field(f, "byoyomi", self.byoyomi)?;
        field(f, "movetime", self.movetime)?;
        field(f, "depth", self.depth)?;
        field(f, "nodes", self.nodes)?;
        if self.infinite {
            write!(f, " infinite")
        } else {
            Ok(())
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Name(name) => write!(f, "id name {name}"),
            Answer::Author(author) => write!(f, "id author {author}"),
            Answer::Option(OptionLine { name, kind }) => write!(f, "option name {name} {kind}"),
            Answer::UgiOk => write!(f, "ugiok"),
            Answer::ReadyOk => write!(f, "readyok"),
            Answer::Info(info) => write!(f, "info{info}"),
            Answer::BestMove(mv) => write!(f, "bestmove {mv}"),
            Answer::Response(text) => write!(f, "response {text}"),
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Spin { default, min, max } => {
                write!(f, "type spin default {default} min {min} max {max}")
            }
            OptionKind::Check { default } => write!(f, "type check default {default}"),
            OptionKind::String { default } if default.is_empty() => {
                write!(f, "type string default")
            }
            OptionKind::String { default } => write!(f, "type string default {default}"),
            OptionKind::Combo { default, vars } => {
                write!(f, "type combo default {default}")?;
                vars.iter().try_for_each(|var| write!(f, " var {var}"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
