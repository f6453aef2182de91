//! Standings as text.

use std::fmt::Write;

use comfy_table::{CellAlignment, LineStyle, TableStyle};

use crate::record::Reason;
use crate::standings::{Row, Standings, Table, Tally};

/// The reasons that count as faults, in the order of columns.
const FAULTS: [(Reason, &str); 5] = [
    (Reason::Time, "time"),
    (Reason::Illegal, "illegal"),
    (Reason::Crash, "crash"),
    (Reason::Disconnect, "disconnect"),
    (Reason::Stall, "stall"),
];

/// A cross table for each game, then the table over all of them.
pub fn standings(standings: &Standings) -> String {
    let mut text = String::new();
    for (id, table) in &standings.by_game {
        let name = catalog::find(id).map_or(id.as_str(), |game| game.name());
        let _ = writeln!(text, "{name}: {}\n{}\n", games(table.games), cross(table));
    }
    let _ = writeln!(
        text,
        "All games: {}\n{}",
        games(standings.all.games),
        overall(standings)
    );
    text.push_str("\nPoints: 2 a win, 1 a draw. W-D-L: wins, draws, losses.\n");
    text
}

/// The table over all games on one line: `pvs 20, mcts 14, random 2`.
pub fn summary(table: &Table) -> String {
    let row = |row: &Row| format!("{} {}", row.name, row.total().points());
    table.rows.iter().map(row).collect::<Vec<_>>().join(", ")
}

fn games(count: u32) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

fn w_d_l(tally: Tally) -> String {
    format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
}

/// The cross table of one game: points, results by side, results against every opponent.
fn cross(table: &Table) -> String {
    let fixed = ["", "engine", "points", "games", "as First", "as Second"].map(str::to_owned);
    let names = table.rows.iter().map(|row| row.name.clone());
    let header = fixed.into_iter().chain(names).collect();
    let rows = table.rows.iter().enumerate().map(|(index, row)| {
        let mut cells = start(index, row);
        cells.extend(row.by_side.map(w_d_l));
        for opponent in &table.rows {
            let played = row.against.get(&opponent.name);
            let none = if opponent.name == row.name { "·" } else { "" };
            cells.push(played.map_or(none.to_owned(), |&tally| w_d_l(tally)));
        }
        cells
    });
    render(header, rows.collect())
}

/// The table over all games: points in each, and what went wrong.
pub fn overall(standings: &Standings) -> String {
    let fixed = ["", "engine", "points", "games", "W-D-L"].map(str::to_owned);
    let faults: Vec<_> = FAULTS
        .into_iter()
        .filter(|(fault, _)| {
            standings
                .all
                .rows
                .iter()
                .any(|row| row.faults.contains_key(fault))
        })
        .collect();
    let header = fixed
        .into_iter()
        .chain(standings.by_game.keys().cloned())
        .chain(faults.iter().map(|(_, name)| format!("lost: {name}")))
        .collect();
    let rows = standings.all.rows.iter().enumerate().map(|(index, row)| {
        let mut cells = start(index, row);
        cells.push(w_d_l(row.total()));
        for table in standings.by_game.values() {
            let points = table.row(&row.name).map(|row| row.total().points());
            cells.push(points.map_or(String::new(), |points| points.to_string()));
        }
        for (fault, _) in &faults {
            cells.push(row.faults.get(fault).copied().unwrap_or(0).to_string());
        }
        cells
    });
    render(header, rows.collect())
}

/// The first cells of every row: rank, name, points, games.
fn start(index: usize, row: &Row) -> Vec<String> {
    let total = row.total();
    vec![
        (index + 1).to_string(),
        row.name.clone(),
        total.points().to_string(),
        total.games().to_string(),
    ]
}

/// Columns of text: names to the left, all else to the right.
pub(crate) fn render(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let mut table = comfy_table::Table::new();
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    table.load_style(style).set_header(header).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        if index != 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
        column.set_padding((if index == 0 { 2 } else { 0 }, 2));
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests;
