//! The `referee` program.

use std::process::ExitCode;

use clap::Parser;
use referee::command::Cli;

fn main() -> ExitCode {
    Cli::parse().run()
}
