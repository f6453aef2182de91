//! The position: the drawn edges, the owners of boxes, the side to move.

use engine_core::zobrist::{keys, mix};
use engine_core::{Checked, Outcome, Position, Score, Side, Symmetric};

use crate::geometry::Geometry;
use crate::moves::{Edge, Edges};

/// The value of a box in scores and evaluations, points.
pub const BOX: i32 = 100;

/// 64 edges enclose at most 25 boxes.
const MAX_BOXES: i32 = 25;
const SCORE_KEYS: [u64; 2 * (2 * MAX_BOXES as usize + 1)] = keys(0xd075);

/// The drawn edges, and the number of drawn edges of every box.
///
/// The counts are kept modulo 4 as two bits in two sets of boxes. So drawing an edge adds 1 to both
/// its boxes at once, and one operation finds the boxes with a given count. A closed box has count
/// 0 again; it has no open edge, so it is never mistaken for an untouched box.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) drawn: u64,
    low: u64,
    high: u64,
}

impl Lines {
    /// Draws an open edge and returns the set of boxes that it closes.
    #[inline]
    pub(crate) fn draw(&mut self, board: &Geometry, edge: Edge) -> u64 {
        let boxes = board.boxes[edge.0 as usize];
        let carry = self.low & boxes;
        let closed = self.high & carry;
        self.drawn |= edge.bit();
        self.low ^= boxes;
        self.high ^= carry;
        closed
    }

    /// Undraws an edge.
    #[inline]
    fn erase(&mut self, board: &Geometry, edge: Edge) {
        let boxes = board.boxes[edge.0 as usize];
        self.drawn ^= edge.bit();
        self.low ^= boxes;
        self.high ^= self.low & boxes;
    }

    /// The boxes with three edges: the fourth edge captures them.
    #[inline]
    pub(crate) fn threes(&self) -> u64 {
        self.high & self.low
    }

    /// The boxes with two edges: a third edge gives them away.
    #[inline]
    pub(crate) fn twos(&self) -> u64 {
        self.high & !self.low
    }

    /// The edges that capture a box.
    #[inline]
    pub(crate) fn capturing(&self, board: &Geometry) -> u64 {
        board.around(self.threes()) & !self.drawn
    }

    /// The safe edges: they neither capture a box nor give one away.
    #[inline]
    pub(crate) fn safe(&self, board: &Geometry) -> u64 {
        !board.around(self.high) & !self.drawn & board.all
    }

    /// The edges that give a box away and capture none.
    #[inline]
    pub(crate) fn giving(&self, board: &Geometry) -> u64 {
        board.around(self.twos()) & !board.around(self.threes()) & !self.drawn
    }
}

/// A position of Dots and Boxes.
///
/// The search treats every edge as an action; a side that captures a box moves again.
/// [`Position::mid_turn`] is `false` within such a turn: the side to move must draw an edge there
/// as anywhere else, so the evaluation applies to every position. (A null move is always wrong:
/// zugzwang decides this game.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DotsAndBoxes {
    pub(crate) geometry: &'static Geometry,
    pub(crate) lines: Lines,
    /// The boxes of each side, as sets.
    pub(crate) owned: [u64; 2],
    /// Boxes of `First` minus those of `Second`.
    pub(crate) margin: i8,
    pub(crate) side: Side,
    pub(crate) stop_at_majority: bool,
}

impl DotsAndBoxes {
    pub(crate) fn new(geometry: &'static Geometry, stop_at_majority: bool) -> DotsAndBoxes {
        DotsAndBoxes {
            geometry,
            lines: Lines::default(),
            owned: [0; 2],
            margin: 0,
            side: Side::First,
            stop_at_majority,
        }
    }

    /// Number of boxes that a side owns.
    pub fn boxes_of(&self, side: Side) -> u32 {
        (self.owned[side.index()] & self.geometry.horizontal).count_ones()
    }

    /// Number of boxes without an owner.
    pub fn boxes_left(&self) -> u32 {
        let owned = (self.owned[0] | self.owned[1]) & self.geometry.horizontal;
        self.geometry.box_count() - owned.count_ones()
    }

    /// Boxes of the side to move minus those of its opponent.
    #[inline]
    pub fn margin(&self) -> i32 {
        match self.side {
            Side::First => self.margin as i32,
            Side::Second => -self.margin as i32,
        }
    }

    /// The edges that are not drawn; none after the end of the game.
    #[inline]
    pub(crate) fn open(&self) -> u64 {
        if self.has_majority() {
            0
        } else {
            self.geometry.all & !self.lines.drawn
        }
    }

    /// Whether the game ended because one side has more than half of the boxes.
    #[inline]
    fn has_majority(&self) -> bool {
        self.stop_at_majority && self.margin.unsigned_abs() as u32 > self.boxes_left()
    }

    /// Sets the edges, the owners and the side to move.
    pub(crate) fn settle(&mut self, lines: Lines, owned: [u64; 2], side: Side) {
        (self.lines, self.owned, self.side) = (lines, owned, side);
        self.margin = self.boxes_of(Side::First) as i8 - self.boxes_of(Side::Second) as i8;
    }

