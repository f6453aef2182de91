//! How engines use their time: over all turns, by the number of the turn, and the slowest turns.

use std::collections::BTreeMap;

use engine_core::Side;
use gamelog::record::{GameRecord, SideName};
use maud::{Markup, html};

use super::Reader;

/// Own turns of an engine that the plot shows.
const TURNS: usize = 120;

/// How many of the slowest turns are kept.
const SLOWEST: usize = 10;

/// The engines that the plot shows: it has as many colours.
const CURVES: usize = 6;

/// Use of time in some games.
#[derive(Default)]
pub(crate) struct Times {
    engines: BTreeMap<String, Use>,
    /// The slowest turns, the slowest first.
    slowest: Vec<Slow>,
}

/// Use of time by an engine.
#[derive(Default)]
struct Use {
    turns: u64,
    sum_us: u64,
    longest_us: u64,
    /// Number of turns and their time, by the number of the engine's own turn in its game.
    by_turn: Vec<(u64, u64)>,
    /// The least time that was left at the end of a game.
    least_left_us: Option<u64>,
}

/// A turn that took long.
struct Slow {
    used_us: u64,
    engine: String,
    id: String,
    /// Its number in the game, with those of the opening.
    ply: usize,
    text: String,
    left_us: Option<u64>,
}

impl Times {
    /// Adds the turns of a game; its opening has `opening` turns.
    pub(crate) fn add(&mut self, game: &GameRecord, opening: usize) {
        for (side, engine) in Side::BOTH.into_iter().zip([&game.first, &game.second]) {
            let times = self.engines.entry(engine.name.clone()).or_default();
            let own = game.turns.iter().filter(|turn| turn.side == side.into());
            for (number, turn) in own.filter(|turn| turn.used_us > 0).enumerate() {
                times.add(number, turn.used_us);
            }
            if let Some(left) = game.left_us() {
                let left = left[side.index()];
                times.least_left_us =
                    Some(times.least_left_us.map_or(left, |least| least.min(left)));
            }
        }
        for (index, turn) in game.turns.iter().enumerate() {
            let is_slow = self
                .slowest
                .last()
                .is_none_or(|slow| turn.used_us > slow.used_us);
            if turn.used_us == 0 || !is_slow && self.slowest.len() >= SLOWEST {
                continue;
            }
            let engine = match turn.side {
                SideName::First => &game.first,
                SideName::Second => &game.second,
            };
            self.slowest.push(Slow {
                used_us: turn.used_us,
                engine: engine.name.clone(),
                id: game.id.clone(),
                ply: opening + index + 1,
                text: turn.text.clone(),
                left_us: turn.left_us,
            });
            self.slowest
                .sort_by_key(|slow| std::cmp::Reverse(slow.used_us));
            self.slowest.truncate(SLOWEST);
        }
    }

    /// The sections of a report; nothing if no turn took time.
    pub(crate) fn sections(&self, reader: &Reader) -> Markup {
        let say = |text| reader.say(text);
        html! {
            @if !self.slowest.is_empty() {
                section.panel {
                    h2 { (say("Use of time")) }
                    (self.table(reader))
                    (self.plot(reader))
                }
                section.panel { h2 { (say("Slowest turns")) } (self.slowest_turns(reader)) }
            }
        }
    }

    fn table(&self, reader: &Reader) -> Markup {
        let say = |text| reader.say(text);
        html! {
            div.scroll tabindex="0" { table {
                thead { tr {
                    th { (say("engine")) }
                    th.number { (say("turns")) }
                    th.number { (say("average")) }
                    th.number { (say("longest")) }
                    th.number { (say("least left at the end")) }
                } }
                tbody {
                    @for (index, (name, times)) in self.engines.iter().enumerate() {
                        tr {
                            th scope="row" { @if index < CURVES { span.key.{ "curve" (index) } {} } (name) }
                            td.number { (times.turns) }
                            td.number { (seconds(times.sum_us / times.turns.max(1))) }
                            td.number { (seconds(times.longest_us)) }
                            td.number { @if let Some(left) = times.least_left_us { (seconds(left)) } @else { "–" } }
                        }
                    }
                }
            } }
        }
    }

    /// Mean time by the number of an engine's turn.
    fn plot(&self, reader: &Reader) -> Markup {
        let curves: Vec<Vec<f64>> = self.engines.values().take(CURVES).map(Use::means).collect();
        let turns = curves.iter().map(Vec::len).max().unwrap_or(0).max(2);
        let most = curves.iter().flatten().copied().fold(1.0, f64::max);
        let point = |(turn, mean): (usize, &f64)| {
            let x = 1000.0 * turn as f64 / (turns - 1) as f64;
            format!("{x:.1},{:.1}", 200.0 - 190.0 * mean / most)
        };
        html! {
            figure.means {
                svg viewBox="0 0 1000 200" preserveAspectRatio="none" aria-hidden="true" {
                    line.axis x1="0" x2="1000" y1="199.5" y2="199.5" {}
                    @for (index, curve) in curves.iter().enumerate() {
                        @let points: Vec<String> = curve.iter().enumerate().map(point).collect();
                        polyline.{ "curve" (index) } points=(points.join(" ")) {}
                    }
                }
                figcaption.legend {
                    (reader.say("mean time of an engine's turns, by their number")) ": 1–" (turns)
                    ", 0–" (seconds(most as u64))
                }
            }
        }
    }

    fn slowest_turns(&self, reader: &Reader) -> Markup {
        let say = |text| reader.say(text);
        html! {
            div.scroll tabindex="0" { table.games {
                thead { tr {
                    th.number { (say("time")) }
                    th { (say("engine")) }
                    th { (say("turn")) }
                    th.number { (say("left")) }
                    th { (say("game")) }
                } }
                tbody {
                    @for slow in &self.slowest {
                        tr {
                            td.number { (seconds(slow.used_us)) }
                            td { (slow.engine) }
                            td { span.quiet { (slow.ply) ". " } span.code { (slow.text) } }
                            td.number { @if let Some(left) = slow.left_us { (seconds(left)) } }
                            td { a.through href={ "#" (slow.id) } data-open=(slow.id) data-ply=(slow.ply) { (slow.id) } }
                        }
                    }
                }
            } }
        }
    }
}

impl Use {
    fn add(&mut self, number: usize, used_us: u64) {
        self.turns += 1;
        self.sum_us += used_us;
        self.longest_us = self.longest_us.max(used_us);
        if number < TURNS {
            if self.by_turn.len() <= number {
                self.by_turn.resize(number + 1, (0, 0));
            }
            let (turns, sum) = &mut self.by_turn[number];
            *turns += 1;
            *sum += used_us;
        }
    }

    /// Mean times, µs, while at least a tenth of the games last.
    fn means(&self) -> Vec<f64> {
        let games = self.by_turn.first().map_or(0, |&(turns, _)| turns);
        let common = self
            .by_turn
            .iter()
            .take_while(|&&(turns, _)| 10 * turns >= games);
        common
            .map(|&(turns, sum)| sum as f64 / turns as f64)
            .collect()
    }
}

/// A time with the digits that matter.
fn seconds(us: u64) -> String {
    let seconds = us as f64 / 1e6;
    match seconds {
        seconds if seconds < 0.1 => format!("{:.1} ms", 1000.0 * seconds),
        seconds if seconds < 10.0 => format!("{seconds:.2} s"),
        seconds => format!("{seconds:.0} s"),
    }
}
