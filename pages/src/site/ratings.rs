//! Ratings as a plot, and the cross table.

use engine_core::Side;
use league::results::standings::{Row, Standings, Table};
use league::results::tally::Tally;
use maud::{Markup, html};
use stats::Figure;

use super::Reader;
use super::league::name_of;
use crate::address::escaped;

/// Width of the plot, in its own units.
const WIDTH: f64 = 180.0;
/// Height of a row of the plot.
const HEIGHT: f64 = 20.0;

/// The scale of a plot of ratings.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    /// A scale with round numbers on which all figures lie with their bars.
    fn of(figures: &[Option<Figure>]) -> Scale {
        let (mut low, mut high) = (-50.0_f64, 50.0_f64);
        for figure in figures.iter().flatten() {
            let (from, to) = match *figure {
                Figure::Estimate(bar) => (bar.value - bar.error, bar.value + bar.error),
                Figure::Above(bound) | Figure::Below(bound) => (bound, bound),
            };
            low = low.min(from);
            high = high.max(to);
        }
        // A bar that says nothing must not flatten the others.
        (low, high) = (low.max(-2000.0), high.min(2000.0));
        let steps = [25.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
        let fits = |step: &f64| (high - low) / step <= 3.0;
        let step = steps.into_iter().find(fits).unwrap_or(2000.0);
        Scale {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            step,
        }
    }

    fn x(&self, elo: f64) -> f64 {
        let share = (elo - self.low) / (self.high - self.low);
        (WIDTH * share.clamp(0.0, 1.0) * 10.0).round() / 10.0
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        (0..=count).map(|tick| self.low + tick as f64 * self.step)
    }
}

/// The engines of a table, the best first, each with its rating and error bar.
pub(super) fn ratings(reader: &Reader, table: &Table) -> Markup {
    let say = |text| reader.say(text);
    let rows = table.ranked();
    let ratings = table.ratings(&[]);
    let scale = Scale::of(&ratings.players);
    html! {
        div.scroll tabindex="0" { table.ratings {
            caption { (say("rating with its 95 % error bar; points: 2 for a win, 1 for a draw")) }
            thead { tr {
                th.number { "" }
                th { (say("engine")) }
                th.number { "Elo" }
                th.plot { (axis(&scale)) }
                th.number { (say("points")) }
                th.number { (say("score")) }
                th.number { (wdl(reader)) }
            } }
            tbody {
                @for (place, row) in rows.iter().enumerate() {
                    @let total = row.total();
                    tr {
                        td.number.quiet { (place + 1) }
                        th scope="row" {
                            @if reader.is_file { (row.name) } @else {
                                a href={ "?engine=" (escaped(&row.name)) "#games" } { (row.name) }
                            }
                        }
                        td.number { (figure(reader, ratings.players[place])) }
                        td.plot { (bar(&scale, ratings.players[place])) }
                        td.number { (total.points()) }
                        td.number { (percent(total)) }
                        td.number.quiet { (total.wins) "–" (total.draws) "–" (total.losses) }
                    }
                }
            }
        } }
    }
}

/// The heading of a column of wins, draws and losses.
pub(super) fn wdl(reader: &Reader) -> Markup {
    let say = |text| reader.say(text);
    html! {
        abbr title={ (say("wins")) "–" (say("draws")) "–" (say("losses")) } { (say("W–D–L")) }
    }
}

/// What share of the points each engine has in each game.
pub(crate) fn overview(reader: &Reader, standings: &Standings) -> Markup {
    html! {
        section.panel {
            h2 { (reader.say("By game")) }
            div.scroll tabindex="0" { table.cross {
                caption { (reader.say("share of the points")) }
                thead { tr {
                    th { "" }
                    @for id in standings.by_game.keys() { th.number { (reader.say(name_of(id))) } }
                    th.number { (reader.say("All games")) }
                } }
                tbody { @for row in standings.all.ranked() { tr {
                    th scope="row" { (row.name) }
                    @for table in standings.by_game.values().chain([&standings.all]) {
                        (share(table.row(&row.name)))
                    }
                } } }
            } }
        }
    }
}

fn share(row: Option<&Row>) -> Markup {
    let total = row.map(Row::total).unwrap_or_default();
    html! {
        @match total.sample().score() {
            Some(score) => td.number.{ (shade(score)) } { span.cell { (percent(total)) } },
            None => td.number.none {},
        }
    }
}

/// The class of a cell with a share of the points.
fn shade(score: f64) -> String {
    format!("share{}", (score * 10.0).round())
}

