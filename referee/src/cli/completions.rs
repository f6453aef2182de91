//! `referee completions` and `referee man`: written from the definitions of the commands.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;

/// Print a script that completes commands and options in a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: referee completions bash > ~/.local/share/bash-completion/completions/referee
  referee completions zsh > ~/.zfunc/_referee
  referee completions fish > ~/.config/fish/completions/referee.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "referee", &mut script);
        out.write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Write the manual pages, one per command
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: referee man ~/.local/share/man/man1 && man referee-league")]
pub(super) struct ManArgs {
    /// Folder of the pages; created if needed
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl ManArgs {
    pub(super) fn run(self) -> Result<ExitCode> {
        let folder = &self.folder;
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
        written.with_context(|| folder.display().to_string())?;
        Ok(ExitCode::SUCCESS)
    }
}
