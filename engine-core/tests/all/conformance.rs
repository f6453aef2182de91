//! Tests of the conformance check: it accepts a correct game and detects every kind of fault.

use engine_core::zobrist::{keys, mix};
use engine_core::{
    Checked, Move, Notation, Outcome, ParseError, Position, Side, Symmetric, conformance, perft,
};

const TAKEN: [u64; 16] = keys(1);
const TO_MOVE: u64 = mix(2);
const ROLLED: [u64; 3] = keys(3);

/// What is wrong with the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    UndoForgetsSide,
    KeyForgetsSide,
    MoveTwice,
    MoveMissing,
    StageRepeats,
    IsLegalTooMuch,
    BitsLoseMove,
    NoMoves,
    NeverEnds,
    TextLosesMove,
    PositionLosesSide,
    UpperCaseOnly,
    WeightsTooSmall,
    RollKeepsKey,
    SymmetryBreaks,
    MovesAfterEnd,
}

/// A game on eight cells. Before each turn a two-faced die is cast; then the side takes a free cell
/// of that parity if there is one, or any free cell. Taking the last cell wins.
#[derive(Clone, Debug)]
struct Cells {
    taken: u8,
    side: Side,
    face: u8,
    key: u64,
    fault: Fault,
    plies: u32,
}

impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        (self.taken, self.side, self.face, self.key)
            == (other.taken, other.side, other.face, other.key)
    }
}
impl Eq for Cells {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell(u8);

impl Move for Cell {
    fn to_bits(self) -> u32 {
        self.0 as u32 + 1
    }
    fn from_bits(bits: u32) -> Cell {
        // Cell 99 is used by the faulty game that packs its cells incorrectly.
        Cell((bits.wrapping_sub(1) & 0xff) as u8)
    }
}

impl Cells {
    fn new(fault: Fault) -> Cells {
        Cells {
            taken: 0,
            side: Side::First,
            face: 0,
            key: 0,
            fault,
            plies: 0,
        }
    }

    fn free(&self) -> Vec<u8> {
        let free: Vec<u8> = (0..8).filter(|cell| self.taken >> cell & 1 == 0).collect();
        let fits: Vec<u8> = free
            .iter()
            .copied()
            .filter(|cell| cell % 2 == self.face % 2)
            .collect();
        if fits.is_empty() { free } else { fits }
    }

    fn over(&self) -> bool {
        self.taken == 0xff && self.fault != Fault::NeverEnds
    }
}

impl Position for Cells {
    type Move = Cell;
    type Undo = u64;
    const ALTERNATES: bool = true;
    const HAS_CHANCE: bool = true;
    const FACES: u8 = 2;
    const STAGES: u8 = 2;
    const HISTORY_LEN: usize = 256;

