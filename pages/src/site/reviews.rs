//! The reviews of a league together: players by phase and opening, the worst turns on their boards, and
//! where two engines judged a position most differently.

use maud::{Markup, PreEscaped, html};
use review::league::{Difference, LeagueReview, OpeningSums, Worst};
use review::{Mark, PHASES, Sums};

use super::league::{heading, name_of};
use super::{Answer, Page, Reader, Trouble, layout};
use crate::address::{escaped, path};
use crate::leagues::{League, Leagues, read};
use crate::reviews::Reviews;
use crate::viewed;

/// How many openings the page shows.
const OPENINGS: usize = 10;

/// The page of the reviews of a league.
pub(crate) fn page(
    reader: &Reader,
    leagues: &Leagues,
    reviews: &Reviews,
    name: &str,
) -> Answer<Page> {
    let found = leagues.find(name).ok_or(Trouble::Missing)?;
    let together = reviews.league(&found).map_err(Trouble::Broken)?;
    let league = read(&found);
    let say = |text| reader.say(text);
    let title = format!("{} · {}", heading(reader, &league), say("Reviews"));
    let content = html! {
        h1 { (title) }
        p.facts {
            a href={ "/league/" (path(name)) } { (heading(reader, &league)) } " · "
            (reader.tell("{0} of {1} games are reviewed", &[html! { (together.reviewed) }, html! { (league.games.len()) }]))
        }
        @if together.reviewed == 0 {
            p { (say("Review them in a terminal:")) }
            pre { "referee review " (leagues.root().join(name).display()) }
        } @else {
            section.panel { h2 { (say("Players")) } (players(reader, &together)) }
            (openings(reader, &together))
            section.panel { h2 { (say("The worst turns")) } div.worst {
                @for turn in &together.worst { (worst(reader, &league, name, turn)) }
            } }
            (differences(reader, &together, name))
        }
    };
    Ok(layout(reader, &title, &[], content))
}

fn percent(chance: f64) -> String {
    format!("{:.1} %", 100.0 * chance)
}

fn players(reader: &Reader, together: &LeagueReview) -> Markup {
    let say = |text| reader.say(text);
    let row = |name: &str, sums: &Sums| {
        html! {
            tr {
                th scope="row" { (name) }
                td.number { (sums.turns) }
                td.number { (sums.accuracy.map_or("–".to_owned(), |accuracy| format!("{accuracy:.1} %"))) }
                td.number { (sums.known_loss().map_or("–".to_owned(), percent)) }
                @for loss in sums.phase_loss { td.number { (percent(loss)) } }
                @for mark in [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder] { td.number { (sums.count(mark)) } }
                td.number { (sums.missed_wins) }
            }
        }
    };
    html! {
        div.scroll tabindex="0" { table {
            thead { tr {
                th { (say("player")) } th.number { (say("turns")) } th.number { (say("accuracy")) }
                th.number { (say("mean loss")) }
                @for phase in PHASES { th.number { (say(phase)) } }
                th.number { (say("inaccuracies")) } th.number { (say("mistakes")) }
                th.number { (say("blunders")) } th.number { (say("missed wins")) }
            } }
            tbody { @for (name, sums) in &together.players { (row(name, sums)) } }
        } }
    }
}

/// The openings after which most was lost a turn, if there are several.
fn openings(reader: &Reader, together: &LeagueReview) -> Markup {
    let all = together.openings_by_loss();
    if all.len() < 2 {
        return html! {};
    }
    let row = |game: &str, opening: &str, sums: &OpeningSums| {
        let players = sums.players.iter();
        let players: Vec<String> = players
            .map(|(name, sums)| format!("{name} {}", percent(sums.mean_loss)))
            .collect();
        let opening = if opening.is_empty() {
            reader.say("Start")
        } else {
            opening
        };
        html! {
            tr {
                td { (reader.say(name_of(game))) }
                td.code { (opening.chars().take(40).collect::<String>()) }
                td.number { (sums.games) }
                td.number { (percent(sums.mean_loss())) }
                td { (players.join(" · ")) }
            }
        }
    };
    let say = |text| reader.say(text);
    html! {
        section.panel {
            h2 { (say("Openings with the largest losses")) }
            div.scroll tabindex="0" { table {
                thead { tr {
                    th { (say("game")) } th { (say("opening")) } th.number { (say("games")) }
                    th.number { (say("mean loss")) } th { (say("by player")) }
                } }
                tbody { @for (game, opening, sums) in all.into_iter().take(OPENINGS) { (row(game, opening, sums)) } }
            } }
        }
    }
}

/// A turn on the board before it, with what was better.
fn worst(reader: &Reader, league: &League, name: &str, turn: &Worst) -> Markup {
    let Worst {
        id,
        ply,
        player,
        text,
        lost,
        reason,
        better,
    } = turn;
    let row = league.row(id);
    let game = row.and_then(|row| league.game(row).ok());
    let board = game.and_then(|game| viewed::with_other_line(&game, *ply, better).ok());
    let parts: Vec<Markup> = reason.parts.iter().map(|part| html! { (part) }).collect();
    html! {
        a.small href={ "/game/" (path(name)) "/" (escaped(id)) "#" (ply) } {
            @if let Some(board) = board { (PreEscaped(board)) }
            span.caption-text {
                strong { (ply) ". " span.code { (text) } } " −" (percent(*lost)) br;
                (player) (reader.say(": ")) (reader.tell(reason.template, &parts))
                @if !better.is_empty() { " · " (reader.say("better:")) " " span.code { (better) } }
            }
        }
    }
}

fn differences(reader: &Reader, together: &LeagueReview, name: &str) -> Markup {
    let row = |difference: &Difference| {
        let Difference {
            id,
            ply,
            players: [player, next],
            chances,
        } = difference;
        let [own, other] = chances.map(percent);
        html! {
            tr {
                td { a href={ "/game/" (path(name)) "/" (escaped(id)) "#" (ply) } { (id) " · " (ply) } }
                td { (player) } td.number { (own) }
                td { (next) } td.number { (other) }
            }
        }
    };
    let say = |text| reader.say(text);
    html! {
        @if !together.differences.is_empty() {
            section.panel {
                h2 { (say("Where two engines judged a position most differently")) }
                p.quiet { (say("The chance of the player who moved, as each engine reported it.")) }
                div.scroll tabindex="0" { table {
                    thead { tr {
                        th { (say("game")) } th { (say("who moved")) } th.number { (say("own view")) }
                        th { (say("opponent")) } th.number { (say("opponent's view")) }
                    } }
                    tbody { @for difference in &together.differences { (row(difference)) } }
                } }
            }
        }
    }
}
