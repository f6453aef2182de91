//! Wins by continuous double threats, as threat-space search sees them: a move is a turn.
//!
//! At level 0 is only a six in this turn, at level 1 double threats: of 208 real games, proof-number
//! search finds 157 wins at the winner's last turn but two, depth-first search 92 with ten times the
//! nodes.

use engine_core::threats::{Attack, Defence, SimilarBoard, ThreatBoard};
use engine_core::zobrist::mix;
use engine_core::{Position, Side};

use crate::board::Connect6;
use crate::doubles::Doubles;
use crate::moves::{Stone, Turn};
use crate::windows::{Growth, Windows};

/// The level of double threats.
pub(crate) const DOUBLE_THREATS: u32 = 1;

/// The windows of a position, and who attacks.
pub(crate) struct Threats {
    pub(crate) windows: Windows,
    doubles: Doubles,
    attacker: Side,
    to_move: Side,
    /// Stones that the attacker has left in its first turn; in all others a side has two.
    first_left: u8,
    turns: u32,
    /// Key of the stones.
    stones: u64,
}

impl Threats {
    /// The empty board of `size`, whose windows have values of this growth.
    pub(crate) fn new(size: u8, growth: Growth) -> Threats {
        Threats {
            windows: Windows::new(size, growth),
            doubles: Doubles::new(),
            attacker: Side::First,
            to_move: Side::First,
            first_left: 1,
            turns: 0,
            stones: 0,
        }
    }

    /// Takes over a position with the side to move as attacker.
    pub(crate) fn follow(&mut self, position: &Connect6) -> bool {
        self.windows.follow(position);
        self.begin(position);
        true
    }

    /// Lets the side to move of a position attack. The windows must be those of the position.
    pub(crate) fn begin(&mut self, position: &Connect6) {
        (self.attacker, self.to_move) = (position.side(), position.side());
        self.first_left = position.stones_left();
        self.turns = 0;
        self.stones = position.stones_key();
    }

    /// Stones that the side to move has left.
    fn left(&self) -> u8 {
        if self.turns == 0 { self.first_left } else { 2 }
    }
}

impl ThreatBoard for Threats {
    type Move = Turn;
    type Action = Stone;

    const ACTIONS: u32 = 2;
    const LEVELS: u32 = 2;

    fn key(&self) -> u64 {
        let sides = 2 * self.attacker.index() + self.to_move.index();
        self.stones ^ mix(4 * u64::from(self.left()) + sides as u64)
    }

    fn play(&mut self, turn: Turn) {
        for stone in turn.stones() {
            self.windows.add(self.to_move, stone);
            self.stones ^= Connect6::stone_key(self.to_move, stone);
        }
        self.to_move = self.to_move.opponent();
        self.turns += 1;
    }

    fn undo(&mut self, turn: Turn) {
        self.to_move = self.to_move.opponent();
        self.turns -= 1;
        for stone in turn.stones().rev() {
            self.windows.remove(self.to_move, stone);
            self.stones ^= Connect6::stone_key(self.to_move, stone);
        }
    }

    fn threats(&mut self, level: u32, out: &mut Vec<Turn>) -> Attack<Turn> {
        let (own, other) = (self.attacker, self.attacker.opponent());
        let left = self.left();
        if let Some(turn) = self.windows.completing_turn(own, left) {
            return Attack::Win(turn, 1);
        }
        if level == 0 || self.windows.blocks_needed(other) > left {
            return Attack::Threats;
        }
        let mark = out.len();
        match left {
            1 => self.doubles.singles(&self.windows, own, out),
            _ => self.doubles.pairs(&self.windows, own, out),
        }
        self.windows.keep_blocking(other, out, mark);
        Attack::Threats
    }

    fn replies(&mut self, out: &mut Vec<Turn>) -> Defence {
        let (own, other) = (self.attacker.opponent(), self.attacker);
        if self.windows.can_complete(own, 2) || self.windows.blocks_needed(other) < 2 {
            return Defence::Escape;
        }
        self.windows.blocking_turns(other, out);
        Defence::Replies(2)
    }

    fn aims(&mut self, out: &mut Vec<Stone>) {
        self.windows.threat_cells(self.attacker, out);
    }

    fn actions(turn: Turn) -> impl Iterator<Item = Stone> {
        turn.stones()
    }
}

impl SimilarBoard for Threats {
    fn can_play(&self, turn: Turn) -> bool {
        turn.stones().all(|stone| self.windows.is_empty(stone))
    }
}

#[cfg(test)]
mod tests;
