//! Smart Game Format, version 4 (<https://www.red-bean.com/sgf/>): the main line, without comments.
//!
//! ```text
//! (;FF[4]GM[11]CA[UTF-8]SZ[11]PB[one team]PW[another]RE[B+]
//! ;B[a1];W[swap-pieces];B[c2])
//! ```
//!
//! `B` is `First` and `W` is `Second` throughout the game, whatever colours they play. The game
//! defines how a turn is written ([`super::Sgf`]); its other notation is accepted too. A date has
//! no time of day.
//!
//! In Gomoku, `B` and `W` are the colours of the stones, and an action that the rest of the game
//! implies is left out: a game without a swap and with one fifth stone is written as everywhere.
//!
//! Programs disagree on swaps. Where the player of a swap moves again, as in
//! `;B[a9];W[swap-pieces];W[b10]` of HexGui and the Computer Olympiad, the players have exchanged
//! colours, whatever the word: the stone stays, and from then on `B` and `W` are the colours of the
//! stones. `PB`, `PW` and `RE` are still those of `First` and `Second`.
//!
//! A game may begin with stones that are set up, where stones never move.
//!
//! | file | contents |
//! |---|---|
//! | `tree.rs` | the syntax, and where the next game begins after a fault |
//! | `rules.rs` | the rules that a file states |
//! | `letters.rs` | whose letters `B` and `W` are |
//! | `setup.rs` | stones that are set up |
//! | `write.rs` | the writer |

mod letters;
mod rules;
mod setup;
mod tree;
mod write;

use engine_core::{Outcome, ParseError, Side};

use super::header::Heading;
use super::recorded::best_of;
use super::replay::Replay;
use super::scan::folded;
use super::{Fault, Reading, Recorded, Token};
use letters::Letters;
use rules::Rules;
use tree::{Property, Tree};

pub(super) use write::write;

/// Reads the games of a collection. If they `may_relax` the rules, other rules than those of `variant`
/// are tried where nobody has stated any.
pub(super) fn read<G: Recorded>(
    text: &str,
    variant: &G::Variant,
    may_relax: bool,
    mut take: impl FnMut(Reading<G>),
) {
    tree::each(text, |tree| take(read_game(tree, variant, may_relax)));
}

/// Whether a text has a game in SGF: `(;` and a property. No other format has these.
pub fn has_game(text: &str) -> bool {
    let is_blank = |c: char| c == ';' || c.is_whitespace();
    text.split('(').skip(1).any(|rest| {
        let Some(node) = rest.trim_start().strip_prefix(';') else {
            return false;
        };
        let property = node.trim_start_matches(is_blank);
        let value = property.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        value.len() < property.len() && value.trim_start().starts_with('[')
    })
}

fn read_game<G: Recorded>(tree: Tree<'_>, variant: &G::Variant, may_relax: bool) -> Reading<G> {
    let properties = &tree.properties;
    let rules = rules::of::<G>(properties, variant);
    let (rules, stated) = match rules {
        Ok(rules) => (rules, Ok(())),
        Err(fault) => (Rules::of_user(variant), Err(fault)),
    };
    let letters = Letters::of::<G>(properties);
    let first = properties.iter().position(is_turn);
    let first = first.unwrap_or(properties.len());
    let (before, turns) = properties.split_at(first);
    best_of(
        &rules.variant,
        may_relax && rules.may_relax,
        |mut replay| {
            let mut heading = Heading::default();
            tree.notes.iter().for_each(|note| heading.note(note));
            letters.note(&mut heading);
            let fault = stated.clone().and_then(|()| {
                let mut game = Interpreter {
                    letters,
                    heading: &mut heading,
                    replay: &mut replay,
                };
                for property in before.iter().filter(|it| !setup::is_part(it)) {
                    game.take(property)?;
                }
                setup::set_up(before, turns.first(), game.replay)?;
                letters.begin(turns.first(), game.replay)?;
                turns.iter().try_for_each(|property| game.take(property))
            });
            // A parse error comes after everything that was parsed.
            let fault = fault.and_then(|()| tree.parsed.clone());
            let fault = fault.and_then(|()| check_turns(properties));
            replay.finish(heading, fault, tree.line)
        },
    )
}

fn is_turn(property: &Property<'_>) -> bool {
    matches!(&*property.id, "B" | "W")
}

