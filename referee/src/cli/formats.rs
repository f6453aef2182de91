//! `referee formats`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use catalog::{AnyGame, GAMES};
use records::Format;
use serde_json::json;

use super::facts::{FormatArg, write_json};

/// List the formats of records that are read and written, with an example line of each
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A name in the first column is one for --from and --to of verify, import, convert and replay. Without them
the format and game of a file are detected from its name and content.

Example: referee formats
  referee formats --game hex")]
pub(super) struct Args {
    /// Only formats of this game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let wanted = self
            .game
            .as_deref()
            .map(super::position::find)
            .transpose()?;
        let is_wanted =
            |game: &&'static dyn AnyGame| wanted.is_none_or(|one| one.id() == game.id());
        let games: Vec<_> = GAMES
            .iter()
            .copied()
            .filter(|game| is_wanted(game))
            .collect();
        let rows = Format::ALL.into_iter().map(|format| {
            let of = |game: &&&'static dyn AnyGame| game.record_formats().contains(&format);
            let ids: Vec<&str> = games.iter().filter(of).map(|game| game.id()).collect();
            (format, ids)
        });
        let rows: Vec<_> = rows.filter(|(_, ids)| !ids.is_empty()).collect();
        if self.format.is_json() {
            let facts = rows.iter().map(|(format, ids)| {
                let (what, example) = words(*format);
                json!({ "format": format.name(), "games": ids, "what": what, "example": example,
                        "extension": format.extension() })
            });
            write_json(out, &facts.collect::<Vec<_>>())?;
            return Ok(ExitCode::SUCCESS);
        }
        for (format, ids) in rows {
            let (what, example) = words(format);
            let games = if ids.len() == GAMES.len() {
                "all games".to_owned()
            } else {
                ids.join(", ")
            };
            writeln!(out, "{:<9} {what}", format.name())?;
            writeln!(out, "          {games}; .{}", format.extension())?;
            writeln!(out, "          {example}")?;
        }
        writeln!(
            out,
            "{:<9} this program's own log, one game per line; see matches/README.md",
            "log"
        )?;
        writeln!(out, "          all games; .jsonl")?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What a format is, and a line of it.
fn words(format: Format) -> (&'static str, &'static str) {
    match format {
        Format::Contest => (
            "records of China's contest (棋谱), UTF-8 or GBK",
            "{[HEX][one R][two B][先手胜][2025.01.01 14:00 重庆][赛事]R(A,1);B(B,2)}",
        ),
        Format::Sau => ("games saved by the SAU platform", "Black: JJ@@"),
        Format::Sgf => (
            "Smart Game Format, also of HexGui, Little Golem, c-gomoku-cli and PlayHex",
            "(;FF[4]GM[11]SZ[11]PB[one]PW[two]RE[B+];B[a1];W[b2])",
        ),
        Format::Hexworld => (
            "links to hexworld.org, and lines of trmph.com",
            "https://hexworld.org/board/#11,c2a3:rw",
        ),
        Format::Psq => (
            "games saved by Piskvork and Gomocup's judge, also Gomotur's .rec",
            "Piskvorky 15x15, 11:11, 0",
        ),
        Format::Moves => ("lists of moves, one game per line", "j10,k11,i11"),
        Format::Numbered => (
            "numbered turns over several lines, also of Six",
            "  1. a2 swap",
        ),
        Format::Table => (
            "tables (CSV), one game per line; the first line names the columns",
            "21,\"j10,k9,j12\",black",
        ),
    }
}
