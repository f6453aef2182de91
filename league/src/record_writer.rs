//! Writes the contest records of a league beside its log, as its games finish.

use std::ops::ControlFlow;
use std::path::PathBuf;

use base::error::tell;
use gamelog::files::Encoding;
use gamelog::files::logged::record_of;
use gamelog::files::output::{Folder, Style};
use gamelog::record::GameRecord;
use records::Format;

use crate::workers::Watcher;

/// Name of the folder beside the log.
pub const FOLDER: &str = "records";

/// Writes the record of each finished game, then forwards the game to another watcher. The game is
/// already in the log, so a record that cannot be written is only a warning: `referee export` can
/// write it from the log.
pub struct RecordWriter<'w> {
    folder: Folder,
    encoding: Option<Encoding>,
    watcher: &'w mut dyn Watcher,
}

impl<'w> RecordWriter<'w> {
    /// Writes into `folder`; writes nothing without an encoding.
    pub fn new(
        folder: PathBuf,
        encoding: Option<Encoding>,
        watcher: &'w mut dyn Watcher,
    ) -> RecordWriter<'w> {
        RecordWriter {
            folder: Folder::new(folder),
            encoding,
            watcher,
        }
    }
}

impl Watcher for RecordWriter<'_> {
    fn planned(&mut self, more: usize) {
        self.watcher.planned(more);
    }

    fn game(&mut self, game: &GameRecord) -> ControlFlow<()> {
        if let (Some(encoding), Some(rules)) = (self.encoding, catalog::find(&game.game)) {
            let style = Style {
                format: Format::Contest,
                encoding,
            };
            if let Err(error) = self.folder.write(style, rules, &record_of(game)) {
                let id = &game.id;
                tell(format_args!(
                    "warning: no record of game {id}, which is in the log: {error}"
                ));
            }
        }
        self.watcher.game(game)
    }

    fn tick(&mut self) {
        self.watcher.tick();
    }
}
