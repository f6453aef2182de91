//! SPRT of a match between two engines: the current state and the report.

mod question;
mod words;

use base::plain::games_in_words;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stats::sample::{PairTable, Pairs, Sample};
use stats::sign::Decisive;
use stats::sprt::estimate::{self, Unbiased};
use stats::sprt::walk::Walk;
use stats::sprt::{Test, Verdict};
use stats::strength::{Results, Strength};

pub use self::question::Question;
use crate::report::in_words;
use crate::results::standings::Standings;
use crate::results::tally::{Tally, sum};

/// The outcomes that a test counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    question: Question,
    walk: Walking,
    /// How many games or pairs of the log were looked at, and which of them repeat another.
    taken: usize,
    skipped: Vec<u32>,
    games: Between,
}

/// All games between the two.
#[derive(Clone, Copy, Debug, Default)]
struct Between {
    total: Tally,
    forced_repeats: u32,
    /// Results by side and pairs without those.
    observed: ([Tally; 2], PairTable),
    /// Games that each has lost by a fault.
    faults: [u32; 2],
}

/// The test as far as it is.
#[derive(Clone, Debug)]
enum Walking {
    Pairs(Walk<5>),
    Games(Walk<3>),
}

impl Walking {
    fn new(test: Test, outcomes: Outcomes) -> Walking {
        match outcomes {
            Outcomes::Pairs => Walking::Pairs(Walk::new(test)),
            Outcomes::Games => Walking::Games(Walk::new(test)),
        }
    }

    fn add(&mut self, outcome: u8) {
        match self {
            Walking::Pairs(walk) => walk.add(outcome.into()),
            Walking::Games(walk) => walk.add(outcome.into()),
        }
    }

    fn is_of_pairs(&self) -> bool {
        matches!(self, Walking::Pairs(_))
    }
}

/// What a test has come to, up to its decision.
#[derive(Clone, Debug)]
pub struct State<'m> {
    /// What has been decided.
    pub verdict: Verdict,
    /// The log-likelihood ratio.
    pub ratio: f64,
    /// Where the test ends.
    pub bounds: (f64, f64),
    /// Estimated from the observations, as if their number had been fixed.
    pub strength: Strength,
    /// The estimate after the decision.
    pub unbiased: Option<Unbiased>,
    /// The pairs, if pairs are counted.
    pub pairs: Option<Pairs>,
    /// The log-likelihood ratio after each observation.
    pub ratios: &'m [f64],
}

impl<'m> State<'m> {
    fn of<const N: usize>(test: &Test, walk: &'m Walk<N>, pairs: Option<Pairs>) -> State<'m>
    where
        Results: From<Sample<N>>,
    {
        let sample = *walk.sample();
        State {
            verdict: walk.verdict(),
            ratio: walk.ratio(),
            bounds: walk.bounds(),
            strength: Results::from(sample).strength(),
            unbiased: estimate::after(test, &sample, walk.verdict()),
            pairs,
            ratios: walk.ratios(),
        }
    }
}

/// How many forced repeats show that more games say nothing new, if they are also most of all games.
const ENOUGH_REPEATS: u32 = 20;

impl Match {
    /// A test of the first engine against the second.
    pub fn new([tested, base]: [String; 2], test: Test, outcomes: Outcomes) -> Match {
        Match::of(Question {
            tested,
            base,
            test,
            outcomes,
        })
    }

    /// The test that answers a question.
    pub fn of(question: Question) -> Match {
        let Question { test, outcomes, .. } = question;
        Match {
            question,
            walk: Walking::new(test, outcomes),
            taken: 0,
            skipped: Vec::new(),
            games: Between::default(),
        }
    }

    /// Takes the games of these standings in the order of the log, those that are new. Games that were in
    /// progress at the decision change nothing in it.
    pub fn follow(&mut self, standings: &Standings) {
        let Question { tested, base, .. } = &self.question;
        let row = standings.all.row(tested);
        let Some(games) = row.and_then(|row| row.against.get(base)) else {
            return;
        };
        let (order, repeats) = games.in_order(self.walk.is_of_pairs());
        // An engine that has answered otherwise since repeats games by chance: all of them count.
        if !repeats.starts_with(&self.skipped) {
            self.walk = Walking::new(self.question.test, self.question.outcomes);
            (self.taken, self.skipped) = (0, Vec::new());
        }
        for (place, &outcome) in order.iter().enumerate().skip(self.taken) {
            match repeats.binary_search(&(place as u32)) {
                Ok(_) => self.skipped.push(place as u32),
                Err(_) => self.walk.add(outcome),
            }
        }
        self.taken = order.len();
        self.games = Between {
            total: games.total(),
            forced_repeats: games.forced_repeats(),
            observed: games.observed(),
            faults: [tested, base].map(|name| {
                let row = standings.all.row(name);
                row.map_or(0, |row| row.faults.values().sum())
            }),
        };
    }

