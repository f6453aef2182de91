//! Books from games: how often each move was played, and with what results.

use std::collections::HashSet;

use catalog::Rules;
use engine_core::{Outcome, Side};
use entry::Book;
use serde_json::Value;

use super::leave_out_rare;
use crate::base::digest::Digest;
use crate::base::error::BadInput;
use crate::log::record::{GameRecord, GameResult, SideName};
use crate::task::opening::{self, Opening, begin};

/// What is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Actions from the start of each game.
    pub plies: u32,
    /// Moves of fewer games are left out at the end.
    pub min_games: u32,
    /// Only turns of these engines are counted; of all, if there are none.
    pub engines: Vec<String>,
}

impl Recipe {
    /// How the book was made, for its header.
    pub fn in_words(&self) -> String {
        let engines = self.engines.iter().map(|name| format!(" --engine {name}"));
        let engines: String = engines.collect();
        let Recipe {
            plies, min_games, ..
        } = self;
        format!("build --plies {plies} --min-games {min_games}{engines}")
    }
}

/// A book in the making. All its games are of one game and variant.
#[derive(Debug)]
pub struct Builder {
    recipe: Recipe,
    /// Id of the game; `None` for that of the first game.
    game: Option<String>,
    /// The variant as it was given; `None` for that of the first game.
    variant: Option<Value>,
    book: Option<Book>,
    /// The games that were not counted.
    pub left_out: LeftOut,
}

/// Numbers of games that are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    /// The loser's program was at fault, which says nothing of the position.
    pub faults: usize,
    /// Another game or variant than the one asked for.
    pub others: usize,
    /// Games that were counted before.
    pub known: usize,
}

impl Builder {
    /// A book of a game and variant, those of the first game where they are `None`. Games of others
    /// are left out if they are given, and errors if not.
    ///
    /// # Errors
    /// There is no such game, or it has no such variant.
    pub fn new(
        recipe: Recipe,
        game: Option<&str>,
        variant: Option<&Value>,
    ) -> Result<Builder, BadInput> {
        if let Some(game) = game {
            let rules = find(game)?;
            let complete = variant.map(|variant| rules.complete_variant(variant));
            let complete = complete.transpose();
            complete.map_err(|error| BadInput(format!("--variant: {error}")))?;
        }
        Ok(Builder {
            recipe,
            game: game.map(str::to_owned),
            variant: variant.cloned(),
            book: None,
            left_out: LeftOut::default(),
        })
    }

    /// Counts a game. `at` is where it was found, for messages.
    ///
    /// # Errors
    /// It cannot be replayed, or it is of another game or variant than those before.
    pub fn add(&mut self, at: &str, game: &GameRecord) -> Result<(), BadInput> {
        let wrong = |message: String| BadInput(format!("{at}: {message}"));
        if game.reason.is_fault() {
            self.left_out.faults += 1;
            return Ok(());
        }
        let other = |wanted: &String| *wanted != game.game;
        if self.game.as_ref().is_some_and(other) {
            self.left_out.others += 1;
            return Ok(());
        }
        let rules = find(&game.game).map_err(|error| wrong(error.to_string()))?;
        let variant = rules.complete_variant(&game.variant);
        let variant = variant.map_err(|error| wrong(format!("variant: {error}")))?;
        let other = |wanted: &Value| rules.complete_variant(wanted).ok().as_ref() != Some(&variant);
        if self.variant.as_ref().is_some_and(other) {
            self.left_out.others += 1;
            return Ok(());
        }
        if let Some(book) = &self.book
            && (book.game != game.game || book.variant != variant)
        {
            let message = format!(
                "{} with the variant {variant}, expected {} with {} as before; --game and \
                 --variant select one",
                game.game, book.game, book.variant
            );
            return Err(wrong(message));
        }
        self.count(rules, variant, game).map_err(wrong)
    }

    fn count(
        &mut self,
        rules: &dyn Rules,
        variant: Value,
        game: &GameRecord,
    ) -> Result<(), String> {
        let Opening { position, words } = Opening::parse(&game.opening);
        let start = rules.start(&variant).map_err(|error| error.to_string())?;
        let book = self
            .book
            .get_or_insert_with(|| Book::new(rules.id(), variant.clone(), start.place().key));
        if !book.games.insert(digest(game)) {
            self.left_out.known += 1;
            return Ok(());
        }
        let set_up = position.map_or(String::new(), |position| format!("fen {position}"));
        let mut playing = begin(rules, &variant, &set_up)?;
        let outcome = outcome(game.result);
        let given = opening::split(words).map(|word| (word, None));
        let turns = game.turns.iter();
        let turns = turns.map(|turn| (&*turn.text, Some(turn.side)));
        let mut plies = 0;
        let mut counted = HashSet::new();
        for (word, by) in given.chain(turns) {
            let steps = playing.play_steps(word);
            for step in steps.map_err(|error| format!("{word:?}: {error}"))? {
                plies += 1;
                if plies > self.recipe.plies {
                    return Ok(());
                }
                let chosen = by.is_some_and(|side| self.recipe.counts(name(game, side)));
                // A position may occur again in a game, which is still one game.
                if chosen && counted.insert((step.from.key, step.bits)) {
                    let known = book.entry(step.from.key, step.from.side);
                    let line = known.moves.entry(step.bits).or_default();
                    line.to = step.to;
                    line.results.count(outcome);
                }
            }
        }
        Ok(())
    }

    /// The book, without the moves of too few games.
    ///
    /// # Errors
    /// No game was counted.
    pub fn finish(self) -> Result<Book, BadInput> {
        let none = || BadInput("no games, expected one or more to make a book of".to_owned());
        let mut book = self.book.ok_or_else(none)?;
        book.made.insert(self.recipe.in_words());
        leave_out_rare(&mut book, self.recipe.min_games);
        Ok(book)
    }
}

impl Recipe {
    fn counts(&self, engine: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|name| name == engine)
    }
}

/// The game with this id.
fn find(id: &str) -> Result<&'static dyn Rules, BadInput> {
    catalog::find(id).ok_or_else(|| {
        let known = catalog::ids().join(", ");
        BadInput(format!("game {id:?}, expected one of {known}"))
    })
}

/// The engine that plays a side.
fn name(game: &GameRecord, side: SideName) -> &str {
    match side {
        SideName::First => &game.first.name,
        SideName::Second => &game.second.name,
    }
}

fn outcome(result: GameResult) -> Outcome {
    match result {
        GameResult::First => Outcome::Win(Side::First),
        GameResult::Second => Outcome::Win(Side::Second),
        GameResult::Draw => Outcome::Draw,
    }
}

/// What tells a game from all others: copies of it in several logs are one game.
fn digest(game: &GameRecord) -> u64 {
    let mut digest = Digest::default();
    for text in [&game.league, &game.id, &game.opening] {
        digest.text(text);
    }
    digest.number(game.seed);
    digest.text(&format!("{:?}", game.result));
    game.turns.iter().for_each(|turn| digest.text(&turn.text));
    digest.value()
}
