//! `referee anchors`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use base::error::BadInput;
use base::table;
use league::opponents::Opponent;
use serde_json::{Value, json};

use super::facts::{FormatArg, write_json};
use super::position::find;

/// List known opponents, how strong they are, and which of them are on this machine
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Opponents are programs of others. Each is found by its program in PATH, and can then be named in a
match. What they scored says on which day, and against which engine of ours.

Example: referee anchors
  referee anchors mohex
  referee anchors --game hex
  referee match best mohex --game hex")]
pub(super) struct Args {
    /// An opponent, to see everything about it
    name: Option<String>,
    /// Only those that play this game
    #[arg(long, conflicts_with = "name")]
    game: Option<String>,
    #[command(flatten)]
    format: FormatArg,
}

/// Columns of a terminal that the list takes.
const WIDTH: usize = 100;

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        if let Some(name) = &self.name {
            let known = known(name)?;
            if self.format.is_json() {
                write_json(out, &facts(&known))?;
            } else {
                write!(out, "{}", everything(&known)?)?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        let mut all = Opponent::all();
        if let Some(game) = &self.game {
            let id = find(game)?.id();
            all.retain(|known| known.games.iter().any(|game| game == id));
        }
        if self.format.is_json() {
            write_json(out, &all.iter().map(facts).collect::<Vec<_>>())?;
            return Ok(ExitCode::SUCCESS);
        }
        let header = ["", "name", "games", "here", "speaks"].map(str::to_owned);
        let row = |(place, known): (usize, &Opponent)| {
            vec![
                (place + 1).to_string(),
                known.name.clone(),
                games(known),
                here(known).to_owned(),
                known
                    .speaks
                    .split([':', ','])
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            ]
        };
        let rows: Vec<Vec<String>> = all.iter().enumerate().map(row).collect();
        writeln!(out, "{}", table::render_within(WIDTH, &header, &rows))?;
        for known in all {
            match known.tried.last() {
                Some(tried) => writeln!(
                    out,
                    "{}: {} ({}; {})",
                    known.name, tried.scored, tried.how, tried.on
                )?,
                None => writeln!(out, "{}: not measured", known.name)?,
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The opponent with this name.
pub(super) fn known(name: &str) -> Result<Opponent, BadInput> {
    Opponent::find(name).ok_or_else(|| {
        let all: Vec<String> = Opponent::all()
            .into_iter()
            .map(|known| known.name)
            .collect();
        BadInput(format!(
            "{name}: no known opponent, expected one of {}",
            all.join(", ")
        ))
    })
}

fn games(known: &Opponent) -> String {
    match &known.games[..] {
        [game] => game.clone(),
        games => format!("{} games", games.len()),
    }
}

/// Whether a program is on this machine.
fn here(known: &Opponent) -> &'static str {
    match (known.program(), known.found()) {
        (_, Some(_)) => "yes",
        (Some(_), None) => "no",
        (None, _) => "needs an adapter",
    }
}

/// All that is known of an opponent.
fn everything(known: &Opponent) -> Result<String> {
    let found = match (known.found(), known.program()) {
        (Some(path), _) => format!("found: {}", path.display()),
        (None, Some(program)) => format!(
            "not found: expected the program {program} in PATH, and the files of its command here"
        ),
        (None, None) => "it speaks no protocol of the referee".to_owned(),
    };
    let facts = [
        ("games", known.games.join(", ")),
        ("repository", format!("github.com/{}", known.repository)),
        ("version", known.version.clone()),
        ("licence", known.licence.clone()),
        ("speaks", known.speaks.clone()),
        ("limits", known.limits.clone()),
        ("here", found),
    ];
    let mut text = format!("{}: {}\n\n", known.name, known.about);
    for (key, value) in facts {
        text += &format!("{key:<12}{value}\n");
    }
    text += &format!("\n{}\n\n", textwrap::fill(known.notes.trim(), WIDTH));
    if known.tried.is_empty() {
        text += "Its strength was not measured.\n";
    }
    for tried in &known.tried {
        text += &format!("{}  {}: it scored {}\n", tried.on, tried.how, tried.scored);
    }
    if let Some(mut table) = known.table(&known.name) {
        table.insert("games".to_owned(), known.games.clone().into());
        text += &format!(
            "\nIn a league file:\n[[engine]]\n{}",
            toml::to_string(&table)?
        );
        if !known.variant.is_empty() {
            text += &format!(
                "[variant.{}]\n{}",
                known.games[0],
                toml::to_string(&known.variant)?
            );
        }
    }
    Ok(text)
}

fn facts(known: &Opponent) -> Value {
    let mut facts = json!(known);
    facts["found"] = json!(known.found());
    facts
}
