//! The balanced openings that are shipped, by game and variant.
//!
//! They were made by `referee openings`; the first lines of each file say how.

use catalog::Rules;
use serde_json::Value;
use task::opening::book::Openings;

/// The files, each for one variant.
const SHIPPED: [&str; 8] = [
    include_str!("../../../configs/openings/balanced/amazons.txt"),
    include_str!("../../../configs/openings/balanced/connect6.txt"),
    include_str!("../../../configs/openings/balanced/dots-and-boxes.txt"),
    include_str!("../../../configs/openings/balanced/einstein.txt"),
    include_str!("../../../configs/openings/balanced/gomoku.txt"),
    include_str!("../../../configs/openings/balanced/gomoku-free.txt"),
    include_str!("../../../configs/openings/balanced/hex.txt"),
    include_str!("../../../configs/openings/balanced/surakarta.txt"),
];

/// The game and the variant in the first line of a file: `# 48 openings of hex {"size":11}`.
fn of_file(text: &str) -> Option<(&str, Value)> {
    let (_, what) = text.lines().next()?.split_once(" openings of ")?;
    let (game, variant) = what.split_once(' ')?;
    Some((game, serde_json::from_str(variant).ok()?))
}

/// The openings of a game in a variant with all defaults filled in; `None` if none are shipped.
pub(super) fn openings(rules: &dyn Rules, variant: &Value) -> Option<Openings> {
    let text = SHIPPED.into_iter().find(|text| {
        let known = of_file(text);
        known.is_some_and(|(game, of)| game == rules.id() && of == *variant)
    })?;
    let lines = text.lines().filter_map(|line| line.split('#').next());
    let openings = lines.map(str::trim).filter(|line| !line.is_empty());
    Some(Openings::List {
        openings: openings.map(str::to_owned).collect(),
        shuffled: true,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use task::opening::begin;

    use super::*;

    /// Every file is of a known variant, and all its openings can be played and leave a game to play.
    #[test]
    fn shipped_openings_are_playable() {
        for text in SHIPPED {
            let (game, variant) = of_file(text).expect("a first line");
            let rules = catalog::find(game).expect("a game");
            assert_eq!(rules.complete_variant(&variant).unwrap(), variant, "{game}");
            let Some(Openings::List { openings, .. }) = openings(rules, &variant) else {
                panic!("{game} {variant}: none")
            };
            let mut different = openings.clone();
            different.sort();
            different.dedup();
            assert!(
                different.len() == openings.len() && openings.len() >= 48,
                "{game}"
            );
            for opening in openings {
                let game = begin(rules, &variant, &opening).unwrap();
                assert!(game.outcome().is_none() && !game.mid_turn(), "{opening}");
            }
        }
    }

    #[test]
    fn the_contest_variants_of_games_have_openings() {
        for rules in catalog::GAMES {
            let variant = rules.complete_variant(&json!({})).unwrap();
            let has_some = openings(*rules, &variant).is_some();
            assert_eq!(has_some, rules.id() != "tic-tac-toe", "{}", rules.id());
        }
        let hex = catalog::find("hex").unwrap();
        let small = hex.complete_variant(&json!({ "size": 5 })).unwrap();
        assert!(openings(hex, &small).is_none());
    }
}
