//! The value of every point of a game, what each turn lost, and what each roll gave.

use engine_core::{Outcome, Side};

use crate::course::{Course, Point};
use crate::curve::Curve;
use crate::searched::{Found, Looked, Searched, score};

/// The values of a game. They are chances, 0 to 1; a game with margins counts as won by any of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The chance of `First` at each point; `None` if it is not known, as in the opening.
    pub first: Vec<Option<f64>>,
    /// Whether it is proven.
    pub proven: Vec<bool>,
    /// What each turn lost of the chance of its side, 0 or more; `None` for rolls, and where it is
    /// not known.
    pub lost: Vec<Option<f64>>,
    /// What each roll changed the chance of `First` by; `None` for turns, and where it is not known.
    pub luck: Vec<Option<f64>>,
}

/// The chance of a side, and whether it is proven.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    chance: f64,
    proven: bool,
}

impl Known {
    /// The chance of `First` as that of a side, or the other way round.
    fn of_side(self, side: Side) -> Known {
        Known {
            chance: of_side(self.chance, side),
            ..self
        }
    }
}

/// The chance of a side from that of `First`.
pub(crate) fn of_side(first: f64, side: Side) -> f64 {
    match side {
        Side::First => first,
        Side::Second => 1.0 - first,
    }
}

impl Values {
    /// What the rolls have given `First` up to each point; `None` in a game without rolls.
    pub fn luck_so_far(&self) -> Option<Vec<f64>> {
        let has_rolls = self.luck.iter().any(Option::is_some);
        has_rolls.then(|| so_far(self.luck.iter().map(|luck| luck.unwrap_or_default())))
    }

    /// What the losses of both sides have given `First` up to each point: its own with a minus.
    pub fn choice_so_far(&self, course: &Course) -> Vec<f64> {
        let of_first = |(lost, point): (&Option<f64>, &Point)| match (lost, point) {
            (Some(lost), Point::Turn { side, .. }) if *side == Side::First => -lost,
            (Some(lost), _) => *lost,
            (None, _) => 0.0,
        };
        so_far(self.lost.iter().zip(&course.points).map(of_first))
    }

    /// The values of a game, from what its searches found.
    ///
    /// From the last point backwards: a turn is worth what the search found best, by the second look if
    /// there was one, or what was played if that turned out to be worth more. Where the best turn was
    /// played, the search after it knows more of it. What a search has solved stays, and holds for the
    /// turns that follow.
    ///
    /// So no turn loses less than nothing, and the best one loses nothing. A proof found later holds
    /// for the turns that lead to it. Over the whole game the value changes by what the rolls gave
    /// less what the turns lost.
    pub fn of(course: &Course, searched: &Searched) -> Values {
        let curve = Curve::of(course.rules.id());
        let count = course.points.len();
        let mut known: Vec<Option<Known>> = vec![None; count];
        let mut best_was_played = vec![false; count];
        for at in (course.opening..count).rev() {
            let next = known.get(at + 1).copied().flatten();
            let looked = searched.0.get(at).and_then(Option::as_ref);
            let found = value(course.points[at], looked, next, curve);
            let turn = searched.turn(at).and_then(|found| found.line.first());
            let is_best = at + 1 < count && turn.is_some_and(|turn| course.is_as_played(at, turn));
            known[at] = match (found, next) {
                (Some(found), Some(next)) if is_best && !found.proven => Some(next),
                (found, _) => found,
            };
            best_was_played[at] = is_best;
        }
        for at in course.opening..count - 1 {
            if let (Some(before), Some(after)) = (known[at], known[at + 1]) {
                let point = course.points[at];
                known[at + 1] = Some(after_proof(point, before, after, best_was_played[at]));
            }
        }
        let mut values = Values {
            first: known
                .iter()
                .map(|known| Some(known.as_ref()?.chance))
                .collect(),
            proven: known
                .iter()
                .map(|known| known.is_some_and(|known| known.proven))
                .collect(),
            lost: vec![None; count - 1],
            luck: vec![None; count - 1],
        };
        // What the opening gave is nobody's choice. Less than nothing is lost by rounding alone.
        for ply in course.opening..count - 1 {
            let (Some(before), Some(after)) = (values.first[ply], values.first[ply + 1]) else {
                continue;
            };
            match course.points[ply] {
                Point::Turn {
                    side: Side::First, ..
                } => values.lost[ply] = Some((before - after).max(0.0)),
                Point::Turn { .. } => values.lost[ply] = Some((after - before).max(0.0)),
                Point::Roll(_) => values.luck[ply] = Some(after - before),
                Point::Over(_) => {}
            }
        }
        values
    }
}

