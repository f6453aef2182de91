//! Implements the interface to the referee and the entries.

use std::sync::{Arc, LazyLock};

use drawing::Picture;
use engine_core::learned;
use engine_core::parameter::Parameter;
use engine_core::{Algorithm, Method, SearchSettings, Settings, Side, TreeSettings};
use entry::weights::{self, Purpose};
use game::{
    Choice, Dialect, Drawn, Explained, Game, Guided, NewPlayer, Searched, Standard, VariantError,
    View, Wanted, Written, player,
};

use crate::board::Einstein;
use crate::draw;
use crate::evaluate::{RaceAndThreats, Weights};
use crate::inputs::PiecePairs;
use crate::layout::CHOICES;
use crate::moves::Action;
use crate::playout::{EarlyEnd, Random};
use crate::tables::distance;
use crate::variant::{Colour, Variant};

/// Learned by `referee learn configs/learn/einstein.toml`, 30 iterations from seed 1.
static WEIGHTS: LazyLock<Arc<learned::Weights>> = LazyLock::new(|| {
    weights::shipped::<Einstein>(include_bytes!("../weights/pairs-1"), Purpose::Evaluation)
});

impl Game for Einstein {
    const ID: &'static str = "einstein";
    const NAME: &'static str = "EinStein würfelt nicht!";
    /// Exchanged by the variant `first_colour = "blue"`.
    const COLOURS: [&'static str; 2] = ["red", "blue"];
    const CHOICES: &'static [Choice] = &[Choice {
        key: "first_colour",
        words: &[
            ("red", "Red, from the upper left"),
            ("blue", "Blue, from the lower right"),
        ],
    }];

    type Variant = Variant;

    fn start(variant: &Variant) -> Result<Einstein, VariantError> {
        variant.start()
    }

    fn ending(&self) -> &'static str {
        self.ending_words()
    }

    fn colour_index(&self, side: Side) -> usize {
        usize::from(self.colour(side) == Colour::Blue)
    }
}

impl Written for Einstein {
    const SAU_COLOURS: [&'static str; 2] = Self::COLOURS;

    fn sau() -> Dialect<Einstein> {
        Dialect::plain(Einstein::write_sau, Einstein::parse_sau)
    }
}

impl Drawn for Einstein {
    fn draw(&self) -> String {
        self.board_text()
    }

    fn picture(&self, view: &View<'_, Einstein>) -> Picture {
        draw::picture(self, view)
    }

    fn clicks(&self, action: Action) -> Vec<String> {
        draw::clicks(self, action)
    }
}

impl Explained for Einstein {}

impl Guided for Einstein {}

impl Searched for Einstein {
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 5,
        bench_depth: 6,
    };
    const PARAMETERS: &'static [Parameter] = Weights::PARAMETERS;

    type Evaluator = RaceAndThreats;
    type Learned = (PiecePairs, (), ());
    type Playout = EarlyEnd;
    type Random = Random;

    fn evaluator(&self) -> RaceAndThreats {
        RaceAndThreats::default()
    }

    fn playout(&self) -> EarlyEnd {
        EarlyEnd::default()
    }

    fn tuned(&self, values: &[f64]) -> (RaceAndThreats, EarlyEnd) {
        let evaluator = || RaceAndThreats::new(Weights::of(values));
        (evaluator(), EarlyEnd::new(evaluator()))
    }

    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        player(self, wanted)
    }

    /// The best of five settings in 400 games each against greedy at 15 ms a move, with shared
    /// dice: 64.5 % for this one, 61.8 % without priors at exploration 0.7. The candidate limit
    /// affects only layouts.
    fn settings() -> Settings {
        Settings {
            // In `matches/samples/best`, 61 of 120 points, as mcts; selective 58: within the error.
            best: Algorithm::Deepening(Method::Pvs),
            candidate_limit: Some(CHOICES),
            weights: Some(WEIGHTS.clone()),
            tree: TreeSettings {
                exploration: 0.1,
                prior_playouts: 10,
                ..TreeSettings::default()
            },
            search: SearchSettings {
                star2: true,
                ..SearchSettings::default()
            },
            ..Settings::default()
        }
    }

    fn turns_left(&self) -> u32 {
        // In logged games 9 turns are left at the start, 5 after four turns, and 2 after eight.
        let squares = self.armies.iter().flat_map(|army| army.squares()).flatten();
        1 + 2 * squares.map(distance).min().unwrap_or(3) as u32
    }
}
