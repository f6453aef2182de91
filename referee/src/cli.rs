//! The command line, one module per command.

mod anchors;
mod bench;
mod book;
mod check;
mod compare;
mod completions;
mod conversion;
mod convert;
mod decide;
mod drop;
mod duel;
mod engine;
mod facts;
mod formats;
mod games;
mod guard;
mod league;
mod learn;
mod logged;
mod merge;
mod moves;
mod openings;
mod output;
mod overrides;
mod perft;
mod picture;
mod plan;
mod play;
mod position;
mod progress;
mod replay;
mod report;
mod review;
mod serve;
mod shard;
mod show;
mod sprt;
mod standings;
mod steps;
mod submit;
mod table;
mod time;
mod tune;
mod verify;
mod words;
mod work;

use std::io::{self, Write};
use std::process::ExitCode;

use base::error::{BadInput, be_quiet, tell};
use base::input;
use base::plain::Plain;
use clap::{Parser, Subcommand};

/// Plays leagues of game engines under clocks, and never trusts them.
#[derive(Debug, Parser)]
#[command(
    name = "referee",
    version,
    after_help = "A file named - is standard input, wherever a file is read.\n\n\
        Exit status: 0 success, 1 a failure or a fault found, 2 bad input.\n\n\
        Example: referee league configs/six-games.toml"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print no progress: only results, warnings and errors
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    League(league::Args),
    Match(duel::Args),
    Sprt(sprt::Args),
    Learn(learn::Args),
    Tune(tune::Args),
    Plan(plan::Args),
    Play(play::Args),
    Merge(merge::Args),
    Submit(submit::Args),
    Work(work::Args),
    Drop(drop::Args),
    Formats(formats::Args),
    Games(games::Args),
    Engine(engine::Args),
    Guard(guard::Args),
    Desk(serve::DeskArgs),
    Serve(serve::Args),
    Report(report::Args),
    Replay(replay::Args),
    Review(review::Args),
    Verify(verify::Args),
    Convert(convert::ConvertArgs),
    Import(convert::ImportArgs),
    Export(convert::ExportArgs),
    Standings(standings::Args),
    Table(table::Args),
    Decide(decide::Args),
    Perft(perft::Args),
    Moves(moves::Args),
    Show(show::Args),
    Compare(compare::Args),
    Check(check::Args),
    Bench(bench::Args),
    Book(book::Args),
    Openings(openings::Args),
    Anchors(anchors::Args),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
}

impl Cli {
    /// Runs the command. Messages go to standard error.
    pub fn run(self) -> ExitCode {
        if self.quiet {
            be_quiet();
        }
        // Not locked: a built-in engine writes from several threads.
        let out = &mut Plain::new(io::stdout());
        let result = match self.command {
            Command::League(args) => args.run(out),
            Command::Match(args) => args.run(out),
            Command::Sprt(args) => args.run(out),
            Command::Learn(args) => args.run(out),
            Command::Tune(args) => args.run(out),
            Command::Plan(args) => args.run(out),
            Command::Play(args) => args.run(out),
            Command::Merge(args) => args.run(out),
            Command::Submit(args) => args.run(out),
            Command::Work(args) => args.run(out),
            Command::Drop(args) => args.run(out),
            Command::Formats(args) => args.run(out),
            Command::Games(args) => args.run(out),
            Command::Engine(args) => args.run(out),
            Command::Guard(args) => args.run(),
            Command::Desk(args) => args.run(out),
            Command::Serve(args) => args.run(out),
            Command::Report(args) => args.run(out),
            Command::Replay(args) => args.run(out),
            Command::Review(args) => args.run(out),
            Command::Verify(args) => args.run(out),
            Command::Convert(args) => args.run(out),
            Command::Import(args) => args.run(out),
            Command::Export(args) => args.run(out),
            Command::Standings(args) => args.run(out),
            Command::Table(args) => args.run(out),
            Command::Decide(args) => args.run(out),
            Command::Perft(args) => args.run(out),
            Command::Moves(args) => args.run(out),
            Command::Show(args) => args.run(out),
            Command::Compare(args) => args.run(out),
            Command::Check(args) => args.run(out),
            Command::Bench(args) => args.run(out),
            Command::Book(args) => args.run(out),
            Command::Openings(args) => args.run(out),
            Command::Anchors(args) => args.run(out),
            Command::Completions(args) => args.run(out),
            Command::Man(args) => args.run(),
        };
        let result = result.and_then(|code| Ok(out.flush().map(|()| code)?));
        input::clean_up();
        result.unwrap_or_else(|error| report(&error))
    }
}

/// Reports an error. A closed pipe (`referee moves … | head`) is not an error.
fn report(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    if error.downcast_ref::<io::Error>().is_some_and(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    if let Some(bad) = error.downcast_ref::<BadInput>() {
        tell(bad);
        return ExitCode::from(2);
    }
    tell(format_args!("error: {error:#}"));
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn every_command_has_help_with_an_example() {
        let mut cli = Cli::command();
        cli.build();
        cli.clone().debug_assert();
        for command in cli
            .get_subcommands_mut()
            .filter(|command| command.get_name() != "help")
        {
            let help = command.render_long_help().to_string();
            let example = format!("Example: referee {}", command.get_name());
            assert!(help.contains(&example), "{help}");
        }
    }
}