    fn side(&self) -> Side {
        self.side
    }
    fn key(&self) -> u64 {
        self.key
    }
    fn outcome(&self) -> Option<Outcome> {
        self.over().then(|| Outcome::Win(self.side.opponent()))
    }
    fn generate(&self, stage: u8, out: &mut impl Extend<Cell>) {
        if self.face == 0 && !(self.over() && self.fault == Fault::MovesAfterEnd) {
            return;
        }
        let mut cells = self.free();
        cells.retain(|cell| cell / 4 == stage || (self.fault == Fault::StageRepeats && *cell == 6));
        match self.fault {
            Fault::NoMoves => cells.clear(),
            Fault::MoveMissing => cells.retain(|&cell| cell != 5),
            Fault::MoveTwice if stage == 0 => cells.extend(cells.clone()),
            Fault::MovesAfterEnd if self.over() => cells.push(1),
            Fault::NeverEnds if cells.is_empty() && self.free().is_empty() && stage == 0 => {
                cells.push(0)
            }
            Fault::BitsLoseMove => cells
                .iter_mut()
                .for_each(|cell| *cell += (*cell == 7) as u8 * 249),
            _ => {}
        }
        out.extend(cells.into_iter().map(Cell));
    }
    fn is_legal(&self, mv: Cell) -> bool {
        let too_much = self.fault == Fault::IsLegalTooMuch && mv.0 < 8;
        let stuck = self.fault == Fault::NeverEnds && self.taken == 0xff && mv.0 == 0;
        self.face != 0 && (self.free().contains(&mv.0) || too_much || stuck)
    }
    fn play(&mut self, mv: Cell) -> u64 {
        let before = self.key ^ (self.face as u64) << 56;
        self.key ^= ROLLED[self.face as usize] ^ TAKEN[mv.0 as usize % 16];
        if self.fault != Fault::KeyForgetsSide {
            self.key ^= TO_MOVE;
        }
        self.taken |= 1 << (mv.0 % 8);
        self.side = self.side.opponent();
        self.face = 0;
        self.plies += 1;
        before
    }
    fn undo(&mut self, mv: Cell, before: u64) {
        let face = (1..=2).find(|&face| {
            let side = if self.fault == Fault::KeyForgetsSide {
                0
            } else {
                TO_MOVE
            };
            let key = self.key ^ ROLLED[face as usize] ^ TAKEN[mv.0 as usize % 16] ^ side;
            key ^ (face as u64) << 56 == before
        });
        self.face = face.unwrap_or(0);
        self.key = before ^ (self.face as u64) << 56;
        self.taken &= !(1 << (mv.0 % 8));
        if self.fault != Fault::UndoForgetsSide {
            self.side = self.side.opponent();
        }
        self.plies -= 1;
    }
    fn history_index(&self, mv: Cell) -> usize {
        mv.0 as usize
    }
    fn is_chance(&self) -> bool {
        self.face == 0 && !self.over()
    }
    fn rolls(&self, out: &mut impl Extend<(u8, i32)>) {
        out.extend([
            (1, 1),
            (
                2,
                if self.fault == Fault::WeightsTooSmall {
                    0
                } else {
                    1
                },
            ),
        ]);
    }
    fn play_roll(&mut self, face: u8) {
        self.face = face;
        if self.fault != Fault::RollKeepsKey {
            self.key ^= ROLLED[face as usize];
        }
    }
    fn undo_roll(&mut self, face: u8) {
        self.face = 0;
        if self.fault != Fault::RollKeepsKey {
            self.key ^= ROLLED[face as usize];
        }
    }
}

impl Notation for Cells {
    fn write_move(&self, mv: Cell) -> String {
        let lost = self.fault == Fault::TextLosesMove && mv.0 == 3;
        format!("c{}", if lost { 4 } else { mv.0 })
    }
    fn parse_move(&self, text: &str) -> Result<Cell, ParseError> {
        let prefixes: &[char] = if self.fault == Fault::UpperCaseOnly {
            &['c']
        } else {
            &['c', 'C']
        };
        let cell = text
            .strip_prefix(prefixes)
            .and_then(|digits| digits.parse().ok())
            .map(Cell);
        cell.filter(|&cell| self.is_legal(cell))
            .ok_or_else(|| ParseError::new(1, text, "a free cell c0 to c7"))
    }
    fn write_position(&self) -> String {
        format!("{} {} {}", self.taken, self.side.index(), self.face)
    }
    fn parse_position(&self, text: &str) -> Result<Cells, ParseError> {
        let numbers: Vec<u8> = text
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        let &[taken, side, face] = &numbers[..] else {
            return Err(ParseError::new(1, text, "three numbers"));
        };
        let side = if self.fault == Fault::PositionLosesSide {
            0
        } else {
            side
        };
        let mut read = Cells {
            taken,
            side: Side::BOTH[side as usize],
            face,
            ..self.clone()
        };
        read.key = read.key_from_scratch();
        Ok(read)
    }
}

impl Checked for Cells {
    fn key_from_scratch(&self) -> u64 {
        let cells = (0..8)
            .filter(|cell| self.taken >> cell & 1 == 1)
            .fold(0, |key, cell| key ^ TAKEN[cell]);
        let side = if self.side == Side::Second {
            TO_MOVE
        } else {
            0
        };
        cells
            ^ side
            ^ if self.face == 0 {
                0
            } else {
                ROLLED[self.face as usize]
            }
    }
}

/// Symmetry 1 exchanges cells 1 and 3.
impl Symmetric for Cells {
    fn symmetries(&self) -> u8 {
        2
    }
    fn transform(&self, symmetry: u8) -> Cells {
        let mut image = self.clone();
        let (one, three) = (self.taken >> 1 & 1, self.taken >> 3 & 1);
        if symmetry == 1 && self.fault != Fault::SymmetryBreaks {
            image.taken = self.taken & !0b1010 | one << 3 | three << 1;
        }
        image.key = image.key_from_scratch();
        image
    }
    fn transform_move(&self, symmetry: u8, mv: Cell) -> Cell {
        match (symmetry, mv.0) {
            (1, 1) => Cell(3),
            (1, 3) => Cell(1),
            _ => mv,
        }
    }
}

#[test]
fn a_right_game_passes() {
    conformance(&Cells::new(Fault::None), 50, 1);
}

#[test]
fn every_fault_is_found() {
    let faults = [
        Fault::UndoForgetsSide,
        Fault::KeyForgetsSide,
        Fault::MoveTwice,
        Fault::MoveMissing,
        Fault::StageRepeats,
        Fault::IsLegalTooMuch,
        Fault::BitsLoseMove,
        Fault::NoMoves,
        Fault::NeverEnds,
        Fault::TextLosesMove,
        Fault::PositionLosesSide,
        Fault::UpperCaseOnly,
        Fault::WeightsTooSmall,
        Fault::RollKeepsKey,
        Fault::SymmetryBreaks,
        Fault::MovesAfterEnd,
    ];
    for fault in faults {
        let check = || conformance(&Cells::new(fault), 50, 1);
        assert!(
            std::panic::catch_unwind(check).is_err(),
            "{fault:?} was not found"
        );
    }
}

/// 2 rolls, 4 cells, 2 rolls; then 4 cells, or 3 of those left.
#[test]
fn perft_counts_faces_and_moves() {
    let counts: Vec<u64> = (0..5)
        .map(|depth| perft(&mut Cells::new(Fault::None), depth))
        .collect();
    assert_eq!(counts, [1, 2, 8, 16, 8 * (3 + 4)]);
}
