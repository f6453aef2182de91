//! What a turn is called.

use serde::Serialize;

use crate::course::{Course, Point};
use crate::curve::Curve;
use crate::searched::{Searched, score};
use crate::values::{Values, of_side};

/// What a turn is called by what it lost of the chance to win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// The turn that the search found best, or one that is worth as much.
    Best,
    /// It lost little.
    Good,
    /// It lost [`Thresholds::inaccuracy`] or more.
    Inaccuracy,
    /// It lost [`Thresholds::mistake`] or more.
    Mistake,
    /// It lost [`Thresholds::blunder`] or more.
    Blunder,
}

impl Mark {
    /// All of them, the best first.
    pub const ALL: [Mark; 5] = [
        Mark::Best,
        Mark::Good,
        Mark::Inaccuracy,
        Mark::Mistake,
        Mark::Blunder,
    ];
}

/// What a turn loses of the chance to win, 0 to 1, from where on it has a name. `docs/review.md` says
/// why these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Up to here a turn is as good as the best.
    pub best: f64,
    /// From here on it is an inaccuracy.
    pub inaccuracy: f64,
    /// From here on it is a mistake.
    pub mistake: f64,
    /// From here on it is a blunder.
    pub blunder: f64,
    /// A turn is the only one if every other loses at least so much.
    pub only: f64,
}

impl Thresholds {
    /// Those of all games.
    pub const ALL: Thresholds = Thresholds {
        best: 0.005,
        inaccuracy: 0.05,
        mistake: 0.10,
        blunder: 0.20,
        only: 0.10,
    };

    fn mark(&self, lost: f64) -> Mark {
        if lost >= self.blunder {
            Mark::Blunder
        } else if lost >= self.mistake {
            Mark::Mistake
        } else if lost >= self.inaccuracy {
            Mark::Inaccuracy
        } else if lost > self.best {
            Mark::Good
        } else {
            Mark::Best
        }
    }
}

/// What is said of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Its name.
    pub mark: Mark,
    /// Whether it was the only good turn, and was played.
    pub only: bool,
    /// Whether it gave away a win that is proven.
    pub missed_win: bool,
}

impl Verdict {
    /// What the turn is called.
    pub fn name(self) -> &'static str {
        match self.mark {
            _ if self.missed_win => "missed win",
            Mark::Best if self.only => "only move",
            Mark::Best => "best",
            Mark::Good => "good",
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

/// The verdicts on the plies of a game: `None` for rolls, turns without a choice, and turns whose loss
/// is not known.
pub fn verdicts(course: &Course, searched: &Searched, values: &Values) -> Vec<Option<Verdict>> {
    let of = |ply: usize| verdict(ply, course, searched, values);
    (0..course.plies.len()).map(of).collect()
}

fn verdict(ply: usize, course: &Course, searched: &Searched, values: &Values) -> Option<Verdict> {
    let thresholds = Thresholds::ALL;
    let Point::Turn {
        forced: false,
        side,
    } = course.points[ply]
    else {
        return None;
    };
    let lost = values.lost[ply]?;
    let before = of_side(values.first[ply]?, side);
    let found = searched.turn(ply)?;
    let mark = thresholds.mark(lost);
    let second = found.second.as_deref().and_then(score);
    let curve = Curve::of(course.rules.id());
    let second = second.map(|score| curve.chance(score, false));
    Some(Verdict {
        mark,
        only: mark == Mark::Best && second.is_some_and(|second| before - second >= thresholds.only),
        missed_win: before == 1.0 && values.proven[ply] && mark >= Mark::Blunder,
    })
}
