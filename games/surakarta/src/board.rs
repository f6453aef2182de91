//! The position: play and undo, endings, key.

use engine_core::{Checked, Outcome, Position, Side, Symmetric, zobrist};

use crate::geometry::{self, ALL, POINTS, points, spread};
use crate::moves::{Action, Captures, Pieces, can_capture, is_capture, steppers};
use crate::variant::Variant;

/// A position of Surakarta, with the part of its history that the rules need.
#[derive(PartialEq, Eq, Debug)]
pub struct Surakarta {
    pieces: [Pieces; 2],
    side: Side,
    /// Pieces and side to move as one number, see [`WEIGHT`]; unique for each position.
    code: u64,
    /// Plies since the last capture.
    quiet: u32,
    /// The codes of the earlier positions, oldest first; empty if the variant has no repetition
    /// rule. Only those since the last capture can recur; the others are kept for undo.
    history: Vec<u64>,
    /// The [`mark`]s of the codes since the last capture: if a code's mark is missing, the history
    /// need not be searched.
    seen: u64,
    ending: Option<Ending>,
    variant: Variant,
}

impl Clone for Surakarta {
    fn clone(&self) -> Surakarta {
        Surakarta {
            history: self.history.clone(),
            ..*self
        }
    }

    /// Reuses the history buffer, so a playout from a copied position allocates nothing.
    fn clone_from(&mut self, source: &Surakarta) {
        let mut history = std::mem::take(&mut self.history);
        history.clone_from(&source.history);
        *self = Surakarta { history, ..*source };
    }
}

/// Data for undoing a move.
#[derive(Debug)]
pub struct Undo {
    captured: bool,
    quiet: u32,
    seen: u64,
    ending: Option<Ending>,
}

/// How a game ended. If several endings apply, the first one counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A side has lost its last piece; it loses.
    NoPieces,
    /// The side to move has no legal move; it loses.
    NoMove,
    /// Third occurrence of the position; more pieces win, equal numbers draw.
    Repetition,
    /// The limit of plies without a capture is reached; more pieces win, equal numbers draw.
    QuietLimit,
}

/// The contribution of a piece of each side on each point to the code of a position. The points are
/// the base-3 digits of a number (0 empty, 1 `First`, 2 `Second`), doubled so that bit 0 holds the
/// side to move. The code is below 2 · 3³⁶ < 2⁵⁹.
const WEIGHT: [[u64; POINTS]; 2] = {
    let mut weights = [[0; POINTS]; 2];
    let mut power = 1;
    let mut point = 0;
    while point < POINTS {
        weights[0][point] = 2 * power;
        weights[1][point] = 4 * power;
        power *= 3;
        point += 1;
    }
    weights
};

/// Within this many plies of the quiet limit, the remaining plies are part of the key.
const TAIL: u32 = 31;
/// The lowest bit above all codes.
const TAIL_SHIFT: u32 = 59;

impl Surakarta {
    /// The start position.
    pub fn new(variant: Variant) -> Surakarta {
        let rows = (1 << (2 * geometry::SIZE)) - 1;
        Surakarta::set_up(
            [rows << (4 * geometry::SIZE), rows],
            Side::First,
            0,
            variant,
        )
    }

    /// A position with these points occupied by `First` and `Second`, which must not overlap; its
    /// history starts here.
    pub(crate) fn set_up(points: [u64; 2], side: Side, quiet: u32, variant: Variant) -> Surakarta {
        let pieces = points.map(Pieces::new);
        let mut position = Surakarta {
            pieces,
            side,
            code: code_of(pieces, side),
            quiet,
            history: Vec::new(),
            seen: 0,
            ending: None,
            variant,
        };
        position.ending = position.find_ending();
        position
    }

    /// The rule settings of this game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Plies since the last capture.
    pub fn quiet(&self) -> u32 {
        self.quiet
    }

    /// How the game ended, if it is over.
    pub fn ending_kind(&self) -> Option<Ending> {
        self.ending
    }

    /// Number of pieces of a side, 0 to 12.
    pub fn count(&self, side: Side) -> u32 {
        self.pieces(side).count()
    }

    #[inline]
    pub(crate) fn pieces(&self, side: Side) -> Pieces {
        self.pieces[side.index()]
    }

