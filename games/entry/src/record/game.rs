//! What a game says of its records.

use engine_core::{Outcome, Side};

use super::{Part, Reading, Record, Replay, Unwritable, folded, parts, plain};
use crate::game::Game;

/// A game whose records can be read and written: its part of every format.
pub trait Recorded: Game {
    /// The game's code in contests: `C6`.
    const CODE: &'static str;
    /// The letters of its colours in contest records, in the order of [`Game::COLOURS`].
    const LETTERS: [char; 2];
    /// Its number in SGF, `GM[…]`, and how a turn is written there, if it has one.
    const SGF: Option<Sgf> = None;
    /// Whether it is played on hexworld.org.
    const HEXWORLD: bool = false;

    /// Which of [`Game::COLOURS`] a side has in this position, 0 or 1.
    fn colour_index(&self, side: Side) -> usize {
        side.index()
    }

    /// The text of a legal action from which alone, without the variant, it is known what it does.
    fn spelled(&self, mv: Self::Move) -> String {
        self.write_move(mv)
    }

    /// Other variants in which a record may have been played that does not name its variant. They are
    /// tried in order where the record is faulty in `variant`.
    fn alternatives(variant: &Self::Variant) -> Vec<Self::Variant> {
        let _ = variant;
        Vec::new()
    }

    /// The size of the square board, if the variant has one.
    fn size(variant: &Self::Variant) -> Option<u8> {
        let _ = variant;
        None
    }

    /// The variant on a board of another size, if the game has any. It need not be one that can be
    /// played.
    fn resized(variant: &Self::Variant, size: u8) -> Option<Self::Variant> {
        let _ = (variant, size);
        None
    }

    /// Whether a text looks like the game's contest records.
    fn is_contest(text: &str) -> bool {
        let head: String = folded(&text.chars().take(200).collect::<String>());
        let code = Self::CODE.to_ascii_lowercase();
        [format!("[{code}]"), format!("{{{code}}}")]
            .iter()
            .any(|code| head.contains(code.as_str()))
    }

    /// Parts a text into contest records, of which each begins with a line of its own.
    fn contest_parts(text: &str) -> Vec<Part<'_>> {
        parts(text, |line| {
            line.trim_start()
                .chars()
                .next()
                .map(plain)
                .is_some_and(|c| "{#".contains(c))
        })
    }

    /// Reads one contest record. `variant` is that of a record that does not say.
    fn read_contest(part: Part<'_>, variant: &Self::Variant) -> Reading<Self>;

    /// Writes one contest record, with a line end.
    ///
    /// # Errors
    /// What the format has no words for.
    fn write_contest(record: &Record<Self>) -> Result<String, Unwritable>;

    /// The name of the colour that a side has in this position: `black`.
    fn colour_name(&self, side: Side) -> &'static str {
        Self::COLOURS[self.colour_index(side)]
    }

    /// The letters of the colours of `First` and `Second` in this position.
    fn letters(&self) -> [char; 2] {
        Side::BOTH.map(|side| Self::LETTERS[self.colour_index(side)])
    }
}

/// A game in SGF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sgf {
    /// Its number, `GM[…]`.
    pub number: u32,
    /// Whether a turn is written as by the SAU platform, in lower case, rather than as in UGI.
    pub is_sau: bool,
}

/// The side that has a colour in this position.
pub fn side_of<G: Recorded>(position: &G, colour: usize) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|&side| position.colour_index(side) == colour)
}

/// The reading of the variant, or of the first of its alternatives, in which a record is faultless; if
/// there is none, the one that gets farthest.
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

/// The colour's name, or `draw`, of a result at the end of a game.
pub(super) fn result_word<G: Recorded>(end: &G, result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(side)) => end.colour_name(side),
        Some(Outcome::Draw) => "draw",
        None => "",
    }
}
