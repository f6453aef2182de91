//! One game of a model against itself.

use std::sync::Arc;

use engine_core::learned::{Inputs, Knowledge, Weights, log_odds};
use engine_core::players::NoPlayer;
use engine_core::{Evaluator, Limits, Report, Rng, Side};
use entry::weights::Purpose;
use entry::{Game, PlayedEvaluator};

use crate::environment::{
    Method, SelfPlay, of_side, opening, player, random_event, reads_both_views, with_weights,
};
use crate::returns::lambda_returns;
use crate::samples::{Sample, Samples};

/// A position of a game, before its target is known.
struct Seen {
    /// The side whose value is learned.
    side: Side,
    own: Vec<u32>,
    other: Vec<u32>,
    prior: f32,
}

/// Plays a game and returns its positions with their targets.
pub(crate) fn play<G: Game>(
    start: &G,
    weights: &Arc<Weights>,
    settings: &SelfPlay,
    seed: u64,
) -> Result<Samples, NoPlayer> {
    let mut rng = Rng::new(seed);
    let searched = settings.player;
    let mut player = player(
        start,
        searched,
        &with_weights::<G>(Purpose::Evaluation, Some(weights)),
        rng.next_u64(),
    )?;
    let mut observer = Observer::<G>::new(start, weights);
    let mut position = opening(start, settings.random_actions, &mut rng);
    let (mut seen, mut values, mut explored) = (Vec::new(), Vec::new(), Vec::new());
    while position.outcome().is_none() {
        if position.is_chance() {
            random_event(&mut position, &mut rng);
            continue;
        }
        let limits = Limits::nodes(searched.nodes);
        let report = player.search(&position, &limits, &mut |_| {});
        let explores = rng.unit() < settings.exploration;
        // Within a turn there is no value of its own.
        if !position.mid_turn() {
            let (learned, value) = observer.observe(&position, &report, settings.method);
            seen.push(learned);
            values.push(value);
            explored.push(explores);
        }
        match report.pv.first() {
            Some(&mv) if !explores => drop(position.play(mv)),
            _ => drop(random_event(&mut position, &mut rng)),
        }
    }
    let result = position
        .outcome()
        .map_or(0.5, |outcome| outcome.points_of_first());
    let targets = lambda_returns(&values, &explored, result, settings.lambda);
    let mut samples = Samples::default();
    for ((seen, target), explored) in seen.into_iter().zip(targets).zip(explored) {
        let Some(seen) = seen.filter(|_| !explored) else {
            continue;
        };
        samples.push(Sample {
            own: &seen.own,
            other: &seen.other,
            prior: seen.prior,
            target: of_side(seen.side, target),
        });
    }
    Ok(samples)
}

/// Reads what is learned off a position and its search.
struct Observer<G: Game> {
    knowledge: PlayedEvaluator<G>,
    inputs: G::Inputs,
    corrects: bool,
    both_views: bool,
}

impl<G: Game> Observer<G> {
    fn new(start: &G, weights: &Arc<Weights>) -> Observer<G> {
        Observer {
            knowledge: Knowledge::new(start.evaluator(), start, Some(weights)),
            inputs: G::Inputs::of(start),
            corrects: weights.corrects,
            both_views: reads_both_views(weights.model.shape()),
        }
    }

    /// The position whose value is learned, if there is anything to learn, and the value of the
    /// searched position for `First`.
    fn observe(
        &mut self,
        position: &G,
        report: &Report<G::Move>,
        method: Method,
    ) -> (Option<Seen>, f32) {
        let score = match method {
            Method::TdLeaf => report.score,
            Method::Td => None,
        };
        let value = match score {
            Some(score) => self.knowledge.probability(score),
            None => {
                self.knowledge.reset(position);
                let score = self.knowledge.evaluate(position);
                self.knowledge.probability(score)
            }
        };
        let learned = match method {
            Method::TdLeaf => self.see(&leaf(position, &report.pv)),
            Method::Td => self.see(position),
        };
        (learned, of_side(position.side(), value))
    }

    /// The inputs of a position; `None` if the evaluation made by hand is certain of it.
    fn see(&mut self, position: &G) -> Option<Seen> {
        let mut prior = 0.0;
        if self.corrects {
            let made = self.knowledge.made();
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
        Some(Seen {
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
