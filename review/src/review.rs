//! A reviewed game: everything that follows from its record and its searches.

use engine_core::Side;
use serde::Serialize;
use serde_json::{Value, json};

use crate::course::{Course, Point};
use crate::marks::{Mark, Verdict, verdicts};
use crate::reason::Reason;
use crate::searched::{Found, Searched};
use crate::sums::{Sums, sums, turning_points};
use crate::values::Values;

/// A reviewed game.
pub struct Review {
    /// The game.
    pub course: Course,
    /// What the searches found.
    pub searched: Searched,
    /// The values of its points.
    pub values: Values,
    /// The verdict on each ply.
    pub verdicts: Vec<Option<Verdict>>,
    /// What each side did.
    pub sums: [Sums; 2],
    /// The plies at which most was lost, the largest loss first, from 0.
    pub turning_points: Vec<usize>,
}

/// A ply of a review in JSON.
#[derive(Serialize)]
struct PlyFacts<'r> {
    ply: usize,
    side: String,
    text: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    chance_of_first_before: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chance_of_first_after: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    luck_of_first: Option<f64>,
    #[serde(flatten)]
    verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<&'r Found>,
}

impl Review {
    /// The review that follows from what the searches of a game found.
    pub fn new(course: Course, mut searched: Searched) -> Review {
        // A file of another program may know more points, and one that was stopped fewer.
        searched.0.resize(course.points.len(), None);
        let values = Values::of(&course, &searched);
        let verdicts = verdicts(&course, &searched, &values);
        Review {
            sums: sums(&course, &values, &verdicts),
            turning_points: turning_points(&values),
            course,
            searched,
            values,
            verdicts,
        }
    }

    /// What was found of a point at which a side begins a turn.
    pub fn found(&self, point: usize) -> Option<&Found> {
        self.searched.turn(point)
    }

    /// What happened at a ply, in words.
    pub fn reason(&self, ply: usize) -> Reason {
        Reason::of(&self.course, &self.searched, &self.values, ply)
    }

    /// The turn of a side that lost most, if that is an inaccuracy or worse: its ply, from 0.
    pub fn costliest(&self, side: Side) -> Option<usize> {
        let is_bad = |ply: &usize| {
            let verdict = self.verdicts[*ply];
            let own = self.course.plies[*ply].side == side;
            own && verdict.is_some_and(|verdict| verdict.mark >= Mark::Inaccuracy)
        };
        let lost = |ply: usize| self.values.lost[ply].unwrap_or_default();
        let plies = (0..self.course.plies.len()).rev().filter(is_bad);
        plies.max_by(|&one, &other| lost(one).total_cmp(&lost(other)))
    }

    /// Whether every point was searched.
    pub fn is_whole(&self) -> bool {
        self.searched.is_whole()
    }

    fn ply(&self, ply: usize) -> PlyFacts<'_> {
        let played = &self.course.plies[ply];
        PlyFacts {
            ply: ply + 1,
            side: format!("{:?}", played.side).to_lowercase(),
            text: &played.text,
            chance_of_first_before: self.values.first[ply],
            chance_of_first_after: self.values.first[ply + 1],
            lost: self.values.lost[ply],
            luck_of_first: self.values.luck[ply],
            verdict: self.verdicts[ply],
            found: self.found(ply),
        }
    }

    /// The review in JSON, without the searches of rolls.
    pub fn facts(&self) -> Value {
        let plies: Vec<PlyFacts<'_>> = (0..self.course.plies.len())
            .map(|ply| self.ply(ply))
            .collect();
        let turning_points: Vec<Value> = self
            .turning_points
            .iter()
            .map(|&ply| json!({ "ply": ply + 1, "reason": self.reason(ply).to_string() }))
            .collect();
        json!({
            "game": self.course.rules.id(),
            "variant": self.course.variant,
            "whole": self.is_whole(),
            "fault": self.course.fault,
            "opening": self.course.opening,
            "plies": plies,
            "first": self.sums[0],
            "second": self.sums[1],
            "turning_points": turning_points,
            "has_rolls": self.course.points.iter().any(|point| matches!(point, Point::Roll(_))),
        })
    }
}
