//! A review as remarks of a record, for SGF.

use records::{Remark, TurnMark};

use crate::marks::Mark;
use crate::review::Review;
use crate::searched::Found;

/// A remark for each ply of a review after its opening: the mark, the chance of `First`, words,
/// and what was better.
pub fn remarks(review: &Review) -> Vec<Remark> {
    let plies = review.course.opening..review.course.plies.len();
    plies.map(|ply| remark(review, ply)).collect()
}

fn remark(review: &Review, ply: usize) -> Remark {
    let chance = review.values.first[ply + 1];
    let (Some(verdict), Some(lost)) = (review.verdicts[ply], review.values.lost[ply]) else {
        return Remark {
            chance,
            ..Remark::default()
        };
    };
    let (comment, better) = if verdict.mark >= Mark::Inaccuracy {
        let found = review.found(ply);
        let line = found.map_or(&[][..], Found::shown);
        let score = found.map_or("", |found| &found.score);
        let comment = format!(
            "{}: {} (it lost {:.1} %). Better: {} ({score})",
            verdict.name(),
            review.reason(ply),
            100.0 * lost,
            line.join(" ")
        );
        (comment, line.to_vec())
    } else if verdict.only {
        ("only move".to_owned(), Vec::new())
    } else {
        (String::new(), Vec::new())
    };
    Remark {
        comment,
        better,
        chance,
        mark: match verdict.mark {
            Mark::Blunder => Some(TurnMark::VeryBad),
            Mark::Mistake => Some(TurnMark::Bad),
            Mark::Inaccuracy => Some(TurnMark::Doubtful),
            Mark::Best if verdict.only => Some(TurnMark::Good),
            Mark::Best | Mark::Good => None,
        },
        ..Remark::default()
    }
}
