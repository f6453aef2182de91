//! Playouts.

use crate::evaluate::{Evaluator, Playout};
use crate::mcts::early;
use crate::mcts::lgr::Replies;
use crate::mcts::rave::Action;
use crate::mcts::settings::TreeSettings;
use crate::position::{Move, Position};
use crate::rng::Rng;

/// Plays games to the end by the game's policy, with last good reply and early termination if the
/// settings ask for them.
pub(super) struct Simulation<L, M> {
    policy: L,
    replies: Option<Replies>,
    early: Option<u32>,
    records_actions: bool,
    /// The actions of this playout, including those in the tree, if they are recorded.
    pub(super) game: Vec<Action>,
    played: Vec<(crate::position::Side, M)>,
}

impl<L, M: Move> Simulation<L, M> {
    pub(super) fn new(policy: L, settings: &TreeSettings) -> Self {
        Simulation {
            policy,
            replies: settings.last_good_reply.then(Replies::default),
            early: settings.early,
            records_actions: settings.records_actions(),
            game: Vec::new(),
            played: Vec::new(),
        }
    }

    /// Clears what was learnt in earlier games.
    pub(super) fn clear(&mut self) {
        if let Some(replies) = &mut self.replies {
            replies.clear();
        }
    }

    /// Records an action played in the tree.
    #[inline]
    pub(super) fn record(&mut self, action: Action) {
        if self.records_actions {
            self.game.push(action);
        }
    }

    /// Runs a playout from `position`; returns the points of `First`.
    #[inline]
    pub(super) fn run<P: Position<Move = M>>(
        &mut self,
        position: &mut P,
        evaluator: &mut impl Evaluator<P>,
        rng: &mut Rng,
    ) -> f32
    where
        L: Playout<P>,
    {
        if self.early.is_some() || self.replies.is_some() {
            return self.play_on(position, evaluator, rng);
        }
        if !self.records_actions {
            return self.policy.run(position, rng);
        }
        self.played.clear();
        let first = self.policy.record(position, rng, &mut self.played);
        let played = self.played.iter();
        self.game
            .extend(played.map(|&(side, mv)| (side, mv.to_bits())));
        first
    }

    /// Updates the last good replies after a playout.
    pub(super) fn learn(&mut self, first: f32) {
        if let Some(replies) = &mut self.replies {
            replies.learn(&self.game, first);
        }
    }

    /// Plays action by action: a stored reply if there is one, otherwise the policy's choice. Ends
    /// with the game, or with the evaluation after `early` plies.
    fn play_on<P: Position<Move = M>>(
        &mut self,
        position: &mut P,
        evaluator: &mut impl Evaluator<P>,
        rng: &mut Rng,
    ) -> f32
    where
        L: Playout<P>,
    {
        let mut plies = 0;
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome.points_of_first();
            }
            if self.early.is_some_and(|most| plies >= most) && !position.mid_turn() {
                return early::win_probability(evaluator, position);
            }
            if P::HAS_CHANCE && position.is_chance() {
                position.play_roll(1 + rng.below(P::FACES as u32) as u8);
                continue;
            }
            let mv = match self.reply(position) {
                Some(mv) => mv,
                None => self.policy.choose(position, rng),
            };
            self.record((position.side(), mv.to_bits()));
            position.play(mv);
            plies += 1;
        }
    }

    /// The stored reply to the last action, if it is legal.
    fn reply<P: Position<Move = M>>(&self, position: &P) -> Option<M> {
        let last = *self.game.last()?;
        let bits = self.replies.as_ref()?.reply(position.side(), last)?;
        Some(M::from_bits(bits)).filter(|&mv| position.is_legal(mv))
    }
}
