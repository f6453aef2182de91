//! The game's part of the record formats.
//!
//! China's contest does not play tic-tac-toe. A record in its style has the grammar of its games of
//! stones ([`records::stones`]) and a code of this project. SGF has no number for the game.
//!
//! ```text
//! {[TTT][one team X][another O][先手胜][2025.01.01 14:00 重庆][2025];X(B,2);O(A,1);X(C,1)}
//! ```

use records::{Part, Reading, Record, Recorded, Unwritable, stones};

use crate::board::TicTacToe;
use crate::variant::Variant;

impl Recorded for TicTacToe {
    const CODE: &'static str = "TTT";
    const LETTERS: [char; 2] = ['X', 'O'];

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<TicTacToe> {
        stones::read(part, variant)
    }

    fn write_contest(record: &Record<TicTacToe>) -> Result<String, Unwritable> {
        stones::write(record, ";")
    }
}
