//! Tables of openings: one per game.

use super::{Section, cells, name_of, percent, w_d_l, with_error};
use crate::results::standings::{Facts, Standings};

pub(super) fn sections(standings: &Standings) -> Vec<Section> {
    let section = |(id, openings): (&String, Vec<(&String, &Facts)>)| Section {
        title: format!("{}: {} openings", name_of(id), openings.len()),
        notes: Vec::new(),
        header: cells([
            "",
            "opening",
            "games",
            "pairs",
            "First's W-D-L",
            "First's score",
            "First's Elo",
            "±",
            "turns",
        ]),
        rows: openings.into_iter().enumerate().map(line).collect(),
    };
    (standings.by_game.iter())
        .map(|(id, table)| (id, table.openings.iter().collect::<Vec<_>>()))
        .filter(|(_, openings)| !openings.is_empty())
        .map(section)
        .collect()
}

fn line((place, (opening, facts)): (usize, (&String, &Facts))) -> Vec<String> {
    let mut cells = vec![
        (place + 1).to_string(),
        opening.clone(),
        facts.games().to_string(),
        facts.pairs.count().to_string(),
        w_d_l(facts.first),
        percent(facts.first.sample().score()),
    ];
    cells.extend(with_error(facts.results().elo()));
    cells.push(format!(
        "{:.1}",
        facts.turns as f64 / f64::from(facts.games())
    ));
    cells
}
