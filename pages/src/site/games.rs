//! The games of a league, filtered and sorted.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use gamelog::record::GameResult;
use league::results::replay::word;
use maud::{Markup, html};
use serde::Deserialize;

use super::Reader;
use super::league::{name_of, reason};
use super::upsets::Upsets;
use crate::address::{escaped, path};
use crate::leagues::{League, Row};

/// Games on one page of the list.
const PER_PAGE: usize = 100;

/// Which games are shown: those that fit every part that is given.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Filter {
    /// Id of the game.
    pub(crate) game: Option<String>,
    engine: Option<String>,
    opponent: Option<String>,
    /// Name of the engine that lost.
    loser: Option<String>,
    result: Option<String>,
    reason: Option<String>,
    /// The column that the games are sorted by, after `-` from the largest; the last game first
    /// without one.
    sort: Option<String>,
    /// Page of the list, from 1.
    page: Option<usize>,
}

/// A part of the filter that is given and not empty.
fn given(part: &Option<String>) -> Option<&str> {
    part.as_deref().filter(|part| !part.is_empty())
}

impl Filter {
    fn fits(&self, row: &Row) -> bool {
        let plays = |name: &str| row.engines.iter().any(|engine| &**engine == name);
        given(&self.game).is_none_or(|game| *game == *row.game)
            && given(&self.engine).is_none_or(plays)
            && given(&self.opponent).is_none_or(plays)
            && given(&self.loser).is_none_or(|name| row.loser() == Some(name))
            && given(&self.result).is_none_or(|result| result == result_word(row.result))
            && given(&self.reason).is_none_or(|reason| reason == word(row.reason))
    }

    /// The column of the order, and whether the largest comes first.
    fn order(&self) -> Option<(Column, bool)> {
        let given = given(&self.sort)?;
        let name = given.strip_prefix('-').unwrap_or(given);
        let column = Column::ALL
            .into_iter()
            .find(|column| column.name() == name)?;
        Some((column, name != given))
    }

    /// The address of the same list with another order or page.
    fn address(&self, sort: Option<&str>, page: usize) -> String {
        let parts = [
            ("game", given(&self.game)),
            ("engine", given(&self.engine)),
            ("opponent", given(&self.opponent)),
            ("loser", given(&self.loser)),
            ("result", given(&self.result)),
            ("reason", given(&self.reason)),
            ("sort", sort),
        ];
        let mut address = String::from("?");
        for (name, value) in parts {
            if let Some(value) = value {
                address.push_str(&format!("{name}={}&", escaped(value)));
            }
        }
        format!("{address}page={page}#games")
    }
}

/// A column of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Game,
    First,
    Second,
    Result,
    Reason,
    Turns,
    Time,
    Date,
}

impl Column {
    const ALL: [Column; 8] = [
        Column::Game,
        Column::First,
        Column::Second,
        Column::Result,
        Column::Reason,
        Column::Turns,
        Column::Time,
        Column::Date,
    ];

    /// Its name in addresses and, in English, its heading.
    fn name(self) -> &'static str {
        match self {
            Column::Game => "game",
            Column::First => "First",
            Column::Second => "Second",
            Column::Result => "result",
            Column::Reason => "reason",
            Column::Turns => "turns",
            Column::Time => "time",
            Column::Date => "date",
        }
    }

    /// Whether it has numbers, of which the largest are looked for first.
    fn is_number(self) -> bool {
        matches!(self, Column::Turns | Column::Time | Column::Date)
    }

    /// The order of two games by this column.
    fn compare(self, one: &Row, other: &Row) -> Ordering {
        match self {
            Column::Game => one.game.cmp(&other.game),
            Column::First => one.engines[0].cmp(&other.engines[0]),
            Column::Second => one.engines[1].cmp(&other.engines[1]),
            Column::Result => result_word(one.result).cmp(result_word(other.result)),
            Column::Reason => word(one.reason).cmp(word(other.reason)),
            Column::Turns => one.plies.cmp(&other.plies),
            Column::Time => one.duration_ms.cmp(&other.duration_ms),
            Column::Date => one.started.cmp(&other.started),
        }
    }
}

