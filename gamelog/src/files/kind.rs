//! Detects the game and format of a file from its name and content.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use catalog::{AnyGame, GAMES};
use records::{self, Format, TextReading, folded};
use serde_json::Value;

use super::foreign;

/// A format of games, including the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// This program's own log
    Log,
    /// Contest records (棋谱)
    Contest,
    /// Games saved by the SAU platform: `Black: JJ@@`, one turn per line
    Sau,
    /// Smart Game Format: Hex, Amazons, Connect6, Gomoku
    Sgf,
    /// Links to hexworld.org
    Hexworld,
    /// Games saved by Gomocup's manager: `Piskvorky 15x15`, `8,8,0`
    Psq,
    /// Lists of moves, one game per line: j10,k11,i11
    Moves,
    /// Numbered turns over several lines: 1. a2 f6
    Numbered,
    /// A table, one game per line: 21,"j10,k9,j12",black
    Table,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 9] = [
        Form::Log,
        Form::Contest,
        Form::Sau,
        Form::Sgf,
        Form::Hexworld,
        Form::Psq,
        Form::Moves,
        Form::Numbered,
        Form::Table,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.format().map_or("log", Format::name)
    }

    /// What it is, for a list of them.
    pub const fn about(self) -> &'static str {
        match self {
            Form::Log => "This program's own log",
            Form::Contest => "Contest records (棋谱)",
            Form::Sau => "Games saved by the SAU platform: `Black: JJ@@`, one turn per line",
            Form::Sgf => "Smart Game Format: Hex, Amazons, Connect6, Gomoku",
            Form::Hexworld => "Links to hexworld.org",
            Form::Psq => "Games saved by Gomocup's manager: `Piskvorky 15x15`, `8,8,0`",
            Form::Moves => "Lists of moves, one game per line: j10,k11,i11",
            Form::Numbered => "Numbered turns over several lines: 1. a2 f6",
            Form::Table => "A table, one game per line: 21,\"j10,k9,j12\",black",
        }
    }

    /// The format of records; `None` for the log.
    pub fn format(self) -> Option<Format> {
        match self {
            Form::Log => None,
            Form::Contest => Some(Format::Contest),
            Form::Sau => Some(Format::Sau),
            Form::Sgf => Some(Format::Sgf),
            Form::Hexworld => Some(Format::Hexworld),
            Form::Psq => Some(Format::Psq),
            Form::Moves => Some(Format::Moves),
            Form::Numbered => Some(Format::Numbered),
            Form::Table => Some(Format::Table),
        }
    }
}

/// Whether a file is a log: by its name, or, as standard input has none, by its first line.
pub fn is_log(path: &Path) -> bool {
    let begins_like_one = || {
        let mut first = Vec::new();
        let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut first));
        let line = first
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        read.is_ok() && line.trim_start().starts_with('{') && line.contains("\"schema\":")
    };
    path.extension()
        .is_some_and(|found| found == crate::EXTENSION)
        || begins_like_one()
}

/// Bytes of a file in which a log says that it is one.
const HEAD: u64 = 4_096;

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Records in this format, by a mark that no other text has.
    Marked(Format),
    /// Records in this format, because it is no other.
    Likely(Format),
    /// No records that can be read; what they are, and what to do.
    Foreign(&'static str),
}

/// What a text is, from its content and the file name.
pub fn kind_of(path: &Path, text: &str) -> Kind {
    let first = text
        .lines()
        .map(folded)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    if let Some(format) = marked(path, text, &first) {
        return Kind::Marked(format);
    }
    if let Some(what) = foreign::text(text) {
        return Kind::Foreign(what);
    }
    let is_colour = |word: &str| GAMES.iter().any(|game| game.colours().contains(&word));
    match first.split_once(':') {
        _ if first.starts_with(['{', '#']) => Kind::Likely(Format::Contest),
        Some((word, _)) if is_colour(word) || word == "dice" => Kind::Marked(Format::Sau),
        _ if named_game(path).is_some_and(|game| game.named(&name_of(path)).is_some()) => {
            Kind::Likely(Format::Contest)
        }
        _ => Kind::Likely(Format::Moves),
    }
}

