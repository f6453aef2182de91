//! The `referee` program.

// The comments of arguments are help texts: `[clock]` is a table there, `<name>` a placeholder.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

mod cli;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use cli::Cli;

fn main() -> ExitCode {
    Cli::parse().run()
}
