//! `referee replay`.

mod page;
mod said;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use base::error::{BadInput, tell};
use gamelog::files::{Encoding, Form, kind};
use gamelog::{self, Place};
use league::conversations;
use league::results::replay::Replay;

use super::conversion::{Conversion, Keep, Target};
use super::convert::SourceArgs;
use super::facts::{FormatArg, write_json};
use super::picture::{AnimationArgs, LookArgs};
use super::words;
use crate::terminal;

/// Step through a game in the terminal, print it, or write it as an animation
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Keys: right and left one ply, Home and End, Page Up and Page Down other games, s the \
    largest swings of a score, c what was said in a game that went wrong, l the list of games, q to quit. Without a terminal, the turns and the \
    last board are printed. JSON is the game's entry in the log. Records in any format that `referee \
    formats` lists are read, too; of a faulty game, its legal part.\n\n\
    Example: referee replay matches/six-games hex-r1-pvs-mcts --ply 12\n  \
    referee replay matches/six-games hex-r1-pvs-mcts --gif hex.gif --size 480\n  \
    referee replay matches/six-games hex-r1-pvs-mcts --svg hex.svg --theme auto --numbers\n  \
    referee replay game.sgf"
)]
pub(super) struct Args {
    /// A log, a file of records, a folder with such files, or - for standard input
    #[arg(value_name = "FILE")]
    log: PathBuf,
    /// The game: its id or the beginning of it [default: the first game of the log]
    id: Option<String>,
    /// Print the board after this many turns and rolls, with those of the opening; 0 for the start
    #[arg(long)]
    ply: Option<usize>,
    /// Format of the file
    #[arg(long, value_parser = words::form(), value_name = "FORMAT")]
    from: Option<Form>,
    #[command(flatten)]
    reading: SourceArgs,
    #[command(flatten)]
    files: AnimationArgs,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let imported = tempfile::tempdir()?;
        let logs = self.logs(imported.path())?;
        let mut games = Vec::new();
        let warnings = gamelog::places(&logs, |id, place| games.push((id, place)))?;
        for warning in warnings {
            tell(format_args!("warning: {warning}"));
        }
        let index = self.find(&games)?;
        if self.files.gif.is_some() || self.files.svg.is_some() {
            self.refuse_several(&games)?;
        }
        let place = &games[index].1;
        let game = place.game()?;
        if self.format.is_json() {
            write_json(out, &game)?;
            return Ok(ExitCode::SUCCESS);
        }
        let game = Replay::new(game);
        if self.files.gif.is_some() || self.files.svg.is_some() {
            self.animate(&game)?;
        } else if let Some(ply) = self.ply {
            let plies = game.plies();
            if ply > plies {
                return Err(BadInput(format!("--ply {ply}, expected 0 to {plies}")).into());
            }
            write!(out, "{}", show(&game, ply))?;
        } else if terminal::is_usable() {
            page::show(&games, index, game, self.id.is_none())?;
        } else {
            writeln!(out, "{}\n", game.heading())?;
            for line in game.lines() {
                writeln!(out, "{line}")?;
            }
            write!(out, "\n{}", show(&game, game.plies()))?;
            if let Some(said) = conversations::of(place.log(), game.id()) {
                write!(
                    out,
                    "\nLast lines to the engine at fault (>) and from it (<), after s:\n{said}"
                )?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The logs to read; records are imported into one in the folder `imported`.
    fn logs(&self, imported: &Path) -> Result<Vec<PathBuf>> {
        let source = self.reading.source(self.from)?;
        let files = source.find(std::slice::from_ref(&self.log))?;
        let is_log = |path: &PathBuf| self.from == Some(Form::Log) || kind::is_log(path);
        if self.from.is_none_or(|from| from == Form::Log) && files.paths.iter().all(is_log) {
            return Ok(files.paths);
        }
        let keep = Keep {
            prefix: true,
            unfinished: true,
            ..Keep::default()
        };
        let target = Target::open(imported, Form::Log, Encoding::Utf8)?;
        let mut faults = Vec::new();
        Conversion::new(&mut faults, &FormatArg::default(), keep, target).run(&source, files)?;
        // All lines but the totals.
        let faults = String::from_utf8_lossy(&faults).into_owned();
        let lines = faults.lines().filter(|line| line.contains(": "));
        lines.for_each(|line| tell(format_args!("warning: {line}")));
        // There is none if no game could be read.
        let log = imported.join(gamelog::FILE_NAME);
        Ok(log.exists().then_some(log).into_iter().collect())
    }

    /// Writes the files with the whole game.
    fn animate(&self, game: &Replay) -> Result<()> {
        let pictures = || {
            let pictures = game.pictures(self.look.numbers);
            pictures.map_err(|fault| BadInput(format!("{}: {fault}", game.id())))
        };
        if let Some(path) = &self.files.gif {
            self.look.write_gif(path, pictures()?)?;
        }
        if let Some(path) = &self.files.svg {
            self.look.write_animation(path, pictures()?)?;
        }
        Ok(())
    }

    /// A file with one of several games is none that was asked for.
    fn refuse_several(&self, games: &[(String, Place)]) -> Result<(), BadInput> {
        let id = self.id.as_deref().unwrap_or("");
        let mut meant = games
            .iter()
            .map(|(game, _)| game)
            .filter(|game| game.starts_with(id));
        let [first, second] = [meant.next(), meant.next()];
        let is_whole = first.is_some_and(|first| first == id);
        let (Some(first), Some(second), false) = (first, second, is_whole) else {
            return Ok(());
        };
        let more = match meant.count() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Err(BadInput(format!(
            "{}: which game? {first}, {second}{more}; name one by its id, or by its begin",
            self.log.display()
        )))
    }

    /// The index of the selected game.
    fn find(&self, games: &[(String, Place)]) -> Result<usize, BadInput> {
        let id = self.id.as_deref().unwrap_or("");
        games
            .iter()
            .position(|(game, _)| game.starts_with(id))
            .ok_or_else(|| {
                let known: Vec<&str> = games.iter().take(5).map(|(id, _)| id.as_str()).collect();
                let more = if games.len() > known.len() {
                    ", …"
                } else {
                    ""
                };
                let log = self.log.display();
                BadInput(match known[..] {
                    [] => format!("{log}: no games, expected one or more"),
                    _ => format!(
                        "{log}: no game {id:?}, expected one of {}{more}",
                        known.join(", ")
                    ),
                })
            })
    }
}

/// The board after a ply, or the error if the game is faulty.
fn show(game: &Replay, ply: usize) -> String {
    game.frame(ply)
        .unwrap_or_else(|fault| format!("{}\n\nfaulty: {fault}\n", game.heading()))
}