    /// Gives one or two captured boxes to the side to move (`sign` 1) or takes them back (−1).
    #[inline]
    fn own(&mut self, closed: u64, sign: i8) {
        self.owned[self.side.index()] ^= closed;
        let upper = closed & self.geometry.horizontal;
        let count = sign * (1 + (upper & (upper - 1) != 0) as i8);
        self.margin += match self.side {
            Side::First => count,
            Side::Second => -count,
        };
    }
}

impl Position for DotsAndBoxes {
    type Move = Edge;
    type Undo = ();

    const ALTERNATES: bool = false;
    /// Capturing edges, safe edges, edges that give boxes away.
    const STAGES: u8 = 3;
    const HISTORY_LEN: usize = 64;

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    /// Edges, side to move and margin.
    ///
    /// A bijection of 64 bits mixes the edges, so positions with the same side and margin never
    /// share a key. The owners of boxes are not part of the key, because the remaining game does
    /// not depend on them. The margin is part of it, because scores are margins of the whole game:
    /// equal edges with a different margin have a different score.
    #[inline]
    fn key(&self) -> u64 {
        let score = 2 * (self.margin as i32 + MAX_BOXES) as usize + self.side.index();
        mix(self.lines.drawn) ^ SCORE_KEYS[score]
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.lines.drawn != self.geometry.all && !self.has_majority() {
            return None;
        }
        Some(match self.margin {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        })
    }

    fn generate(&self, stage: u8, out: &mut impl Extend<Edge>) {
        let open = self.open();
        out.extend(Edges(match stage {
            0 => self.lines.capturing(self.geometry) & open,
            1 => self.lines.safe(self.geometry) & open,
            _ => self.lines.giving(self.geometry) & open,
        }));
    }

    #[inline]
    fn is_legal(&self, mv: Edge) -> bool {
        self.open() & mv.bit() != 0
    }

    #[inline]
    fn play(&mut self, mv: Edge) {
        let closed = self.lines.draw(self.geometry, mv);
        if closed == 0 {
            self.side = self.side.opponent();
        } else {
            self.own(closed, 1);
        }
    }

    #[inline]
    fn undo(&mut self, mv: Edge, (): ()) {
        let closed = (self.owned[0] | self.owned[1]) & self.geometry.boxes[mv.0 as usize];
        self.lines.erase(self.geometry, mv);
        if closed == 0 {
            self.side = self.side.opponent();
        } else {
            self.own(closed, -1);
        }
    }

    #[inline]
    fn history_index(&self, mv: Edge) -> usize {
        mv.0 as usize
    }

    /// The margin in points, [`BOX`] per box, if the game is played to the last edge. If it stops
    /// at a majority, further boxes are worth nothing, and the score is a win in n.
    #[inline]
    fn terminal(&self, ply: u32) -> Option<Score> {
        let outcome = self.outcome()?;
        Some(match outcome {
            _ if !self.stop_at_majority => Score::points(BOX * self.margin()),
            Outcome::Draw => Score::DRAW,
            Outcome::Win(side) if side == self.side => Score::win_in(ply),
            Outcome::Win(_) => Score::loss_in(ply),
        })
    }
}

impl DotsAndBoxes {
    /// A lattice point (see [`Geometry::point`]) under a symmetry.
    fn transform_point(&self, symmetry: u8, point: (u8, u8)) -> (u8, u8) {
        let last = (2 * self.geometry.columns, 2 * self.geometry.rows);
        engine_core::mirrored(symmetry, last, point)
    }
}

impl Checked for DotsAndBoxes {
    fn key_from_scratch(&self) -> u64 {
        let margin = self.boxes_of(Side::First) as i32 - self.boxes_of(Side::Second) as i32;
        let score = 2 * (margin + MAX_BOXES) as usize + self.side.index();
        mix(self.lines.drawn) ^ SCORE_KEYS[score]
    }
}

/// A rectangle has the two reflections and their product; a square also has its diagonal. They are
/// numbered as in [`engine_core::mirrored`].
impl Symmetric for DotsAndBoxes {
    fn symmetries(&self) -> u8 {
        if self.geometry.columns == self.geometry.rows {
            8
        } else {
            4
        }
    }

    fn transform(&self, symmetry: u8) -> DotsAndBoxes {
        let mut image = DotsAndBoxes::new(self.geometry, self.stop_at_majority);
        for edge in Edges(self.lines.drawn) {
            image
                .lines
                .draw(self.geometry, self.transform_move(symmetry, edge));
        }
        for side in Side::BOTH {
            for upper in Edges(self.owned[side.index()] & self.geometry.horizontal) {
                let (x, y) = self.transform_point(symmetry, self.geometry.centre(upper.0));
                let number = self.geometry.box_at(x, y).expect("a symmetry keeps boxes");
                image.owned[side.index()] |= self.geometry.set_of(number);
            }
        }
        image.margin = self.margin;
        image.side = self.side;
        image
    }

    fn transform_move(&self, symmetry: u8, mv: Edge) -> Edge {
        let (x, y) = self.transform_point(symmetry, self.geometry.point(mv.0));
        Edge(self.geometry.edge_at(x, y).expect("a symmetry keeps edges"))
    }
}
