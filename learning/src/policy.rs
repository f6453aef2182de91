//! Learning a policy, iteration by iteration: games of the engine with the present policy, or logged
//! games, then a fit of the strengths of features to what was chosen in them, and now and then games
//! that measure it. In the first iteration there is no policy yet.

use std::ops::Range;
use std::sync::Arc;

use engine_core::learned::{Model, Shape, UNIT, Weights};
use entry::weights::Purpose;
use serde::{Deserialize, Serialize};

use crate::bradley_terry::{MmSettings, fit_strengths, predict};
use crate::choices::Choices;
use crate::choosing::ChoiceSettings;
use crate::environment::{Environment, LearnError};
use crate::learner::{Activity, Learns, Numbers, Progress, StrengthSettings, remember};
use crate::logged::LoggedGame;

/// How a policy is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicySettings {
    /// Games of an iteration, at least 1.
    pub games: u32,
    /// How the games are played, and what is remembered of them.
    pub play: ChoiceSettings,
    /// Number of iterations whose choices are fitted, at least 1.
    pub window: usize,
    /// How strengths are fitted.
    pub fit: MmSettings,
    /// How the policy is measured.
    pub strength: StrengthSettings,
    /// Seed of everything random.
    pub seed: u64,
}

/// What a learner of policies knows, enough to go on exactly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PolicyState {
    /// The logarithm of the strength of each feature.
    strengths: Vec<f64>,
    /// Choices of the last iterations, oldest first.
    window: Vec<Choices>,
    progress: Vec<Progress>,
}

/// Learns a policy of a game.
pub struct PolicyLearner<'a> {
    environment: &'a dyn Environment,
    settings: PolicySettings,
    logged: Vec<LoggedGame>,
    groups: Vec<u32>,
    state: PolicyState,
}

impl<'a> PolicyLearner<'a> {
    /// A learner that begins, or goes on from a state; `None` if the state is not of this game's
    /// features. It learns from logged games, in order, and where there are none left from games
    /// against itself.
    pub fn new(
        environment: &'a dyn Environment,
        settings: PolicySettings,
        logged: Vec<LoggedGame>,
        state: Option<PolicyState>,
    ) -> Option<PolicyLearner<'a>> {
        let groups = environment.features().1;
        let count = groups.iter().sum::<u32>() as usize;
        let state = state.unwrap_or_else(|| PolicyState {
            strengths: vec![0.0; count],
            ..PolicyState::default()
        });
        (state.strengths.len() == count).then_some(PolicyLearner {
            environment,
            settings,
            logged,
            groups,
            state,
        })
    }

    fn fit(&mut self, tell: &(dyn Fn(Activity) + Sync)) {
        let all = Choices::concat(&self.state.window);
        let fit = &self.settings.fit;
        fit_strengths(
            &mut self.state.strengths,
            &self.groups,
            &all,
            fit,
            &mut |sweep| {
                tell(Activity::Fitting(f64::from(sweep) / f64::from(fit.sweeps)));
            },
        );
    }
}

impl Learns for PolicyLearner<'_> {
    type State = PolicyState;
    type Played = Choices;

    fn games(&self) -> u32 {
        self.settings.games
    }

    fn play(
        &self,
        games: Range<u32>,
        tell: &(dyn Fn(Activity) + Sync),
    ) -> Result<Choices, LearnError> {
        let settings = &self.settings;
        let iteration = self.state.progress.len() as u32 + 1;
        let policy = (iteration > 1).then(|| Arc::new(self.weights()));
        let numbers = Numbers {
            seed: settings.seed,
            iteration,
            all: settings.games,
            games,
        };
        let lists = numbers.play(&self.logged, tell, |game, seed| {
            (self.environment).choose(game, policy.as_ref(), &settings.play, seed)
        })?;
        Ok(Choices::concat(&lists))
    }

    fn learn(
        &mut self,
        parts: Vec<Choices>,
        tell: &(dyn Fn(Activity) + Sync),
    ) -> Result<Progress, LearnError> {
        let iteration = self.state.progress.len() as u32 + 1;
        let choices = Choices::concat(&parts);
        let unseen = predict(&self.state.strengths, &choices);
        let positions = choices.len() as u64;
        remember(&mut self.state.window, choices, self.settings.window);
        self.fit(tell);
        let newest = self.state.window.last().expect("one was added");
        let fitted = predict(&self.state.strengths, newest).loss;
        let strength = self.settings.strength.measure(
            self.environment,
            (self.weights(), Purpose::Policy),
            self.settings.play.random_actions,
            (self.settings.seed, iteration),
            tell,
        )?;
        let progress = Progress {
            iteration,
            games: u64::from(iteration) * u64::from(self.settings.games),
            positions,
            loss: unseen.loss,
            fitted,
            predicted: Some(unseen.first),
            strength,
        };
        self.state.progress.push(progress);
        Ok(progress)
    }

    fn progress(&self) -> &[Progress] {
        &self.state.progress
    }

    fn weights(&self) -> Weights {
        let strengths = self.state.strengths.iter();
        let whole = |strength: &f64| (strength * f64::from(UNIT)).round() as i32;
        let numbers: Vec<i32> = strengths.map(whole).chain([0]).collect();
        let shape = Shape {
            inputs: self.state.strengths.len(),
            hidden: 0,
            second: 0,
        };
        Weights {
            inputs: self.environment.features().0.to_owned(),
            model: Model::new(shape, &numbers).expect("a sum has a number for each input, and one"),
            corrects: false,
        }
    }

    fn state(&self) -> PolicyState {
        self.state.clone()
    }
}
