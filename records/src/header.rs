//! The data of a record other than the moves: the head of a contest record, and its file name.
//!
//! ```text
//! [C6][one team B][another W][先手胜][2017.07.29 14:00 重庆][2017 CCGC]
//! C6-one team B vs another W-先手胜-2017.07.29 14：00 重庆-2017 CCGC.txt
//! ```

use engine_core::{Outcome, Side};

use super::fault::{Fault, Token};
use super::scan::{Scanner, folded, plain};

/// The data of a record other than the moves; missing fields are empty or `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// The record's own number or name.
    pub id: String,
    /// The teams of `First` and `Second`.
    pub teams: [String; 2],
    /// The result stated in the record. It may not follow from the moves: a time forfeit, a
    /// resignation.
    pub result: Option<Outcome>,
    /// Date and time of the game, `2017.07.29 14:00`.
    pub time: String,
    /// Place of the game.
    pub place: String,
    /// The event of the game.
    pub event: String,
}

impl Header {
    /// Fills missing fields from another header.
    pub fn fill(&mut self, other: Header) {
        let fill = |field: &mut String, other: String| {
            if field.is_empty() {
                *field = other;
            }
        };
        let [first, second] = &mut self.teams;
        let [other_first, other_second] = other.teams;
        fill(first, other_first);
        fill(second, other_second);
        fill(&mut self.id, other.id);
        fill(&mut self.time, other.time);
        fill(&mut self.place, other.place);
        fill(&mut self.event, other.event);
        self.result = self.result.or(other.result);
    }

    /// Time and place in one field.
    pub fn occasion(&self) -> String {
        let both = [self.time.as_str(), self.place.as_str()];
        both.join(" ").trim().to_owned()
    }

