//! Opening books: from a file, or random, optionally limited to balanced positions.
//!
//! No opening repeats before all have been used. The order is derived from the league's seed.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use catalog::{AnyGame, AnyMatch, Match, Request};
use engine_core::{Algorithm, Rng};
use serde_json::Value;

use super::begin;
use crate::seed::Seed;

/// Give up after this many random openings in a row that are duplicates or not balanced.
const MAX_TRIES: u32 = 300;

/// Maximum number of balanced random openings: each takes several searches.
const MAX_BALANCED: usize = 500;

/// Nodes of the search that decides whether an opening is balanced.
const EVALUATION_NODES: u64 = 3_000;

/// The source of a game's openings.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Openings {
    /// No openings: every game begins at the initial position.
    #[default]
    None,
    /// A list.
    List {
        /// The openings, at least one, all of them playable.
        openings: Vec<String>,
        /// Whether they are shuffled with the league's seed; otherwise they come in file order.
        shuffled: bool,
    },
    /// Random actions and rolls.
    Random {
        /// Number of plies; fewer if they would end the game.
        plies: u8,
        /// Largest advantage of either side, in points of the evaluation; `None` for no limit.
        max_advantage: Option<u32>,
    },
}

/// The openings of a game of a league, by index.
pub struct Book {
    rules: &'static dyn AnyGame,
    variant: Value,
    source: Openings,
    /// Openings generated so far.
    generated: Mutex<Generated>,
}

struct Generated {
    rng: Rng,
    openings: Vec<String>,
    /// The positions reached.
    positions: HashSet<String>,
    /// Whether all openings have been generated.
    complete: bool,
}

impl Book {
    /// The openings of a variant of a game. `seed` is the league's seed.
    pub fn new(
        rules: &'static dyn AnyGame,
        variant: &Value,
        source: &Openings,
        seed: &Seed,
    ) -> Book {
        let mut branch = seed.branch("openings");
        branch.text(rules.id());
        let mut generated = Generated {
            rng: Rng::new(branch.value()),
            openings: Vec::new(),
            positions: HashSet::new(),
            complete: false,
        };
        match source {
            Openings::None => {
                generated.openings.push(String::new());
                generated.complete = true;
            }
            Openings::List { openings, shuffled } => {
                generated.openings = openings.clone();
                generated.complete = true;
                if *shuffled {
                    shuffle(&mut generated.openings, &mut generated.rng);
                }
            }
            Openings::Random { .. } => {}
        }
        Book {
            rules,
            variant: variant.clone(),
            source: source.clone(),
            generated: Mutex::new(generated),
        }
    }

    /// The opening at an index from 0; the list repeats after the last one. `None` if there are no
    /// openings.
    pub fn get(&self, place: usize) -> Option<String> {
        let mut generated = self.generated();
        while generated.openings.len() <= place && !generated.complete {
            match self.another(&mut generated) {
                Some(opening) => generated.openings.push(opening),
                None => generated.complete = true,
            }
            let Openings::Random { max_advantage, .. } = self.source else {
                unreachable!("a list is complete");
            };
            generated.complete |=
                max_advantage.is_some() && generated.openings.len() == MAX_BALANCED;
        }
        let place = place.checked_rem(generated.openings.len())?;
        Some(generated.openings[place].clone())
    }

    /// How many different openings there are; `None` while more can be generated.
    pub fn count(&self) -> Option<usize> {
        let generated = self.generated();
        generated.complete.then_some(generated.openings.len())
    }

    /// Generates the openings up to an index where that is quick: not those that are searched.
    pub fn prepare(&self, index: usize) {
        let is_searched = matches!(
            self.source,
            Openings::Random {
                max_advantage: Some(_),
                ..
            }
        );
        if !is_searched {
            self.get(index);
        }
    }

    fn generated(&self) -> MutexGuard<'_, Generated> {
        self.generated
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Generates a random opening to a new position; `None` if no such opening was found.
    fn another(&self, generated: &mut Generated) -> Option<String> {
        let Openings::Random {
            plies,
            max_advantage,
        } = self.source
        else {
            return None;
        };
        for _ in 0..MAX_TRIES {
            let (opening, game) = self.at_random(plies, &mut generated.rng);
            if !generated.positions.insert(game.position()) {
                continue;
            }
            let Some(most) = max_advantage else {
                return Some(opening);
            };
            if self.advantage(&*game).is_some_and(|points| points <= most) {
                return Some(opening);
            }
        }
        None
    }

    /// Plays up to `plies` random actions and rolls; fewer if they would end the game.
    fn at_random(&self, plies: u8, rng: &mut Rng) -> (String, Box<dyn AnyMatch>) {
        const CHECKED: &str = "the variant was checked, and actions are legal";
        let mut words: Vec<String> = Vec::new();
        let mut game = begin(self.rules, &self.variant, "").expect(CHECKED);
        for _ in 0..plies {
            let mut actions = game.actions();
            words.push(actions.swap_remove(rng.below(actions.len() as u32) as usize));
            game.play_words(&words[words.len() - 1]).expect(CHECKED);
            if game.outcome().is_some() {
                words.pop();
                game = begin(self.rules, &self.variant, &words.join(" ")).expect(CHECKED);
                break;
            }
        }
        (words.join(" "), game)
    }

    /// The advantage of the side that is ahead, in points; if a roll is due, averaged over the
    /// rolls. `None` if a side wins.
    fn advantage(&self, game: &dyn Match) -> Option<u32> {
        let text = game.position();
        if !game.roll_due() {
            return self.points(&text).map(i32::unsigned_abs);
        }
        let mut sum = 0;
        for face in 1..=game.faces() {
            let mut rolled = self.rules.set_up(&self.variant, &text).ok()?;
            rolled.roll(face).ok()?;
            sum += self.points(&rolled.position())?;
        }
        Some(sum.unsigned_abs() / u32::from(game.faces()))
    }

    /// The evaluation for the side to act, in points; `None` if a side wins.
    fn points(&self, position: &str) -> Option<i32> {
        let request = Request {
            algorithm: Algorithm::find("pvs").expect("it is one of ours").into(),
            depth: None,
            nodes: Some(EVALUATION_NODES),
            time: None,
            as_played: true,
            table_mb: 1,
            seed: 0,
        };
        let finding = self.rules.search(&self.variant, position, &request).ok()?;
        let score = finding.steps.last()?.score;
        let decided = score.plies_to_win().or(score.plies_to_loss()).is_some();
        (!decided).then_some(score.value())
    }
}

/// Fisher-Yates shuffle.
fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests;
