//! Contest records (棋谱), and the game's part of the other record formats.
//!
//! ```text
//! {[C5][one team B][another W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(H,8);W(H,9);B(J,10);W(G,7)}
//! ```
//!
//! One token per action, rows from the bottom; the grammar is in [`entry::record::stones`]. Most
//! records have only stones: black then offers one fifth stone, and nobody swaps. Otherwise:
//!
//! - `B(X,3)` after the third stone: black will offer three fifth stones;
//! - `W(swap)` instead of the fourth stone: the players exchange colours, and white's fourth stone
//!   follows;
//! - after the fourth stone, a token for each stone that black offers, `B(A,1);B(B,1);B(C,1)`, and the
//!   one that white keeps, `W(B,1)`;
//! - `W(pass)` and `W(claim)`.

use engine_core::Side;
use entry::record::{OnBoard, Part, Reading, Record, Recorded, Sgf, Unwritable, stones};

use crate::board::Gomoku;
use crate::moves::Action;
use crate::opening::Stage;
use crate::variant::{Opening, Variant};

impl Recorded for Gomoku {
    const CODE: &'static str = "C5";
    const LETTERS: [char; 2] = ['B', 'W'];
    const SGF: Option<Sgf> = Some(Sgf {
        number: 4,
        is_sau: false,
        swaps: &["swap"],
        by_colour: true,
    });

    /// Gomocup has no ceremony, and its usual game is free-style.
    const PSQ: Option<OnBoard<Variant>> = Some(|variant, size| Variant {
        size,
        ..match variant.opening {
            Opening::Prescribed => Variant::FREE_STYLE,
            Opening::Free => *variant,
        }
    });

    /// First sets up the stones of both colours.
    fn recorded_side(&self) -> Side {
        self.side_of(self.to_move())
    }

    /// One fifth stone, and that white keeps the only one.
    fn implied(&self) -> Option<Action> {
        match (self.stage(), self.offers()) {
            (Stage::Count, _) => Some(Action::Count(1)),
            (Stage::Keep, &[only]) => Some(Action::Cell(only)),
            _ => None,
        }
    }

    fn size(variant: &Variant) -> Option<u8> {
        Some(variant.size)
    }

    fn resized(variant: &Variant, size: u8) -> Option<Variant> {
        let opening = match size == Variant::default().size {
            true => variant.opening,
            false => Opening::Free,
        };
        Some(Variant {
            size,
            opening,
            ..*variant
        })
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<Gomoku> {
        stones::read(part, variant)
    }

    fn write_contest(record: &Record<Gomoku>) -> Result<String, Unwritable> {
        stones::write(record, ";")
    }
}
