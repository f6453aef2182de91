//! Amazons as a game of the house.

use engine_core::Settings;
use entry::{Game, VariantError};

use crate::board::Amazons;
use crate::evaluate::Territory;
use crate::playout::{Random, Short};
use crate::variant::Variant;

impl Game for Amazons {
    const ID: &'static str = "amazons";
    const NAME: &'static str = "Amazons";
    const COLOURS: [&'static str; 2] = ["black", "white"];

    type Variant = Variant;
    type Evaluator = Territory;
    type Playout = Short;
    type Random = Random;

    fn start(variant: &Variant) -> Result<Amazons, VariantError> {
        variant.start()
    }

    fn ending(&self) -> &'static str {
        "all amazons blocked"
    }

    fn draw(&self) -> String {
        self.to_string()
    }

    fn evaluator(&self) -> Territory {
        Territory
    }

    fn playout(&self) -> Short {
        Short::default()
    }

    fn settings() -> Settings {
        Settings::default()
    }

    /// Each turn fills one square. The last third of a game fills territories that nobody can
    /// enter any more, which needs no thought, so a third of the empty squares is enough.
    fn turns_left(&self) -> u32 {
        (self.empty().count_ones() / 3).max(1)
    }
}
