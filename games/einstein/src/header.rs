//! The first line of a contest record.

use engine_core::Side;

use crate::variant::Colour;

/// What the first line of a record says; empty or `None` where it says nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// The team that moves first.
    pub first: String,
    /// The other team.
    pub second: String,
    /// The colour that stands behind the first team.
    pub first_colour: Option<Colour>,
    /// Who won.
    pub winner: Option<Side>,
    /// Time and place.
    pub occasion: String,
    /// The event.
    pub event: String,
}

impl Header {
    /// Reads a header of any form; what is not understood is left out.
    ///
    /// Two forms are understood: `#[WTN][first R][second B][先手胜][time place][event];` and a
    /// file's name, `WTN-first-second-winner-…`.
    pub(crate) fn read(line: &str) -> Header {
        let fields: Vec<&str> = line
            .split('[')
            .skip(1)
            .filter_map(|field| field.split(']').next())
            .map(str::trim)
            .collect();
        if fields.is_empty() {
            return Header::read_name(line.trim());
        }
        let field = |index: usize| fields.get(index).copied().unwrap_or_default();
        let (first, first_colour) = split_team(field(1));
        let (second, second_colour) = split_team(field(2));
        Header {
            first: first.to_string(),
            second: second.to_string(),
            first_colour: first_colour.or(second_colour.map(Colour::opponent)),
            winner: match field(3) {
                "先手胜" => Some(Side::First),
                "后手胜" => Some(Side::Second),
                _ => None,
            },
            occasion: field(4).to_string(),
            event: field(5).to_string(),
        }
    }

    fn read_name(line: &str) -> Header {
        let name = line.rsplit(['/', '\\']).next().unwrap_or_default();
        let mut parts = name.splitn(5, '-');
        let (Some("WTN"), Some(first), Some(second), Some(winner)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Header::default();
        };
        Header {
            first: first.to_string(),
            second: second.to_string(),
            winner: match winner {
                _ if first == second => None,
                _ if winner == first => Some(Side::First),
                _ if winner == second => Some(Side::Second),
                _ => None,
            },
            occasion: parts.next().unwrap_or_default().to_string(),
            ..Header::default()
        }
    }

    /// The header with a line end; `colours` are those of the first and the second team.
    pub(crate) fn write(&self, colours: [Colour; 2]) -> String {
        // Brackets and line ends would end a field.
        let clean = |field: &str| {
            field
                .replace(['[', ']', '\n', '\r'], " ")
                .trim()
                .to_string()
        };
        let result = match self.winner {
            Some(Side::First) => "先手胜",
            Some(Side::Second) => "后手胜",
            None => "",
        };
        format!(
            "#[WTN][{} {}][{} {}][{result}][{}][{}];\n",
            clean(&self.first),
            colours[0].letter(),
            clean(&self.second),
            colours[1].letter(),
            clean(&self.occasion),
            clean(&self.event),
        )
    }
}

/// A team's name and the colour behind it.
fn split_team(field: &str) -> (&str, Option<Colour>) {
    let colour = match field.chars().next_back() {
        Some('R' | 'r') => Colour::Red,
        Some('B' | 'b') => Colour::Blue,
        _ => return (field, None),
    };
    let name = &field[..field.len() - 1];
    if name.is_empty() || name.ends_with(char::is_whitespace) {
        (name.trim_end(), Some(colour))
    } else {
        (field, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_and_poor_ones_are_read() {
        let full = Header::read("#[WTN][甲队 R][乙队 B][后手胜][2019.08.08 14:00 北京][2019CCGC];");
        assert_eq!((&*full.first, &*full.second), ("甲队", "乙队"));
        assert_eq!(full.first_colour, Some(Colour::Red));
        assert_eq!(full.winner, Some(Side::Second));
        assert_eq!(
            (&*full.occasion, &*full.event),
            ("2019.08.08 14:00 北京", "2019CCGC")
        );

        let name = Header::read("./log/WTN-alpha-beta-alpha-Thu-Aug-2");
        assert_eq!((&*name.first, &*name.second), ("alpha", "beta"));
        assert_eq!(
            (name.winner, &*name.occasion),
            (Some(Side::First), "Thu-Aug-2")
        );
        assert_eq!(Header::read("WTN-a-a-a-Thu").winner, None);

        let short = Header::read("#[WTN][Bob][乙队B");
        assert_eq!((&*short.first, &*short.second), ("Bob", "乙队B"));
        assert_eq!(Header::read("hello"), Header::default());
        assert_eq!(Header::read(""), Header::default());
    }
}
