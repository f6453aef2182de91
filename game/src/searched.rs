//! How a game is searched: its evaluation, its random games, its settings, and what is learned of it.

use engine_core::convolution::View as NetworkView;
use engine_core::learned::{CombinedEvaluator, Inputs, MoveFeatures};
use engine_core::mcts::TreeMethod;
use engine_core::parameter::Parameter;
use engine_core::players::{self, NoPlayer};
use engine_core::{Algorithm, Evaluator, Playout, Position, Resources, Search, Settings};

use crate::Standard;
use crate::guided::Guided;

/// How a game is searched.
pub trait Searched: Guided {
    /// Typical positions; none by default.
    const STANDARD: Standard = Standard::NONE;
    /// The weights of the evaluation that can be set: `evaluation.piece`. None by default.
    const PARAMETERS: &'static [Parameter] = &[];

    /// The evaluation used by `pvs`, `mcts` and `greedy`.
    type Evaluator: Evaluator<Self> + 'static;
    /// What learned numbers see of the game: `()` if nothing is learned.
    type Learned: Learned<Self>;
    /// The policy of `mcts`.
    type Playout: Playout<Self> + 'static;
    /// Uniformly random moves, as fast as the game allows.
    type Random: Playout<Self> + Default + 'static;

    /// A new evaluator for this variant, made by hand.
    fn evaluator(&self) -> Self::Evaluator;

    /// A new playout policy for this variant.
    fn playout(&self) -> Self::Playout;

    /// A new evaluator and a new playout policy with a value for each of [`Searched::PARAMETERS`], in
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

    /// The search settings of this game.
    fn settings() -> Settings {
        Settings::default()
    }

    /// Estimated number of turns that the side to move still plays, including this one; at least 1.
    /// Time management divides the clock by it.
    fn turns_left(&self) -> u32;
}

/// What learned numbers see of a game. A game names it as three types: the inputs of an evaluation's
/// weights, the features of moves of a policy, the view of a network; with `()` for what it does not have.
pub trait Learned<P: Position> {
    /// What the weights of an evaluation see of a position.
    type Inputs: Inputs<P>;
    /// What a policy sees of a move.
    type Features: MoveFeatures<P>;
    /// What a network sees of a position.
    type View: NetworkView<P>;
}

/// Nothing is learned.
impl<P: Position> Learned<P> for () {
    type Inputs = ();
    type Features = ();
    type View = ();
}

impl<P: Position, I: Inputs<P>, F: MoveFeatures<P>, V: NetworkView<P>> Learned<P> for (I, F, V) {
    type Inputs = I;
    type Features = F;
    type View = V;
}

/// The [inputs](Learned::Inputs) of a game.
pub type InputsOf<G> = <<G as Searched>::Learned as Learned<G>>::Inputs;

/// The [features of moves](Learned::Features) of a game.
pub type FeaturesOf<G> = <<G as Searched>::Learned as Learned<G>>::Features;

/// The [view](Learned::View) of a game.
pub type ViewOf<G> = <<G as Searched>::Learned as Learned<G>>::View;

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

/// A player of `G`, or why there is none.
pub type NewPlayer<G> = Result<Box<dyn Search<G>>, NoPlayer>;

/// The evaluator of a game's players: the one made by hand, with what the settings say of its
/// parameters and of learned weights, and the network in the game's own tree search.
pub type PlayedEvaluator<G> =
    CombinedEvaluator<<G as Searched>::Evaluator, InputsOf<G>, FeaturesOf<G>, ViewOf<G>>;

/// The evaluator with which players with these settings search positions of this variant.
pub fn evaluator<G: Searched>(position: &G, settings: &Settings) -> PlayedEvaluator<G> {
    let made = match &*settings.evaluation {
        [] => position.evaluator(),
        values => position.tuned(values).0,
    };
    CombinedEvaluator::new(made, position, settings.weights.as_ref())
        .with_policy(position, settings.policy.as_ref())
}

/// The player of a game that [`Searched::make_player`] returns.
///
/// # Errors
/// The algorithm does not support the game, or the system has too little memory for the table.
pub fn player<G: Searched>(position: &G, wanted: Wanted<'_>) -> NewPlayer<G> {
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
