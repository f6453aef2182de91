//! Chance nodes: the expectation over the rolls, with Star1 windows and, before them, Star2 probes.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::counter::{Stopped, Value};
use crate::search::node::{Found, Node, Window, table_cutoff};
use crate::search::searcher::{Searcher, Strategy};
use crate::search::star::{Star, Verdict};
use crate::table::{Bound, Entry, Grounds};

/// A roll of a chance node.
#[derive(Clone, Copy)]
pub(super) struct Roll {
    face: u8,
    weight: i32,
    /// Lower bound of its value.
    bound: Score,
}

impl<P: Position, E: Evaluator<P>, S: Strategy> Searcher<P, E, S> {
    /// The value of a chance node: exact within the window, else a bound. Chance nodes are stored
    /// in the table too.
    #[inline(never)]
    pub(super) fn chance(&mut self, position: &mut P, node: Node, window: Window) -> Value {
        let key = position.key();
        if let Some(entry) = self.table.probe::<P::Move>(key)
            && let Some(score) = table_cutoff(&entry, node, window, P::REPEATS)
        {
            self.grounds = entry.grounds;
            return Ok(score);
        }
        let mark = self.rolls.len();
        self.list_rolls(position);
        let result = self.expectation(position, (node, window), mark);
        self.rolls.truncate(mark);
        let (score, bound) = result?;
        let entry = Entry::<P::Move> {
            mv: None,
            score: score.from_root(node.ply),
            depth: node.depth.min(255) as u8,
            bound,
            grounds: self.lasting_grounds(),
        };
        self.table.store(key, entry);
        // The principal variation ends at the roll, whose result is unknown.
        self.lines.clear(node.ply);
        Ok(score)
    }

    fn list_rolls(&mut self, position: &P) {
        let mut faces = std::mem::take(&mut self.faces);
        faces.clear();
        position.rolls(&mut faces);
        let roll = |&(face, weight): &(u8, i32)| Roll {
            face,
            weight,
            bound: -P::MAX_SCORE,
        };
        self.rolls.extend(faces.iter().map(roll));
        self.faces = faces;
    }

    /// Searches the rolls from index `mark` on, until all are known or their mean is outside the
    /// window.
    fn expectation(
        &mut self,
        position: &mut P,
        (node, window): (Node, Window),
        mark: usize,
    ) -> Result<(Score, Bound), Stopped> {
        let mut star = Star::new(window, P::MAX_SCORE, P::FACES as i32);
        let mut grounds = Grounds::Ends;
        if self.settings.star2 && node.depth > 0 {
            let verdict = self.probe_rolls(position, node, mark, &mut star)?;
            grounds = self.grounds;
            if let Verdict::Cut(score) = verdict {
                return Ok((score, Bound::Lower));
            }
        }
        for i in mark..self.rolls.len() {
            let roll = self.rolls[i];
            let wanted = star.window(roll.weight, roll.bound);
            position.play_roll(roll.face);
            let value = self.value(position, node, wanted);
            position.undo_roll(roll.face);
            grounds = grounds.max(self.grounds);
            self.grounds = grounds;
            if let Verdict::Cut(score) = star.add(roll.weight, roll.bound, value?, wanted) {
                let bound = if score >= window.beta {
                    Bound::Lower
                } else {
                    Bound::Upper
                };
                return Ok((score, bound));
            }
        }
        Ok((star.value(), Bound::Exact))
    }

    /// Star2: searches one move of every roll, and stops when these lower bounds lift the mean to
    /// beta. The side that rolls is also the side that moves next, so the value of one move is a
    /// lower bound.
    fn probe_rolls(
        &mut self,
        position: &mut P,
        node: Node,
        mark: usize,
        star: &mut Star,
    ) -> Result<Verdict, Stopped> {
        let mut grounds = Grounds::Ends;
        for i in mark..self.rolls.len() {
            let roll = self.rolls[i];
            let beta = star.window(roll.weight, roll.bound).beta;
            let wanted = Window::new(-Score::INFINITY, beta);
            position.play_roll(roll.face);
            let bound = self.probe(position, node, wanted);
            position.undo_roll(roll.face);
            let bound = bound?.max(roll.bound);
            grounds = grounds.max(self.grounds);
            self.grounds = grounds;
            self.rolls[i].bound = bound;
            if let Verdict::Cut(score) = star.raise(roll.weight, bound) {
                return Ok(Verdict::Cut(score));
            }
        }
        Ok(Verdict::Open)
    }

    /// A lower bound of a node: the value of its most promising move, or what the evaluator knows or the
    /// table holds.
    fn probe(&mut self, position: &mut P, node: Node, window: Window) -> Value {
        if let Some(score) = self.evaluator.exact(position) {
            self.grounds = Grounds::Ends;
            return Ok(score);
        }
        let entry = self.table.probe::<P::Move>(position.key());
        if let Some(entry) = entry
            && (!entry.grounds.may_change() || entry.depth as u32 >= node.depth)
            && entry.bound != Bound::Upper
        {
            self.grounds = entry.grounds;
            return Ok(entry.score.to_root(node.ply));
        }
        let mut moves = self.moves(position, node, entry.and_then(|entry| entry.mv));
        let mv = self.next_move(&mut moves, position);
        moves.picker.finish(&mut self.stack);
        let mv = mv.expect("a position that is not over has a move");
        let mut found = Found::new(window);
        let depth = node.depth.saturating_sub(1);
        found.best = self.visit(position, mv, node.ply, |child| child.search(depth, window))?;
        found.mv = Some(mv);
        // Counted as a cutoff by the first move, as at a fully searched node.
        let cut = (found.best >= window.beta) as u64;
        self.counters.cutoffs += cut;
        self.counters.first_cutoffs += cut;
        let entry = Entry {
            bound: Bound::Lower,
            ..found.entry(node, window, self.lasting_grounds())
        };
        self.table.store(position.key(), entry);
        Ok(found.best)
    }
}
