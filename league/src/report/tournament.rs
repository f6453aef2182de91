//! Tables of a tournament.

use serde_json::{Value, json};

use super::format::{self, Format};
use super::{Section, cells, name_of, w_d_l};
use crate::config::{Config, Format as System, Meeting};
use crate::fixture::{Decider, Entrant};
use crate::tournament::{Bye, Ending, GroupTable, Met, Place, Survey};

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
        || (table.meetings.iter()).any(|met| met.decider.is_some() || met.ending.is_some())
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
    let mut header = cells([
        "rank",
        "engine",
        "points",
        unit,
        "W-D-L",
        "Buchholz",
        "Sonneborn-Berger",
        "",
    ]);
    let some_given = table.standing.places.iter().any(|place| place.given > 0);
    if some_given {
        header.insert(5, "without a game".to_owned());
    }
    let row = |(index, place): (usize, &Place)| {
        let mut row = vec![
            place.rank.to_string(),
            name(config, place.entrant).to_owned(),
            place.points.to_string(),
            place.tally.games().to_string(),
            w_d_l(place.tally),
            place.buchholz.to_string(),
            format!("{}", f64::from(place.sonneborn_berger) / 2.0),
            remark(config, table, index, place),
        ];
        if some_given {
            row.insert(5, place.given.to_string());
        }
        row
    };
    let state = if table.standing.complete {
        "finished"
    } else {
        "in progress"
    };
    Section {
        title,
        notes: vec![format!("{} engines, {state}", table.entrants.len())],
        header,
        rows: table.standing.places.iter().enumerate().map(row).collect(),
    }
}

fn remark(config: &Config, table: &GroupTable, index: usize, place: &Place) -> String {
    let mut words = Vec::new();
    let attendance = |entrant: Entrant| &config.engines[entrant].attendance;
    let own = attendance(place.entrant);
    // Those who have left make room for the next.
    let before = table.standing.places[..index].iter();
    let may_advance = |entrant: Entrant| attendance(entrant).may_advance(table.stage);
    let advancing = before.filter(|place| may_advance(place.entrant)).count();
    let advance = config.stages[table.stage].advance;
    let in_time = advance.is_some_and(|advance| advancing < advance as usize);
    if table.standing.complete && in_time && may_advance(place.entrant) {
        words.push("advances".to_owned());
    }
    if place.by_lot {
        words.push("by lot".to_owned());
    }
    if let Some(round) = own.from.filter(|_| table.stage == 0) {
        words.push(format!("from round {round}"));
    }
    match own.until.filter(|(stage, _)| *stage == table.stage) {
        Some((_, 0)) => words.push("left".to_owned()),
        Some((_, round)) => words.push(format!("left after round {round}")),
        None => {}
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
        let state = match met.ending {
            Some(ending) => ending_in_words(config, ending),
            None if met.complete => String::new(),
            None => "in progress".to_owned(),
        };
        vec![round, a, b, format!("{points_a} : {points_b}"), state]
    };
    let bye = |bye: &Bye| {
        let name = name(config, bye.entrant).to_owned();
        let games = f64::from(bye.points) / 2.0;
        let cells = ["–".to_owned(), format!("{games} : –"), "bye".to_owned()];
        [vec![bye.round.to_string(), name], cells.to_vec()].concat()
    };
    // A bye stands below the meetings of its round.
    let mut rows: Vec<(u32, Vec<String>)> = Vec::new();
    rows.extend(table.meetings.iter().map(|met| match met.decider {
        None => (met.round, row(met)),
        Some(_) => (u32::MAX, row(met)),
    }));
    rows.extend(table.byes.iter().map(|given| (given.round, bye(given))));
    rows.sort_by_key(|(round, _)| *round);
    Section {
        title,
        notes: Vec::new(),
        header: cells(["round", "engine", "engine", "games won", ""]),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    }
}

fn ending_in_words(config: &Config, ending: Ending) -> String {
    match ending {
        Ending::Walkover { winner, points } => {
            format!("walkover: {} points for {}", points, name(config, winner))
        }
        Ending::Unplayed => "both have left".to_owned(),
        Ending::Annulled => "does not count: one left before half of its games".to_owned(),
        Ending::Lot(winner) => format!("{} by lot", name(config, winner)),
    }
}

fn object(config: &Config, game: &str, table: &GroupTable) -> Value {
    let place = |place: &Place| {
        json!({
            "rank": place.rank,
            "engine": name(config, place.entrant),
            "points": place.points,
            "given": place.given,
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
            "ending": met.ending.map(|ending| match ending {
                Ending::Walkover { .. } => "walkover",
                Ending::Unplayed => "unplayed",
                Ending::Annulled => "annulled",
                Ending::Lot(_) => "lot",
            }),
            "winner": met.winner().map(|winner| name(config, winner)),
        })
    };
    let bye = |bye: &Bye| json!({"round": bye.round, "engine": name(config, bye.entrant), "points": bye.points});
    json!({
        "game": game,
        "stage": config.stages[table.stage].name,
        "group": table.group,
        "complete": table.standing.complete,
        "places": table.standing.places.iter().map(place).collect::<Vec<_>>(),
        "meetings": table.meetings.iter().map(meeting).collect::<Vec<_>>(),
        "byes": table.byes.iter().map(bye).collect::<Vec<_>>(),
    })
}
