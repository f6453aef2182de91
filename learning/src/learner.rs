//! Learning iteration by iteration: games of the present model against itself, or logged games, then
//! a fit to the positions of the last iterations, and now and then games that measure it.

use std::ops::Range;
use std::sync::Arc;

use engine_core::learned::{Shape, Weights};
use engine_core::players::NoPlayer;
use entry::weights::Purpose;
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::adam::Adam;
use crate::environment::{Environment, LearnError, Player, SelfPlay};
use crate::fit::{FitSettings, fit, mean_loss};
use crate::logged::LoggedGame;
use crate::parameters::Parameters;
use crate::samples::Samples;
use crate::schedule::Schedule;

/// How a learner learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnSettings {
    /// Sizes of the hidden layers; both 0 for a sum of weights.
    pub hidden: [usize; 2],
    /// Whether the model corrects the evaluation made by hand instead of replacing it.
    pub corrects: bool,
    /// Games of an iteration, at least 1.
    pub games: u32,
    /// How the games are played.
    pub play: SelfPlay,
    /// Number of iterations whose positions are fitted, at least 1.
    pub window: usize,
    /// How the model is fitted; the rate is that of the first iteration.
    pub fit: FitSettings,
    /// The iteration at which the learning rate has halved, above 0.
    pub half_rate: f64,
    /// How the model is measured.
    pub strength: StrengthSettings,
    /// Seed of everything random.
    pub seed: u64,
}

/// How a model is measured against the evaluation made by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrengthSettings {
    /// After every so many iterations; 0 for never.
    pub every: u32,
    /// Pairs of games with sides exchanged.
    pub pairs: u32,
    /// How both sides search.
    pub player: Player,
}

/// What a learner knows, enough to go on exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    numbers: Vec<f32>,
    adam: Adam,
    /// Positions of the last iterations, oldest first.
    window: Vec<Samples>,
    progress: Vec<Progress>,
}

/// An iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Its number, from 1.
    pub iteration: u32,
    /// Games played so far.
    pub games: u64,
    /// Positions of this iteration; of a policy, its choices.
    pub positions: u64,
    /// The mean loss on these positions before the model was fitted to them, in nats: how well the
    /// model predicts what it has not seen.
    pub loss: f64,
    /// The mean loss on them after it.
    pub fitted: f64,
    /// The share of choices that a policy predicted before it was fitted to them; `None` for an
    /// evaluation.
    pub predicted: Option<f64>,
    /// The result against the engine without what is learned, if it was measured.
    pub strength: Option<Strength>,
}

/// A result of games in pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// Pairs by the results of both games for the model: loss, draw, win.
    pub pairs: [[u64; 3]; 3],
}

/// What a learner is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activity {
    /// Playing games: how many are over, of how many.
    Playing(u32, u32),
    /// Fitting: the share that is done, 0 to 1.
    Fitting(f64),
    /// Playing pairs of games to measure: how many are over, of how many.
    Measuring(u32, u32),
}

/// What learns by iterations.
pub trait Learns {
    /// What it knows, enough to go on exactly.
    type State: Serialize + DeserializeOwned;
    /// What it learns from games.
    type Played: Serialize + DeserializeOwned + Send;

    /// Number of games of an iteration.
    fn games(&self) -> u32;

    /// Plays some games of the next iteration, by their numbers from 0, on the threads of the current
    /// pool. Parts that were played apart, in their order, are as good as the whole. `tell` hears what
    /// is being done, from any thread.
    ///
    /// # Errors
    /// There is no player, or a logged game cannot be replayed.
    fn play(
        &self,
        games: Range<u32>,
        tell: &(dyn Fn(Activity) + Sync),
    ) -> Result<Self::Played, LearnError>;

    /// Ends the iteration with all of its games, in parts. The result does not depend on the number
    /// of parts or threads.
    ///
    /// # Errors
    /// There is no player to measure what was learned.
    fn learn(
        &mut self,
        parts: Vec<Self::Played>,
        tell: &(dyn Fn(Activity) + Sync),
    ) -> Result<Progress, LearnError>;

    /// Runs one iteration.
    ///
    /// # Errors
    /// Those of [`Learns::play`] and [`Learns::learn`].
    fn iterate(&mut self, tell: &(dyn Fn(Activity) + Sync)) -> Result<Progress, LearnError> {
        let played = self.play(0..self.games(), tell)?;
        self.learn(vec![played], tell)
    }

