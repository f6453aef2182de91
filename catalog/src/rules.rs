//! Games and matches as trait objects, with one implementation of both for every [`Game`].

use std::marker::PhantomData;

use drawing::Picture;
use engine_core::learned::Weights;
use engine_core::parameter::Parameter;
use engine_core::{Algorithm, Outcome, ParseError, Playout, Rng, Side, StopFlag};
use entry::FileOption;
use entry::Options;
use entry::Refusal;
use entry::parameters::{self, Assignment};
use entry::weights;
use game::turn::Told;
use game::{Choice, Engine, Standard, VariantError, dialect, read_variant, start, turn};
use learning::{Environment, GameEnvironment, QSettings, Table};
use protocol::Protocol;
use protocol::announcement::Announcement;
use records::Recorded;
use serde_json::Value;

use crate::book::Booked;
use crate::contest::{self, Contest};
use crate::estimates::{self, Estimate};
use crate::playing::Playing;
use crate::prove::Proof;
use crate::records::Records;
use crate::search::{self, Finding, Request, SearchError};

/// A game of the catalogue.
pub trait Rules: Records + Send + Sync {
    /// The id in league files: `dots-and-boxes`.
    fn id(&self) -> &'static str;

    /// The display name: `Dots and Boxes`.
    fn name(&self) -> &'static str;

