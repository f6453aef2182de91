//! The report of a test as text.

use base::plain::games_in_words;
use stats::sample::Pairs;
use stats::sign::Decisive;
use stats::sprt::estimate::Unbiased;
use stats::sprt::{Test, Verdict};
use stats::strength::Strength;

use super::{Match, Outcomes, Question, State};
use crate::report::{in_words, signed};

impl Match {
    /// The report: a few lines for a commit message.
    pub fn report(&self) -> String {
        let state = self.state();
        let Question { tested, base, .. } = &self.question;
        let mut text = format!("{tested} against {base}: {}\n", self.decided(&state));
        let mut line = |line: String| text += &(line + "\n");
        line(self.ratio(&state));
        let Strength {
            elo,
            normalized_elo,
            superiority,
        } = state.strength;
        line(format!(
            "Elo {}, nElo {}, LOS {:.1} %",
            in_words(elo),
            in_words(normalized_elo),
            100.0 * superiority
        ));
        if let Some(Unbiased { elo, low, high }) = state.unbiased {
            line(format!(
                "Unbiased Elo {}, 95 % from {} to {}; the line above does not count that \
                 the test ended when it decided",
                signed(elo),
                signed(low),
                signed(high)
            ));
        }
        let total = self.games.total;
        let score = total.sample().score().map_or(0.0, |score| 100.0 * score);
        let uncounted = self.uncounted(&state);
        line(format!(
            "{} {}: W-D-L {}-{}-{}, {score:.1} %",
            if uncounted.is_empty() {
                "Games"
            } else {
                "All games, also those that do not count,"
            },
            total.games(),
            total.wins,
            total.draws,
            total.losses
        ));
        if let Some(pairs) = state.pairs {
            let counts = pairs.0.map(|count| count.to_string()).join("-");
            line(format!(
                "Pairs {} by points 0-½-1-1½-2: {counts}",
                pairs.count()
            ));
            line(decisive(&pairs));
        }
        for line in uncounted.into_iter().chain(self.faults()) {
            text += &(line + "\n");
        }
        text
    }

    /// Games that were lost by a fault of a program, if there were any: they say nothing of its play.
    fn faults(&self) -> Option<String> {
        let Question { tested, base, .. } = &self.question;
        let lost = |(name, count): (&String, u32)| (count > 0).then(|| format!("{name} {count}"));
        let named = [tested, base].into_iter().zip(self.games.faults);
        let lost: Vec<String> = named.filter_map(lost).collect();
        (!lost.is_empty()).then(|| {
            format!(
                "Lost by a fault, not by play: {}; see standings and replay",
                lost.join(", ")
            )
        })
    }

    fn decided(&self, state: &State<'_>) -> String {
        let Test { elo0, elo1, .. } = self.question.test;
        let unit = self.question.test.model.unit();
        match state.verdict {
            Verdict::Open => "undecided".to_owned(),
            Verdict::H1 => format!("H1 accepted: {elo1} {unit}, rather than {elo0}"),
            Verdict::H0 => format!("H0 accepted: {elo0} {unit}, rather than {elo1}"),
        }
    }

    fn ratio(&self, state: &State<'_>) -> String {
        let Test {
            elo0,
            elo1,
            alpha,
            beta,
            ..
        } = self.question.test;
        let ((low, high), unit) = (self.question.test.bounds(), self.question.test.model.unit());
        let (lower, upper) = state.bounds;
        format!(
            "LLR {:+.3} ({low:+.3}, {high:+.3}) for ({elo0}, {elo1}) {unit}, alpha {alpha}, beta {beta}\n\
             Bounds without overshoot {lower:+.3}, {upper:+.3}",
            state.ratio
        )
    }

    /// The games that did not count, one line for each reason.
    fn uncounted(&self, state: &State<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let repeats = self.games.forced_repeats;
        if repeats > 0 {
            lines.push(format!(
                "Not counted: {} that repeat another, by engines that answer alike every time",
                games_in_words(repeats as usize)
            ));
        }
        let later = self.taken - self.skipped.len() - state.ratios.len();
        if later > 0 {
            let what = match (self.question.outcomes, later) {
                (Outcomes::Pairs, 1) => "pair",
                (Outcomes::Pairs, _) => "pairs",
                (Outcomes::Games, 1) => "game",
                (Outcomes::Games, _) => "games",
            };
            lines.push(format!(
                "Not counted: {later} {what} that ended after the decision"
            ));
        }
        lines
    }
}

/// The pairs that somebody has won, and the sign test.
fn decisive(pairs: &Pairs) -> String {
    let decisive = Decisive::of(pairs);
    let Decisive { won, lost } = decisive;
    format!(
        "Decisive pairs {won}-{lost}, exact sign test {}",
        decisive.in_words()
    )
}
