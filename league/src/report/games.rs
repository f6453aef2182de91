//! Tables of engines: one per game, and one over all games.

use std::collections::BTreeMap;

use base::plain::games_in_words;
use gamelog::record::Reason;
use stats::rating::{Ratings, Zero};

use stats::sign::Decisive;

use super::{Section, cells, in_words, name_of, percent, rating, w_d_l};
use crate::results::anchors::Anchor;
use crate::results::standings::{Facts, Row, Standings, Table, Versus};

/// Reasons that are faults, in column order.
const FAULTS: [(Reason, &str); 5] = [
    (Reason::Time, "time"),
    (Reason::Illegal, "illegal"),
    (Reason::Crash, "crash"),
    (Reason::Disconnect, "disconnect"),
    (Reason::Stall, "stall"),
];

/// Maximum number of engines in a cross table, which has one column per engine.
const MAX_CROSS_TABLE: usize = 10;

pub(super) fn sections(standings: &Standings, anchors: &[Anchor]) -> Vec<Section> {
    let mut sections: Vec<Section> = (standings.by_game.iter())
        .flat_map(|(id, table)| {
            let title = format!(
                "{}: {}",
                name_of(id),
                games_in_words(table.facts.games() as usize)
            );
            [
                Some(engines(title, table, anchors, None)),
                cross(name_of(id), table),
            ]
        })
        .flatten()
        .collect();
    if standings.by_game.len() > 1 {
        let table = &standings.all;
        let title = format!(
            "All games: {}",
            games_in_words(table.facts.games() as usize)
        );
        sections.push(engines(title, table, anchors, Some(&standings.by_game)));
    }
    sections
}

/// The header and the rows of the table over all games, as shown while a league runs.
pub fn overall(standings: &Standings) -> (Vec<String>, Vec<Vec<String>>) {
    let by_game = (standings.by_game.len() > 1).then_some(&standings.by_game);
    let section = engines(String::new(), &standings.all, &[], by_game);
    (section.header, section.rows)
}

fn engines(
    title: String,
    table: &Table,
    anchors: &[Anchor],
    by_game: Option<&BTreeMap<String, Table>>,
) -> Section {
    let rows = table.ranked();
    let ratings = table.ratings(anchors);
    let faults: Vec<_> = (FAULTS.into_iter())
        .filter(|(fault, _)| rows.iter().any(|row| row.faults.contains_key(fault)))
        .collect();
    let mut header = cells([
        "",
        "engine",
        "Elo",
        "±",
        "LOS",
        "points",
        "games",
        "pairs",
        "score",
        "W-D-L",
        "as First",
        "as Second",
    ]);
    header.extend(by_game.into_iter().flat_map(BTreeMap::keys).cloned());
    header.extend(faults.iter().map(|(_, name)| format!("lost: {name}")));
    let cells = |(place, row): (usize, &&Row)| {
        let mut cells = start(place, row, &ratings, anchors);
        for table in by_game.into_iter().flat_map(BTreeMap::values) {
            let points = table.row(&row.name).map(|row| row.total().points());
            cells.push(points.map_or(String::new(), |points| points.to_string()));
        }
        for (fault, _) in &faults {
            cells.push(row.faults.get(fault).copied().unwrap_or(0).to_string());
        }
        cells
    };
    Section {
        title,
        notes: notes(table, &rows, &ratings, anchors),
        header,
        rows: rows.iter().enumerate().map(cells).collect(),
    }
}

/// The cells that every row has. LOS is against the next row.
fn start(place: usize, row: &Row, ratings: &Ratings, anchors: &[Anchor]) -> Vec<String> {
    let total = row.total();
    let [elo, error] = rating(ratings.players[place], anchors);
    let next = (place + 1 < ratings.players.len())
        .then(|| ratings.superiority(place, place + 1))
        .flatten();
    let mut cells = vec![
        (place + 1).to_string(),
        row.name.clone(),
        elo,
        error,
        percent(next),
        total.points().to_string(),
        total.games().to_string(),
        row.pairs().to_string(),
        percent(total.sample().score()),
        w_d_l(total),
    ];
    cells.extend(row.by_side.map(w_d_l));
    cells
}

/// The cross table: results of every engine against every other.
fn cross(name: &str, table: &Table) -> Option<Section> {
    let rows = table.ranked();
    if !(3..=MAX_CROSS_TABLE).contains(&rows.len()) {
        return None;
    }
    let mut header = cells(["", "engine"]);
    header.extend(rows.iter().map(|row| row.name.clone()));
    let cells = |(place, row): (usize, &&Row)| {
        let mut cells = vec![(place + 1).to_string(), row.name.clone()];
        for opponent in &rows {
            let played = row.against.get(&opponent.name);
            let none = if opponent.name == row.name { "·" } else { "" };
            cells.push(played.map_or(none.to_owned(), |versus| w_d_l(versus.total())));
        }
        cells
    };
    Some(Section {
        title: format!("{name}: cross table"),
        notes: Vec::new(),
        header,
        rows: rows.iter().enumerate().map(cells).collect(),
    })
}

