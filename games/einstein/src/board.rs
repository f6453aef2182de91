//! The position and its rules.

use engine_core::zobrist::mix;
use engine_core::{Checked, Outcome, Position, Score, Side, Symmetric};

use crate::army::Army;
use crate::moves::{Action, BITS_END, steps};
use crate::tables::{GOAL, HOME, LAYOUT_COUNT, LAYOUTS, MOVABLE, STEPS, layout_rank, transpose};
use crate::variant::Colour;

/// Points of a certain win. Expectations over dice mix wins and evaluations, so both use the same
/// unit: a winning probability `p` is worth `WIN_POINTS * (2p - 1)`.
pub const WIN_POINTS: i32 = 10_000;

/// The phase of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// The side to act lays out its pieces.
    Layout,
    /// The die is to be rolled.
    Roll,
    /// The side to act moves by this roll, 1–6.
    Move(u8),
    /// The side not to act has won: only the side that moves can win.
    Over,
}

/// A position of EinStein würfelt nicht!.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Einstein {
    /// By side, each in its own frame.
    pub(crate) armies: [Army; 2],
    pub(crate) side: Side,
    pub(crate) phase: Phase,
    /// The colour of `First`; used only for text and pictures.
    first_colour: Colour,
}

/// What [`Position::undo`] restores.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    armies: [Army; 2],
    phase: Phase,
}

impl Einstein {
    /// The empty board: `First`, which plays `first_colour`, lays out first.
    pub fn new(first_colour: Colour) -> Einstein {
        Einstein {
            armies: [Army::UNPLACED; 2],
            side: Side::First,
            phase: Phase::Layout,
            first_colour,
        }
    }

    /// The colour of a side.
    pub fn colour(&self, side: Side) -> Colour {
        match side {
            Side::First => self.first_colour,
            Side::Second => self.first_colour.opponent(),
        }
    }

    /// The side that plays a colour.
    pub fn side_of(&self, colour: Colour) -> Side {
        if colour == self.first_colour {
            Side::First
        } else {
            Side::Second
        }
    }

    /// The roll of the side to act, 1–6; `None` if the die is not rolled or the phase needs none.
    pub fn die(&self) -> Option<u8> {
        match self.phase {
            Phase::Move(die) => Some(die),
            _ => None,
        }
    }

    /// The numbers of the pieces that the side to act may move; none before the roll.
    pub fn movable(&self) -> impl Iterator<Item = u8> + use<> {
        self.die().into_iter().flat_map({
            let army = self.armies[self.side.index()];
            move |die| {
                let [low, high] = MOVABLE[army.alive() as usize][die as usize];
                std::iter::once(low + 1).chain((high != low).then_some(high + 1))
            }
        })
    }

    /// Why the finished game ended.
    pub(crate) fn ending_words(&self) -> &'static str {
        let winner = self.side.opponent();
        let reached = self.armies[winner.index()].at_goal();
        match (self.colour(winner), reached) {
            (Colour::Red, true) => "red reached e1",
            (Colour::Blue, true) => "blue reached a5",
            (Colour::Red, false) => "blue has no pieces left",
            (Colour::Blue, false) => "red has no pieces left",
        }
    }

    /// The piece on `square` of `side`'s frame, with its owner.
    pub(crate) fn piece_at(&self, side: Side, square: u8) -> Option<(Side, u8)> {
        let enemy = side.opponent();
        let own = self.armies[side.index()].find(square);
        let other = self.armies[enemy.index()].find(GOAL - square);
        own.map(|piece| (side, piece + 1))
            .or(other.map(|piece| (enemy, piece + 1)))
    }

    /// The state that matters to a search, in 64 bits: 30 per side, the side to act, 3 bits of the
    /// phase.
    ///
    /// [`Phase::Layout`] and [`Phase::Roll`] share their bits: only at a layout do the fields of
    /// the side to act hold no squares.
    #[inline]
    fn word(&self) -> u64 {
        let phase = match self.phase {
            Phase::Layout | Phase::Roll => 0,
            Phase::Move(die) => die as u64,
            Phase::Over => 7,
        };
        self.armies[0].bits()
            | self.armies[1].bits() << 30
            | (self.side.index() as u64) << 60
            | phase << 61
    }

    fn step(&mut self, piece: u8, target: u8) {
        let (own, enemy) = (self.side.index(), self.side.opponent().index());
        self.armies[own].remove_at(target);
        self.armies[own].put(piece - 1, target);
        self.armies[enemy].remove_at(GOAL - target);
        self.phase = if target == GOAL || self.armies[enemy].alive() == 0 {
            Phase::Over
        } else {
            Phase::Roll
        };
    }

    /// The position with these armies.
    ///
    /// # Errors
    /// An impossible position; the message says what was expected.
    pub(crate) fn with_armies(
        &self,
        armies: [Army; 2],
        side: Side,
        phase: Phase,
    ) -> Result<Einstein, &'static str> {
        let position = Einstein {
            armies,
            side,
            phase,
            first_colour: self.first_colour,
        };
        let [first, second] = armies;
        match (phase, side, second == Army::UNPLACED) {
            (Phase::Layout, Side::First, true) if first == Army::UNPLACED => return Ok(position),
            (Phase::Layout, Side::Second, true) if first.at_home() => return Ok(position),
            (Phase::Layout, ..) => return Err("no layout: First lays out, then Second"),
            (.., false) if first != Army::UNPLACED => {}
            _ => return Err("layout, as a side has not laid out"),
        }
        let pieces = armies.map(Army::alive).map(u8::count_ones);
        let all = first.occupied() | second.occupied_in_other_frame();
        if all.count_ones() != pieces[0] + pieces[1] {
            return Err("every piece on a square of its own");
        }
        let won = |side: Side| {
            armies[side.index()].at_goal() || armies[side.opponent().index()].alive() == 0
        };
        match (won(side), won(side.opponent()), phase) {
            (true, ..) => Err("the side to act not to have won"),
            (_, true, phase) if phase != Phase::Over => Err("over, as the game has ended"),
            (_, false, Phase::Over) => Err("roll or a die, as nobody has won"),
            _ => Ok(position),
        }
    }
}

