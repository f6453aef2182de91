//! The searches of a game.
//!
//! A game is cut into stretches of [`STRETCH`] points, whatever the number of cores, so that a review
//! by nodes is the same on every machine. Each stretch has a table of its own and is walked from its
//! end: what was found later helps the turns before.
//!
//! A turn that seems to have lost much gets a second look: the position after the best turn is searched
//! as deep as the one after the turn that was played. Two searches of one depth compare better than a
//! position and the next, whose values swing with the side that moves last.

use std::ops::Range;

use catalog::{Analyst, Judgement, Spend};
use engine_core::StopFlag;
use protocol::ugi::InfoScore;
use rayon::prelude::*;

use crate::course::{Course, Point};
use crate::marks::Thresholds;
use crate::plan::Plan;
use crate::searched::{Face, Found, Looked, Searched};
use crate::values::Values;

/// Points that share a table.
const STRETCH: usize = 12;

/// The part of a position's limits for its best turn; the rest is for the best other one.
const MAIN: f64 = 0.8;

/// The part of a position's limits for a second look.
const AGAIN: f64 = 0.5;

/// What is told of each point that was searched: its number, and what was found.
pub type Tell<'t> = &'t (dyn Fn(usize, &Looked) + Sync);

/// Searches the points of a game from the end of its opening on, on the threads of the current pool.
/// Points that `known` has are not searched again. `tell` is called after each point that is searched,
/// and once more after a second look.
///
/// # Errors
/// The engine is not known or does not fit the game, or memory is short.
pub fn search(
    course: &Course,
    plan: &Plan,
    known: Searched,
    stop: &StopFlag,
    tell: Tell<'_>,
) -> Result<Searched, String> {
    plan.means(course.rules)?;
    let mut points = known.0;
    points.resize(course.points.len(), None);
    for point in &mut points[..course.opening] {
        point.get_or_insert(Looked::Nothing);
    }
    let mut searched = Searched(points);
    first_looks(course, plan, &mut searched, stop, tell)?;
    // What a second look finds may raise the loss of the turn before.
    while searched.is_whole() && !stop.is_set() {
        let suspects = suspects(course, &searched);
        if suspects.is_empty() {
            break;
        }
        second_looks(course, plan, &mut searched, &suspects, stop, tell)?;
    }
    Ok(searched)
}

/// The plies at which a second look is due: a turn seems to have lost as much as a mistake, and it is not
/// proven.
fn suspects(course: &Course, searched: &Searched) -> Vec<usize> {
    let values = Values::of(course, searched);
    let is_suspect = |&ply: &usize| {
        let lost = values.lost[ply].unwrap_or_default();
        let is_proven = values.proven[ply] && values.proven[ply + 1];
        let found = searched.turn(ply);
        let was_looked_at = found.is_none_or(|found| found.after_best.is_some());
        lost >= Thresholds::ALL.mistake && !is_proven && !was_looked_at
    };
    (0..values.lost.len()).filter(is_suspect).collect()
}

/// How many points of a game are still to be searched, and once they are, how many second looks are due.
pub fn left(course: &Course, searched: &Searched) -> usize {
    let is_searched = |point: &usize| matches!(searched.0.get(*point), Some(Some(_)));
    let points = course.opening..course.points.len();
    match points.filter(|point| !is_searched(point)).count() {
        0 => suspects(course, searched).len(),
        left => left,
    }
}

/// Searches the points that have not been searched.
fn first_looks(
    course: &Course,
    plan: &Plan,
    searched: &mut Searched,
    stop: &StopFlag,
    tell: Tell<'_>,
) -> Result<(), String> {
    let points = &mut searched.0;
    let stretches: Vec<Range<usize>> = (course.opening..points.len())
        .step_by(STRETCH)
        .map(|begin| begin..(begin + STRETCH).min(points.len()))
        .filter(|stretch| points[stretch.clone()].iter().any(Option::is_none))
        .collect();
    let walk = |stretch: &Range<usize>| {
        let known = &points[stretch.clone()];
        // A table is not made for nothing.
        if stop.is_set() {
            return Ok(known.to_vec());
        }
        Walk::new(course, plan, stop)?.stretch(stretch.clone(), known, tell)
    };
    let found: Result<Vec<_>, String> = stretches.par_iter().map(walk).collect();
    for (stretch, looked) in stretches.iter().zip(found?) {
        points[stretch.clone()].clone_from_slice(&looked);
    }
    Ok(())
}

/// Searches the points after the best turns at these plies.
fn second_looks(
    course: &Course,
    plan: &Plan,
    searched: &mut Searched,
    plies: &[usize],
    stop: &StopFlag,
    tell: Tell<'_>,
) -> Result<(), String> {
    let look = |&ply: &usize| {
        if stop.is_set() {
            return Ok(None);
        }
        Walk::new(course, plan, stop)?.after_best(ply, searched)
    };
    let found: Result<Vec<_>, String> = plies.par_iter().map(look).collect();
    for (&ply, after) in plies.iter().zip(found?) {
        if let (Some(after), Some(Looked::Turn(found))) = (after, &mut searched.0[ply]) {
            found.after_best = Some(Box::new(after));
            tell(ply, searched.0[ply].as_ref().expect("it was searched"));
        }
    }
    Ok(())
}

/// An analyst on its way through a game.
struct Walk<'c> {
    course: &'c Course,
    analyst: Box<dyn Analyst>,
    spend: Spend,
    /// Whether its search goes deeper ply by ply.
    deepens: bool,
}