/// The format of a text that has the mark of one. `first` is its first line, folded.
fn marked(path: &Path, text: &str, first: &str) -> Option<Format> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let has = |known: &[&str]| known.iter().any(|known| extension == *known);
    if has(&["sgf", "hsgf"]) || records::has_game(text) {
        return Some(Format::Sgf);
    }
    let is_psq = has(&["psq"]) || first.starts_with("piskvorky");
    if is_psq || records::is_gomotur(text) && !has(&["csv"]) {
        return Some(Format::Psq);
    }
    let line = text.lines().find(|line| !line.trim().is_empty());
    if has(&["csv"]) || line.is_some_and(records::is_head) {
        return Some(Format::Table);
    }
    if first.contains("hexworld.org") || first.contains("trmph.com") || is_link(first) {
        return Some(Format::Hexworld);
    }
    if GAMES.iter().any(|game| game.is_contest_record(text)) {
        return Some(Format::Contest);
    }
    records::is_numbered(text).then_some(Format::Numbered)
}

/// Whether a line is a link of hexworld or trmph without its site: `11,c2a3`, `#13r9c1,a1`.
fn is_link(line: &str) -> bool {
    let line = line.trim_start_matches('#');
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let Some((display, moves)) = rest.split_once(',') else {
        return false;
    };
    let begins_like_moves =
        moves.is_empty() || moves.starts_with(|c: char| c == ':' || c.is_ascii_alphabetic());
    let is_display = display.chars().all(|c| c.is_ascii_alphanumeric());
    rest.len() < line.len() && is_display && begins_like_moves && !moves.contains('"')
}

/// The game of a text: named in the text, the only one with this format, named in the file name, or
/// the only one in which the whole text is legal.
///
/// # Errors
/// No game or more than one; the message says what was expected.
pub fn game_of(
    path: &Path,
    format: Format,
    variant: &Value,
    text: &str,
) -> Result<&'static dyn AnyGame, String> {
    let hints = Hints::of(format, text);
    if hints.events.len() > 1 {
        return Err(format!(
            "games of one kind, not of {}: write each kind into a file of its own",
            hints.events.join(", ")
        ));
    }
    if let Some(number) = hints.foreign {
        return Err(format!(
            "a game of Hex, Amazons, Connect6 or Gomoku, not GM[{number}]; if the file is one, --game \
             names it"
        ));
    }
    let candidates = || {
        let games = GAMES.iter().copied();
        games.filter(|game| game.record_formats().contains(&format) && hints.allow(*game))
    };
    let said = match format {
        Format::Contest => candidates().find(|game| game.is_contest_record(text)),
        _ => None,
    };
    let only = || {
        let mut candidates = candidates();
        candidates.next().filter(|_| candidates.next().is_none())
    };
    let named = || named_game(path).filter(|game| candidates().any(|it| it.id() == game.id()));
    // A list of moves has no mark of its own; its name may be that of another thing.
    let is_list = |game: &&'static dyn AnyGame| {
        format != Format::Moves || fit(*game, format, variant, text).turns > 0
    };
    if let Some(game) = said.or_else(only).or_else(named).filter(is_list) {
        return Ok(game);
    }
    let found: Vec<_> = candidates()
        .map(|game| (game, fit(game, format, variant, text)))
        .collect();
    let best = found.iter().map(|(_, fit)| *fit).max().unwrap_or_default();
    let fitting = found
        .iter()
        .filter(|(_, fit)| best.turns > 0 && *fit == best);
    let fitting: Vec<_> = fitting.map(|(game, _)| *game).collect();
    match fitting[..] {
        [game] => Ok(game),
        [] if format == Format::Contest => {
            let codes: Vec<_> = GAMES.iter().map(|game| game.code()).collect();
            Err(format!("a contest record of {}", codes.join(", ")))
        }
        [] => {
            Err("a record that is legal in one of the games, or --game to name the game".to_owned())
        }
        _ => {
            let ids: Vec<_> = fitting.iter().map(|game| game.id()).collect();
            let ids = ids.join(", ");
            Err(format!(
                "--game to name the game: the record is legal in {ids}"
            ))
        }
    }
}

/// Number of games of a file from which its game is told.
const SAMPLE: usize = 30;

