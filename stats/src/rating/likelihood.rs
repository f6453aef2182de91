//! The likelihood of all games under the model, and where it is greatest.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use nalgebra::DVector;

use super::parts::Score;
use super::scale::Scale;
use super::sparse::{EXTRAS, Factor, Matrix, Order, Pattern};
use super::{Encounter, Pairing};

/// The likelihood to maximize. Parameters: the strengths, as many as players, then the advantage, then
/// the draw parameter.
#[derive(Clone, Debug)]
pub(super) struct Likelihood {
    pub(super) players: usize,
    /// Which of the strengths each player has.
    scale: Arc<Scale>,
    encounters: Vec<Met>,
    /// Who met whom.
    pub(super) pattern: Arc<Pattern>,
    /// The order of elimination for it.
    order: OnceLock<Arc<Order>>,
    /// Whether there are draws; if not, the model has no draw parameter.
    pub(super) draws: bool,
    /// Groups of players whose strengths have the mean 0.
    pub(super) groups: Vec<Vec<usize>>,
    /// The weight of a term that keeps every parameter finite.
    ridge: f64,
}

/// The games of two players with the same one as `First`.
#[derive(Clone, Copy, Debug)]
struct Met {
    players: [usize; 2],
    /// The indices of their strengths.
    strengths: [usize; 2],
    /// How often the first one won, drew and lost.
    results: [f64; 3],
    /// The index of the strengths in the pattern; `None` if they are one.
    link: Option<usize>,
}

/// Parameters that maximize the likelihood, or follow on the way there.
pub(super) struct Maximum {
    pub(super) values: DVector<f64>,
    /// There, the derivatives of the negative log-likelihood.
    pub(super) derivatives: Derivatives,
}

/// Value and derivatives of the negative log-likelihood.
pub(super) struct Derivatives {
    pub(super) value: f64,
    pub(super) gradient: DVector<f64>,
    /// The second derivatives.
    pub(super) curvature: Matrix,
}

impl Likelihood {
    /// The likelihood of these games; `groups` are those of the strengths.
    pub(super) fn new(
        scale: &Arc<Scale>,
        groups: &[Vec<usize>],
        encounters: &[Encounter],
    ) -> Likelihood {
        let met = encounters.iter().filter(|met| met.first != met.second);
        let players = |met: &Encounter| [met.first, met.second];
        let pairs = met.clone().map(|met| scale.strengths(players(met)));
        let pattern = Pattern::new(scale.players(), pairs);
        let met = met.map(|met| Met {
            players: players(met),
            strengths: scale.strengths(players(met)),
            results: met.results.map(|count| count as f64),
            link: pattern.link(scale.strengths(players(met))),
        });
        Likelihood {
            players: scale.players(),
            scale: scale.clone(),
            encounters: met.collect(),
            pattern: Arc::new(pattern),
            order: OnceLock::new(),
            draws: encounters.iter().any(|met| met.results[1] > 0),
            groups: groups.to_vec(),
            ridge: 0.0,
        }
    }

    /// The same data with each draw counted as half a win for both players.
    pub(super) fn without_draws(&self) -> Likelihood {
        let mut halved = self.clone();
        halved.draws = false;
        for met in &mut halved.encounters {
            let [won, drawn, lost] = met.results;
            met.results = [won + drawn / 2.0, 0.0, lost + drawn / 2.0];
        }
        halved
    }

    /// The same data with each game of a pair counted half: however its games depend on each other, a
    /// pair is one observation.
    pub(super) fn with_pairs_as_one(mut self, pairs: &[Pairing]) -> Likelihood {
        let mut counts: HashMap<[usize; 2], [u64; 3]> = HashMap::new();
        for pair in pairs {
            let (first, second) = (pair.first, pair.second);
            for (one, other) in (0..3).flat_map(|one| (0..3).map(move |other| (one, other))) {
                let count = pair.results[one][other];
                counts.entry([first, second]).or_default()[one] += count;
                counts.entry([second, first]).or_default()[other] += count;
            }
        }
        for met in &mut self.encounters {
            let paired = counts.get(&met.players).copied().unwrap_or_default();
            (0..3).for_each(|result| met.results[result] -= paired[result] as f64 / 2.0);
        }
        self
    }

