//! Pictures of every game: how they look, what can be clicked, and what stays the same.

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use catalog::{AnyGame, AnyMatch, GAMES, Rules, Shown};
use drawing::{BUTTON, Theme, svg};
use engine_core::Rng;
use serde_json::json;

/// The contest's variant of every game, and others that look different.
fn variants() -> Vec<(&'static dyn AnyGame, serde_json::Value)> {
    let find = |id| catalog::find(id).expect("a game");
    let mut variants: Vec<_> = GAMES.iter().map(|&game| (game, json!({}))).collect();
    variants.extend([
        (find("hex"), json!({"size": 5, "opening": "swap"})),
        (
            find("hex"),
            json!({"size": 4, "opening": "swap", "swap": "swap-sides"}),
        ),
        (find("hex"), json!({"size": 2})),
        (find("hex"), json!({"size": 19})),
        (find("amazons"), json!({"size": 6})),
        (find("connect6"), json!({"size": 9})),
        (
            find("gomoku"),
            json!({"opening": "free", "size": 9, "forbidden": "claimed"}),
        ),
        (find("gomoku"), json!({"opening": "free", "size": 20})),
        (find("dots-and-boxes"), json!({"columns": 3, "rows": 2})),
        (find("dots-and-boxes"), json!({"columns": 21, "rows": 1})),
        (find("einstein"), json!({"first_colour": "blue"})),
    ]);
    variants
}

/// Calls `visit` for positions of random games: all of the first turns, some of the later ones.
fn visit(mut visit: impl FnMut(&dyn Rules, &dyn AnyMatch)) {
    for (rules, variant) in variants() {
        let mut rng = Rng::new(7);
        for _ in 0..3 {
            let mut game = rules.start(&variant).expect("a variant");
            for turn in 0.. {
                if turn < 8 || turn % 5 == 0 || game.outcome().is_some() {
                    visit(rules, game.as_ref());
                }
                if game.outcome().is_some() {
                    break;
                }
                let actions = game.actions();
                let action = &actions[rng.below(actions.len() as u32) as usize];
                game.play_words(action).expect("a legal action");
            }
        }
    }
}

#[test]
fn clicks_tell_all_actions_apart() {
    visit(|rules, game| {
        let shown = Shown::default();
        let picture = game.picture(&shown).expect("a picture");
        let targets: HashSet<&str> = picture
            .targets
            .iter()
            .map(|target| target.name.as_str())
            .collect();
        assert_eq!(targets.len(), picture.targets.len(), "{}", rules.id());
        let actions = match game.outcome() {
            Some(_) => Vec::new(),
            None => game.actions(),
        };
        let mut all: Vec<(Vec<String>, String)> = actions
            .into_iter()
            .map(|action| (game.clicks(&action).expect("a legal action"), action))
            .collect();
        for (clicks, action) in &all {
            assert!(!clicks.is_empty(), "{}: {action}", rules.id());
            for click in clicks {
                let is_known = click.starts_with(BUTTON) || targets.contains(click.as_str());
                assert!(is_known, "{}: {action}: no target {click}", rules.id());
            }
        }
        // In order, a sequence comes right before those that begin with it.
        all.sort();
        for pair in all.windows(2) {
            let [(first, one), (second, other)] = pair else {
                continue;
            };
            assert!(!second.starts_with(first), "{}: {one}, {other}", rules.id());
        }
    });
}

#[test]
fn the_ground_and_the_targets_stay_the_same() {
    visit(|rules, game| {
        let picture = game.picture(&Shown::default()).expect("a picture");
        let other = Shown {
            numbers: true,
            forbidden: true,
            ..Shown::default()
        };
        let other = game.picture(&other).expect("a picture");
        assert_eq!(picture.ground, other.ground, "{}", rules.id());
        assert_eq!(picture.targets, other.targets, "{}", rules.id());
        assert_eq!((picture.corner, picture.size), (other.corner, other.size));
    });
}

/// A match of a game after these words.
fn after(id: &str, variant: serde_json::Value, words: &str) -> Box<dyn AnyMatch> {
    let rules = catalog::find(id).expect("a game");
    let mut game = rules.start(&variant).expect("a variant");
    game.play_words(words).expect("legal words");
    game
}

/// The pictures that are kept as files, with all that a picture can show.
fn kept() -> Vec<(&'static str, Box<dyn AnyMatch>, Shown<'static>)> {
    let shown = Shown::default();
    let numbers = Shown {
        numbers: true,
        ..shown
    };
    vec![
        (
            "amazons",
            after("amazons", json!({"size": 6}), "b1-b4-e4 b6-b5-d3"),
            Shown {
                line: "a2-a3-c3",
                hints: &["e1-e3-d2"],
                ..shown
            },
        ),
        (
            "connect6",
            after("connect6", json!({"size": 9}), "e5 e6f6 d4g7"),
            numbers,
        ),
        (
            "dots-and-boxes",
            after(
                "dots-and-boxes",
                json!({"columns": 2, "rows": 2}),
                "a1h a1v a2h b1v+b1h c2v",
            ),
            Shown {
                line: "b2v",
                hints: &["a3h"],
                ..shown
            },
        ),
        (
            "einstein",
            after("einstein", json!({}), "R:653214 B:123456 d6 R6-b4 d3"),
            Shown {
                hints: &["B3-d3"],
                ..shown
            },
        ),
        (
            "gomoku",
            after("gomoku", json!({}), "h8h9i9x2 g7 h10f6"),
            Shown {
                hints: &["h10"],
                ..numbers
            },
        ),
        (
            "gomoku-forbidden",
            after(
                "gomoku",
                json!({"opening": "free", "size": 9}),
                "e5 a1 d5 c1 f6 e1 f7 g1",
            ),
            Shown {
                forbidden: true,
                line: "c3 b2",
                ..shown
            },
        ),
        (
            "hex",
            after(
                "hex",
                json!({"size": 5, "opening": "swap"}),
                "b4 swap c3 c2",
            ),
            Shown {
                line: "b3 d4",
                hints: &["b5"],
                ..numbers
            },
        ),
        (
            "surakarta",
            after("surakarta", json!({}), "b5-b4 c2-c3 b4-a3 c1-c2 a3xc2"),
            Shown {
                line: "b2-b3",
                hints: &["d2-d3"],
                ..shown
            },
        ),
        (
            "tic-tac-toe",
            after("tic-tac-toe", json!({}), "b2 a1"),
            numbers,
        ),
    ]
}

