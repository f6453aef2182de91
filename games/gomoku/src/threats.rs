//! The threats of Gomoku, for threat-space search: fours at level 0, open threes at level 1.

use engine_core::threats::{Attack, Defence, ThreatBoard};
use engine_core::zobrist::mix;

use crate::board::Gomoku;
use crate::moves::Action;
use crate::opening::Stage;
use crate::patterns::{Patterns, Rule, STEPS, action_at, cell_of};
use crate::shapes::Shape;
use crate::values::Mark;
use crate::variant::Variant;

/// The patterns of a position, and who attacks.
pub(crate) struct Threats {
    pub(crate) patterns: Patterns,
    attacker: usize,
    to_move: usize,
}

impl Threats {
    /// The empty board of a variant.
    pub(crate) fn new(variant: Variant) -> Threats {
        Threats {
            patterns: Patterns::new(variant.size.into(), Rule::of(variant)),
            attacker: 0,
            to_move: 0,
        }
    }

    /// Makes a colour the attacker, which is to move.
    #[inline]
    pub(crate) fn begin(&mut self, attacker: usize) {
        (self.attacker, self.to_move) = (attacker, attacker);
    }

    /// Takes over a position of the ordinary game with the colour to move as attacker.
    pub(crate) fn follow(&mut self, position: &Gomoku) -> bool {
        self.patterns.follow(position);
        self.begin(position.to_move() as usize);
        position.stage() == Stage::Play && !position.may_claim()
    }
}

impl Patterns {
    /// Whether a stone of the colour on an empty cell is forbidden.
    pub(crate) fn is_forbidden(&mut self, colour: usize, cell: usize) -> bool {
        match self.mark(colour, cell) {
            Mark::Forbidden => true,
            Mark::Suspect => self.is_three_three(cell),
            _ => false,
        }
    }

    /// Whether black's stone on a cell makes two or more threes that can become straight fours.
    #[cold]
    fn is_three_three(&mut self, cell: usize) -> bool {
        let directions: Vec<usize> = (0..4)
            .filter(|&direction| self.shape(0, cell, direction).is_three())
            .collect();
        self.add(0, cell);
        let threes = directions
            .into_iter()
            .filter(|&direction| self.is_real_three(cell, direction))
            .count();
        self.take_back();
        threes > 1
    }

    /// Whether the three of black's stone on a cell can become a straight four by a stone that is
    /// not forbidden and makes no five.
    fn is_real_three(&mut self, cell: usize, direction: usize) -> bool {
        use crate::patterns::Content::{Black, Empty};
        let step = STEPS[direction] as isize;
        [step, -step].into_iter().any(|step| {
            let mut next = cell as isize + step;
            while self.content(next as usize) == Black {
                next += step;
            }
            let next = next as usize;
            self.content(next) == Empty
                && self.shape(0, next, direction) == Shape::StraightFour
                && self.mark(0, next) != Mark::Five
                && !self.is_forbidden(0, next)
        })
    }

    /// Whether a stone of the colour makes a four or more.
    fn makes_four(&self, colour: usize, cell: usize) -> bool {
        (0..4).any(|direction| self.shape(colour, cell, direction) >= Shape::Four)
    }

    /// Appends the cells on which the colour makes a four, unless that is forbidden; the strongest
    /// first.
    pub(crate) fn fours(&mut self, colour: usize, out: &mut Vec<Action>) {
        for mark in [Mark::Straight, Mark::FourThree, Mark::Four] {
            out.extend(self.marked(colour, mark).cells().map(action_at));
        }
        self.suspects(colour, true, out);
    }

    /// Appends the cells on which black makes several threes that are not forbidden; with a four, or
    /// without.
    fn suspects(&mut self, colour: usize, with_four: bool, out: &mut Vec<Action>) {
        let suspects = *self.marked(colour, Mark::Suspect);
        for cell in suspects.cells() {
            if self.makes_four(colour, cell) == with_four && !self.is_forbidden(colour, cell) {
                out.push(action_at(cell));
            }
        }
    }

    /// Appends the cells on which the colour makes an open three and no four, unless that is
    /// forbidden.
    fn threes(&mut self, colour: usize, out: &mut Vec<Action>) {
        self.suspects(colour, false, out);
        for mark in [Mark::DoubleThree, Mark::Three] {
            out.extend(self.marked(colour, mark).cells().map(action_at));
        }
    }

    /// Appends every move of a colour after which the other cannot make a straight four or two fours
    /// at once as it can now, if it can: stones that stop it, and own fours, the strongest first.
    /// Returns false if there is nothing to answer. No colour may have a four on the board.
    pub(crate) fn answers(&mut self, own: usize, out: &mut Vec<Action>) -> bool {
        let mark = out.len();
        if !self.stops(1 - own, out) {
            return false;
        }
        self.fours(own, out);
        let mut kept = mark;
        for next in mark..out.len() {
            let answer = out[next];
            if !out[mark..kept].contains(&answer) && !self.is_forbidden(own, cell_of(answer)) {
                out[kept] = answer;
                kept += 1;
            }
        }
        out.truncate(kept);
        true
    }

