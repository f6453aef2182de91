//! The languages of the pages. English words stand in the code; a table has their Chinese.

mod faults;
mod statistics;
mod table;

use std::collections::BTreeMap;

use self::statistics::STATISTICS;
use self::table::WORDS;

/// Why a request without the token is refused.
pub(crate) const ONLY_LOOKS: &str =
    "This page only looks. To act, open the file that the server named in its terminal.";

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    #[default]
    English,
    Chinese,
}

impl Language {
    /// The language of a code, `zh-CN` or `en`; `None` for others.
    pub(crate) fn of(code: &str) -> Option<Language> {
        match code.trim().get(..2)?.to_ascii_lowercase().as_str() {
            "zh" => Some(Language::Chinese),
            "en" => Some(Language::English),
            _ => None,
        }
    }

    /// Its code in HTML.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh-CN",
        }
    }

    /// An English text in this language; itself if the table does not have it.
    pub(crate) fn say(self, english: &str) -> &str {
        match self {
            Language::English => english,
            Language::Chinese => chinese(english).unwrap_or(english),
        }
    }

    /// Why the server refuses something, in this language. Where only English is known, it stands
    /// after a Chinese word.
    pub(crate) fn refusal(self, english: &str) -> String {
        match self {
            Language::English => english.to_owned(),
            Language::Chinese => {
                let known = chinese(english).map(str::to_owned);
                let translated = known.or_else(|| faults::translated(english));
                translated.unwrap_or_else(|| format!("无法执行：{english}"))
            }
        }
    }

    /// The table for scripts, as JSON; empty in English.
    pub(crate) fn table(self) -> String {
        let table: BTreeMap<_, _> = match self {
            Language::English => BTreeMap::new(),
            Language::Chinese => all().collect(),
        };
        serde_json::to_string(&table).expect("text is JSON")
    }
}

fn chinese(english: &str) -> Option<&'static str> {
    all().find_map(|(word, chinese)| (word == english).then_some(chinese))
}

/// English and Chinese.
fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    WORDS.iter().chain(STATISTICS).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The texts that begin a call of `say`, `tell` or `count` in the sources and scripts.
    fn said() -> BTreeSet<String> {
        let mut texts = BTreeSet::new();
        for folder in ["src", "src/live", "src/site", "assets"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            for file in fs::read_dir(folder).unwrap() {
                let Ok(text) = fs::read_to_string(file.unwrap().path()) else {
                    continue;
                };
                for call in ["say", "tell", "count"] {
                    for part in text.split(&format!("{call}(")).skip(1) {
                        let quoted = part.trim_start().strip_prefix('"');
                        let said = quoted.and_then(|part| part.split('"').next());
                        texts.extend(said.map(str::to_owned));
                    }
                }
            }
        }
        texts.remove("` and `");
        texts
    }

    #[test]
    fn every_text_of_the_pages_has_its_chinese() {
        let said = said();
        assert!(said.len() > 20);
        let missing: Vec<_> = said.iter().filter(|text| chinese(text).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_level_has_its_chinese() {
        for level in desk::Level::ALL {
            assert!(chinese(level.name).is_some(), "{}", level.name);
        }
    }

    #[test]
    fn every_game_has_its_chinese_name_and_colours() {
        for rules in catalog::GAMES {
            for word in rules.colours().into_iter().chain([rules.name()]) {
                assert!(chinese(word).is_some(), "{word}");
            }
        }
    }

    #[test]
    fn all_that_a_review_says_has_its_chinese() {
        let marks = review::Mark::ALL.map(|mark| review::Verdict {
            mark,
            only: false,
            missed_win: false,
        });
        let special = [(true, false), (false, true)].map(|(only, missed_win)| review::Verdict {
            mark: review::Mark::Best,
            only,
            missed_win,
        });
        let names = marks.into_iter().chain(special).map(review::Verdict::name);
        let words = names
            .chain(review::PHASES)
            .chain(review::reason::TEMPLATES.iter().copied());
        for word in words {
            let chinese = chinese(word).unwrap_or_else(|| panic!("{word}"));
            // Nothing that a sentence is about is lost.
            assert_eq!(
                word.matches('{').count(),
                chinese.matches('{').count(),
                "{word}"
            );
        }
    }

    #[test]
    fn every_ending_has_its_chinese() {
        for rules in catalog::GAMES {
            let mut rng = engine_core::Rng::new(1);
            for _ in 0..20 {
                let mut game = rules.start(&serde_json::json!({})).unwrap();
                while game.outcome().is_none() {
                    let actions = game.actions();
                    let action = &actions[rng.below(actions.len() as u32) as usize];
                    game.play_words(action).unwrap();
                }
                assert!(chinese(game.ending()).is_some(), "{}", game.ending());
            }
        }
    }

    #[test]
    fn the_table_has_each_word_once() {
        let words: BTreeSet<_> = all().map(|(english, _)| english).collect();
        assert_eq!(words.len(), all().count());
    }
}