/// Notes above the table: totals, and the groups whose ratings cannot be compared.
fn notes(table: &Table, rows: &[&Row], ratings: &Ratings, anchors: &[Anchor]) -> Vec<String> {
    let facts = &table.facts;
    let games = f64::from(facts.games().max(1));
    let advantage = ratings.advantage.map_or(String::new(), |advantage| {
        format!(", Elo {}", in_words(Some(advantage)))
    });
    let pairs = match facts.pairs.count() {
        0 => String::new(),
        1 => " Pairs with sides exchanged: 1, one observation.".to_owned(),
        pairs => format!(" Pairs with sides exchanged: {pairs}, each one observation."),
    };
    let mut notes: Vec<String> = by_sides(facts).into_iter().collect();
    notes.push(format!(
        "First side: {} of the points{advantage}. Draws: {}.",
        percent(facts.first.sample().score()),
        percent(Some(f64::from(facts.first.draws) / games)),
    ));
    notes.push(format!(
        "On average {:.1} turns, {:.1} s.{pairs}",
        facts.turns as f64 / games,
        facts.duration_ms as f64 / games / 1000.0,
    ));
    if let [one, other] = rows {
        notes.extend(
            one.against
                .get(&other.name)
                .and_then(|versus| tied(one, other, versus)),
        );
    }
    notes.extend(repeats(facts));
    notes.extend(super::anchors::notes(table, anchors));
    notes.extend(apart(rows, ratings));
    notes
}

/// The groups of engines whose ratings cannot be compared.
pub(super) fn apart(rows: &[&Row], ratings: &Ratings) -> Option<String> {
    if ratings.groups.len() < 2 {
        return None;
    }
    let group = |group: &Vec<usize>| {
        let names = group.iter().map(|&player| &*rows[player].name);
        joined(names, group.len(), ", ")
    };
    let groups = ratings.groups.iter().map(group);
    let groups = joined(groups, ratings.groups.len(), " | ");
    let zero = match ratings.zero {
        Zero::Anchors => "What no games connect with a given rating has none (–)".to_owned(),
        Zero::Group(number) => {
            let best = ratings.groups[number].iter().min();
            let name = best.map_or("", |&player| &*rows[player].name);
            format!(
                "Ratings are relative to the mean of their group, bounds (> and <) to that of the group \
                 of {name}"
            )
        }
        Zero::All => "Bounds (> and <) are relative to the mean of all".to_owned(),
    };
    Some(format!(
        "No difference between these groups is finite, because one won every game against the other or \
         they did not meet: {groups}. {zero}."
    ))
}

/// That sides rather than engines decided many pairs.
fn by_sides(facts: &Facts) -> Option<String> {
    let [first, second, all] = facts.decided_by_sides()?;
    Some(format!(
        "In {} of {all} pairs the same side won both games (First {first}, Second {second}): there the \
         side decided, not the engine.",
        first + second
    ))
}

/// The sign test, where most pairs tie.
pub(super) fn tied(row: &Row, opponent: &Row, versus: &Versus) -> Option<String> {
    let (decisive, all) = versus.mostly_tied()?;
    let Decisive { won, lost } = decisive;
    Some(format!(
        "{} of {all} pairs tie. Of the others {} won {won}, {} {lost}: exact sign test {}.",
        all - won - lost,
        row.name,
        opponent.name,
        decisive.in_words()
    ))
}

/// How many games repeat another, and how they count.
pub(super) fn repeats(facts: &Facts) -> Option<String> {
    let (games, distinct) = (facts.games(), facts.distinct);
    let note = format!("Distinct games: {distinct} of {games}.");
    match facts.forced_repeats() {
        _ if distinct == games => None,
        0 => Some(note),
        forced => Some(format!(
            "{note} Engines that answer alike every time repeat {}, which count for the points, and in \
             the error bars as the games that they repeat.",
            games_in_words(forced as usize)
        )),
    }
}

/// Maximum number of names or groups in a note.
const MOST_NAMED: usize = 12;

/// The first names of a list, and how many more there are.
fn joined(names: impl Iterator<Item = impl AsRef<str>>, count: usize, separator: &str) -> String {
    let mut text = String::new();
    for (index, name) in names.take(MOST_NAMED).enumerate() {
        text += if index > 0 { separator } else { "" };
        text += name.as_ref();
    }
    match count.saturating_sub(MOST_NAMED) {
        0 => text,
        more => format!("{text}{separator}{more} more"),
    }
}
