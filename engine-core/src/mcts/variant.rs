//! The textbook methods by name: what each asks of the tree.

use crate::mcts::settings::{Selection, TreeSettings};
use crate::settings::Settings;

/// Which Monte-Carlo search plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// As the game's settings say.
    Tuned,
    /// Flat Monte Carlo: playouts from the moves of the root, shared out by UCB1; no tree.
    Flat,
    /// UCT with the game's playouts and nothing else.
    Uct,
    /// UCT with UCB1-tuned.
    UctTuned,
    /// PUCT with priors from the evaluation.
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

impl Variant {
    /// Every method.
    pub const ALL: [Variant; 11] = [
        Variant::Tuned,
        Variant::Flat,
        Variant::Uct,
        Variant::UctTuned,
        Variant::Puct,
        Variant::Rave,
        Variant::Bias,
        Variant::Widening,
        Variant::Lgr,
        Variant::Early,
        Variant::Implicit,
    ];

    /// The settings of a search for a game with settings of its own. All but [`Variant::Tuned`] see
    /// every move and differ from UCT in one thing.
    pub fn settings(self, game: &Settings) -> Settings {
        if self == Variant::Tuned {
            return game.clone();
        }
        let mut settings = game.clone();
        settings.width = None;
        settings.tree = self.tree();
        settings
    }

    fn tree(self) -> TreeSettings {
        let uct = TreeSettings {
            exploration: 0.7,
            expand_after: 1,
            ..TreeSettings::default()
        };
        match self {
            Variant::Tuned | Variant::Uct => uct,
            Variant::Flat => TreeSettings {
                expand_after: u32::MAX,
                ..uct
            },
            Variant::UctTuned => TreeSettings {
                selection: Selection::Tuned,
                exploration: 1.0,
                ..uct
            },
            Variant::Puct => TreeSettings {
                selection: Selection::Puct,
                exploration: 1.0,
                ..uct
            },
            Variant::Rave => TreeSettings {
                rave: Some(0.1),
                exploration: 0.2,
                ..uct
            },
            Variant::Bias => TreeSettings { bias: 4.0, ..uct },
            Variant::Widening => TreeSettings {
                widening: 1.0,
                ..uct
            },
            Variant::Lgr => TreeSettings {
                last_good_reply: true,
                ..uct
            },
            Variant::Early => TreeSettings {
                early: Some(4),
                ..uct
            },
            Variant::Implicit => TreeSettings {
                implicit: 0.4,
                ..uct
            },
        }
    }
}
