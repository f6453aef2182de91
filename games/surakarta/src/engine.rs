//! The game as the rest of the house sees it.

use engine_core::Side;
use entry::{Game, VariantError};

use crate::board::{Ending, Surakarta};
use crate::draw;
use crate::evaluate::Evaluation;
use crate::playout::{Random, Tactical};
use crate::variant::Variant;

impl Game for Surakarta {
    const ID: &'static str = "surakarta";
    const NAME: &'static str = "Surakarta";
    const COLOURS: [&'static str; 2] = ["black", "white"];

    type Variant = Variant;
    type Evaluator = Evaluation;
    type Playout = Tactical;
    type Random = Random;

    fn start(variant: &Variant) -> Result<Surakarta, VariantError> {
        Ok(Surakarta::new(*variant))
    }

    fn ending(&self) -> &'static str {
        match self.ending_kind() {
            Some(Ending::NoPieces) => "no pieces left",
            Some(Ending::NoMove) => "no legal move",
            Some(Ending::Repetition) => "threefold repetition, pieces counted",
            Some(Ending::QuietLimit) => "too long without a capture, pieces counted",
            None => "not over",
        }
    }

    fn draw(&self) -> String {
        draw::draw(self)
    }

    fn evaluator(&self) -> Evaluation {
        Evaluation
    }

    fn playout(&self) -> Tactical {
        Tactical::default()
    }

    /// A piece of either side stands for a turn or two until it is captured; then comes a chase that
    /// the quiet limit, if there is one, ends.
    fn turns_left(&self) -> u32 {
        let pieces = self.count(Side::First) + self.count(Side::Second);
        8 + pieces
    }
}