/// A rating as text: a value with its error, or a bound.
fn figure(reader: &Reader, figure: Option<Figure>) -> Markup {
    html! {
        @match figure {
            Some(Figure::Estimate(bar)) => { (signed(bar.value, 0)) span.quiet { " ±" (format!("{:.0}", bar.error)) } },
            Some(vague) if vague.is_vague() => span.quiet { (reader.say("few games")) },
            Some(Figure::Above(bound)) => { "> " (signed(bound, 0)) },
            Some(Figure::Below(bound)) => { "< " (signed(bound, 0)) },
            None => "–",
        }
    }
}

/// A number with its sign, `−` as in print, to so many decimals; nought has none.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    match text.parse::<f64>() {
        Ok(0.0) => text[1..].to_owned(),
        _ => text.replace('-', "−"),
    }
}

fn axis(scale: &Scale) -> Markup {
    html! {
        svg.axis viewBox={ "0 0 " (WIDTH) " 14" } aria-hidden="true" {
            @for (tick, anchor) in [(scale.low, "start"), (0.0, "middle"), (scale.high, "end")] {
                text x=(scale.x(tick)) y="11" text-anchor=(anchor) { (signed(tick, 0)) }
            }
        }
    }
}

fn bar(scale: &Scale, figure: Option<Figure>) -> Markup {
    let middle = HEIGHT / 2.0;
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } aria-hidden="true" {
            @for tick in scale.ticks() {
                @let x = scale.x(tick);
                line.tick.zero[tick == 0.0] x1=(x) y1="0" x2=(x) y2=(HEIGHT) {}
            }
            @match figure {
                Some(Figure::Estimate(bar)) => {
                    @let (from, to) = (scale.x(bar.value - bar.error), scale.x(bar.value + bar.error));
                    line.bar x1=(from) y1=(middle) x2=(to) y2=(middle) {}
                    circle.dot cx=(scale.x(bar.value)) cy=(middle) r="4" {}
                },
                Some(Figure::Above(bound)) => (arrow(scale.x(bound), WIDTH - 2.0)),
                Some(Figure::Below(bound)) => (arrow(scale.x(bound), 2.0)),
                None => {},
            }
        }
    }
}

/// A bar without an end: from the bound to the edge.
fn arrow(from: f64, to: f64) -> Markup {
    let middle = HEIGHT / 2.0;
    let back = if to > from { to - 6.0 } else { to + 6.0 };
    let head = format!(
        "{back},{} {to},{middle} {back},{}",
        middle - 4.0,
        middle + 4.0
    );
    html! {
        line.bar.open x1=(from) y1=(middle) x2=(to) y2=(middle) {}
        line.bar x1=(from) y1=(middle - 4.0) x2=(from) y2=(middle + 4.0) {}
        polyline.bar points=(head) {}
    }
}

/// The share of the points, `–` without games.
pub(super) fn percent(tally: Tally) -> String {
    match tally.sample().score() {
        Some(score) => format!("{:.1} %", 100.0 * score),
        None => "–".to_owned(),
    }
}

/// Who scored what against whom.
pub(super) fn cross_table(reader: &Reader, table: &Table) -> Markup {
    let rows = table.ranked();
    html! {
        div.scroll tabindex="0" { table.cross {
            caption { (reader.say("row against column: points out of those possible, 2 for a win, 1 for a draw")) }
            thead { tr {
                th { "" }
                @for (place, row) in rows.iter().enumerate() {
                    th.number title=(row.name) { (place + 1) }
                }
            } }
            tbody {
                @for (place, row) in rows.iter().enumerate() {
                    tr {
                        th scope="row" { span.quiet { (place + 1) } " " (row.name) }
                        @for other in &rows { (cell(reader, row, other)) }
                    }
                }
            }
        } }
    }
}

fn cell(reader: &Reader, row: &Row, other: &Row) -> Markup {
    let Some(versus) = row.against.get(&other.name) else {
        let is_own = row.name == other.name;
        return html! { td.number.none.own[is_own] {} };
    };
    let total = versus.total();
    let score = total.sample().score().unwrap_or(0.5);
    let [first, second] = [Side::First, Side::Second].map(|side| versus.by_side[side.index()]);
    let sides = format!(
        "{} – {}: First {}–{}–{}, Second {}–{}–{}",
        row.name,
        other.name,
        first.wins,
        first.draws,
        first.losses,
        second.wins,
        second.draws,
        second.losses
    );
    let address = format!(
        "?engine={}&opponent={}#games",
        escaped(&row.name),
        escaped(&other.name)
    );
    let points = html! { (total.points()) span.quiet { "/" (2 * total.games()) } };
    html! {
        td.number.{ (shade(score)) } title=(sides) {
            @if reader.is_file { span.cell { (points) } } @else { a.cell href=(address) { (points) } }
        }
    }
}
