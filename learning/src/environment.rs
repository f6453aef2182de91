//! A game as learning sees it: games from which a model learns, and games that measure it.

use std::fmt;
use std::sync::Arc;

use engine_core::learned::{Inputs, MoveFeatures, Shape, Weights};
use engine_core::players::NoPlayer;
use engine_core::{Algorithm, ParseError, Position, Resources, Rng, Search, Settings, Side};
use entry::weights::Purpose;
use game::searched::{FeaturesOf, InputsOf};
use game::{Game, Searched};

use crate::choices::Choices;
use crate::choosing::{self, ChoiceSettings};
use crate::duel;
use crate::logged::LoggedGame;
use crate::samples::Samples;
use crate::selfplay;

/// How the players of learning search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Nodes or playouts for each action, at least 1.
    pub nodes: u64,
    /// Limit of candidates; `None` for that of the engine.
    pub candidates: Option<usize>,
}

/// Which value of a position is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// That of the position itself: TD(λ) (Sutton, 1988).
    Td,
    /// That of the last position of the search's principal variation: TD-Leaf(λ) (Baxter, Tridgell
    /// and Weaver, *Learning to Play Chess Using Temporal Differences*, 2000).
    TdLeaf,
}

/// How a model plays against itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfPlay {
    /// How both sides search.
    pub player: Player,
    /// Whose values are learned.
    pub method: Method,
    /// λ of the targets, 0 to 1, see [`crate::lambda_returns`].
    pub lambda: f32,
    /// Random actions at the start: at least, and at most.
    pub random_actions: [u32; 2],
    /// The share of random actions after that, 0 to 1.
    pub exploration: f32,
}

/// Why nothing can be learned from a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LearnError {
    /// There is no player: the algorithm does not support the game, or memory is short.
    Player(NoPlayer),
    /// A logged game cannot be replayed.
    Logged {
        /// Its id.
        id: String,
        /// The first word that cannot be played.
        error: ParseError,
    },
}

impl From<NoPlayer> for LearnError {
    fn from(error: NoPlayer) -> LearnError {
        LearnError::Player(error)
    }
}

impl fmt::Display for LearnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LearnError::Player(NoPlayer::OutOfMemory) => f.write_str("not enough memory"),
            LearnError::Player(NoPlayer::Unfit(reason)) => f.write_str(reason),
            LearnError::Logged { id, error } => write!(f, "game {id}: {error}"),
        }
    }
}

impl std::error::Error for LearnError {}

