//! Openings as Gomocup writes them: offsets from the centre of the board, stone by stone.
//!
//! ```text
//! 0,0, 1,0, 1,3
//! 8,-3, 6,-4, 5,-4
//! ```
//!
//! An offset is a column to the right and a row downwards; the centre is column and row `size / 2`,
//! counted from 0 at the top left. The stones are black and white in turn. Piskvork's `openings.txt`,
//! the files of Gomocup's judge, and c-gomoku-cli's openings of the type `offset` have this form.

use catalog::Rules;
use protocol::Protocol;
use serde_json::Value;

use super::begin;

/// The offsets in a line; `None` if it is no such line.
pub fn offsets(line: &str) -> Option<Vec<(i32, i32)>> {
    let numbers = line
        .split([',', ' ', '\t', '\r'])
        .filter(|word| !word.is_empty());
    let numbers: Vec<i32> = numbers
        .map(|word| word.parse().ok())
        .collect::<Option<_>>()?;
    let is_list = !numbers.is_empty() && numbers.len().is_multiple_of(2);
    is_list.then(|| numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect())
}

/// Whether a text is a list of openings, one a line.
pub fn is_list(text: &str) -> bool {
    let mut lines = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .peekable();
    lines.peek().is_some() && lines.all(|line| offsets(line).is_some())
}

/// The opening in a line as words of the game; `None` if the line has no offsets.
///
/// # Errors
/// The game has no such openings, or a stone is illegal; a message.
pub fn words(rules: &dyn Rules, variant: &Value, line: &str) -> Option<Result<String, String>> {
    Some(played(rules, variant, &offsets(line)?))
}

fn played(rules: &dyn Rules, variant: &Value, offsets: &[(i32, i32)]) -> Result<String, String> {
    let announcement = rules.announce(Protocol::Gomocup, variant);
    let announcement = announcement.map_err(|error| {
        format!("offsets from the centre, as Gomocup writes openings, expected {error}")
    })?;
    let size: i32 = announcement
        .board
        .parse()
        .map_err(|_| "no board".to_owned())?;
    let mut game = begin(rules, variant, "")?;
    let mut words = Vec::with_capacity(offsets.len());
    for (column, row) in offsets {
        let before = game.position();
        let stone = format!("{},{}", size / 2 + column, size / 2 + row);
        let turn = game.play_turn_in(Protocol::Gomocup, &stone);
        let turn = turn.map_err(|error| format!("{column},{row}: {error}"))?;
        debug_assert_ne!(before, game.position());
        words.push(turn);
    }
    Ok(words.join(" "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn offsets_are_counted_from_the_centre() {
        let gomoku = catalog::find("gomoku").unwrap();
        let free = |size: u8| json!({"opening": "free", "forbidden": "off", "size": size});
        let read = |size, line: &str| words(gomoku, &free(size), line);
        assert_eq!(read(15, "0,0, 1,0, 1,3"), Some(Ok("h8 i8 i5".to_owned())));
        assert_eq!(read(15, "-7,-7,7,7"), Some(Ok("a15 o1".to_owned())));
        // The centre of an even board is right of and below its middle.
        assert_eq!(read(10, "0,0"), Some(Ok("f5".to_owned())));
        for other in ["", "h8 i8", "0", "0,0,1", "0,0 #"] {
            assert_eq!(read(15, other), None, "{other}");
        }
        let fault = |size, line| read(size, line).unwrap().unwrap_err();
        assert!(
            fault(15, "0,0 0,0").starts_with("0,0: column 1: "),
            "{}",
            fault(15, "0,0 0,0")
        );
        assert!(fault(15, "8,0").starts_with("8,0: "));
        let prescribed = words(gomoku, &json!({}), "0,0").unwrap().unwrap_err();
        assert!(prescribed.contains("opening = \"free\""), "{prescribed}");
        let hex = words(catalog::find("hex").unwrap(), &json!({}), "0,0");
        assert!(hex.unwrap().is_err());
    }
}
