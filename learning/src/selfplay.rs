//! One game from which a model learns: against itself, or from a log.

use std::sync::Arc;

use engine_core::learned::{CombinedEvaluator, Inputs, Weights, log_odds};
use engine_core::players::NoPlayer;
use engine_core::{Evaluator, Limits, Report, Rng, Search, Side};
use entry::weights::Purpose;
use game::searched::InputsOf;
use game::{Game, PlayedEvaluator, Searched};

use crate::environment::{
    LearnError, Method, SelfPlay, of_side, opening, player, random_event, reads_both_views,
    with_weights,
};
use crate::logged::{Event, LoggedGame, Script, read};
use crate::returns::lambda_returns;
use crate::samples::{Sample, Samples};

/// Plays a game and returns its positions with their targets.
pub(crate) fn play<G: Searched>(
    start: &G,
    weights: &Arc<Weights>,
    settings: &SelfPlay,
    seed: u64,
) -> Result<Samples, NoPlayer> {
    let mut rng = Rng::new(seed);
    let mut student = Student::new(start, weights, settings, rng.next_u64())?;
    let mut position = opening(start, settings.random_actions, &mut rng);
    while position.outcome().is_none() {
        if position.is_chance() {
            random_event(&mut position, &mut rng);
            continue;
        }
        let report = student.search(&position);
        let explores = rng.unit() < settings.exploration;
        student.learn(&position, Some(&report), explores);
        match report.pv.first() {
            Some(&mv) if !explores => drop(position.play(mv)),
            _ => drop(random_event(&mut position, &mut rng)),
        }
    }
    let result = position
        .outcome()
        .map_or(0.5, |outcome| outcome.points_of_first());
    Ok(student.samples(result))
}

/// Replays a logged game and returns its positions with their targets. Every move counts as one
/// that the model would have chosen.
pub(crate) fn replay<G: Searched>(
    start: &G,
    game: &LoggedGame,
    weights: &Arc<Weights>,
    settings: &SelfPlay,
    seed: u64,
) -> Result<Samples, LearnError> {
    let Script { begun, events } = read(start, game)?;
    let mut position = begun;
    let mut student = Student::new(start, weights, settings, seed)?;
    for event in events {
        match event {
            Event::Roll(face) => position.play_roll(face),
            Event::Action(mv) => {
                let searches = settings.method == Method::TdLeaf;
                let report = searches.then(|| student.search(&position));
                student.learn(&position, report.as_ref(), false);
                position.play(mv);
            }
        }
    }
    Ok(student.samples(game.points))
}

/// What is known of a position of a game before the result is.
struct Seen {
    /// What is learned, if there is anything to learn.
    learned: Option<Learned>,
    /// The value for `First`, 0 to 1.
    value: f32,
    /// Whether a random move was played.
    explored: bool,
}

/// A position, before its target is known.
struct Learned {
    /// The side whose value is learned.
    side: Side,
    own: Vec<u32>,
    other: Vec<u32>,
    prior: f32,
}

/// Searches the positions of a game, and remembers what is learned from them.
struct Student<'s, G: Searched> {
    settings: &'s SelfPlay,
    player: Box<dyn Search<G>>,
    observer: Observer<G>,
    seen: Vec<Seen>,
}

impl<G: Searched> Student<'_, G> {
    fn new<'s>(
        start: &G,
        weights: &Arc<Weights>,
        settings: &'s SelfPlay,
        seed: u64,
    ) -> Result<Student<'s, G>, NoPlayer> {
        let with_weights = with_weights::<G>(Purpose::Evaluation, Some(weights));
        Ok(Student {
            settings,
            player: player(start, settings.player, &with_weights, seed)?,
            observer: Observer::new(start, weights),
            seen: Vec::new(),
        })
    }

    fn search(&mut self, position: &G) -> Report<G::Move> {
        let limits = Limits::nodes(self.settings.player.nodes);
        self.player.search(position, &limits, &mut |_| {})
    }

    /// Remembers a position, which TD-Leaf must have searched, if it is between turns: within a turn
    /// there is no value of its own.
    fn learn(&mut self, position: &G, report: Option<&Report<G::Move>>, explored: bool) {
        if position.mid_turn() {
            return;
        }
        let report = report.filter(|_| self.settings.method == Method::TdLeaf);
        let (learned, value) = self.observer.observe(position, report);
        self.seen.push(Seen {
            learned,
            value,
            explored,
        });
    }

    /// The positions with their targets, if the game ends with these points of `First`.
    fn samples(self, result: f32) -> Samples {
        let values: Vec<f32> = self.seen.iter().map(|seen| seen.value).collect();
        let explored: Vec<bool> = self.seen.iter().map(|seen| seen.explored).collect();
        let targets = lambda_returns(&values, &explored, result, self.settings.lambda);
        let mut samples = Samples::default();
        for (seen, target) in self.seen.into_iter().zip(targets) {
            let Some(learned) = seen.learned.filter(|_| !seen.explored) else {
                continue;
            };
            samples.push(Sample {
                own: &learned.own,
                other: &learned.other,
                prior: learned.prior,
                target: of_side(learned.side, target),
            });
        }
        samples
    }
}

/// Reads what is learned off a position and its search.
struct Observer<G: Searched> {
    evaluator: PlayedEvaluator<G>,
    inputs: InputsOf<G>,
    corrects: bool,
    both_views: bool,
}

impl<G: Searched> Observer<G> {
    fn new(start: &G, weights: &Arc<Weights>) -> Observer<G> {
        Observer {
            evaluator: CombinedEvaluator::new(start.evaluator(), start, Some(weights)),
            inputs: InputsOf::<G>::of(start),
            corrects: weights.corrects,
            both_views: reads_both_views(weights.model.shape()),
        }
    }

    /// What is learned of a position, if there is anything to learn, and its value for `First`: by
    /// the report of a search, or by the position alone.
    fn observe(
        &mut self,
        position: &G,
        report: Option<&Report<G::Move>>,
    ) -> (Option<Learned>, f32) {
        let value = match report.and_then(|report| report.score) {
            Some(score) => self.evaluator.probability(score),
            None => {
                self.evaluator.reset(position);
                let score = self.evaluator.evaluate(position);
                self.evaluator.probability(score)
            }
        };
        let learned = match report {
            Some(report) => self.see(&leaf(position, &report.pv)),
            None => self.see(position),
        };
        (learned, of_side(position.side(), value))
    }

    /// The inputs of a position; `None` if the evaluation made by hand is certain of it.
    fn see(&mut self, position: &G) -> Option<Learned> {
        let mut prior = 0.0;
        if self.corrects {
            let made = self.evaluator.made();
            made.reset(position);
            prior = log_odds(made, position)?;
        }
        let side = position.side();
        let (mut own, mut other) = (Vec::new(), Vec::new());
        self.inputs.active(position, side, &mut own);
        self.inputs.passing(position, side, &mut own);
        if self.both_views {
            self.inputs.active(position, side.opponent(), &mut other);
        }
        Some(Learned {
            side,
            own,
            other,
            prior,
        })
    }
}

/// The last position of a line that a search evaluates: unfinished, and between turns.
fn leaf<G: Game>(position: &G, line: &[G::Move]) -> G {
    let mut last = position.clone();
    let mut next = position.clone();
    for &mv in line {
        if next.is_chance() || !next.is_legal(mv) {
            break;
        }
        next.play(mv);
        if next.outcome().is_some() {
            break;
        }
        if !next.mid_turn() {
            last.clone_from(&next);
        }
    }
    last
}