    /// The pieces of the side to move.
    #[inline]
    pub(crate) fn own(&self) -> Pieces {
        self.pieces(self.side)
    }

    /// The pieces of the side not to move.
    #[inline]
    pub(crate) fn enemy(&self) -> Pieces {
        self.pieces(self.side.opponent())
    }

    /// The empty points.
    #[inline]
    pub(crate) fn empty(&self) -> u64 {
        ALL & !(self.pieces[0].points | self.pieces[1].points)
    }

    /// The captures of the side to move.
    #[inline]
    pub(crate) fn captures(&self) -> Captures {
        Captures::of(self.own(), self.enemy())
    }

    /// A copy without history for captures and evaluation: neither the copy nor its captures
    /// allocate.
    pub(crate) fn without_history(&self) -> Surakarta {
        Surakarta {
            history: Vec::new(),
            seen: 0,
            variant: Variant {
                repetition: false,
                ..self.variant
            },
            ..*self
        }
    }

    /// Remaining plies without a capture before the limit, if there is a limit.
    pub(crate) fn quiet_left(&self) -> Option<u32> {
        (self.variant.quiet_limit > 0).then(|| self.variant.quiet_limit.saturating_sub(self.quiet))
    }

    #[inline]
    fn find_ending(&self) -> Option<Ending> {
        if self.pieces[0].points == 0 || self.pieces[1].points == 0 {
            return Some(Ending::NoPieces);
        }
        if spread(self.own().points) & self.empty() == 0 && !can_capture(self.own(), self.enemy()) {
            return Some(Ending::NoMove);
        }
        if self.is_third_occurrence() {
            return Some(Ending::Repetition);
        }
        if self.variant.quiet_limit > 0 && self.quiet >= self.variant.quiet_limit {
            return Some(Ending::QuietLimit);
        }
        None
    }

    /// The codes of the positions since the last capture, without this one.
    #[inline]
    fn since_capture(&self) -> &[u64] {
        let count = self.history.len().min(self.quiet as usize);
        &self.history[self.history.len() - count..]
    }

    /// Whether this position occurred twice since the last capture.
    #[inline]
    fn is_third_occurrence(&self) -> bool {
        let is_this = |code: &&u64| **code == self.code;
        self.seen & mark(self.code) != 0 && self.since_capture().iter().filter(is_this).count() >= 2
    }
}

