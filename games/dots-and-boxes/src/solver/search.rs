//! The search: is a quiet position worth at least so many boxes?
//!
//! Every question is a zero window. The number of boxes that are left fixes whether a value is even or
//! odd, so the window steps over every other number. Before a move is searched, all moves are looked up
//! in the table (enhanced transposition cutoffs; Schaeffer and Plaat, *New Advances in Alpha-Beta
//! Searching*, 1996): most nodes end there.

use engine_core::Limits;

use super::choices::{Choice, Place, is_line};
use super::shape::Shape;
use super::state::{Captured, State};
use super::table::{Known, NO_MOVE, Table};

/// The limits ended the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// Nodes between two looks at the limits.
const CHECK_EVERY: u64 = 64;

/// Moves whose table entries are fetched at the same time.
const FETCHED_TOGETHER: usize = 4;

/// Everything that a search changes.
#[derive(Debug)]
pub(super) struct Searcher {
    pub(super) shape: Shape,
    pub(super) table: Table,
    /// Nodes since the last start: positions whose moves were listed.
    pub(super) nodes: u64,
    next_check: u64,
    /// Which of the two sides is to move, 0 or 1, counted from the root.
    pub(super) side: usize,
    /// How much work the proofs by a line took, for each side.
    pub(super) history: [[i32; 64]; 2],
    /// The moves of all nodes on the path; each node owns those after its mark.
    pub(super) choices: Vec<Choice>,
}

impl Searcher {
    pub(super) fn new(shape: Shape, table: Table) -> Searcher {
        Searcher {
            shape,
            table,
            nodes: 0,
            next_check: 0,
            side: 0,
            history: [[0; 64]; 2],
            choices: Vec::new(),
        }
    }

    /// Begins to count nodes.
    pub(super) fn start(&mut self) {
        (self.nodes, self.next_check, self.side) = (0, 0, 0);
        self.choices.clear();
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.table.clear();
        self.history = [[0; 64]; 2];
    }

    /// Whether what can be captured and the quiet position after it are worth at least `bound` net boxes
    /// to the side that captures.
    pub(super) fn captor_gains(
        &mut self,
        (state, captured): (State, Captured),
        bound: i32,
        limits: &Limits,
    ) -> Result<bool, Stopped> {
        self.place_gains(&self.place(state, captured), bound, limits)
    }

    /// The same, with the place in the table.
    fn place_gains(&mut self, place: &Place, bound: i32, limits: &Limits) -> Result<bool, Stopped> {
        let Captured { taken, choice } = place.captured;
        let bound = bound - taken;
        if choice == 0 {
            return self.gains(place, bound, limits);
        }
        // The choice is worth |choice + value|.
        Ok(bound <= 0
            || self.gains(place, bound - choice, limits)?
            || !self.gains(place, 1 - bound - choice, limits)?)
    }

    /// Whether a quiet position is worth at least `bound` net boxes to the side to move.
    fn gains(&mut self, place: &Place, bound: i32, limits: &Limits) -> Result<bool, Stopped> {
        let left = place.state.left();
        let bound = bound + ((bound + left) & 1);
        let mut known = self.known(place);
        if known.lower >= bound || known.upper < bound {
            return Ok(known.lower >= bound);
        }
        self.count(limits)?;
        let before = self.nodes;
        let mark = self.choices.len();
        self.list(place, known.mv);
        let found = match self.look_up(bound, mark) {
            Some(number) => Ok(Some(number)),
            None => self.first_that_gains(bound, mark, limits),
        };
        self.choices.truncate(mark);
        let found = found?;
        known.effort = (self.nodes - before + 2).ilog2() as u8;
        match found {
            Some(number) => {
                known.lower = bound;
                known.mv = self.in_image(number, place.symmetry);
                self.reward(number, known.effort);
            }
            None => known.upper = bound - 2,
        }
        self.table.set(place.key, known);
        Ok(found.is_some())
    }

    /// The bounds of a quiet position without a search.
    #[inline]
    fn known(&self, place: &Place) -> Known {
        let (lower, upper) = if place.state.is_settled(&self.shape) {
            let value = place.state.settled().value();
            (value, value)
        } else if let Some(known) = self.table.get_at(place.bucket, place.key) {
            return known;
        } else {
            (-place.state.left(), place.state.left())
        };
        Known {
            lower,
            upper,
            mv: NO_MOVE,
            effort: 0,
        }
    }

    /// What is known about [`Searcher::place_gains`] without a search.
    #[inline]
    fn known_to_gain(&self, place: &Place, bound: i32) -> Option<bool> {
        let Captured { taken, choice } = place.captured;
        let bound = bound - taken;
        if choice > 0 && bound <= 0 {
            return Some(true);
        }
        let known = self.known(place);
        if choice == 0 {
            return known.reaches(bound);
        }
        let takes = known.reaches(bound - choice);
        let declines = known.reaches(1 - bound - choice).map(|reaches| !reaches);
        match (takes, declines) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }
    }

    /// Looks up the moves after `mark`. Returns one that is known to gain `bound`; removes those that are
    /// known not to.
    fn look_up(&mut self, bound: i32, mark: usize) -> Option<u8> {
        let mut kept = mark;
        for at in mark..self.choices.len() {
            if (at - mark).is_multiple_of(FETCHED_TOGETHER) {
                let end = self.choices.len().min(at + FETCHED_TOGETHER);
                let places = self.choices[at..end].iter().map(|choice| &choice.place);
                self.table.fetch(places.map(|place| place.bucket));
            }
            match self.known_to_gain(&self.choices[at].place, 1 - bound) {
                Some(false) => return Some(self.choices[at].number),
                Some(true) => {}
                None => {
                    self.choices.swap(kept, at);
                    kept += 1;
                }
            }
        }
        self.choices.truncate(kept);
        None
    }

    /// Searches the moves after `mark`. Returns the first one that gains `bound`.
    fn first_that_gains(
        &mut self,
        bound: i32,
        mark: usize,
        limits: &Limits,
    ) -> Result<Option<u8>, Stopped> {
        for at in mark..self.choices.len() {
            let Choice { number, place, .. } = self.choices[at];
            self.side ^= 1;
            let opponent_gains = self.place_gains(&place, 1 - bound, limits);
            self.side ^= 1;
            if !opponent_gains? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Raises the rank of a line that proved a bound.
    fn reward(&mut self, number: u8, effort: u8) {
        if !is_line(number) {
            return;
        }
        let values = &mut self.history[self.side];
        values[number as usize] += 1 << effort.min(12);
        if values[number as usize] >= MOST_HISTORY {
            values.iter_mut().for_each(|value| *value /= 2);
        }
    }

    #[inline]
    fn count(&mut self, limits: &Limits) -> Result<(), Stopped> {
        if self.nodes >= self.next_check {
            self.check(limits)?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn check(&mut self, limits: &Limits) -> Result<(), Stopped> {
        if limits.exhausted(self.nodes) {
            return Err(Stopped);
        }
        let most = limits.nodes.unwrap_or(u64::MAX);
        let next = (self.nodes + CHECK_EVERY).min(most);
        limits.spend(next - self.nodes);
        self.next_check = next;
        Ok(())
    }
}

/// The history of a line stays below this.
pub(super) const MOST_HISTORY: i32 = 1 << 24;