/// A game and variant behind an object-safe interface.
pub trait Environment: Send + Sync {
    /// The name of the inputs, and their number; 0 if nothing can be learned in this variant.
    fn inputs(&self) -> (&'static str, usize);

    /// Plays a game of the model against itself. Returns its positions with their targets. One seed
    /// gives one game.
    ///
    /// With a logged game, that game is replayed: its moves are played, and its result counts.
    ///
    /// # Errors
    /// There is no player, or the logged game cannot be replayed.
    fn play(
        &self,
        logged: Option<&LoggedGame>,
        weights: &Arc<Weights>,
        settings: &SelfPlay,
        seed: u64,
    ) -> Result<Samples, LearnError>;

    /// The name of the features of moves, and the sizes of their groups; none if no policy can be
    /// learned in this variant.
    fn features(&self) -> (&'static str, Vec<u32>);

    /// Plays a game of the engine with a policy, or without one, against itself. Returns its
    /// choices. One seed gives one game.
    ///
    /// With a logged game, its moves are the choices.
    ///
    /// # Errors
    /// Those of [`Environment::play`].
    fn choose(
        &self,
        logged: Option<&LoggedGame>,
        policy: Option<&Arc<Weights>>,
        settings: &ChoiceSettings,
        seed: u64,
    ) -> Result<Choices, LearnError>;

    /// Plays two games of the engine with weights of this purpose against the engine without any,
    /// with sides exchanged, from the same opening and with the same dice. Returns the points with
    /// weights in each.
    ///
    /// # Errors
    /// There is no player.
    fn duel(
        &self,
        weights: &Arc<Weights>,
        purpose: Purpose,
        player: Player,
        random_actions: [u32; 2],
        seed: u64,
    ) -> Result<[f32; 2], NoPlayer>;
}

/// The environment of a game.
pub struct GameEnvironment<G: Game> {
    start: G,
}

impl<G: Game> GameEnvironment<G> {
    /// The environment of games from a position.
    pub fn new(start: G) -> GameEnvironment<G> {
        GameEnvironment { start }
    }
}

impl<G: Searched> Environment for GameEnvironment<G> {
    fn inputs(&self) -> (&'static str, usize) {
        (InputsOf::<G>::NAME, InputsOf::<G>::of(&self.start).count())
    }

    fn play(
        &self,
        logged: Option<&LoggedGame>,
        weights: &Arc<Weights>,
        settings: &SelfPlay,
        seed: u64,
    ) -> Result<Samples, LearnError> {
        match logged {
            Some(game) => selfplay::replay(&self.start, game, weights, settings, seed),
            None => Ok(selfplay::play(&self.start, weights, settings, seed)?),
        }
    }

    fn features(&self) -> (&'static str, Vec<u32>) {
        (
            FeaturesOf::<G>::NAME,
            FeaturesOf::<G>::of(&self.start).groups(),
        )
    }

    fn choose(
        &self,
        logged: Option<&LoggedGame>,
        policy: Option<&Arc<Weights>>,
        settings: &ChoiceSettings,
        seed: u64,
    ) -> Result<Choices, LearnError> {
        match logged {
            Some(game) => choosing::replay(&self.start, game, settings, seed),
            None => Ok(choosing::play(&self.start, policy, settings, seed)?),
        }
    }

    fn duel(
        &self,
        weights: &Arc<Weights>,
        purpose: Purpose,
        player: Player,
        random_actions: [u32; 2],
        seed: u64,
    ) -> Result<[f32; 2], NoPlayer> {
        let settings = [Some(weights), None].map(|weights| with_weights::<G>(purpose, weights));
        duel::pair(&self.start, &settings, player, random_actions, seed)
    }
}

/// Memory of a player's table or tree, MiB: its searches are short.
const TABLE_MB: usize = 1;

/// A player for learning.
pub(crate) fn player<G: Searched>(
    start: &G,
    searched: Player,
    settings: &Settings,
    seed: u64,
) -> Result<Box<dyn Search<G>>, NoPlayer> {
    let settings = Settings {
        candidate_limit: searched.candidates.or(settings.candidate_limit),
        ..settings.clone()
    };
    let resources = Resources {
        table_mb: TABLE_MB,
        threads: 1,
        seed,
    };
    start.player(searched.algorithm, &settings, resources)
}

/// The settings of the engine with other weights of this purpose, or with none.
pub(crate) fn with_weights<G: Searched>(
    purpose: Purpose,
    weights: Option<&Arc<Weights>>,
) -> Settings {
    let mut settings = G::settings();
    *purpose.of(&mut settings) = weights.cloned();
    settings
}

/// Plays random actions, and rolls, from the start; as many as `random_actions` say. If the game
/// ends before, it begins again with one fewer.
pub(crate) fn opening<G: Game>(start: &G, random_actions: [u32; 2], rng: &mut Rng) -> G {
    let [least, most] = random_actions;
    let mut wanted = least + rng.below(most.saturating_sub(least) + 1);
    loop {
        let mut position = start.clone();
        let mut played = 0;
        while played < wanted && position.outcome().is_none() {
            played += u32::from(random_event(&mut position, rng));
        }
        if position.outcome().is_none() {
            return position;
        }
        wanted = wanted.saturating_sub(1);
    }
}

/// Plays a roll of fair dice.
pub(crate) fn roll<P: Position>(position: &mut P, rng: &mut Rng) {
    position.play_roll(1 + rng.below(u32::from(P::FACES)) as u8);
}

/// Plays a roll, or a random action; whether it was an action.
pub(crate) fn random_event<G: Game>(position: &mut G, rng: &mut Rng) -> bool {
    if position.is_chance() {
        roll(position, rng);
        return false;
    }
    let moves = position.legal_moves();
    position.play(moves[rng.below(moves.len() as u32) as usize]);
    true
}

/// Whether a model reads what the side sees that is not to act.
pub(crate) fn reads_both_views(shape: Shape) -> bool {
    shape.hidden > 0
}

/// The points of a side, if those of `First` are known, or the other way round.
pub(crate) fn of_side(side: Side, points: f32) -> f32 {
    match side {
        Side::First => points,
        Side::Second => 1.0 - points,
    }
}
