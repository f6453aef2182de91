//! Files of this field that are not read: what they are, and how to get something that is.

use std::path::Path;

use task::opening::gomocup;

/// What a text is that no reader exists for; `None` if it is none of these.
pub fn text(text: &str) -> Option<&'static str> {
    let begin = text.trim_start();
    let has = |mark: &str| begin.contains(mark);
    let begins = |mark: &str| begin.starts_with(mark);
    let known = [
        (
            gomocup::is_list(begin),
            "games; this is a list of Gomocup's openings, offsets from the centre: a league plays them \
             with `[openings] gomoku = { file = … }`, and `book build` takes them",
        ),
        (
            has("<game ") && has("<move>"),
            "games; this is RenjuNet's database (.rif): Renlib opens it and exports SGF",
        ),
        (
            begins("game=") && has("Move=["),
            "games; this is a trial of Ludii: it has the moves of Ludii's own notation; export the game as \
             text or SGF where the program offers it",
        ),
        (
            begins("game: ") && has("# Apply action"),
            "games; this is a playthrough of OpenSpiel, a test of its rules; write the actions as a list, \
             one game per line",
        ),
        (
            has("version(\"ver") && has("moves("),
            "games; this is a result file of the program dots (.gmres): it does not say which edges are \
             horizontal, so the game cannot be known from it",
        ),
    ];
    known
        .into_iter()
        .find(|(is_it, _)| *is_it)
        .map(|(_, what)| what)
}

/// What a file is by its bytes; `None` if it may be text.
pub fn bytes(path: &Path, bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\xffRenLib\xff") {
        return Some("text; this is a library of Renlib (.lib): open it there and save it as SGF");
    }
    if path.extension().is_some_and(|extension| extension == "pos") && is_pos(bytes) {
        return Some("text; this is a position of Renlib (.pos): open it there and save it as SGF");
    }
    (bytes.contains(&0) && !is_utf16(bytes)).then_some("text; this file is binary")
}

/// Whether this is the number of stones, and a byte for each on a board of 15×15.
fn is_pos(bytes: &[u8]) -> bool {
    let is_counted = |(count, stones): (&u8, &[u8])| usize::from(*count) == stones.len();
    bytes.split_first().is_some_and(is_counted) && bytes[1..].iter().all(|cell| *cell < 225)
}

fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}