    /// The same data with a maximum that is always finite: where the likelihood rises for ever, far
    /// away from 0, and less than this below its supremum.
    pub(super) fn bounded(self) -> Likelihood {
        const RIDGE: f64 = 1e-9;
        Likelihood {
            groups: vec![(0..self.players).collect()],
            ridge: RIDGE,
            order: OnceLock::new(),
            ..self
        }
    }

    /// The same data under a model with draws, or without.
    pub(super) fn with_draws(self, draws: bool) -> Likelihood {
        if draws {
            Likelihood { draws, ..self }
        } else {
            self.without_draws()
        }
    }

    /// Gradient and information of these games alone. What is not estimated has neither.
    pub(super) fn score(&self, values: &DVector<f64>, with_advantage: bool) -> Score {
        let mut derivatives = self.derivatives(values, with_advantage);
        for extra in self.extras(with_advantage) {
            derivatives.curvature.clear(extra, 0.0);
        }
        Score {
            gradient: -derivatives.gradient,
            information: derivatives.curvature.dense(&self.pattern),
        }
    }

    /// The number of parameters.
    pub(super) fn size(&self) -> usize {
        self.players + EXTRAS
    }

    /// The index of the first-side advantage.
    pub(super) fn advantage(&self) -> usize {
        self.players
    }

    /// The index of the draw parameter.
    pub(super) fn draw(&self) -> usize {
        self.players + 1
    }

    /// Which of the extra parameters are not estimated: 0 is the advantage, 1 the draw parameter.
    pub(super) fn extras(&self, with_advantage: bool) -> impl Iterator<Item = usize> + use<> {
        let estimated = [with_advantage, self.draws];
        (0..EXTRAS).filter(move |&extra| !estimated[extra])
    }

    /// The players whose strengths solutions of linear equations have at 0: one of each group, as only
    /// differences count.
    pub(super) fn fixed(&self) -> Vec<bool> {
        let mut fixed = vec![false; self.players];
        if self.ridge > 0.0 {
            return fixed;
        }
        let mut opponents = vec![0; self.players];
        for &[one, other] in &self.pattern.links {
            opponents[one] += 1;
            opponents[other] += 1;
        }
        for group in &self.groups {
            // Covariances with a fixed player are known. Rounding errors are small relative to one who
            // has met many.
            let key = |player: usize| (self.scale.is_anchor(player), opponents[player]);
            let most = group.iter().max_by_key(|&&player| key(player));
            most.into_iter().for_each(|&player| fixed[player] = true);
        }
        fixed
    }

    /// The same with the games of some pairs of strengths only, and no others in the pattern.
    pub(super) fn only(&self, counts: impl Fn([usize; 2]) -> bool) -> Likelihood {
        let met = self.encounters.iter().filter(|met| counts(met.strengths));
        let pattern = Pattern::new(self.players, met.clone().map(|met| met.strengths));
        let encounters = met.map(|met| Met {
            link: pattern.link(met.strengths),
            ..*met
        });
        Likelihood {
            encounters: encounters.collect(),
            pattern: Arc::new(pattern),
            order: OnceLock::new(),
            ..self.clone()
        }
    }

    /// The strengths of players who met, and how often the first one won, drew and lost.
    pub(super) fn results(&self) -> impl Iterator<Item = ([usize; 2], [f64; 3])> {
        let of = |met: &Met| (met.strengths, met.results);
        self.encounters.iter().map(of)
    }

    /// The indices of the strengths of two players.
    pub(super) fn strengths(&self, players: [usize; 2]) -> [usize; 2] {
        self.scale.strengths(players)
    }