/// A picture is a file here, so that a change of how it looks is seen by who reviews it.
#[test]
fn pictures_look_as_kept() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let renew = env::var_os("RENEW_PICTURES").is_some();
    for (name, game, shown) in kept() {
        let picture = game.picture(&shown).expect("a picture");
        let drawn = svg::file(&picture, Theme::Auto).replace("><", ">\n<");
        let path = folder.join(name).with_extension("svg");
        if renew {
            fs::write(&path, &drawn).expect("a file to write");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        let line = drawn
            .lines()
            .zip(kept.lines())
            .find(|(drawn, kept)| drawn != kept);
        assert!(
            drawn == kept,
            "{}: {:?}\nLook at the new pictures, made by\n  \
             RENEW_PICTURES=1 cargo test --release -p catalog --test all -- pictures_look_as_kept",
            path.display(),
            line
        );
    }
}

#[test]
fn pictures_are_well_formed() {
    visit(|rules, game| {
        let actions = match game.outcome() {
            Some(_) => Vec::new(),
            None if game.roll_due() => Vec::new(),
            None => game.actions(),
        };
        let hints: Vec<&str> = actions.iter().map(String::as_str).take(3).collect();
        let shown = Shown {
            numbers: true,
            line: hints.first().copied().unwrap_or(""),
            hints: &hints,
            forbidden: true,
        };
        let picture = game.picture(&shown).expect("a picture");
        let file = svg::file(&picture, Theme::Auto);
        let fragments = [svg::fragment(&picture), svg::clickable(&picture)];
        for text in fragments.iter().chain([&file]) {
            let read = roxmltree::Document::parse(text);
            let document = read.unwrap_or_else(|error| panic!("{}: {error}\n{text}", rules.id()));
            assert_eq!(document.root_element().tag_name().name(), "svg");
        }
        // A content security policy forbids style attributes.
        for text in fragments {
            assert!(!text.contains("style"), "{text}");
            assert!(text.contains("aria-label="), "{text}");
        }
    });
}

#[test]
fn everything_is_within_the_picture() {
    visit(|rules, game| {
        let picture = game.picture(&Shown::default()).expect("a picture");
        let text = svg::clickable(&picture);
        let document = roxmltree::Document::parse(&text).expect("XML");
        let (corner, end) = (picture.corner, picture.corner + picture.size);
        for node in document.descendants() {
            let number = |name: &str| node.attribute(name)?.parse::<f64>().ok();
            let x = number("x").or(number("cx")).map(|x| x / svg::CELL);
            let y = number("y").or(number("cy")).map(|y| y / svg::CELL);
            for (at, low, high) in [(x, corner.0, end.0), (y, corner.1, end.1)] {
                let is_within = at.is_none_or(|at| (low - 1e-3..=high).contains(&at));
                assert!(is_within, "{}: {node:?}", rules.id());
            }
        }
    });
}

#[test]
fn a_line_ends_where_it_cannot_be_played() {
    let game = after("hex", json!({"size": 5}), "c3");
    let ghosts = |line| {
        let shown = Shown {
            line,
            ..Shown::default()
        };
        let picture = game.picture(&shown).expect("a picture");
        svg::file(&picture, Theme::Light)
            .matches("-ghost\" ")
            .count()
    };
    assert_eq!(ghosts("b2 d4 e5"), 3);
    assert_eq!(ghosts("b2 d4 b2 e5"), 2);
    assert_eq!(ghosts("<script>"), 0);
    let dice = after("einstein", json!({}), "R:653214 B:123456 d6");
    let shown = Shown {
        line: "R6-b4 d3 B3-d3",
        ..Shown::default()
    };
    let picture = dice.picture(&shown).expect("a picture");
    assert_eq!(
        svg::file(&picture, Theme::Light)
            .matches("-arrow\" ")
            .count(),
        1
    );
}

#[test]
fn a_row_that_wins_is_marked() {
    for (id, variant, words) in [
        ("hex", json!({"size": 2}), "a1 b1 a2"),
        (
            "connect6",
            json!({}),
            "j10 a1c1 k10l10 a3c3 m10n10 a5c5 o10",
        ),
        (
            "gomoku",
            json!({"opening": "free"}),
            "a1 b1 a2 c1 a3 d1 b8 e1 c9 f1",
        ),
        (
            "gomoku",
            json!({"opening": "free", "size": 20}),
            "t20 b1 s20 d1 r20 f1 q20 h1 p20",
        ),
        ("tic-tac-toe", json!({}), "a1 b1 b2 c1 c3"),
    ] {
        let game = after(id, variant, words);
        let shown = Shown::default();
        let picture = game.picture(&shown).expect("a picture");
        assert!(game.outcome().is_some(), "{id}");
        let rows = svg::file(&picture, Theme::Light)
            .matches("class=\"won\"")
            .count();
        assert_eq!(rows, 1, "{id}");
    }
}
