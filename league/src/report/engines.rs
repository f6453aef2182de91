//! Tables of opponents: one per engine, over all games.

use std::collections::HashMap;

use base::plain::games_in_words;
use stats::rating::Ratings;

use super::games::tied;
use super::{Section, cells, percent, w_d_l, with_error};
use crate::results::anchors::Anchor;
use crate::results::standings::{Row, Standings, Versus, places};

pub(super) fn sections(standings: &Standings, anchors: &[Anchor]) -> Vec<Section> {
    let rows = standings.all.ranked();
    let ratings = standings.all.ratings(anchors);
    let places = places(&rows);
    let section = |(place, row): (usize, &&Row)| Section {
        title: format!(
            "{}: {}",
            row.name,
            games_in_words(row.total().games() as usize)
        ),
        notes: (rows.iter())
            .filter_map(|other| tied(row, other, row.against.get(&other.name)?))
            .collect(),
        header: cells([
            "",
            "opponent",
            "games",
            "pairs",
            "W-D-L",
            "as First",
            "as Second",
            "score",
            "Elo",
            "±",
            "nElo",
            "±",
            "LOS",
            "0-½-1-1½-2",
            "Elo, all games",
            "±",
            "LOS",
        ]),
        rows: opponents((place, row), &places, &ratings),
    };
    rows.iter().enumerate().map(section).collect()
}

fn opponents(
    (place, row): (usize, &Row),
    places: &HashMap<&str, usize>,
    ratings: &Ratings,
) -> Vec<Vec<String>> {
    let mut opponents: Vec<(usize, &String, &Versus)> = (row.against.iter())
        .map(|(name, versus)| (places[&**name], name, versus))
        .collect();
    opponents.sort_unstable_by_key(|&(other, ..)| other);
    let mut lines = Vec::new();
    for (other, name, versus) in opponents {
        let mut line = vec![(other + 1).to_string(), name.clone()];
        line.extend(direct(versus));
        line.extend(with_error(ratings.difference(place, other)));
        line.push(percent(ratings.superiority(place, other)));
        lines.push(line);
    }
    lines
}

/// The results and strength from the games of two engines only.
fn direct(versus: &Versus) -> Vec<String> {
    let total = versus.total();
    let strength = versus.results().strength();
    let mut cells = vec![
        total.games().to_string(),
        versus.pairs.count().to_string(),
        w_d_l(total),
    ];
    cells.extend(versus.by_side.map(w_d_l));
    cells.push(percent(total.sample().score()));
    cells.extend(with_error(strength.elo));
    cells.extend(with_error(strength.normalized_elo));
    cells.push(percent(Some(strength.superiority)));
    let counts = versus.pairs.by_points().0.map(|count| count.to_string());
    cells.push(counts.join("-"));
    cells
}
