//! Random game trees with extra turns, dice, draws and margins, for comparing searches.
//!
//! Every property of a node is a hash of its key, so a tree needs no memory and is the same on
//! every machine. With `merge` set, the nodes of a ply share a small number of keys, which gives
//! transpositions.

use engine_core::zobrist::mix;
use engine_core::{Evaluator, Move, Outcome, Position, Score, Side};

/// The largest margin or evaluation; small, so that equal values are common.
const LIMIT: i32 = 60;

/// A move: its number at the node, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch(pub u8);

impl Move for Branch {
    fn to_bits(self) -> u32 {
        self.0 as u32
    }
    fn from_bits(bits: u32) -> Branch {
        Branch(bits as u8)
    }
}

/// Parameters of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Longest line, in actions.
    pub height: u32,
    /// Maximum number of moves at a node.
    pub width: u8,
    /// Whether final positions have a margin instead of a win or loss.
    pub margins: bool,
    /// One in `ends` nodes ends the game early.
    pub ends: u64,
    /// Maximum number of distinct nodes at a ply; 0 for a tree without transpositions.
    pub merge: u64,
}

impl Shape {
    /// Of trees that are too large to be solved.
    pub const ENDLESS: Shape = Shape {
        height: 30,
        width: 8,
        margins: false,
        ends: u64::MAX,
        merge: 0,
    };
}

/// A node. The constants define whether sides alternate and whether there are dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tree<const ALTERNATES: bool, const DICE: bool> {
    shape: Shape,
    hash: u64,
    ply: u32,
    side: Side,
    /// Whether the same side played the previous action.
    again: bool,
    /// 0 before the roll.
    face: u8,
}

impl<const ALTERNATES: bool, const DICE: bool> Tree<ALTERNATES, DICE> {
    /// The root of the tree with this seed.
    pub fn new(shape: Shape, seed: u64) -> Self {
        Tree {
            shape,
            hash: mix(seed),
            ply: 0,
            side: Side::First,
            again: false,
            face: 0,
        }
    }

    /// A pseudo-random number below `bound` that depends on this node and `salt`.
    fn draw(&self, salt: u64, bound: u64) -> u64 {
        mix(self.key() ^ mix(salt)) % bound
    }

    fn margin(&self, salt: u64) -> i32 {
        self.draw(salt, 2 * LIMIT as u64 + 1) as i32 - LIMIT
    }
}

