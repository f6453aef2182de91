//! A league on one page: who leads, by how much, against whom, and every game.

use std::collections::BTreeMap;

use jiff::Timestamp;
use maud::{Markup, html};
use referee_core::log::record::Reason;
use referee_core::results::standings::{Standings, Table};

use super::games::{self, Filter};
use super::ratings::{cross_table, overview, percent, ratings, wdl};
use super::{Answer, Page, Reader, Trouble, escaped, layout};
use crate::leagues::{League, Leagues, read};

/// The most engines whose two tables stand side by side.
const SIDE_BY_SIDE: usize = 7;

/// The page of a league.
pub(crate) fn page(
    reader: &Reader,
    leagues: &Leagues,
    name: &str,
    filter: &Filter,
) -> Answer<Page> {
    let league = leagues.find(name).ok_or(Trouble::Missing)?;
    let league = read(&league);
    let standings = &league.standings;
    let table = shown(standings, filter);
    let content = html! {
        h1 { (league.name) }
        (facts(reader, &league))
        (tabs(reader, standings, filter))
        (faults(reader, table))
        @if standings.by_game.len() > 1 && filter.game.is_none() { (overview(reader, standings)) }
        (tables(reader, table))
        (openings(reader, table))
        (games::section(reader, &league, filter))
    };
    Ok(layout(reader, &league.name, &[], content))
}

/// Ratings and cross table.
pub(crate) fn tables(reader: &Reader, table: &Table) -> Markup {
    html! {
        div.columns[table.ranked().len() <= SIDE_BY_SIDE] {
            section.panel { h2 { (reader.say("Ratings")) } (ratings(reader, table)) }
            section.panel { h2 { (reader.say("Cross table")) } (cross_table(reader, table)) }
        }
    }
}

/// The openings of a game, and which side they favour; nothing if all games began at the start.
pub(crate) fn openings(reader: &Reader, table: &Table) -> Markup {
    let say = |text| reader.say(text);
    html! {
        @if !table.openings.is_empty() {
            details.panel {
                summary { h2 { (say("Openings")) " " span.quiet { (table.openings.len()) } } }
                div.scroll tabindex="0" { table {
                    thead { tr {
                        th { (say("opening")) }
                        th.number { (say("games")) }
                        th.number { (say("first side")) }
                        th.number { (wdl(reader)) }
                    } }
                    tbody { @for (opening, facts) in &table.openings { tr {
                        td.code { (opening) }
                        td.number { (facts.games()) }
                        td.number { (percent(facts.first)) }
                        td.number.quiet { (facts.first.wins) "–" (facts.first.draws) "–" (facts.first.losses) }
                    } } }
                } }
            }
        }
    }
}

/// The table of the game that is chosen, or of all games.
fn shown<'s>(standings: &'s Standings, filter: &Filter) -> &'s Table {
    let chosen = standings
        .by_game
        .get(filter.game.as_deref().unwrap_or_default());
    chosen.unwrap_or(&standings.all)
}

/// One line about the league.
pub(crate) fn facts(reader: &Reader, league: &League) -> Markup {
    let say = |text| reader.say(text);
    let table = &league.standings.all;
    let ranked = table.ranked();
    html! {
        p.facts {
            (league.games.len()) " " (say("games")) " · " (ranked.len()) " " (say("engines"))
            @if let Some(days) = days(league) { " · " (days) }
            @if let Some(leader) = ranked.first() {
                " · " strong { (leader.name) } " " (say("leads")) ", " (percent(leader.total()))
            }
            " · " (say("first side")) " " (percent(table.facts.first))
            @if let Some((turns, seconds)) = means(table) {
                " · " (say("average")) " " (turns) " " (say("turns")) ", " (seconds) " s"
            }
        }
        @if let Some(fault) = &league.fault { p.fault { (fault) } }
    }
}

/// Mean number of turns and seconds of a game.
fn means(table: &Table) -> Option<(String, String)> {
    let games = f64::from(table.facts.games());
    (games > 0.0).then(|| {
        let seconds = table.facts.duration_ms as f64 / games / 1000.0;
        (
            format!("{:.0}", table.facts.turns as f64 / games),
            format!("{seconds:.1}"),
        )
    })
}

/// When the games of a league were played: days, and hours if it was one day.
pub(super) fn days(league: &League) -> Option<String> {
    let (first, last) = span(league)?;
    let hour = |time: Timestamp| time.strftime("%H:%M").to_string();
    let day = day_of(first);
    Some(match day == day_of(last) {
        true => format!("{day} {}–{} UTC", hour(first), hour(last)),
        false => format!("{day} – {}", day_of(last)),
    })
}

/// The day on which the last game of a league began.
pub(super) fn last_day(league: &League) -> Option<String> {
    Some(day_of(span(league)?.1))
}

fn day_of(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d").to_string()
}

/// When the first and the last game of a league began.
fn span(league: &League) -> Option<(Timestamp, Timestamp)> {
    // Imported games may have no date.
    let known = league.games.iter().map(|row| row.started);
    let known = known.filter(|&time| time != Timestamp::UNIX_EPOCH);
    known.fold(None, |span, time| {
        let (first, last) = span.unwrap_or((time, time));
        Some((time.min(first), time.max(last)))
    })
}

/// One link per game of a league of several games.
fn tabs(reader: &Reader, standings: &Standings, filter: &Filter) -> Markup {
    let chosen = filter.game.as_deref().unwrap_or_default();
    let tab = |id: &str, name: &str, count: u32| {
        let address = match id {
            "" => "?".to_owned(),
            id => format!("?game={}", escaped(id)),
        };
        let current = (id == chosen).then_some("page");
        html! { a href=(address) aria-current=[current] { (name) " " span.quiet { (count) } } }
    };
    html! {
        @if standings.by_game.len() > 1 {
            nav.tabs {
                (tab("", reader.say("All games"), standings.all.facts.games()))
                @for (id, table) in &standings.by_game {
                    (tab(id, reader.say(name_of(id)), table.facts.games()))
                }
            }
        }
    }
}

/// Games that engines have lost by faults of their programs: to be looked at first.
pub(crate) fn faults(reader: &Reader, table: &Table) -> Markup {
    let mut faults: BTreeMap<Reason, Vec<(&str, u32)>> = BTreeMap::new();
    for row in table.ranked() {
        for (&reason, &count) in &row.faults {
            faults.entry(reason).or_default().push((&row.name, count));
        }
    }
    html! {
        @if !faults.is_empty() {
            p.notice {
                strong { (reader.say("lost by a fault")) } ": "
                @for (index, (reason, engines)) in faults.iter().enumerate() {
                    @if index > 0 { " · " }
                    @let word = games::word(*reason);
                    @if reader.is_file { (reader.say(word)) } @else {
                        a href={ "?reason=" (word) "#games" } { (reader.say(word)) }
                    }
                    " "
                    @for (index, (name, count)) in engines.iter().enumerate() {
                        @if index > 0 { ", " }
                        (name) " " span.quiet { (count) }
                    }
                }
            }
        }
    }
}

/// The name of a game in English; its id if it is not known.
pub(crate) fn name_of(id: &str) -> &str {
    catalog::find(id).map_or(id, |rules| rules.name())
}
