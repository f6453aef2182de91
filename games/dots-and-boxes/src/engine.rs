//! Implements the interface to the referee and the entries.

use drawing::Picture;
use engine_core::mcts::TreeMethod;
use engine_core::players::{NoPlayer, PROOF_PART};
use engine_core::{Algorithm, Notation, Position, Settings, Side, TreeSettings};
use game::{
    Dialect, Drawn, Explained, Game, Guided, Lapse, LapseKind, NewPlayer, Searched, Standard,
    VariantError, View, Wanted, Written, player,
};
use protocol::Protocol;

use crate::board::DotsAndBoxes;
use crate::dialect;
use crate::draw;
use crate::evaluate::Chains;
use crate::moves::Edge;
use crate::player::{SOLVED_OPEN, SolvingPlayer};
use crate::playout::{Random, Sensible};
use crate::solver::Solver;
use crate::variant::Variant;

impl Game for DotsAndBoxes {
    const ID: &'static str = "dots-and-boxes";
    const NAME: &'static str = "Dots and Boxes";
    const COLOURS: [&'static str; 2] = ["red", "blue"];

    type Variant = Variant;

    fn start(variant: &Variant) -> Result<DotsAndBoxes, VariantError> {
        variant.start()
    }

    fn ending(&self) -> &'static str {
        let (red, blue) = (self.boxes_of(Side::First), self.boxes_of(Side::Second));
        match self.open() {
            0 if self.lines.drawn != self.geometry.all => "more than half of the boxes",
            _ if red == blue => "all edges drawn, equal boxes",
            _ => "all edges drawn, more boxes",
        }
    }

    fn can_be_drawn(&self) -> bool {
        (self.geometry.columns * self.geometry.rows).is_multiple_of(2)
    }
}

impl Written for DotsAndBoxes {
    fn dialect(protocol: Protocol) -> Option<Dialect<DotsAndBoxes>> {
        dialect::of(protocol)
    }

    fn sau() -> Dialect<DotsAndBoxes> {
        Dialect::plain(DotsAndBoxes::write_sau, DotsAndBoxes::parse_sau)
    }
}

impl Drawn for DotsAndBoxes {
    fn draw(&self) -> String {
        self.board_text()
    }

    fn picture(&self, view: &View<'_, DotsAndBoxes>) -> Picture {
        draw::picture(self, view)
    }

    fn clicks(&self, edge: Edge) -> Vec<String> {
        vec![self.write_move(edge)]
    }
}

impl Explained for DotsAndBoxes {
    /// Boxes.
    fn taken(&self, replied: &DotsAndBoxes) -> Option<Lapse> {
        let side = self.side();
        let boxes = replied.boxes_of(side) - self.boxes_of(side);
        Lapse::of(LapseKind::Boxes, boxes)
    }
}

impl Guided for DotsAndBoxes {}

impl Searched for DotsAndBoxes {
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 3,
        bench_depth: 4,
    };

    type Evaluator = Chains;
    type Learned = ();
    type Playout = Sensible;
    type Random = Random;

    fn evaluator(&self) -> Chains {
        Chains
    }

    fn playout(&self) -> Sensible {
        Sensible
    }

    /// The tree with all refinements plays what the solver does not solve.
    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        let share = wanted.settings.tree.proof_share;
        let algorithm = wanted.settings.resolve(wanted.algorithm);
        if algorithm != Algorithm::Tree(TreeMethod::Tuned) || share == 0.0 {
            return player(self, wanted);
        }
        // The solver stands in place of a proof search.
        let mut settings = wanted.settings.clone();
        settings.tree.proof_share = 0.0;
        let mut resources = wanted.resources;
        let solver_mb = resources.table_mb / PROOF_PART;
        resources.table_mb -= solver_mb;
        let of_tree = Wanted {
            settings: &settings,
            resources,
            ..wanted
        };
        let then = player(self, of_tree)?;
        let solver = Solver::new(solver_mb << 20).ok_or(NoPlayer::OutOfMemory)?;
        Ok(Box::new(SolvingPlayer::new(solver, then, share.into())))
    }

    fn settings() -> Settings {
        // Before the chains are formed, playouts alone say little; the evaluation says more.
        Settings {
            // In `matches/samples/best`, before its tree was tuned, 81 of 120 points; pvs 51,
            // selective 48.
            best: Algorithm::Tree(TreeMethod::Tuned),
            candidate_limit: Some(usize::MAX),
            // Found by SPSA (`configs/tune/dots-and-boxes.toml`).
            tree: TreeSettings {
                exploration: 0.355,
                expand_after: 1,
                prior_playouts: 9,
                // Of the solver.
                proof_share: 0.33,
                ..TreeSettings::default()
            },
            ..Settings::default()
        }
    }

    /// Once the solver can finish, turns take next to no time. A search without it nearly solves the rest,
    /// too.
    fn turns_left(&self) -> u32 {
        let open = self.open().count_ones();
        2 + open.saturating_sub(SOLVED_OPEN) / 2
    }
}
