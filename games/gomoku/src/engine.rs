//! Implements the interface to the referee and the entries.

use drawing::Picture;
use engine_core::mcts::TreeMethod;
use engine_core::threats::{ThreatPlayer, ThreatSearch};
use engine_core::{
    Algorithm, Method, Outcome, Position, SearchSettings, Selectivity, Settings, Side,
};
use game::view::{View, button};
use game::{
    Choice, Dialect, Drawn, Explained, Game, Guided, NewPlayer, Played, Searched, Standard,
    VariantError, Wanted, Written, player,
};
use protocol::Protocol;

use crate::board::{Colour, Gomoku};
use crate::dialect;
use crate::draw;
use crate::evaluate::PatternEvaluator;
use crate::forbidden::Forbidden;
use crate::moves::Action;
use crate::playout::Random;
use crate::state::Last;
use crate::threats::Threats;
use crate::variant::{ForbiddenRule, Opening, Variant};

/// The table of threats at the root has two to this power of entries: 6 MiB.
const THREAT_TABLE_BITS: u32 = 18;

impl Game for Gomoku {
    const ID: &'static str = "gomoku";
    const NAME: &'static str = "Gomoku";
    const COLOURS: [&'static str; 2] = ["black", "white"];
    const CHOICES: &'static [Choice] = &[
        Choice {
            key: "opening",
            words: &[
                ("prescribed", "The contest's openings, swap and offer"),
                ("free", "Anywhere, no swap"),
            ],
        },
        Choice {
            key: "forbidden",
            words: &[
                ("at-once", "A forbidden move loses at once"),
                ("claimed", "A forbidden move loses if claimed"),
                ("off", "Nothing is forbidden"),
            ],
        },
    ];

    type Variant = Variant;

    fn start(variant: &Variant) -> Result<Gomoku, VariantError> {
        variant.check()?;
        Ok(Gomoku::empty_board(*variant))
    }

    fn ending(&self) -> &'static str {
        match (self.outcome(), self.last()) {
            (_, Last::Passes) => "both passed",
            (Some(Outcome::Draw), _) => "board full",
            (_, Last::Claim(Forbidden::ThreeThree)) => "three-three, claimed",
            (_, Last::Claim(Forbidden::FourFour)) => "four-four, claimed",
            (_, Last::Claim(Forbidden::Overline)) => "overline, claimed",
            (_, Last::Forbidden(kind)) => kind.name(),
            _ => "five in a row",
        }
    }

    fn colour_index(&self, side: Side) -> usize {
        usize::from(self.side_of(Colour::White) == side)
    }
}

impl Written for Gomoku {
    fn out_of_turn(&self, colour: usize, _: Option<&Gomoku>) -> Option<Gomoku> {
        self.with_to_move(Colour::BOTH[colour])
    }

    fn read_sgf(text: &str, variant: &Variant) -> Option<Result<Played<Gomoku>, String>> {
        records::read_sgf(text, variant)
    }

    fn dialect(protocol: Protocol) -> Option<Dialect<Gomoku>> {
        dialect::of(protocol)
    }

    fn sau() -> Dialect<Gomoku> {
        Dialect::plain(Gomoku::write_sau, Gomoku::parse_sau)
    }

    /// 0 is free-style, 1 exactly five, 4 Renju.
    fn with_rule(variant: &Variant, rule: u32) -> Option<Variant> {
        let (forbidden, exactly_five) = match rule {
            0 => (ForbiddenRule::Off, false),
            1 => (ForbiddenRule::Off, true),
            4 => (ForbiddenRule::AtOnce, false),
            _ => return None,
        };
        Some(Variant {
            forbidden,
            exactly_five,
            ..*variant
        })
    }

    fn placed(&self) -> Option<[Vec<Action>; 2]> {
        let cells = |colour| self.cells_of(colour).cells().map(Action::Cell).collect();
        (self.variant().opening == Opening::Free).then(|| Colour::BOTH.map(cells))
    }
}

impl Drawn for Gomoku {
    fn draw(&self) -> String {
        self.board_text()
    }

    fn picture(&self, view: &View<'_, Gomoku>) -> Picture {
        draw::picture(self, view)
    }

    fn clicks(&self, action: Action) -> Vec<String> {
        draw::clicks(action).unwrap_or_else(|| button(self, action))
    }
}

impl Explained for Gomoku {}

impl Guided for Gomoku {}

impl Searched for Gomoku {
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 2,
        bench_depth: 3,
    };

    type Evaluator = PatternEvaluator;
    type Learned = ();
    type Playout = Random;
    type Random = Random;

    fn evaluator(&self) -> PatternEvaluator {
        PatternEvaluator::new(self)
    }

    fn playout(&self) -> Random {
        Random::default()
    }

    /// Depth-first search and `mcts` play only where continuous fours and threes find no win.
    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        let then = player(self, wanted)?;
        let algorithm = wanted.settings.resolve(wanted.algorithm);
        if !matches!(
            algorithm,
            Algorithm::Deepening(_) | Algorithm::Tree(TreeMethod::Tuned)
        ) {
            return Ok(then);
        }
        let board = Threats::new(self.variant());
        let search = ThreatSearch::new(THREAT_TABLE_BITS);
        Ok(Box::new(ThreatPlayer::new(
            board,
            Threats::follow,
            search,
            then,
        )))
    }

    fn settings() -> Settings {
        Settings {
            best: Algorithm::Deepening(Method::Selective),
            candidate_limit: Some(16),
            search: SearchSettings {
                aspiration: 60,
                counter_moves: true,
                continuation: true,
                selectivity: Selectivity {
                    late_move_reduction: 2.0,
                    cutoff_reduction: 1.5,
                    falling_reduction: 1.0,
                    late_move_pruning: 3,
                    futility: 320,
                    reverse_futility: 320,
                    razoring: 240,
                    widening: 6,
                    extend_forced: 1,
                    ..Selectivity::default()
                },
                ..SearchSettings::default()
            },
            ..Settings::default()
        }
    }

    /// The mean of the turns that are left in logged games against Rapfi: 22 at the start, 15 after eight
    /// turns, then 10 to 13 for as long as a game lasts.
    fn turns_left(&self) -> u32 {
        20_u32.saturating_sub(self.stones() as u32 / 2).max(10)
    }
}
