//! The sequential test that a league was played for: what it asks, how far it is, and its verdict.

use ::league::report::sprt::{Match, Question, State};
use maud::{Markup, html};
use stats::Figure;
use stats::sign::Decisive;
use stats::sprt::Verdict;
use stats::sprt::estimate::Unbiased;

use super::Reader;
use super::ratings::signed;
use super::verdict::in_percent;

/// The most points of the curve.
const POINTS: usize = 400;

/// The panel of a test.
pub(crate) fn panel(reader: &Reader, test: &Match) -> Markup {
    let (question, state) = (test.question(), test.state());
    html! {
        section.panel.test {
            h2 { (reader.say("Test (SPRT)")) }
            p.lead { (verdict(reader, question, &state)) }
            (curve(reader, question, &state))
            ul.figures { @for figure in figures(reader, question, &state) { li { (figure) } } }
        }
    }
}

fn verdict(reader: &Reader, question: &Question, state: &State<'_>) -> Markup {
    let test = &question.test;
    let parts = [
        html! { strong { (question.tested) } },
        html! { strong { (question.base) } },
        html! { (test.elo0) },
        html! { (test.elo1) },
        html! { (reader.say(test.model.unit())) },
    ];
    reader.tell(
        match state.verdict {
            Verdict::Open => {
                "Is {0} better than {1} by {3} {4} (H1) rather than by {2} (H0)? Not decided yet."
            }
            Verdict::H1 => "{0} is better than {1} by {3} {4} rather than by {2}: H1 was accepted.",
            Verdict::H0 => "{0} is better than {1} by {2} {4} rather than by {3}: H0 was accepted.",
        },
        &parts,
    )
}

/// The log-likelihood ratio after each observation, between its bounds.
fn curve(reader: &Reader, question: &Question, state: &State<'_>) -> Markup {
    let (low, high) = question.test.bounds();
    let ratios = state.ratios;
    let most = ratios.iter().copied().fold(high, f64::max) * 1.1;
    let least = ratios.iter().copied().fold(low, f64::min) * 1.1;
    let y = |ratio: f64| format!("{:.2}", 100.0 * (most - ratio) / (most - least));
    let last = ratios.len().max(1) as f64;
    let step = ratios.len().div_ceil(POINTS).max(1);
    let mut path = format!("M0 {}", y(0.0));
    for (index, &ratio) in ratios.iter().enumerate() {
        if (index + 1) % step == 0 || index + 1 == ratios.len() {
            path += &format!("L{:.1} {}", 1000.0 * (index + 1) as f64 / last, y(ratio));
        }
    }
    let bound = |name: &str, at: f64| html! { span.bound { (name) " " (signed(at, 2)) } };
    html! {
        figure.llr {
            (bound("H1", high))
            svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img"
                aria-label=(reader.say("log-likelihood ratio after each observation")) {
                @for (class, at) in [("h1", high), ("axis", 0.0), ("h0", low)] {
                    line.(class) x1="0" x2="1000" y1=(y(at)) y2=(y(at)) {}
                }
                path.ratio d=(path) {}
            }
            (bound("H0", low))
        }
    }
}

/// What the test has found, one line each.
fn figures(reader: &Reader, question: &Question, state: &State<'_>) -> Vec<Markup> {
    let test = &question.test;
    let mut figures = vec![
        reader.tell(
            "LLR {0}; errors of {1} and {2} at most",
            &[
                signed(state.ratio, 2),
                in_percent(test.alpha),
                in_percent(test.beta),
            ]
            .map(|text| html! { (text) }),
        ),
    ];
    if let Some(Unbiased { elo, low, high }) = state.unbiased {
        figures.push(reader.tell(
            "Elo {0}, 95 % from {1} to {2}, where it counts that the test ended when it decided",
            &[elo, low, high].map(|value| html! { (signed(value, 1)) }),
        ));
    }
    if let Some(Figure::Estimate(elo)) = state.strength.elo {
        figures.push(reader.tell(
            "Elo {0} ± {1} by the score alone",
            &[signed(elo.value, 1), format!("{:.1}", elo.error)].map(|text| html! { (text) }),
        ));
    }
    if let Some(pairs) = state.pairs {
        let counts = pairs.0.map(|count| count.to_string()).join("–");
        figures.push(reader.tell(
            "{0} pairs by points 0–½–1–1½–2: {1}",
            &[html! { (pairs.count()) }, html! { (counts) }],
        ));
        let decisive = Decisive::of(&pairs);
        let Decisive { won, lost } = decisive;
        figures.push(reader.tell(
            "decisive pairs {0}–{1}: exact sign test {2}",
            &[
                html! { (won) },
                html! { (lost) },
                html! { (decisive.in_words()) },
            ],
        ));
    }
    figures
}

#[cfg(test)]
mod tests {
    use stats::sprt::{Model, Test};

    use super::*;
    use crate::leagues::tests::league;
    use crate::words::Language;

    fn shown(pairs: usize) -> String {
        let pair: [(&str, &[&str]); 2] = [("a b first", &[]), ("b a second", &[])];
        let league = league(&pair.repeat(pairs));
        let test = Test {
            model: Model::Logistic,
            elo0: 0.0,
            elo1: 100.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let names = ["a", "b"].map(str::to_owned);
        let mut test = Match::new(names, test, Default::default());
        test.follow(&league.standings);
        let text = panel(&Reader::of_file(Language::English), &test).0;
        text.replace("<strong>", "").replace("</strong>", "")
    }

    #[test]
    fn a_test_says_what_it_asks_and_what_it_has_decided() {
        let none = shown(0);
        assert!(none.contains(
            "Is a better than b by 100 Elo (H1) rather than by 0 (H0)? Not decided yet."
        ));
        assert!(none.contains("M0 50.00\""), "{none}");
        let decided = shown(60);
        assert!(
            decided.contains("a is better than b by 100 Elo rather than by 0: H1 was accepted.")
        );
        assert!(
            decided.contains("H1 +2.94") && decided.contains("H0 −2.94"),
            "{decided}"
        );
        assert!(
            decided.contains("exact sign test p &lt; 0.001"),
            "{decided}"
        );
    }
}