/// The sums of all numbers before each place, one more than there are numbers.
fn so_far(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0];
    sums.extend(numbers.scan(0.0, |sum, number| {
        *sum += number;
        Some(*sum)
    }));
    sums
}

/// The value after a ply, by what is proven before it: the best turn keeps it, a lost side loses
/// whatever it plays, and no turn is worth more. A roll after which nothing is certain says nothing.
fn after_proof(point: Point, before: Known, after: Known, is_best: bool) -> Known {
    let is_certain = before.chance == 0.0 || before.chance == 1.0;
    let keeps = match point {
        _ if !before.proven => false,
        Point::Roll(_) => is_certain,
        Point::Over(_) => false,
        Point::Turn { side, .. } => {
            let [before, after] = [before, after].map(|known| of_side(known.chance, side));
            is_best || before == 0.0 || after > before
        }
    };
    if keeps { before } else { after }
}

/// The value of a point for `First`, with that of the next one.
fn value(
    point: Point,
    looked: Option<&Looked>,
    next: Option<Known>,
    curve: Curve,
) -> Option<Known> {
    match point {
        Point::Over(outcome) => Some(over(outcome)),
        Point::Turn { side, .. } => {
            let of_side = |known: Known| known.of_side(side);
            let found = looked?.turn().and_then(|found| of_turn(found, side, curve));
            best(found, next.map(of_side)).map(of_side)
        }
        Point::Roll(side) => mean(looked?, next, side, curve),
    }
}

fn over(outcome: Outcome) -> Known {
    Known {
        chance: f64::from(outcome.points_of_first()),
        proven: true,
    }
}

/// The better one for the side that chooses. What is proven best is not beaten by an estimate.
fn best(found: Option<Known>, played: Option<Known>) -> Option<Known> {
    match (found, played) {
        (Some(found), _) if found.proven => Some(found),
        (Some(found), Some(played)) if played.chance > found.chance => Some(Known {
            chance: played.chance,
            // Another turn may be better still, unless this one wins.
            proven: played.proven && played.chance == 1.0,
        }),
        (Some(found), _) => Some(found),
        (None, played) => played,
    }
}

/// The mean over the faces of the die, of which the rolled ones are the next point. The value is for
/// `First`.
fn mean(looked: &Looked, next: Option<Known>, side: Side, curve: Curve) -> Option<Known> {
    let Looked::Roll(faces) = looked else {
        return None;
    };
    let (mut sum, mut weights, mut proven) = (0.0, 0.0, true);
    for face in faces {
        let known = match &face.found {
            Some(found) => known_of(found, curve)?.of_side(side),
            None => next?,
        };
        sum += known.chance * f64::from(face.weight);
        weights += f64::from(face.weight);
        proven &= known.proven;
    }
    (weights > 0.0).then(|| Known {
        chance: sum / weights,
        proven,
    })
}

/// The chance of the side that acts, by the last look at its best turn.
fn of_turn(found: &Found, side: Side, curve: Curve) -> Option<Known> {
    let first_look = known_of(found, curve)?;
    let Some(after) = found.after_best.as_deref().filter(|_| !first_look.proven) else {
        return Some(first_look);
    };
    let opponent = side.opponent();
    let after = match after {
        Looked::Turn(found) => known_of(found, curve)?.of_side(opponent).of_side(side),
        Looked::Roll(_) => mean(after, None, opponent, curve)?.of_side(side),
        Looked::Nothing => first_look,
    };
    Some(Known {
        // Another turn may be better, unless this one wins.
        proven: after.proven && after.chance == 1.0,
        ..after
    })
}

