//! Contest records (棋谱), and Hex's part of the other record formats.
//!
//! ```text
//! {[HEX][one team R][another B][先手胜][2025.01.01 14:00 重庆][2025 CCGC]
//! R(A,1);B(B,2);R(C,3)}
//! ```
//!
//! One token per stone, rows counted from the top; the grammar is in [`records::stones`]. The
//! contest plays without a swap; a swap is written `B(swap-pieces)` or `B(swap-sides)`.

use engine_core::Notation;
use records::{Part, Reading, Record, Recorded, Sgf, Unwritable, stones};

use crate::board::Hex;
use crate::dialect::SWAPS;
use crate::moves::Action;
use crate::variant::{Opening, Swap, Variant};

impl Recorded for Hex {
    const CODE: &'static str = "HEX";
    const LETTERS: [char; 2] = ['R', 'B'];
    const SGF: Option<Sgf> = Some(Sgf {
        number: 11,
        others: &[],
        is_sau: false,
        swaps: &SWAPS,
        by_colour: false,
        has_edges: true,
    });
    const HEXWORLD: bool = true;

    fn spelled(&self, action: Action) -> String {
        match action {
            Action::Swap => <&str>::from(self.variant().swap).to_owned(),
            Action::Place(_) => self.write_move(action),
        }
    }

    /// Also try the pie rule, in case the record has a swap: the one that was asked for first.
    fn alternatives(variant: &Variant) -> Vec<Variant> {
        let by_swap = |swap| Variant {
            opening: Opening::Swap,
            swap,
            ..*variant
        };
        let swaps: &[Swap] = match variant.swap {
            Swap::Pieces => &[Swap::Pieces, Swap::Sides],
            Swap::Sides => &[Swap::Sides],
        };
        swaps.iter().copied().map(by_swap).collect()
    }

    fn size(variant: &Variant) -> Option<u8> {
        Some(variant.size)
    }

    fn resized(variant: &Variant, size: u8) -> Option<Variant> {
        Some(Variant { size, ..*variant })
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<Hex> {
        stones::read(part, variant)
    }

    fn write_contest(record: &Record<Hex>) -> Result<String, Unwritable> {
        stones::write(record, "\n")
    }
}
