//! Known opponents: programs of others, with all that a match against them needs but their code. Their
//! files are in `configs/anchors/`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Table;

use crate::config::find_program;

/// The files, by name.
const FILES: [(&str, &str); 15] = [
    (
        "amz-opponent",
        include_str!("../../configs/anchors/amz-opponent.toml"),
    ),
    (
        "cloudict",
        include_str!("../../configs/anchors/cloudict.toml"),
    ),
    ("edi", include_str!("../../configs/anchors/edi.toml")),
    ("hexhex", include_str!("../../configs/anchors/hexhex.toml")),
    ("kaocy", include_str!("../../configs/anchors/kaocy.toml")),
    (
        "mintaka",
        include_str!("../../configs/anchors/mintaka.toml"),
    ),
    ("mohex", include_str!("../../configs/anchors/mohex.toml")),
    (
        "open-spiel",
        include_str!("../../configs/anchors/open-spiel.toml"),
    ),
    ("rapfi", include_str!("../../configs/anchors/rapfi.toml")),
    (
        "selflocking",
        include_str!("../../configs/anchors/selflocking.toml"),
    ),
    (
        "skyzero",
        include_str!("../../configs/anchors/skyzero.toml"),
    ),
    (
        "surakarta-core",
        include_str!("../../configs/anchors/surakarta-core.toml"),
    ),
    (
        "takeapocket",
        include_str!("../../configs/anchors/takeapocket.toml"),
    ),
    (
        "tcg-ewn",
        include_str!("../../configs/anchors/tcg-ewn.toml"),
    ),
    ("wolve", include_str!("../../configs/anchors/wolve.toml")),
];

/// A program of others.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Opponent {
    /// Its name here.
    #[serde(skip_deserializing)]
    pub name: String,
    /// What it is, in a line.
    pub about: String,
    /// Its public repository, on GitHub.
    pub repository: String,
    /// The version that was tried.
    pub version: String,
    /// Its licence.
    pub licence: String,
    /// Its protocol and dialect.
    pub speaks: String,
    /// The games that it plays, by id.
    pub games: Vec<String>,
    /// How its thinking is limited.
    pub limits: String,
    /// What else a user needs to know.
    pub notes: String,
    /// Its `[[engine]]` table in a league file, without a name; `None` if it speaks no protocol of the
    /// referee. The first word of its command is looked for in `PATH`.
    pub engine: Option<Table>,
    /// The variant that it plays, where that is not the contest's.
    #[serde(default)]
    pub variant: Table,
    /// What it scored, the oldest match first.
    #[serde(default)]
    pub tried: Vec<Tried>,
}

/// A match against an opponent.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// The day, `2026-11-26`.
    pub on: String,
    /// The conditions, and who it played against.
    pub how: String,
    /// Its score.
    pub scored: String,
}

impl Opponent {
    /// All of them, by name.
    pub fn all() -> Vec<Opponent> {
        let read = |(name, text): (&str, &str)| Opponent {
            name: name.to_owned(),
            ..toml::from_str(text).expect("the files of opponents are tested")
        };
        FILES.into_iter().map(read).collect()
    }

    /// The one with this name.
    pub fn find(name: &str) -> Option<Opponent> {
        Opponent::all().into_iter().find(|known| known.name == name)
    }

    /// The words of its command.
    fn command(&self) -> Option<Vec<String>> {
        let words = self.engine.as_ref()?.get("command")?.as_array()?;
        let words = words.iter().map(|word| Some(word.as_str()?.to_owned()));
        words.collect()
    }

    /// The program that is looked for in `PATH`, if it speaks a protocol of the referee.
    pub fn program(&self) -> Option<String> {
        self.command()?.into_iter().next()
    }

    /// Where its program is on this machine, if it is in `PATH` and the files that its command names are
    /// here.
    pub fn found(&self) -> Option<PathBuf> {
        let command = self.command()?;
        let is_file = |word: &&String| !word.starts_with('-') && word.contains(['/', '.']);
        let mut files = command.iter().skip(1).filter(is_file);
        let program = find_program(Path::new(""), &command).ok()?;
        files
            .all(|file| Path::new(file).exists())
            .then_some(program)
    }

    /// Its `[[engine]]` table with this name.
    pub fn table(&self, name: &str) -> Option<Table> {
        let mut table = self.engine.clone()?;
        table.insert("name".to_owned(), name.into());
        Some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn files_are_sound_and_sorted() {
        let all = Opponent::all();
        let names: Vec<&str> = all.iter().map(|known| &*known.name).collect();
        assert!(names.is_sorted(), "{names:?}");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/anchors");
        assert_eq!(
            std::fs::read_dir(folder).expect("a folder").count(),
            all.len()
        );
        for known in &all {
            let name = &known.name;
            assert!(!known.games.is_empty(), "{name}");
            assert!(
                known.games.iter().all(|id| catalog::find(id).is_some()),
                "{name}"
            );
            assert!(known.repository.split('/').count() == 2, "{name}");
            for tried in &known.tried {
                let day: jiff::civil::Date = tried.on.parse().expect("a day");
                assert!(day.year() == 2026, "{name}");
            }
            assert!(known.engine.is_some() || known.variant.is_empty(), "{name}");
        }
        assert_eq!(Opponent::find("mohex").expect("it is known").games, ["hex"]);
        assert_eq!(Opponent::find("nobody"), None);
    }

    /// A runner alone, such as Java, is no opponent.
    #[test]
    fn an_opponent_is_here_with_all_its_files() {
        let mut known = Opponent::find("mohex").expect("it is known");
        let mut found = |command: &[&str]| {
            let words: Vec<toml::Value> = command.iter().map(|&word| word.into()).collect();
            let engine = known.engine.as_mut().expect("it speaks GTP");
            engine.insert("command".to_owned(), words.into());
            known.found().is_some()
        };
        assert!(found(&["sh"]) && found(&["sh", "-c", "--a=b/c"]));
        assert!(
            found(&["sh", "Cargo.toml"]),
            "relative to where it is started"
        );
        assert!(!found(&["sh", "no/such/file"]) && !found(&["sh", "none.java"]));
        assert!(!found(&["no-such-program"]));
    }

    /// With a program that is there, each is an engine of a league in its variant.
    #[test]
    fn every_engine_fits_a_league_file() {
        for known in Opponent::all() {
            let Some(mut engine) = known.table(&known.name) else {
                continue;
            };
            assert!(known.program().is_some(), "{}", known.name);
            engine.insert("command".to_owned(), vec!["/bin/sh".to_owned()].into());
            for game in &known.games {
                let mut file = Table::new();
                let league = format!("name = \"x\"\ngames = [\"{game}\"]");
                file.insert(
                    "league".into(),
                    toml::from_str::<Table>(&league).expect("TOML").into(),
                );
                let clock = Table::from_iter([("move".to_owned(), "1s".into())]);
                file.insert("clock".into(), clock.into());
                let variant = Table::from_iter([(game.clone(), known.variant.clone().into())]);
                file.insert("variant".into(), variant.into());
                let other: Table =
                    toml::from_str("name = \"other\"\nbuiltin = \"random\"").expect("TOML");
                file.insert("engine".into(), vec![engine.clone(), other].into());
                let text = toml::to_string(&file).expect("TOML");
                let config = Config::parse(Path::new("x.toml"), &text, &[]);
                assert!(config.is_ok(), "{}: {:?}\n{text}", known.name, config.err());
            }
        }
    }
}
