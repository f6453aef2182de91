//! Turns written as numbers.

use engine_core::ParseError;

/// A whole number and its position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// The number.
    pub value: i64,
    /// Column of its first character, from 1.
    pub column: usize,
}

/// The numbers in a text, separated by blanks or commas.
///
/// # Errors
/// A word that is not a whole number.
pub fn numbers(text: &str) -> Result<Vec<Number>, ParseError> {
    let mut numbers = Vec::new();
    let mut column = 1;
    for word in text.split([' ', '\t', ',']) {
        if !word.is_empty() {
            let wrong = |_| ParseError::new(column, word, "a whole number");
            let value = word.parse().map_err(wrong)?;
            numbers.push(Number { value, column });
        }
        column += word.chars().count() + 1;
    }
    Ok(numbers)
}

/// As [`numbers`], in groups of `N`.
///
/// # Errors
/// A word that is not a whole number, an empty text, or an incomplete group.
pub fn groups<const N: usize>(text: &str) -> Result<Vec<[Number; N]>, ParseError> {
    let numbers = numbers(text)?;
    let (groups, rest) = numbers.as_chunks::<N>();
    if rest.is_empty() && !groups.is_empty() {
        return Ok(groups.to_vec());
    }
    let end = text.chars().count() + 1;
    Err(ParseError::new(
        end,
        "",
        format!("numbers in groups of {N}"),
    ))
}

impl Number {
    /// The number as a coordinate on a board with `count` rows or columns.
    ///
    /// # Errors
    /// The number is not from 0 to `count` - 1.
    pub fn below(self, count: u8) -> Result<u8, ParseError> {
        let value = u8::try_from(self.value).ok().filter(|&value| value < count);
        value.ok_or_else(|| self.wrong(format!("a number from 0 to {}", count - 1)))
    }

    /// An error at the number's column.
    pub fn wrong(self, expected: impl Into<String>) -> ParseError {
        ParseError::new(self.column, self.value.to_string(), expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_know_their_places() {
        let found = groups::<2>("9,9  10, 8").unwrap();
        assert_eq!(
            found[1].map(|number| (number.value, number.column)),
            [(10, 6), (8, 10)]
        );
        assert_eq!(found[0][0].below(10), Ok(9));
        assert_eq!(found[1][0].below(10).unwrap_err().column, 6);
        for (text, column) in [
            ("", 1),
            ("1", 2),
            ("1 x", 3),
            ("1 2 3", 6),
            ("1 99999999999999999999", 3),
        ] {
            assert_eq!(groups::<2>(text).unwrap_err().column, column, "{text:?}");
        }
    }
}
