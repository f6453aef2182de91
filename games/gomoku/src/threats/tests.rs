use std::collections::HashSet;

use engine_core::threats::ThreatSearch;
use engine_core::{Algorithm, Limits, Outcome, Position, Resources, Rng};
use game::Searched;

use super::*;
use crate::board::{Colour, Description};
use crate::geometry::Cell;
use crate::patterns::index_of;
use crate::state::Last;
use crate::variant::ForbiddenRule;

const RENJU: Variant = Variant {
    forbidden: ForbiddenRule::AtOnce,
    ..Variant::FREE_STYLE
};
const CLAIMED: Variant = Variant {
    forbidden: ForbiddenRule::Claimed,
    ..Variant::FREE_STYLE
};
const STANDARD: Variant = Variant {
    exactly_five: true,
    ..Variant::FREE_STYLE
};

fn sized(variant: Variant, size: u8) -> Variant {
    Variant { size, ..variant }
}

/// A position after random stones near others, in which nobody has won and no forbidden move
/// waits for a claim.
fn random(variant: Variant, stones: u32, rng: &mut Rng) -> Gomoku {
    'again: loop {
        let mut position = Gomoku::empty_board(variant);
        for _ in 0..stones {
            let near = position.near_cells();
            let Some(cell) = near.nth(rng.below(near.count())) else {
                continue 'again;
            };
            position.play(Action::Cell(cell));
            if position.outcome().is_some() || position.may_claim() {
                continue 'again;
            }
        }
        return position;
    }
}

fn of(position: &Gomoku) -> Threats {
    let mut threats = Threats::new(position.variant());
    threats.follow(position);
    threats
}

/// A position from rows of text, the highest first: `x` black, `o` white.
fn board(variant: Variant, rows: &[&str], to_move: Colour) -> Gomoku {
    let size = rows.len() as u8;
    let stones = |wanted| {
        let cells = rows
            .iter()
            .zip((0..size).rev())
            .flat_map(move |(text, row)| {
                let columns = text.split(' ').zip(0..).filter(move |(c, _)| *c == wanted);
                columns.map(move |(_, column)| Cell::new(column, row))
            });
        cells.collect::<Vec<_>>()
    };
    let described = Description {
        stones: [(Colour::Black, "x"), (Colour::White, "o")]
            .into_iter()
            .flat_map(|(colour, text)| stones(text).into_iter().map(move |c| (colour, c)))
            .collect(),
        to_move,
        count: 0,
        offers: Vec::new(),
        exchanged: false,
        last: Last::Stone,
    };
    Gomoku::set_up(sized(variant, size), described).unwrap()
}

#[test]
fn forbidden_points_agree_with_the_rules() {
    let mut rng = Rng::new(3);
    let mut forbidden = 0;
    for number in 0..1_600 {
        let size = if number < 1_500 { 15 } else { 20 };
        let stones = 10 + rng.below(70);
        let position = random(sized(CLAIMED, size), stones, &mut rng);
        let mut patterns = of(&position).patterns;
        for cell in position.empty_cells().cells() {
            let expected = position.forbidden(cell).is_some();
            let found = patterns.is_forbidden(0, index_of(cell));
            assert_eq!(found, expected, "{cell:?} {position:?}");
            forbidden += u32::from(expected);
        }
    }
    assert!(forbidden > 1_000, "{forbidden}");
}

#[test]
fn fives_agree_with_the_rules() {
    let mut rng = Rng::new(4);
    for variant in [Variant::FREE_STYLE, STANDARD, RENJU] {
        for number in 0..150 {
            let size = if number < 100 { 13 } else { 20 };
            let stones = 10 + rng.below(100);
            let position = random(sized(variant, size), stones, &mut rng);
            let (own, threats) = (position.to_move(), of(&position));
            for cell in position.empty_cells().cells() {
                let mut after = position.clone();
                after.play(Action::Cell(cell));
                let wins = after.outcome() == Some(Outcome::Win(position.side_of(own)));
                let mark = threats.patterns.mark(own as usize, index_of(cell));
                assert_eq!(mark == Mark::Five, wins, "{cell:?} {position:?}");
            }
        }
    }
}

