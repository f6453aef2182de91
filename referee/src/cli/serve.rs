//! `referee serve`.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use pages::{Server, ServerError};
use referee_core::base::error::{BadInput, inform};

/// The port, if it is free.
const PORT: u16 = 7650;

/// Show leagues and games in a browser
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The pages show leagues that run or have ended: ratings, cross tables, every game on its board.
Nothing leaves this machine: without --bind no other can connect. With --bind, pages of other
machines can read everything in the folder; to change anything they need the address with the token.

Example: referee serve
  referee serve matches/six-games --open
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

    /// Open the front page in the browser of this machine
    #[arg(long)]
    open: bool,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let server = self.server().map_err(|error| BadInput(error.to_string()))?;
        writeln!(out, "{}", server.url())?;
        out.flush()?;
        inform(format_args!("Ctrl-C ends the server"));
        if self.open && open::that_detached(server.url()).is_err() {
            inform(format_args!("no browser found: open the address above"));
        }
        server.run()?;
        Ok(ExitCode::SUCCESS)
    }

    fn server(&self) -> Result<Server, ServerError> {
        let at = |port| Server::bind(SocketAddr::new(self.bind, port), self.folder.clone());
        match self.port {
            Some(port) => at(port),
            None => at(PORT).or_else(|_| at(0)),
        }
    }
}
