//! The games of a league, filtered.

use std::collections::BTreeSet;

use maud::{Markup, html};
use referee_core::log::record::GameResult;
use referee_core::results::replay::word;
use serde::Deserialize;

use super::league::name_of;
use super::{Reader, escaped, path};
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
    result: Option<String>,
    reason: Option<String>,
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
            && given(&self.result).is_none_or(|result| result == result_word(row.result))
            && given(&self.reason).is_none_or(|reason| reason == word(row.reason))
    }

    /// The address of another page of the same list.
    fn address(&self, page: usize) -> String {
        let parts = [
            ("game", &self.game),
            ("engine", &self.engine),
            ("opponent", &self.opponent),
            ("result", &self.result),
            ("reason", &self.reason),
        ];
        let mut address = String::from("?");
        for (name, value) in parts {
            if let Some(value) = given(value) {
                address.push_str(&format!("{name}={}&", escaped(value)));
            }
        }
        format!("{address}page={page}#games")
    }
}

/// The list of games with its filter.
pub(super) fn section(reader: &Reader, league: &League, filter: &Filter) -> Markup {
    let fitting: Vec<&Row> = league
        .games
        .iter()
        .rev()
        .filter(|row| filter.fits(row))
        .collect();
    let pages = fitting.len().div_ceil(PER_PAGE).max(1);
    let page = filter.page.unwrap_or(1).clamp(1, pages);
    let several = league.standings.by_game.len() > 1;
    html! {
        section.panel id="games" {
            h2 { (reader.say("Games")) " " span.quiet { (fitting.len()) } }
            (form(reader, league, filter))
            @if fitting.is_empty() {
                p.empty { (reader.say("No game fits.")) }
            } @else {
                @let shown = fitting.iter().copied().skip((page - 1) * PER_PAGE).take(PER_PAGE);
                @let address = |row: &Row| format!("/game/{}/{}", path(&league.name), escaped(&row.id));
                (table(reader, shown, several, address))
            }
            @if pages > 1 {
                nav.pages {
                    @if page > 1 { a rel="prev" href=(filter.address(page - 1)) { "← " (reader.say("previous")) } }
                    span { (page) " / " (pages) }
                    @if page < pages { a rel="next" href=(filter.address(page + 1)) { (reader.say("next")) " →" } }
                }
            }
        }
    }
}

/// A table of games, with the game played if there are `several`; `address` leads to a game.
pub(crate) fn table<'r>(
    reader: &Reader,
    rows: impl Iterator<Item = &'r Row>,
    several: bool,
    address: impl Fn(&Row) -> String,
) -> Markup {
    html! {
        div.scroll tabindex="0" { table.games {
            thead { (header(reader, several)) }
            tbody { @for row in rows { (line(reader, row, several, &address(row))) } }
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
            (choice(reader, "result", &results, given(&filter.result), |word| reader.say(in_words(word)).to_owned()))
            (choice(reader, "reason", &reasons, given(&filter.reason), |word| reader.say(word).to_owned()))
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
            span { (reader.say(name)) }
            select name=(name) {
                option value="" { (reader.say("any")) }
                @for value in values {
                    option value=(value) selected[chosen == Some(value)] { (text(value)) }
                }
            }
        }
    }
}

fn header(reader: &Reader, several: bool) -> Markup {
    let say = |text| reader.say(text);
    html! {
        tr {
            @if several { th { (say("game")) } }
            th { (say("First")) }
            th { (say("Second")) }
            th { (say("result")) }
            th { (say("reason")) }
            th.number { (say("turns")) }
            th.number { (say("time")) }
            th.number { (say("date")) }
        }
    }
}

fn line(reader: &Reader, row: &Row, several: bool, address: &str) -> Markup {
    let [first, second] = &row.engines;
    let won = |result| row.result == result;
    html! {
        tr data-id=[reader.is_file.then_some(&row.id)] {
            @if several { td { (reader.say(name_of(&row.game))) } }
            td { a.through href=(address) { @if won(GameResult::First) { strong { (first) } } @else { (first) } } }
            td { @if won(GameResult::Second) { strong { (second) } } @else { (second) } }
            td { (reader.say(in_words(result_word(row.result)))) }
            td.fault[row.reason.is_fault()] { (reader.say(word(row.reason))) }
            td.number { (row.plies) }
            td.number { (seconds(row.duration_ms)) }
            td.number.quiet { (row.started.strftime("%m-%d %H:%M").to_string()) }
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
    }
}

/// The result of the log's word in words.
fn in_words(word: &str) -> &'static str {
    match word {
        "first" => "First won",
        "second" => "Second won",
        _ => "draw",
    }
}
