//! What a game offers to the other crates, and what follows from it alone: turns as text, the dialects of
//! protocols, lines of play.

pub mod choice;
pub mod dialect;
pub mod numbers;
pub mod standard;
pub mod turn;
pub mod view;

use std::fmt::Debug;

use drawing::Picture;
use engine_core::convolution::View as NetworkView;
use engine_core::learned::{Inputs, Knowledge, MoveFeatures};
use engine_core::mcts::TreeMethod;
use engine_core::parameter::Parameter;
use engine_core::players::{self, NoPlayer};
use engine_core::proof::Prover;
use engine_core::proof::dfpn::Dfpn;
use engine_core::{
    Algorithm, Evaluator, Notation, Playout, Resources, Search, Settings, Side, Symmetric,
};
use protocol::Protocol;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

pub use crate::choice::Choice;
pub use crate::dialect::Dialect;
pub use crate::standard::Standard;
pub use crate::view::View;

/// The platform's words for `First` and `Second`.
pub const PLATFORM_COLOURS: [&str; 2] = ["black", "white"];

/// A game with its variants, notation and players. The referee and the entries are generic over it.
/// Each game implements it in its `engine.rs`.
pub trait Game: Notation + Symmetric {
    /// The name in league files and on the command line: `dots-and-boxes`.
    const ID: &'static str;
    /// The name people read: `Dots and Boxes`.
    const NAME: &'static str;
    /// The colours of `First` and `Second`, in lower case: `["black", "white"]`.
    const COLOURS: [&'static str; 2];
    /// What SAU's `new` calls `First` and `Second`. The platform says `black` and `white` in every
    /// game that it has, whatever the colours of the pieces.
    const SAU_COLOURS: [&'static str; 2] = PLATFORM_COLOURS;
    /// Typical positions; none by default.
    const STANDARD: Standard = Standard::NONE;
    /// The keys of the variant whose values are words. Every key with a word as its default is here.
    const CHOICES: &'static [Choice] = &[];
    /// The weights of the evaluation that can be set: `evaluation.piece`. None by default.
    const PARAMETERS: &'static [Parameter] = &[];

    /// The rule settings, written as `variant = { … }` in a league file. `Default` gives the
    /// contest rules; unknown keys are errors.
    type Variant: Serialize + DeserializeOwned + Default + Clone + PartialEq + Debug + Send + Sync;
    /// The evaluation used by `pvs`, `mcts` and `greedy`.
    type Evaluator: Evaluator<Self> + 'static;
    /// What learned weights see; [`NoInputs`](engine_core::learned::NoInputs) if nothing is learned.
    type Inputs: Inputs<Self>;
    /// What a learned policy sees of a move; [`NoFeatures`](engine_core::learned::NoFeatures) if
    /// none is learned.
    type Features: MoveFeatures<Self>;
    /// What a network sees of a position; [`NoView`](engine_core::convolution::NoView) if there is
    /// none.
    type View: NetworkView<Self>;
    /// The policy of `mcts`.
    type Playout: Playout<Self> + 'static;
    /// Uniformly random moves, as fast as the game allows.
    type Random: Playout<Self> + Default + 'static;

    /// The start position of a variant.
    ///
    /// # Errors
    /// A variant that the game does not support: a board too large, an amazon off the board.
    fn start(variant: &Self::Variant) -> Result<Self, VariantError>;

    /// Why the finished game ended, in the game's terms: `six in a row`. Unspecified before the end
    /// of the game.
    fn ending(&self) -> &'static str;

    /// Whether this variant can end in a draw. The default is
    /// [`Position::DRAWS`](engine_core::Position::DRAWS).
    fn can_be_drawn(&self) -> bool {
        Self::DRAWS
    }

    /// The index into [`Game::COLOURS`] of a side in this position, 0 or 1.
    fn colour_index(&self, side: Side) -> usize {
        side.index()
    }

    /// The same unfinished position with a colour, an index into [`Game::COLOURS`], to act although
    /// it is not its turn: so users set positions up on a board. `before` is the position before
    /// the last turn. `None` if the game has no such position. By default the other side passes.
    fn out_of_turn(&self, colour: usize, before: Option<&Self>) -> Option<Self> {
        let _ = (colour, before);
        let mut other = self.clone();
        other.pass().then_some(other)
    }

    /// Reads the first game of an SGF file; `None` if there is none, or no SGF of this game.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn read_sgf(text: &str, variant: &Self::Variant) -> Option<Result<Played<Self>, String>> {
        let _ = (text, variant);
        None
    }

    /// How the SAU platform writes turns. The default is the notation of UGI.
    fn sau() -> Dialect<Self> {
        Dialect::plain(Self::write_turn, Self::parse_turn)
    }

    /// The game's dialect of a protocol; `None` if the protocol does not support the game. Every
    /// game supports UGI and SAU.
    fn dialect(protocol: Protocol) -> Option<Dialect<Self>> {
        Dialect::common(protocol)
    }

    /// The variant with the rules of a number in Gomocup's `INFO rule`; `None` if the game has no such
    /// rules.
    fn with_rule(variant: &Self::Variant, rule: u32) -> Option<Self::Variant> {
        let _ = (variant, rule);
        None
    }

    /// What `First` and `Second` have placed, if that is all that makes up a position: stones that
    /// never move, placed one by one. `None` for other games.
    fn placed(&self) -> Option<[Vec<Self::Move>; 2]> {
        None
    }

    /// The board as plain text with coordinates; every line ends with `\n`. The default is the
    /// position on one line.
    fn draw(&self) -> String {
        self.write_position() + "\n"
    }

    /// The board as a picture with what `view` asks for, without a title. The ground, the size and
    /// the targets are the same for all positions of a variant. The default is the text of
    /// [`Game::draw`].
    fn picture(&self, view: &View<'_, Self>) -> Picture {
        let _ = view;
        drawing::text(&self.draw())
    }

    /// The clicks that enter a legal action with a mouse: names of targets of the picture, or of
    /// buttons, with [`drawing::BUTTON`] in front. The clicks of no action are the first ones of
    /// another's. The default is a button for every action.
    fn clicks(&self, action: Self::Move) -> Vec<String> {
        view::button(self, action)
    }

    /// A new evaluator for this variant, made by hand.
    fn evaluator(&self) -> Self::Evaluator;

    /// A new playout policy for this variant.
    fn playout(&self) -> Self::Playout;

    /// A new evaluator and a new playout policy with a value for each of [`Game::PARAMETERS`], in
    /// order. The default ignores them.
    fn tuned(&self, values: &[f64]) -> (Self::Evaluator, Self::Playout) {
        let _ = values;
        (self.evaluator(), self.playout())
    }

    /// Calls [`player`]. Each game does so itself, so that its searches are compiled once, with the
    /// game, and not again in each program that plays it.
    ///
    /// # Errors
    /// Those of [`player`].
    fn make_player(&self, wanted: Wanted<'_>) -> NewPlayer<Self>;

    /// A player that uses `algorithm` with this game's evaluators and policies.
    ///
    /// # Errors
    /// The algorithm does not support the game, or the system has too little memory for the table.
    fn player(
        &self,
        algorithm: Algorithm,
        settings: &Settings,
        resources: Resources,
    ) -> NewPlayer<Self> {
        self.make_player(Wanted {
            algorithm,
            settings,
            resources,
        })
    }

    /// The depth-first proof-number search that `dfpn` is in this game, with a table of at most `bytes`
    /// bytes; `None` if the memory cannot be allocated. Only called in games that proof search fits.
    /// The default knows the rules alone.
    fn prover(&self, settings: &Settings, bytes: usize) -> Option<Box<dyn Prover<Self>>> {
        let _ = settings;
        Some(Box::new(Dfpn::new(bytes)?))
    }

    /// The action with which a player with this seed begins, where no search can find a good one: where
    /// the other side may swap, the search's best stone would be taken away. `None` by default, and in
    /// all other positions.
    fn opener(&self, seed: u64) -> Option<Opener<Self>> {
        let _ = seed;
        None
    }

    /// The opening book that is part of the program: a file of `referee book`. The game's best search
    /// plays from it in the book's variant. `None` by default.
    fn book() -> Option<&'static [u8]> {
        None
    }

    /// The search settings of this game.
    fn settings() -> Settings {
        Settings::default()
    }

    /// Estimated number of turns that the side to move still plays, including this one; at least 1.
    /// Time management divides the clock by it.
    fn turns_left(&self) -> u32;
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// Its variant.
    pub variant: G::Variant,
    /// Its start, and the position after each turn.
    pub positions: Vec<G>,
}

/// A first action that is played without a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opener<G: Game> {
    /// The action.
    pub mv: G::Move,
    /// Why it is played, in words.
    pub reason: &'static str,
}

