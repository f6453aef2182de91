//! The game's part of the record formats.

use engine_core::{Outcome, Side};

use super::{Event, Part, Reading, Record, Replay, Unwritable, folded, parts, plain};
use crate::game::Game;

/// A game whose records can be read and written.
pub trait Recorded: Game {
    /// The game's code in contests: `C6`.
    const CODE: &'static str;
    /// The letters of the colours in contest records, in the order of [`Game::COLOURS`].
    const LETTERS: [char; 2];
    /// The game in SGF, if it has an SGF form.
    const SGF: Option<Sgf> = None;
    /// Whether hexworld.org supports the game.
    const HEXWORLD: bool = false;
    /// The variant of the files of Gomocup's manager, if it saves the game.
    const PSQ: Option<OnBoard<Self::Variant>> = None;

    /// The text of a legal action that is unambiguous without knowledge of the variant.
    fn spelled(&self, mv: Self::Move) -> String {
        self.write_move(mv)
    }

    /// The side that a record names with the next action: the one to act, unless it places a stone of
    /// the other's colour.
    fn recorded_side(&self) -> Side {
        self.side()
    }

    /// The next action, where records may leave it out because the rest of the game implies it.
    fn implied(&self) -> Option<Self::Move> {
        None
    }

    /// Variants to try, in order, if a record that names no variant is faulty in `variant`.
    fn alternatives(variant: &Self::Variant) -> Vec<Self::Variant> {
        let _ = variant;
        Vec::new()
    }

    /// The size of the square board, if the variant has one.
    fn size(variant: &Self::Variant) -> Option<u8> {
        let _ = variant;
        None
    }

    /// The variant with another board size, if the game has such variants. The result may be
    /// invalid.
    fn resized(variant: &Self::Variant, size: u8) -> Option<Self::Variant> {
        let _ = (variant, size);
        None
    }

    /// Whether the text looks like contest records of this game.
    fn is_contest(text: &str) -> bool {
        let head: String = folded(&text.chars().take(200).collect::<String>());
        let code = Self::CODE.to_ascii_lowercase();
        [format!("[{code}]"), format!("{{{code}}}")]
            .iter()
            .any(|code| head.contains(code.as_str()))
    }

    /// Splits a text into contest records; each begins on a new line.
    fn contest_parts(text: &str) -> Vec<Part<'_>> {
        parts(text, |line| {
            line.trim_start()
                .chars()
                .next()
                .map(plain)
                .is_some_and(|c| "{#".contains(c))
        })
    }

    /// Reads one contest record. `variant` applies if the record does not name one.
    fn read_contest(part: Part<'_>, variant: &Self::Variant) -> Reading<Self>;

    /// Writes one contest record, with a line end.
    ///
    /// # Errors
    /// Content that the format cannot express.
    fn write_contest(record: &Record<Self>) -> Result<String, Unwritable>;

    /// The colour of a side in this position: `black`.
    fn colour_name(&self, side: Side) -> &'static str {
        Self::COLOURS[self.colour_index(side)]
    }

    /// The letters of the colours of `First` and `Second` in this position.
    fn letters(&self) -> [char; 2] {
        Side::BOTH.map(|side| Self::LETTERS[self.colour_index(side)])
    }
}

/// A variant for a board of this size, given the variant that was asked for. The result may be invalid.
pub type OnBoard<V> = fn(&V, u8) -> V;

/// A game in SGF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sgf {
    /// The number in `GM[…]`.
    pub number: u32,
    /// Whether a turn is written as on the SAU platform, in lower case, instead of as in UGI.
    pub is_sau: bool,
    /// The words for a swap, in lower case; the last one exchanges the players' colours. Empty if
    /// the game has no such swap.
    pub swaps: &'static [&'static str],
    /// Whether `B` and `W` are the colours of the stones in games with a swap, too.
    pub by_colour: bool,
}

/// Whether a record leaves out its first event in this position: an action that is implied, if the
/// next one cannot be meant in its place.
pub(super) fn is_omitted<G: Recorded>(position: &G, events: &[Event<G::Move>]) -> bool {
    let [Event::Move(mv), Event::Move(next), ..] = *events else {
        return false;
    };
    if position.implied() != Some(mv) {
        return false;
    }
    let mut after = position.clone();
    after.play(mv);
    position.parse_turn(&after.spelled(next)).is_err()
}

/// The side that plays a colour in this position.
pub fn side_of<G: Recorded>(position: &G, colour: usize) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|&side| position.colour_index(side) == colour)
}

/// Reads a record in the variant and its alternatives. Returns the first reading without fault; if
/// there is none, the reading that gets farthest.
pub fn best<G: Recorded>(
    variant: &G::Variant,
    read: impl Fn(Replay<G>) -> Reading<G>,
) -> Reading<G> {
    let read = |variant: G::Variant| Replay::new(variant).ok().map(&read);
    let mut best = read(variant.clone()).expect("the variant was checked");
    if best.fault.is_some() {
        for other in G::alternatives(variant).into_iter().filter_map(read) {
            if other.fault.is_none() {
                return other;
            }
            if other.record.events.len() > best.record.events.len() {
                best = other;
            }
        }
    }
    best
}

/// The result of a finished game: a colour's name, or `draw`.
pub(super) fn result_word<G: Recorded>(end: &G, result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(side)) => end.colour_name(side),
        Some(Outcome::Draw) => "draw",
        None => "",
    }
}
