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

    /// Whether the attacker can make a four or has one.
    pub(crate) fn has_fours(&self) -> bool {
        let marks = [
            Mark::Four,
            Mark::FourThree,
            Mark::Straight,
            Mark::Five,
            Mark::Suspect,
        ];
        let has = |mark| !self.patterns.marked(self.attacker, mark).is_empty();
        marks.into_iter().any(has)
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
            let shape = if on_line {
                self.shape_blocked(attacker, cell, direction, away / step as isize)
            } else {
                self.shape(attacker, cell, direction)
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
    type Action = Action;

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

    fn aims(&mut self, out: &mut Vec<Action>) {
        let fives = self.patterns.marked(self.attacker, Mark::Five);
        let straight = self.patterns.marked(self.attacker, Mark::Straight);
        let aims = if fives.is_empty() { straight } else { fives };
        out.extend(aims.cells().map(action_at));
    }

    fn actions(action: Action) -> impl Iterator<Item = Action> {
        std::iter::once(action)
    }
}

#[cfg(test)]
mod tests;