impl<const ALTERNATES: bool, const DICE: bool> Position for Tree<ALTERNATES, DICE> {
    type Move = Branch;
    type Undo = Self;
    const ALTERNATES: bool = ALTERNATES;
    const HAS_CHANCE: bool = DICE;
    const FACES: u8 = if DICE { 6 } else { 1 };
    const STAGES: u8 = 2;
    const HISTORY_LEN: usize = 256;

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        let face = if self.is_chance() {
            0
        } else {
            1 + self.merged_face() as u64
        };
        mix(self.hash
            ^ mix((self.ply as u64) << 8 | (self.side as u64) << 1 | self.again as u64)
            ^ mix(face))
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.ply == 0
            || (self.ply < self.shape.height && !mix(self.hash).is_multiple_of(self.shape.ends))
        {
            return None;
        }
        Some(match mix(self.hash ^ 77) % 5 {
            0 => Outcome::Draw,
            1 | 2 => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        })
    }

    fn generate(&self, stage: u8, out: &mut impl Extend<Branch>) {
        if self.outcome().is_none() && !self.is_chance() {
            let count = 1 + self.draw(1, self.shape.width as u64) as u8;
            out.extend((1..=count).filter(|&n| n % 2 == stage).map(Branch));
        }
    }

    fn is_legal(&self, mv: Branch) -> bool {
        self.legal_moves().contains(&mv)
    }

    fn play(&mut self, mv: Branch) -> Self {
        let before = *self;
        let hash = mix(self.key() ^ mix(1000 + mv.0 as u64));
        self.hash = if self.shape.merge == 0 {
            hash
        } else {
            hash % self.shape.merge
        };
        self.ply += 1;
        self.again = !ALTERNATES && mix(hash).is_multiple_of(3);
        self.face = 0;
        if !self.again {
            self.side = self.side.opponent();
        }
        before
    }

    fn undo(&mut self, _: Branch, before: Self) {
        *self = before;
    }

    fn history_index(&self, mv: Branch) -> usize {
        mv.0 as usize
    }

    fn mid_turn(&self) -> bool {
        self.again && mix(self.hash).is_multiple_of(2)
    }

    fn is_chance(&self) -> bool {
        DICE && self.face == 0 && mix(self.hash ^ 5).is_multiple_of(3) && self.outcome().is_none()
    }

    /// The first faces, up to a number that depends on the node, are equivalent.
    fn rolls(&self, out: &mut impl Extend<(u8, i32)>) {
        let merged = self.merged_faces();
        out.extend([(merged, merged as i32)]);
        out.extend((merged + 1..=6).map(|face| (face, 1)));
    }

    fn play_roll(&mut self, face: u8) {
        self.face = face;
    }

    fn undo_roll(&mut self, _: u8) {
        self.face = 0;
    }

    fn terminal(&self, ply: u32) -> Option<Score> {
        let outcome = self.outcome()?;
        Some(match outcome {
            _ if self.shape.margins => Score::points(self.margin(3)),
            Outcome::Draw => Score::DRAW,
            Outcome::Win(side) if side == self.side => Score::win_in(ply),
            Outcome::Win(_) => Score::loss_in(ply),
        })
    }
}

impl<const ALTERNATES: bool, const DICE: bool> Tree<ALTERNATES, DICE> {
    /// Number of equivalent faces, 3 to 5.
    fn merged_faces(&self) -> u8 {
        3 + (mix(self.hash) % 3) as u8
    }

    /// The representative of the cast face.
    fn merged_face(&self) -> u8 {
        self.face.max(self.merged_faces())
    }
}

/// Evaluates by a hash of the key, and checks that pushes and pops match the position. As a policy
/// it likes the last move best.
#[derive(Default)]
pub struct HashEvaluator {
    pub depth: u32,
    pub root_ply: u32,
    /// Whether it may be called within turns, as by Monte-Carlo priors.
    pub mid_turn_too: bool,
    /// It claims to know the exact value of one position in so many; 0 for none.
    pub known: u64,
}

impl<const A: bool, const D: bool> Evaluator<Tree<A, D>> for HashEvaluator {
    fn reset(&mut self, root: &Tree<A, D>) {
        self.depth = 0;
        self.root_ply = root.ply;
    }
    fn push(&mut self, before: &Tree<A, D>, mv: Branch) {
        assert_eq!(before.ply, self.root_ply + self.depth);
        assert!(before.is_legal(mv));
        self.depth += 1;
    }
    fn pop(&mut self) {
        self.depth -= 1;
    }
    fn exact(&self, position: &Tree<A, D>) -> Option<Score> {
        assert!(position.outcome().is_none());
        let is_known = self.known > 0 && position.key().is_multiple_of(self.known);
        is_known.then(|| Score::points(position.margin(2)))
    }
    fn evaluate(&mut self, position: &Tree<A, D>) -> Score {
        assert_eq!(position.ply, self.root_ply + self.depth);
        assert!(position.outcome().is_none());
        assert!(self.mid_turn_too || !position.mid_turn());
        Score::points(position.margin(2))
    }
    /// The last move is ten times as likely as another.
    fn priors(&mut self, position: &Tree<A, D>, moves: &[Branch], out: &mut Vec<f32>) -> bool {
        assert_eq!(position.ply, self.root_ply + self.depth);
        let sum = (moves.len() + 9) as f32;
        out.clear();
        out.extend(
            (1..=moves.len()).map(|place| if place == moves.len() { 10.0 } else { 1.0 } / sum),
        );
        true
    }
}