/// The chance of the side that acts.
fn known_of(found: &Found, curve: Curve) -> Option<Known> {
    let chance = curve.chance(score(&found.score)?, found.solved);
    Some(Known {
        chance,
        proven: found.solved || chance == 0.0 || chance == 1.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searched::Face;

    fn known(chance: f64, proven: bool) -> Known {
        Known { chance, proven }
    }

    #[test]
    fn what_is_proven_is_not_beaten_by_an_estimate() {
        let draw = known(0.5, true);
        let estimates = [0.1, 0.9].map(|chance| known(chance, false));
        for estimate in estimates {
            assert_eq!(best(Some(draw), Some(estimate)), Some(draw));
        }
        assert_eq!(
            best(Some(estimates[0]), Some(estimates[1])),
            Some(estimates[1])
        );
        let win = known(1.0, true);
        assert_eq!(best(Some(estimates[1]), Some(win)), Some(win));
        // Something better than a draw may be left.
        assert_eq!(
            best(Some(estimates[0]), Some(draw)),
            Some(known(0.5, false))
        );
        assert_eq!(
            (best(None, Some(draw)), best(None, None)),
            (Some(draw), None)
        );
    }

    #[test]
    fn a_second_look_replaces_the_first_unless_that_is_proven() {
        let curve = Curve::Linear(100.0);
        let found = |score: &str, after: Option<Looked>| Found {
            score: score.to_owned(),
            solved: false,
            line: vec!["a".to_owned()],
            second: None,
            after_best: after.map(Box::new),
            depth: 1,
            nodes: 1,
        };
        let of = |score, after| of_turn(&found(score, after), Side::Second, curve);
        let turn = |score| Some(Looked::Turn(found(score, None)));
        assert_eq!(of("cp 50", None), Some(known(0.75, false)));
        // The other side's score after the best turn.
        assert_eq!(of("cp 50", turn("cp 20")), Some(known(0.4, false)));
        assert_eq!(of("cp 50", turn("loss 4")), Some(known(1.0, true)));
        assert_eq!(of("cp 50", turn("win 4")), Some(known(0.0, false)));
        assert_eq!(of("win 7", turn("cp 20")), Some(known(1.0, true)));
        assert_eq!(of("cp 50", Some(Looked::Nothing)), Some(known(0.75, false)));
        let faces = [("cp 20", 2), ("cp -40", 4)].map(|(score, weight)| Face {
            weight,
            found: Some(found(score, None)),
        });
        let mean = of("cp 50", Some(Looked::Roll(faces.to_vec()))).expect("a mean");
        assert!((mean.chance - (2.0 * 0.4 + 4.0 * 0.7) / 6.0).abs() < 1e-9);
    }

    #[test]
    fn a_proof_holds_for_what_follows() {
        let turn = |side| Point::Turn {
            side,
            forced: false,
        };
        let (win, loss, doubt) = (known(1.0, true), known(0.0, true), known(0.7, false));
        assert_eq!(after_proof(turn(Side::First), win, doubt, true), win);
        assert_eq!(after_proof(turn(Side::First), win, doubt, false), doubt);
        assert_eq!(after_proof(turn(Side::First), loss, doubt, false), loss);
        assert_eq!(after_proof(turn(Side::Second), win, doubt, false), win);
        // No turn is worth more than the best.
        let draw = known(0.5, true);
        assert_eq!(after_proof(turn(Side::First), draw, doubt, false), draw);
        assert_eq!(after_proof(turn(Side::Second), draw, doubt, false), doubt);
        assert_eq!(
            after_proof(Point::Roll(Side::First), draw, doubt, false),
            doubt
        );
        assert_eq!(
            after_proof(Point::Roll(Side::First), win, doubt, false),
            win
        );
    }
}
