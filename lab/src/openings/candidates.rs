//! Starts of a game, each position once up to symmetry: all of them if they are few, else at random.

use std::collections::HashSet;

use catalog::AnyMatch;
use engine_core::Rng;
use task::opening::begin;

use super::Recipe;

/// Positions are enumerated if no step has to play more actions than this.
const FEW: usize = 50_000;

/// It ends after this many starts in a row that are known.
const TRIES: u32 = 1_000;

/// Starts of a game.
pub(super) struct Candidates<'r, 'c> {
    recipe: &'r Recipe<'c>,
    rng: Rng,
    /// All of them in a random order; `None` if they are too many.
    all: Option<Vec<String>>,
    /// The positions that were reached at random.
    known: HashSet<u64>,
}

impl<'r, 'c> Candidates<'r, 'c> {
    /// # Errors
    /// A roll is due within the opening.
    pub(super) fn of(recipe: &'r Recipe<'c>) -> Result<Self, String> {
        let mut candidates = Candidates {
            recipe,
            rng: Rng::new(recipe.means.seed),
            all: all(recipe),
            known: HashSet::new(),
        };
        let (played, game) = candidates.walk();
        if game.roll_due() && played.len() < recipe.plies as usize {
            let (id, most) = (recipe.rules.id(), played.len());
            return Err(format!(
                "a roll is due after {most} actions of {id}, expected --plies {most} or fewer"
            ));
        }
        // What is taken from the end first is in no order.
        if let Some(all) = &mut candidates.all {
            candidates.rng.shuffle(all);
        }
        Ok(candidates)
    }

    /// How many are left, if they are few.
    pub(super) fn left(&self) -> Option<usize> {
        self.all.as_ref().map(Vec::len)
    }

    /// A start at random.
    fn walk(&mut self) -> (Vec<String>, Box<dyn AnyMatch>) {
        let mut words = Vec::new();
        let mut game = start(self.recipe, "");
        while is_within(self.recipe, words.len(), &*game) {
            let mut actions = game.actions();
            let action = actions.swap_remove(self.rng.below(actions.len() as u32) as usize);
            game.play_words(&action).expect("a legal action");
            words.push(action);
        }
        (words, game)
    }

    fn at_random(&mut self) -> Option<String> {
        for _ in 0..TRIES {
            let (words, game) = self.walk();
            if game.outcome().is_none() && self.known.insert(game.place().key) {
                return Some(words.join(" "));
            }
        }
        None
    }
}

impl Iterator for Candidates<'_, '_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        match &mut self.all {
            Some(all) => all.pop(),
            None => self.at_random(),
        }
    }
}

fn start(recipe: &Recipe<'_>, words: &str) -> Box<dyn AnyMatch> {
    begin(recipe.rules, &recipe.variant, words)
        .expect("legal actions of a variant that was checked")
}

/// Whether an opening of so many actions goes on.
fn is_within(recipe: &Recipe<'_>, actions: usize, game: &dyn AnyMatch) -> bool {
    let is_short = actions < recipe.plies as usize || game.mid_turn();
    is_short && game.outcome().is_none() && !game.roll_due()
}

/// All starts, each position once; `None` if they are many.
fn all(recipe: &Recipe<'_>) -> Option<Vec<String>> {
    let mut level = vec![String::new()];
    let mut done = Vec::new();
    for played in 0.. {
        let mut next = Vec::new();
        let mut known = HashSet::new();
        let mut work = 0;
        for words in &level {
            let game = start(recipe, words);
            if game.outcome().is_some() {
                continue;
            }
            if !is_within(recipe, played, &*game) {
                done.push(words.clone());
                continue;
            }
            let actions = game.actions();
            work += actions.len();
            if work > FEW {
                return None;
            }
            for action in actions {
                let words = format!("{words} {action}").trim().to_owned();
                if known.insert(start(recipe, &words).place().key) {
                    next.push(words);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    Some(done)
}