    /// The factors of a matrix with the pattern of these games.
    pub(super) fn factor(&self, matrix: &Matrix) -> Option<Factor> {
        Factor::of(self.order(), matrix)
    }

    fn order(&self) -> &Arc<Order> {
        (self.order).get_or_init(|| Arc::new(Order::new(&self.pattern, &self.fixed())))
    }

    /// Moves the strengths of each group so that their mean is 0.
    fn center(&self, values: &mut DVector<f64>) {
        for group in &self.groups {
            let sum: f64 = group.iter().map(|&player| values[player]).sum();
            let mean = sum / group.len() as f64;
            group.iter().for_each(|&player| values[player] -= mean);
        }
    }

    /// The solution of linear equations in which only differences within groups count.
    fn solve(&self, factor: &Factor, right: &DVector<f64>) -> DVector<f64> {
        self.centered(right, |right| factor.solve(right))
    }

    /// The same by [`Factor::solve_roughly`].
    pub(super) fn solve_roughly(&self, factor: &Factor, right: &DVector<f64>) -> DVector<f64> {
        self.centered(right, |right| factor.solve_roughly(right))
    }

    fn centered(
        &self,
        right: &DVector<f64>,
        solve: impl Fn(&DVector<f64>) -> DVector<f64>,
    ) -> DVector<f64> {
        let mut right = right.clone();
        self.center(&mut right);
        let mut solution = solve(&right);
        self.center(&mut solution);
        solution
    }

    /// Newton's method with step halving, from `start`. If there is a `direction`, the component of
    /// the parameters in it stays as it is. `None` if there is no finite maximum.
    pub(super) fn maximize(
        &self,
        start: DVector<f64>,
        with_advantage: bool,
        direction: Option<&DVector<f64>>,
    ) -> Option<Maximum> {
        const STEPS: usize = 200;
        const TOLERANCE: f64 = 1e-10;
        /// A step that gains less ends the search, as a share of the log-likelihood: rounding would
        /// hide what others gain.
        const LEAST_GAIN: f64 = 1e-11;
        /// Farther away, the second derivative says little.
        const LONGEST: f64 = 4.0;
        let mut values = start;
        let mut derivatives = self.derivatives(&values, with_advantage);
        for _ in 0..STEPS {
            let factor = self.factor(&derivatives.curvature)?;
            let mut step = self.solve(&factor, &derivatives.gradient);
            if let Some(direction) = direction {
                let along = self.solve(&factor, direction);
                step -= &along * (direction.dot(&step) / direction.dot(&along));
            }
            let gain = derivatives.gradient.dot(&step);
            let mut share = (LONGEST / step.amax()).min(1.0);
            let (next, found) = loop {
                let next = &values - &step * share;
                let found = self.derivatives(&next, with_advantage);
                if found.value <= derivatives.value || share < TOLERANCE {
                    break (next, found);
                }
                share /= 2.0;
            };
            (values, derivatives) = (next, found);
            if step.amax() < TOLERANCE || gain < LEAST_GAIN * (1.0 + derivatives.value) {
                break;
            }
        }
        Some(Maximum {
            values,
            derivatives,
        })
    }

    /// One whole step of Newton's method from what [`Likelihood::maximize`] found. That method stops
    /// where the likelihood's rounding hides what a step gains; along directions of little curvature
    /// the values are still off by some 1e-7 there, after this step by the square of that.
    pub(super) fn refine(&self, maximum: &Maximum, with_advantage: bool) -> Option<Maximum> {
        let factor = self.factor(&maximum.derivatives.curvature)?;
        let step = self.solve(&factor, &maximum.derivatives.gradient);
        let values = &maximum.values - step;
        let derivatives = self.derivatives(&values, with_advantage);
        Some(Maximum {
            values,
            derivatives,
        })
    }

