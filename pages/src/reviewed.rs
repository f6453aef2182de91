//! A review for a page: what is said of each turn, the sums of both sides, and where the game turned.

use engine_core::Side;
use review::{Mark, PHASES, Review, Sums};
use serde::Serialize;

/// A review as a page shows it. Chances are in percent.
#[derive(Serialize)]
pub(crate) struct ReviewedGame {
    /// The chance of `First` at the start and after each turn and roll, where it is known.
    chances: Vec<Option<f64>>,
    /// What the rolls and the losses of both sides gave `First` up to each point; absent in games without
    /// dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    luck: Option<[Vec<f64>; 2]>,
    /// What is said of each turn and roll; nothing of those that were not judged.
    turns: Vec<Option<Judged>>,
    /// Both sides, `First` before `Second`.
    sums: [Row; 2],
    /// Names of the phases in `sums`.
    phases: [&'static str; 3],
    /// The turns at which most was lost, from 1.
    turning_points: Vec<usize>,
    /// The costliest turn of the side that lost, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_with: Option<usize>,
}

/// What is said of a turn.
#[derive(Serialize)]
struct Judged {
    /// `blunder`, `missed win`.
    name: &'static str,
    /// The class of its colour: the name of its mark.
    mark: Mark,
    /// Whether it was the only good turn.
    only: bool,
    /// What it lost.
    lost: f64,
    /// Why, where it lost much: a template and its parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<(&'static str, Vec<String>)>,
    /// The better line; empty if nothing was lost.
    better: Vec<String>,
    /// The score of the better line.
    score: String,
}

/// The sums of a side; of no turn there is neither accuracy nor loss.
#[derive(Serialize)]
struct Row {
    accuracy: Option<f64>,
    mean_loss: Option<f64>,
    /// Inaccuracies, mistakes, blunders.
    marks: [u32; 3],
    luck: f64,
    /// Inaccuracies or worse by phase.
    by_phase: [u32; 3],
}

/// The marks that a page counts.
const BAD: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

impl ReviewedGame {
    pub(crate) fn of(review: &Review, loser: Option<Side>) -> ReviewedGame {
        let lost_with = loser.and_then(|loser| review.costliest(loser));
        let plies = review.course.plies.len();
        let luck = review.values.luck_so_far();
        ReviewedGame {
            chances: review
                .values
                .first
                .iter()
                .map(|chance| chance.map(percent))
                .collect(),
            luck: luck.map(|luck| {
                [luck, review.values.choice_so_far(&review.course)]
                    .map(|sums| sums.into_iter().map(percent).collect())
            }),
            turns: (0..plies).map(|ply| Judged::of(review, ply)).collect(),
            sums: [0, 1].map(|side| Row::of(&review.sums[side])),
            phases: PHASES,
            turning_points: review.turning_points.iter().map(|ply| ply + 1).collect(),
            lost_with: lost_with.map(|ply| ply + 1),
        }
    }
}

/// Percent, to a tenth.
fn percent(chance: f64) -> f64 {
    (1000.0 * chance).round() / 10.0
}

impl Judged {
    fn of(review: &Review, ply: usize) -> Option<Judged> {
        let (verdict, lost) = (review.verdicts[ply]?, review.values.lost[ply]?);
        let reason = (verdict.mark >= Mark::Inaccuracy).then(|| review.reason(ply));
        let found = review.found(ply);
        let better = found.filter(|_| verdict.mark > Mark::Best);
        Some(Judged {
            name: verdict.name(),
            mark: verdict.mark,
            only: verdict.only,
            lost: percent(lost),
            reason: reason.map(|reason| (reason.template, reason.parts)),
            better: better.map_or(Vec::new(), |found| found.shown().to_vec()),
            score: better.map_or(String::new(), |found| found.score.clone()),
        })
    }
}

impl Row {
    fn of(sums: &Sums) -> Row {
        let bad = |phase: &[u32; 5]| phase[Mark::Inaccuracy as usize..].iter().sum();
        Row {
            accuracy: (sums.accuracy).map(|accuracy| (10.0 * accuracy).round() / 10.0),
            mean_loss: sums.known_loss().map(percent),
            marks: BAD.map(|mark| sums.count(mark)),
            luck: percent(sums.luck),
            by_phase: [0, 1, 2].map(|phase| bad(&sums.marks[phase])),
        }
    }
}
