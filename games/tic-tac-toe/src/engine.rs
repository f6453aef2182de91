//! Implements the interface to the referee and the entries.

use drawing::Picture;
use engine_core::{Outcome, Position, Side};
use game::{
    Dialect, Drawn, Explained, Game, Guided, NewPlayer, Searched, Standard, VariantError, View,
    Wanted, Written, player,
};
use protocol::Protocol;

use crate::board::cells_of;
use crate::{Cell, OpenLines, Random, TicTacToe, Variant, dialect, draw};

impl Game for TicTacToe {
    const ID: &'static str = "tic-tac-toe";
    const NAME: &'static str = "Tic-tac-toe";
    const COLOURS: [&'static str; 2] = ["crosses", "noughts"];

    type Variant = Variant;

    fn start(_: &Variant) -> Result<TicTacToe, VariantError> {
        Ok(TicTacToe::default())
    }

    fn ending(&self) -> &'static str {
        match self.outcome() {
            Some(Outcome::Draw) => "board full",
            _ => "three in a row",
        }
    }
}

impl Written for TicTacToe {
    fn dialect(protocol: Protocol) -> Option<Dialect<TicTacToe>> {
        dialect::of(protocol)
    }

    fn sau() -> Dialect<TicTacToe> {
        Dialect::plain(TicTacToe::write_sau, TicTacToe::parse_sau)
    }

    fn placed(&self) -> Option<[Vec<Cell>; 2]> {
        Some(Side::BOTH.map(|side| cells_of(self.cells(side)).collect()))
    }
}

impl Drawn for TicTacToe {
    fn draw(&self) -> String {
        self.board_text()
    }

    fn picture(&self, view: &View<'_, TicTacToe>) -> Picture {
        draw::picture(self, view)
    }

    fn clicks(&self, cell: Cell) -> Vec<String> {
        draw::clicks(cell)
    }
}

impl Explained for TicTacToe {}

impl Guided for TicTacToe {}

impl Searched for TicTacToe {
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 9,
        bench_depth: 9,
    };

    type Evaluator = OpenLines;
    type Learned = ();
    type Playout = Random;
    type Random = Random;

    fn evaluator(&self) -> OpenLines {
        OpenLines
    }

    fn playout(&self) -> Random {
        Random
    }

    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        player(self, wanted)
    }

    fn turns_left(&self) -> u32 {
        self.empty().count_ones().div_ceil(2)
    }
}