#[test]
fn patterns_that_follow_are_those_made_anew() {
    let mut rng = Rng::new(5);
    for variant in [
        Variant::FREE_STYLE,
        STANDARD,
        RENJU,
        sized(RENJU, 5),
        sized(STANDARD, 19),
        sized(RENJU, 20),
    ] {
        let most = (variant.size as u32).pow(2) / 3;
        let mut followed = Threats::new(variant).patterns;
        for _ in 0..100 {
            let stones = rng.below(most);
            let position = random(variant, stones, &mut rng);
            followed.follow(&position);
            assert!(followed == of(&position).patterns);
            for cell in position.empty_cells().cells() {
                followed.add(rng.below(2) as usize, index_of(cell));
                if rng.below(2) == 0 {
                    followed.take_back();
                }
            }
            while followed.take_back() {}
            assert!(followed == of(&position).patterns);
        }
    }
}

/// A checker of wins. It asks the search for the attacker's moves, and the rules for all else.
struct Checker {
    level: u32,
    threats: Threats,
    search: ThreatSearch<Action>,
    /// Keys of won positions.
    won: HashSet<u64>,
}

impl Checker {
    fn new(variant: Variant, level: u32) -> Checker {
        Checker {
            level,
            threats: Threats::new(variant),
            search: ThreatSearch::new(12),
            won: HashSet::new(),
        }
    }

    /// A win by threats of a level: its first move and its plies.
    fn find(&mut self, position: &Gomoku, level: u32) -> Option<(Action, u32)> {
        self.threats.follow(position);
        self.search
            .find(&mut self.threats, level, &Limits::nodes(20_000))
    }

    /// Whether the side to move wins by the moves of the search, whatever the other side does:
    /// all its legal actions are tried.
    fn holds(&mut self, position: &mut Gomoku) -> bool {
        if position.may_claim() || self.won.contains(&position.key()) {
            return true;
        }
        let side = position.side();
        let found = (0..=self.level).find_map(|level| self.find(position, level));
        let Some((action, _)) = found else {
            return false;
        };
        let undo = position.play(action);
        let won = match position.outcome() {
            Some(outcome) => outcome == Outcome::Win(side),
            // A stone that may be claimed is forbidden.
            None => !position.may_claim() && self.all_replies_lose(position),
        };
        position.undo(action, undo);
        if won {
            self.won.insert(position.key());
        }
        won
    }

    fn all_replies_lose(&mut self, position: &mut Gomoku) -> bool {
        let loser = position.side();
        position.legal_moves().into_iter().all(|reply| {
            let undo = position.play(reply);
            let lost = match position.outcome() {
                Some(outcome) => outcome == Outcome::Win(loser.opponent()),
                None => self.holds(position),
            };
            position.undo(reply, undo);
            lost
        })
    }
}

/// Every win that the search claims in random positions is one by the rules.
fn check_wins(variant: Variant, level: u32, wanted: u32) {
    let mut rng = Rng::new(6 + u64::from(level));
    let cells = u32::from(variant.size).pow(2);
    let mut wins = 0;
    while wins < wanted {
        let stones = cells / 12 + rng.below(cells / 3);
        let mut position = random(variant, stones, &mut rng);
        let mut checker = Checker::new(variant, level);
        // A win by fours says nothing of threes.
        if level > 0 && checker.find(&position, level - 1).is_some() {
            continue;
        }
        let found = checker.find(&position, level);
        if found.is_some_and(|(_, plies)| plies > 3) {
            assert!(checker.holds(&mut position), "{}", position.board_text());
            let (mut threats, limits) = (of(&position), Limits::nodes(20_000));
            let region = checker.search.region(&mut threats, level, &limits);
            let win = checker.search.win(&mut threats, level, &limits);
            let (region, line) = (region.expect("a win"), win.expect("a win").line);
            assert!(line.iter().all(|action| region.contains(action)));
            wins += 1;
        }
    }
}

#[test]
fn wins_by_fours_are_real() {
    for variant in [Variant::FREE_STYLE, STANDARD, RENJU, CLAIMED] {
        check_wins(sized(variant, 11), 0, 60);
    }
}

#[test]
fn wins_by_threes_are_real() {
    for variant in [Variant::FREE_STYLE, STANDARD, RENJU, CLAIMED] {
        check_wins(sized(variant, 8), 1, 25);
    }
}