/// One bit of 64, selected by the code.
#[inline]
fn mark(code: u64) -> u64 {
    1 << (code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

/// The code of a position, computed from its pieces.
fn code_of(pieces: [Pieces; 2], side: Side) -> u64 {
    let sum = |side: Side| -> u64 {
        points(pieces[side.index()].points)
            .map(|point| WEIGHT[side.index()][point as usize])
            .sum()
    };
    sum(Side::First) + sum(Side::Second) + side as u64
}

impl Position for Surakarta {
    type Move = Action;
    type Undo = Undo;
    const ALTERNATES: bool = true;
    /// Captures, then steps.
    const STAGES: u8 = 2;
    /// Steps can be reversed; the third occurrence of a position ends the game.
    const REPEATS: bool = true;
    const HISTORY_LEN: usize = POINTS * POINTS;

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    /// The mixed code. Both mappings are one-to-one, so different positions never share a key.
    ///
    /// Far from the quiet limit, pieces and side to move are enough. In the last 31 plies before
    /// it, the number of remaining plies affects the result, so it is part of the key. A table
    /// entry of a search of at most that depth is then never used where the limit would have cut
    /// the search at another ply. Before that, transpositions are found as usual. As in every
    /// other game, repetition is not part of the key.
    #[inline]
    fn key(&self) -> u64 {
        let left = self.quiet_left().unwrap_or(u32::MAX);
        zobrist::mix(self.code | u64::from(TAIL.saturating_sub(left)) << TAIL_SHIFT)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|ending| match ending {
            Ending::NoMove => Outcome::Win(self.side.opponent()),
            _ => {
                let [first, second] = self.pieces.map(Pieces::count);
                match first.cmp(&second) {
                    std::cmp::Ordering::Greater => Outcome::Win(Side::First),
                    std::cmp::Ordering::Less => Outcome::Win(Side::Second),
                    std::cmp::Ordering::Equal => Outcome::Draw,
                }
            }
        })
    }

    #[inline]
    fn generate(&self, stage: u8, out: &mut impl Extend<Action>) {
        if self.ending == Some(Ending::NoPieces) {
            return;
        }
        if stage == 0 {
            out.extend(self.captures().as_slice().iter().copied());
            return;
        }
        let (own, empty) = (self.own().points, self.empty());
        for (direction, &(step, _)) in geometry::STEPS.iter().enumerate() {
            out.extend(points(steppers(own, empty, direction)).map(|from| Action {
                from,
                to: from.wrapping_add_signed(step),
            }));
        }
    }

    #[inline]
    fn is_legal(&self, mv: Action) -> bool {
        if mv.from as usize >= POINTS || mv.to as usize >= POINTS || !self.own().stand_on(mv.from) {
            return false;
        }
        if self.enemy().stand_on(mv.to) {
            return is_capture(mv, self.own(), self.enemy());
        }
        !self.own().stand_on(mv.to)
            && spread(1 << mv.from) >> mv.to & 1 != 0
            && self.ending != Some(Ending::NoPieces)
    }

    #[inline]
    fn play(&mut self, mv: Action) -> Undo {
        let undo = Undo {
            captured: self.enemy().stand_on(mv.to),
            quiet: self.quiet,
            seen: self.seen,
            ending: self.ending,
        };
        if self.variant.repetition {
            self.history.push(self.code);
            self.seen |= mark(self.code);
        }
        let (own, enemy) = (self.side.index(), self.side.opponent().index());
        self.pieces[own].toggle(mv.from);
        self.pieces[own].toggle(mv.to);
        self.code = self
            .code
            .wrapping_add(WEIGHT[own][mv.to as usize])
            .wrapping_sub(WEIGHT[own][mv.from as usize]);
        self.quiet = self.quiet.saturating_add(1);
        if undo.captured {
            self.pieces[enemy].toggle(mv.to);
            self.code -= WEIGHT[enemy][mv.to as usize];
            self.quiet = 0;
            self.seen = 0;
        }
        self.side = self.side.opponent();
        self.code ^= 1;
        self.ending = self.find_ending();
        undo
    }

    #[inline]
    fn undo(&mut self, mv: Action, undo: Undo) {
        self.side = self.side.opponent();
        self.code ^= 1;
        let (own, enemy) = (self.side.index(), self.side.opponent().index());
        self.pieces[own].toggle(mv.from);
        self.pieces[own].toggle(mv.to);
        self.code = self
            .code
            .wrapping_add(WEIGHT[own][mv.from as usize])
            .wrapping_sub(WEIGHT[own][mv.to as usize]);
        if undo.captured {
            self.pieces[enemy].toggle(mv.to);
            self.code += WEIGHT[enemy][mv.to as usize];
        }
        if self.variant.repetition {
            self.history.pop();
        }
        self.quiet = undo.quiet;
        self.seen = undo.seen;
        self.ending = undo.ending;
    }

    /// Nearly every position has a move that does no harm. The history is unchanged: no position
    /// recurs across a pass, because the side to move is part of it.
    fn pass(&mut self) -> bool {
        if self.ending.is_some() {
            return false;
        }
        self.undo_pass();
        let possible = self.find_ending().is_none();
        if !possible {
            self.undo_pass();
        }
        possible
    }

    fn undo_pass(&mut self) {
        self.side = self.side.opponent();
        self.code ^= 1;
    }

    #[inline]
    fn history_index(&self, mv: Action) -> usize {
        mv.from as usize * POINTS + mv.to as usize
    }
}

impl Checked for Surakarta {
    fn key_from_scratch(&self) -> u64 {
        let points = self.pieces.map(|pieces| pieces.points);
        Surakarta::set_up(points, self.side, self.quiet, self.variant).key()
    }
}

impl Symmetric for Surakarta {
    fn symmetries(&self) -> u8 {
        geometry::SYMMETRIES
    }

    /// The image has no history from before the last capture; no rule needs it.
    fn transform(&self, symmetry: u8) -> Surakarta {
        if symmetry == 0 {
            return self.clone();
        }
        let image =
            |set: u64| points(set).fold(0, |all, p| all | 1 << geometry::transform(symmetry, p));
        let since_capture = self.since_capture().iter();
        let history: Vec<u64> = since_capture
            .map(|&code| transform_code(symmetry, code))
            .collect();
        Surakarta {
            pieces: self.pieces.map(|pieces| Pieces::new(image(pieces.points))),
            code: transform_code(symmetry, self.code),
            seen: history.iter().fold(0, |seen, &code| seen | mark(code)),
            history,
            ..*self
        }
    }

    fn transform_move(&self, symmetry: u8, mv: Action) -> Action {
        Action {
            from: geometry::transform(symmetry, mv.from),
            to: geometry::transform(symmetry, mv.to),
        }
    }
}

/// The code of a position's image under a symmetry.
fn transform_code(symmetry: u8, code: u64) -> u64 {
    let mut digits = code >> 1;
    let mut image = code & 1;
    for point in 0..POINTS as u8 {
        let to = geometry::transform(symmetry, point) as usize;
        match digits % 3 {
            0 => {}
            digit => image += WEIGHT[digit as usize - 1][to],
        }
        digits /= 3;
    }
    image
}

#[cfg(test)]
mod tests {
    use engine_core::Notation;

    use super::*;

    fn position(text: &str) -> Surakarta {
        let start = Surakarta::new(Variant::default());
        start.parse_position(text).expect("a position")
    }

    fn play(position: &mut Surakarta, moves: &str) {
        for mv in moves.split(' ') {
            let mv = position.parse_move(mv).expect("a legal move");
            position.play(mv);
        }
    }

    #[test]
    fn without_pieces_the_game_is_lost() {
        let mut position = position("6/6/6/6/1b2w1/6 b 5");
        play(&mut position, "b2xe2");
        assert_eq!(position.ending_kind(), Some(Ending::NoPieces));
        assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
        assert!(position.legal_moves().is_empty());
    }

    #[test]
    fn without_a_move_the_game_is_lost() {
        let position = position("6/6/6/6/ww4/bw4 b 100");
        assert_eq!(position.ending_kind(), Some(Ending::NoMove));
        assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn the_third_occurrence_ends_the_game_and_undo_takes_it_back() {
        let mut position = position("b5/6/6/6/6/w4w b 0");
        let round = "a6-a5 a1-a2 a5-a6 a2-a1";
        play(&mut position, round);
        play(&mut position, "a6-a5 a1-a2 a5-a6");
        let before = position.clone();
        let mv = position.parse_move("a2-a1").expect("a legal move");
        let undo = position.play(mv);
        assert_eq!(position.ending_kind(), Some(Ending::Repetition));
        assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)));
        assert_eq!(position.legal_moves().len(), 3, "counting stops no piece");
        position.undo(mv, undo);
        assert_eq!(position, before);
        assert_eq!(position.outcome(), None);
    }

    #[test]
    fn a_copy_into_another_position_is_a_copy() {
        let mut from = position("b5/6/6/6/6/w4w b 0");
        play(&mut from, "a6-a5 a1-a2 a5-a6");
        for moves in ["a6-a5", "a6-a5 a1-a2 a5-a6 a2-a1 a6-a5"] {
            let mut to = position("b5/6/6/6/6/w4w b 0");
            play(&mut to, moves);
            to.clone_from(&from);
            assert_eq!(to, from);
            assert_eq!(to, from.clone());
        }
    }

    #[test]
    fn the_quiet_limit_counts_pieces() {
        let mut position = position("b5/6/6/6/6/w4w b 99");
        play(&mut position, "a6-a5");
        assert_eq!(position.ending_kind(), Some(Ending::QuietLimit));
        assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn the_key_includes_the_plies_left_near_the_quiet_limit() {
        let key = |quiet: u32| position(&format!("b5/6/6/6/6/w4w b {quiet}")).key();
        assert_eq!(key(0), key(69));
        let mut last: Vec<u64> = (69..100).map(key).collect();
        last.sort_unstable();
        last.dedup();
        assert_eq!(last.len(), 31);
    }

    #[test]
    fn codes_leave_room_for_the_tail() {
        let full: u64 = WEIGHT[1].iter().sum();
        assert!(full < 1 << TAIL_SHIFT);
        assert!(u64::from(TAIL) < 1 << (u64::BITS - TAIL_SHIFT));
    }
}
