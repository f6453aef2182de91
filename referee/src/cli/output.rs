//! Where the output of a league goes.

use std::io::Write;
use std::path::{Path, PathBuf};

use league::config::Config;
use league::session::{self, Settings};

/// Where the output of a league goes.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Output {
    /// Folder of the log and the tables [default: matches/<name of the league>]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Write every line exchanged with engines to this file, with timestamps
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Go on although the files of an engine have changed since it played games of the log; the
    /// tables then tell its builds apart
    #[arg(long)]
    rebuilt: bool,
    /// Begin without trying every engine first: start it and ask for one turn
    #[arg(long)]
    anyway: bool,
    /// Append events to this file as they happen, one JSON object per line; - writes them to
    /// standard output, and the results to standard error
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

impl Output {
    /// What of it concerns a league that is played.
    pub(super) fn settings(&self, config: &Config) -> Settings {
        Settings {
            folder: session::folder(self.out.as_deref(), config),
            trace: self.trace.clone(),
            rebuilt: self.rebuilt,
            trials: !self.anyway,
            events: self.events.clone(),
        }
    }

    /// The writer for results: `out`, or standard error if events use standard output.
    pub(super) fn results<'o>(&self, out: &'o mut dyn Write) -> Box<dyn Write + 'o> {
        if self.events.as_deref() == Some(Path::new("-")) {
            Box::new(std::io::stderr())
        } else {
            Box::new(out)
        }
    }
}