/// The player that a game is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its parameters.
    pub settings: &'a Settings,
    /// Memory, threads and seed.
    pub resources: Resources,
}

/// Reads a variant of `G` and returns its start position.
///
/// # Errors
/// It is no variant of the game.
pub fn start<G: Game>(variant: &Value) -> Result<G, VariantError> {
    G::start(&read_variant::<G>(variant)?)
}

/// Reads a variant of `G`.
///
/// # Errors
/// It has other settings than the game, or values of another kind.
pub fn read_variant<G: Game>(variant: &Value) -> Result<G::Variant, VariantError> {
    serde_json::from_value(variant.clone()).map_err(|error| VariantError(error.to_string()))
}

/// A player of `G`, or why there is none.
pub type NewPlayer<G> = Result<Box<dyn Search<G>>, NoPlayer>;

/// The evaluator of a game's players: the one made by hand, with what the settings say of its
/// parameters and of learned weights, and the network in the game's own tree search.
pub type PlayedEvaluator<G> = Knowledge<
    <G as Game>::Evaluator,
    <G as Game>::Inputs,
    <G as Game>::Features,
    <G as Game>::View,
>;

/// The evaluator with which players with these settings search positions of this variant.
pub fn evaluator<G: Game>(position: &G, settings: &Settings) -> PlayedEvaluator<G> {
    let made = match &*settings.evaluation {
        [] => position.evaluator(),
        values => position.tuned(values).0,
    };
    Knowledge::new(made, position, settings.weights.as_ref())
        .with_policy(position, settings.policy.as_ref())
}

/// The player of a game that [`Game::make_player`] returns.
///
/// # Errors
/// The algorithm does not support the game, or the system has too little memory for the table.
pub fn player<G: Game>(position: &G, wanted: Wanted<'_>) -> NewPlayer<G> {
    let algorithm = wanted.settings.resolve(wanted.algorithm);
    let is_own_tree = algorithm == Algorithm::Tree(TreeMethod::Tuned);
    let network = wanted.settings.network.as_ref().filter(|_| is_own_tree);
    players::player(
        algorithm,
        || evaluator(position, wanted.settings).with_network(position, network),
        || match &*wanted.settings.evaluation {
            [] => position.playout(),
            values => position.tuned(values).1,
        },
        |bytes| position.prover(wanted.settings, bytes),
        wanted.settings,
        wanted.resources,
    )
}

/// A variant that the game does not support.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct VariantError(pub String);