    /// The colours of `First` and `Second`.
    fn colours(&self) -> [&'static str; 2];

    /// What SAU's `new` calls `First` and `Second`.
    fn sau_colours(&self) -> [&'static str; 2];

    /// Whether the game has dice.
    fn has_dice(&self) -> bool;

    /// A variant with all its keys, missing ones at their defaults. An empty object means the
    /// contest's rules.
    ///
    /// # Errors
    /// A key or a value that the game does not have.
    fn complete_variant(&self, variant: &Value) -> Result<Value, VariantError>;

    /// The keys of the variant whose values are words, with the words that forms offer.
    fn choices(&self) -> &'static [Choice];

    /// A new match of a variant.
    ///
    /// # Errors
    /// A key or a value that the game does not have.
    fn start(&self, variant: &Value) -> Result<Box<dyn Match>, VariantError>;

    /// Whether an algorithm plays the game.
    ///
    /// # Errors
    /// A message that names the algorithm, the game, and the reason.
    fn fits(&self, algorithm: Algorithm) -> Result<(), String>;

    /// What announces a game of a variant in a protocol: board size and the like.
    ///
    /// # Errors
    /// The protocol does not support the game, or only another variant, which the message names.
    fn announce(&self, protocol: Protocol, variant: &Value) -> Result<Announcement, String>;

    /// Runs a built-in engine for the game on standard input and output until it is told to quit.
    ///
    /// # Errors
    /// The variant in the options has a key or value that the game does not have, or their
    /// algorithm does not fit the game.
    fn serve(&self, options: &Options) -> Result<(), Refusal>;

    /// Plays `count` random games of a variant and returns the sum of the points of `First`.
    ///
    /// # Errors
    /// A key or a value that the game does not have.
    fn random_games(&self, variant: &Value, count: u64, seed: u64) -> Result<f64, VariantError>;

    /// The algorithm that plays the game best, [`Algorithm::Best`] by its name.
    fn best(&self) -> Algorithm;

    /// The named parameters of its engines, with their defaults: those of the searches first, then
    /// those of its evaluation.
    fn parameters(&self) -> Vec<Parameter>;

    /// Checks parameters of its engines.
    ///
    /// # Errors
    /// An unknown name or a value out of range: what was found and what was expected.
    fn check_parameters(&self, assignments: &[Assignment]) -> Result<(), String>;

    /// Checks a value of an option that names a file for a variant.
    ///
    /// # Errors
    /// The game does not support the variant, or the file cannot be used for it.
    fn check_file(&self, option: FileOption, value: &str, variant: &Value) -> Result<(), String>;

    /// Plays a game between two settings of its engine in this process, and returns the points of
    /// `First`; `None` if `stop` ended it.
    ///
    /// # Errors
    /// The contest's variant, position, words, algorithm or parameters are not those of the game, or
    /// the tables do not fit into memory.
    fn contest(&self, contest: &Contest<'_>, stop: &StopFlag) -> Result<Option<f64>, SearchError>;

    /// Evaluates the quiet positions of a game between turns, by the evaluation with each of these
    /// parameters. `from` is where it begins, `None` for the initial position, and the actions and
    /// rolls before the first turn of `game`, after whose first `skip` turns and rolls no position
    /// counts.
    ///
    /// # Errors
    /// The variant, the position, a turn, or a parameter is not one of the game.
    fn estimates(
        &self,
        variant: &Value,
        from: (Option<&str>, &str),
        game: &str,
        skip: usize,
        parameters: &[Vec<Assignment>],
    ) -> Result<Vec<Estimate>, SearchError>;

    /// Typical positions of the contest's variant.
    fn standard(&self) -> Standard;

    /// A match that begins at any position of the variant: with a player to move, a roll due, or
    /// finished.
    ///
    /// # Errors
    /// The text is not a position.
    fn set_up(&self, variant: &Value, position: &str) -> Result<Box<dyn Match>, SearchError>;

    /// Actions in UGI notation that lead from the start of the variant to a position. `None` if the
    /// text is not a position, if no actions lead there, or if the game cannot tell.
    fn actions_to(&self, variant: &Value, position: &str) -> Option<Vec<String>>;

    /// A match that begins at a position of the variant with a player to move.
    ///
    /// # Errors
    /// The text is not such a position.
    fn open(&self, variant: &Value, position: &str) -> Result<Box<dyn Match>, SearchError>;

    /// The game of a variant as learning sees it.
    ///
    /// # Errors
    /// The game does not support the variant.
    fn environment(&self, variant: &Value) -> Result<Box<dyn Environment>, VariantError>;

    /// Whether positions of the game can repeat: a table of positions ignores their history.
    fn repeats(&self) -> bool;

    /// An empty table for Q-learning from the start of a variant.
    ///
    /// # Errors
    /// The game does not support the variant.
    ///
    /// # Panics
    /// The settings have a number outside its range.
    fn q_table(
        &self,
        variant: &Value,
        settings: QSettings,
        seed: u64,
    ) -> Result<Box<dyn Table>, VariantError>;

    /// The content of a file of this game's weights. `origin` says how they were made.
    fn weights_file(&self, weights: &Weights, origin: &str) -> Vec<u8>;

    /// Searches a position of the variant.
    ///
    /// # Errors
    /// The position cannot be searched, or the table does not fit into memory.
    fn search(
        &self,
        variant: &Value,
        position: &str,
        request: &Request,
    ) -> Result<Finding, SearchError>;
}

/// A game in progress. Illegal turns and rolls are rejected.
pub trait Match: Booked + Send {
    /// The side to move.
    fn side(&self) -> Side;

    /// The colour that a side plays now, as an index into [`Rules::colours`].
    fn colour_of(&self, side: Side) -> usize;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Estimated number of turns that the side to move still plays, including this one; at least 1.
    fn turns_left(&self) -> u32;

    /// Whether a game of this variant can end in a draw.
    fn can_be_drawn(&self) -> bool;

    /// The winner from here, if [`PROVER`](crate::PROVER) proves it within this number of nodes and
    /// the rules confirm the proof. Takes 64 bytes of memory per node; the result is reproducible.
    /// `None` also if `stop` is set, the prover does not fit the game, the game is over, or there
    /// is not enough memory.
    fn prove(&self, nodes: u64, stop: &StopFlag) -> Option<Proof>;

    /// Why the finished game ended, in the game's terms; unspecified before the end.
    fn ending(&self) -> &'static str;

    /// Whether a roll is due.
    fn roll_due(&self) -> bool;

    /// Whether the side to move has played a part of its turn. If its last turn has won it another
    /// turn, that last turn counts as complete.
    fn mid_turn(&self) -> bool;

    /// Faces of the die, numbered from 1; 1 in a game without dice.
    fn faces(&self) -> u8;

    /// Rolls the die.
    ///
    /// # Errors
    /// No roll is due, or the die has no such face; nothing is played then.
    fn roll(&mut self, face: u8) -> Result<(), ParseError>;

    /// Plays one whole turn in UGI notation and returns it in the notation of UGI and the log.
    ///
    /// # Errors
    /// The text is not exactly one legal turn; nothing is played then.
    fn play_turn(&mut self, text: &str) -> Result<String, ParseError>;

    /// Plays one whole turn in a protocol's notation and returns it in the notation of UGI and the
    /// log.
    ///
    /// # Errors
    /// The text is not exactly one legal turn, or the protocol does not support the game; nothing
    /// is played then.
    fn play_turn_in(&mut self, protocol: Protocol, text: &str) -> Result<String, ParseError>;

    /// Plays a turn, or the first actions of one, in a protocol's notation.
    ///
    /// # Errors
    /// Like [`Match::play_turn_in`], except that the turn may be incomplete.
    fn play_part_in(&mut self, protocol: Protocol, text: &str) -> Result<(), ParseError>;

    /// Plays words like [`Match::play_words`] and returns the turns and rolls among them in a
    /// protocol's notation; the last turn may be incomplete.
    ///
    /// # Errors
    /// A word cannot be played, or the protocol does not support the game.
    fn follow(&mut self, protocol: Protocol, words: &[&str]) -> Result<Vec<Told>, ParseError>;

    /// Plays one whole turn of random actions and returns it in the notation of UGI and the log.
    /// `None`, with nothing played, if the game is over or a roll is due.
    fn play_random_turn(&mut self, rng: &mut Rng) -> Option<String>;

    /// Plays a list of actions, turns and rolls (`d6`) separated by blanks or commas.
    ///
    /// # Errors
    /// The first word that cannot be played, with its column; the words before it are played.
    fn play_words(&mut self, text: &str) -> Result<(), ParseError>;

    /// The legal actions, sorted; the faces of the die (`d1` …) if a roll is due.
    fn actions(&self) -> Vec<String>;

    /// The board as plain text.
    fn board(&self) -> String;

    /// The position on one line.
    fn position(&self) -> String;

    /// The position as a picture, with the last turn marked. Turns before the first of this match
    /// are not known: they have no marks and no numbers.
    ///
    /// # Errors
    /// A hint is not legal here.
    fn picture(&self, shown: &Shown<'_>) -> Result<Picture, ParseError>;

    /// The clicks that enter a legal action, or a roll if one is due: names of targets of the
    /// picture, or of buttons, with [`drawing::BUTTON`] in front. The clicks of no action are the
    /// first ones of another's.
    ///
    /// # Errors
    /// The action is not legal here.
    fn clicks(&self, action: &str) -> Result<Vec<String>, ParseError>;

    /// Number of sequences of `depth` actions from here.
    fn perft(&self, depth: u32) -> u64;
}

/// What [`Match::picture`] shows besides the position and the last turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// Whether stones show the numbers of their moves.
    pub numbers: bool,
    /// A line of play in UGI notation: actions or turns, separated by blanks. It ends at the first
    /// roll, and at the first word that cannot be played, as engines report lines that are wrong.
    pub line: &'a str,
    /// Candidate actions in UGI notation.
    pub hints: &'a [&'a str],
    /// Whether points where the side to move must not play are marked.
    pub forbidden: bool,
}

/// The implementation for a game.
pub(crate) struct Entry<G>(pub(crate) PhantomData<G>);

impl<G: Recorded + Engine> Rules for Entry<G> {
    fn environment(&self, variant: &Value) -> Result<Box<dyn Environment>, VariantError> {
        Ok(Box::new(GameEnvironment::new(start::<G>(variant)?)))
    }

    fn repeats(&self) -> bool {
        G::REPEATS
    }

    fn q_table(
        &self,
        variant: &Value,
        settings: QSettings,
        seed: u64,
    ) -> Result<Box<dyn Table>, VariantError> {
        let table = learning::table(start::<G>(variant)?, settings, seed);
        Ok(table.expect("settings in their ranges"))
    }

    fn weights_file(&self, weights: &Weights, origin: &str) -> Vec<u8> {
        weights::write::<G>(weights, origin)
    }

    fn id(&self) -> &'static str {
        G::ID
    }

    fn name(&self) -> &'static str {
        G::NAME
    }

