//! The table of engines that played with several builds.

use super::{Section, cells};
use crate::results::standings::Standings;

/// Note above the table.
const NOTE: &str = "The files of these engines changed between games, so they are more than one \
                    engine each. standings --builds tells the builds apart.";

/// The table; `None` if every engine has one build, as far as is known.
pub(super) fn section(standings: &Standings) -> Option<Section> {
    let rows = standings.all.ranked();
    let lines: Vec<Vec<String>> = (rows.iter().enumerate())
        .filter(|(_, row)| row.builds.len() > 1)
        .map(|(place, row)| {
            let builds: Vec<&str> = row.builds.iter().map(String::as_str).collect();
            vec![(place + 1).to_string(), row.name.clone(), builds.join(", ")]
        })
        .collect();
    (!lines.is_empty()).then(|| Section {
        title: "Several builds".to_owned(),
        notes: vec![NOTE.to_owned()],
        header: cells(["", "engine", "builds"]),
        rows: lines,
    })
}
