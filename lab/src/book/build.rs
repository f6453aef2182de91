//! Books from games: how often each move was played, and with what results.

use std::collections::{BTreeMap, HashSet};

use base::digest::Digest;
use base::error::BadInput;
use catalog::{AnyGame, Rules};
use entry::Book;
use gamelog::record::{GameRecord, SideName};
use serde_json::Value;
use task::opening::{self, Opening, begin};

use super::leave_out_rare;

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

/// A book in the making. It is of one game and variant: those that were asked for, or those of most of
/// the games.
#[derive(Debug)]
pub struct Builder {
    recipe: Recipe,
    /// Id of the game; `None` for that of most games.
    game: Option<String>,
    /// The variant as it was given; `None` for that of most games.
    variant: Option<Value>,
    /// A book for each game and variant that may be meant, in the order in which they were met.
    books: Vec<Making>,
    left_out: LeftOut,
}

/// A book and what is not in it.
#[derive(Debug)]
struct Making {
    book: Book,
    /// Number of games without a result, of which the book has only the moves.
    unfinished: usize,
}

/// A book that was made.
#[derive(Debug)]
pub struct Made {
    /// The book.
    pub book: Book,
    /// Number of its games without a result, of which it has only the moves.
    pub unfinished: usize,
    /// The games that were not counted.
    pub left_out: LeftOut,
}

/// Numbers of games that are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    /// The loser's program was at fault, which says nothing of the position.
    pub faults: usize,
    /// Another game or variant than that of the book.
    pub others: usize,
    /// Games that were counted before.
    pub known: usize,
    /// The other games and variants, with their numbers of games.
    pub variants: BTreeMap<String, usize>,
}

impl LeftOut {
    /// Leaves out games of another game or variant than that of the book.
    fn other(&mut self, game: &str, variant: &Value, games: usize) {
        self.others += games;
        *self
            .variants
            .entry(format!("{game} {variant}"))
            .or_default() += games;
    }
}

impl Builder {
    /// A book of a game and variant, those of most games where they are `None`. Games of others are left
    /// out.
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
            books: Vec::new(),
            left_out: LeftOut::default(),
        })
    }

    /// Counts a game. `at` is where it was found, for messages.
    ///
    /// # Errors
    /// It cannot be replayed.
    pub fn add(&mut self, at: &str, game: &GameRecord) -> Result<(), BadInput> {
        let wrong = |message: String| BadInput(format!("{at}: {message}"));
        if game.reason.is_fault() {
            self.left_out.faults += 1;
            return Ok(());
        }
        let rules = find(&game.game).map_err(|error| wrong(error.to_string()))?;
        let variant = rules.complete_variant(&game.variant);
        let variant = variant.map_err(|error| wrong(format!("variant: {error}")))?;
        let is_of_game = self.game.as_ref().is_none_or(|wanted| *wanted == game.game);
        let is_same =
            |wanted: &Value| rules.complete_variant(wanted).ok().as_ref() == Some(&variant);
        if !is_of_game || !self.variant.as_ref().is_none_or(is_same) {
            self.left_out.other(&game.game, &variant, 1);
            return Ok(());
        }
        self.count(rules, variant, game).map_err(wrong)
    }

    /// The index of the book of a game and variant.
    fn book(&mut self, rules: &dyn Rules, variant: &Value) -> Result<usize, String> {
        let is_it = |it: &Making| it.book.game == rules.id() && it.book.variant == *variant;
        if let Some(index) = self.books.iter().position(is_it) {
            return Ok(index);
        }
        let start = rules.start(variant).map_err(|error| error.to_string())?;
        self.books.push(Making {
            book: Book::new(rules.id(), variant.clone(), start.place().key),
            unfinished: 0,
        });
        Ok(self.books.len() - 1)
    }

    fn count(
        &mut self,
        rules: &dyn Rules,
        variant: Value,
        game: &GameRecord,
    ) -> Result<(), String> {
        let Opening { position, words } = Opening::parse(&game.opening);
        let index = self.book(rules, &variant)?;
        let (Making { book, unfinished }, recipe) = (&mut self.books[index], &self.recipe);
        if !book.games.insert(digest(game)) {
            self.left_out.known += 1;
            return Ok(());
        }
        let outcome = game.result.outcome();
        *unfinished += usize::from(outcome.is_none());
        let set_up = position.map_or(String::new(), |position| format!("fen {position}"));
        let mut playing = begin(rules, &variant, &set_up)?;
        let given = opening::split(words).map(|word| (word, None));
        let turns = game.turns.iter();
        let turns = turns.map(|turn| (&*turn.text, Some(turn.side)));
        let mut plies = 0;
        let mut counted = HashSet::new();
        for (word, by) in given.chain(turns) {
            let steps = playing.play_steps(word);
            for step in steps.map_err(|error| format!("{word:?}: {error}"))? {
                plies += 1;
                if plies > recipe.plies {
                    return Ok(());
                }
                let chosen = by.is_some_and(|side| recipe.counts(name(game, side)));
                // A position may occur again in a game, which is still one game.
                if chosen && counted.insert((step.from.key, step.bits)) {
                    let known = book.entry(step.from.key, step.from.side);
                    let line = known.moves.entry(step.bits).or_default();
                    line.to = step.to;
                    // Of an unfinished game, only the moves are known.
                    outcome
                        .into_iter()
                        .for_each(|outcome| line.results.count(outcome));
                }
            }
        }
        Ok(())
    }

    /// The book of most games, without the moves of too few games.
    ///
    /// # Errors
    /// No game was counted.
    pub fn finish(mut self) -> Result<Made, BadInput> {
        // Of two with equally many games, the one that was met first.
        let games = |&index: &usize| self.books[index].book.games.len();
        let most = (0..self.books.len()).rev().max_by_key(games);
        let none = || BadInput("no games, expected one or more to make a book of".to_owned());
        let Making {
            mut book,
            unfinished,
        } = self.books.remove(most.ok_or_else(none)?);
        for Making { book: other, .. } in &self.books {
            (self.left_out).other(&other.game, &other.variant, other.games.len());
        }
        book.made.insert(self.recipe.in_words());
        leave_out_rare(&mut book, self.recipe.min_games);
        Ok(Made {
            book,
            unfinished,
            left_out: self.left_out,
        })
    }
}

impl Recipe {
    fn counts(&self, engine: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|name| name == engine)
    }
}

/// The game with this id.
fn find(id: &str) -> Result<&'static dyn AnyGame, BadInput> {
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
