//! Implements [`Game`], the interface to the referee and the entries.

use std::sync::{Arc, LazyLock};

use drawing::Picture;
use engine_core::convolution::Network;
use engine_core::learned;
use engine_core::mcts::{Selection, TreeMethod};
use engine_core::parameter::Parameter;
use engine_core::proof::Prover;
use engine_core::proof::guided;
use engine_core::{Algorithm, Settings, Side, TreeSettings};
use entry::networks;
use entry::weights::{self, Purpose};
use game::view::{View, button};
use game::{
    Choice, Dialect, Drawn, Explained, Game, Guided, Lapse, LapseKind, NewPlayer, Opener, Played,
    Searched, Standard, VariantError, Wanted, Written, player,
};
use protocol::Protocol;

use crate::board::{Colour, Hex};
use crate::dialect;
use crate::draw;
use crate::evaluate::{Distance, Weights};
use crate::features::Surroundings;
use crate::guide::ByConnections;
use crate::links;
use crate::moves::Action;
use crate::openings;
use crate::planes::Stones;
use crate::playout::{MixedPlayout, Random};
use crate::variant::{Opening, Variant};

/// Learned by `referee learn configs/learn/hex.toml`, 4 iterations from seed 1.
static POLICY: LazyLock<Arc<learned::Weights>> = LazyLock::new(|| {
    weights::shipped::<Hex>(include_bytes!("../weights/surroundings-1"), Purpose::Policy)
});

/// Trained by `training/train.py`.
static NETWORK: LazyLock<Arc<Network>> =
    LazyLock::new(|| networks::shipped::<Hex>(include_bytes!("../weights/stones-1")));

impl Game for Hex {
    const ID: &'static str = "hex";
    const NAME: &'static str = "Hex";
    const COLOURS: [&'static str; 2] = ["red", "blue"];
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
}

impl Written for Hex {
    const SAU_COLOURS: [&'static str; 2] = Self::COLOURS;

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

    fn read_sgf(text: &str, variant: &Variant) -> Option<Result<Played<Hex>, String>> {
        records::read_sgf(text, variant)
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
}

impl Drawn for Hex {
    fn draw(&self) -> String {
        draw::draw(self)
    }

    fn picture(&self, view: &View<'_, Hex>) -> Picture {
        draw::picture(self, view)
    }

    fn clicks(&self, action: Action) -> Vec<String> {
        draw::clicks(action).unwrap_or_else(|| button(self, action))
    }
}

impl Explained for Hex {
    /// Links between chains, and of chains to their edges.
    fn taken(&self, replied: &Hex) -> Option<Lapse> {
        Lapse::of(LapseKind::Links, links::cut(self, replied))
    }
}

impl Guided for Hex {
    /// With virtual connections, and the network's priors.
    fn prover(&self, settings: &Settings, bytes: usize) -> Option<Box<dyn Prover<Hex>>> {
        let evaluator =
            game::evaluator(self, settings).with_network(self, settings.network.as_ref());
        let guide = ByConnections::new(self, evaluator);
        Some(Box::new(guided::Guided::new(guide, bytes)))
    }

    /// A fair stone, if the other side may swap it.
    fn opener(&self, seed: u64) -> Option<Opener<Hex>> {
        let is_first = self.stone_count() == 0 && self.to_move() == Colour::Red;
        if self.variant().opening != Opening::Swap || !is_first || self.is_exchanged() {
            return None;
        }
        openings::fair(self.size(), seed).map(|cell| Opener {
            mv: Action::Place(cell),
            reason: "after which both sides win as often",
        })
    }
}

impl Searched for Hex {
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 3,
        bench_depth: 4,
    };
    const PARAMETERS: &'static [Parameter] = Weights::PARAMETERS;

    type Evaluator = Distance;
    type Learned = ((), Surroundings, Stones);
    type Playout = MixedPlayout;
    type Random = Random;

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
        // The policy alone says which children of a new node are worth a visit: to evaluate them
        // would cost a few dozen playouts.
        Settings {
            // In `matches/samples/best`, without a policy, 65 of 120 points; pvs 61, selective 54.
            // With one, 151 of 166 against that (`matches/samples/learned`).
            best: Algorithm::Tree(TreeMethod::Tuned),
            tree: TreeSettings {
                selection: Selection::Puct,
                exploration: 1.0,
                expand_after: 1,
                // 63 of 120 points against none, 300 ms a move; 0.33 made 57. It knows the winner 20
                // plies before the end, the tree alone 2.
                proof_share: 0.1,
                ..TreeSettings::default()
            },
            policy: Some(POLICY.clone()),
            network: Some(NETWORK.clone()),
            ..Settings::default()
        }
    }

    fn turns_left(&self) -> u32 {
        // Between players that see the end coming, a game fills some two fifths of the board.
        let cells = self.size() as u32 * self.size() as u32;
        let left = (cells * 2 / 5).saturating_sub(self.stone_count()) / 2;
        left.max(cells / 16).max(1)
    }
}
