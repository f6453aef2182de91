//! Command-line arguments that select a position.

use base::error::BadInput;
use catalog::SearchError;
use serde_json::Value;

/// A game, its variant, a position in it, and the actions played there.
#[derive(Debug, clap::Args)]
pub(super) struct PositionArgs {
    /// The game, as listed by `referee games`
    game: String,
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    place: PlaceArgs,
}

/// A position of a variant, and the actions played there.
#[derive(Debug, clap::Args)]
pub(super) struct PlaceArgs {
    /// The position to start from, on one line as `referee show` prints it [default: the initial
    /// position]
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// The actions played from there: actions, turns and rolls (d6), separated by spaces
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "ACTIONS"
    )]
    actions: String,
}

/// The variant of a game.
#[derive(Debug, clap::Args)]
pub(super) struct VariantArg {
    /// The variant, as a TOML or JSON table: '{ size = 5 }'
    #[arg(long, value_name = "TABLE")]
    variant: Option<String>,
}

impl PositionArgs {
    /// Whether a position or actions were given.
    pub(super) fn is_given(&self) -> bool {
        self.place.position.is_some() || !self.place.actions.is_empty()
    }

    /// The match after the actions.
    pub(super) fn open(&self) -> Result<Box<dyn catalog::AnyMatch>, BadInput> {
        self.place.open(self.rules()?, &self.variant()?)
    }

    /// The rules of the game.
    pub(super) fn rules(&self) -> Result<&'static dyn catalog::AnyGame, BadInput> {
        find(&self.game)
    }

    /// The variant as given.
    pub(super) fn variant(&self) -> Result<Value, BadInput> {
        self.variant.value()
    }
}

impl PlaceArgs {
    /// The match after the actions.
    pub(super) fn open(
        &self,
        rules: &dyn catalog::Rules,
        variant: &Value,
    ) -> Result<Box<dyn catalog::AnyMatch>, BadInput> {
        let mut game = match &self.position {
            None => rules.start(variant).map_err(bad_variant)?,
            Some(text) => rules.set_up(variant, text).map_err(|error| match error {
                SearchError::Variant(error) => bad_variant(error),
                error => BadInput(format!("--position: {error}")),
            })?,
        };
        game.play_words(&self.actions)
            .map_err(|error| BadInput(format!("--actions: {error}")))?;
        Ok(game)
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
pub(super) fn find(id: &str) -> Result<&'static dyn catalog::AnyGame, BadInput> {
    catalog::find(id).ok_or_else(|| {
        BadInput(format!(
            "game {id:?}, expected one of {}",
            catalog::ids().join(", ")
        ))
    })
}

/// The error for a variant that the game does not have.
pub(super) fn bad_variant(error: game::VariantError) -> BadInput {
    BadInput(format!("--variant: {error}"))
}
