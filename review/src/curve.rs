//! Scores as chances to win.
//!
//! The chance of the side to act is 1 / (1 + exp(−points / scale)): logistic, even at 0, so both sides
//! are alike. Each game has its own scale, fitted by maximum likelihood to logged games: what the
//! engines thought of a position, and how the game ended. [`fit`] does it, and `referee review --fit`
//! prints it; `docs/review.md` has the figures and the games that they are from. In EinStein scores
//! are expectations over the dice already, from a sure loss to a sure win.

use gamelog::record::{GameRecord, GameResult, SideName};
use protocol::ugi::InfoScore;

use crate::searched::score;

/// How scores of a game become chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Curve {
    /// A logistic curve: the points at which the side to act wins with a chance of 73 %.
    Logistic(f64),
    /// A line: the points of a sure win.
    Linear(f64),
}

/// The curves of the games.
const CURVES: [(&str, Curve); 7] = [
    ("amazons", Curve::Logistic(35.0)),
    ("connect6", Curve::Logistic(104.0)),
    ("dots-and-boxes", Curve::Logistic(198.0)),
    ("einstein", Curve::Linear(10_000.0)),
    ("gomoku", Curve::Logistic(354.0)),
    ("hex", Curve::Logistic(43.0)),
    ("surakarta", Curve::Logistic(28.0)),
];

/// The curve of a game that is not among them, and of tic-tac-toe, whose positions are all solved.
const OTHER: Curve = Curve::Logistic(100.0);

impl Curve {
    /// The curve of a game.
    pub fn of(game: &str) -> Curve {
        let known = CURVES.iter().find(|(known, _)| *known == game);
        known.map_or(OTHER, |(_, curve)| *curve)
    }

    /// The chance of a side with this score: 0 or 1 for a proven result alone. A solved score
    /// without a distance is a margin or a draw; on a line, it is an expectation.
    pub fn chance(self, score: InfoScore, solved: bool) -> f64 {
        let points = match score {
            InfoScore::Win(_) => return 1.0,
            InfoScore::Loss(_) => return 0.0,
            InfoScore::Points(points) => f64::from(points),
        };
        match self {
            Curve::Linear(sure) if solved => (0.5 + points / (2.0 * sure)).clamp(0.0, 1.0),
            Curve::Linear(sure) => (0.5 + points / (2.0 * sure)).clamp(LEAST, 1.0 - LEAST),
            Curve::Logistic(scale) if !solved => logistic(points / scale).clamp(LEAST, 1.0 - LEAST),
            Curve::Logistic(_) if points == 0.0 => 0.5,
            Curve::Logistic(_) => f64::from(u8::from(points > 0.0)),
        }
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What is left of doubt where nothing is proven.
const LEAST: f64 = 0.001;

/// A scale that was fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The scale.
    pub scale: f64,
    /// Its standard error, by the curvature of the likelihood, with the games as independent.
    pub error: f64,
    /// How many games had scores.
    pub games: u64,
    /// How many scores they had.
    pub scores: u64,
}

/// Sums over the scores of some games of one kind, from which a scale is fitted.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// By game: the scores and what the side had at the end, 0 to 1.
    games: Vec<Vec<(f64, f64)>>,
}

impl Sample {
    /// Adds the scores of a game that has a result. Scores beyond a proof say nothing of the scale.
    pub fn add(&mut self, record: &GameRecord) {
        let first = match record.result {
            GameResult::First => 1.0,
            GameResult::Second => 0.0,
            GameResult::Draw => 0.5,
            GameResult::Unfinished => return,
        };
        let points = |turn: &gamelog::record::TurnRecord| {
            let said = turn.info.as_ref()?.score.as_deref()?;
            let points = match score(said)? {
                InfoScore::Points(points) => f64::from(points),
                _ => return None,
            };
            let won = if turn.side == SideName::First {
                first
            } else {
                1.0 - first
            };
            Some((points, won))
        };
        let scores: Vec<(f64, f64)> = record.turns.iter().filter_map(points).collect();
        if !scores.is_empty() {
            self.games.push(scores);
        }
    }
}

