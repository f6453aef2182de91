//! Turning points: the turns at which an engine's score of the game has changed most.

use std::collections::BTreeMap;

use gamelog::record::{SideName, TurnRecord};
use protocol::ugi::InfoScore;

/// Score at which an evaluation, in hundredths, is half of the way to a win.
const HALF: f64 = 200.0;

/// From here on the game is decided, for whoever it is: a score of 3. What an engine sees later, such
/// as the win in 6 of a position long won, is no turning point.
const DECIDED: f64 = 0.6;

/// Changes below this are no turning points.
const LEAST: f64 = 0.1;

/// Turning points lie at least so many turns apart: both engines see the same one.
const APART: usize = 3;

/// What an engine expects of the game by its score: 0 is even, 1 a win; `None` if the text is no
/// score.
pub fn expectation(score: &str) -> Option<f64> {
    Some(match score.parse().ok()? {
        InfoScore::Points(points) => {
            let points = f64::from(points);
            points / (points.abs() + HALF)
        }
        InfoScore::Win(_) => 1.0,
        InfoScore::Loss(_) => -1.0,
    })
}

/// The plies of the turns in which an engine's expectation has changed since its turn before, and by
/// how much, the largest change first.
pub(super) fn swings(turns: &[TurnRecord]) -> Vec<(usize, f64)> {
    let mut before = BTreeMap::<bool, f64>::new();
    let mut swings = Vec::new();
    for (ply, turn) in (1..).zip(turns) {
        let score = turn.info.as_ref().and_then(|info| info.score.as_deref());
        let Some(expected) = score.and_then(expectation) else {
            continue;
        };
        let expected = expected.clamp(-DECIDED, DECIDED);
        if let Some(last) = before.insert(turn.side == SideName::First, expected)
            && last != expected
        {
            swings.push((ply, (expected - last).abs()));
        }
    }
    swings.sort_by(|(ply, one), (other_ply, other)| other.total_cmp(one).then(ply.cmp(other_ply)));
    swings
}

/// The turning points of a game, at most `most`: the plies of its largest swings that are not close
/// to a larger one, the largest first.
pub fn turning_points(turns: &[TurnRecord], most: usize) -> Vec<usize> {
    let mut points: Vec<usize> = Vec::new();
    for (ply, change) in swings(turns) {
        if change >= LEAST && points.iter().all(|&point| ply.abs_diff(point) >= APART) {
            points.push(ply);
        }
    }
    points.truncate(most);
    points
}

#[cfg(test)]
mod tests {
    use engine_process::info::EngineInfo;
    use gamelog::record::sample;

    use super::*;

    /// Turns of both sides in exchange with these scores, each of the engine that moves.
    fn turns(scores: &[&str]) -> Vec<TurnRecord> {
        let turn = |(ply, score): (usize, &&str)| TurnRecord {
            side: if ply % 2 == 0 {
                SideName::First
            } else {
                SideName::Second
            },
            info: Some(EngineInfo {
                score: Some((*score).to_owned()),
                ..EngineInfo::default()
            }),
            ..sample::turn("")
        };
        scores.iter().enumerate().map(turn).collect()
    }

    #[test]
    fn expectations_are_in_the_order_of_their_scores() {
        let scores = [
            "loss 3", "cp -900", "cp -200", "cp 0", "cp 200", "cp 30000", "win 1",
        ];
        let expected = scores.map(|score| expectation(score).unwrap());
        assert!(expected.is_sorted_by(|a, b| a < b), "{expected:?}");
        assert_eq!((expected[2], expected[3], expected[4]), (-0.5, 0.0, 0.5));
        assert_eq!(expectation("mate 3"), None);
        assert_eq!(expectation("cp much"), None);
    }

    /// First sees at turn 5 that it is worse, and at turn 11 that it has lost since long.
    #[test]
    fn an_announced_loss_is_no_turning_point() {
        let scores = [
            "cp 60", "cp 10", "cp 50", "cp 20", "cp -90", "cp 80", "cp -110", "cp 130", "cp -240",
            "cp 250", "loss 6", "win 5",
        ];
        assert_eq!(turning_points(&turns(&scores), 3), [5, 9]);
        assert_eq!(turning_points(&turns(&scores), 1), [5]);
    }

    #[test]
    fn a_game_without_scores_has_no_turning_points() {
        assert!(turning_points(&turns(&["", "", ""]), 3).is_empty());
    }
}
