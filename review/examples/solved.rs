//! Checks the marks of reviews on positions that an exact solver decides: how many of the blunders and
//! missed wins are any, how many were overlooked, and whether perfect play is marked.
//!
//! ```text
//! cargo run --release -p review --example solved -- [--games 100] [--time-ms 1000 | --nodes N]
//!     [--engine best] [--only hex] [--perfect]
//! ```
//!
//! The positions are endings of Dots and Boxes on 5×5 boxes and of EinStein, and Hex on 4×4. In each
//! game turns are played to its end, half of them the best, half at random; with `--perfect` all are the
//! best. A mark is right if the exact chance to win fell by as much as the mark says; it is unjust if the
//! turn lost nothing.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Mutex;

use engine_core::{Rng, Side, StopFlag};
use game::turn::turn_is_over;
use game::{Engine, start};
use gamelog::record::{GameRecord, GameResult, Reason, TurnRecord, sample};
use rayon::prelude::*;
use review::{Course, Mark, Plan, Review, Searched, Thresholds, search};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = Wanted::of(std::env::args().skip(1))?;
    println!(
        "game             turns  marked  right    share  overlooked  unjust  error where proven"
    );
    wanted.check::<dots_and_boxes::DotsAndBoxes>(&json!({}), 45)?;
    wanted.check::<einstein::Einstein>(&json!({}), 0)?;
    wanted.check::<hex::Hex>(&json!({ "size": 4, "opening": "free" }), 3)?;
    Ok(())
}

/// What the command line asks for.
struct Wanted {
    games: u64,
    plan: Plan,
    only: Option<String>,
    perfect: bool,
}

impl Wanted {
    fn of(mut words: impl Iterator<Item = String>) -> Result<Wanted, Box<dyn Error>> {
        let mut wanted = Wanted {
            games: 100,
            plan: Plan::default(),
            only: None,
            perfect: false,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match &*word {
                "--games" => wanted.games = value()?.parse()?,
                "--time-ms" => wanted.plan.move_time = Some(value()?.parse()?),
                "--nodes" => {
                    wanted.plan.nodes = Some(value()?.parse()?);
                    wanted.plan.move_time = None;
                }
                "--engine" => wanted.plan.engine = value()?,
                "--only" => wanted.only = Some(value()?),
                "--perfect" => wanted.perfect = true,
                _ => return Err(format!("unknown {word}").into()),
            }
        }
        Ok(wanted)
    }

    /// Reviews games of a variant that begin after so many random turns, and writes a line of the table.
    fn check<G: Engine>(&self, variant: &Value, skipped: usize) -> Result<(), Box<dyn Error>> {
        if self.only.as_ref().is_some_and(|only| only != G::ID) {
            return Ok(());
        }
        let start = start::<G>(variant)?;
        let all = Mutex::new(Count::default());
        let games = (0..self.games).into_par_iter();
        let checked: Result<(), String> = games
            .map(|seed| {
                let count = self.game(&start, variant, skipped, seed)?;
                let mut all = all.lock().map_err(|error| error.to_string())?;
                all.add(&count);
                Ok(())
            })
            .collect();
        checked?;
        let count = all.into_inner()?;
        println!(
            "{:15}  {:5}  {:6}  {:5}  {:6.1}%  {:10}  {:6}  {:.4}",
            G::ID,
            count.turns,
            count.marked,
            count.right,
            100.0 * count.right as f64 / count.marked.max(1) as f64,
            count.overlooked,
            count.unjust,
            count.error
        );
        Ok(())
    }

    fn game<G: Engine>(
        &self,
        start: &G,
        variant: &Value,
        skipped: usize,
        seed: u64,
    ) -> Result<Count, String> {
        let mut rng = Rng::new(seed + 1);
        let begun = begin(start, skipped, &mut rng);
        let mut solver = Solver(HashMap::new());
        let mut record = record::<G>(variant);
        record.opening = format!("fen {}", begun.write_position());
        let (mut position, mut exact) = (begun, Vec::new());
        while position.outcome().is_none() {
            exact.push(solver.value(&position));
            let side = position.side();
            let best = self.perfect || rng.below(2) == 0;
            let text = solver.turn(&mut position, best, &mut rng);
            record.turns.push(TurnRecord {
                side: side.into(),
                ..sample::turn(&text)
            });
        }
        exact.push(solver.value(&position));
        let course = Course::of(&record)?;
        let stop = StopFlag::default();
        let found = search(&course, &self.plan, Searched::default(), &stop, &|_, _| {})?;
        Ok(Count::of(&Review::new(course, found), &exact))
    }
}

/// A record without turns.
fn record<G: Engine>(variant: &Value) -> GameRecord {
    let (result, reason) = (GameResult::Unfinished, Reason::Unfinished);
    let mut record = sample::game(G::ID, "one", "other", result, reason);
    record.variant = variant.clone();
    record.turns.clear();
    record
}

/// A position to begin at. Dots and Boxes and Hex: after random turns. EinStein: three stones each, on
/// random squares, before a roll.
fn begin<G: Engine>(start: &G, skipped: usize, rng: &mut Rng) -> G {
    loop {
        let begun = if G::HAS_CHANCE {
            start.parse_position(&few_stones(rng)).ok()
        } else {
            after_random_actions(start, skipped, rng)
        };
        if let Some(begun) = begun.filter(|begun| begun.outcome().is_none() && !begun.mid_turn()) {
            return begun;
        }
    }
}

