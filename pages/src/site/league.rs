//! A league on one page: who leads, by how much, against whom, and every game.

use gamelog::record::SideName;
use jiff::{SignedDuration, Timestamp};
use league::live::{Playing, Snapshot};
use league::results::standings::{Standings, Table};
use maud::{Markup, PreEscaped, html};

use super::games::{self, Filter};
use super::index::meter;
use super::ratings::{cross_table, overview, percent, ratings, wdl};
use super::verdict::verdict;
use super::{Answer, Page, Reader, Trouble, layout, live, sprt};
use crate::address::{escaped, path};
use crate::leagues::{League, Leagues, Row, read};
use crate::viewed;
use crate::words::Language;

/// The most engines whose two tables stand side by side.
const SIDE_BY_SIDE: usize = 7;

/// Which part of a league a page shows, and to whom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Choice {
    /// Name of the league.
    pub(crate) league: String,
    /// Id of the game; `None` for all.
    pub(crate) game: Option<String>,
    pub(crate) language: Language,
}

impl Choice {
    /// Whoever follows the page.
    pub(crate) fn reader(&self) -> Reader {
        Reader::in_language(self.language)
    }
}

/// The page of a league.
pub(crate) fn page(
    reader: &Reader,
    leagues: &Leagues,
    name: &str,
    filter: &Filter,
) -> Answer<Page> {
    let league = leagues.find(name).ok_or(Trouble::Missing)?;
    let league = read(&league);
    let choice = Choice {
        league: name.to_owned(),
        game: filter.game.clone(),
        language: reader.language,
    };
    let chosen = filter.game.as_deref().map(escaped);
    let chosen = chosen.map_or(String::new(), |game| format!("?game={game}"));
    let live = league.live();
    let boards = now_playing(reader, &league, live.as_ref());
    let content = html! {
        h1 { (heading(reader, &league)) }
        div data-events=[live.as_ref().map(|_| format!("/events/{}{chosen}", path(name)))] {
            div id="boards" { (boards) }
            (tabs(reader, &league.standings, filter))
            div id="tables" { (results(reader, &league, &choice)) }
        }
        @if review::file::path_of(league.path()).exists() {
            p { a.button href={ "/reviews/" (path(name)) } { (reader.say("Reviews of these games")) } }
        }
        (games::section(reader, &league, filter))
    };
    let scripts: &[&str] = if live.is_some() { &["live.js"] } else { &[] };
    Ok(layout(reader, heading(reader, &league), scripts, content))
}

/// What a league has come to: facts, faults and tables.
pub(crate) fn results(reader: &Reader, league: &League, choice: &Choice) -> Markup {
    let standings = &league.standings;
    let chosen = choice
        .game
        .as_ref()
        .and_then(|game| standings.by_game.get(game));
    let table = chosen.unwrap_or(&standings.all);
    html! {
        @if let Some(fault) = &league.fault { p.fault { (fault) } }
        (facts(reader, league, choice))
        // Games at the desk are no tournament: a person's three games rate nobody.
        @if !league.is_of_desk() {
            @if let Some(panel) = league.with_test(|test| sprt::panel(reader, test)) { (panel) }
            (verdict(reader, league, table, choice))
            @if standings.by_game.len() > 1 && chosen.is_none() { (overview(reader, standings)) }
            (tables(reader, table))
            (openings(reader, table))
        }
    }
}

/// The heading of a league.
pub(super) fn heading<'l>(reader: &'l Reader, league: &'l League) -> &'l str {
    if league.is_of_desk() {
        reader.say("Desk games")
    } else {
        &league.name
    }
}

/// The games that are being played, on small boards; nothing if the league does not run.
pub(crate) fn now_playing(reader: &Reader, league: &League, live: Option<&Snapshot>) -> Markup {
    let Some(snapshot) = live else {
        return html! {};
    };
    let (done, planned) = (league.games.len(), snapshot.planned.max(league.games.len()));
    html! {
        section.panel.live {
            h2 {
                span.pulse {} (reader.say("running")) " "
                span.quiet { (reader.tell("{0} of {1} games", &[html! { (done) }, html! { (planned) }])) }
            }
            (meter(Some(done as f64 / planned.max(1) as f64)))
            div.boards { @for game in &snapshot.games { (playing(&league.name, game)) } }
        }
    }
}

