//! Implements the interface to the referee and the entries.

use drawing::Picture;
use engine_core::convolution::NoView;
use engine_core::learned::{NoFeatures, NoInputs};
use engine_core::{Outcome, Position, Side};
use game::Dialect;
use game::Game;
use game::NewPlayer;
use game::Standard;
use game::VariantError;
use game::View;
use game::Wanted;
use game::player;
use protocol::Protocol;

use crate::board::cells_of;
use crate::{Cell, OpenLines, Random, TicTacToe, Variant, dialect, draw};

impl Game for TicTacToe {
    const ID: &'static str = "tic-tac-toe";
    const NAME: &'static str = "Tic-tac-toe";
    const COLOURS: [&'static str; 2] = ["crosses", "noughts"];
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 9,
        bench_depth: 9,
    };

    type Variant = Variant;
    type Evaluator = OpenLines;
    type Inputs = NoInputs;
    type Features = NoFeatures;
    type View = NoView;
    type Playout = Random;
    type Random = Random;

    fn start(_: &Variant) -> Result<TicTacToe, VariantError> {
        Ok(TicTacToe::default())
    }

    fn ending(&self) -> &'static str {
        match self.outcome() {
            Some(Outcome::Draw) => "board full",
            _ => "three in a row",
        }
    }

    fn dialect(protocol: Protocol) -> Option<Dialect<TicTacToe>> {
        dialect::of(protocol)
    }

    fn sau() -> Dialect<TicTacToe> {
        Dialect::plain(TicTacToe::write_sau, TicTacToe::parse_sau)
    }

    fn placed(&self) -> Option<[Vec<Cell>; 2]> {
        Some(Side::BOTH.map(|side| cells_of(self.cells(side)).collect()))
    }

    fn draw(&self) -> String {
        self.board_text()
    }

    fn picture(&self, view: &View<'_, TicTacToe>) -> Picture {
        draw::picture(self, view)
    }

    fn clicks(&self, cell: Cell) -> Vec<String> {
        draw::clicks(cell)
    }

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
