//! Implements the interface to the referee and the entries.

use std::sync::{Arc, LazyLock};

use drawing::Picture;
use engine_core::learned::Weights;
use engine_core::parameter::Parameter;
use engine_core::{
    Algorithm, Method, Position, SearchSettings, Selectivity, Settings, Side, TreeSettings,
};
use entry::weights::{self, Purpose};
use game::{
    Dialect, Drawn, Explained, Game, Guided, Lapse, LapseKind, NewPlayer, Searched, Standard,
    VariantError, View, Wanted, Written, player,
};

use crate::board::{Ending, Surakarta};
use crate::draw;
use crate::evaluate::{self, Evaluation};
use crate::inputs::Tuples;
use crate::moves::Action;
use crate::playout::{Random, Tactical};
use crate::variant::Variant;

/// Learned by `referee learn configs/learn/surakarta.toml`, 40 iterations from seed 1.
static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    weights::shipped::<Surakarta>(include_bytes!("../weights/tuples-1"), Purpose::Evaluation)
});

impl Game for Surakarta {
    const ID: &'static str = "surakarta";
    const NAME: &'static str = "Surakarta";
    const COLOURS: [&'static str; 2] = ["black", "white"];

    type Variant = Variant;

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
}

impl Written for Surakarta {
    fn sau() -> Dialect<Surakarta> {
        Dialect::plain(Surakarta::write_sau, Surakarta::parse_sau)
    }
}

impl Drawn for Surakarta {
    fn draw(&self) -> String {
        draw::draw(self)
    }

    fn picture(&self, view: &View<'_, Surakarta>) -> Picture {
        draw::picture(self, view)
    }

    fn clicks(&self, action: Action) -> Vec<String> {
        draw::clicks(action)
    }
}

impl Explained for Surakarta {
    /// Pieces.
    fn taken(&self, replied: &Surakarta) -> Option<Lapse> {
        let side = self.side().opponent();
        Lapse::of(LapseKind::Pieces, self.count(side) - replied.count(side))
    }
}

impl Guided for Surakarta {}

impl Searched for Surakarta {
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 5,
        bench_depth: 7,
    };
    const PARAMETERS: &'static [Parameter] = evaluate::Weights::PARAMETERS;

    type Evaluator = Evaluation;
    type Learned = (Tuples, (), ());
    type Playout = Tactical;
    type Random = Random;

    fn evaluator(&self) -> Evaluation {
        Evaluation::default()
    }

    fn playout(&self) -> Tactical {
        Tactical::default()
    }

    fn tuned(&self, values: &[f64]) -> (Evaluation, Tactical) {
        let evaluation = Evaluation::new(evaluate::Weights::of(values));
        (evaluation, Tactical::new(evaluation))
    }

    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        player(self, wanted)
    }

    /// Leaves are evaluated instead of played out, so one visit is enough to expand a node; their
    /// values are close together, so little exploration is needed.
    fn settings() -> Settings {
        Settings {
            // In `matches/samples/best`, 93 of 120 points; mcts 52.5, pvs 34.5.
            best: Algorithm::Deepening(Method::Selective),
            weights: Some(WEIGHTS.clone()),
            tree: TreeSettings {
                exploration: 0.12,
                expand_after: 1,
                prior_playouts: 1,
                ..TreeSettings::default()
            },
            // Captures come in sequences: with a quiescence search of captures, it wins 114, draws
            // 4 and loses 32 games against `pvs` at 4 000 nodes a move. The rest wins 73, draws 10 and
            // loses 13 against quiescence alone at 100 ms (`matches/samples/selectivity`).
            search: SearchSettings {
                selectivity: Selectivity {
                    quiescence: 8,
                    late_move_reduction: 1.2,
                    cutoff_reduction: 1.0,
                    history_reduction: 1.0,
                    reverse_futility: 60,
                    internal_reduction: 3,
                    singular: 5,
                    ..Selectivity::default()
                },
                ..SearchSettings::default()
            },
            ..Settings::default()
        }
    }

    /// The mean of the turns that are left in logged games: 24 to 29 at the start, 8 to 13 after 16 turns.
    /// Those that end in a chase until the quiet limit last some 20 more.
    fn turns_left(&self) -> u32 {
        let pieces = self.count(Side::First) + self.count(Side::Second);
        pieces.max(10)
    }
}
