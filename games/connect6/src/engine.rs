//! Implements the interface to the referee and the entries.

use engine_core::players::{NoPlayer, player};
use engine_core::{
    Algorithm, Method, Outcome, Position, Resources, Search, Settings, TreeSettings,
};
use entry::{Dialect, Game, Protocol, Standard, VariantError};

use crate::{Connect6, Random, ThreatPlayout, Variant, WindowEvaluator, dialect};

impl Game for Connect6 {
    const ID: &'static str = "connect6";
    const NAME: &'static str = "Connect6";
    const COLOURS: [&'static str; 2] = ["black", "white"];
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 2,
        bench_depth: 8,
    };

    type Variant = Variant;
    type Evaluator = WindowEvaluator;
    type Playout = ThreatPlayout;
    type Random = Random;

    fn start(variant: &Variant) -> Result<Connect6, VariantError> {
        variant.start()
    }

    fn ending(&self) -> &'static str {
        match self.outcome() {
            Some(Outcome::Draw) => "board full",
            _ => "six in a row",
        }
    }

    fn dialect(protocol: Protocol) -> Option<Dialect<Connect6>> {
        dialect::of(protocol)
    }

    fn draw(&self) -> String {
        self.picture()
    }

    fn evaluator(&self) -> WindowEvaluator {
        WindowEvaluator::new(self.size())
    }

    fn playout(&self) -> ThreatPlayout {
        ThreatPlayout::new(self.size())
    }

    fn player(
        &self,
        algorithm: Algorithm,
        settings: &Settings,
        resources: Resources,
    ) -> Result<Box<dyn Search<Self>>, NoPlayer> {
        let (evaluator, playout) = (|| self.evaluator(), || self.playout());
        player(algorithm, evaluator, playout, settings, resources)
    }

    /// With twelve candidates, both searches reach the opponent's turn at 50 ms a move.
    fn settings() -> Settings {
        Settings {
            // In `matches/samples/best`, 76 of 120 points; selective 66, mcts 38.
            best: Algorithm::Deepening(Method::Pvs),
            candidate_limit: Some(12),
            tree: TreeSettings {
                prior_playouts: 3,
                exploration: 0.3,
                ..TreeSettings::default()
            },
            ..Settings::default()
        }
    }

    /// Half of the 829 games under `tests/data` have at most 39 stones, 90 % at most 71: ten and
    /// eighteen turns a side.
    fn turns_left(&self) -> u32 {
        18_u32.saturating_sub(self.stones() as u32 / 4).max(6)
    }
}
