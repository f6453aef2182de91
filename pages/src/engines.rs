//! The engines that a browser may choose: those built in, and those of league files that were named
//! at the start.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::error::BadInput;
use catalog::AnyGame;
use engine_core::Algorithm;
use league::spec;
use serde_json::Value;
use task::EngineSpec;

/// The built-in engines to choose from, the strongest first, and what each does.
const BUILT_IN: [(&str, &str); 6] = [
    ("best", "the strongest for the game"),
    ("pvs", "alpha-beta search"),
    ("selective", "alpha-beta search of promising turns"),
    ("mcts", "Monte Carlo tree search"),
    ("greedy", "looks one action ahead"),
    ("random", "any legal action"),
];

/// What a built-in engine does, for people; `None` for others.
pub(crate) fn described(word: &str) -> Option<&'static str> {
    let known = BUILT_IN.iter().find(|(name, _)| *name == word);
    known.map(|&(_, text)| text)
}

/// Where engines come from.
pub(crate) struct Engines {
    /// This program, which has the built-in engines.
    referee: PathBuf,
    files: Vec<PathBuf>,
}

impl Engines {
    /// The built-in engines, and those of league files.
    ///
    /// # Errors
    /// A file that cannot be read, or in which something is wrong.
    pub(crate) fn with(files: Vec<PathBuf>) -> Result<Engines, BadInput> {
        for file in &files {
            for rules in catalog::GAMES {
                spec::of_file(file, *rules)?;
            }
        }
        Ok(Engines {
            referee: std::env::current_exe().unwrap_or_else(|_| "referee".into()),
            files,
        })
    }

    /// The words by which the engines for a game are chosen: `best`, or `FILE.toml:NAME`.
    pub(crate) fn words(&self, rules: &dyn AnyGame) -> Vec<String> {
        let fits = |name: &&str| Algorithm::find(name).is_ok_and(|known| rules.fits(known).is_ok());
        let names = BUILT_IN.into_iter().map(|(name, _)| name);
        let built_in = names.filter(fits).map(str::to_owned);
        let in_files = self.files.iter().flat_map(|file| {
            // A file that has been changed since the start may be at fault now.
            let engines = spec::of_file(file, rules).unwrap_or_default();
            engines.into_iter().map(|engine| word(file, &engine.name))
        });
        built_in.chain(in_files).collect()
    }

    /// How an engine is started. A word that is not one of [`Engines::words`] may name any file of
    /// this machine, and is refused.
    pub(crate) fn spec(
        &self,
        rules: &dyn AnyGame,
        word: &str,
        options: BTreeMap<String, Value>,
    ) -> Result<EngineSpec, String> {
        if !self.words(rules).iter().any(|known| known == word) {
            return Err(format!("no engine {word:?} for {}", rules.id()));
        }
        let spec = spec::named(word, rules, options, &self.referee, 0);
        spec.map_err(|error| error.to_string())
    }
}

fn word(file: &Path, name: &str) -> String {
    format!("{}:{name}", file.display())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const FILE: &str = r#"
[league]
name = "ours"
games = ["hex", "amazons"]
[clock]
move = "1s"
[[engine]]
name = "a"
builtin = "pvs"
games = ["hex"]
[[engine]]
name = "b"
builtin = "greedy"
[[engine]]
name = "c"
builtin = "random"
"#;

    #[test]
    fn only_engines_of_the_list_are_started() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ours.toml");
        fs::write(&path, FILE).unwrap();
        let word = |name: &str| super::word(&path, name);
        let rules = |id| catalog::find(id).unwrap();
        let engines = Engines::with(vec![path.clone()]).unwrap();
        let words = engines.words(rules("hex"));
        assert!(words.contains(&"best".to_owned()));
        assert!(words.contains(&word("a")) && words.contains(&word("b")));
        assert!(!engines.words(rules("amazons")).contains(&word("a")));
        let start = |engines: &Engines, id, word: &str| {
            let spec = engines.spec(rules(id), word, BTreeMap::new());
            spec.map(|spec| spec.name)
        };
        assert_eq!(start(&engines, "hex", &word("a")), Ok("a".to_owned()));
        assert!(start(&engines, "amazons", &word("a")).is_err());
        assert!(start(&engines, "hex", "pns9").is_err());
        // Nobody plays a league here, so a file may name one engine.
        let one = FILE.split("[[engine]]\nname = \"b\"").next().unwrap();
        fs::write(&path, one.replace(", \"amazons\"", "")).unwrap();
        let engines = Engines::with(vec![path.clone()]).unwrap();
        assert_eq!(start(&engines, "hex", &word("a")), Ok("a".to_owned()));
        // A file that nobody named at the start is not read.
        let none = Engines::with(Vec::new()).unwrap();
        let refused = start(&none, "hex", &word("a")).unwrap_err();
        assert!(refused.starts_with("no engine"), "{refused}");
        assert!(Engines::with(vec![folder.path().join("none.toml")]).is_err());
    }
}
