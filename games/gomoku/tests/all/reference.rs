//! A second implementation of the rules on a plain array, compared with the first in random games.

use engine_core::{Outcome, Position, Rng, Side};
use gomoku::{Action, Colour, Forbidden, ForbiddenRule, Gomoku, MOST_OFFERS, Opening, Variant};

use crate::common::start;
use crate::slow::{Slow, cell};

/// A game as a list of what has happened.
#[derive(Clone)]
struct Book {
    variant: Variant,
    board: Slow,
    stones: usize,
    count: Option<u8>,
    swapped: bool,
    offers: Vec<(i32, i32)>,
    last: Option<Action>,
    passes: usize,
    wrong: Option<Forbidden>,
    winner: Option<Colour>,
    drawn: bool,
}

impl Book {
    fn new(position: &Gomoku) -> Book {
        Book {
            variant: position.variant(),
            board: Slow::new(position.size()),
            stones: 0,
            count: None,
            swapped: false,
            offers: Vec::new(),
            last: None,
            passes: 0,
            wrong: None,
            winner: None,
            drawn: false,
        }
    }

    fn is_prescribed(&self) -> bool {
        self.variant.opening == Opening::Prescribed
    }

    /// Black plays every other stone; a pass counts as one.
    fn colour(&self) -> Colour {
        Colour::BOTH[(self.stones + self.passes) % 2]
    }

    fn is_offering(&self) -> bool {
        self.is_prescribed()
            && self.stones == 4
            && self.offers.len() < usize::from(self.count.unwrap_or(0))
    }

    fn is_keeping(&self) -> bool {
        self.is_prescribed() && self.stones == 4 && !self.is_offering()
    }

    fn side(&self) -> Side {
        if self.is_prescribed() && (self.stones < 3 || self.count.is_none()) {
            return Side::First;
        }
        let colour = if self.is_keeping() {
            Colour::White
        } else {
            self.colour()
        };
        if (colour == Colour::Black) != self.swapped {
            Side::First
        } else {
            Side::Second
        }
    }

    fn images(&self, (x, y): (i32, i32)) -> [(i32, i32); 8] {
        let last = self.board.size - 1;
        [
            (x, y),
            (last - x, y),
            (x, last - y),
            (last - x, last - y),
            (y, x),
            (last - y, x),
            (y, last - x),
            (last - y, last - x),
        ]
    }

    fn is_free(&self, point: (i32, i32)) -> bool {
        self.board.at(point).is_none()
    }

    /// Whether a symmetry of the four stones maps a point to an offered one.
    fn mirrors(&self, point: (i32, i32)) -> bool {
        (0..8).any(|symmetry| {
            let stays =
                |&at: &(i32, i32)| self.board.at(at) == self.board.at(self.images(at)[symmetry]);
            self.board.all().iter().all(stays)
                && self.offers.contains(&self.images(point)[symmetry])
        })
    }

    fn points(&self) -> Vec<(i32, i32)> {
        let middle = self.board.size / 2;
        let within = |(x, y): (i32, i32), most: i32| {
            (x - middle).abs() <= most && (y - middle).abs() <= most
        };
        let mut points = self.board.all();
        points.retain(|&point| self.is_free(point));
        if self.is_prescribed() && self.stones < 3 {
            points.retain(|&point| within(point, self.stones as i32));
        } else if self.is_offering() {
            points.retain(|&point| !self.mirrors(point));
        } else if self.is_keeping() {
            points.retain(|point| self.offers.contains(point));
        }
        points
    }

    fn legal(&self) -> Vec<Action> {
        if self.winner.is_some() || self.drawn {
            return Vec::new();
        }
        if self.is_prescribed() && self.stones == 3 && self.count.is_none() {
            return (1..=MOST_OFFERS as u8).map(Action::Count).collect();
        }
        let points = self.points().into_iter();
        let mut legal: Vec<Action> = points.map(|point| Action::Cell(cell(point))).collect();
        if self.is_prescribed() && self.stones == 3 && !self.swapped {
            legal.push(Action::Swap);
        }
        let claims = self.wrong.is_some();
        if claims {
            legal.push(Action::Claim);
        }
        if (self.is_prescribed() && self.stones > 4) || (claims && self.is_full()) {
            legal.push(Action::Pass);
        }
        legal
    }

