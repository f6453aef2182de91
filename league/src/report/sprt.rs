//! SPRT of a match between two engines: the current state and the report.

use std::fmt::Write;

use base::plain::games_in_words;
use serde_json::{Value, json};
use stats::sprt::{Model, Test, Verdict};
use stats::strength::{Results, Strength};

use crate::report::in_words;
use crate::results::standings::{Standings, Versus};
use crate::results::tally::sum;

/// The outcomes that a test counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcomes {
    /// Pairs of games with sides exchanged (pentanomial): fewer games are needed.
    #[default]
    Pairs,
    /// Single games (trinomial).
    Games,
}

impl Outcomes {
    /// All of them.
    pub const ALL: [Outcomes; 2] = [Outcomes::Pairs, Outcomes::Games];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Outcomes::Pairs => "pairs",
            Outcomes::Games => "games",
        }
    }

    /// What it is, for a list of them.
    pub const fn about(self) -> &'static str {
        match self {
            Outcomes::Pairs => {
                "Pairs of games with sides exchanged (pentanomial): fewer games are needed"
            }
            Outcomes::Games => "Single games (trinomial)",
        }
    }
}

/// SPRT of one engine against another.
#[derive(Clone, Debug)]
pub struct Match {
    /// The tested engine, and its opponent.
    names: [String; 2],
    test: Test,
    outcomes: Outcomes,
}

impl Match {
    /// A test of the first engine against the second.
    pub fn new(names: [String; 2], test: Test, outcomes: Outcomes) -> Match {
        Match {
            names,
            test,
            outcomes,
        }
    }

    /// The verdict after the games of these standings.
    pub fn verdict(&self, standings: &Standings) -> Verdict {
        let (ratio, _) = self.evaluate(&self.games(standings));
        self.test.verdict(ratio)
    }

    /// The tested engine's games against its opponent.
    fn games(&self, standings: &Standings) -> Versus {
        let row = standings.all.row(&self.names[0]);
        let versus = row.and_then(|row| row.against.get(&self.names[1]));
        versus.cloned().unwrap_or_default()
    }

    /// The log-likelihood ratio and the estimated strength, without forced repeats.
    fn evaluate(&self, games: &Versus) -> (f64, Strength) {
        let (by_side, pairs) = games.observed();
        match self.outcomes {
            Outcomes::Pairs => {
                let pairs = pairs.by_points();
                (self.test.llr(&pairs), Results::from(pairs).strength())
            }
            Outcomes::Games => {
                let sample = sum(by_side).sample();
                (self.test.llr(&sample), Results::from(sample).strength())
            }
        }
    }

    /// The state in one line.
    pub fn state(&self, standings: &Standings) -> String {
        let games = self.games(standings);
        let (ratio, strength) = self.evaluate(&games);
        let total = games.total();
        let (low, high) = self.test.bounds();
        format!(
            "{} against {}: {}-{}-{}, Elo {}, LLR {:+.2} ({low:+.2}, {high:+.2})",
            self.names[0],
            self.names[1],
            total.wins,
            total.draws,
            total.losses,
            in_words(strength.elo),
            ratio,
        )
    }

    /// The figures of the report, for JSON.
    pub fn facts(&self, standings: &Standings) -> Value {
        let games = self.games(standings);
        let (ratio, strength) = self.evaluate(&games);
        let total = games.total();
        json!({
            "tested": self.names[0],
            "base": self.names[1],
            "verdict": match self.test.verdict(ratio) {
                Verdict::Open => "undecided",
                Verdict::H0 => "H0",
                Verdict::H1 => "H1",
            },
            "llr": ratio,
            "bounds": self.test.bounds(),
            "elo0": self.test.elo0,
            "elo1": self.test.elo1,
            "alpha": self.test.alpha,
            "beta": self.test.beta,
            "elo": strength.elo,
            "normalized_elo": strength.normalized_elo,
            "los": strength.superiority,
            "games": { "wins": total.wins, "draws": total.draws, "losses": total.losses },
            "forced_repeats": games.forced_repeats(),
            "pairs": (self.outcomes == Outcomes::Pairs).then_some(games.observed().1.0),
        })
    }

