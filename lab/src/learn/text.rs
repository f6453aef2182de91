//! The iterations of learning as text and as JSON.

use base::table;
use learning::{Progress, Strength, TableProgress};
use serde::Serialize;
use stats::Estimate;
use stats::sample::PairTable;
use stats::strength::Results;

/// One iteration as programs read it.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    #[serde(flatten)]
    progress: Progress,
    /// The difference in Elo to the engine without what is learned.
    elo: Option<Estimate>,
}

/// The iterations as programs read them.
pub fn facts(progress: &[Progress]) -> Vec<Facts> {
    let facts = |progress: &Progress| Facts {
        progress: *progress,
        elo: progress.strength.and_then(elo),
    };
    progress.iter().map(facts).collect()
}

/// The difference in Elo; `None` where it is not finite.
pub fn elo(strength: Strength) -> Option<Estimate> {
    results(strength).elo()?.estimate()
}

/// The mean score, 0 to 1.
fn score(strength: Strength) -> f64 {
    results(strength).score().unwrap_or(0.5)
}

fn results(strength: Strength) -> Results {
    let pairs = PairTable(strength.pairs);
    Results::new(pairs.games(), &pairs)
}

/// An iteration in one line.
pub fn line(progress: &Progress) -> String {
    let Progress {
        iteration,
        games,
        positions,
        loss,
        fitted,
        predicted,
        strength,
    } = progress;
    let mut line = format!(
        "iteration {iteration}: {games} games, {positions} new positions, loss {loss:.4}, fitted {fitted:.4}"
    );
    if let Some(predicted) = predicted {
        line += &format!(", predicted {:.1} %", 100.0 * predicted);
    }
    if let Some(strength) = strength {
        line += &format!(", against the engine without it {}", result(*strength));
    }
    line
}

/// A result in words: `54.5 % of 200 games, Elo +31.4 ± 40.2`.
fn result(strength: Strength) -> String {
    let elo = match elo(strength) {
        Some(Estimate { value, error }) => format!(", Elo {value:+.1} ± {error:.1}"),
        None => String::new(),
    };
    let games = 2 * PairTable(strength.pairs).count();
    format!("{:.1} % of {games} games{elo}", 100.0 * score(strength))
}

/// All iterations as a table; of a policy, with what it predicted.
pub fn table(progress: &[Progress]) -> String {
    let is_policy = progress.iter().any(|step| step.predicted.is_some());
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let number = |number: f64| format!("{number:.4}");
    let mut header = vec!["iteration", "", "games", "positions", "loss", "fitted"];
    if is_policy {
        header.push("predicted");
    }
    header.extend(["score", "Elo", "±"]);
    let row = |progress: &Progress| {
        let elo = progress.strength.and_then(elo);
        let score = progress.strength.map(score);
        let mut row = vec![
            progress.iteration.to_string(),
            String::new(),
            progress.games.to_string(),
            progress.positions.to_string(),
            number(progress.loss),
            number(progress.fitted),
        ];
        if is_policy {
            row.push(progress.predicted.map_or(String::new(), percent));
        }
        row.push(score.map_or(String::new(), percent));
        row.push(elo.map_or(String::new(), |elo| format!("{:+.1}", elo.value)));
        row.push(elo.map_or(String::new(), |elo| format!("{:.1}", elo.error)));
        row
    };
    let header = header.into_iter().map(str::to_owned).collect();
    table::render(header, progress.iter().map(row).collect())
}

/// How far a table of values is, in one line.
pub fn table_line(progress: &TableProgress) -> String {
    let TableProgress {
        episodes,
        positions,
        start,
        ..
    } = progress;
    let start = signed(*start);
    format!("{episodes} games: {positions} positions, value of the start {start}")
}

/// A value with its sign; without one if it is 0.
fn signed(value: f64) -> String {
    match format!("{value:+.3}").as_str() {
        "+0.000" | "-0.000" => "0.000".to_owned(),
        signed => signed.to_owned(),
    }
}

/// All iterations of a table of values as a table.
pub fn values_table(progress: &[TableProgress]) -> String {
    let header = [
        "games",
        "",
        "positions",
        "start",
        "worst as First",
        "worst as Second",
    ];
    let row = |progress: &TableProgress| {
        let worst = |result: Option<f64>| match result {
            None => "?",
            Some(result) if result < 0.0 => "loss",
            Some(result) if result > 0.0 => "win",
            Some(_) => "draw",
        };
        let [first, second] = progress.worst.map(worst);
        vec![
            progress.episodes.to_string(),
            String::new(),
            progress.positions.to_string(),
            signed(progress.start),
            first.to_owned(),
            second.to_owned(),
        ]
    };
    let header = header.map(str::to_owned).to_vec();
    table::render(header, progress.iter().map(row).collect())
}
