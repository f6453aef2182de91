//! What a person types: a command or actions.

use super::sitting::{Phase, Sitting};

/// The commands, besides actions.
const COMMANDS: [&str; 10] = [
    "undo", "hint", "now", "moves", "board", "pause", "resume", "restart", "resign", "quit",
];

/// The largest number of actions that a list shows.
const SHOWN: usize = 200;

/// What is to follow a line that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Something was done, or a hint is on its way.
    Done,
    /// Words to show.
    Say(String),
    /// The board is to be shown again.
    Board,
    /// The person leaves.
    Quit,
}

/// Obeys a line.
///
/// # Errors
/// Why nothing was done.
pub(super) fn obey(sitting: &mut Sitting, line: &str) -> Result<Reply, String> {
    match line.trim() {
        "" => Ok(()),
        "quit" => return Ok(Reply::Quit),
        "board" => return Ok(Reply::Board),
        "moves" => return moves(sitting).map(Reply::Say),
        "undo" => sitting.undo(),
        "hint" => sitting.ask_hint(),
        "now" => sitting.hurry(),
        "pause" => sitting.pause(),
        "resume" => sitting.resume(),
        "restart" => sitting.restart(),
        "resign" => sitting.resign(),
        actions => {
            let entered = sitting.enter(actions);
            entered.map_err(|error| {
                if sitting.is_asked() {
                    format!("{error}; `moves` lists the legal actions")
                } else {
                    error
                }
            })
        }
    }
    .map(|()| Reply::Done)
}

/// The legal actions.
fn moves(sitting: &Sitting) -> Result<String, String> {
    if !sitting.is_asked() {
        return Err("you are not to move".to_owned());
    }
    let actions = sitting.position().actions();
    let more = match actions.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" … and {more} more"),
    };
    Ok(actions[..actions.len().min(SHOWN)].join(" ") + &more)
}

/// The actions and commands that begin with what was typed last, and the text with as much added as
/// all of them share.
pub(super) fn complete(sitting: &Sitting, typed: &str) -> (String, Vec<String>) {
    let start = typed.rfind(' ').map_or(0, |blank| blank + 1);
    let (before, word) = typed.split_at(start);
    let mut known = match sitting.phase() {
        Phase::Person | Phase::GivenUp => sitting.position().actions(),
        _ => Vec::new(),
    };
    if before.is_empty() {
        known.extend(COMMANDS.map(str::to_owned));
    }
    known.retain(|known| known.starts_with(word));
    let completed = format!("{before}{}", shared_start(&known).unwrap_or(word));
    known.truncate(SHOWN);
    (completed, known)
}

/// What all of these begin with; `None` if there are none.
fn shared_start(words: &[String]) -> Option<&str> {
    let (first, others) = words.split_first()?;
    let shared = others.iter().fold(first.len(), |length, other| {
        let same = first
            .bytes()
            .zip(other.bytes())
            .take_while(|(one, other)| one == other);
        length.min(same.count())
    });
    first.get(..shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_share_their_start() {
        let shared = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            shared_start(&words).map(str::to_owned)
        };
        assert_eq!(shared(&[]), None);
        assert_eq!(shared(&["a4-a1"]).as_deref(), Some("a4-a1"));
        assert_eq!(shared(&["a4-a1", "a4-b4", "a4"]).as_deref(), Some("a4"));
        assert_eq!(shared(&["a4", "b4"]).as_deref(), Some(""));
    }
}
