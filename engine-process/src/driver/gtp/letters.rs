//! Column letters: GTP's own leave out the letter i, because Go's boards do; HTP and our games do not.
//!
//! An engine that leaves it out would be off by one from the ninth column on, and nothing would show it.

use std::borrow::Cow;

use catalog::Rules;
use engine_core::Side;
use protocol::gtp::{Command, colour};
use serde_json::Value;
use task::{Letters, Protocol};

/// The letter that some leave out.
const LEFT_OUT: char = 'i';

/// The games in which a turn is a cell: there, the letters of an engine can be told.
const OF_CELLS: [&str; 3] = ["hex", "gomoku", "connect6"];

/// A turn in the notation of an engine with these letters.
pub fn written(turn: &str, letters: Letters) -> Cow<'_, str> {
    match letters {
        Letters::All => turn.into(),
        Letters::SkipI => mapped(turn, |letter| match letter {
            LEFT_OUT..'z' => Some((letter as u8 + 1).into()),
            letter => Some(letter),
        })
        .unwrap_or_default()
        .into(),
    }
}

/// A turn that an engine with these letters has written, in ours. One with the letter that it leaves out
/// is no turn, and stays none.
pub fn read(turn: &str, letters: Letters) -> Cow<'_, str> {
    match letters {
        Letters::All => turn.into(),
        Letters::SkipI => mapped(turn, |letter| match letter {
            LEFT_OUT => None,
            'j'..='z' => Some((letter as u8 - 1).into()),
            letter => Some(letter),
        })
        .unwrap_or_else(|| format!("{turn} (letters = \"skip-i\")"))
        .into(),
    }
}

/// A turn with other column letters: those that begin a word and stand before a digit.
fn mapped(turn: &str, map: impl Fn(char) -> Option<char>) -> Option<String> {
    let letters: Vec<char> = turn.chars().collect();
    let is_column = |at: usize| {
        let before = at.checked_sub(1).map(|before| letters[before]);
        let begins = before.is_none_or(|before| !before.is_ascii_alphanumeric());
        begins && letters.get(at + 1).is_some_and(char::is_ascii_digit)
    };
    let one = |(at, &letter): (usize, &char)| {
        if !letter.is_ascii_alphabetic() || !is_column(at) {
            return Some(letter);
        }
        let mapped = map(letter.to_ascii_lowercase())?;
        Some(if letter.is_ascii_uppercase() {
            mapped.to_ascii_uppercase()
        } else {
            mapped
        })
    };
    letters.iter().enumerate().map(one).collect()
}

/// Commands that tell the letters of an engine: each pair empties the board and plays a cell that only one
/// kind of letters has, in the order of [`told`]. `None` where they cannot be told.
pub fn questions(rules: &dyn Rules, variant: &Value) -> Option<[[Command; 2]; 2]> {
    let board = rules.announce(Protocol::Gtp, variant).ok()?.board;
    let columns = board.split(' ').next()?.parse().ok()?;
    let cells = telling(columns).filter(|_| OF_CELLS.contains(&rules.id()))?;
    Some(cells.map(|cell| {
        let play = Command::new("play", &[colour(Side::First), &cell]);
        [Command::new("clear_board", &[]), play]
    }))
}

/// The columns on the first row that tell both kinds of letters apart on a board of so many columns: one
/// that only [`Letters::All`] has, and one that only [`Letters::SkipI`] has. `None` where they are alike
/// or letters run out.
fn telling(columns: usize) -> Option<[String; 2]> {
    let last = u8::try_from(columns)
        .ok()
        .filter(|columns| (9..26).contains(columns))?;
    Some([LEFT_OUT, (b'a' + last).into()].map(|letter| format!("{letter}1")))
}

/// The letters of an engine that accepts these two columns, or refuses them.
pub fn told(accepts: [bool; 2]) -> Option<Letters> {
    match accepts {
        [true, false] => Some(Letters::All),
        [false, true] => Some(Letters::SkipI),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_shifted_from_the_ninth_on() {
        for (ours, theirs) in [
            ("a1", "a1"),
            ("h11", "h11"),
            ("i9", "j9"),
            ("K10", "L10"),
            ("y1", "z1"),
            ("i1 j12", "j1 k12"),
            ("i1-j2", "j1-k2"),
            ("swap", "swap"),
            ("resign", "resign"),
            ("pass", "pass"),
        ] {
            assert_eq!(written(ours, Letters::SkipI), theirs);
            assert_eq!(read(theirs, Letters::SkipI), ours);
            assert_eq!(written(ours, Letters::All), ours);
            assert_eq!(read(theirs, Letters::All), theirs);
        }
    }

    #[test]
    fn a_letter_that_is_left_out_is_no_column() {
        assert_eq!(read("i5", Letters::SkipI), "i5 (letters = \"skip-i\")");
        assert_eq!(
            read("j5 I5", Letters::SkipI),
            "j5 I5 (letters = \"skip-i\")"
        );
    }

    #[test]
    fn two_columns_tell() {
        assert_eq!(telling(8), None);
        assert_eq!(telling(26), None);
        assert_eq!(telling(11), Some(["i1".to_owned(), "l1".to_owned()]));
        assert_eq!(telling(25), Some(["i1".to_owned(), "z1".to_owned()]));
        assert_eq!(told([true, false]), Some(Letters::All));
        assert_eq!(told([false, true]), Some(Letters::SkipI));
        assert_eq!(told([true, true]), None);
        assert_eq!(told([false, false]), None);
    }
}
