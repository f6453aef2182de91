//! Double threats: turns after which the other side needs both of its stones to block.
//!
//! All threats that a pair of stones makes are blocked by one stone only if some cell is empty in all
//! of them. A threat has at most two empty cells, so the cells common to several threats are found
//! without placing the stones.

use engine_core::Side;

use crate::geometry::{CELLS, PAIRS, pair_number};
use crate::moves::{Stone, Turn};
use crate::threats::Gaps;
use crate::windows::Windows;

/// Most stones without a threat that are tried beside a double threat: with all of them, one win more
/// is found among 740 of the winners' last turns but one of real games.
pub(crate) const PARTNERS: usize = 6;

/// An empty cell in windows of three.
#[derive(Clone, Copy, Debug)]
struct Maker {
    stone: Stone,
    /// What is common to the threats that a stone here makes.
    common: Gaps,
}

/// Two empty cells in windows of two.
#[derive(Clone, Copy, Debug)]
struct Joint {
    stones: [Stone; 2],
    /// What is common to the threats that need both.
    common: Gaps,
}

impl Joint {
    /// The number of its pair.
    fn number(&self) -> usize {
        let [one, other] = self.stones.map(Stone::cell);
        pair_number(one, other)
    }
}

/// Finds double threats. Its memory is used again.
#[derive(Clone, Debug)]
pub(crate) struct Doubles {
    windows: Vec<u16>,
    makers: Vec<Maker>,
    /// By cell, the place among the makers.
    maker_at: Box<[u16; CELLS]>,
    joints: Vec<Joint>,
    /// By the number of a pair, its place among the joints.
    joint_at: Box<[u16; PAIRS]>,
    /// The cells with a worth.
    worthy: Vec<Stone>,
    /// By cell, how many own windows of two and three a stone improves: a window of three counts
    /// four times.
    worth: Box<[u16; CELLS]>,
    found: Vec<(u16, Turn)>,
    /// [`PARTNERS`]; all in a test.
    pub(crate) most_partners: usize,
}

/// No place.
const NONE: u16 = u16::MAX;

impl Doubles {
    pub(crate) fn new() -> Doubles {
        Doubles {
            windows: Vec::new(),
            makers: Vec::new(),
            maker_at: Box::new([NONE; CELLS]),
            joints: Vec::new(),
            joint_at: Box::new([NONE; PAIRS]),
            worthy: Vec::new(),
            worth: Box::new([0; CELLS]),
            found: Vec::new(),
            most_partners: PARTNERS,
        }
    }

    /// Appends the turns of two stones of `side` after which one stone blocks not all of its threats,
    /// the most promising first. It has no threat yet. Beside a stone that makes a double threat
    /// alone only some others are listed, among them all that block threats of the other side; else
    /// the list is complete.
    pub(crate) fn pairs(&mut self, windows: &Windows, side: Side, out: &mut Vec<Turn>) {
        self.read(windows, side);
        self.pairs_of_makers();
        self.pairs_of_joints();
        self.pairs_of_one_maker(windows, side);
        self.hand_over(out);
    }

    /// As [`Doubles::pairs`] for the last stone of a turn, in which the side may have threats.
    pub(crate) fn singles(&mut self, windows: &Windows, side: Side, out: &mut Vec<Turn>) {
        self.read(windows, side);
        let threats = windows.threats(side).iter();
        let so_far = threats
            .map(|&window| Gaps::of(windows, window))
            .reduce(Gaps::and);
        for at in 0..self.makers.len() {
            let Maker { stone, common } = self.makers[at];
            let common = so_far.map_or(common, |so_far| common.and(so_far));
            if common.without([stone; 2]) == Gaps::NONE {
                self.add(Turn::one(stone));
            }
        }
        // A stone in the only common cell of the threats, or one more where they have none: a block, or
        // one of the best.
        let more: Vec<Stone> = match so_far {
            Some(Gaps::NONE) => {
                let cells = windows.threats(side).iter();
                let mut cells: Vec<Stone> =
                    cells.flat_map(|&window| windows.gaps(window)).collect();
                cells.extend(self.partners());
                windows.threat_cells(side.opponent(), &mut cells);
                cells
            }
            Some(common) => common.single().into_iter().collect(),
            None => Vec::new(),
        };
        for stone in more {
            self.add_new(Turn::one(stone));
        }
        self.hand_over(out);
    }

    /// Finds the makers and joints.
    fn read(&mut self, windows: &Windows, side: Side) {
        self.forget();
        windows.open_with(side, 3, &mut self.windows);
        let threes = self.windows.len();
        windows.open_with(side, 2, &mut self.windows);
        for at in 0..self.windows.len() {
            let mut gaps = [Stone::from_cell(0); 4];
            for (place, gap) in gaps.iter_mut().zip(windows.gaps(self.windows[at])) {
                *place = gap;
            }
            if at < threes {
                self.read_three([gaps[0], gaps[1], gaps[2]]);
            } else {
                self.read_two(gaps);
            }
        }
    }

