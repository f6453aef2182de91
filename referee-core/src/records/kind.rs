//! Detects the game and format of a file from its name and content.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use catalog::{GAMES, Rules};
use entry::record::{Format, folded};
use serde_json::Value;

use crate::base::input;
use crate::log;

/// A format of games, including the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
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
    /// A table, one game per line: 21,"j10,k9,j12",black
    Table,
}

impl Form {
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
            Form::Table => Some(Format::Table),
        }
    }
}

/// Whether a file is a log, by its name. Standard input has none: a line of a log is a JSON object,
/// and no record begins like one.
pub fn is_log(path: &Path) -> bool {
    let begins_like_one = || {
        let mut first = [0; 2];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
        read.is_ok() && first == *b"{\""
    };
    let extension = path.extension();
    extension.is_some_and(|extension| extension == log::EXTENSION)
        || input::is_standard(path) && begins_like_one()
}

/// The format of a text, detected from its first line and the file name.
pub fn format_of(path: &Path, text: &str) -> Format {
    let has_extension = |wanted: &str| path.extension().is_some_and(|found| found == wanted);
    let first = text
        .lines()
        .map(folded)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    if has_extension("sgf") || first.starts_with("(;") {
        return Format::Sgf;
    }
    if has_extension("psq") || first.starts_with("piskvorky") {
        return Format::Psq;
    }
    if has_extension("csv") || first == "game_id,moves,winner" {
        return Format::Table;
    }
    if first.contains("hexworld.org") || is_link(first.trim_start_matches('#')) {
        return Format::Hexworld;
    }
    if GAMES.iter().any(|game| game.is_contest_record(text)) || first.starts_with(['{', '#']) {
        return Format::Contest;
    }
    let is_colour = |word: &str| GAMES.iter().any(|game| game.colours().contains(&word));
    match first.split_once(':') {
        Some((word, _)) if is_colour(word) || word == "dice" => Format::Sau,
        _ if named_game(path).is_some_and(|game| game.named(&name_of(path)).is_some()) => {
            Format::Contest
        }
        _ => Format::Moves,
    }
}

/// Whether a line is a hexworld link without its site: `11,c2a3`.
fn is_link(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(',') && !rest.contains('"')
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
) -> Result<&'static dyn Rules, String> {
    // Several games share a number of SGF.
    let number = sgf_number(text).filter(|_| format == Format::Sgf);
    let is_known = GAMES.iter().any(|game| game.sgf_number() == number);
    let number = number.filter(|_| is_known);
    let candidates = || {
        let games = GAMES.iter().copied();
        games.filter(move |game| {
            let has_number = number.is_none() || game.sgf_number() == number;
            has_number && game.record_formats().contains(&format)
        })
    };
    let said = match format {
        Format::Contest => candidates().find(|game| game.is_contest_record(text)),
        _ => None,
    };
    let only = || {
        let mut candidates = candidates();
        candidates.next().filter(|_| candidates.next().is_none())
    };
    let named = || named_game(path).filter(|game| game.record_formats().contains(&format));
    if let Some(game) = said.or_else(only).or_else(named) {
        return Ok(game);
    }
    let fits = |game: &&'static dyn Rules| {
        let mut is_faultless = true;
        let mut take =
            |reading: entry::record::TextReading| is_faultless &= reading.fault.is_none();
        game.read_records(format, variant, text, &mut take).is_ok() && is_faultless
    };
    let fitting: Vec<_> = candidates().filter(fits).collect();
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

/// The SGF game number, property `GM`.
fn sgf_number(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("GM[")?;
    rest.split(']').next()?.trim().parse().ok()
}

/// The game named in a file name: by its contest code, or by its id.
fn named_game(path: &Path) -> Option<&'static dyn Rules> {
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
            assert_eq!(format_of(path, text), format, "{text}");
            let found = game_of(path, format, &json!({}), text);
            assert_eq!(found.map(|game| game.id()), Ok(game), "{text}");
        }
        let unclear =
            game_of(Path::new("x"), Format::Moves, &json!({}), "a1").map(|game| game.id());
        let message = "--game to name the game: the record is legal in connect6, hex, tic-tac-toe";
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
            let format = format_of(path, &text);
            let _ = game_of(path, format, &json!({}), &text).map(|game| game.id());
        }
    }
}