/// The list of games with its filter.
pub(super) fn section(reader: &Reader, league: &League, filter: &Filter) -> Markup {
    let all = league.games.iter().rev();
    let mut fitting: Vec<&Row> = all.filter(|row| filter.fits(row)).collect();
    if let Some((column, is_falling)) = filter.order() {
        fitting.sort_by(|one, other| {
            if is_falling {
                column.compare(other, one)
            } else {
                column.compare(one, other)
            }
        });
    }
    let pages = fitting.len().div_ceil(PER_PAGE).max(1);
    let page = filter.page.unwrap_or(1).clamp(1, pages);
    let shown = (fitting.iter().copied())
        .skip((page - 1) * PER_PAGE)
        .take(PER_PAGE);
    let sort = given(&filter.sort);
    html! {
        section.panel id="games" {
            h2 { (reader.say("Games")) " " span.quiet { (fitting.len()) } }
            (form(reader, league, filter))
            @if fitting.is_empty() {
                p.empty { (reader.say("No game fits.")) }
            } @else {
                @let address = |row: &Row| format!("/game/{}/{}", path(&league.name), escaped(&row.id));
                (table(reader, league, shown, Some(filter), address))
            }
            @if pages > 1 {
                nav.pages {
                    @if page > 1 { a rel="prev" href=(filter.address(sort, page - 1)) { "← " (reader.say("previous")) } }
                    span { (page) " / " (pages) }
                    @if page < pages { a rel="next" href=(filter.address(sort, page + 1)) { (reader.say("next")) " →" } }
                }
            }
        }
    }
}

/// A table of games of a league; `address` leads to a game. The headings are links to other orders
/// of the list with this filter; without one, buttons for the script of a report.
pub(crate) fn table<'r>(
    reader: &Reader,
    league: &League,
    rows: impl Iterator<Item = &'r Row>,
    filter: Option<&Filter>,
    address: impl Fn(&Row) -> String,
) -> Markup {
    let several = league.standings.by_game.len() > 1;
    let mut upsets = Upsets::of(league);
    html! {
        div.scroll tabindex="0" { table.games {
            thead { (header(reader, several, filter)) }
            tbody { @for row in rows {
                @let is_upset = upsets.has(row);
                (line(reader, row, several, is_upset, &address(row)))
            } }
        } }
    }
}

/// The players above a replay, to be filled by its script.
pub(crate) fn replay_head(reader: &Reader) -> Markup {
    html! {
        div.players {
            div.first { div.name {} div.quiet { (reader.say("First")) } div.clock {} }
            div.result {}
            div.second { div.name {} div.quiet { (reader.say("Second")) } div.clock {} }
        }
    }
}

fn form(reader: &Reader, league: &League, filter: &Filter) -> Markup {
    let engines: Vec<String> = (league.standings.all.ranked().iter())
        .map(|row| row.name.clone())
        .collect();
    let reasons: BTreeSet<&str> = league.games.iter().map(|row| word(row.reason)).collect();
    let games: Vec<&str> = league
        .standings
        .by_game
        .keys()
        .map(String::as_str)
        .collect();
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    let results = [GameResult::First, GameResult::Second, GameResult::Draw].map(result_word);
    let reasons: Vec<&str> = reasons.into_iter().collect();
    html! {
        form.filter method="get" action="#games" {
            @if games.len() > 1 {
                (choice(reader, "game", &games, given(&filter.game), |id| reader.say(name_of(id)).to_owned()))
            }
            (choice(reader, "engine", &engines, given(&filter.engine), str::to_owned))
            (choice(reader, "opponent", &engines, given(&filter.opponent), str::to_owned))
            (choice(reader, "loser", &engines, given(&filter.loser), str::to_owned))
            (choice(reader, "result", &results, given(&filter.result), |word| reader.say(in_words(word)).to_owned()))
            (choice(reader, "reason", &reasons, given(&filter.reason), |word| reason(reader, word).to_owned()))
            @if let Some(sort) = given(&filter.sort) { input type="hidden" name="sort" value=(sort); }
            button type="submit" { (reader.say("Show")) }
        }
    }
}

