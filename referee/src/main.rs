//! The `referee` program.

use std::process::ExitCode;

use clap::Parser;
use referee::cli::Cli;

fn main() -> ExitCode {
    Cli::parse().run()
}
