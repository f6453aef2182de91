//! Contest records (棋谱), and the game's part of the other record formats.
//!
//! ```text
//! {[C5][one team B][another W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(H,8);W(H,9);B(J,10);W(G,7)}
//! ```
//!
//! One token per action, rows from the bottom; the grammar is in [`records::stones`]. Most
//! records have only stones: black then offers one fifth stone, and nobody swaps. Otherwise:
//!
//! - `B(X,3)` after the third stone: black will offer three fifth stones;
//! - `W(swap)` instead of the fourth stone: the players exchange colours, and white's fourth stone
//!   follows;
//! - after the fourth stone, a token for each stone that black offers, `B(A,1);B(B,1);B(C,1)`, and the
//!   one that white keeps, `W(B,1)`;
//! - `W(pass)` and `W(claim)`.

use engine_core::{Position, Side};
use records::{OnBoard, Part, Reading, Record, Recorded, Sgf, Unwritable, stones};

use crate::board::Gomoku;
use crate::moves::Action;
use crate::opening::Stage;
use crate::variant::{ForbiddenRule, Opening, Variant};

impl Recorded for Gomoku {
    const CODE: &'static str = "C5";
    const LETTERS: [char; 2] = ['B', 'W'];
    /// Programs for Renju also write the numbers of Go and of Nine Men's Morris.
    const SGF: Option<Sgf> = Some(Sgf {
        number: 4,
        others: &[1, 5],
        is_sau: false,
        swaps: &["swap"],
        by_colour: true,
        has_edges: false,
    });

    /// Gomocup has no ceremony, and its usual game is free-style.
    const PSQ: Option<OnBoard<Variant>> = Some(|variant, size| Variant {
        size,
        ..match variant.opening {
            Opening::Prescribed => Variant::FREE_STYLE,
            Opening::Free => *variant,
        }
    });

    /// First sets up the stones of both colours.
    fn recorded_side(&self) -> Side {
        self.side_of(self.to_move())
    }

    /// One fifth stone, and that white keeps the only one.
    fn implied(&self) -> Option<Action> {
        match (self.stage(), self.offers()) {
            (Stage::Count, _) => Some(Action::Count(1)),
            (Stage::Keep, &[only]) => Some(Action::Cell(only)),
            _ => None,
        }
    }

    fn size(variant: &Variant) -> Option<u8> {
        Some(variant.size)
    }

    /// The prescribed openings are those of one size; other boards are free-style.
    fn resized(variant: &Variant, size: u8) -> Option<Variant> {
        let of_contest = variant.opening == Opening::Prescribed && size != Variant::default().size;
        Some(if of_contest {
            Variant {
                size,
                ..Variant::FREE_STYLE
            }
        } else {
            Variant { size, ..*variant }
        })
    }

    /// Gomocup's numbers, which c-gomoku-cli writes into SGF, and the words of [`Variant`]:
    /// `0`, `1`, `4`, `prescribed`, `prescribed,claimed`.
    fn by_rules(variant: &Variant, words: &str) -> Option<Result<Variant, String>> {
        let mut rules = Variant {
            size: variant.size,
            ..Variant::FREE_STYLE
        };
        for word in words.split(',') {
            match word {
                "0" | "freestyle" | "free-style" | "gomoku" => {}
                "1" | "standard" | "exactlyfive" | "exactly-five" => rules.exactly_five = true,
                "4" | "renju" => rules.forbidden = ForbiddenRule::AtOnce,
                "prescribed" => {
                    rules.opening = Opening::Prescribed;
                    rules.forbidden = ForbiddenRule::AtOnce;
                }
                "claimed" => rules.forbidden = ForbiddenRule::Claimed,
                "off" => rules.forbidden = ForbiddenRule::Off,
                _ => {
                    return Some(Err(
                        "the rules 0 (free-style), 1 (exactly five), 4 (Renju) or prescribed (the \
                         contest's), or --variant to name the rules"
                            .to_owned(),
                    ));
                }
            }
        }
        Some(Ok(rules))
    }

    fn rules_words(variant: &Variant) -> Option<String> {
        let words = match (variant.opening, variant.forbidden, variant.exactly_five) {
            (Opening::Free, ForbiddenRule::Off, false) => "0",
            (Opening::Free, ForbiddenRule::Off, true) => "1",
            (Opening::Free, ForbiddenRule::AtOnce, _) => "4",
            (Opening::Free, ForbiddenRule::Claimed, _) => "4,claimed",
            (Opening::Prescribed, ForbiddenRule::AtOnce, _) => "prescribed",
            (Opening::Prescribed, ForbiddenRule::Claimed, _) => "prescribed,claimed",
            (Opening::Prescribed, ForbiddenRule::Off, false) => "prescribed,off",
            (Opening::Prescribed, ForbiddenRule::Off, true) => "prescribed,off,1",
        };
        Some(words.to_owned())
    }

    /// A record that is none of the contest's openings is free-style; where the game goes on after six
    /// in a row, exactly five win or black may not make six.
    fn other_rules(variant: &Variant, stopped: &Gomoku) -> Vec<Variant> {
        let size = variant.size;
        let free = |forbidden, exactly_five| Variant {
            size,
            opening: Opening::Free,
            forbidden,
            exactly_five,
        };
        let no_free_style = [
            free(ForbiddenRule::Off, true),
            free(ForbiddenRule::AtOnce, false),
        ];
        let is_in_opening = variant.opening == Opening::Prescribed && stopped.stage() < Stage::Play;
        let is_over = stopped.outcome().is_some();
        match *variant == free(ForbiddenRule::Off, false) {
            true if is_over => no_free_style.to_vec(),
            false if is_in_opening => {
                [&[free(ForbiddenRule::Off, false)], &no_free_style[..]].concat()
            }
            _ => Vec::new(),
        }
    }

    fn read_contest(part: Part<'_>, variant: &Variant) -> Reading<Gomoku> {
        stones::read(part, variant)
    }

    fn write_contest(record: &Record<Gomoku>) -> Result<String, Unwritable> {
        stones::write(record, ";")
    }
}
