//! Tables of a tournament.

use serde_json::{Value, json};

use super::format::{self, Format};
use super::{Section, cells, name_of, w_d_l};
use crate::config::{Config, Format as System, Meeting};
use crate::fixture::{Decider, Entrant};
use crate::tournament::{GroupTable, Met, Place, Survey};

/// The report of a tournament.
pub fn tournament(config: &Config, survey: &Survey, format: Format) -> String {
    let tables = (config.games.iter().zip(&survey.tables))
        .flat_map(|(game, tables)| tables.iter().map(move |table| (&*game.id, table)));
    if format == Format::Json {
        let tables: Vec<Value> = tables
            .map(|(game, table)| object(config, game, table))
            .collect();
        return format!("{:#}\n", Value::from(tables));
    }
    let sections: Vec<Section> = tables
        .flat_map(|(game, table)| sections(config, game, table))
        .collect();
    format::write_plain(&sections, format)
}

/// The ranking, and the meetings if they are worth listing.
fn sections(config: &Config, game: &str, table: &GroupTable) -> Vec<Section> {
    let title = title(config, game, table);
    let mut sections = vec![ranking(config, title.clone(), table)];
    if lists_meetings(config, table) {
        sections.push(meetings(config, format!("{title}: meetings"), table));
    }
    sections
}

/// Whether to list the meetings: those of a round robin are many, and the ranking shows the
/// results.
fn lists_meetings(config: &Config, table: &GroupTable) -> bool {
    let stage = &config.stages[table.stage];
    matches!(stage.format, System::Swiss | System::Knockout)
        || matches!(stage.meeting, Meeting::Wins(_))
        || table.meetings.iter().any(|met| met.decider.is_some())
}

/// `EinStein würfelt nicht!, groups 2`.
fn title(config: &Config, game: &str, table: &GroupTable) -> String {
    let stage = &config.stages[table.stage].name;
    let mut title = name_of(game).to_owned();
    match (stage.is_empty(), table.group) {
        (true, 0) => {}
        (false, 0) => title += &format!(", {stage}"),
        (_, group) => title += format!(", {stage} {group}").trim_end(),
    }
    title
}

fn name(config: &Config, entrant: Entrant) -> &str {
    &config.engines[entrant].name
}

fn ranking(config: &Config, title: String, table: &GroupTable) -> Section {
    let stage = &config.stages[table.stage];
    let unit = match stage.meeting {
        Meeting::Wins(_) => "series",
        _ => "games",
    };
    let header = [
        "rank",
        "engine",
        "points",
        unit,
        "W-D-L",
        "Buchholz",
        "Sonneborn-Berger",
        "",
    ];
    let row = |(index, place): (usize, &Place)| {
        vec![
            place.rank.to_string(),
            name(config, place.entrant).to_owned(),
            place.points.to_string(),
            place.tally.games().to_string(),
            w_d_l(place.tally),
            place.buchholz.to_string(),
            format!("{}", f64::from(place.sonneborn_berger) / 2.0),
            remark(table, stage.advance, index, place),
        ]
    };
    let state = if table.standing.complete {
        "finished"
    } else {
        "in progress"
    };
    Section {
        title,
        notes: vec![format!("{} engines, {state}", table.entrants.len())],
        header: cells(header),
        rows: table.standing.places.iter().enumerate().map(row).collect(),
    }
}

fn remark(table: &GroupTable, advance: Option<u32>, index: usize, place: &Place) -> String {
    let mut words = Vec::new();
    if table.standing.complete && advance.is_some_and(|advance| index < advance as usize) {
        words.push("advances");
    }
    if place.by_lot {
        words.push("by lot");
    }
    words.join(", ")
}

fn meetings(config: &Config, title: String, table: &GroupTable) -> Section {
    let row = |met: &Met| {
        let [a, b] = met.sides.map(|entrant| name(config, entrant).to_owned());
        let [points_a, points_b] = met.points().map(|points| f64::from(points) / 2.0);
        let round = match met.decider {
            None => met.round.to_string(),
            Some(decider) => decider.word().to_owned(),
        };
        let state = if met.complete { "" } else { "in progress" };
        vec![
            round,
            a,
            b,
            format!("{points_a} : {points_b}"),
            state.to_owned(),
        ]
    };
    Section {
        title,
        notes: Vec::new(),
        header: cells(["round", "engine", "engine", "games won", ""]),
        rows: table.meetings.iter().map(row).collect(),
    }
}

fn object(config: &Config, game: &str, table: &GroupTable) -> Value {
    let place = |place: &Place| {
        json!({
            "rank": place.rank,
            "engine": name(config, place.entrant),
            "points": place.points,
            "wins": place.tally.wins,
            "draws": place.tally.draws,
            "losses": place.tally.losses,
            "buchholz": place.buchholz,
            "sonneborn_berger": f64::from(place.sonneborn_berger) / 2.0,
            "by_lot": place.by_lot,
        })
    };
    let meeting = |met: &Met| {
        json!({
            "round": met.round,
            "decider": met.decider.map(Decider::word),
            "engines": met.sides.map(|entrant| name(config, entrant)),
            "points": met.points(),
            "complete": met.complete,
        })
    };
    json!({
        "game": game,
        "stage": config.stages[table.stage].name,
        "group": table.group,
        "complete": table.standing.complete,
        "places": table.standing.places.iter().map(place).collect::<Vec<_>>(),
        "meetings": table.meetings.iter().map(meeting).collect::<Vec<_>>(),
    })
}