    /// Appends the cells that stop all straight fours of the attacker, if it has any: stones of the
    /// other colour there leave none of the present ones. Returns false if there is nothing to stop.
    pub(crate) fn stops(&self, attacker: usize, out: &mut Vec<Action>) -> bool {
        let straight = self.marked(attacker, Mark::Straight);
        let Some(first) = straight.first() else {
            return false;
        };
        let mark = out.len();
        out.push(action_at(first));
        for step in STEPS {
            for distance in 1..=4 {
                for near in [first + distance * step, first - distance * step] {
                    if self.is_empty(near) {
                        out.push(action_at(near));
                    }
                }
            }
        }
        let mut kept = mark;
        for next in mark..out.len() {
            let stop = out[next];
            if straight
                .cells()
                .all(|cell| self.stops_one(attacker, cell, cell_of(stop)))
            {
                out[kept] = stop;
                kept += 1;
            }
        }
        out.truncate(kept);
        true
    }

    /// Whether a stone of the other colour on `stop` leaves no straight four of the attacker on
    /// `cell`.
    fn stops_one(&self, attacker: usize, cell: usize, stop: usize) -> bool {
        if cell == stop {
            return true;
        }
        let mut fours = 0;
        for (direction, step) in STEPS.into_iter().enumerate() {
            let away = stop as isize - cell as isize;
            let on_line = away % step as isize == 0 && (away / step as isize).abs() <= 5;
            let shape = match on_line {
                true => self.shape_blocked(attacker, cell, direction, away / step as isize),
                false => self.shape(attacker, cell, direction),
            };
            fours += match shape {
                Shape::StraightFour | Shape::DoubleFour => 2,
                Shape::Four | Shape::Five => 1,
                _ => 0,
            };
        }
        fours < 2
    }
}

impl ThreatBoard for Threats {
    type Move = Action;

    const LEVELS: u32 = 2;

    fn key(&self) -> u64 {
        mix(self.patterns.key() ^ (self.attacker * 2 + self.to_move) as u64)
    }

    fn play(&mut self, action: Action) {
        self.patterns.add(self.to_move, cell_of(action));
        self.to_move = 1 - self.to_move;
    }

    fn undo(&mut self, _: Action) {
        self.to_move = 1 - self.to_move;
        self.patterns.take_back();
    }

    fn threats(&mut self, level: u32, out: &mut Vec<Action>) -> Attack<Action> {
        let (own, other) = (self.attacker, 1 - self.attacker);
        let patterns = &mut self.patterns;
        if let Some(cell) = patterns.marked(own, Mark::Five).first() {
            return Attack::Win(action_at(cell), 1);
        }
        let enemy = patterns.marked(other, Mark::Five);
        match (enemy.count(), enemy.first()) {
            (0, _) => {}
            (1, Some(cell)) => {
                let block = (level > 0 || patterns.makes_four(own, cell))
                    && !patterns.is_forbidden(own, cell);
                if block {
                    out.push(action_at(cell));
                }
                return Attack::Threats;
            }
            _ => return Attack::Threats,
        }
        if let Some(cell) = patterns.marked(own, Mark::Straight).first() {
            return Attack::Win(action_at(cell), 3);
        }
        patterns.fours(own, out);
        if level > 0 {
            patterns.threes(own, out);
        }
        Attack::Threats
    }

    fn replies(&mut self, out: &mut Vec<Action>) -> Defence {
        let (own, other) = (1 - self.attacker, self.attacker);
        let patterns = &mut self.patterns;
        if !patterns.marked(own, Mark::Five).is_empty() {
            return Defence::Escape;
        }
        let fives = patterns.marked(other, Mark::Five);
        match (fives.count(), fives.first()) {
            (0, _) => {}
            (1, Some(cell)) => {
                if !patterns.is_forbidden(own, cell) {
                    out.push(action_at(cell));
                }
                return Defence::Replies(2);
            }
            _ => return Defence::Replies(2),
        }
        if !patterns.answers(own, out) {
            return Defence::Escape;
        }
        Defence::Replies(4)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use engine_core::threats::ThreatSearch;
    use engine_core::{Algorithm, Limits, Outcome, Position, Resources, Rng};
    use entry::Game;

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
        for _ in 0..1_500 {
            let stones = 10 + rng.below(70);
            let position = random(CLAIMED, stones, &mut rng);
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
            for _ in 0..100 {
                let stones = 10 + rng.below(100);
                let position = random(sized(variant, 13), stones, &mut rng);
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
                assert!(checker.holds(&mut position), "{}", position.picture());
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
        // A search to a depth has no threats.
        assert!(!search(Limits::depth(1)).solved);
    }

    #[test]
    fn long_wins_by_fours_are_found() {
        let rows = [
            ". . . . . . . . . o x . . o o",
            ". . . . . . o . . o . . . x o",
            ". . . . x . x o x o x . o . o",
            ". . . x . . . x x . o x o . .",
            ". . . x . . . . o x o x x . .",
            ". . . . o . o . . o . . o o x",
            ". . . . . o . . . o x . x . x",
            ". . . o x . . x . x o . . o o",
            ". . . . o x x x o x . . . x .",
            ". . . x . . x . . . . . x . .",
            ". o . . . o . . . . . x o . x",
            ". . . x o . . . . o . . . o .",
            ". . . . . . . . . . . . o . .",
            ". o . x o . o . . x . . . o .",
            "x x . . x o . . . x x . . . x",
        ];
        let position = board(Variant::FREE_STYLE, &rows, Colour::White);
        let mut search = ThreatSearch::new(8);
        let win = search.win(&mut of(&position), 0, &Limits::nodes(1_000));
        let win = win.expect("a win");
        assert!(win.plies >= 20, "{win:?}");
        // The shortest win has eight fours before a five or a straight four.
        assert!(!wins_by(&mut of(&position), 7));
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
}