/// Refuses a game without turns in which properties that SGF does not know may be turns.
fn check_turns(properties: &[Property<'_>]) -> Result<(), Fault> {
    if properties.iter().any(is_turn) {
        return Ok(());
    }
    let unknown = |it: &&Property<'_>| it.node > 0 && !KNOWN.contains(&&*it.id);
    match properties.iter().find(unknown) {
        Some(property) => Err(property.name.fault("turns in properties B and W")),
        None => Ok(()),
    }
}

/// The properties of SGF, of versions 1 to 4, beside `B` and `W`. `L` and `M` of FF[1] are left out:
/// words such as `Move` are read as one of them.
const KNOWN: [&str; 84] = [
    "AA", "AB", "AE", "AN", "AP", "AR", "AW", "BL", "BM", "BR", "BT", "C", "CA", "CH", "CP", "CR",
    "DD", "DM", "DO", "DT", "EL", "EV", "EX", "FF", "FG", "GB", "GC", "GM", "GN", "GW", "HA", "HO",
    "ID", "IT", "KM", "KO", "LB", "LC", "LN", "LT", "MA", "MN", "N", "OB", "OM", "ON", "OP", "OT",
    "OV", "OW", "PB", "PC", "PL", "PM", "PW", "RE", "RG", "RO", "RU", "SC", "SE", "SI", "SL", "SO",
    "SQ", "ST", "SU", "SZ", "TB", "TC", "TE", "TM", "TR", "TW", "UC", "US", "V", "VW", "WL", "WR",
    "WT", "BS", "WS", "KI",
];

/// Plays the properties of a game.
struct Interpreter<'r, 't, G: Recorded> {
    letters: Letters,
    heading: &'r mut Heading<'t>,
    replay: &'r mut Replay<G>,
}

impl<'t, G: Recorded> Interpreter<'_, 't, G> {
    fn take(&mut self, property: &Property<'t>) -> Result<(), Fault> {
        let Property {
            id, name, value, ..
        } = property;
        let header = &mut self.heading.header;
        match &**id {
            "GM" => self.check_game(value)?,
            "PB" => header.teams[self.letters.player(0)] = unescaped(value.text),
            "PW" => header.teams[self.letters.player(1)] = unescaped(value.text),
            "DT" => header.time = unescaped(value.text).replace('-', "."),
            "PC" => header.place = unescaped(value.text),
            "EV" => header.event = unescaped(value.text),
            "GN" => header.id = unescaped(value.text),
            "RE" => self.take_result(value)?,
            "AB" | "AW" | "AE" => {
                return Err(name.fault("stones that are set up before the first turn only"));
            }
            "AA" => return Err(name.fault("a game from the first position")),
            "B" | "W" => self.take_turn(property)?,
            _ => {}
        }
        Ok(())
    }

    /// Refuses the number of another game.
    fn check_game(&mut self, value: &Token<'t>) -> Result<(), Fault> {
        let Some(sgf) = G::SGF else {
            return Ok(());
        };
        let number = value.text.trim().parse();
        if number == Ok(sgf.number) || folded(value.text) == folded(G::NAME) {
            return Ok(());
        }
        if number.is_ok_and(|number| sgf.others.contains(&number)) {
            let (stated, name) = (value.text.trim(), G::NAME);
            (self.heading).note(format!(
                "GM[{stated}] is the number of another game than {name}"
            ));
            return Ok(());
        }
        Err(value.fault(format!("{}, {}", sgf.number, G::NAME)))
    }

    /// Reads the result in `RE`; words that are no result are noted.
    fn take_result(&mut self, value: &Token<'t>) -> Result<(), Fault> {
        let outcome = match result(value.text) {
            Some(Claim::Win(colour)) => Outcome::Win(Side::BOTH[self.letters.player(colour)]),
            Some(Claim::Draw) => Outcome::Draw,
            Some(Claim::Unknown) => return Ok(()),
            None => {
                let shown: String = value.text.chars().take(40).collect();
                (self.heading).note(format!("the result {shown:?} is not known"));
                return Ok(());
            }
        };
        if self.heading.claim(outcome, *value) {
            Ok(())
        } else {
            Err(value.fault("one result"))
        }
    }

    /// Plays a turn, or notes a resignation.
    fn take_turn(&mut self, property: &Property<'t>) -> Result<(), Fault> {
        let value = &property.value;
        let side = self.letters.side(property, self.replay.position());
        let word = self.letters.word::<G>(value);
        if matches!(word.as_str(), "resign" | "forfeit") {
            return self.resign(value, side);
        }
        self.replay.check_side(value, side)?;
        (self.replay).play_by(value, |position| parse_turn(position, &word))
    }

    fn resign(&mut self, value: &Token<'t>, side: Side) -> Result<(), Fault> {
        if (self.heading).claim(Outcome::Win(side.opponent()), *value) {
            Ok(())
        } else {
            Err(value.fault("a resignation of the side that lost, as RE says"))
        }
    }
}

/// Reads a turn in the game's SGF notation, or in its other notation.
fn parse_turn<G: Recorded>(position: &G, word: &str) -> Result<Vec<G::Move>, ParseError> {
    let sau = G::sau().parse;
    let is_sau = G::SGF.is_some_and(|sgf| sgf.is_sau);
    let [first, second] = if is_sau {
        [sau, G::read_turn]
    } else {
        [G::read_turn, sau]
    };
    first(position, word).or_else(|error| second(position, word).map_err(|_| error))
}

/// What `RE` says.
enum Claim {
    /// The player of this letter won: 0 for `B`.
    Win(usize),
    Draw,
    /// No result: the game was not finished, or nobody knows.
    Unknown,
}

/// Reads a result; `None` for words that are none.
fn result(text: &str) -> Option<Claim> {
    let text = folded(text);
    let wins = |colour: &str, name: &str| {
        let rest = text
            .strip_prefix(name)
            .or_else(|| text.strip_prefix(colour));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('+') || rest == "wins")
    };
    if let Some((_, how)) = text.split_once('+') {
        match how {
            "draw" => return Some(Claim::Draw),
            "void" | "?" => return Some(Claim::Unknown),
            _ => {}
        }
    }
    match &*text {
        _ if wins("b", "black") => Some(Claim::Win(0)),
        _ if wins("w", "white") => Some(Claim::Win(1)),
        "0" | "draw" | "jigo" | "=" => Some(Claim::Draw),
        "" | "?" | "*" | "void" | "unknown" => Some(Claim::Unknown),
        _ => None,
    }
}

/// The text of a value, without escapes.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut characters = value.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => text.extend(characters.next().filter(|c| *c != '\n')),
            c if c.is_whitespace() => text.push(' '),
            c => text.push(c),
        }
    }
    text.trim().to_owned()
}
