//! The table of lags: one row per engine.

use super::{Section, cells};
use crate::results::standings::Standings;

/// Note above the table.
const NOTE: &str = "Lag: time charged for a turn minus the search time that the engine last reported \
                    in it (info … time), in ms.";

/// The table; `None` if no engine reported its time.
pub(super) fn section(standings: &Standings) -> Option<Section> {
    let mut lines = Vec::new();
    for (place, row) in standings.all.ranked().into_iter().enumerate() {
        if let Some(lag) = row.lags.report() {
            let mut line = vec![
                (place + 1).to_string(),
                row.name.clone(),
                lag.turns.to_string(),
            ];
            let times = [lag.median_us, lag.percentile_99_us, lag.worst_us];
            line.extend(times.map(|us| format!("{:.1}", us as f64 / 1000.0)));
            lines.push(line);
        }
    }
    (!lines.is_empty()).then(|| Section {
        title: "Lag, ms".to_owned(),
        notes: vec![NOTE.to_owned()],
        header: cells(["", "engine", "turns", "median", "99 %", "worst"]),
        rows: lines,
    })
}