    /// Reads time and place: words of digits, points, colons and hyphens are the time.
    pub fn set_occasion(&mut self, text: &str) {
        let is_time = |word: &&str| {
            let mut plain = word.chars().map(plain);
            plain.all(|c| c.is_ascii_digit() || ".:-/".contains(c))
        };
        // The place may follow the time without a blank.
        let is_time_char = |c: char| plain(c).is_ascii_digit() || ".:-/".contains(plain(c));
        let end = text.find(|c: char| !is_time_char(c) && !c.is_whitespace());
        let glued = end.filter(|&at| at > 0 && text[..at].ends_with(is_time_char));
        let glued = glued.filter(|&at| !text[at..].starts_with(|c: char| c.is_ascii()));
        let spaced = glued.map(|at| format!("{} {}", &text[..at], &text[at..]));
        let text = spaced.as_deref().unwrap_or(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let times = words.iter().take_while(|word| is_time(word)).count();
        let (time, place) = words.split_at(times);
        self.time = time.join(" ").chars().map(plain).collect();
        self.place = place.join(" ");
    }

    /// Reads a contest file name, or the older form `CODE-first-second-winner-…`; folders and
    /// `.txt` are optional. `letters` are the letters of the colours. `None` for any other name.
    pub fn from_name(
        name: &str,
        code: &str,
        letters: [char; 2],
    ) -> Option<(Header, [Option<usize>; 2])> {
        let name = name.trim().rsplit(['/', '\\']).next()?;
        let name = without_extension(name);
        let (read, rest) = name.split_once('-')?;
        if !read.eq_ignore_ascii_case(code) {
            return None;
        }
        let mut header = Header::default();
        let teams = rest.split_once(" vs ").or_else(|| rest.split_once("vs"));
        let by_result = teams.and_then(|(first, rest)| {
            // A team's name may contain hyphens; a result does not.
            let fields: Vec<&str> = rest.split('-').collect();
            let at = fields
                .iter()
                .position(|field| result_at_begin(field).is_some())?;
            Some((first, fields, at))
        });
        if rest.contains(" vs ") && by_result.is_none() {
            return None;
        }
        if let Some((first, fields, at)) = by_result {
            let (first, first_colour) = split_team(first, letters);
            let second = fields[..at].join("-");
            let (second, second_colour) = split_team(&second, letters);
            header.teams = [first.to_owned(), second.to_owned()];
            header.result = result_at_begin(fields[at]);
            // The time may follow the result without a hyphen.
            let glued = fields[at]
                .trim()
                .trim_start_matches(|c: char| !c.is_ascii());
            let glued = glued.trim_start_matches(' ');
            let has_time = glued.starts_with(|c: char| c.is_ascii_digit());
            let next = at + usize::from(!has_time);
            let occasion = if has_time {
                glued
            } else {
                fields.get(next).copied().unwrap_or_default()
            };
            header.set_occasion(occasion);
            header.event = fields[fields.len().min(next + 1)..].join("-");
            return Some((header, [first_colour, second_colour]));
        }
        let mut fields = rest.splitn(4, '-');
        let (first, second, winner) = (fields.next()?, fields.next()?, fields.next()?);
        header.teams = [first.to_owned(), second.to_owned()];
        header.result = match winner {
            _ if first == second => None,
            _ if winner == first => Some(Outcome::Win(Side::First)),
            _ if winner == second => Some(Outcome::Win(Side::Second)),
            _ => None,
        };
        header.time = fields.next().unwrap_or_default().to_owned();
        Some((header, [None; 2]))
    }

    /// The file name. `colours` are the letters of the two teams.
    pub fn name(&self, code: &str, colours: [char; 2]) -> String {
        let [first, second] = &self.teams;
        let name = format!(
            "{code}-{first} {} vs {second} {}-{}-{}-{}",
            colours[0],
            colours[1],
            result_text(self.result),
            self.occasion(),
            self.event,
        );
        // Characters that some file systems do not allow.
        let fit = |c: char| match c {
            ':' => '：',
            '/' | '\\' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
            c if c.is_control() => '_',
            c => c,
        };
        let name: String = name.chars().map(fit).collect();
        let shorter: String = shortened(name.trim_matches(['-', ' ', '.']));
        format!("{shorter}.txt")
    }

    /// The fields in brackets. `colours` are the letters of the two teams, if they have any.
    pub fn brackets(&self, code: &str, colours: Option<[char; 2]>) -> String {
        let team = |side: usize| match colours {
            Some(colours) => format!("{} {}", self.teams[side], colours[side]),
            None => self.teams[side].clone(),
        };
        let fields = [
            code.to_owned(),
            team(0),
            team(1),
            result_text(self.result).to_owned(),
            self.occasion(),
            self.event.clone(),
        ];
        fields.map(|field| format!("[{}]", clean(&field))).concat()
    }
}

/// A file name without the extension of a file of records.
fn without_extension(name: &str) -> &str {
    let known = ["txt", "sgf", "hsgf", "csv", "psq", "six"];
    match name.rsplit_once('.') {
        Some((stem, extension)) if known.iter().any(|it| extension.eq_ignore_ascii_case(it)) => {
            stem
        }
        _ => name,
    }
}

/// A name of at most 240 bytes, which file systems accept.
fn shortened(name: &str) -> String {
    let ends = name.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = ends.take_while(|&end| end <= 240).last().unwrap_or(0);
    name[..end].to_owned()
}

/// A field without the characters that would end it.
fn clean(field: &str) -> String {
    let harmless = |c: char| {
        if "[]{}\n\r".contains(plain(c)) {
            ' '
        } else {
            c
        }
    };
    let field: String = field.chars().map(harmless).collect();
    field.trim().to_owned()
}

/// A result in the form of the contest.
pub fn result_text(result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(Side::First)) => "先手胜",
        Some(Outcome::Win(Side::Second)) => "后手胜",
        Some(Outcome::Draw) => "和棋",
        None => "",
    }
}

/// The result in a field.
fn result_of(field: &str) -> Option<Outcome> {
    match field.trim() {
        "先手胜" | "先手勝" => Some(Outcome::Win(Side::First)),
        "后手胜" | "後手勝" => Some(Outcome::Win(Side::Second)),
        "和棋" | "和局" | "平局" => Some(Outcome::Draw),
        _ => None,
    }
}

/// The index of the colour in `红方胜` or `黑胜`.
fn winner_of(field: &str, letters: [char; 2]) -> Option<usize> {
    let colour = field.strip_suffix(['胜', '勝'])?.trim_end_matches('方');
    let letter = match colour {
        "红" | "紅" => 'R',
        "黑" | "蓝" | "藍" => 'B',
        "白" => 'W',
        _ => return None,
    };
    letters.iter().position(|&known| known == letter)
}

