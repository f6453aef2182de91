//! Where openings come from: a file, or chance, if need be kept to what is about even.
//!
//! None comes again before all have been used, and which comes when follows from the league's seed.

use std::cell::RefCell;
use std::collections::HashSet;

use catalog::{Match, Request, Rules};
use engine_core::{Algorithm, Rng};
use serde_json::Value;

use super::begin;
use crate::digest::Digest;

/// So many random openings in a row that are known or not even: there are no others.
const TRIES: u32 = 300;

/// How many openings that are about even are looked for: each takes some searches.
const EVEN: usize = 500;

/// Nodes of the search that judges whether an opening is even.
const NODES: u64 = 3_000;

/// Where the openings of a game come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Openings {
    /// Every game begins at the first position.
    #[default]
    None,
    /// A list.
    List {
        /// The openings, one or more, all of which can be played.
        openings: Vec<String>,
        /// Whether they come in an order that follows from the seed, and not in that of the file.
        shuffled: bool,
    },
    /// Random actions and rolls.
    Random {
        /// How many: fewer where they would end the game.
        plies: u8,
        /// By how many points of the evaluation a side may be ahead, if that matters.
        max_advantage: Option<u32>,
    },
}

/// The openings of a game of a league, by their places.
pub struct Book {
    rules: &'static dyn Rules,
    variant: Value,
    source: Openings,
    /// Made as far as they have been asked for.
    made: RefCell<Made>,
}

struct Made {
    rng: Rng,
    openings: Vec<String>,
    /// The positions that they lead to.
    positions: HashSet<String>,
    /// Whether there are no others.
    complete: bool,
}

impl Book {
    /// The openings of a variant of a game.
    pub fn new(rules: &'static dyn Rules, variant: &Value, source: &Openings, seed: u64) -> Book {
        let mut digest = Digest::default();
        digest.number(seed);
        digest.text(rules.id());
        let mut made = Made {
            rng: Rng::new(digest.value()),
            openings: Vec::new(),
            positions: HashSet::new(),
            complete: false,
        };
        match source {
            Openings::None => {
                made.openings.push(String::new());
                made.complete = true;
            }
            Openings::List { openings, shuffled } => {
                made.openings = openings.clone();
                made.complete = true;
                if *shuffled {
                    shuffle(&mut made.openings, &mut made.rng);
                }
            }
            Openings::Random { .. } => {}
        }
        Book {
            rules,
            variant: variant.clone(),
            source: source.clone(),
            made: RefCell::new(made),
        }
    }

    /// The opening at a place, from 0; after the last one the first comes again. `None` if there is
    /// not even one.
    pub fn get(&self, place: usize) -> Option<String> {
        let mut made = self.made.borrow_mut();
        while made.openings.len() <= place && !made.complete {
            match self.another(&mut made) {
                Some(opening) => made.openings.push(opening),
                None => made.complete = true,
            }
            let Openings::Random { max_advantage, .. } = self.source else {
                unreachable!("a list is complete");
            };
            made.complete |= max_advantage.is_some() && made.openings.len() == EVEN;
        }
        let place = place.checked_rem(made.openings.len())?;
        Some(made.openings[place].clone())
    }

    /// A random opening that leads to a new position, if one can be found.
    fn another(&self, made: &mut Made) -> Option<String> {
        let Openings::Random {
            plies,
            max_advantage,
        } = self.source
        else {
            return None;
        };
        for _ in 0..TRIES {
            let (opening, game) = self.at_random(plies, &mut made.rng);
            if !made.positions.insert(game.position()) {
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

    /// Random actions and rolls: so many, or fewer, so that the game is not over before the engines
    /// play.
    fn at_random(&self, plies: u8, rng: &mut Rng) -> (String, Box<dyn Match>) {
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

    /// By how many points a side is ahead, on the average of the rolls if one is due; `None` if it
    /// wins.
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

    /// The value of a position for the side that acts, points; `None` if somebody wins.
    fn points(&self, position: &str) -> Option<i32> {
        let request = Request {
            algorithm: Algorithm::find("pvs").expect("it is one of ours"),
            depth: None,
            nodes: Some(NODES),
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

/// Fisher and Yates.
fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests;
