//! The `[openings.GAME]` tables.

use std::fmt;
use std::path::Path;

use base::error::BadInput;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use task::opening::book::{Book, Openings};
use task::opening::{begin, gomocup};
use task::seed::Seed;

use super::GameConfig;
use super::balanced;
use super::source::{Source, Step};

/// The openings of a game, as read from the file.
pub(super) enum RawOpenings {
    /// `"balanced"`: those that are shipped.
    Balanced,
    /// An `[openings.GAME]` table.
    Table(RawTable),
}

impl<'de> Deserialize<'de> for RawOpenings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawOpenings, D::Error> {
        deserializer.deserialize_any(WordOrTable)
    }
}

struct WordOrTable;

impl<'de> Visitor<'de> for WordOrTable {
    type Value = RawOpenings;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BALANCED:?} or a table")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<RawOpenings, E> {
        if word == BALANCED {
            return Ok(RawOpenings::Balanced);
        }
        Err(E::invalid_value(de::Unexpected::Str(word), &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawOpenings, A::Error> {
        RawTable::deserialize(MapAccessDeserializer::new(map)).map(RawOpenings::Table)
    }
}

/// The word for openings that are shipped.
pub(super) const BALANCED: &str = "balanced";

/// An `[openings.GAME]` table, as read from the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTable {
    file: Option<String>,
    order: Option<Order>,
    random_plies: Option<u8>,
    max_advantage: Option<u32>,
}

impl RawOpenings {
    /// The file that it names.
    pub(super) fn file(&self) -> Option<&str> {
        match self {
            RawOpenings::Balanced => None,
            RawOpenings::Table(table) => table.file.as_deref(),
        }
    }
}

/// Order of the openings of a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Order {
    File,
    #[default]
    Random,
}

/// Checks the openings of a game. All other fields of `game` are already set.
pub(super) fn check(
    source: &Source<'_>,
    folder: &Path,
    game: &GameConfig,
    raw: RawOpenings,
) -> Result<Openings, BadInput> {
    let error = |key: &str, message: String| {
        let steps = [Step::Key("openings"), Step::Key(&game.id), Step::Key(key)];
        Err(source.error(&steps, message))
    };
    let raw = match raw {
        RawOpenings::Balanced => return balanced(game).or_else(|message| error("", message)),
        RawOpenings::Table(table) => table,
    };
    match raw {
        RawTable {
            file: Some(_),
            random_plies: Some(_),
            ..
        } => error(
            "file",
            "file and random_plies together, expected one of them".to_owned(),
        ),
        RawTable {
            file: Some(_),
            max_advantage: Some(_),
            ..
        } => {
            let message = "max_advantage with file, expected it with random_plies";
            error("max_advantage", message.to_owned())
        }
        RawTable {
            file: Some(file),
            order,
            ..
        } => Ok(Openings::List {
            openings: match read(&folder.join(&file), game) {
                Ok(openings) => openings,
                Err(message) => return error("file", message),
            },
            shuffled: order.unwrap_or_default() == Order::Random,
        }),
        RawTable { order: Some(_), .. } => {
            error("order", "order without file, expected both".to_owned())
        }
        RawTable {
            random_plies: Some(plies),
            max_advantage,
            ..
        } => {
            let openings = Openings::Random {
                plies,
                max_advantage,
            };
            let rules = catalog::find(&game.id).expect("the games of a league were checked");
            // Any seed shows whether there is one.
            let book = Book::new(rules, &game.variant, &openings, &Seed::of_number(0));
            if book.get(0).is_some() {
                return Ok(openings);
            }
            let most = max_advantage.unwrap_or_default();
            let message = format!(
                "max_advantage {most}, expected a larger value: no opening of {plies} plies of {} \
                 was within it",
                game.id
            );
            error("max_advantage", message)
        }
        RawTable { .. } => error("", "no openings, expected file or random_plies".to_owned()),
    }
}

/// The balanced openings of a game.
///
/// # Errors
/// None are shipped for its variant; what to do.
pub(super) fn balanced(game: &GameConfig) -> Result<Openings, String> {
    let rules = catalog::find(&game.id).expect("the games of a league were checked");
    balanced::openings(rules, &game.variant).ok_or_else(|| {
        let (id, variant) = (&game.id, &game.variant);
        format!(
            "no balanced openings are shipped for {id} {variant}, expected [openings.{id}]; referee openings \
             makes a file"
        )
    })
}

/// An opening with blanks between cells that have nothing between them: `h8i9j10`, as c-gomoku-cli's
/// openings of the type `pos`.
fn spaced(opening: &str) -> String {
    match records::cells(opening, "") {
        Some(cells) => cells.join(" "),
        None => opening.to_owned(),
    }
}

/// Reads a file of openings, one a line; `#` starts a comment. In games that Gomocup's protocol knows, a
/// line may be offsets from the centre (`opening::gomocup`).
fn read(path: &Path, game: &GameConfig) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("{}: {error}, expected a list of openings", path.display()))?;
    // Some editors begin a file with a mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let rules = catalog::find(&game.id).expect("the games of a league were checked");
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let opening = line.split('#').next().unwrap_or_default().trim();
        if opening.is_empty() {
            continue;
        }
        let opening = match gomocup::words(rules, &game.variant, opening) {
            Some(Ok(words)) => words,
            None => spaced(opening),
            Some(Err(message)) => {
                return Err(format!("{}:{}: {message}", path.display(), index + 1));
            }
        };
        let message = match begin(rules, &game.variant, &opening) {
            Ok(board) if board.outcome().is_none() => {
                openings.push(opening);
                continue;
            }
            Ok(_) => "the game is over, expected a game in progress".to_owned(),
            Err(message) => message,
        };
        return Err(format!("{}:{}: {message}", path.display(), index + 1));
    }
    if openings.is_empty() {
        return Err(format!(
            "{}: no openings, expected one per line",
            path.display()
        ));
    }
    Ok(openings)
}