    /// All iterations so far.
    fn progress(&self) -> &[Progress];

    /// What was learned, as an engine plays with it.
    fn weights(&self) -> Weights;

    /// What the learner knows.
    fn state(&self) -> Self::State;
}

/// Learns weights of a game's evaluation.
pub struct Learner<'a> {
    environment: &'a dyn Environment,
    settings: LearnSettings,
    logged: Vec<LoggedGame>,
    parameters: Parameters,
    adam: Adam,
    window: Vec<Samples>,
    progress: Vec<Progress>,
}

/// Numbers of the streams of random numbers that one seed gives.
const START: u64 = 1;
const GAMES: u64 = 2;
const ORDER: u64 = 3;
const PAIRS: u64 = 4;

impl<'a> Learner<'a> {
    /// A learner that begins, or goes on from a state; `None` if the state is not of these
    /// settings. It learns from logged games, in order, and where there are none left from games
    /// against itself.
    ///
    /// # Panics
    /// The hidden layers have sizes that do not exist.
    pub fn new(
        environment: &'a dyn Environment,
        settings: LearnSettings,
        logged: Vec<LoggedGame>,
        state: Option<State>,
    ) -> Option<Learner<'a>> {
        let [hidden, second] = settings.hidden;
        let shape = Shape {
            inputs: environment.inputs().1,
            hidden,
            second,
        };
        let state = state.unwrap_or_else(|| {
            let parameters = Parameters::new(shape, stream(settings.seed, START, 0));
            State {
                adam: Adam::new(parameters.numbers().len()),
                numbers: parameters.numbers().to_vec(),
                window: Vec::new(),
                progress: Vec::new(),
            }
        });
        let parameters = Parameters::from_numbers(shape, state.numbers)?;
        let fits = state.adam.count() == parameters.numbers().len();
        fits.then_some(Learner {
            environment,
            settings,
            logged,
            parameters,
            adam: state.adam,
            window: state.window,
            progress: state.progress,
        })
    }

    fn fit(&mut self, iteration: u32, tell: &(dyn Fn(Activity) + Sync)) {
        let settings = &self.settings;
        let all = Samples::concat(&self.window);
        let rate = Schedule::Harmonic {
            first: settings.fit.rate.into(),
            half: settings.half_rate,
        };
        let fit_settings = FitSettings {
            rate: rate.at((iteration - 1).into()) as f32,
            ..settings.fit
        };
        fit(
            &mut self.parameters,
            &mut self.adam,
            &all,
            &fit_settings,
            stream(settings.seed, ORDER, iteration.into()),
            &mut |share| tell(Activity::Fitting(share)),
        );
    }
}

impl Learns for Learner<'_> {
    type State = State;
    type Played = Samples;

    fn state(&self) -> State {
        State {
            numbers: self.parameters.numbers().to_vec(),
            adam: self.adam.clone(),
            window: self.window.clone(),
            progress: self.progress.clone(),
        }
    }

    fn progress(&self) -> &[Progress] {
        &self.progress
    }

    fn weights(&self) -> Weights {
        Weights {
            inputs: self.environment.inputs().0.to_owned(),
            model: self.parameters.model(),
            corrects: self.settings.corrects,
        }
    }

    fn games(&self) -> u32 {
        self.settings.games
    }

    fn play(
        &self,
        games: Range<u32>,
        tell: &(dyn Fn(Activity) + Sync),
    ) -> Result<Samples, LearnError> {
        let weights = Arc::new(self.weights());
        let settings = &self.settings;
        let numbers = Numbers {
            seed: settings.seed,
            iteration: self.progress.len() as u32 + 1,
            all: settings.games,
            games,
        };
        let lists = numbers.play(&self.logged, tell, |game, seed| {
            (self.environment).play(game, &weights, &settings.play, seed)
        })?;
        Ok(Samples::concat(&lists))
    }

    fn learn(
        &mut self,
        parts: Vec<Samples>,
        tell: &(dyn Fn(Activity) + Sync),
    ) -> Result<Progress, LearnError> {
        let iteration = self.progress.len() as u32 + 1;
        let samples = Samples::concat(&parts);
        let loss = mean_loss(&self.parameters, &samples);
        let positions = samples.len() as u64;
        remember(&mut self.window, samples, self.settings.window);
        self.fit(iteration, tell);
        let newest = self.window.last().expect("one was added");
        let fitted = mean_loss(&self.parameters, newest);
        let strength = self.settings.strength.measure(
            self.environment,
            (self.weights(), Purpose::Evaluation),
            self.settings.play.random_actions,
            (self.settings.seed, iteration),
            tell,
        )?;
        let progress = Progress {
            iteration,
            games: u64::from(iteration) * u64::from(self.settings.games),
            positions,
            loss,
            fitted,
            predicted: None,
            strength,
        };
        self.progress.push(progress);
        Ok(progress)
    }
}

