//! Contest records (棋谱), and the game's part of the other record formats.
//!
//! ```text
//! {[C6][one team B][another W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12)}
//! ```
//!
//! One token per stone, rows from the bottom; the grammar is in [`entry::record::stones`].

use entry::record::{Part, Reading, Record, Recorded, Sgf, Unwritable, stones};

use crate::board::Connect6;
use crate::variant::Variant;

impl Recorded for Connect6 {
    const CODE: &'static str = "C6";
    const LETTERS: [char; 2] = ['B', 'W'];
    /// SGF has no number for Connect6. Other programs use Gomoku's, the closest game.
    const SGF: Option<Sgf> = Some(Sgf {
        number: 4,
        is_sau: false,
        swaps: &[],
        by_colour: false,
    });

    fn size(variant: &Variant) -> Option<u8> {
        Some(variant.size)
    }

    fn resized(_: &Variant, size: u8) -> Option<Variant> {
        Some(Variant { size })
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<Connect6> {
        stones::read(part, variant)
    }

    fn write_contest(record: &Record<Connect6>) -> Result<String, Unwritable> {
        stones::write(record, ";")
    }
}