    /// The report: a few lines for a commit message.
    pub fn report(&self, standings: &Standings) -> String {
        let games = self.games(standings);
        let (ratio, strength) = self.evaluate(&games);
        let Test {
            model,
            elo0,
            elo1,
            alpha,
            beta,
        } = self.test;
        let unit = match model {
            Model::Normalized => "normalized Elo",
            Model::Logistic => "Elo",
        };
        let verdict = match self.test.verdict(ratio) {
            Verdict::Open => "undecided".to_owned(),
            Verdict::H1 => format!("H1 accepted: {elo1} {unit}, rather than {elo0}"),
            Verdict::H0 => format!("H0 accepted: {elo0} {unit}, rather than {elo1}"),
        };
        let (low, high) = self.test.bounds();
        let total = games.total();
        let mut text = String::new();
        let [tested, base] = &self.names;
        let _ = writeln!(text, "{tested} against {base}: {verdict}");
        let _ = writeln!(
            text,
            "LLR {:+.3} ({low:+.3}, {high:+.3}) for ({elo0}, {elo1}) {unit}, alpha {alpha}, beta {beta}",
            ratio
        );
        let _ = writeln!(
            text,
            "Elo {}, nElo {}, LOS {:.1} %",
            in_words(strength.elo),
            in_words(strength.normalized_elo),
            100.0 * strength.superiority
        );
        let score = total.sample().score().map_or(0.0, |score| 100.0 * score);
        let _ = writeln!(
            text,
            "Games {}: W-D-L {}-{}-{}, {score:.1} %",
            total.games(),
            total.wins,
            total.draws,
            total.losses
        );
        if self.outcomes == Outcomes::Pairs {
            let (_, pairs) = games.observed();
            let counts = pairs.by_points().0.map(|count| count.to_string());
            let counts = counts.join("-");
            let _ = writeln!(
                text,
                "Pairs {} by points 0-½-1-1½-2: {counts}",
                pairs.count()
            );
        }
        if games.forced_repeats() > 0 {
            let _ = writeln!(
                text,
                "Not counted: {} that repeat another, by engines that answer alike every time",
                games_in_words(games.forced_repeats() as usize)
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use gamelog::record::sample::game;
    use gamelog::record::{GameRecord, GameResult, Reason};

    use super::*;
    use crate::results::standings::GameSummary;

    /// Standings with these counts of pairs, by points of "new" against "base": 0, ½, 1, 1½, 2.
    fn standings(pairs: [usize; 5]) -> Standings {
        use GameResult::{Draw, First, Second};
        let mut standings = Standings::default();
        let mut seed = 0;
        // The result as First, and as Second.
        let results = [
            [Second, First],
            [Draw, First],
            [Draw, Draw],
            [Draw, Second],
            [First, Second],
        ];
        for (count, results) in pairs.into_iter().zip(results) {
            for _ in 0..count {
                seed += 1;
                let sides = [("new", "base"), ("base", "new")];
                for ((first, second), result) in sides.into_iter().zip(results) {
                    let game = GameRecord {
                        seed,
                        ..game("hex", first, second, result, Reason::Rules)
                    };
                    standings.add(&GameSummary::from(&game));
                }
            }
        }
        standings
    }

    fn new(outcomes: Outcomes) -> Match {
        let test = Test {
            model: Model::Normalized,
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        };
        Match::new(["new", "base"].map(str::to_owned), test, outcomes)
    }

    #[test]
    fn a_report_has_every_figure() {
        let text = new(Outcomes::Pairs).report(&standings([3, 12, 30, 18, 7]));
        let expected = "\
new against base: undecided
LLR +0.513 (-2.944, +2.944) for (0, 10) normalized Elo, alpha 0.05, beta 0.05
Elo +34.9 ± 40.5, nElo +50.1 ± 57.6, LOS 95.6 %
Games 140: W-D-L 32-90-18, 55.0 %
Pairs 70 by points 0-½-1-1½-2: 3-12-30-18-7
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_test_decides_after_enough_games() {
        let test = new(Outcomes::Pairs);
        assert_eq!(test.verdict(&standings([0; 5])), Verdict::Open);
        assert_eq!(
            test.verdict(&standings([30, 120, 300, 180, 70])),
            Verdict::H1
        );
        assert_eq!(
            test.verdict(&standings([70, 180, 300, 120, 30])),
            Verdict::H0
        );
        let line = test.state(&standings([0; 5]));
        assert_eq!(
            line,
            "new against base: 0-0-0, Elo unknown, LLR +0.00 (-2.94, +2.94)"
        );
        let won = test.state(&standings([0, 0, 0, 0, 10]));
        assert!(won.contains("20-0-0, Elo > +182.7 (95 %), LLR"), "{won}");
        let games = new(Outcomes::Games);
        assert_eq!(games.verdict(&standings([0, 0, 0, 0, 400])), Verdict::H1);
    }
}
