//! `referee serve`.

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use base::error::{BadInput, inform, tell};
use base::signals;
use pages::{Server, ServerError};

use super::position;
use league::session::guard;

/// The port, if it is free.
const PORT: u16 = 7650;

/// Show leagues and games in a browser
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The pages show leagues that run or have ended: ratings, cross tables, every game on its board.
Nothing leaves this machine: without --bind no other can connect. Who opens the address may look at
everything in the folder. To play, to analyse and to use the desk, open the file that is printed
below the address: only you can read it, and it makes a browser yours. With --bind, a browser of
another machine needs the code that the terminal shows, or the one in the file.

Example: referee serve
  referee serve matches/six-games --open
  referee serve --engines league.toml
  referee serve --bind 0.0.0.0 --port 8000")]
pub(super) struct Args {
    /// Folder of the leagues
    #[arg(default_value = "matches")]
    folder: PathBuf,

    /// Address to listen at; others than loopback let other machines connect
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,

    /// Port to listen at [default: 7650, or a free one]
    #[arg(long)]
    port: Option<u16>,

    /// League file whose engines can be chosen on the pages, beside the built-in ones; repeatable
    #[arg(long, value_name = "FILE.toml")]
    engines: Vec<PathBuf>,

    /// Open the front page in the browser of this machine
    #[arg(long)]
    open: bool,
}

/// Play a game at the contest desk, in a browser
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The engine plays one side, and the operator enters the other's turns by mouse or keyboard. Every turn
is on disk before it counts: after a crash, the same command goes on. The record is saved in the
contest's format; the games are a league of their own, matches/desk.

Example: referee desk hex
  referee desk gomoku --engines league.toml")]
pub(super) struct DeskArgs {
    /// Id of the game; referee games lists them
    game: Option<String>,

    /// Folder of the leagues
    #[arg(long, default_value = "matches", value_name = "DIR")]
    folder: PathBuf,

    /// Port to listen at [default: 7650, or a free one]
    #[arg(long)]
    port: Option<u16>,

    /// League file whose engines can be chosen, beside the built-in ones; repeatable
    #[arg(long, value_name = "FILE.toml")]
    engines: Vec<PathBuf>,

    /// Print the address and the file, and open no browser
    #[arg(long)]
    no_browser: bool,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let server = listen(self.bind, self.port, self.folder, self.engines, "")?;
        serve(server, self.bind, self.open, out)
    }
}

impl DeskArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        if let Some(game) = &self.game {
            position::find(game)?;
        }
        let page = match self.game {
            Some(game) => format!("desk?game={game}"),
            None => "desk".to_owned(),
        };
        let bind = Ipv4Addr::LOCALHOST.into();
        let server = listen(bind, self.port, self.folder, self.engines, &page)?;
        serve(server, bind, !self.no_browser, out)
    }
}

fn listen(
    address: IpAddr,
    port: Option<u16>,
    folder: PathBuf,
    engines: Vec<PathBuf>,
    page: &str,
) -> Result<Server, BadInput> {
    let at = |port| {
        let address = SocketAddr::new(address, port);
        Server::bind(address, folder.clone(), engines.clone(), page)
    };
    let server = match port {
        Some(port) => at(port),
        None => match at(PORT) {
            Err(ServerError::Address(..)) => at(0),
            bound => bound,
        },
    };
    server.map_err(|error| BadInput(error.to_string()))
}

/// Answers until the process ends. What is printed may be kept in logs, so no code is in it; it is told
/// to terminals alone, and only where another machine needs it.
fn serve(server: Server, bind: IpAddr, open: bool, out: &mut dyn Write) -> Result<ExitCode> {
    let _guard = guard()?;
    let cleanup = server.cleanup();
    let stop = move |_| {
        cleanup();
        std::process::exit(0);
    };
    signals::on_stop(stop).context("cannot listen to Ctrl-C")?;
    let file = server.file();
    // In one piece: who reads only the first line may close the pipe then.
    out.write_all(format!("{}\n{file}\n", server.url()).as_bytes())?;
    out.flush()?;
    if !bind.is_loopback() && std::io::stderr().is_terminal() {
        let (page, code) = server.code();
        tell(format_args!(
            "on another machine: open {page} and enter {code}; it is good once"
        ));
    }
    inform("the address shows the pages; open the file to act, too. Ctrl-C ends the server");
    if open && open::that_detached(&file).is_err() {
        inform("no browser found: open the file above");
    }
    server.run()?;
    Ok(ExitCode::SUCCESS)
}