/// How well the first games of a text fit a game; the order is from worse to better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Fit {
    /// Games without fault.
    faultless: usize,
    /// Games without fault that end by the rules with their last turn.
    over: usize,
    /// Legal turns and rolls of games with a fault, and one for any game without.
    turns: usize,
}

fn fit(game: &dyn AnyGame, format: Format, variant: &Value, text: &str) -> Fit {
    let mut fit = Fit::default();
    let mut take = |reading: TextReading| {
        // A record without turns fits every game.
        let is_faultless = reading.fault.is_none() && !reading.record.words.is_empty();
        fit.faultless += usize::from(is_faultless);
        fit.over += usize::from(is_faultless && reading.ending.is_some());
        fit.turns += match reading.fault {
            None => usize::from(is_faultless),
            Some(_) => reading.record.words.len(),
        };
    };
    let read = game.read_records(format, variant, beginning(format, text), &mut take);
    match read {
        Ok(()) => fit,
        Err(_) => Fit::default(),
    }
}

/// The first games of a text.
fn beginning(format: Format, text: &str) -> &str {
    let ends = |mark: &str| text.match_indices(mark).nth(SAMPLE).map(|(at, _)| at + 1);
    let end = match format {
        Format::Moves | Format::Table | Format::Hexworld => ends("\n"),
        Format::Sgf => ends("\n(;"),
        _ => None,
    };
    &text[..end.unwrap_or(text.len())]
}

/// What a text says of its game.
#[derive(Default)]
struct Hints {
    /// The number in SGF, which several games share.
    number: Option<u32>,
    /// The number in SGF of a game that is none of ours.
    foreign: Option<u32>,
    /// The ids of games that the events of an SGF file name, as Little Golem does: `hex.ch.32`.
    events: Vec<&'static str>,
    /// The names of the colours in the head of numbered turns.
    colours: Vec<String>,
    /// Whether the text is a game of Six, a program for Hex.
    is_six: bool,
}

impl Hints {
    fn of(format: Format, text: &str) -> Hints {
        match format {
            Format::Sgf => Hints::of_sgf(text),
            Format::Numbered => Hints {
                colours: bracketed(text).collect(),
                is_six: folded(text).starts_with("boardsize:"),
                ..Hints::default()
            },
            _ => Hints::default(),
        }
    }

    fn of_sgf(text: &str) -> Hints {
        let value = |name: &str| {
            let (_, rest) = text.split_once(name)?;
            rest.split(']').next()
        };
        let number: Option<u32> = value("GM[").and_then(|number| number.trim().parse().ok());
        let is_known = GAMES.iter().any(|game| game.sgf_number() == number);
        let mut events: Vec<&'static str> = Vec::new();
        for rest in text.split("EV[").skip(1) {
            let event = rest.split(']').next().unwrap_or_default().to_lowercase();
            let names =
                |game: &&&'static dyn AnyGame| event.split('.').any(|word| word == game.id());
            let id = GAMES.iter().find(names).map(|game| game.id());
            events.extend(id.filter(|id| !events.contains(id)));
        }
        Hints {
            number: number.filter(|_| is_known),
            foreign: number.filter(|_| !is_known),
            events,
            ..Hints::default()
        }
    }

    /// Whether the text may be of this game.
    fn allow(&self, game: &dyn AnyGame) -> bool {
        let formats = game.record_formats();
        let is_hex = formats.contains(&Format::Hexworld);
        let has_colours = game
            .colours()
            .iter()
            .all(|colour| self.colours.contains(&(*colour).to_owned()));
        let is_coloured = GAMES.iter().any(|game| {
            let mut colours = game.colours().into_iter();
            colours.all(|colour| self.colours.iter().any(|found| found == colour))
        });
        (self.number.is_none() || game.sgf_number() == self.number)
            && self.events.iter().all(|id| game.id() == *id)
            && (!self.is_six || is_hex)
            && (!is_coloured || has_colours)
    }
}

/// The names in lines such as `[RED "one"]`, in lower case.
fn bracketed(text: &str) -> impl Iterator<Item = String> {
    let lines = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix('['));
    lines
        .filter_map(|line| line.split([' ', ']']).next())
        .map(str::to_lowercase)
}

