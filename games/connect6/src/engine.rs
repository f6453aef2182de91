//! Implements the interface to the referee and the entries.

use std::sync::{Arc, LazyLock};

use drawing::Picture;
use engine_core::learned;
use engine_core::parameter::Parameter;
use engine_core::threats::{ThreatPlayer, ThreatSearch};
use engine_core::{
    Algorithm, Method, Outcome, Position, SearchSettings, Selectivity, Settings, Side, TreeSettings,
};
use entry::weights::{self, Purpose};
use game::{
    Dialect, Drawn, Explained, Game, Guided, NewPlayer, Played, Searched, Standard, VariantError,
    View, Wanted, Written, player,
};
use protocol::Protocol;

use crate::attack::Threats;
use crate::evaluate::Weights;
use crate::features::Lines;
use crate::{Connect6, Random, Stone, ThreatPlayout, Variant, WindowEvaluator, dialect, draw};

/// The table of threats at the root has two to this power of entries: 10 MiB.
const THREAT_TABLE_BITS: u32 = 18;

/// Learned by `referee learn configs/learn/connect6.toml`, 4 iterations from seed 1, when late moves
/// were reduced by 1.3 and nothing was pruned.
static POLICY: LazyLock<Arc<learned::Weights>> = LazyLock::new(|| {
    weights::shipped::<Connect6>(include_bytes!("../weights/lines-1"), Purpose::Policy)
});

impl Game for Connect6 {
    const ID: &'static str = "connect6";
    const NAME: &'static str = "Connect6";
    const COLOURS: [&'static str; 2] = ["black", "white"];

    type Variant = Variant;

    fn start(variant: &Variant) -> Result<Connect6, VariantError> {
        variant.start()
    }

    fn ending(&self) -> &'static str {
        match self.outcome() {
            Some(Outcome::Draw) => "board full",
            _ => "six in a row",
        }
    }
}

impl Written for Connect6 {
    fn out_of_turn(&self, colour: usize, _: Option<&Connect6>) -> Option<Connect6> {
        let left = if self.stones() == 0 { 1 } else { 2 };
        Connect6::set_up(self.size(), self.all_stones(), Side::BOTH[colour], left)
    }

    fn read_sgf(text: &str, variant: &Variant) -> Option<Result<Played<Connect6>, String>> {
        records::read_sgf(text, variant)
    }

    fn dialect(protocol: Protocol) -> Option<Dialect<Connect6>> {
        dialect::of(protocol)
    }

    fn sau() -> Dialect<Connect6> {
        Dialect::plain(Connect6::write_sau, Connect6::parse_sau)
    }

    fn placed(&self) -> Option<[Vec<Stone>; 2]> {
        let mut placed = [Vec::new(), Vec::new()];
        for (side, stone) in self.all_stones() {
            placed[side.index()].push(stone);
        }
        Some(placed)
    }
}

impl Drawn for Connect6 {
    fn draw(&self) -> String {
        self.board_text()
    }

    fn picture(&self, view: &View<'_, Connect6>) -> Picture {
        draw::picture(self, view)
    }

    fn clicks(&self, stone: Stone) -> Vec<String> {
        draw::clicks(stone)
    }
}

impl Explained for Connect6 {}

impl Guided for Connect6 {
    /// The usual openings of people, searched further; its first line says how.
    fn book() -> Option<&'static [u8]> {
        Some(include_bytes!("../books/standard.book"))
    }
}

impl Searched for Connect6 {
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 2,
        bench_depth: 8,
    };
    const PARAMETERS: &'static [Parameter] = Weights::PARAMETERS;

    type Evaluator = WindowEvaluator;
    type Learned = ((), Lines, ());
    type Playout = ThreatPlayout;
    type Random = Random;

    fn evaluator(&self) -> WindowEvaluator {
        WindowEvaluator::new(self.size())
    }

    fn playout(&self) -> ThreatPlayout {
        ThreatPlayout::new(self.size())
    }

    fn tuned(&self, values: &[f64]) -> (WindowEvaluator, ThreatPlayout) {
        let weights = Weights::of(values);
        (
            WindowEvaluator::with(self.size(), weights),
            ThreatPlayout::with(self.size(), weights),
        )
    }

    /// Depth-first search plays only where continuous double threats find no win.
    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        let then = player(self, wanted)?;
        let algorithm = wanted.settings.resolve(wanted.algorithm);
        if !matches!(algorithm, Algorithm::Deepening(_)) {
            return Ok(then);
        }
        Ok(Box::new(ThreatPlayer::new(
            Threats::new(self.size(), Weights::DEFAULT.growth()),
            Threats::follow,
            ThreatSearch::new(THREAT_TABLE_BITS),
            then,
        )))
    }

    /// The policy's eight candidates are better than more of them.
    fn settings() -> Settings {
        Settings {
            // 191 of 282 against `pvs` with candidates by hand (`matches/samples/learned`).
            best: Algorithm::Deepening(Method::Selective),
            candidate_limit: Some(8),
            search: SearchSettings {
                selectivity: Selectivity {
                    late_move_reduction: 1.0,
                    cutoff_reduction: 2.0,
                    reverse_futility: 30,
                    internal_reduction: 3,
                    win_depth: 6,
                    widening: 6,
                    // A longer complete list may be that of all cells of a small board.
                    extend_forced: 6,
                    ..Selectivity::default()
                },
                ..SearchSettings::default()
            },
            tree: TreeSettings {
                prior_playouts: 3,
                exploration: 0.3,
                ..TreeSettings::default()
            },
            policy: Some(POLICY.clone()),
            ..Settings::default()
        }
    }

    /// The mean of the turns that are left in logged games: 11 to 14 at the start, and some 7 for as long
    /// as a game lasts.
    fn turns_left(&self) -> u32 {
        13_u32.saturating_sub(self.stones() as u32 / 4).max(7)
    }
}