    fn colours(&self) -> [&'static str; 2] {
        G::COLOURS
    }

    fn sau_colours(&self) -> [&'static str; 2] {
        G::SAU_COLOURS
    }

    fn has_dice(&self) -> bool {
        G::HAS_CHANCE
    }

    fn complete_variant(&self, variant: &Value) -> Result<Value, VariantError> {
        let variant = read_variant::<G>(variant)?;
        G::start(&variant)?;
        serde_json::to_value(variant).map_err(|error| VariantError(error.to_string()))
    }

    fn choices(&self) -> &'static [Choice] {
        G::CHOICES
    }

    fn start(&self, variant: &Value) -> Result<Box<dyn Match>, VariantError> {
        Ok(Box::new(Playing::new(start::<G>(variant)?)))
    }

    fn fits(&self, algorithm: Algorithm) -> Result<(), String> {
        entry::options::fits::<G>(algorithm)
    }

    fn announce(&self, protocol: Protocol, variant: &Value) -> Result<Announcement, String> {
        let start = start::<G>(variant).map_err(|error| error.to_string())?;
        dialect::announce(protocol, &start)
    }

    fn serve(&self, options: &Options) -> Result<(), Refusal> {
        entry::serve::<G>(options)
    }

    fn random_games(&self, variant: &Value, count: u64, seed: u64) -> Result<f64, VariantError> {
        let start = start::<G>(variant)?;
        let mut policy = G::Random::default();
        let mut rng = Rng::new(seed);
        Ok((0..count)
            .map(|_| policy.run(&mut start.clone(), &mut rng) as f64)
            .sum())
    }

    fn best(&self) -> Algorithm {
        G::settings().best
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters::parameters::<G>()
    }

    fn check_parameters(&self, assignments: &[Assignment]) -> Result<(), String> {
        parameters::settings::<G>(assignments).map(drop)
    }

    fn check_file(&self, option: FileOption, value: &str, variant: &Value) -> Result<(), String> {
        option.check::<G>(value, variant)
    }

    fn contest(&self, contest: &Contest<'_>, stop: &StopFlag) -> Result<Option<f64>, SearchError> {
        contest::play::<G>(contest, stop)
    }

    fn estimates(
        &self,
        variant: &Value,
        from: (Option<&str>, &str),
        game: &str,
        skip: usize,
        parameters: &[Vec<Assignment>],
    ) -> Result<Vec<Estimate>, SearchError> {
        estimates::estimates::<G>(variant, from, game, skip, parameters)
    }

    fn standard(&self) -> Standard {
        G::STANDARD
    }

    fn set_up(&self, variant: &Value, position: &str) -> Result<Box<dyn Match>, SearchError> {
        let position = start::<G>(variant)?.parse_position(position)?;
        Ok(Box::new(Playing::new(position)))
    }

    fn actions_to(&self, variant: &Value, position: &str) -> Option<Vec<String>> {
        let mut game = start::<G>(variant).ok()?;
        let actions = turn::actions_to(&game, &game.parse_position(position).ok()?)?;
        let write = |mv| {
            let text = game.write_move(mv);
            game.play(mv);
            text
        };
        Some(actions.into_iter().map(write).collect())
    }

    fn open(&self, variant: &Value, position: &str) -> Result<Box<dyn Match>, SearchError> {
        let position = search::read(&start::<G>(variant)?, position)?;
        Ok(Box::new(Playing::new(position)))
    }

    fn search(
        &self,
        variant: &Value,
        position: &str,
        request: &Request,
    ) -> Result<Finding, SearchError> {
        search::search(&search::read(&start::<G>(variant)?, position)?, request)
    }
}