/// The scale of the most likely curve; `None` if there is none: without scores, or if the side ahead
/// always won, or won no more often than the other.
pub fn fit(sample: &Sample) -> Option<Fitted> {
    let scores = || sample.games.iter().flatten();
    let largest = scores().map(|(points, _)| points.abs()).fold(0.0, f64::max);
    if largest == 0.0 {
        return None;
    }
    // The slope of the likelihood falls with the rate: its zero is found by bisection.
    let slope = |rate: f64| -> f64 {
        let of = |&(points, won): &(f64, f64)| points * (won - logistic(rate * points));
        scores().map(of).sum()
    };
    let (mut low, mut high) = (0.0, 20.0 / largest.min(20.0));
    if slope(low) <= 0.0 || slope(high) >= 0.0 {
        return None;
    }
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let rate = (low + high) / 2.0;
    Some(Fitted {
        scale: 1.0 / rate,
        error: error_of(sample, rate)? / (rate * rate),
        games: sample.games.len() as u64,
        scores: scores().count() as u64,
    })
}

/// The standard error of a rate. The scores of a game are not independent, the games are: a sandwich
/// estimate with the games as clusters.
fn error_of(sample: &Sample, rate: f64) -> Option<f64> {
    let (mut curvature, mut spread) = (0.0, 0.0);
    for game in &sample.games {
        let mut slope = 0.0;
        for &(points, won) in game {
            let chance = logistic(rate * points);
            slope += points * (won - chance);
            curvature += points * points * chance * (1.0 - chance);
        }
        spread += slope * slope;
    }
    (curvature > 0.0).then(|| spread.sqrt() / curvature)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of one score each.
    fn sample(scores: &[(f64, f64)]) -> Sample {
        Sample {
            games: scores.iter().map(|&score| vec![score]).collect(),
        }
    }

    /// With ±100 points alone, the curve goes through the share of wins: ln 3 at 3 of 4.
    #[test]
    fn the_scale_is_that_of_the_share_of_wins() {
        let four = [(100.0, 1.0), (100.0, 1.0), (-100.0, 0.0), (100.0, 0.0)];
        let fitted = fit(&sample(&four)).expect("a curve");
        assert!(
            (fitted.scale - 100.0 / 3.0_f64.ln()).abs() < 1e-6,
            "{fitted:?}"
        );
        assert_eq!((fitted.games, fitted.scores), (4, 4));
        // By hand: slopes ±25 and −75, curvature 4·100²·3/16, so 75² + 3·25² below it.
        let error = (75.0_f64.powi(2) + 3.0 * 25.0_f64.powi(2)).sqrt() / (4.0 * 1e4 * 3.0 / 16.0);
        let expected = error * fitted.scale * fitted.scale;
        assert!((fitted.error - expected).abs() < 1e-6, "{fitted:?}");
    }

    #[test]
    fn without_doubt_or_without_sense_there_is_no_curve() {
        assert_eq!(fit(&Sample::default()), None);
        assert_eq!(fit(&sample(&[(0.0, 1.0), (0.0, 0.0)])), None);
        assert_eq!(fit(&sample(&[(100.0, 1.0), (-50.0, 0.0)])), None, "always");
        assert_eq!(fit(&sample(&[(100.0, 0.0), (-50.0, 1.0)])), None, "never");
        assert_eq!(fit(&sample(&[(100.0, 0.5), (-50.0, 0.5)])), None, "draws");
    }

    #[test]
    fn chances_rise_with_scores_and_only_proofs_are_certain() {
        let scores = [
            "loss 3",
            "cp -90000",
            "cp -100",
            "cp 0",
            "cp 100",
            "cp 90000",
            "win 2",
        ];
        let chance = |text| Curve::Logistic(100.0).chance(score(text).expect("a score"), false);
        let chances = scores.map(chance);
        assert!(
            chances.is_sorted_by(|one, other| one < other),
            "{chances:?}"
        );
        assert_eq!((chances[0], chances[3], chances[6]), (0.0, 0.5, 1.0));
        assert!(chances[1] > 0.0 && chances[5] < 1.0);
        for (one, other) in [(1, 5), (2, 4)] {
            assert!((chances[one] + chances[other] - 1.0).abs() < 1e-6);
        }
    }
    /// A margin that is final is a win; with dice, a final score is an expectation.
    #[test]
    fn solved_scores_are_results() {
        let chance =
            |curve: Curve, text, solved| curve.chance(score(text).expect("a score"), solved);
        let points = ["cp -10000", "cp -5000", "cp 0", "cp 10000"];
        let margins = points.map(|text| chance(Curve::Logistic(100.0), text, true));
        assert_eq!(margins, [0.0, 0.0, 0.5, 1.0]);
        let line = Curve::of("einstein");
        assert_eq!(
            points.map(|text| chance(line, text, true)),
            [0.0, 0.25, 0.5, 1.0]
        );
        assert_eq!(chance(line, "cp -5000", false), 0.25);
        assert_eq!(chance(line, "cp 10000", false), 1.0 - LEAST, "not proven");
    }
}
