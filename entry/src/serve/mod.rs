//! The engine side of the protocols: sessions on standard input and output.

mod asking;
mod botzone;
mod gomocup;
mod gtp;
mod sau;
mod ugi;

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, FromArgMatches};
use engine_core::Algorithm;
use engine_core::time::{TimeLeft, TurnTime, less};
use game::{Engine, VariantError, dialect, start};
use protocol::Protocol;
use thiserror::Error;

use crate::options::{Options, fits};
use crate::parameters;
use crate::setup::Setup;
use crate::thinker::TurnLimits;

/// Maximum line length, bytes; a longer line is read in pieces.
const MAX_LINE: u64 = 1 << 20;

/// Reads lines, valid UTF-8 or not, until the input closes or `handle` returns [`Next::Quit`].
fn for_each_line(mut input: impl BufRead, mut handle: impl FnMut(&str) -> Next) {
    let mut line = Vec::new();
    loop {
        line.clear();
        // A read error counts as the end of the input.
        match std::io::Read::take(&mut input, MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        if !text.trim().is_empty() && handle(text) == Next::Quit {
            return;
        }
    }
}

/// Whether the session continues.
#[derive(PartialEq, Eq)]
enum Next {
    Line,
    Quit,
}

/// Prints a line to standard output and flushes it. A closed output is ignored: the input closes
/// too.
fn print(line: impl std::fmt::Display) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Prints a line to standard error. The platform may have closed it, so errors are ignored.
fn complain(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Plays `G` on standard input and output until `quit` or the end of the input.
///
/// # Errors
/// [`Refusal`].
pub fn serve<G: Engine>(options: &Options) -> Result<(), Refusal> {
    fits::<G>(options.algorithm).map_err(Refusal::Algorithm)?;
    parameters::settings::<G>(&options.parameters).map_err(Refusal::Parameter)?;
    let start = start::<G>(&options.variant)?;
    let setup = Setup::new::<G>(options.clone())
        .map_err(|(option, message)| Refusal::File(option.name(), message))?;
    let announced = dialect::announce(options.protocol, &start).map_err(Refusal::Protocol)?;
    match options.protocol {
        Protocol::Ugi => ugi::serve::<G>(setup)?,
        Protocol::Sau => sau::serve::<G>(setup)?,
        Protocol::Gtp => gtp::serve::<G>(setup, start),
        Protocol::Botzone | Protocol::BotzoneSimple => {
            botzone::serve::<G>(setup, start, announced).map_err(Refusal::Input)?;
        }
        Protocol::Gomocup => gomocup::serve::<G>(setup, start),
    }
    Ok(())
}

/// Why an engine refuses to play.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// The game does not support the variant.
    #[error("--variant: {0}")]
    Variant(#[from] VariantError),
    /// The algorithm does not support the game; the text gives the reason.
    #[error("--algorithm: {0}")]
    Algorithm(String),
    /// The game has no such parameter, or not this value; the text says what was expected.
    #[error("--set: {0}")]
    Parameter(String),
    /// The protocol does not support the game or the variant; the text gives the reason.
    #[error("--protocol: {0}")]
    Protocol(String),
    /// A file cannot be used: the option; the text names the file and the reason.
    #[error("--{0}: {1}")]
    File(&'static str, String),
    /// The input of a bot violates its protocol.
    #[error("standard input: {0}")]
    Input(String),
}

/// The start of the options' variant on a board of `size`, if the game and the protocol support it, and
/// the files that the options name. A game of a single size has no setting for it.
fn resized<G: Engine>(setup: &Setup, size: u32, protocol: Protocol) -> Option<G> {
    let options = &setup.options;
    let own = start::<G>(&options.variant).ok()?;
    let announced = dialect::announce(protocol, &own).unwrap_or_default().board;
    if announced.split(' ').next() == Some(&size.to_string()) {
        return Some(own);
    }
    let mut variant = options.variant.clone();
    variant["size"] = size.into();
    let start = start::<G>(&variant).ok()?;
    (setup.fits::<G>(&variant) && dialect::announce(protocol, &start).is_ok()).then_some(start)
}

/// Limits of a turn without a clock.
fn per_turn(options: &Options) -> TurnLimits {
    let time = Duration::from_millis(options.move_time);
    TurnLimits {
        hard: Some(within(options, time)),
        ..TurnLimits::default()
    }
}

/// Time reserved on every turn.
fn overhead(options: &Options) -> Duration {
    Duration::from_millis(options.move_overhead)
}

/// What a search may take of the time of a turn.
fn within(options: &Options, time: Duration) -> Duration {
    less(time, overhead(options))
}

/// Limits of a turn on a clock.
fn on_clock<G: Engine>(options: &Options, position: &G, clock: TimeLeft) -> TurnLimits {
    let TurnTime { soft, hard } = clock.turn_time(position.turns_left(), overhead(options));
    TurnLimits {
        soft,
        hard: Some(hard),
        ..TurnLimits::default()
    }
}

/// The command line of a game's executable.
fn command(id: &'static str, name: &str, best: Algorithm) -> clap::Command {
    Options::augment_args(clap::Command::new(id))
        .version(env!("CARGO_PKG_VERSION"))
        .about(format!(
            "A competition entry: plays {name} on standard input and output"
        ))
        .after_help(format!(
            "The algorithm `best` is {}, which has won this project's matches in {name}.\n\n\
             Example: {id} --protocol sau --move-time 5000",
            best.name()
        ))
}

/// Main function of a game's executable: reads the command line and plays.
pub fn run<G: Engine>() -> ExitCode {
    let matches = command(G::ID, G::NAME, G::settings().best).get_matches();
    let options = Options::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match serve::<G>(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(error);
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use engine_core::mcts::TreeMethod;

    use super::*;

    #[test]
    fn an_entry_is_named_after_its_game() {
        let mut command = command("hex", "Hex", Algorithm::Tree(TreeMethod::Tuned));
        command.clone().debug_assert();
        assert_eq!(
            command.render_version(),
            format!("hex {}\n", env!("CARGO_PKG_VERSION"))
        );
        let help = command.render_long_help().to_string();
        assert!(help.contains("plays Hex on standard input"), "{help}");
        assert!(help.contains("Example: hex --protocol sau"), "{help}");
        assert!(help.contains("`best` is mcts"), "{help}");
    }
}
