//! The engine side of the protocols: a session on standard input and output.

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
use engine_core::time::{Budget, Clock};
use serde_json::Value;
use thiserror::Error;

use crate::dialect;
use crate::game::{Game, VariantError};
use crate::options::{Options, fits};
use crate::protocol::Protocol;
use crate::thinker::TurnLimits;

/// Longest line that is read, bytes; a longer one is taken in pieces.
const LONGEST_LINE: u64 = 1 << 20;

/// Reads lines, whatever bytes they hold, until the input closes or `handle` says so.
fn for_each_line(mut input: impl BufRead, mut handle: impl FnMut(&str) -> Next) {
    let mut line = Vec::new();
    loop {
        line.clear();
        // A broken input has closed.
        match std::io::Read::take(&mut input, LONGEST_LINE).read_until(b'\n', &mut line) {
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

/// Whether a session goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Line,
    Quit,
}

/// Prints a line to standard output at once. A closed output is no trouble: the input closes too.
fn print(line: impl std::fmt::Display) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Prints a line to standard error. A platform may have closed it, which must cost no game.
fn complain(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Plays `G` on standard input and output until told to quit or the input closes.
///
/// # Errors
/// [`Refusal`].
pub fn serve<G: Game>(options: &Options) -> Result<(), Refusal> {
    fits::<G>(options.algorithm).map_err(Refusal::Algorithm)?;
    let start = start::<G>(&options.variant)?;
    let announced = dialect::announce(options.protocol, &start).map_err(Refusal::Protocol)?;
    match options.protocol {
        Protocol::Ugi => ugi::serve::<G>(options)?,
        Protocol::Sau => sau::serve::<G>(options)?,
        Protocol::Gtp => gtp::serve::<G>(options, start),
        Protocol::Botzone | Protocol::BotzoneSimple => {
            botzone::serve::<G>(options, start, announced).map_err(Refusal::Input)?;
        }
        Protocol::Gomocup => gomocup::serve::<G>(options, start),
    }
    Ok(())
}

/// Why an engine does not play.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// The variant is not one of the game's.
    #[error("--variant: {0}")]
    Variant(#[from] VariantError),
    /// The algorithm does not fit the game, for this reason.
    #[error("--algorithm: {0}")]
    Algorithm(String),
    /// The game, or its variant, is not played in the protocol, for this reason.
    #[error("--protocol: {0}")]
    Protocol(String),
    /// The input of a bot, which has but one, is none of its protocol.
    #[error("standard input: {0}")]
    Input(String),
}

/// Reads a variant of `G` and sets up its start.
fn start<G: Game>(variant: &Value) -> Result<G, VariantError> {
    let variant = serde_json::from_value(variant.clone());
    G::start(&variant.map_err(|error| VariantError(error.to_string()))?)
}

/// The start of the options' variant on a board of another size, if the game has one that is played
/// in the protocol.
fn resized<G: Game>(options: &Options, size: u32, protocol: Protocol) -> Option<G> {
    let mut variant = options.variant.clone();
    variant["size"] = size.into();
    let start = start::<G>(&variant).ok()?;
    dialect::announce(protocol, &start).is_ok().then_some(start)
}

/// What every turn may spend where nobody tells of a clock.
fn per_turn(options: &Options) -> TurnLimits {
    let time = Duration::from_millis(options.move_time.into());
    TurnLimits {
        hard: Some(time.saturating_sub(overhead(options))),
        ..TurnLimits::default()
    }
}

/// What is kept back on every turn.
fn overhead(options: &Options) -> Duration {
    Duration::from_millis(options.move_overhead.into())
}

/// What a turn may spend of a clock.
fn on_clock<G: Game>(options: &Options, position: &G, clock: Clock) -> TurnLimits {
    let Budget { soft, hard } = clock.budget(position.turns_left(), overhead(options));
    TurnLimits {
        soft,
        hard: Some(hard),
        ..TurnLimits::default()
    }
}

/// The command line of a game's own executable.
fn command(id: &'static str, name: &str) -> clap::Command {
    Options::augment_args(clap::Command::new(id))
        .version(env!("CARGO_PKG_VERSION"))
        .about(format!(
            "A competition entry: plays {name} on standard input and output"
        ))
        .after_help(format!("Example: {id} --protocol sau --move-time 5000"))
}

/// A game's own executable: reads the command line and plays.
pub fn run<G: Game>() -> ExitCode {
    let matches = command(G::ID, G::NAME).get_matches();
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
    use super::*;

    #[test]
    fn an_entry_is_named_after_its_game() {
        let mut command = command("hex", "Hex");
        command.clone().debug_assert();
        assert_eq!(
            command.render_version(),
            format!("hex {}\n", env!("CARGO_PKG_VERSION"))
        );
        let help = command.render_long_help().to_string();
        assert!(help.contains("plays Hex on standard input"), "{help}");
        assert!(help.contains("Example: hex --protocol sau"), "{help}");
    }
}
