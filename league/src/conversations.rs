//! What engines and the referee said in the games that went wrong, kept beside the log: a file for each
//! game.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Name of the folder beside the log.
pub const FOLDER: &str = "conversations";

/// How many games are kept.
const MOST: usize = 1000;

/// How much of a file is read, in bytes: more than the referee writes.
const LONGEST: u64 = 64 * 1024;

/// Keeps the conversation of a game beside the log in this folder. Of a league with very many such games
/// the first ones are kept.
///
/// # Errors
/// The file cannot be written.
pub fn keep(league: &Path, id: &str, text: &str) -> io::Result<()> {
    let folder = league.join(FOLDER);
    fs::create_dir_all(&folder)?;
    let path = file_of(league, id);
    if !path.exists() && fs::read_dir(&folder)?.nth(MOST - 1).is_some() {
        return Ok(());
    }
    // A new file: what stands there may be a link.
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)?;
    file.write_all(text.as_bytes())
}

/// The conversation of a game in this log, if it was kept.
pub fn of(log: &Path, id: &str) -> Option<String> {
    let path = file_of(log.parent()?, id);
    let is_file = fs::symlink_metadata(&path).is_ok_and(|file| file.is_file());
    let file = is_file.then(|| fs::File::open(path))?.ok()?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The file of a game. Its id may hold an engine's name, and that anything.
fn file_of(league: &Path, id: &str) -> PathBuf {
    let letter = |letter: char| match letter {
        '/' | '\\' => '_',
        letter if letter.is_control() => '_',
        letter => letter,
    };
    let name: String = id.chars().map(letter).collect();
    league.join(FOLDER).join(format!("{name}.txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("games.jsonl");
        assert_eq!(of(&log, "hex-1"), None);
        for id in ["hex-1", "../up", "a/b\n"] {
            keep(folder.path(), id, "first\n").expect("it is written");
            keep(folder.path(), id, id).expect("it is written again");
            assert_eq!(of(&log, id).as_deref(), Some(id));
        }
        let kept = fs::read_dir(folder.path().join(FOLDER))
            .expect("a folder")
            .count();
        assert_eq!(kept, 3);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (log, secret) = (
            folder.path().join("games.jsonl"),
            folder.path().join("secret"),
        );
        fs::write(&secret, "a secret").expect("it is written");
        fs::create_dir(folder.path().join(FOLDER)).expect("a folder");
        let link = file_of(folder.path(), "x");
        std::os::unix::fs::symlink(&secret, &link).expect("a link");
        assert_eq!(of(&log, "x"), None);
        keep(folder.path(), "x", "said").expect("it is written");
        assert_eq!(of(&log, "x").as_deref(), Some("said"));
        assert_eq!(fs::read_to_string(secret).expect("it is there"), "a secret");
    }

    #[test]
    fn only_so_many_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = || {
            fs::read_dir(folder.path().join(FOLDER))
                .expect("a folder")
                .count()
        };
        for number in 0..MOST + 5 {
            keep(folder.path(), &format!("{number}"), "").expect("it is written");
        }
        assert_eq!(kept(), MOST);
        keep(folder.path(), "7", "again").expect("one of them");
        let log = folder.path().join("games.jsonl");
        assert_eq!(of(&log, "7").as_deref(), Some("again"));
    }
}