fn choice(
    reader: &Reader,
    name: &str,
    values: &[&str],
    chosen: Option<&str>,
    text: impl Fn(&str) -> String,
) -> Markup {
    html! {
        label {
            span { (reader.say(if name == "loser" { "lost by" } else { name })) }
            select name=(name) {
                option value="" { (reader.say("any")) }
                @for value in values {
                    option value=(value) selected[chosen == Some(value)] { (text(value)) }
                }
            }
        }
    }
}

fn header(reader: &Reader, several: bool, filter: Option<&Filter>) -> Markup {
    let order = filter.and_then(Filter::order);
    html! {
        tr { @for column in Column::ALL { @if several || column != Column::Game {
            @let falling = order.filter(|&(by, _)| by == column).map(|(_, is_falling)| is_falling);
            @let sorted = falling.map(|is_falling| if is_falling { "descending" } else { "ascending" });
            th.number[column.is_number()] aria-sort=[sorted] { (heading(reader, column, falling, filter)) }
        } } }
    }
}

/// What sorts by a column, or turns its order round.
fn heading(
    reader: &Reader,
    column: Column,
    falling: Option<bool>,
    filter: Option<&Filter>,
) -> Markup {
    let text = reader.say(column.name());
    let Some(filter) = filter else {
        return html! { button.sort type="button" { (text) } };
    };
    let falls = falling.map_or(column.is_number(), |is_falling| !is_falling);
    let sort = format!("{}{}", if falls { "-" } else { "" }, column.name());
    html! { a.sort href=(filter.address(Some(&sort), 1)) { (text) } }
}

fn line(reader: &Reader, row: &Row, several: bool, is_upset: bool, address: &str) -> Markup {
    let [first, second] = &row.engines;
    let won = |result| row.result == result;
    // What a report sorts by where the text does not tell.
    let order = |number: i64| reader.is_file.then_some(number);
    html! {
        tr data-id=[reader.is_file.then_some(&row.id)] {
            @if several { td.kind { (reader.say(name_of(&row.game))) } }
            td.first { a.through href=(address) { @if won(GameResult::First) { strong { (first) } } @else { (first) } } }
            td.second { @if won(GameResult::Second) { strong { (second) } } @else { (second) } }
            td.result {
                span { (reader.say(in_words(result_word(row.result)))) }
                @if is_upset { " " span.tag.upset title=(reader.say("The winner is rated below the loser.")) { (reader.say("upset")) } }
            }
            td.reason {
                span.fault[row.reason.is_fault()] { (reason(reader, word(row.reason))) }
                @if let Some(id) = &row.repeats {
                    " " span.tag title={ (reader.say("The same turns as")) " " (id) } { (reader.say("repeat")) }
                }
            }
            td.number.turns data-order=[order(row.plies.into())] { (row.plies) }
            td.number.time data-order=[order(row.duration_ms as i64)] { (seconds(row.duration_ms)) }
            td.number.quiet.date data-order=[order(row.started.as_second())] { (row.started.strftime("%m-%d %H:%M").to_string()) }
        }
    }
}

fn seconds(ms: u64) -> String {
    let seconds = ms as f64 / 1000.0;
    match seconds {
        seconds if seconds < 100.0 => format!("{seconds:.1} s"),
        seconds => format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60),
    }
}

/// A result as the log writes it.
fn result_word(result: GameResult) -> &'static str {
    match result {
        GameResult::First => "first",
        GameResult::Second => "second",
        GameResult::Draw => "draw",
        GameResult::Unfinished => "unfinished",
    }
}

/// The result of the log's word in words.
fn in_words(word: &str) -> &'static str {
    match word {
        "first" => "First won",
        "second" => "Second won",
        "unfinished" => "no result",
        _ => "draw",
    }
}
