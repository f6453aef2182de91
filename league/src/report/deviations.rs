//! The table of protocol deviations: one row per engine, one column per kind.

use std::collections::BTreeSet;

use super::{Section, cells};
use crate::results::standings::Standings;

/// Note above the table.
const NOTE: &str = "Protocol violations that the referee tolerated; they cost no game here. \
                    matches/README.md describes the kinds.";

/// The table; `None` if there were no deviations.
pub(super) fn section(standings: &Standings) -> Option<Section> {
    let rows = standings.all.ranked();
    let kinds: BTreeSet<_> = (rows.iter())
        .flat_map(|row| row.deviations.iter().map(|(kind, _)| kind))
        .collect();
    let mut header = cells(["", "engine"]);
    header.extend(kinds.iter().map(|kind| kind.words()));
    let lines = (rows.iter().enumerate())
        .filter(|(_, row)| !row.deviations.is_empty())
        .map(|(place, row)| {
            let counts = kinds.iter().map(|&kind| row.deviations.count(kind));
            let start = [(place + 1).to_string(), row.name.clone()];
            start
                .into_iter()
                .chain(counts.map(|count| count.to_string()))
                .collect()
        })
        .collect();
    (!kinds.is_empty()).then(|| Section {
        title: "Deviations from the protocol".to_owned(),
        notes: vec![NOTE.to_owned()],
        header,
        rows: lines,
    })
}
