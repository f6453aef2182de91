//! Contest records (棋谱), and the game's part of the other record formats.

use entry::record::{Part, Reading, Record, Recorded, Sgf, Unwritable, stones};

use crate::board::Gomoku;
use crate::variant::{Opening, Variant};

impl Recorded for Gomoku {
    const CODE: &'static str = "C5";
    const LETTERS: [char; 2] = ['B', 'W'];
    const SGF: Option<Sgf> = Some(Sgf {
        number: 4,
        is_sau: false,
        swaps: &["swap"],
    });

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