impl<'c> Walk<'c> {
    fn new(course: &'c Course, plan: &Plan, stop: &StopFlag) -> Result<Walk<'c>, String> {
        let means = plan.means(course.rules)?;
        let from = course.from.as_deref();
        let deepens = plan.deepens(course.rules);
        let analyst = course.rules.analyst(&course.variant, from, means);
        Ok(Walk {
            course,
            analyst: analyst.map_err(|error| error.to_string())?,
            spend: plan.spend(stop),
            deepens,
        })
    }

    /// What is found of the points of a stretch, the last one first.
    fn stretch(
        &mut self,
        stretch: Range<usize>,
        known: &[Option<Looked>],
        tell: Tell<'_>,
    ) -> Result<Vec<Option<Looked>>, String> {
        let mut looked = known.to_vec();
        for (at, point) in stretch.zip(&mut looked).rev() {
            if self.spend.stop.is_set() {
                break;
            }
            if point.is_none() {
                *point = self.look(at)?;
                point.iter().for_each(|looked| tell(at, looked));
            }
        }
        Ok(looked)
    }

    /// What is found of a point; `None` if the search was stopped.
    fn look(&mut self, at: usize) -> Result<Option<Looked>, String> {
        let is_last = at + 1 == self.course.points.len();
        match self.course.points[at] {
            Point::Over(_) => Ok(Some(Looked::Nothing)),
            Point::Turn { forced: true, .. } if !is_last => Ok(Some(Looked::Nothing)),
            Point::Turn { .. } => {
                let words = self.course.words(at);
                Ok(self.turn(&words, &self.spend.clone())?.map(Looked::Turn))
            }
            Point::Roll(_) => {
                let rolled = self.course.plies.get(at).map(|ply| &*ply.text);
                let spend = self.spend.clone();
                self.roll(&self.course.words(at), rolled, &spend)
            }
        }
    }

    /// What is found of the point after the best turn at a ply; `None` if the search was stopped.
    fn after_best(&mut self, ply: usize, searched: &Searched) -> Result<Option<Looked>, String> {
        let best = searched.turn(ply).and_then(|found| found.line.first());
        let best = best.ok_or("a search without a turn")?;
        let words = format!("{} {best}", self.course.words(ply));
        let words = words.trim();
        let mut after = self.course.begin()?;
        let played = after.play_words(words);
        played.map_err(|error| error.to_string())?;
        let mut spend = self.spend.part(AGAIN);
        if after.outcome().is_some() {
            return Ok(Some(Looked::Nothing));
        }
        if after.roll_due() {
            return self.roll(words, None, &spend);
        }
        if let Some(played) = searched.turn(ply + 1).filter(|_| self.deepens) {
            spend.depth = Some(played.depth.max(1));
        }
        let judged = self.judge(words, &spend)?;
        Ok(judged.map(|judged| Looked::Turn(found(judged, None))))
    }

    /// The best turn after these words, and the value of the best other one.
    fn turn(&mut self, words: &str, spend: &Spend) -> Result<Option<Found>, String> {
        let Some(judged) = self.judge(words, &spend.part(MAIN))? else {
            return Ok(None);
        };
        let said = |error: catalog::SearchError| error.to_string();
        let best = judged.line.first().ok_or("a search without a turn")?;
        let rest = spend.part(1.0 - MAIN);
        let second = self.analyst.without(words, best, &rest).map_err(said)?;
        if spend.stop.is_set() {
            return Ok(None);
        }
        Ok(Some(found(
            judged,
            second.map(|score| InfoScore::from(score).to_string()),
        )))
    }

    /// The value after these words; `None` if the search was stopped.
    fn judge(&mut self, words: &str, spend: &Spend) -> Result<Option<Judgement>, String> {
        let judged = self.analyst.judge(words, spend);
        let judged = judged.map_err(|error| error.to_string())?;
        Ok(judged.filter(|_| !spend.stop.is_set()))
    }

    /// Every face of the roll after these words but the one that was rolled.
    fn roll(
        &mut self,
        words: &str,
        rolled: Option<&str>,
        spend: &Spend,
    ) -> Result<Option<Looked>, String> {
        let groups = self.groups(words)?;
        let spend = spend.part(1.0 / groups.len() as f64);
        let mut faces = Vec::new();
        for group in groups {
            let is_next = rolled.is_some_and(|rolled| group.iter().any(|face| face == rolled));
            let mut found = None;
            if !is_next {
                let words = format!("{words} {}", group[0]);
                found = self.turn(words.trim(), &spend)?;
                if found.is_none() {
                    return Ok(None);
                }
            }
            faces.push(Face {
                weight: group.len() as u32,
                found,
            });
        }
        Ok(Some(Looked::Roll(faces)))
    }

    /// The faces of the die after these words; together those after which the same actions are legal.
    fn groups(&self, words: &str) -> Result<Vec<Vec<String>>, String> {
        let mut groups: Vec<(Vec<String>, Vec<String>)> = Vec::new();
        let after = |words: &str| {
            let mut game = self.course.begin()?;
            let played = game.play_words(words);
            played.map_err(|error| error.to_string())?;
            Ok::<_, String>(game)
        };
        for face in after(words)?.actions() {
            let legal = after(&format!("{words} {face}"))?.actions();
            match groups.iter_mut().find(|(known, _)| *known == legal) {
                Some((_, faces)) => faces.push(face),
                None => groups.push((legal, vec![face])),
            }
        }
        Ok(groups.into_iter().map(|(_, faces)| faces).collect())
    }
}

fn found(judged: Judgement, second: Option<String>) -> Found {
    Found {
        score: InfoScore::from(judged.score).to_string(),
        solved: judged.solved,
        line: judged.line,
        second,
        after_best: None,
        depth: judged.depth,
        nodes: judged.nodes,
    }
}