impl StrengthSettings {
    /// The result of learned weights against the engine without any of their purpose, if it is to
    /// be measured after this iteration of a run with this seed.
    ///
    /// # Errors
    /// The algorithm does not support the game, or memory is short.
    pub(crate) fn measure(
        &self,
        environment: &dyn Environment,
        (weights, purpose): (Weights, Purpose),
        random_actions: [u32; 2],
        (seed, iteration): (u64, u32),
        tell: &(dyn Fn(Activity) + Sync),
    ) -> Result<Option<Strength>, NoPlayer> {
        if self.every == 0 || !iteration.is_multiple_of(self.every) {
            return Ok(None);
        }
        let weights = Arc::new(weights);
        let seeds = stream(seed, PAIRS, iteration.into());
        let done = Counter::default();
        let results: Result<Vec<[f32; 2]>, NoPlayer> = (0..self.pairs)
            .into_par_iter()
            .map(|pair| {
                let seed = stream(seeds, PAIRS, pair.into());
                let points = environment.duel(&weights, purpose, self.player, random_actions, seed);
                tell(Activity::Measuring(done.next(), self.pairs));
                points
            })
            .collect();
        let mut strength = Strength { pairs: [[0; 3]; 3] };
        for pair in results? {
            let [one, other] = pair.map(|points| (2.0 * points) as usize);
            strength.pairs[one][other] += 1;
        }
        Ok(Some(strength))
    }
}

/// Some games of an iteration.
pub(crate) struct Numbers {
    /// The seed of the run.
    pub(crate) seed: u64,
    /// The iteration, from 1.
    pub(crate) iteration: u32,
    /// How many games an iteration has.
    pub(crate) all: u32,
    /// Those to play, from 0.
    pub(crate) games: Range<u32>,
}

impl Numbers {
    /// What comes of each of these games, in their order, played on the threads of the current pool.
    /// `play` gets a game's seed, and the logged game where one is left for it.
    pub(crate) fn play<T: Send>(
        self,
        logged: &[LoggedGame],
        tell: &(dyn Fn(Activity) + Sync),
        play: impl Fn(Option<&LoggedGame>, u64) -> Result<T, LearnError> + Sync,
    ) -> Result<Vec<T>, LearnError> {
        let seeds = stream(self.seed, GAMES, self.iteration.into());
        let before = (self.iteration - 1) as usize * self.all as usize;
        let count = self.games.len() as u32;
        let done = Counter::default();
        let games = self.games.into_par_iter();
        games
            .map(|game| {
                let seed = stream(seeds, GAMES, game.into());
                let result = play(logged.get(before + game as usize), seed);
                tell(Activity::Playing(done.next(), count));
                result
            })
            .collect()
    }
}

/// Adds the newest to a window of at most `most`, which loses its oldest for it.
pub(crate) fn remember<T>(window: &mut Vec<T>, newest: T, most: usize) {
    window.push(newest);
    let old = window.len().saturating_sub(most);
    window.drain(..old);
}

/// Counts what several threads have done.
#[derive(Default)]
pub(crate) struct Counter(std::sync::atomic::AtomicU32);

impl Counter {
    pub(crate) fn next(&self) -> u32 {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1
    }
}

/// The seed of a stream of random numbers: different for every kind and number.
pub(crate) fn stream(seed: u64, kind: u64, number: u64) -> u64 {
    use engine_core::zobrist::mix;
    mix(mix(seed ^ mix(kind)) ^ number)
}