impl Position for Einstein {
    type Move = Action;
    type Undo = Undo;

    const ALTERNATES: bool = true;
    const DRAWS: bool = false;
    const HAS_CHANCE: bool = true;
    const FACES: u8 = 6;
    const MAX_SCORE: Score = Score::points(WIN_POINTS);
    const HISTORY_LEN: usize = BITS_END;

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    /// `mix` is a bijection and `word` is unique for each position of a game, so keys never
    /// collide.
    #[inline]
    fn key(&self) -> u64 {
        mix(self.word())
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.phase == Phase::Over).then(|| Outcome::Win(self.side.opponent()))
    }

    fn generate(&self, _stage: u8, out: &mut impl Extend<Action>) {
        match self.phase {
            Phase::Layout => out.extend((0..LAYOUT_COUNT as u32).map(Action::Layout)),
            Phase::Move(die) => {
                let army = self.armies[self.side.index()];
                let [low, high] = MOVABLE[army.alive() as usize][die as usize];
                out.extend(steps(low, army.field(low)));
                if high != low {
                    out.extend(steps(high, army.field(high)));
                }
            }
            Phase::Roll | Phase::Over => {}
        }
    }

    fn is_legal(&self, mv: Action) -> bool {
        match (self.phase, mv) {
            (Phase::Layout, Action::Layout(rank)) => (rank as usize) < LAYOUT_COUNT,
            (Phase::Move(die), Action::Step { piece, target }) => {
                let army = self.armies[self.side.index()];
                let movable = MOVABLE[army.alive() as usize][die as usize];
                movable.contains(&piece.wrapping_sub(1)) && {
                    let steps = &STEPS[army.field(piece - 1) as usize];
                    steps.targets[..steps.count as usize].contains(&target)
                }
            }
            _ => false,
        }
    }

    #[inline]
    fn play(&mut self, mv: Action) -> Undo {
        let undo = Undo {
            armies: self.armies,
            phase: self.phase,
        };
        match mv {
            Action::Step { piece, target } => self.step(piece, target),
            Action::Layout(rank) => {
                self.armies[self.side.index()] = Army::laid_out(rank as usize);
                if self.side == Side::Second {
                    self.phase = Phase::Roll;
                }
            }
        }
        self.side = self.side.opponent();
        undo
    }

    #[inline]
    fn undo(&mut self, _mv: Action, undo: Undo) {
        self.armies = undo.armies;
        self.phase = undo.phase;
        self.side = self.side.opponent();
    }

    #[inline]
    fn history_index(&self, mv: Action) -> usize {
        engine_core::Move::to_bits(mv) as usize
    }

    #[inline]
    fn is_chance(&self) -> bool {
        self.phase == Phase::Roll
    }

    /// Faces that move the same pieces are represented by the first of them. Such faces are
    /// adjacent, because faces merge only in a gap between two pieces or beyond the last one.
    fn rolls(&self, out: &mut impl Extend<(u8, i32)>) {
        if !self.is_chance() {
            return;
        }
        let movable = &MOVABLE[self.armies[self.side.index()].alive() as usize];
        let mut face = 1;
        while face <= Self::FACES {
            let same = (face..=Self::FACES)
                .take_while(|&other| movable[other as usize] == movable[face as usize])
                .count() as u8;
            out.extend(std::iter::once((face, same as i32)));
            face += same;
        }
    }

    #[inline]
    fn play_roll(&mut self, face: u8) {
        self.phase = Phase::Move(face);
    }

    #[inline]
    fn undo_roll(&mut self, _face: u8) {
        self.phase = Phase::Roll;
    }

    /// ±[`WIN_POINTS`] at any distance: a score on another scale could not be averaged with
    /// evaluations over dice. Pieces only move forward, so a search cannot postpone a win for ever.
    #[inline]
    fn terminal(&self, _ply: u32) -> Option<Score> {
        self.outcome().map(|outcome| {
            let won = outcome == Outcome::Win(self.side);
            Score::points(if won { WIN_POINTS } else { -WIN_POINTS })
        })
    }
}

impl Checked for Einstein {
    fn key_from_scratch(&self) -> u64 {
        let rebuilt = |army: Army| {
            if army == Army::UNPLACED {
                army
            } else {
                Army::from_squares(army.squares())
            }
        };
        Einstein {
            armies: self.armies.map(rebuilt),
            ..self.clone()
        }
        .key()
    }
}

impl Symmetric for Einstein {
    fn symmetries(&self) -> u8 {
        2
    }

    /// Symmetry 1 mirrors in the diagonal from A5 to E1, the two corners.
    fn transform(&self, symmetry: u8) -> Einstein {
        let mut image = self.clone();
        if symmetry == 1 {
            image.armies = self.armies.map(Army::transposed);
        }
        image
    }

    fn transform_move(&self, symmetry: u8, mv: Action) -> Action {
        match mv {
            _ if symmetry == 0 => mv,
            Action::Step { piece, target } => Action::Step {
                piece,
                target: transpose(target),
            },
            Action::Layout(rank) => {
                let numbers = LAYOUTS[rank as usize];
                let image = HOME.map(|square| {
                    let from = HOME.iter().position(|&home| home == transpose(square));
                    numbers[from.expect("the home triangle is symmetric")]
                });
                Action::Layout(layout_rank(image).expect("the same numbers") as u32)
            }
        }
    }
}