    /// Makes the memory of [`Doubles::read`] empty. Only what is in use is cleared.
    fn forget(&mut self) {
        for maker in self.makers.drain(..) {
            self.maker_at[maker.stone.cell()] = NONE;
        }
        for joint in self.joints.drain(..) {
            self.joint_at[joint.number()] = NONE;
        }
        for stone in self.worthy.drain(..) {
            self.worth[stone.cell()] = 0;
        }
        self.windows.clear();
    }

    fn read_three(&mut self, gaps: [Stone; 3]) {
        for (at, stone) in gaps.into_iter().enumerate() {
            self.add_worth(stone, 4);
            let common = Gaps::two(gaps[(at + 1) % 3], gaps[(at + 2) % 3]);
            match self.maker_at[stone.cell()] {
                NONE => {
                    self.maker_at[stone.cell()] = self.makers.len() as u16;
                    self.makers.push(Maker { stone, common });
                }
                known => {
                    let maker = &mut self.makers[known as usize];
                    maker.common = maker.common.and(common);
                }
            }
        }
    }

    fn read_two(&mut self, gaps: [Stone; 4]) {
        for stone in gaps {
            self.add_worth(stone, 1);
        }
        for [a, b, c, d] in [
            [0, 1, 2, 3],
            [0, 2, 1, 3],
            [0, 3, 1, 2],
            [1, 2, 0, 3],
            [1, 3, 0, 2],
            [2, 3, 0, 1],
        ] {
            let joint = Joint {
                stones: [gaps[a], gaps[b]],
                common: Gaps::two(gaps[c], gaps[d]),
            };
            match &mut self.joint_at[joint.number()] {
                place if *place == NONE => {
                    *place = self.joints.len() as u16;
                    self.joints.push(joint);
                }
                // The same pair in another window.
                place => {
                    let known = &mut self.joints[*place as usize];
                    known.common = known.common.and(joint.common);
                }
            }
        }
    }

    fn add_worth(&mut self, stone: Stone, more: u16) {
        let worth = &mut self.worth[stone.cell()];
        if *worth == 0 {
            self.worthy.push(stone);
        }
        *worth += more;
    }

    fn maker(&self, stone: Stone) -> Option<Maker> {
        let place = self.maker_at[stone.cell()];
        self.makers.get(place as usize).copied()
    }

    fn pairs_of_makers(&mut self) {
        for at in 0..self.makers.len() {
            for other in 0..at {
                let (one, other) = (self.makers[at], self.makers[other]);
                if is_double(one, other) {
                    self.add(Turn::two(one.stone, other.stone));
                }
            }
        }
    }

    fn pairs_of_joints(&mut self) {
        for at in 0..self.joints.len() {
            let Joint { stones, mut common } = self.joints[at];
            let makers = stones.map(|stone| self.maker(stone));
            if let [Some(one), Some(other)] = makers
                && is_double(one, other)
            {
                continue;
            }
            for maker in makers.into_iter().flatten() {
                common = common.and(maker.common);
            }
            if common.without(stones) == Gaps::NONE {
                self.add(Turn::two(stones[0], stones[1]));
            }
        }
    }

    /// Adds turns with a stone that makes a double threat alone and another one: a block, or one that
    /// makes no threat.
    fn pairs_of_one_maker(&mut self, windows: &Windows, side: Side) {
        if self.makers.iter().all(|maker| maker.common != Gaps::NONE) {
            return;
        }
        let mut partners = self.partners();
        windows.threat_cells(side.opponent(), &mut partners);
        for at in 0..self.makers.len() {
            let Maker { stone, common } = self.makers[at];
            if common == Gaps::NONE {
                for &partner in partners.iter().filter(|&&partner| partner != stone) {
                    self.add_new(Turn::two(stone, partner));
                }
            }
        }
    }

    /// The best stones that make no threat.
    fn partners(&self) -> Vec<Stone> {
        let cells = self.worthy.iter().copied();
        let mut partners: Vec<Stone> = cells.filter(|&stone| self.maker(stone).is_none()).collect();
        partners.sort_unstable_by_key(|stone| (u16::MAX - self.worth[stone.cell()], *stone));
        partners.truncate(self.most_partners);
        partners
    }

    fn add_new(&mut self, turn: Turn) {
        if !self.found.iter().any(|&(_, known)| known == turn) {
            self.add(turn);
        }
    }

    fn add(&mut self, turn: Turn) {
        let worth = turn.stones().map(|stone| self.worth[stone.cell()]).sum();
        self.found.push((worth, turn));
    }

    fn hand_over(&mut self, out: &mut Vec<Turn>) {
        self.found
            .sort_unstable_by_key(|&(worth, turn)| (u16::MAX - worth, turn));
        out.extend(self.found.drain(..).map(|(_, turn)| turn));
    }
}

/// Whether no stone blocks all threats that two stones make in windows of three.
fn is_double(one: Maker, other: Maker) -> bool {
    let common = one.common.and(other.common);
    common.without([one.stone, other.stone]) == Gaps::NONE
}
