//! The file of a study: all that is needed to go on after a kill.

use std::fs;
use std::io;
use std::path::Path;

use base::disk::replace;
use base::error::BadInput;
use learning::{BLOCK, SetupSettings, SetupStudy};
use serde::{Deserialize, Serialize};

use crate::study::{setups, signature};

/// The value of `kind`.
const KIND: &str = "einstein layouts study";
/// The version of the file's format, and of how a study is made.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    kind: String,
    version: u32,
    /// The signature of the games of the study.
    signature: i64,
    study: SetupStudy,
}

/// The head of any version of the file.
#[derive(Deserialize)]
struct Head {
    kind: String,
    version: u32,
}

/// The study in a file; `None` if there is no such file.
///
/// # Errors
/// The file cannot be read, is no study, or is one that this program cannot continue.
pub(crate) fn load(path: &Path) -> Result<Option<SetupStudy>, BadInput> {
    let bad = |message: String| BadInput(format!("{}: {message}", path.display()));
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| bad(error.to_string()))?,
    };
    let no_study = |error: serde_json::Error| {
        bad(format!(
            "not a study of layouts, or a damaged one: {error}; expected a file that --learn wrote"
        ))
    };
    let head: Head = serde_json::from_str(&text).map_err(no_study)?;
    if head.kind != KIND || head.version != VERSION {
        let Head { kind, version } = head;
        return Err(bad(format!(
            "{kind:?} version {version}, expected {KIND:?} version {VERSION}"
        )));
    }
    let found: Checkpoint = serde_json::from_str(&text).map_err(no_study)?;
    if !found.study.is_sound(setups().len()) {
        return Err(bad(
            "a damaged study; its figures contradict each other".into()
        ));
    }
    if found.signature != signature(found.study.settings().plies) {
        return Err(bad(
            "begun by a version of this program that plays otherwise: its games \
             cannot be continued; expected that version, or another file"
                .into(),
        ));
    }
    Ok(Some(found.study))
}

/// Replaces the file: whatever happens meanwhile, it holds the old study or the new one.
///
/// # Errors
/// The file cannot be written. The old one is still there.
pub(crate) fn save(path: &Path, study: &SetupStudy) -> io::Result<()> {
    let checkpoint = Checkpoint {
        kind: KIND.to_owned(),
        version: VERSION,
        signature: signature(study.settings().plies),
        study: study.clone(),
    };
    let mut text = serde_json::to_vec(&checkpoint)?;
    text.push(b'\n');
    replace(path, &text)
}

/// The largest number of games of a layout: beyond it sums of squares could overflow.
const MAX_GAMES: u64 = 1 << 16;

/// Checks settings from a command line.
///
/// # Errors
/// A number outside its range.
pub(crate) fn check(settings: &SetupSettings) -> Result<(), BadInput> {
    let SetupSettings { plies, games, .. } = settings;
    if !(1..=4).contains(plies) {
        return Err(BadInput(format!("--plies {plies}: expected 1 to 4")));
    }
    if *games == 0 || !games.is_multiple_of(BLOCK) || *games > MAX_GAMES {
        return Err(BadInput(format!(
            "--games {games}: expected a multiple of {BLOCK} from {BLOCK} to {MAX_GAMES}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: SetupSettings = SetupSettings {
        seed: 1,
        plies: 1,
        games: 64,
    };

    fn study() -> SetupStudy {
        SetupStudy::new(SETTINGS, setups().len())
    }

    #[test]
    fn a_study_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("study.json");
        assert_eq!(load(&path), Ok(None));
        let mut study = study();
        for _ in 0..2 {
            crate::study::step(&mut study, &Default::default());
            save(&path, &study).unwrap();
            assert_eq!(load(&path), Ok(Some(study.clone())));
        }
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn what_is_no_study_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("study.json");
        save(&path, &study()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let signature = format!("\"signature\":{}", signature(1));
        for (broken, complaint) in [
            (text[..text.len() / 2].to_owned(), "a damaged one: EOF"),
            (String::new(), "a damaged one: EOF"),
            ("[1, 2]".to_owned(), "not a study of layouts"),
            (
                text.replace("version\":1", "version\":9"),
                "version 9, expected",
            ),
            (
                text.replace(KIND, "hex openings"),
                "\"hex openings\" version 1",
            ),
            (
                text.replace(&signature, "\"signature\":1"),
                "plays otherwise",
            ),
            (text.replace("\"played\":0", "\"played\":3"), "contradict"),
            (text.replace("\"games\":64", "\"games\":100"), "contradict"),
        ] {
            fs::write(&path, broken).unwrap();
            let error = load(&path).unwrap_err().0;
            assert!(error.contains(complaint), "{complaint}: {error}");
            assert!(error.starts_with(&path.display().to_string()), "{error}");
        }
    }

    #[test]
    fn a_study_that_cannot_be_written_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none").join("study.json");
        assert!(save(&path, &study()).is_err());
        assert!(!path.exists());
    }
}