    fn is_full(&self) -> bool {
        self.stones as i32 == self.board.size * self.board.size
    }

    fn play(&mut self, action: Action) {
        match action {
            Action::Count(count) => self.count = Some(count),
            Action::Swap => self.swapped = true,
            Action::Claim => self.winner = Some(Colour::White),
            Action::Pass => {
                self.passes += 1;
                self.wrong = None;
                self.drawn = self.last == Some(Action::Pass) || self.is_full();
            }
            Action::Cell(at) => self.play_point((at.column().into(), at.row().into())),
        }
        self.last = Some(action);
    }

    fn play_point(&mut self, point: (i32, i32)) {
        if self.is_offering() {
            self.offers.push(point);
            return;
        }
        let colour = self.colour();
        let rule = self.variant.forbidden;
        self.wrong = if colour == Colour::Black && rule != ForbiddenRule::Off {
            self.board.forbidden(point)
        } else {
            None
        };
        self.stones += 1;
        self.board.set(point, Some(colour));
        let exactly = match rule {
            ForbiddenRule::Off => self.variant.exactly_five,
            _ => colour == Colour::Black,
        };
        let lengths = self.board.lengths(point, colour);
        let wins = |&length: &usize| length == 5 || (length > 5 && !exactly);
        if lengths.iter().any(wins) {
            self.winner = Some(colour);
        } else if self.wrong.is_some() && rule == ForbiddenRule::AtOnce {
            self.winner = Some(Colour::White);
        } else {
            self.drawn = self.is_full() && self.wrong.is_none();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.drawn {
            return Some(Outcome::Draw);
        }
        let first_wins = |colour| (colour == Colour::Black) != self.swapped;
        self.winner.map(|colour| {
            if first_wins(colour) {
                Outcome::Win(Side::First)
            } else {
                Outcome::Win(Side::Second)
            }
        })
    }
}

fn compare(fast: &Gomoku, book: &Book) {
    let (mut found, mut expected) = (fast.legal_moves(), book.legal());
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{}", fast.board_text());
    assert_eq!(fast.outcome(), book.outcome(), "{}", fast.board_text());
    for point in book.board.all() {
        assert_eq!(fast.at(cell(point)), book.board.at(point));
    }
    if fast.outcome().is_none() {
        assert_eq!(fast.side(), book.side(), "{}", fast.board_text());
    }
}

/// Plays games; most stones are forcing ones. Returns how often each ending occurred.
fn games(variant: &str, count: u32) -> std::collections::BTreeMap<&'static str, u32> {
    let mut rng = Rng::new(1);
    let mut endings = std::collections::BTreeMap::new();
    for _ in 0..count {
        let mut fast = start(variant);
        let mut book = Book::new(&fast);
        loop {
            compare(&fast, &book);
            let mut moves = Vec::new();
            fast.generate(u8::from(rng.below(2) == 0), &mut moves);
            if moves.is_empty() || rng.below(8) == 0 {
                moves = fast.legal_moves();
            }
            if moves.is_empty() {
                break;
            }
            let action = match (moves.last(), rng.below(20)) {
                (Some(&last), 0) => last,
                _ => moves[rng.below(moves.len() as u32) as usize],
            };
            fast.play(action);
            book.play(action);
        }
        *endings.entry(game::Game::ending(&fast)).or_insert(0) += 1;
    }
    endings
}

