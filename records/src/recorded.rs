//! The game's part of the record formats.

use engine_core::{Outcome, ParseError, Side};
use game::Written;

use super::{Event, Part, Reading, Record, Replay, Unwritable, folded, parts, plain};

/// A game whose records can be read and written.
pub trait Recorded: Written {
    /// The game's code in contests: `C6`.
    const CODE: &'static str;
    /// The letters of the colours in contest records, in the order of [`Game::COLOURS`](game::Game::COLOURS).
    const LETTERS: [char; 2];
    /// The game in SGF, if it has an SGF form.
    const SGF: Option<Sgf> = None;
    /// Whether hexworld.org supports the game.
    const HEXWORLD: bool = false;
    /// The variant of the files of Gomocup's manager, if it saves the game.
    const PSQ: Option<OnBoard<Self::Variant>> = None;

    /// Whether `Second` begins in lists of other programs whose first turn only it can make.
    const SECOND_MAY_BEGIN: bool = false;

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

    /// The variant that a file states in words: in SGF, `RU[0]`. `None` if the game has no words for
    /// its rules.
    ///
    /// # Errors
    /// Words that the game does not know; what was expected.
    fn by_rules(variant: &Self::Variant, words: &str) -> Option<Result<Self::Variant, String>> {
        let _ = (variant, words);
        None
    }

    /// The words for the rules of a variant, which [`Recorded::by_rules`] reads.
    fn rules_words(variant: &Self::Variant) -> Option<String> {
        let _ = variant;
        None
    }

    /// Variants to try, in order, if a record that states no rules stops in this position, where
    /// `variant` does not fit.
    fn other_rules(variant: &Self::Variant, stopped: &Self) -> Vec<Self::Variant> {
        let _ = (variant, stopped);
        Vec::new()
    }

    /// Reads a turn as other programs write it.
    ///
    /// # Errors
    /// Text that is not a legal turn, nor the first actions of one.
    fn read_turn(&self, text: &str) -> Result<Vec<Self::Move>, ParseError> {
        self.parse_turn(text)
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
            .any(|code| {
                // `W[c6]` is a stone.
                let mut places = head.match_indices(code.as_str());
                places.any(|(at, _)| !head[..at].ends_with(|c: char| c.is_ascii_alphanumeric()))
            })
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
    /// Numbers of other games that programs write for this one.
    pub others: &'static [u32],
    /// Whether a turn is written as on the SAU platform, in lower case, instead of as in UGI.
    pub is_sau: bool,
    /// The words for a swap, in lower case; the last one exchanges the players' colours, and the one
    /// before it, if any, moves the stone. Empty if the game has no such swap.
    pub swaps: &'static [&'static str],
    /// Whether `B` and `W` are the colours of the stones in games with a swap, too.
    pub by_colour: bool,
    /// Whether each colour has edges of its own, so that it matters which colour begins.
    pub has_edges: bool,
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
    best_of(variant, false, read)
}

/// As [`best`], for a format that states no rules: if the user did not state any either, those of
/// [`Recorded::other_rules`] are tried, too, and the reading says so.
pub(super) fn best_by_any_rules<G: Recorded>(
    variant: &G::Variant,
    read: impl Fn(Replay<G>) -> Reading<G>,
) -> Reading<G> {
    let mut reading = best_of(variant, *variant == G::Variant::default(), read);
    // The format does not say how large the board is.
    if let Some(fault) = &mut reading.fault
        && ["a column ", "a row "]
            .iter()
            .any(|what| fault.expected.starts_with(what))
        && let Some(size) = G::size(&reading.record.variant)
        && G::resized(variant, size).is_some()
    {
        fault.expected += &format!(" on {size}x{size}, or --variant '{{ size = … }}'");
    }
    reading
}

pub(super) fn best_of<G: Recorded>(
    variant: &G::Variant,
    may_relax: bool,
    read: impl Fn(Replay<G>) -> Reading<G>,
) -> Reading<G> {
    let read = |variant: G::Variant| Replay::new(variant).ok().map(&read);
    let mut best = read(variant.clone()).expect("the variant was checked");
    let mut others = G::alternatives(variant);
    for is_relaxed in [false, true] {
        if best.fault.is_none() {
            return best;
        }
        let mut found: Vec<Reading<G>> = others.into_iter().filter_map(&read).collect();
        let faultless = found.iter().filter(|other| other.fault.is_none()).count();
        // The game ends with its last turn in the variant that was played.
        let is_over = |other: &Reading<G>| other.end.outcome().is_some();
        let is_best = |other: &Reading<G>| (other.fault.is_none(), is_over(other), other.len());
        if let Some(index) = (0..found.len())
            .rev()
            .max_by_key(|&index| is_best(&found[index]))
        {
            let mut other = found.swap_remove(index);
            if other.fault.is_none() || other.len() > best.len() {
                match is_relaxed {
                    true => other.relax(variant),
                    false if faultless > 1 && !is_over(&other) => other.note_variant(),
                    false => {}
                }
                best = other;
            }
        }
        if best.fault.is_none() || !may_relax {
            return best;
        }
        others = G::other_rules(variant, &best.end);
    }
    best
}

/// The variant on a board of another size; `None` if the game is not played on it.
pub(super) fn on_board<G: Recorded>(variant: &G::Variant, size: u8) -> Option<G::Variant> {
    if G::size(variant) == Some(size) {
        return Some(variant.clone());
    }
    let resized = G::resized(variant, size);
    resized.filter(|variant| G::start(variant).is_ok())
}

/// The result of a finished game: a colour's name, or `draw`.
pub(super) fn result_word<G: Recorded>(end: &G, result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(side)) => end.colour_name(side),
        Some(Outcome::Draw) => "draw",
        None => "",
    }
}