#[test]
fn a_forbidden_answer_is_no_answer() {
    let rows = [
        ". . . . . . . . .",
        ". . . . x . . . .",
        ". . . . x . . . .",
        ". x o o . . o . .",
        ". . . . x . . . .",
        ". . . . x . . . .",
        ". . . . x . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    ];
    let threats = |variant| of(&board(variant, &rows, Colour::White));
    let find =
        |mut threats: Threats| ThreatSearch::new(8).find(&mut threats, 0, &Limits::nodes(100));
    // White's four leaves black one cell, where it makes a six.
    let four = Action::Cell(Cell::new(5, 5));
    assert_eq!(find(threats(RENJU)), Some((four, 3)));
    assert_eq!(find(threats(STANDARD)), None);
}

#[test]
fn a_player_begins_with_threats() {
    let rows = [
        ". . . . . . . . .",
        ". . o . . . x . .",
        ". . . x . x . . .",
        ". . o . . . . . .",
        ". . . x . x . . .",
        ". . o . . . o . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    ];
    let position = board(Variant::FREE_STYLE, &rows, Colour::Black);
    let settings = Gomoku::settings();
    let resources = Resources {
        table_mb: 1,
        threads: 1,
        seed: 1,
    };
    let search = |limits| {
        let player = position.player(Algorithm::Best, &settings, resources);
        player.unwrap().search(&position, &limits, &mut |_| {})
    };
    let report = search(Limits::nodes(80_000));
    assert!(report.solved, "{report:?}");
    assert!(
        report
            .pv
            .iter()
            .all(|action| report.region.contains(action))
    );
    // A search to a depth has no threats.
    assert!(!search(Limits::depth(1)).solved);
}

#[test]
fn wins_by_fours_of_twenty_plies_are_found() {
    let rows = [
        ". o . x o . o x x x o . x o o",
        ". . x o . . . . . o . . . . o",
        ". x . . . . . . x . x . . o o",
        "x x o x o . . x x . . x . . .",
        ". o . x . . . . o x o x x . .",
        "x x x . . . o . . o . . o o x",
        "o x . . x o . . . o x . x . x",
        ". x x o x . o . . x o . . o o",
        "o . . . . . x o o x . . . x o",
        ". . . x . . x x . x . . x . o",
        "x x . . . . . o . x x x o x .",
        "x x x x x o . . . o . . . x .",
        ". . o . . . o o x . . o . . o",
        ". o x x o x x . . o . . . o .",
        "x . . x x x . . x . x x . o x",
    ];
    let position = board(Variant::FREE_STYLE, &rows, Colour::White);
    let mut search = ThreatSearch::new(12);
    let win = search.win(&mut of(&position), 0, &Limits::nodes(3_000));
    assert!(win.is_some());
    // A five or a straight four after nine fours and their answers would be a win in 19 or 21 plies.
    assert!(!wins_by(&mut of(&position), 9));
}

#[test]
fn deep_wins_by_threes_are_found_and_real() {
    for turns in [
        "h6 f7 f8 g7 f9 g9 g8 e8 j8 i6 i7 k9 i9 k7 h10 f10",
        "j5 j6 j7 h5 f7 i5 h4 h7 h8 i4 i8 g8 i9 g7 i10 i11",
    ] {
        let mut position = Gomoku::empty_board(Variant::FREE_STYLE);
        game::turn::play_words(&mut position, turns).unwrap();
        let mut checker = Checker::new(Variant::FREE_STYLE, 1);
        checker.search = ThreatSearch::new(16);
        assert_eq!(checker.find(&position, 0), None);
        let (_, plies) = checker.find(&position, 1).expect("a win");
        assert!(plies > 20, "{plies}");
        assert!(checker.holds(&mut position), "{turns}");
    }
}

/// Whether the attacker wins after at most this number of fours: a plain search without a table.
fn wins_by(threats: &mut Threats, fours: u32) -> bool {
    let mut moves = Vec::new();
    if let Attack::Win(..) = threats.threats(0, &mut moves) {
        return true;
    }
    fours > 0
        && moves.into_iter().any(|four| {
            threats.play(four);
            let mut replies = Vec::new();
            let lost = threats.replies(&mut replies) != Defence::Escape
                && replies.into_iter().all(|reply| {
                    threats.play(reply);
                    let lost = wins_by(threats, fours - 1);
                    threats.undo(reply);
                    lost
                });
            threats.undo(four);
            lost
        })
}
