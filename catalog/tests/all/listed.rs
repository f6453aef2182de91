//! What is done for each game outside its own crate: the list that CONTRIBUTING.md speaks of. The first
//! figure of ARCHITECTURE.md is checked by `.ci/layers`.

use std::fs;
use std::path::Path;

use catalog::{AnyGame, GAMES};

/// A place that names every game.
struct Place {
    file: &'static str,
    /// What it holds of a game: `ID`, `NAME` and `CRATE` stand for those of the game.
    mark: &'static str,
    /// What to add, and where, with the same words.
    add: &'static str,
}

const PLACES: &[Place] = &[
    Place {
        file: "Cargo.toml",
        mark: "\nID = { path = \"games/ID\" }",
        add: "ID = { path = \"games/ID\" }, below [workspace.dependencies]",
    },
    Place {
        file: "Cargo.toml",
        mark: "\nID.opt-level = 2",
        add: "ID.opt-level = 2, below [profile.checked.package]: its tests search",
    },
    Place {
        file: "README.md",
        mark: "| `ID` |",
        add: "a row with `ID`, in the table of the games",
    },
    Place {
        file: "docs/protocols/sau.md",
        mark: "NAME",
        add: "a row of NAME: how SAU writes its turns",
    },
    Place {
        file: "pages/src/words/table.rs",
        mark: "(\"NAME\",",
        add: "(\"NAME\", \"…\"), and every ending and key of a variant",
    },
    Place {
        file: "configs/all-games.toml",
        mark: "\"ID\"",
        add: "\"ID\", among the games",
    },
    Place {
        file: ".ci/same",
        mark: "\"ID\"",
        add: "\"ID\", in GAMES and in the league",
    },
    Place {
        file: "catalog/tests/all/pictures.rs",
        mark: "\"ID\"",
        add: "a position of ID in kept()",
    },
    Place {
        file: "catalog/tests/all/stress.rs",
        mark: "check::<CRATE::",
        add: "check::<CRATE::…>, in CASES",
    },
    Place {
        file: "catalog/tests/all/parameters.rs",
        mark: "check::<CRATE::",
        add: "check::<CRATE::…>();",
    },
    Place {
        file: "catalog/tests/all/mirror.rs",
        mark: "check::<CRATE::",
        add: "a test with check::<CRATE::…>",
    },
    Place {
        file: "catalog/tests/all/shipped.rs",
        mark: "fn CRATE()",
        add: "a test CRATE of small variants",
    },
    Place {
        file: "catalog/benches/items.rs",
        mark: "measure::<CRATE::",
        add: "measure::<CRATE::…>(&wanted);",
    },
];

/// Files of every game's own crate.
const FILES: &[&str] = &[
    "positions/standard.txt",
    "tests/all/conformance.rs",
    "tests/all/golden.rs",
    "tests/all/perft.rs",
    "tests/all/record.rs",
    "tests/all/reference.rs",
    "tests/all/text.rs",
];

fn of(text: &str, game: &dyn AnyGame) -> String {
    let text = text.replace("CRATE", &game.id().replace('-', "_"));
    text.replace("ID", game.id()).replace("NAME", game.name())
}

#[test]
fn every_game_stands_in_every_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |file: &str| {
        let text = fs::read_to_string(root.join(file));
        text.unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    let mut missing = Vec::new();
    for place in PLACES {
        let text = read(place.file);
        for &game in GAMES {
            if !text.contains(&of(place.mark, game)) {
                missing.push(format!("{}: add {}", place.file, of(place.add, game)));
            }
        }
    }
    for &game in GAMES {
        let own = FILES
            .iter()
            .map(|file| format!("games/{}/{file}", game.id()));
        let picture = format!("catalog/tests/pictures/{}.svg", game.id());
        let absent = own
            .chain([picture])
            .filter(|file| !root.join(file).exists());
        missing.extend(absent.map(|file| format!("{file}: add this file")));
    }
    assert!(missing.is_empty(), "\n{}\n", missing.join("\n"));
}
