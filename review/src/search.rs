//! The searches of a game.
//!
//! A game is cut into stretches of [`STRETCH`] points, whatever the number of cores, so that a review
//! by nodes is the same on every machine. Each stretch has a table of its own and is walked from its
//! end: what was found later helps the turns before.

use std::ops::Range;

use catalog::{Analyst, Judgement, Spend};
use engine_core::StopFlag;
use protocol::ugi::InfoScore;
use rayon::prelude::*;

use crate::course::{Course, Point};
use crate::plan::Plan;
use crate::searched::{Face, Found, Looked, Searched};

/// Points that share a table.
const STRETCH: usize = 12;

/// The part of a position's limits for its best turn; the rest is for the best other one.
const MAIN: f64 = 0.8;

/// Searches the points of a game from the end of its opening on, on the threads of the current pool.
/// Points that `known` has are not searched again. `tell` is called after each point that is searched.
///
/// # Errors
/// The engine is not known or does not fit the game, or memory is short.
pub fn search(
    course: &Course,
    plan: &Plan,
    known: Searched,
    stop: &StopFlag,
    tell: &(dyn Fn() + Sync),
) -> Result<Searched, String> {
    plan.means(course.rules)?;
    let mut points = known.0;
    points.resize(course.points.len(), None);
    for point in &mut points[..course.opening] {
        point.get_or_insert(Looked::Nothing);
    }
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
    Ok(Searched(points))
}

/// An analyst on its way through a game.
struct Walk<'c> {
    course: &'c Course,
    analyst: Box<dyn Analyst>,
    spend: Spend,
}

impl<'c> Walk<'c> {
    fn new(course: &'c Course, plan: &Plan, stop: &StopFlag) -> Result<Walk<'c>, String> {
        let means = plan.means(course.rules)?;
        let from = course.from.as_deref();
        let analyst = course.rules.analyst(&course.variant, from, means);
        Ok(Walk {
            course,
            analyst: analyst.map_err(|error| error.to_string())?,
            spend: plan.spend(stop),
        })
    }

    /// What is found of the points of a stretch, the last one first.
    fn stretch(
        &mut self,
        stretch: Range<usize>,
        known: &[Option<Looked>],
        tell: &(dyn Fn() + Sync),
    ) -> Result<Vec<Option<Looked>>, String> {
        let mut looked = known.to_vec();
        for (at, point) in stretch.zip(&mut looked).rev() {
            if self.spend.stop.is_set() {
                break;
            }
            if point.is_none() {
                *point = self.look(at)?;
                point.iter().for_each(|_| tell());
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
            Point::Roll(_) => self.roll(at),
        }
    }

    /// The best turn after these words, and the value of the best other one.
    fn turn(&mut self, words: &str, spend: &Spend) -> Result<Option<Found>, String> {
        let said = |error: catalog::SearchError| error.to_string();
        let judged = self.analyst.judge(words, &spend.part(MAIN)).map_err(said)?;
        if spend.stop.is_set() {
            return Ok(None);
        }
        let Some(judged) = judged else {
            return Ok(None);
        };
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

    /// Every face of a roll but the one that was rolled.
    fn roll(&mut self, at: usize) -> Result<Option<Looked>, String> {
        let words = self.course.words(at);
        let rolled = self.course.plies.get(at).map(|ply| &*ply.text);
        let groups = self.groups(&words)?;
        let spend = self.spend.part(1.0 / groups.len() as f64);
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
        depth: judged.depth,
        nodes: judged.nodes,
    }
}