fn after_random_actions<G: Engine>(start: &G, count: usize, rng: &mut Rng) -> Option<G> {
    let mut position = start.clone();
    for _ in 0..count {
        position.outcome().is_none().then_some(())?;
        let legal = position.legal_moves();
        position.play(legal[rng.below(legal.len() as u32) as usize]);
    }
    Some(position)
}

/// A position of EinStein as text. Some are none: two stones on one square.
fn few_stones(rng: &mut Rng) -> String {
    let mut army = || {
        let mut stones = ["-"; 6].map(str::to_owned);
        for _ in 0..3 {
            let column = char::from(b'a' + rng.below(5) as u8);
            stones[rng.below(6) as usize] = format!("{column}{}", 1 + rng.below(5));
        }
        stones.join(",")
    };
    format!("R:{} B:{} R roll", army(), army())
}

/// The exact chances of `First`, by the keys of positions, which have all that a result depends on.
struct Solver(HashMap<u64, f64>);

impl Solver {
    /// The chance of `First` if both sides play best.
    fn value<G: Engine>(&mut self, position: &G) -> f64 {
        if let Some(outcome) = position.outcome() {
            return outcome.points_of_first().into();
        }
        let key = position.key();
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let value = if position.is_chance() {
            let mut rolls = Vec::new();
            position.rolls(&mut rolls);
            let after = rolls.into_iter().map(|(face, weight)| {
                let mut after = position.clone();
                after.play_roll(face);
                f64::from(weight) * self.value(&after)
            });
            after.sum::<f64>() / f64::from(G::FACES)
        } else {
            let values = self.after_actions(position);
            let all = values.into_iter().map(|(_, value)| value);
            match position.side() {
                Side::First => all.fold(0.0, f64::max),
                Side::Second => all.fold(1.0, f64::min),
            }
        };
        self.0.insert(key, value);
        value
    }

    fn after_actions<G: Engine>(&mut self, position: &G) -> Vec<(G::Move, f64)> {
        let legal = position.legal_moves().into_iter();
        legal
            .map(|action| {
                let mut after = position.clone();
                after.play(action);
                (action, self.value(&after))
            })
            .collect()
    }

    /// Plays a turn, the best or any, or a roll, and returns its text.
    fn turn<G: Engine>(&mut self, position: &mut G, best: bool, rng: &mut Rng) -> String {
        if position.is_chance() {
            let face = 1 + rng.below(G::FACES.into()) as u8;
            position.play_roll(face);
            return format!("d{face}");
        }
        let (before, side, mut turn) = (position.clone(), position.side(), Vec::new());
        while !turn_is_over(position, side) {
            let value = self.value(position);
            let mut actions = self.after_actions(position);
            actions.retain(|(_, after)| !best || (after - value).abs() < 1e-9);
            let (action, _) = actions[rng.below(actions.len() as u32) as usize];
            position.play(action);
            turn.push(action);
        }
        before.write_turn(&turn)
    }
}

/// What the marks of reviews were worth.
#[derive(Default)]
struct Count {
    turns: u32,
    /// Blunders and missed wins by the review.
    marked: u32,
    /// Those of them that are blunders exactly.
    right: u32,
    /// Exact blunders that have no mark.
    overlooked: u32,
    /// With perfect play: turns marked as inaccuracies or worse.
    unjust: u32,
    /// The largest error of a proven value.
    error: f64,
}

impl Count {
    fn of(review: &Review, exact: &[f64]) -> Count {
        let mut count = Count::default();
        for (ply, verdict) in review.verdicts.iter().enumerate() {
            let (Some(verdict), Some(lost)) = (verdict, review.values.lost[ply]) else {
                continue;
            };
            let truth = (exact[ply] - exact[ply + 1]).abs();
            let is_marked = verdict.mark == Mark::Blunder || verdict.missed_win;
            let is_blunder = truth >= Thresholds::ALL.blunder;
            count.turns += 1;
            count.marked += u32::from(is_marked);
            count.right += u32::from(is_marked && is_blunder);
            count.overlooked += u32::from(is_blunder && !is_marked);
            count.unjust += u32::from(verdict.mark >= Mark::Inaccuracy && truth < 1e-9);
            if is_marked != is_blunder {
                let turn = &review.course.plies[ply].text;
                let words = review.course.words(ply);
                let from = review.course.from.as_deref().unwrap_or_default();
                eprintln!("lost {lost:.3}, in truth {truth:.3}: {turn} after {from} {words}");
            }
        }
        for (point, exact) in exact.iter().enumerate() {
            if let (Some(found), true) = (review.values.first[point], review.values.proven[point]) {
                count.error = count.error.max((found - exact).abs());
            }
        }
        count
    }

    fn add(&mut self, other: &Count) {
        self.turns += other.turns;
        self.marked += other.marked;
        self.right += other.right;
        self.overlooked += other.overlooked;
        self.unjust += other.unjust;
        self.error = self.error.max(other.error);
    }
}
