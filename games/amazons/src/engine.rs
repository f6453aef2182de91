//! Implements the interface to the referee and the entries.

use drawing::Picture;
use engine_core::parameter::Parameter;
use engine_core::{
    Algorithm, Method, Position, SearchSettings, Selectivity, Settings, TreeSettings,
};
use game::{
    Dialect, Drawn, Explained, Game, Guided, Lapse, LapseKind, NewPlayer, Played, Searched,
    Standard, VariantError, View, Wanted, Written, player,
};
use protocol::Protocol;

use crate::board::Amazons;
use crate::dialect;
use crate::evaluate::{Territory, Weights};
use crate::moves::Action;
use crate::playout::{EvaluationPlayout, Random};
use crate::variant::Variant;

impl Game for Amazons {
    const ID: &'static str = "amazons";
    const NAME: &'static str = "Amazons";
    const COLOURS: [&'static str; 2] = ["black", "white"];

    type Variant = Variant;

    fn start(variant: &Variant) -> Result<Amazons, VariantError> {
        variant.start()
    }

    fn ending(&self) -> &'static str {
        "all amazons blocked"
    }
}

impl Written for Amazons {
    fn read_sgf(text: &str, variant: &Variant) -> Option<Result<Played<Amazons>, String>> {
        records::read_sgf(text, variant)
    }

    fn dialect(protocol: Protocol) -> Option<Dialect<Amazons>> {
        dialect::of(protocol)
    }

    fn sau() -> Dialect<Amazons> {
        Dialect::plain(Amazons::write_sau, Amazons::parse_sau)
    }
}

impl Drawn for Amazons {
    fn draw(&self) -> String {
        self.to_string()
    }

    fn picture(&self, view: &View<'_, Amazons>) -> Picture {
        self.board_picture(view)
    }

    fn clicks(&self, action: Action) -> Vec<String> {
        Amazons::squares_of(action)
    }
}

impl Explained for Amazons {
    /// Amazons that could move.
    fn taken(&self, replied: &Amazons) -> Option<Lapse> {
        let side = self.side().opponent();
        let before = self.walled_in(side);
        let after = replied.walled_in(side);
        Lapse::of(LapseKind::WalledIn, after.saturating_sub(before))
    }
}

impl Guided for Amazons {}

impl Searched for Amazons {
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 2,
        bench_depth: 3,
    };
    const PARAMETERS: &'static [Parameter] = Weights::PARAMETERS;

    type Evaluator = Territory;
    type Learned = ();
    type Playout = EvaluationPlayout;
    type Random = Random;

    fn evaluator(&self) -> Territory {
        Territory::default()
    }

    fn playout(&self) -> EvaluationPlayout {
        EvaluationPlayout::default()
    }

    fn tuned(&self, values: &[f64]) -> (Territory, EvaluationPlayout) {
        let evaluator = Territory::new(Weights::of(values));
        (evaluator.clone(), EvaluationPlayout::new(evaluator))
    }

    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        player(self, wanted)
    }

    /// Without priors, a search would have to visit all of a node's roughly 1000 children before it
    /// visits one twice.
    fn settings() -> Settings {
        Settings {
            // In `matches/samples/best`, 75 of 120 points; pvs, which it drew with, 63, mcts 42.
            best: Algorithm::Deepening(Method::Selective),
            // 137 of 216 against the same without (`matches/samples/selectivity`).
            search: SearchSettings {
                selectivity: Selectivity {
                    late_move_reduction: 1.0,
                    cutoff_reduction: 1.0,
                    history_reduction: 1.0,
                    null_move: 1,
                    reverse_futility: 40,
                    internal_reduction: 3,
                    ..Selectivity::default()
                },
                ..SearchSettings::default()
            },
            tree: TreeSettings {
                exploration: 0.2,
                expand_after: 10,
                prior_playouts: 5,
                ..TreeSettings::default()
            },
            ..Settings::default()
        }
    }

    /// Each turn fills one square. The last third of a game only fills territories that the
    /// opponent cannot enter, which needs no thought, so a third of the empty squares is enough.
    fn turns_left(&self) -> u32 {
        (self.empty().count_ones() / 3).max(1)
    }
}

#[cfg(test)]
mod tests {
    use engine_core::{Playout, Position, Rng};

    use super::*;

    #[test]
    fn turns_left_shrink_to_one() {
        let mut position = Amazons::start(&Variant::default()).unwrap();
        assert_eq!(position.turns_left(), 30);
        Random.run(&mut position, &mut Rng::new(1));
        assert!(position.outcome().is_some());
        assert!((1..10).contains(&position.turns_left()));
    }
}
