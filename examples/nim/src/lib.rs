//! Nim, as an example of how to add a game: three heaps of matches; a turn takes one or more matches
//! from one heap; whoever takes the last match wins.
//!
//! This is all that an engine needs, in the order in which the files of a larger game have it: the
//! move (`moves.rs`), the rules (`board.rs`), the text (`notation.rs`), the evaluation
//! (`evaluate.rs`), and the game as an entry (`engine.rs`).

use engine_core::zobrist::mix;
use engine_core::{
    Checked, Evaluator, Move, Notation, Outcome, ParseError, Position, Score, Side, Symmetric,
    UniformPlayout,
};
use game::{
    Drawn, Explained, Game, Guided, NewPlayer, Searched, VariantError, Wanted, Written, player,
};
use serde::{Deserialize, Serialize};

/// Maximum size of a heap.
pub const MAX_HEAP: u8 = 15;

/// A move: takes `count` matches from heap 0, 1 or 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Take {
    heap: u8,
    count: u8,
}

impl Move for Take {
    fn to_bits(self) -> u32 {
        u32::from(self.heap) | u32::from(self.count) << 2
    }

    fn from_bits(bits: u32) -> Take {
        Take {
            heap: (bits & 3) as u8,
            count: (bits >> 2) as u8,
        }
    }
}

/// A position: the matches of each heap, and whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nim {
    heaps: [u8; 3],
    side: Side,
}

impl Position for Nim {
    type Move = Take;
    /// The move says everything that undoing it needs.
    type Undo = ();

    const ALTERNATES: bool = true;
    const DRAWS: bool = false;
    const HISTORY_LEN: usize = 3 * (MAX_HEAP as usize + 1);

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        let [a, b, c] = self.heaps;
        mix(u64::from_le_bytes([a, b, c, self.side as u8, 0, 0, 0, 0]))
    }

    /// The side that cannot move has lost: the other took the last match.
    fn outcome(&self) -> Option<Outcome> {
        (self.heaps == [0; 3]).then(|| Outcome::Win(self.side.opponent()))
    }

    fn generate(&self, _stage: u8, out: &mut impl Extend<Take>) {
        for (heap, &left) in (0..).zip(&self.heaps) {
            out.extend((1..=left).map(|count| Take { heap, count }));
        }
    }

    fn is_legal(&self, mv: Take) -> bool {
        let left = self.heaps.get(usize::from(mv.heap));
        left.is_some_and(|&left| (1..=left).contains(&mv.count))
    }

    fn play(&mut self, mv: Take) {
        self.heaps[usize::from(mv.heap)] -= mv.count;
        self.side = self.side.opponent();
    }

    fn undo(&mut self, mv: Take, (): ()) {
        self.heaps[usize::from(mv.heap)] += mv.count;
        self.side = self.side.opponent();
    }

    fn history_index(&self, mv: Take) -> usize {
        usize::from(mv.heap) * (usize::from(MAX_HEAP) + 1) + usize::from(mv.count)
    }
}

/// Moves are `a3`, three from the first heap; positions `3/5/7 f`, with `f` or `s` for the side to
/// move.
impl Notation for Nim {
    fn write_move(&self, mv: Take) -> String {
        format!("{}{}", (b'a' + mv.heap) as char, mv.count)
    }

    fn parse_move(&self, text: &str) -> Result<Take, ParseError> {
        let heap = match text.get(..1) {
            Some("a" | "A") => 0,
            Some("b" | "B") => 1,
            Some("c" | "C") => 2,
            _ => return Err(ParseError::new(1, text, "a heap, a to c")),
        };
        let left = self.heaps[usize::from(heap)];
        match text[1..].parse() {
            Ok(count) if (1..=left).contains(&count) => Ok(Take { heap, count }),
            _ => {
                let expected = format!("a number of matches, 1 to {left}");
                Err(ParseError::new(2, &text[1..], expected))
            }
        }
    }

    fn write_position(&self) -> String {
        let [a, b, c] = self.heaps;
        format!("{a}/{b}/{c} {}", ["f", "s"][self.side.index()])
    }

    fn parse_position(&self, text: &str) -> Result<Nim, ParseError> {
        let wrong = || ParseError::new(1, text, "three heaps and a side, like 3/5/7 f");
        let (heaps, side) = text.split_once(' ').ok_or_else(wrong)?;
        let side = match side {
            "f" | "F" => Side::First,
            "s" | "S" => Side::Second,
            _ => return Err(wrong()),
        };
        let heaps: Option<Vec<u8>> = heaps.split('/').map(|heap| heap.parse().ok()).collect();
        let heaps = heaps.and_then(|heaps| heaps.try_into().ok());
        let heaps = heaps.filter(|heaps: &[u8; 3]| heaps.iter().all(|&heap| heap <= MAX_HEAP));
        heaps.map(|heaps| Nim { heaps, side }).ok_or_else(wrong)
    }
}

/// The tests check that positions keep the contracts of the search.
impl Checked for Nim {}

/// The heaps could be exchanged; this example leaves them as they are.
impl Symmetric for Nim {}

/// The evaluation: whoever leaves heaps whose exclusive or is 0 wins (Bouton, *Nim, a game with a
/// complete mathematical theory*, 1901).
#[derive(Clone, Copy, Debug)]
pub struct NimSum;

impl Evaluator<Nim> for NimSum {
    fn evaluate(&mut self, position: &Nim) -> Score {
        let [a, b, c] = position.heaps;
        Score::points(if a ^ b ^ c == 0 { -100 } else { 100 })
    }
}

/// The settings of the rules, `variant = { heaps = [3, 5, 7] }` in a league file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {
    /// The matches of each heap at the start.
    pub heaps: [u8; 3],
}

impl Default for Variant {
    fn default() -> Variant {
        Variant { heaps: [3, 5, 7] }
    }
}

impl Game for Nim {
    const ID: &'static str = "nim";
    const NAME: &'static str = "Nim";
    const COLOURS: [&'static str; 2] = ["first", "second"];

    type Variant = Variant;

    fn start(variant: &Variant) -> Result<Nim, VariantError> {
        let heaps = variant.heaps;
        if heaps == [0; 3] || heaps.iter().any(|&heap| heap > MAX_HEAP) {
            let expected = format!("heaps {heaps:?}, expected 0 to {MAX_HEAP} each, not all 0");
            return Err(VariantError(expected));
        }
        let side = Side::First;
        Ok(Nim { heaps, side })
    }

    fn ending(&self) -> &'static str {
        "the last match is taken"
    }
}

impl Written for Nim {}

impl Drawn for Nim {}

impl Guided for Nim {}

impl Explained for Nim {}

impl Searched for Nim {
    type Evaluator = NimSum;
    type Learned = ();
    type Playout = UniformPlayout<Take>;
    type Random = UniformPlayout<Take>;

    fn evaluator(&self) -> NimSum {
        NimSum
    }

    fn playout(&self) -> UniformPlayout<Take> {
        UniformPlayout::default()
    }

    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        player(self, wanted)
    }

    /// About one turn for each heap.
    fn turns_left(&self) -> u32 {
        self.heaps.map(|heap| u32::from(heap > 0)).iter().sum()
    }
}
