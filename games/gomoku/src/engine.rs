//! Implements the interface to the referee and the entries.

use engine_core::{Algorithm, Method, Outcome, Position, Settings, Side};
use entry::record::{Format, Reading, read_first};
use entry::{Dialect, Game, NewPlayer, Protocol, Standard, VariantError, Wanted, player};

use crate::board::{Colour, Gomoku, Last};
use crate::dialect;
use crate::evaluate::OpenWindows;
use crate::forbidden::Forbidden;
use crate::moves::Action;
use crate::playout::Random;
use crate::variant::{ForbiddenRule, Opening, Variant};

impl Game for Gomoku {
    const ID: &'static str = "gomoku";
    const NAME: &'static str = "Gomoku";
    const COLOURS: [&'static str; 2] = ["black", "white"];
    const STANDARD: Standard = Standard {
        text: include_str!("../positions/standard.txt"),
        depth: 2,
        bench_depth: 3,
    };

    type Variant = Variant;
    type Evaluator = OpenWindows;
    type Playout = Random;
    type Random = Random;

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

    fn out_of_turn(&self, colour: usize, _: Option<&Gomoku>) -> Option<Gomoku> {
        self.with_to_move(Colour::BOTH[colour])
    }

    fn read_sgf(text: &str, variant: &Variant) -> Option<Reading<Gomoku>> {
        read_first(Format::Sgf, variant, text)
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

    fn draw(&self) -> String {
        self.picture()
    }

    fn evaluator(&self) -> OpenWindows {
        OpenWindows
    }

    fn playout(&self) -> Random {
        Random::default()
    }

    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self> {
        player(self, wanted)
    }

    fn settings() -> Settings {
        Settings {
            best: Algorithm::Deepening(Method::Pvs),
            ..Settings::default()
        }
    }

    fn turns_left(&self) -> u32 {
        20_u32.saturating_sub(self.stones() as u32 / 4).max(8)
    }
}
