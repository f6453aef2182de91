//! The tables of what engines did in their turns: one per game.

use super::{Section, cells, name_of};
use crate::results::standings::{Row, Standings, Table};
use crate::results::work::MeanWork;

/// Note above the tables.
const NOTE: &str = "Means over turns: the time charged, and the depth and nodes that the engine reported \
                    last in a turn.";

pub(super) fn sections(standings: &Standings) -> Vec<Section> {
    let games = standings.by_game.iter();
    games.filter_map(|(id, table)| section(id, table)).collect()
}

/// The table of a game; `None` if nothing is known of any turn.
fn section(id: &str, table: &Table) -> Option<Section> {
    let rows = table.ranked();
    let lines: Vec<Vec<String>> = (rows.iter().enumerate())
        .filter_map(|(place, row)| Some(line(place, row, row.work.mean()?)))
        .collect();
    let is_known = |row: &Row| row.work.mean().is_some_and(|work| work.seconds > 0.0);
    let mut notes = vec![NOTE.to_owned()];
    notes.extend(odds(table));
    rows.iter().any(|row| is_known(row)).then(|| Section {
        title: format!("{}: searches", name_of(id)),
        notes,
        header: cells([
            "", "engine", "turns", "s", "depth", "nodes", "nodes/s", "clock",
        ]),
        rows: lines,
    })
}

fn line(place: usize, row: &Row, work: MeanWork) -> Vec<String> {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let clocks = row.clocks.words();
    vec![
        (place + 1).to_string(),
        row.name.clone(),
        work.turns.to_string(),
        format!("{:.3}", work.seconds),
        or_dash(work.depth.map(|depth| format!("{depth:.1}"))),
        or_dash(work.nodes.map(short)),
        or_dash(work.nodes_per_second.map(short)),
        or_dash((!clocks.is_empty()).then(|| clocks.join(" or "))),
    ]
}

/// That engines did not play on the same clocks.
fn odds(table: &Table) -> Option<String> {
    let (odds, games) = (table.odds, table.facts.games());
    (odds > 0).then(|| format!("Time odds: in {odds} of {games} games the two clocks differ."))
}

/// A number in four places at most: `950`, `12.3k`, `1.23M`.
fn short(number: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    // 999.5 and more would be rounded to four digits.
    let unit = units.into_iter().find(|(size, _)| number >= 0.9995 * size);
    let Some((size, unit)) = unit else {
        return format!("{number:.0}");
    };
    let share = number / size;
    let digits = match share {
        share if share < 9.995 => 2,
        share if share < 99.95 => 1,
        _ => 0,
    };
    format!("{share:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, expected) in [
            (0.0, "0"),
            (12.4, "12"),
            (999.4, "999"),
            (999.6, "1.00k"),
            (12_345.0, "12.3k"),
            (99_960.0, "100k"),
            (999_600.0, "1.00M"),
            (1_234_567.0, "1.23M"),
            (2.5e9, "2.50G"),
            (3e15, "3000T"),
        ] {
            assert_eq!(short(number), expected);
        }
    }
}
