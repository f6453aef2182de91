//! Logged games as pictures.

use catalog::Shown;
use drawing::Picture;
use gamelog::record::TurnRecord;
use task::opening;

use super::{Replay, find};

/// The seconds for which the picture of a turn is shown, that of a roll, and the last one.
const TURN: f64 = 0.8;
const ROLL: f64 = 0.5;
const END: f64 = 3.0;

impl Replay {
    /// Pictures of the start and of each turn and roll, each with the seconds for which it is
    /// shown. `numbers` says whether stones show the numbers of their moves.
    ///
    /// # Errors
    /// The game cannot be replayed.
    pub fn pictures(&self, numbers: bool) -> Result<Vec<(Picture, f64)>, String> {
        let Replay { game: record, .. } = self;
        let mut game = opening::begin(find(record)?, &record.variant, &record.opening)?;
        let shown = Shown {
            numbers,
            ..Shown::default()
        };
        let picture = |game: &dyn catalog::AnyMatch| {
            let picture = game.picture(&shown).map_err(|error| error.to_string())?;
            let seconds = if game.roll_due() { ROLL } else { TURN };
            Ok::<_, String>((picture, seconds))
        };
        let mut pictures = vec![picture(&*game)?];
        for TurnRecord { text, .. } in &record.turns {
            let played = game.play_words(text);
            played.map_err(|error| format!("{text:?}: {error}"))?;
            pictures.push(picture(&*game)?);
        }
        if let Some((_, seconds)) = pictures.last_mut() {
            *seconds = END;
        }
        Ok(pictures)
    }
}
