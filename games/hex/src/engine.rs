//! Implements [`Game`], the interface to the referee and the entries.

use drawing::Picture;
use engine_core::learned::NoInputs;
use engine_core::mcts::TreeMethod;
use engine_core::parameter::Parameter;
use engine_core::{Algorithm, Settings, Side, TreeSettings};
use entry::record::{Format, Reading, read_first};
use entry::view::{View, button};
use entry::{Choice, Dialect, Game, NewPlayer, Protocol, Standard, VariantError, Wanted, player};

use crate::board::{Colour, Hex};
use crate::dialect;
use crate::draw;
use crate::evaluate::{Distance, Weights};
use crate::features::Surroundings;
use crate::moves::Action;
use crate::playout::{MixedPlayout, Random};
use crate::variant::Variant;

impl Game for Hex {
    const ID: &'static str = "hex";
    const NAME: &'static str = "Hex";
    const COLOURS: [&'static str; 2] = ["red", "blue"];
    const SAU_COLOURS: [&'static str; 2] = Self::COLOURS;
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 3,
        bench_depth: 4,
    };
    const PARAMETERS: &'static [Parameter] = Weights::PARAMETERS;
    const CHOICES: &'static [Choice] = &[
        Choice {
            key: "opening",
            words: &[
                ("free", "Anywhere, no swap"),
                ("swap", "Second may swap the first stone"),
            ],
        },
        Choice {
            key: "swap",
            words: &[
                ("swap-pieces", "The stone is mirrored"),
                ("swap-sides", "The players change colours"),
            ],
        },
    ];
    type Variant = Variant;
    type Evaluator = Distance;
    type Inputs = NoInputs;
    type Features = Surroundings;
    type Playout = MixedPlayout;
    type Random = Random;

    fn start(variant: &Variant) -> Result<Hex, VariantError> {
        variant.check()?;
        Ok(Hex::empty_board(*variant))
    }

    fn ending(&self) -> &'static str {
        match self.winner() {
            Some(Colour::Blue) => "chain from left to right",
            _ => "chain from top to bottom",
        }
    }

    fn colour_index(&self, side: Side) -> usize {
        usize::from(self.side_of(Colour::Blue) == side)
    }

    /// If the last turn was a swap of pieces and blue acts again, the players have exchanged colours
    /// instead, as in HexGui: the stone stays.
    fn out_of_turn(&self, colour: usize, before: Option<&Hex>) -> Option<Hex> {
        let colour = [Colour::Red, Colour::Blue][colour];
        let unswapped = before.filter(|before| before.may_swap() && self.stone_count() == 1);
        Some(match unswapped {
            Some(before) if !self.is_exchanged() && colour == Colour::Blue => {
                before.with_sides_exchanged()
            }
            _ => self.with_to_move(colour),
        })
    }

    fn read_sgf(text: &str, variant: &Variant) -> Option<Reading<Hex>> {
        read_first(Format::Sgf, variant, text)
    }

    fn dialect(protocol: Protocol) -> Option<Dialect<Hex>> {
        dialect::of(protocol)
    }

    fn sau() -> Dialect<Hex> {
        Dialect::plain(Hex::write_sau, Hex::parse_sau)
    }

    fn placed(&self) -> Option<[Vec<Action>; 2]> {
        let stones = |colour| self.stones(colour).cells().map(Action::Place).collect();
        (!self.is_exchanged()).then(|| [Colour::Red, Colour::Blue].map(stones))
    }

    fn draw(&self) -> String {
        draw::draw(self)
    }

    fn picture(&self, view: &View<'_, Hex>) -> Picture {
        draw::picture(self, view)
    }

    fn clicks(&self, action: Action) -> Vec<String> {
        draw::clicks(action).unwrap_or_else(|| button(self, action))
    }

    fn evaluator(&self) -> Distance {
        Distance::new(self.size())
    }

    fn playout(&self) -> MixedPlayout {
        MixedPlayout::new(self.size())
    }

    fn tuned(&self, values: &[f64]) -> (Distance, MixedPlayout) {
        let evaluator = self.evaluator().with(Weights::of(values));
        (evaluator.clone(), MixedPlayout::with(evaluator))
    }

    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        player(self, wanted)
    }

    fn settings() -> Settings {
        // The evaluation orders the children of a new node. It costs as much as a few dozen
        // playouts, but lets little exploration suffice.
        Settings {
            // In `matches/samples/best`, 65 of 120 points; pvs 61, selective 54: within the error.
            best: Algorithm::Tree(TreeMethod::Tuned),
            tree: TreeSettings {
                exploration: 0.1,
                expand_after: 20,
                prior_playouts: 5,
                ..TreeSettings::default()
            },
            ..Settings::default()
        }
    }

    fn turns_left(&self) -> u32 {
        // Between players that see the end coming, a game fills about half of the board.
        let cells = self.size() as u32 * self.size() as u32;
        let left = (cells / 2).saturating_sub(self.stone_count()) / 2;
        left.max(cells / 16).max(1)
    }
}