/// The result at the begin of a field of a file name, before a counter as `(2)` or a time.
fn result_at_begin(field: &str) -> Option<Outcome> {
    let field = field.trim();
    let word = field
        .find(|c: char| c.is_ascii())
        .map_or(field, |end| &field[..end]);
    result_of(word)
}

/// A team's name, and the index of the colour whose letter follows it.
fn split_team(field: &str, letters: [char; 2]) -> (&str, Option<usize>) {
    let field = field.trim();
    let Some(last) = field.chars().next_back() else {
        return (field, None);
    };
    let is_last = |letter: &char| letter.eq_ignore_ascii_case(&plain(last));
    let colour = letters.iter().position(is_last);
    let name = &field[..field.len() - last.len_utf8()];
    if colour.is_some() && (name.is_empty() || name.ends_with(|c| plain(c).is_whitespace())) {
        (name.trim_end(), colour)
    } else {
        (field, None)
    }
}

/// A header that was read, with the place of its result.
#[derive(Clone, Debug, Default)]
pub struct Heading<'t> {
    /// The header.
    pub header: Header,
    /// The field with the result.
    pub result: Option<Token<'t>>,
    /// The colour indices that follow the team names.
    pub colours: [Option<usize>; 2],
    /// The index of the colour that won, `红方胜`, and the field: whose colour it is shows only at the end
    /// of the game.
    pub winner: Option<(usize, Token<'t>)>,
    /// What was forgiven in the record.
    pub notes: Vec<String>,
}

impl<'t> Heading<'t> {
    /// Stores a result that the record states at a token. Whether it agrees with what it stated before.
    pub fn claim(&mut self, result: Outcome, token: Token<'t>) -> bool {
        let agrees = self.header.result.is_none_or(|known| known == result);
        if agrees {
            self.header.result = Some(result);
            self.result = Some(token);
        }
        agrees
    }

    /// Notes what was forgiven.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Reads the next fields in brackets, `[CODE][first B][second W][result][time place][event]`;
    /// the last fields may be missing. The first is omitted if it has already been read. A field
    /// may have line ends in it, and stand outside brackets where another one or `;` follows it. Where
    /// there are seven, the place has a field of its own.
    ///
    /// # Errors
    /// Another game's code, or a bracket that is not closed.
    pub fn read(
        scanner: &mut Scanner<'t>,
        code: Option<&str>,
        letters: [char; 2],
    ) -> Result<Heading<'t>, Fault> {
        let mut heading = Heading::default();
        let mut place = usize::from(code.is_none());
        while let Some(field) = next_field(scanner, place)? {
            match (place, code) {
                (0, Some(code)) if folded(field.text) != folded(code) => {
                    return Err(field.fault(format!("the code {code}")));
                }
                (0, _) => {}
                _ => heading.take(place, field, letters),
            }
            place += 1;
        }
        Ok(heading)
    }

    /// Notes that the colours after the names are not those of the sides, by index.
    pub fn check_colours(&mut self, first: usize) {
        if self.colours == [Some(1 - first), Some(first)] {
            self.note(
                "the colours in the head are those of the other sides: its first name is read as First",
            );
        }
    }

    /// Stores a field after the code.
    fn take(&mut self, place: usize, field: Token<'t>, letters: [char; 2]) {
        let text = field.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let header = &mut self.header;
        match place {
            1 | 2 => {
                let (team, colour) = split_team(&text, letters);
                header.teams[place - 1] = team.to_owned();
                self.colours[place - 1] = colour;
            }
            3 if !text.is_empty() => {
                header.result = result_of(&text);
                self.winner = winner_of(&text, letters).map(|colour| (colour, field));
                match header.result {
                    Some(_) => self.result = Some(field),
                    None if self.winner.is_some() => {}
                    None => self.note(format!(
                        "{text:?} is none of the results 先手胜, 后手胜, 和棋 and 平局"
                    )),
                }
            }
            4 => header.set_occasion(&text),
            5 => header.event = text,
            6 => header.place = std::mem::replace(&mut header.event, text),
            _ => {}
        }
    }
}

/// Maximum number of characters of a field outside brackets.
const MOST_BARE: usize = 40;

