//! Whether the files and folders that an engine is granted are still those that the league began with.
//!
//! A path says where something is, not what it is. Whoever can exchange a folder between two games would
//! decide what the next start shows to the engine. Contents are the matter of [`super::builds`].

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::config::EngineConfig;

/// By what the system knows a file or folder: its device and its number there.
type Identity = (u64, u64);

/// What an engine's keys `directory`, `read` and `write` name, as it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Granted(Vec<(PathBuf, Option<Identity>)>);

impl Granted {
    /// What is there now.
    pub fn of(engine: &EngineConfig) -> Granted {
        let paths = engine.places().map(|place| place.path.clone());
        Granted(paths.map(|path| (path.clone(), identity(&path))).collect())
    }

    /// The first path where something else is now, or nothing.
    pub fn exchanged(&self) -> Option<&Path> {
        let mut granted = self.0.iter();
        let found = granted.find(|(path, found)| identity(path) != *found);
        found.map(|(path, _)| &**path)
    }
}

/// What a path leads to; `None` if that is nothing.
fn identity(path: &Path) -> Option<Identity> {
    let found = fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::config::Config;

    /// What the first engine of a league in this folder is granted, with these keys.
    fn granted(folder: &Path, keys: &str) -> Granted {
        let text = format!(
            "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]\nmove = \"1s\"\n\
             [[engine]]\nname = \"a\"\ncommand = [\"sh\"]\n{keys}\n\
             [[engine]]\nname = \"b\"\nbuiltin = \"random\"\n"
        );
        let config =
            Config::parse(&folder.join("league.toml"), &text, &[]).expect("a sound league");
        Granted::of(&config.engines[0])
    }

    #[test]
    fn what_takes_the_place_of_a_grant_is_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for (keys, name) in [
            ("directory = \"own\"", "own"),
            ("read = [\"own\"]", "own"),
            ("write = [\"own\"]", "own"),
            ("read = [\"link\"]", "link"),
        ] {
            fs::create_dir_all(path("own/inner")).expect("a folder");
            if !path("link").exists() {
                symlink("own", path("link")).expect("a link");
            }
            let granted = granted(folder.path(), keys);
            fs::write(path("own/inner/file"), "").expect("a file");
            assert_eq!(granted.exchanged(), None, "{keys}: its content may change");
            fs::rename(path("own"), path("old")).expect("it is moved");
            assert_eq!(
                granted.exchanged(),
                Some(&*path(name)),
                "{keys}: nothing is there"
            );
            fs::create_dir(path("own")).expect("a folder");
            assert_eq!(
                granted.exchanged(),
                Some(&*path(name)),
                "{keys}: another is there"
            );
            fs::remove_dir(path("own")).expect("it is empty");
            symlink("old", path("own")).expect("a link");
            assert_eq!(granted.exchanged(), None, "{keys}: a link to it is there");
            fs::remove_file(path("own")).expect("the link goes");
            fs::remove_dir_all(path("old")).expect("the folder goes");
        }
    }
}
