//! Contest records (棋谱), and the game's part of the other record formats.
//!
//! ```text
//! {[C6][one team B][another W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12)}
//! ```
//!
//! One token per stone, rows from the bottom; the grammar is in [`records::stones`].

use engine_core::{Notation, ParseError, Position};
use records::{Part, Reading, Record, Recorded, Sgf, Unwritable, cells, stones};

use crate::board::Connect6;
use crate::moves::Stone;
use crate::variant::Variant;

impl Recorded for Connect6 {
    const CODE: &'static str = "C6";
    const LETTERS: [char; 2] = ['B', 'W'];
    /// SGF has no number for Connect6. Other programs use Gomoku's, the closest game.
    const SGF: Option<Sgf> = Some(Sgf {
        number: 4,
        others: &[],
        is_sau: false,
        swaps: &[],
        by_colour: false,
        has_edges: false,
    });

    fn size(variant: &Variant) -> Option<u8> {
        Some(variant.size)
    }

    fn resized(_: &Variant, size: u8) -> Option<Variant> {
        Some(Variant { size })
    }

    /// Also a second stone after one that won, as Little Golem keeps it; it is left out.
    fn read_turn(&self, text: &str) -> Result<Vec<Stone>, ParseError> {
        self.parse_turn(text).or_else(|error| {
            let stones = cells(text, "").filter(|stones| stones.len() == 2);
            let [first, second] = &stones.ok_or_else(|| error.clone())?[..] else {
                return Err(error);
            };
            let turn = self.parse_turn(first)?;
            let mut after = self.clone();
            turn.iter().for_each(|&stone| {
                after.play(stone);
            });
            let is_stone = first != second && self.parse_turn(second).is_ok();
            if after.outcome().is_some() && is_stone {
                Ok(turn)
            } else {
                Err(error)
            }
        })
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<Connect6> {
        stones::read(part, variant)
    }

    fn write_contest(record: &Record<Connect6>) -> Result<String, Unwritable> {
        stones::write(record, ";")
    }
}
