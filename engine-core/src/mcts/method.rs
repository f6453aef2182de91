//! The Monte-Carlo methods by name, and their settings.

use crate::mcts::settings::{Selection, TreeSettings};

/// A Monte-Carlo method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeMethod {
    /// The game's own settings.
    Tuned,
    /// Flat Monte Carlo: playouts from the root moves, distributed by UCB1; no tree.
    Flat,
    /// Plain UCT with the game's playout policy.
    Uct,
    /// UCT with UCB1-tuned.
    UctTuned,
    /// PUCT with priors from a policy, or from the evaluation.
    Puct,
    /// RAVE.
    Rave,
    /// Progressive bias.
    Bias,
    /// Progressive widening.
    Widening,
    /// Last-good-reply playouts with forgetting.
    Lgr,
    /// Playouts ended early by the evaluation.
    Early,
    /// Implicit minimax backups.
    Implicit,
}

impl TreeMethod {
    /// Every method.
    pub const ALL: [TreeMethod; 11] = [
        TreeMethod::Tuned,
        TreeMethod::Flat,
        TreeMethod::Uct,
        TreeMethod::UctTuned,
        TreeMethod::Puct,
        TreeMethod::Rave,
        TreeMethod::Bias,
        TreeMethod::Widening,
        TreeMethod::Lgr,
        TreeMethod::Early,
        TreeMethod::Implicit,
    ];

    /// Whether the method searches the candidates of the evaluator only.
    pub fn has_candidates(self) -> bool {
        self == TreeMethod::Tuned
    }

    /// The settings of this method for a game with these settings. All methods but
    /// [`TreeMethod::Tuned`] differ from UCT in one thing.
    pub fn settings(self, game: &TreeSettings) -> TreeSettings {
        let uct = TreeSettings {
            exploration: 0.7,
            expand_after: 1,
            ..TreeSettings::default()
        };
        match self {
            TreeMethod::Tuned => game.clone(),
            TreeMethod::Uct => uct,
            TreeMethod::Flat => TreeSettings {
                expand_after: u32::MAX,
                ..uct
            },
            TreeMethod::UctTuned => TreeSettings {
                selection: Selection::Tuned,
                exploration: 1.0,
                ..uct
            },
            TreeMethod::Puct => TreeSettings {
                selection: Selection::Puct,
                exploration: 1.0,
                ..uct
            },
            TreeMethod::Rave => TreeSettings {
                rave: Some(0.1),
                exploration: 0.2,
                ..uct
            },
            TreeMethod::Bias => TreeSettings { bias: 4.0, ..uct },
            TreeMethod::Widening => TreeSettings {
                widening: 1.0,
                ..uct
            },
            TreeMethod::Lgr => TreeSettings {
                last_good_reply: true,
                ..uct
            },
            TreeMethod::Early => TreeSettings {
                early: Some(4),
                ..uct
            },
            TreeMethod::Implicit => TreeSettings {
                implicit: 0.4,
                ..uct
            },
        }
    }
}