    /// What has been decided.
    pub fn verdict(&self) -> Verdict {
        match &self.walk {
            Walking::Pairs(walk) => walk.verdict(),
            Walking::Games(walk) => walk.verdict(),
        }
    }

    /// What all these games say, in whatever order they were played.
    pub fn verdict_of_all(&self) -> Verdict {
        let (by_side, pairs) = self.games.observed;
        let Question { test, outcomes, .. } = &self.question;
        test.verdict(match outcomes {
            Outcomes::Pairs => test.llr(&pairs.by_points()),
            Outcomes::Games => test.llr(&sum(by_side).sample()),
        })
    }

    /// Why more games would say nothing new, if so.
    pub fn is_stuck(&self) -> Option<String> {
        let repeats = self.games.forced_repeats;
        let stuck = repeats >= ENOUGH_REPEATS && 2 * repeats >= self.games.total.games();
        stuck.then(|| {
            format!(
                "{} repeat another move for move: these engines answer alike every time, and have no new \
                 openings to play; set [openings] to more of them",
                games_in_words(repeats as usize)
            )
        })
    }

    /// What the test asks.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What the test has come to.
    pub fn state(&self) -> State<'_> {
        let test = &self.question.test;
        match &self.walk {
            Walking::Pairs(walk) => State::of(test, walk, Some(*walk.sample())),
            Walking::Games(walk) => State::of(test, walk, None),
        }
    }

    /// The state in one line.
    pub fn line(&self) -> String {
        let State {
            ratio,
            strength,
            bounds: (low, high),
            ..
        } = self.state();
        let Question { tested, base, .. } = &self.question;
        let total = self.games.total;
        format!(
            "{tested} against {base}: {}-{}-{}, Elo {}, LLR {ratio:+.2} ({low:+.2}, {high:+.2})",
            total.wins,
            total.draws,
            total.losses,
            in_words(strength.elo),
        )
    }

