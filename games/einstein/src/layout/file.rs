//! The file of learned win rates.
//!
//! The first line says what the file is, the second how it was made; lines with `#` are comments.
//! Every other line is a layout, which stands for those that are worth the same. It begins with the
//! numbers on the home squares, row by row as red writes them. Then come three figures for First and
//! three for Second: the win rate in per cent, the half-width of its 95 % interval, and the number of
//! games.

use std::fmt::Write;
use std::sync::LazyLock;

use crate::board::WIN_POINTS;
use crate::layout::{equal_layouts, layout_classes};
use crate::moves::Action;

/// The first line.
const KIND: &str = "einstein layouts 1";
/// The beginning of the second line.
const MADE: &str = "made by: ";

/// A win rate against good layouts of the other side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LayoutRate {
    /// Per cent, 0 to 100.
    pub rate: f64,
    /// Half-width of the 95 % confidence interval, percentage points.
    pub error: f64,
    /// Number of games.
    pub games: u64,
}

impl LayoutRate {
    /// The rate in points of the evaluation: ±[`WIN_POINTS`] are a certain win or loss.
    pub(super) fn points(self) -> i32 {
        // The file has two decimals, so this is exact.
        (self.rate * f64::from(WIN_POINTS / 50)).round() as i32 - WIN_POINTS
    }

    /// The lower end of the interval, in hundredths of a per cent.
    pub(super) fn lower_bound(self) -> i32 {
        (100.0 * (self.rate - self.error)).round() as i32
    }
}

/// A layout, which stands for [those that are worth the same](equal_layouts).
#[derive(Clone, PartialEq, Debug)]
pub struct LayoutRow {
    /// The numbers on the home squares, row by row in the mover's frame.
    pub numbers: [u8; 6],
    /// As layout of `First` and of `Second`.
    pub rates: [LayoutRate; 2],
}

/// The learned win rates of all layouts.
#[derive(Clone, PartialEq, Debug)]
pub struct Layouts {
    /// The command that made them.
    pub made_by: String,
    /// One layout of each of the 180 classes.
    pub rows: Vec<LayoutRow>,
}

/// Why a text is no file of layouts: the line, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutsError(pub String);

impl std::fmt::Display for LayoutsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LayoutsError {}

static SHIPPED: LazyLock<Layouts> = LazyLock::new(|| {
    let text = include_str!("../../data/layouts.txt");
    Layouts::parse(text).expect("the shipped file is sound")
});

impl Layouts {
    /// The win rates by which the engine chooses its layouts.
    pub fn shipped() -> &'static Layouts {
        &SHIPPED
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The text is no such file, or a layout is missing or appears twice.
    pub fn parse(text: &str) -> Result<Layouts, LayoutsError> {
        let error = |line: usize, expected: &str| {
            let found = text.lines().nth(line - 1).unwrap_or("the end of the file");
            Err(LayoutsError(format!(
                "line {line}: expected {expected}, found {found:?}"
            )))
        };
        if text.lines().next() != Some(KIND) {
            return error(1, &format!("{KIND:?}"));
        }
        let Some(made_by) = text.lines().nth(1).and_then(|line| line.strip_prefix(MADE)) else {
            return error(2, &format!("{MADE:?} and a command"));
        };
        let mut rows: Vec<LayoutRow> = Vec::new();
        for (index, line) in text.lines().enumerate().skip(2) {
            if line.starts_with('#') {
                continue;
            }
            let Some(row) = parse_row(line) else {
                return error(
                    index + 1,
                    "a layout, and rate, error and games of both sides",
                );
            };
            let same = |known: &LayoutRow| equal_layouts(row.numbers).contains(&known.numbers);
            if rows.iter().any(same) {
                return error(index + 1, "a layout that is not given yet");
            }
            rows.push(row);
        }
        let (found, expected) = (rows.len(), layout_classes().len());
        if found != expected {
            return Err(LayoutsError(format!(
                "expected {expected} layouts, found {found}"
            )));
        }
        Ok(Layouts {
            made_by: made_by.to_owned(),
            rows,
        })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("{KIND}\n{MADE}{}\n", self.made_by);
        text += "# layout   First %  ±   games  Second %  ±   games\n";
        for row in &self.rows {
            text.extend(row.numbers.map(|number| char::from(b'0' + number)));
            for LayoutRate { rate, error, games } in row.rates {
                let _ = write!(text, " {rate:.2} {error:.2} {games}");
            }
            text.push('\n');
        }
        text
    }
}

fn parse_row(line: &str) -> Option<LayoutRow> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [layout, first @ .., _, _, _] = words.as_slice() else {
        return None;
    };
    let digits: Vec<u8> = layout.bytes().map(|byte| byte.wrapping_sub(b'0')).collect();
    let numbers = Action::layout(digits.try_into().ok()?)?.numbers()?;
    let second = &words[1 + first.len()..];
    Some(LayoutRow {
        numbers,
        rates: [parse_rate(first)?, parse_rate(second)?],
    })
}

fn parse_rate(words: &[&str]) -> Option<LayoutRate> {
    let [rate, error, games] = words else {
        return None;
    };
    let percent = |word: &str| {
        let percent: f64 = word.parse().ok()?;
        (0.0..=100.0).contains(&percent).then_some(percent)
    };
    Some(LayoutRate {
        rate: percent(rate)?,
        error: percent(error)?,
        games: games.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_file_is_written_as_it_was_read() {
        let text = include_str!("../../data/layouts.txt");
        assert_eq!(Layouts::parse(text).unwrap().text(), text);
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let text = Layouts::shipped().text();
        let lines: Vec<&str> = text.lines().collect();
        let with = |index: usize, line: &str| {
            let mut lines = lines.clone();
            lines[index] = line;
            Layouts::parse(&lines.join("\n")).unwrap_err().0
        };
        for (index, line, complaint) in [
            (
                0,
                "hex layouts 1",
                "line 1: expected \"einstein layouts 1\"",
            ),
            (1, "made", "line 2: expected \"made by: \""),
            (3, "123456 50 1 64 50 1", "line 4: expected a layout, and"),
            (
                3,
                "123455 50 1 64 50 1 64",
                "line 4: expected a layout, and",
            ),
            (
                3,
                "123456 101 1 64 50 1 64",
                "line 4: expected a layout, and",
            ),
            (
                3,
                "123456 NaN 1 64 50 1 64",
                "line 4: expected a layout, and",
            ),
            (3, "# nothing", "expected 180 layouts, found 179"),
            (4, lines[3], "line 5: expected a layout that is not given"),
            (
                4,
                "146253 50 1 64 50 1 64",
                "line 5: expected a layout that is not given",
            ),
        ] {
            let error = with(index, line);
            assert!(error.contains(complaint), "{line}: {error}");
        }
        let error = Layouts::parse("").unwrap_err().0;
        assert!(error.contains("found \"the end of the file\""), "{error}");
    }

    #[test]
    fn rates_are_points() {
        let rate = |rate| {
            LayoutRate {
                rate,
                error: 1.0,
                games: 64,
            }
            .points()
        };
        assert_eq!([rate(50.0), rate(0.0), rate(51.23)], [0, -10_000, 246]);
    }
}