fn playing(league: &str, game: &Playing) -> Markup {
    let left = |side: SideName| {
        let turns = game.turns.iter().rev();
        let mut left = turns
            .filter(|turn| turn.side == side)
            .filter_map(|turn| turn.left_us);
        left.next().map(|us| clock(us / 1000))
    };
    let [first, second] = &game.engines;
    html! {
        a.small href={ "/live/" (live::place(league, game)) } {
            span.screen { (PreEscaped(viewed::end(game).unwrap_or_default())) }
            span.caption {
                span { (first) } span.number { @if let Some(left) = left(SideName::First) { (left) } }
                span { (second) } span.number { @if let Some(left) = left(SideName::Second) { (left) } }
            }
        }
    }
}

/// Milliseconds as on a clock.
fn clock(ms: u64) -> String {
    format!("{}:{:02}", ms / 60_000, ms / 1000 % 60)
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

/// One line about the games of a choice.
pub(crate) fn facts(reader: &Reader, league: &League, choice: &Choice) -> Markup {
    let standings = &league.standings;
    let game = choice.game.as_deref();
    let table = game.and_then(|game| standings.by_game.get(game));
    let table = table.unwrap_or(&standings.all);
    let rows = || rows(league, game);
    let repeated = rows().filter(|row| row.repeats.is_some()).count();
    html! {
        p.facts {
            (reader.count("1 game|{0} games", table.facts.games() as usize))
            @if !league.is_of_desk() {
                " · " (reader.count("1 engine|{0} engines", table.ranked().len()))
            }
            @if let Some(days) = days(rows()) { " · " (days) }
            @if !league.is_of_desk() { " · " (reader.say("first side")) " " (percent(table.facts.first)) }
            @if let Some(means) = means(table) { " · " (reader.tell("average {0} turns, {1} s", &means)) }
            @if repeated > 0 { " · " (reader.count("1 game repeats another|{0} games repeat another", repeated)) }
        }
        @if table.facts.forced_repeats() > 0 {
            p.notice { (reader.tell(
                "Engines that answer alike every time played {0} of {1} games again, move for move. Those count for the points, not in ratings and error bars.",
                &[html! { (table.facts.forced_repeats()) }, html! { (table.facts.games()) }],
            )) }
        }
        @if let Some(fault) = &league.fault { p.fault { (fault) } }
    }
}

/// The games of a league, or those of one game of it.
fn rows<'l>(league: &'l League, game: Option<&str>) -> impl Iterator<Item = &'l Row> {
    let all = league.games.iter();
    all.filter(move |row| game.is_none_or(|game| *game == *row.game))
}

/// Mean number of turns and seconds of a game.
fn means(table: &Table) -> Option<[Markup; 2]> {
    let games = f64::from(table.facts.games());
    (games > 0.0).then(|| {
        let turns = table.facts.turns as f64 / games;
        let seconds = table.facts.duration_ms as f64 / games / 1000.0;
        [format!("{turns:.0}"), format!("{seconds:.1}")].map(|number| html! { (number) })
    })
}

/// When games were played: days, and hours if it was one day.
fn days<'r>(rows: impl Iterator<Item = &'r Row>) -> Option<String> {
    let (first, last) = span(rows)?;
    let hour = |time: Timestamp| time.strftime("%H:%M").to_string();
    let day = day_of(first);
    Some(match (day == day_of(last), hour(first), hour(last)) {
        (true, from, to) if from == to => format!("{day} {from} UTC"),
        (true, from, to) => format!("{day} {from}–{to} UTC"),
        (false, ..) => format!("{day} – {}", day_of(last)),
    })
}

/// The day on which the last game of a league ended.
pub(super) fn last_day(league: &League) -> Option<String> {
    Some(day_of(span(league.games.iter())?.1))
}

fn day_of(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d").to_string()
}

/// When the first of these games began and the last one ended.
fn span<'r>(rows: impl Iterator<Item = &'r Row>) -> Option<(Timestamp, Timestamp)> {
    // Imported games may have no date.
    let known = rows.filter(|row| row.started != Timestamp::UNIX_EPOCH);
    known.fold(None, |span, row| {
        let length = SignedDuration::from_millis(row.duration_ms as i64);
        let end = row.started.saturating_add(length).unwrap_or(row.started);
        let (first, last) = span.unwrap_or((row.started, end));
        Some((row.started.min(first), end.max(last)))
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

/// The name of a game in English; its id if it is not known.
pub(crate) fn name_of(id: &str) -> &str {
    catalog::find(id).map_or(id, |rules| rules.name())
}

/// Why a game ended, in the reader's language. The word of the log for a flag that fell is also the
/// heading of the column of times.
pub(super) fn reason<'w>(reader: &Reader, word: &'w str) -> &'w str {
    reader.say(if word == "time" { "out of time" } else { word })
}