    /// The figures of the report, for JSON.
    pub fn facts(&self) -> Value {
        let state = self.state();
        let total = self.games.total;
        let Question {
            tested, base, test, ..
        } = &self.question;
        json!({
            "tested": tested,
            "base": base,
            "verdict": match state.verdict {
                Verdict::Open => "undecided",
                Verdict::H0 => "H0",
                Verdict::H1 => "H1",
            },
            "llr": state.ratio,
            "bounds": test.bounds(),
            "bounds_without_overshoot": state.bounds,
            "llrs": state.ratios,
            "model": test.model,
            "outcomes": self.question.outcomes,
            "faults": self.games.faults,
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "elo": state.strength.elo,
            "normalized_elo": state.strength.normalized_elo,
            "los": state.strength.superiority,
            "unbiased_elo": state.unbiased,
            "games": { "wins": total.wins, "draws": total.draws, "losses": total.losses },
            "forced_repeats": self.games.forced_repeats,
            "pairs": state.pairs.map(|_| self.games.observed.1.0),
            "pairs_by_points": state.pairs.map(|pairs| pairs.0),
            "decisive_pairs": state.pairs.map(|pairs| {
                let Decisive { won, lost } = Decisive::of(&pairs);
                json!({ "won": won, "lost": lost, "p": Decisive { won, lost }.probability() })
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use gamelog::record::sample::game;
    use gamelog::record::{GameRecord, GameResult, Reason};
    use stats::sprt::Model;

    use super::*;
    use crate::results::summary::GameSummary;

    /// A test after these counts of pairs in any order, by points of "new" against "base": 0, ½, 1, 1½, 2.
    fn after(outcomes: Outcomes, pairs: [usize; 5]) -> Match {
        let mut points: Vec<usize> = (0..5)
            .flat_map(|points| vec![points; pairs[points]])
            .collect();
        let mut rng = engine_core::Rng::new(2);
        rng.shuffle(&mut points);
        let mut test = new(outcomes);
        let mut standings = Standings::default();
        for (seed, points) in points.into_iter().enumerate() {
            add(&mut standings, seed as u64, points);
            test.follow(&standings);
        }
        test
    }

    /// Adds a pair with these half points of "new".
    fn add(standings: &mut Standings, seed: u64, points: usize) {
        use GameResult::{Draw, First, Second};
        // The result as First, and as Second.
        let results = [
            [Second, First],
            [Draw, First],
            [Draw, Draw],
            [Draw, Second],
            [First, Second],
        ];
        let sides = [("new", "base"), ("base", "new")];
        for ((first, second), result) in sides.into_iter().zip(results[points]) {
            let game = GameRecord {
                seed,
                ..game("hex", first, second, result, Reason::Rules)
            };
            standings.add(&GameSummary::from(&game));
        }
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
        let text = after(Outcomes::Pairs, [3, 12, 30, 18, 7]).report();
        let expected = "\
new against base: undecided
LLR +0.513 (-2.944, +2.944) for (0, 10) normalized Elo, alpha 0.05, beta 0.05
Bounds without overshoot -2.918, +2.923
Elo +34.9 ± 40.5, nElo +50.1 ± 57.6, LOS 95.6 %
Games 140: W-D-L 32-90-18, 55.0 %
Pairs 70 by points 0-½-1-1½-2: 3-12-30-18-7
Decisive pairs 25-15, exact sign test p = 0.154
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_test_decides_after_enough_games() {
        let none = after(Outcomes::Pairs, [0; 5]);
        assert_eq!(none.verdict(), Verdict::Open);
        assert_eq!(
            none.line(),
            "new against base: 0-0-0, Elo unknown, LLR +0.00 (-2.94, +2.94)"
        );
        let better = after(Outcomes::Pairs, [30, 120, 300, 180, 70]);
        assert_eq!(better.verdict(), Verdict::H1);
        let worse = after(Outcomes::Pairs, [70, 180, 300, 120, 30]);
        assert_eq!(worse.verdict(), Verdict::H0);
        let won = after(Outcomes::Pairs, [0, 0, 0, 0, 10]).line();
        assert!(won.contains("20-0-0, Elo > +182.7 (95 %), LLR"), "{won}");
        let games = after(Outcomes::Games, [0, 0, 0, 0, 400]);
        assert_eq!(games.verdict(), Verdict::H1);
    }

    /// Games that end later change neither the verdict nor its figures.
    #[test]
    fn a_decision_stands() {
        let mut test = after(Outcomes::Pairs, [30, 120, 300, 180, 70]);
        let report = test.report();
        let (lines, facts) = (report.lines().collect::<Vec<_>>(), test.facts());
        let pairs = facts["llrs"].as_array().unwrap().len();
        assert!(
            pairs < 700 && report.contains("\nUnbiased Elo +"),
            "{report}"
        );
        let later = format!(
            "Not counted: {} pairs that ended after the decision",
            700 - pairs
        );
        assert_eq!(lines.last(), Some(&&*later));
        let mut standings = Standings::default();
        (0..500).for_each(|seed| add(&mut standings, 10_000 + seed, 4));
        test = new(Outcomes::Pairs);
        test.follow(&standings);
        let before = (test.verdict(), test.state().ratio);
        (0..500).for_each(|seed| add(&mut standings, 20_000 + seed, 0));
        test.follow(&standings);
        assert_eq!((test.verdict(), test.state().ratio), before);
        assert_eq!(
            (before.0, test.verdict_of_all()),
            (Verdict::H1, Verdict::Open)
        );
    }

    /// A game of three turns from the first position, won by `First`, or one that differs in the last.
    fn same(standings: &mut Standings, seed: u64, last: &str) {
        for (first, second) in [("new", "base"), ("base", "new")] {
            let turns = ["a1", "b2", last].map(gamelog::record::sample::turn);
            let game = GameRecord {
                seed,
                turns: turns.to_vec(),
                ..game("hex", first, second, GameResult::First, Reason::Rules)
            };
            standings.add(&GameSummary::from(&game));
        }
    }

    #[test]
    fn repeats_count_once_until_an_engine_answers_otherwise() {
        let (mut standings, mut test) = (Standings::default(), new(Outcomes::Pairs));
        for seed in 0..11 {
            same(&mut standings, seed, "c3");
            test.follow(&standings);
            assert_eq!(test.state().ratios.len(), 1);
        }
        assert!(
            test.is_stuck()
                .unwrap()
                .starts_with("20 games repeat another move for move:")
        );
        assert!(
            test.report()
                .contains("Not counted: 20 games that repeat another, by engines")
        );
        same(&mut standings, 11, "c4");
        test.follow(&standings);
        assert_eq!((test.is_stuck(), test.state().ratios.len()), (None, 12));
        let mut again = new(Outcomes::Pairs);
        again.follow(&standings);
        assert_eq!(again.report(), test.report());
    }
}
