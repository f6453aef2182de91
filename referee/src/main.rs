//! The `referee` program.

mod cli;

use std::process::ExitCode;

use clap::Parser;

use cli::Cli;

fn main() -> ExitCode {
    Cli::parse().run()
}