    /// The negative log-likelihood. Unused parameters are fixed.
    pub(super) fn derivatives(&self, values: &DVector<f64>, with_advantage: bool) -> Derivatives {
        let mut derivatives = Derivatives {
            value: self.ridge / 2.0 * values.norm_squared(),
            gradient: values * self.ridge,
            curvature: Matrix::from_diagonal(&self.pattern, self.ridge),
        };
        for met in &self.encounters {
            derivatives.add(&self.game(met.players, values), met);
        }
        for extra in self.extras(with_advantage) {
            derivatives.gradient[self.players + extra] = 0.0;
            derivatives.curvature.clear(extra, 1.0);
        }
        derivatives
    }

    /// What the model says of a game of two players.
    pub(super) fn game(&self, players: [usize; 2], values: &DVector<f64>) -> Game {
        let lead = self.scale.lead(players, values) + values[self.advantage()];
        let draw = if self.draws {
            Some(values[self.draw()])
        } else {
            None
        };
        Game::new(lead, draw)
    }
}

/// The outcomes of a game under the model: won, drawn and lost by the first player.
pub(super) struct Game {
    /// The logarithm of each outcome's probability.
    logs: [f64; 3],
    probabilities: [f64; 3],
}

/// Points of the first player from each outcome.
const POINTS: [f64; 3] = [1.0, 0.5, 0.0];

impl Game {
    /// The game of a player who is stronger by `lead`, with this draw parameter if there are draws.
    fn new(lead: f64, draw: Option<f64>) -> Game {
        // Relative to the weight of a win of the stronger player.
        let half = lead.abs() / 2.0;
        let upset = (-2.0 * half).exp();
        let drawn = draw.map_or(0.0, |draw| (draw - half).exp());
        let sum = 1.0 + drawn + upset;
        let log = sum.ln();
        let mut game = Game {
            logs: [-log, draw.unwrap_or(0.0) - half - log, -2.0 * half - log],
            probabilities: [1.0 / sum, drawn / sum, upset / sum],
        };
        if lead < 0.0 {
            game.logs.swap(0, 2);
            game.probabilities.swap(0, 2);
        }
        game
    }

    /// The expected points of the first player.
    fn points(&self) -> f64 {
        self.probabilities[0] + self.probabilities[1] / 2.0
    }

    /// The derivatives of an outcome's log-likelihood: by the lead of the first player, and by the draw
    /// parameter.
    pub(super) fn score(&self, outcome: usize) -> [f64; 2] {
        let drawn = f64::from(u8::from(outcome == 1));
        [
            POINTS[outcome] - self.points(),
            drawn - self.probabilities[1],
        ]
    }

    /// The expectations of the products of two derivatives (Fisher information): of the lead with
    /// itself, of the lead with the draw parameter, and of this with itself.
    pub(super) fn information(&self) -> [f64; 3] {
        let [won, drawn, lost] = self.probabilities;
        [
            won * lost + drawn * (won + lost) / 4.0,
            drawn * (lost - won) / 2.0,
            drawn * (won + lost),
        ]
    }
}

impl Derivatives {
    /// Adds games of one kind by their results.
    fn add(&mut self, game: &Game, met: &Met) {
        let (mut by_lead, mut by_draw) = (0.0, 0.0);
        for (outcome, &count) in met.results.iter().enumerate() {
            if count > 0.0 {
                self.value -= count * game.logs[outcome];
                let score = game.score(outcome);
                by_lead += count * score[0];
                by_draw += count * score[1];
            }
        }
        let [first, second] = met.strengths;
        let advantage = self.gradient.len() - EXTRAS;
        self.gradient[first] -= by_lead;
        self.gradient[second] += by_lead;
        self.gradient[advantage] -= by_lead;
        self.gradient[advantage + 1] -= by_draw;
        let games: f64 = met.results.iter().sum();
        self.curvature
            .add(met.strengths, met.link, game.information(), games);
    }
}
