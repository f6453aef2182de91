//! Wins by threats with several answers, by depth-first proof-number search.

use super::{Attack, Defence, Known, Spent, ThreatBoard, ThreatSearch, key_at};
use crate::limits::Limits;
use crate::position::Move;
use crate::proof::{INFINITE, Numbers, Step};

/// A move of a node on the path, and what is known of the position after it.
#[derive(Clone, Copy)]
pub(super) struct Child<M> {
    mv: M,
    value: Value,
}

/// What is known of a position.
#[derive(Clone, Copy)]
struct Value {
    numbers: Numbers,
    /// Plies to the end of the game, if the attacker wins.
    plies: u32,
}

impl Value {
    const ESCAPED: Value = Value {
        numbers: Numbers::DISPROVEN,
        plies: 0,
    };

    const fn won(plies: u32) -> Value {
        Value {
            numbers: Numbers::PROVEN,
            plies,
        }
    }

    /// A position that is not searched yet.
    const fn open(proof: u32, disproof: u32) -> Value {
        Value {
            numbers: Numbers { proof, disproof },
            plies: 0,
        }
    }
}

/// What the moves of a node say before any is searched.
enum Listed<M> {
    /// The node's value, and the move that wins.
    Solved(Value, Option<M>),
    /// The children are on the stack. Whatever the defender does, it does not lose sooner than in
    /// this number of plies.
    Children(u32),
}

/// Maximum number of nodes of level 0 that a node of the attacker searches first. Most wins by fours
/// are found with fewer.
const LOWER_NODES: u64 = 100;

impl<M: Move> ThreatSearch<M> {
    /// Searches a position in which the attacker is to move until it is solved.
    pub(super) fn solve<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        level: u32,
        limits: &Limits,
    ) -> Result<(), Spent> {
        let endless = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        self.prove(board, level, true, endless, limits).map(drop)
    }

    /// The value of a position, searched until its proof or disproof number reaches `most`.
    /// `attacks` tells whether the attacker is to move.
    fn prove<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        level: u32,
        attacks: bool,
        most: Numbers,
        limits: &Limits,
    ) -> Result<Value, Spent> {
        self.count(limits)?;
        let key = key_at(board, level);
        let begin = self.children.len();
        let listed = if attacks {
            self.list_threats(board, level, limits)
        } else {
            self.list_replies(board, level)
        };
        let least = match listed {
            Listed::Solved(value, mv) => {
                self.store_value(key, value, mv);
                return Ok(value);
            }
            Listed::Children(least) => least,
        };
        let mut spent = false;
        let (best, numbers) = loop {
            let numbers = self.children[begin..].iter().map(|c| c.value.numbers);
            let step = Step::of(numbers, attacks, most);
            let Some(limit) = step.limit.filter(|_| !spent) else {
                break (step.best, step.numbers);
            };
            let mv = self.children[begin + step.best].mv;
            board.play(mv);
            let value = self.prove(board, level, !attacks, limit, limits);
            board.undo(mv);
            match value {
                Ok(value) => self.children[begin + step.best].value = value,
                Err(Spent) => spent = true,
            }
        };
        let best = self.children[begin + best];
        let plies = if attacks {
            best.value.plies
        } else {
            let plies = self.children[begin..].iter().map(|c| c.value.plies);
            plies.fold(least.saturating_sub(1), u32::max)
        };
        let value = Value {
            numbers,
            plies: plies + 1,
        };
        self.children.truncate(begin);
        self.store_value(key, value, Some(best.mv));
        if spent { Err(Spent) } else { Ok(value) }
    }

    fn store_value(&mut self, key: u64, value: Value, mv: Option<M>) {
        let known = match value.numbers {
            Numbers { proof: 0, .. } => Known::Win(value.plies),
            Numbers { disproof: 0, .. } => Known::None,
            open => Known::Open(open),
        };
        self.store(key, mv, known);
    }

    /// What the table knows of a position.
    fn look_up<B: ThreatBoard<Move = M>>(&self, board: &B, level: u32) -> Option<Value> {
        let known = self.probe(key_at(board, level))?.known;
        Some(match known {
            Known::Win(plies) => Value::won(plies),
            Known::None => Value::ESCAPED,
            Known::Open(numbers) => Value { numbers, plies: 0 },
        })
    }

    /// Lists the threats of the attacker, unless it wins at once or by threats of level 0.
    fn list_threats<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        level: u32,
        limits: &Limits,
    ) -> Listed<M> {
        let mark = self.moves.len();
        let mut lower = limits.clone();
        let nodes = self.nodes + LOWER_NODES;
        lower.nodes = Some(limits.nodes.map_or(nodes, |most| nodes.min(most)));
        let won = self.attack(board, &lower);
        self.moves.truncate(mark);
        if let Ok(Some(plies)) = won {
            let mv = self.known(board, 0).map(|(mv, _)| mv);
            return Listed::Solved(Value::won(plies), mv);
        }
        let attack = board.threats(level, &mut self.moves);
        if let Attack::Win(mv, plies) = attack {
            self.moves.truncate(mark);
            return Listed::Solved(Value::won(plies), Some(mv));
        }
        if self.moves.len() == mark {
            return Listed::Solved(Value::ESCAPED, None);
        }
        self.push_children(board, level, mark, Self::after_threat);
        Listed::Children(0)
    }

    /// Lists the replies of the defender, unless it has none or escapes.
    fn list_replies<B: ThreatBoard<Move = M>>(&mut self, board: &mut B, level: u32) -> Listed<M> {
        let mark = self.moves.len();
        match board.replies(&mut self.moves) {
            Defence::Escape => {
                self.moves.truncate(mark);
                Listed::Solved(Value::ESCAPED, None)
            }
            Defence::Replies(plies) if self.moves.len() == mark => {
                Listed::Solved(Value::won(plies), None)
            }
            Defence::Replies(plies) => {
                self.push_children(board, level, mark, Self::after_reply);
                Listed::Children(plies)
            }
        }
    }

    /// Moves the listed moves from `mark` on to the stack of children, each with what is known or, by
    /// `first`, expected of the position after it.
    fn push_children<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        level: u32,
        mark: usize,
        first: fn(&mut Self, &mut B, u32) -> Value,
    ) {
        for next in mark..self.moves.len() {
            let mv = self.moves[next];
            board.play(mv);
            let known = self.look_up(board, level);
            let value = known.unwrap_or_else(|| {
                let end = self.moves.len();
                let value = first(self, board, level);
                self.moves.truncate(end);
                value
            });
            board.undo(mv);
            self.children.push(Child { mv, value });
        }
        self.moves.truncate(mark);
    }

    /// A position after a threat: all replies have to be refuted.
    fn after_threat<B: ThreatBoard<Move = M>>(&mut self, board: &mut B, _: u32) -> Value {
        let begin = self.moves.len();
        match board.replies(&mut self.moves) {
            Defence::Escape => Value::ESCAPED,
            Defence::Replies(plies) => match self.moves.len() - begin {
                0 => Value::won(plies),
                replies => Value::open(replies as u32, 1),
            },
        }
    }

    /// A position after a reply: one threat has to win.
    fn after_reply<B: ThreatBoard<Move = M>>(&mut self, board: &mut B, level: u32) -> Value {
        let begin = self.moves.len();
        match board.threats(level, &mut self.moves) {
            Attack::Win(_, plies) => Value::won(plies),
            Attack::Threats => match self.moves.len() - begin {
                0 => Value::ESCAPED,
                threats => Value::open(1, threats as u32),
            },
        }
    }
}
