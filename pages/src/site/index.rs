//! The list of leagues.

use maud::{Markup, html};

use super::ratings::percent;
use super::{Page, Reader, layout, path};
use crate::leagues::{All, League, Leagues, read};
use crate::site::league::{last_day, name_of};

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
    };
    (layout(reader, "referee", &[], content), unread.is_empty())
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
    let table = &league.standings.all;
    let ranked = table.ranked();
    html! {
        li { a.card href={ "/league/" (path(&league.name)) } {
            h2 { (league.name) }
            p.facts {
                @if league.live().is_some() { span.pulse {} strong { (say("running")) } " · " }
                (league.games.len()) " " (say("games")) " · " (ranked.len()) " " (say("engines"))
                @if let Some(day) = last_day(league) { " · " (day) }
            }
            ol.leaders {
                @for row in ranked.iter().take(LEADERS) {
                    li { span.name { (row.name) } (meter(row.total().sample().score())) span.number { (percent(row.total())) } }
                }
            }
            p.games { @for game in league.standings.by_game.keys() { span.tag { (say(name_of(game))) } } }
            @if let Some(fault) = &league.fault { p.fault { (fault) } }
        } }
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
