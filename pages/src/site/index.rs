//! The list of leagues.

use gamelog::record::GameResult;
use maud::{Markup, html};

use super::ratings::percent;
use super::verdict::State;
use super::{Page, Reader, layout};
use crate::address::path;
use crate::guard::LOGIN;
use crate::leagues::{All, League, Leagues, read};
use crate::site::league::{heading, last_day, name_of};

/// How many engines of a league the list shows.
const LEADERS: usize = 3;

/// The front page, and whether it is complete: logs may still be being read.
pub(crate) fn page(reader: &Reader, leagues: &Leagues) -> (Page, bool) {
    let All {
        read: mut all,
        unread,
    } = leagues.all();
    all.sort_by_cached_key(|league| {
        std::cmp::Reverse(read(league).games.iter().map(|row| row.started).max())
    });
    let content = html! {
        h1 { (reader.say("Leagues")) }
        @if all.is_empty() && unread.is_empty() {
            (nothing(reader, leagues))
        } @else {
            ul.leagues {
                @for league in &all { (card(reader, &read(league))) }
                @for name in &unread { (unread_card(reader, name)) }
            }
        }
        @if reader.may_act { (drop_zone(reader)) } @else {
            p.quiet { (reader.say("The operator can drop the file of a game here, to have it reviewed.")) " "
                a href=(LOGIN) { (reader.say("Enter a code")) } }
        }
    };
    (
        layout(reader, "referee", &["drop.js"], content),
        unread.is_empty(),
    )
}

/// Takes records of games; `drop.js` sends them.
fn drop_zone(reader: &Reader) -> Markup {
    html! {
        section.panel.drop {
            h2 { (reader.say("Review a record")) }
            label {
                (reader.say("Drop the file of a game here, in any format that is read, or choose one:")) " "
                input type="file";
            }
            div.said aria-live="polite" {}
        }
    }
}

fn unread_card(reader: &Reader, name: &str) -> Markup {
    html! {
        li { a.card href={ "/league/" (path(name)) } {
            h2 { (name) }
            p.facts { span.pulse {} (reader.say("The log is being read …")) }
        } }
    }
}

fn nothing(reader: &Reader, leagues: &Leagues) -> Markup {
    html! {
        div.empty {
            p { strong { (reader.say("No league yet")) } " · " code { (leagues.root().display()) } }
            p { (reader.say("Start one in a terminal:")) }
            pre { "referee league configs/six-games.toml" }
        }
    }
}

fn card(reader: &Reader, league: &League) -> Markup {
    let say = |text| reader.say(text);
    let engines = league.standings.all.ranked().len();
    html! {
        li { a.card href={ "/league/" (path(&league.name)) } {
            h2 { (heading(reader, league)) }
            p.facts {
                @let state = State::of(league);
                @if state == State::Running { span.pulse {} }
                @if let Some(word) = state.word() { strong { (say(word)) } " · " }
                (reader.count("1 game|{0} games", league.games.len()))
                @if !league.is_of_desk() { " · " (reader.count("1 engine|{0} engines", engines)) }
                @if let Some(day) = last_day(league) { " · " (day) }
            }
            @if league.is_of_desk() { (latest(league)) } @else { (leaders(league)) }
            p.games { @for game in league.standings.by_game.keys() { span.tag { (say(name_of(game))) } } }
            @if let Some(fault) = &league.fault { p.fault { (fault) } }
        } }
    }
}

/// The best engines of a league, and the names of the others.
fn leaders(league: &League) -> Markup {
    let ranked = league.standings.all.ranked();
    let others: Vec<&str> = ranked.iter().skip(LEADERS).map(|row| &*row.name).collect();
    html! {
        ol.leaders {
            @for row in ranked.iter().take(LEADERS) {
                li { span.name { (row.name) } (meter(row.total().sample().score())) span.number { (percent(row.total())) } }
            }
        }
        @if !others.is_empty() {
            p.others { "+" (others.len()) " " span.quiet { (others.join(", ")) } }
        }
    }
}

/// The last games at the desk.
fn latest(league: &League) -> Markup {
    html! {
        ul.leaders {
            @for row in league.games.iter().rev().take(LEADERS) {
                li.played {
                    span.name { (row.engines[0]) " – " (row.engines[1]) }
                    span.number { (result(row.result)) }
                }
            }
        }
    }
}

/// A result as in a table of a tournament.
fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::First => "1–0",
        GameResult::Second => "0–1",
        GameResult::Draw => "½–½",
        GameResult::Unfinished => "*",
    }
}

/// A share as a bar.
pub(super) fn meter(share: Option<f64>) -> Markup {
    let width = 100.0 * share.unwrap_or(0.0);
    html! {
        svg.meter viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" {
            rect.rail width="100" height="6" {}
            rect.fill width=(format!("{width:.1}")) height="6" {}
        }
    }
}