#[test]
fn the_contest_s_game_agrees() {
    let at_once = games("{}", 60);
    assert!(at_once.len() >= 2, "{at_once:?}");
    games(r#"{"forbidden": "claimed"}"#, 20);
    games(r#"{"forbidden": "off"}"#, 10);
}

#[test]
fn boards_of_other_sizes_agree() {
    for rest in [
        r#""forbidden": "off"}"#,
        r#""forbidden": "off", "exactly_five": true}"#,
        r#""forbidden": "at-once"}"#,
        r#""forbidden": "claimed"}"#,
    ] {
        for (size, count) in [(5, 150), (6, 100), (9, 60), (20, 4)] {
            let variant = format!(r#"{{"opening": "free", "size": {size}, {rest}"#);
            let endings = games(&variant, count);
            assert!(size > 5 || endings.len() > 1, "{variant}: {endings:?}");
        }
    }
}

/// Columns and rows of the largest board.
const LARGEST: i32 = 20;

/// Rows of six at the edges of the largest board: their first points, and the steps to the next.
const EDGES: [((i32, i32), (i32, i32)); 7] = {
    let last = LARGEST - 1;
    [
        ((last, last), (-1, 0)),
        ((last, last), (0, -1)),
        ((last, last), (-1, -1)),
        ((last, last - 5), (-1, 1)),
        ((last, 0), (-1, 1)),
        ((0, last), (1, -1)),
        ((0, last), (1, 0)),
    ]
};

/// Stones of the other colour, which make nothing.
const OTHERS: [(i32, i32); 6] = [(2, 2), (5, 3), (8, 2), (11, 3), (14, 2), (3, 6)];

/// A game in which a colour places `length` stones in a row from an edge, the one with index `gap`
/// last. Both rule books agree on every position; if `all_moves`, also after each move before the
/// last. Returns the outcome.
fn row_at_an_edge(
    variant: &str,
    (colour, edge): (Colour, usize),
    (length, gap): (i32, i32),
    all_moves: bool,
) -> Option<Outcome> {
    let ((x, y), (right, up)) = EDGES[edge];
    let at = |k: i32| Action::Cell(cell((x + k * right, y + k * up)));
    let row = (0..length).filter(|&k| k != gap).chain([gap]).map(at);
    let others = OTHERS.map(|point| Action::Cell(cell(point)));
    let mut fast = start(variant);
    let mut book = Book::new(&fast);
    for (number, (own, other)) in row.zip(others).enumerate() {
        let turns = match colour {
            Colour::Black => [own, other],
            Colour::White => [other, own],
        };
        for action in turns {
            if fast.outcome().is_some() {
                return fast.outcome();
            }
            if all_moves && number as i32 == length - 1 && action == own {
                for next in fast.legal_moves() {
                    let (mut fast, mut book) = (fast.clone(), book.clone());
                    fast.play(next);
                    book.play(next);
                    compare(&fast, &book);
                }
            }
            fast.play(action);
            book.play(action);
            compare(&fast, &book);
        }
    }
    fast.outcome()
}

#[test]
fn rows_at_the_edges_of_the_largest_board_agree() {
    for (rest, six_wins) in [
        (r#""forbidden": "off"}"#, [true, true]),
        (
            r#""forbidden": "off", "exactly_five": true}"#,
            [false, false],
        ),
        (r#""forbidden": "at-once"}"#, [false, true]),
        (r#""forbidden": "claimed"}"#, [false, true]),
    ] {
        let variant = format!(r#"{{"opening": "free", "size": {LARGEST}, {rest}"#);
        for (colour, edge) in (0..2 * EDGES.len()).map(|k| (Colour::BOTH[k % 2], k / 2)) {
            let wins = Some(Outcome::Win(Side::BOTH[colour as usize]));
            let found = |shape, all| row_at_an_edge(&variant, (colour, edge), shape, all);
            for gap in 0..5 {
                let outcome = found((5, gap), gap == 2);
                assert_eq!(outcome, wins, "{variant} {colour:?} {edge} {gap}");
            }
            for gap in 1..5 {
                let won = found((6, gap), gap == 2) == wins;
                let expected = six_wins[colour as usize];
                assert_eq!(won, expected, "{variant} {colour:?} {edge} {gap}");
            }
        }
    }
}