/// The game named in a file name: by its contest code, or by its id.
fn named_game(path: &Path) -> Option<&'static dyn AnyGame> {
    let name = name_of(path);
    let lower = name.to_lowercase();
    let by_code = GAMES
        .iter()
        .copied()
        .find(|game| game.named(&name).is_some());
    by_code.or_else(|| GAMES.iter().copied().find(|game| lower.contains(game.id())))
}

/// The file name without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn formats_and_games_are_told_from_content_and_name() {
        for (name, text, format, game) in [
            (
                "x",
                "{[C6][a B][b W][][][];B(J,10)}",
                Format::Contest,
                "connect6",
            ),
            ("x", "{{C6}[a B];B(J,10)}", Format::Contest, "connect6"),
            ("x", "{[HEX][a R]\nR(A,1)}", Format::Contest, "hex"),
            ("x", "#[AM];\n1 d1d7(g7)", Format::Contest, "amazons"),
            ("x", "a name\nR: A5-1;B5-6;", Format::Contest, "einstein"),
            ("x", "#2019-08-08|\n!BBBBBB", Format::Contest, "surakarta"),
            (
                "x",
                "{\"game\":[{\"piece\":\"r(e2,v)\"}]}",
                Format::Contest,
                "dots-and-boxes",
            ),
            (
                "AM-a B vs b W-先手胜--.txt",
                "1 d1d7(g7)",
                Format::Contest,
                "amazons",
            ),
            ("x", "(;GM[11];B[a1])", Format::Sgf, "hex"),
            ("x", "(;GM[4];B[h8];W[h9];B[i9])", Format::Sgf, "gomoku"),
            ("x", "(;GM[4];B[j10];W[k11i11])", Format::Sgf, "connect6"),
            ("x", "{[C5][a B];B(H,8)}", Format::Contest, "gomoku"),
            ("hex.sgf", "(;B[a1])", Format::Sgf, "hex"),
            (
                "x",
                "https://hexworld.org/board/#11,c2",
                Format::Hexworld,
                "hex",
            ),
            (
                "x",
                "Piskvorky 15x15, 11:11, 0\n8,8,0",
                Format::Psq,
                "gomoku",
            ),
            ("x", "11,c2a3", Format::Hexworld, "hex"),
            ("x", "#11,c2a3", Format::Hexworld, "hex"),
            (
                "connect6-games.csv",
                "21,\"j10\",",
                Format::Table,
                "connect6",
            ),
            ("x", "Black: JJ@@\nWhite: KJJK", Format::Sau, "connect6"),
            (
                "x",
                "Red: 653214\nBlue: 123456\nDice: 6",
                Format::Sau,
                "einstein",
            ),
            ("x", "d1-d7-g7,a7-b7-c7", Format::Moves, "amazons"),
            ("my-hex-games.txt", "a1,b2", Format::Moves, "hex"),
            ("x", "b5-b4", Format::Moves, "surakarta"),
        ] {
            let path = Path::new(name);
            let (Kind::Marked(found) | Kind::Likely(found)) = kind_of(path, text) else {
                panic!("{text} is foreign");
            };
            assert_eq!(found, format, "{text}");
            let found = game_of(path, format, &json!({}), text);
            assert_eq!(found.map(|game| game.id()), Ok(game), "{text}");
        }
        let unclear =
            game_of(Path::new("x"), Format::Moves, &json!({}), "a1").map(|game| game.id());
        let message =
            "--game to name the game: the record is legal in connect6, gomoku, hex, tic-tac-toe";
        assert_eq!(unclear, Err(message.to_owned()));
        let none =
            game_of(Path::new("x"), Format::Moves, &json!({}), "hello").map(|game| game.id());
        let message = "a record that is legal in one of the games, or --game to name the game";
        assert_eq!(none, Err(message.to_owned()));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_looked_at_without_panic(name in "\\PC{0,20}", text in "[\\PC\n]{0,80}") {
            let path = Path::new(&name);
            if let Kind::Marked(format) | Kind::Likely(format) = kind_of(path, &text) {
                let _ = game_of(path, format, &json!({}), &text).map(|game| game.id());
            }
        }
    }
}
