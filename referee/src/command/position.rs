//! Command-line arguments that select a position.

use serde_json::Value;

use crate::error::BadInput;

/// A game, its variant, and the actions played.
#[derive(Debug, clap::Args)]
pub(super) struct PositionArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The actions played: actions, turns and rolls (d6), separated by spaces
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "ACTIONS"
    )]
    actions: String,
}

/// A game and its variant.
#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    /// The game, as listed by `referee games`
    game: String,
    #[command(flatten)]
    variant: VariantArg,
}

/// The variant of a game.
#[derive(Debug, clap::Args)]
pub(super) struct VariantArg {
    /// The variant, as a TOML or JSON table: '{ size = 5 }'
    #[arg(long, value_name = "TABLE")]
    variant: Option<String>,
}

impl PositionArgs {
    /// The match after the actions.
    pub(super) fn open(&self) -> Result<Box<dyn catalog::Match>, BadInput> {
        let mut game = self
            .rules()?
            .start(&self.game.variant()?)
            .map_err(bad_variant)?;
        game.play_words(&self.actions)
            .map_err(|error| BadInput(format!("--actions: {error}")))?;
        Ok(game)
    }

    /// The rules of the game.
    pub(super) fn rules(&self) -> Result<&'static dyn catalog::Rules, BadInput> {
        self.game.rules()
    }
}

impl GameArgs {
    /// The rules of the game.
    pub(super) fn rules(&self) -> Result<&'static dyn catalog::Rules, BadInput> {
        find(&self.game)
    }

    /// The variant as given.
    pub(super) fn variant(&self) -> Result<Value, BadInput> {
        self.variant.value()
    }
}

impl VariantArg {
    /// Whether one was given.
    pub(super) fn is_given(&self) -> bool {
        self.variant.is_some()
    }

    /// The variant as given; an empty table means the contest's rules.
    pub(super) fn value(&self) -> Result<Value, BadInput> {
        let text = self.variant.as_deref().unwrap_or("{}");
        entry::options::parse_variant(text).map_err(|error| BadInput(format!("--variant: {error}")))
    }
}

/// The game with this id.
pub(super) fn find(id: &str) -> Result<&'static dyn catalog::Rules, BadInput> {
    catalog::find(id).ok_or_else(|| {
        BadInput(format!(
            "game {id:?}, expected one of {}",
            catalog::ids().join(", ")
        ))
    })
}

/// The error for a variant that the game does not have.
pub(super) fn bad_variant(error: entry::VariantError) -> BadInput {
    BadInput(format!("--variant: {error}"))
}
