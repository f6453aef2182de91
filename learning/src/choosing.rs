//! Choices of a search in games against itself, from which a policy learns.

use std::sync::Arc;

use engine_core::learned::{MoveFeatures, Weights, offered};
use engine_core::players::NoPlayer;
use engine_core::{Candidates, Evaluator, Limits, Rng};
use entry::weights::Purpose;
use game::Searched;
use game::searched::FeaturesOf;

use crate::choices::Choices;
use crate::environment::{LearnError, Player, opening, player, random_event, with_weights};
use crate::logged::{Event, LoggedGame, Script, read};

/// How the games are played in which a search chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoiceSettings {
    /// How both sides search. Their limit of candidates should be wider than that of the engine:
    /// what is never searched is never chosen.
    pub player: Player,
    /// Random actions at the start: at least, and at most.
    pub random_actions: [u32; 2],
    /// The share of random actions after that, 0 to 1. What the search would have chosen is learned
    /// there, too.
    pub exploration: f32,
    /// Moves of a choice beside the chosen one, at most: a random sample of them is as good as all
    /// (McFadden, *Modelling the Choice of Residential Location*, 1978), and takes less memory.
    pub others: usize,
}

/// Plays a game and returns the choices in it, without those that are forced.
pub(crate) fn play<G: Searched>(
    start: &G,
    policy: Option<&Arc<Weights>>,
    settings: &ChoiceSettings,
    seed: u64,
) -> Result<Choices, NoPlayer> {
    let mut rng = Rng::new(seed);
    let searched = settings.player;
    let shipped = with_weights::<G>(Purpose::Policy, policy);
    let mut player = player(start, searched, &shipped, rng.next_u64())?;
    let mut observer = Observer::<G>::new(start, settings);
    let mut position = opening(start, settings.random_actions, &mut rng);
    let mut choices = Choices::default();
    while position.outcome().is_none() {
        if position.is_chance() {
            random_event(&mut position, &mut rng);
            continue;
        }
        let limits = Limits::nodes(searched.nodes);
        let report = player.search(&position, &limits, &mut |_| {});
        let Some(&chosen) = report.pv.first() else {
            random_event(&mut position, &mut rng);
            continue;
        };
        observer.observe(&position, chosen, &mut rng, &mut choices);
        if rng.unit() < settings.exploration {
            random_event(&mut position, &mut rng);
        } else {
            position.play(chosen);
        }
    }
    Ok(choices)
}

/// Returns the moves of a logged game as choices, without those that are forced, and without those
/// that are no candidates of the evaluation.
pub(crate) fn replay<G: Searched>(
    start: &G,
    game: &LoggedGame,
    settings: &ChoiceSettings,
    seed: u64,
) -> Result<Choices, LearnError> {
    let Script { begun, events } = read(start, game)?;
    let mut position = begun;
    let mut rng = Rng::new(seed);
    let mut observer = Observer::<G>::new(start, settings);
    let mut choices = Choices::default();
    for event in events {
        match event {
            Event::Roll(face) => position.play_roll(face),
            Event::Action(chosen) => {
                observer.observe(&position, chosen, &mut rng, &mut choices);
                position.play(chosen);
            }
        }
    }
    Ok(choices)
}

/// Reads choices off positions.
struct Observer<G: Searched> {
    evaluator: G::Evaluator,
    features: FeaturesOf<G>,
    limit: usize,
    others: usize,
    moves: Vec<G::Move>,
    /// The features of moves, and where those of each move end.
    seen: Vec<u32>,
    ends: Vec<usize>,
}

impl<G: Searched> Observer<G> {
    fn new(start: &G, settings: &ChoiceSettings) -> Observer<G> {
        let limit = settings.player.candidates.or(G::settings().candidate_limit);
        Observer {
            evaluator: start.evaluator(),
            features: FeaturesOf::<G>::of(start),
            limit: limit.unwrap_or(usize::MAX),
            others: settings.others,
            moves: Vec::new(),
            seen: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Adds the choice of a move among those that a policy is asked about.
    fn observe(&mut self, position: &G, chosen: G::Move, rng: &mut Rng, choices: &mut Choices) {
        self.evaluator.reset(position);
        let listed = offered(&mut self.evaluator, position, self.limit, &mut self.moves);
        let place = self.moves.iter().position(|&mv| mv == chosen);
        let Some(place) = place.filter(|_| listed != Candidates::Complete) else {
            return;
        };
        self.moves.swap(0, place);
        let kept = self.moves.len().min(1 + self.others);
        for at in 1..kept {
            let other = at + rng.below((self.moves.len() - at) as u32) as usize;
            self.moves.swap(at, other);
        }
        self.features.see(position);
        self.seen.clear();
        self.ends.clear();
        for &mv in &self.moves[..kept] {
            self.features
                .each(position, mv, |feature| self.seen.push(feature));
            self.ends.push(self.seen.len());
        }
        let starts = std::iter::once(&0).chain(&self.ends);
        let ranges = starts.zip(&self.ends);
        choices.push(ranges.map(|(&start, &end)| &self.seen[start..end]));
    }
}
