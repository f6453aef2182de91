//! `referee book show`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use base::error::BadInput;
use base::input;
use base::table;
use catalog::{KnownMove, Match};
use engine_core::{Score, Side};
use entry::Book;
use entry::book::{MIN_GAMES, Searched};
use lab::book::load;
use protocol::ugi::InfoScore;
use serde_json::{Value, json};

use super::super::facts::{FormatArg, write_json};
use super::super::position::{PlaceArgs, find};
use super::{facts, in_words};

/// Print what a book knows of a position, and what engines play there
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves stand in the order in which engines prefer them. An engine plays the first one if the position is
expanded or the move has 8 games, and searches otherwise.

Example: referee book show hex.book
  referee book show connect6.book --actions 'j10 k11i11'
  referee book show hex.book --position '11/11/11/11/11/11/11/11/11/11/11 r' --format json")]
pub(super) struct Args {
    /// The book, or - for standard input
    #[arg(value_name = "BOOK")]
    path: PathBuf,
    #[command(flatten)]
    place: PlaceArgs,
    /// Seed of the engine, which decides between equal moves
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let name = input::shown(&self.path);
        let book = load(&self.path)?;
        let rules = find(&book.game).map_err(|error| BadInput(format!("{name}: {error}")))?;
        let game = self.place.open(rules, &book.variant)?;
        let known = game.known_moves(&name, &book, self.seed);
        let (moves, plays) = known.map_err(|error| BadInput(error.to_string()))?;
        let entry = book.positions.get(&game.place().key);
        let searched = entry.and_then(|known| known.searched);
        if self.format.is_json() {
            let moves: Vec<Value> = moves.iter().map(|known| row(known, game.side())).collect();
            let facts = json!({
                "book": facts(&book),
                "position": game.position(),
                "known": entry.is_some(),
                "searched": searched.map(search_facts),
                "moves": moves,
                "plays": plays,
            });
            write_json(out, &facts)?;
            return Ok(ExitCode::SUCCESS);
        }
        write_head(out, rules.name(), &book)?;
        write_position(out, &*game, searched)?;
        if !moves.is_empty() {
            write!(out, "{}\n\n", rows(&moves, game.side()))?;
        }
        match (plays, moves.is_empty()) {
            (Some(action), _) => writeln!(out, "an engine plays {action}")?,
            (None, false) => writeln!(
                out,
                "an engine searches: no move has a score or {MIN_GAMES} games"
            )?,
            (None, true) => writeln!(out, "an engine searches: the book has no move here")?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn write_head(out: &mut dyn Write, name: &str, book: &Book) -> Result<()> {
    writeln!(out, "{name} {}: {}", book.variant, in_words(book))?;
    for made in &book.made {
        writeln!(out, "made by {made}")?;
    }
    Ok(())
}

fn write_position(out: &mut dyn Write, game: &dyn Match, searched: Option<Searched>) -> Result<()> {
    writeln!(out, "position: {}", game.position())?;
    if let Some(found) = searched {
        let (nodes, score) = (found.nodes, InfoScore::from(found.score));
        writeln!(out, "searched: {nodes} nodes, {score}")?;
    }
    Ok(())
}

fn rows(moves: &[KnownMove], side: Side) -> String {
    let header = [
        "", "move", "images", "games", "won", "drawn", "lost", "points", "score",
    ];
    let row = |(number, known): (usize, &KnownMove)| {
        let results = known.results;
        let (won, lost) = results.won_and_lost(side);
        let points = match results.games() {
            0 => String::new(),
            games => format!("{:.1} %", 100.0 * results.points(side) / games as f64),
        };
        vec![
            number.to_string(),
            known.action.clone(),
            known.images.to_string(),
            results.games().to_string(),
            won.to_string(),
            results.draws.to_string(),
            lost.to_string(),
            points,
            known.value.map_or(String::new(), score),
        ]
    };
    let rows = (1..).zip(moves).map(row).collect();
    table::render(header.map(str::to_owned).to_vec(), rows)
}

/// A move for programs.
fn row(known: &KnownMove, side: Side) -> Value {
    let (won, lost) = known.results.won_and_lost(side);
    json!({
        "action": known.action,
        "images": known.images,
        "games": known.results.games(),
        "won": won,
        "drawn": known.results.draws,
        "lost": lost,
        "score": known.value.map(score),
        "enough": known.is_enough,
    })
}

fn search_facts(found: Searched) -> Value {
    json!({
        "nodes": found.nodes,
        "solved": found.solved,
        "score": score(found.score),
    })
}

/// A score in the words of UGI.
fn score(score: Score) -> String {
    InfoScore::from(score).to_string()
}
