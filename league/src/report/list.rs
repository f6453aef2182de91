//! Rating lists: one per game, the strongest engine first.

use std::collections::{BTreeSet, HashMap};

use base::plain::games_in_words;
use stats::rating::Ratings;
use stats::{Estimate, Figure};

use super::anchors;
use super::games::{apart, repeats};
use super::{Section, cells, name_of, percent, rating};
use crate::results::anchors::Anchor;
use crate::results::standings::{Row, Standings, Table, places};

/// Leagues or clocks in a note, at most.
const MOST_NAMED: usize = 5;

pub(super) fn sections(standings: &Standings, anchors: &[Anchor]) -> Vec<Section> {
    let games = standings.by_game.iter();
    games
        .map(|(id, table)| section(id, table, anchors))
        .collect()
}

fn section(id: &str, table: &Table, anchors: &[Anchor]) -> Section {
    let rows = table.ranked();
    let ratings = table.ratings(anchors);
    let order = order(&ratings);
    let places = places(&rows);
    let line = |(rank, &player): (usize, &usize)| {
        let row = rows[player];
        let total = row.total();
        let next = order.get(rank + 1);
        let [elo, error] = rating(ratings.players[player], anchors);
        let draws = f64::from(total.draws) / f64::from(total.games().max(1));
        vec![
            (rank + 1).to_string(),
            row.name.clone(),
            elo,
            error,
            percent(next.and_then(|&next| ratings.superiority(player, next))),
            total.games().to_string(),
            percent(total.sample().score()),
            percent(Some(draws)),
            row.against.len().to_string(),
            opposition(row, &places, &ratings).map_or("–".to_owned(), |mean| {
                rating(Some(mean), anchors)[0].clone()
            }),
        ]
    };
    let header = [
        "",
        "engine",
        "Elo",
        "±",
        "LOS",
        "games",
        "score",
        "draws",
        "opponents",
        "their Elo",
    ];
    Section {
        title: format!(
            "{}: {}, {}",
            name_of(id),
            engines_in_words(rows.len()),
            games_in_words(table.facts.games() as usize)
        ),
        notes: notes(table, &rows, &ratings, anchors),
        header: cells(header),
        rows: order.iter().enumerate().map(line).collect(),
    }
}

fn engines_in_words(count: usize) -> String {
    match count {
        1 => "1 engine".to_owned(),
        count => format!("{count} engines"),
    }
}

/// The engines, the strongest first: groups that beat others first, then by rating.
fn order(ratings: &Ratings) -> Vec<usize> {
    let value = |player: &usize| match ratings.players[*player] {
        Some(Figure::Estimate(found)) => found.value,
        Some(Figure::Above(bound) | Figure::Below(bound)) => bound,
        None => f64::NEG_INFINITY,
    };
    let mut order = Vec::new();
    for group in &ratings.groups {
        let mut group = group.clone();
        group.sort_by(|one, other| value(other).total_cmp(&value(one)));
        order.extend(group);
    }
    order
}

/// The mean rating of an engine's opponents, weighted by games, over those that have a finite one; `None`
/// if none has.
fn opposition(row: &Row, places: &HashMap<&str, usize>, ratings: &Ratings) -> Option<Figure> {
    let (mut sum, mut games) = (0.0, 0.0);
    for (name, played) in &row.against {
        let Some(rating) = ratings.players[places[&**name]].and_then(Figure::estimate) else {
            continue;
        };
        let weight = f64::from(played.total().games());
        sum += weight * rating.value;
        games += weight;
    }
    let value = sum / games;
    let mean = Estimate { value, error: 0.0 };
    (games > 0.0).then_some(Figure::Estimate(mean))
}

fn notes(table: &Table, rows: &[&Row], ratings: &Ratings, anchors: &[Anchor]) -> Vec<String> {
    let mut notes = Vec::new();
    let leagues: Vec<&str> = table.leagues.iter().map(String::as_str).collect();
    match leagues.len() {
        0 | 1 => {}
        count if count <= MOST_NAMED => notes.push(format!("Leagues: {}.", leagues.join(", "))),
        count => notes.push(format!("Leagues: {count}.")),
    }
    let clocks: BTreeSet<String> = rows.iter().flat_map(|row| row.clocks.words()).collect();
    let clocks: Vec<String> = clocks.into_iter().collect();
    match clocks.len() {
        0 => {}
        count if count <= MOST_NAMED => notes.push(format!("Clocks: {}.", clocks.join("; "))),
        count => notes.push(format!("Clocks: {count}.")),
    }
    notes.extend(anchors::notes(table, anchors));
    let several = |of: &dyn Fn(&Row) -> usize| {
        let names = rows.iter().filter(|row| of(row) > 1);
        let names: Vec<&str> = names.map(|row| &*row.name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    if let Some(names) = several(&|row| row.builds.len()) {
        notes.push(format!(
            "Rated as one engine, though their files changed: {names}. --builds tells the builds apart."
        ));
    }
    if let Some(names) = several(&|row| row.clocks.words().len()) {
        notes.push(format!("Rated over different clocks: {names}."));
    }
    notes.extend(repeats(&table.facts));
    notes.extend(apart(rows, ratings));
    notes
}