/// The next field of a header; `None` after the last one.
fn next_field<'t>(scanner: &mut Scanner<'t>, place: usize) -> Result<Option<Token<'t>>, Fault> {
    if scanner.accept('[') {
        let field = scanner.take_while(|c| !"[]".contains(c));
        scanner.expect(']', "']' and the next field")?;
        return Ok(Some(field));
    }
    let mut ahead = scanner.clone();
    let field = ahead.take_while(|c| !"[]{}();\n".contains(c));
    let length = field.text.trim().chars().count();
    let is_field = (1..=MOST_BARE).contains(&length) && matches!(ahead.peek(), Some('[' | ';'));
    if place < 3 || !is_field {
        return Ok(None);
    }
    *scanner = ahead;
    Ok(Some(field))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LETTERS: [char; 2] = ['R', 'B'];

    fn header(teams: [&str; 2], result: Option<Outcome>) -> Header {
        Header {
            teams: teams.map(str::to_owned),
            result,
            time: "2019.08.08 14:00".to_owned(),
            place: "北京".to_owned(),
            event: "2019-CCGC".to_owned(),
            ..Header::default()
        }
    }

    #[test]
    fn names_of_files_are_read_with_colours_and_without() {
        let blue_first = header(["一队", "Two-B"], Some(Outcome::Win(Side::Second)));
        let name = "WTN-一队 B vs Two-B R-后手胜-2019.08.08 14：00 北京-2019-CCGC.txt";
        assert_eq!(blue_first.name("WTN", ['B', 'R']), name);
        let read = |name: &str| Header::from_name(name, "WTN", LETTERS);
        assert_eq!(read(name), Some((blue_first.clone(), [Some(1), Some(0)])));
        let plain = name.replace(" B vs", " vs").replace("B R-", "B-");
        assert_eq!(read(&plain), Some((blue_first, [None; 2])));
        let (short, _) = read("WTN-a vs b-和棋").expect("a name");
        assert_eq!((short.result, &*short.event), (Some(Outcome::Draw), ""));
        assert_eq!(read("WTN-a vs b-x"), None);
        assert_eq!(read("AM-a vs b-和棋"), None);
    }

    #[test]
    fn the_older_names_name_the_winner() {
        let read = |name: &str| Header::from_name(name, "WTN", LETTERS).map(|(header, _)| header);
        let old = read("./log/WTN-alpha-beta-alpha-Thu-Aug-2").expect("a name");
        assert_eq!(old.teams, ["alpha", "beta"]);
        assert_eq!(
            (old.result, &*old.time),
            (Some(Outcome::Win(Side::First)), "Thu-Aug-2")
        );
        assert_eq!(read("WTN-a-a-a-Thu").expect("a name").result, None);
        assert_eq!(read("hello"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn names_fit_a_file_system() {
        let odd = header(["a/b:c*", &"队".repeat(200)], None);
        let name = odd.name("C6", ['B', 'W']);
        assert!(name.starts_with("C6-a_b：c_ B vs 队队"), "{name}");
        assert!(name.len() <= 255 && name.ends_with(".txt"), "{name}");
    }

    proptest! {
        #[test]
        fn any_name_and_head_are_read_without_panic(text in "\\PC*", fields in "(\\[\\PC{0,9}\\]?){0,7}") {
            let _ = Header::from_name(&text, "C6", LETTERS);
            let _ = Header::from_name(&format!("C6-{text}"), "C6", LETTERS);
            let _ = Heading::read(&mut Scanner::new(&fields, 1), Some("C6"), LETTERS);
        }

        #[test]
        fn what_is_written_in_brackets_is_read(
            teams in [("[一-龟a-z]{0,9}"), ("[一-龟a-z]{0,9}")],
            place in "[一-龟]{0,5}",
            event in "[一-龟a-z0-9]{0,9}",
            result in 0..4usize,
        ) {
            let results = [None, Some(Outcome::Draw), Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second))];
            let written = Header {
                id: String::new(),
                teams,
                result: results[result],
                time: "2025.08.01 14:00".to_owned(),
                place,
                event,
            };
            let text = written.brackets("C6", Some(['B', 'W']));
            let read = Heading::read(&mut Scanner::new(&text, 1), Some("C6"), ['B', 'W']).unwrap();
            prop_assert_eq!(&read.header, &written);
            let name = written.name("C6", ['B', 'W']);
            prop_assert_eq!(Header::from_name(&name, "C6", ['B', 'W']).map(|(header, _)| header), Some(written).filter(|w| w.result.is_some()));
        }
    }
}
