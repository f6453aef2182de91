//! The table of engines that computed while they were not to move: one row per engine.

use super::{Section, cells, percent};
use crate::results::standings::Standings;

/// Note above the table.
const NOTE: &str = "These engines used much CPU time while they were not to move, which slows an \
                    opponent on the same core. In the league file, pause_opponent stops them then, \
                    and idle_cpu charges them.";

/// The table; `None` if no engine did.
pub(super) fn section(standings: &Standings) -> Option<Section> {
    let seconds = |ms: u64| format!("{:.1}", ms as f64 / 1000.0);
    let mut lines = Vec::new();
    for (place, row) in standings.all.ranked().into_iter().enumerate() {
        if let Some(share) = row.cpu.idle_share() {
            lines.push(vec![
                (place + 1).to_string(),
                row.name.clone(),
                row.cpu.turns.to_string(),
                seconds(row.cpu.used_ms),
                seconds(row.cpu.turn_ms),
                seconds(row.cpu.waited_ms),
                seconds(row.cpu.idle_ms),
                percent(Some(share)),
            ]);
        }
    }
    (!lines.is_empty()).then(|| Section {
        title: "CPU time while not to move, s".to_owned(),
        notes: vec![NOTE.to_owned()],
        header: cells([
            "",
            "engine",
            "turns",
            "to move",
            "CPU time",
            "not to move",
            "CPU time",
            "share",
        ]),
        rows: lines,
    })
}
