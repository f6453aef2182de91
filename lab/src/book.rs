//! Opening books: made from games, grown by searches, merged, written to disk.
//!
//! | file | what is in it |
//! |---|---|
//! | `build.rs` | books from games |
//! | `expand.rs` | drop-out expansion: books from searches |
//! | `merge.rs` | two books in one |
//!
//! [`entry::book`] has the book itself, its file, and what engines do with it.

mod build;
mod expand;
mod merge;

use std::fmt::Display;
use std::fs::File;
use std::path::Path;

use base::disk;
use base::error::BadInput;
use base::input;
use entry::Book;
use entry::book::Known;
use serde_json::Value;

pub use build::{Builder, Made, Recipe};
pub use expand::{Ahead, Expander, Expansion, Plan};
pub use merge::merge;

/// Reads a book of the command line.
///
/// # Errors
/// It is no book, or one that was damaged.
pub fn load(path: &Path) -> Result<Book, BadInput> {
    let name = input::shown(path);
    let bytes = input::bytes(path);
    let bytes =
        bytes.map_err(|error| BadInput(format!("{name}: {error}, expected an opening book")))?;
    Book::from_bytes(&name, &bytes).map_err(|error| BadInput(error.to_string()))
}

/// Locks a book for this process, by the file `BOOK.lock` beside it; the book itself is replaced when
/// it is written. The lock ends with the returned file.
///
/// # Errors
/// The file cannot be made, or another process holds the lock.
pub fn lock(path: &Path) -> Result<File, BadInput> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let fault = |message: &dyn Display| BadInput(format!("{}: {message}", path.display()));
    let file = disk::open_to_append(Path::new(&beside), true).map_err(|error| fault(&error))?;
    match gamelog::lock(&file) {
        Ok(true) => Ok(file),
        Ok(false) => Err(fault(&"another process expands this book")),
        Err(error) => Err(fault(&error)),
    }
}

/// Checks that a book is one of a game and variant. `name` begins the message.
///
/// # Errors
/// It is of another game, variant or version of the program.
pub fn check(name: &str, book: &Book, game: &str, variant: &Value) -> Result<(), BadInput> {
    let wrong = |message: String| BadInput(format!("{name}: {message}"));
    if book.game != game {
        let message = format!("a book of {}, expected one of {game}", book.game);
        return Err(wrong(message));
    }
    if book.variant != *variant {
        let own = &book.variant;
        return Err(wrong(format!(
            "a book of the variant {own}, expected {variant}"
        )));
    }
    let rules = catalog::find(game).ok_or_else(|| wrong(format!("unknown game {game:?}")))?;
    let start = rules.start(variant);
    let start = start.map_err(|error| wrong(error.to_string()))?;
    let opened = start.known_moves(name, book, 0);
    opened.map_err(|error| BadInput(error.to_string()))?;
    Ok(())
}

/// Writes a book: all of it, or nothing. An older one is replaced.
///
/// # Errors
/// The file cannot be written.
pub fn save(path: &Path, book: &Book) -> std::io::Result<()> {
    disk::replace(path, book.to_text().as_bytes())
}

/// Leaves out the moves of fewer games, except at expanded positions, which need all their moves.
pub fn leave_out_rare(book: &mut Book, min_games: u32) {
    book.min_games = book.min_games.max(min_games);
    for known in book.positions.values_mut().filter(|known| !known.expanded) {
        known
            .moves
            .retain(|_, line| min_games <= 1 || line.results.games() >= min_games.into());
    }
    let is_empty = |known: &Known| known.moves.is_empty() && known.searched.is_none();
    book.positions.retain(|_, known| !is_empty(known));
}
