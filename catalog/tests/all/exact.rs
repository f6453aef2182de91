//! Compares every exact search with negamax, on positions of every game.

use catalog::{AnyGame, GAMES, Request, Rules};
use engine_core::{Rng, Score};
use serde_json::{Value, json};
use textbook::{AnySearch, Textbook};

/// Node limit of negamax per position; greater depths are not compared.
const NODES: u64 = 300_000;

/// Every game must have a position that is compared to this depth, in plies.
const DEPTH: u32 = 4;

/// Boards small enough for a search of several plies, each with a number of random actions to play
/// first.
fn small_boards(id: &str) -> Vec<(Value, usize)> {
    match id {
        "amazons" => {
            let corners = json!({ "columns": 4, "rows": 4, "first": ["a1"], "second": ["d4"] });
            let pairs = json!({
                "columns": 4, "rows": 5, "first": ["a1", "d1"], "second": ["a5", "d5"]
            });
            vec![(corners.clone(), 3), (corners, 5), (pairs, 7)]
        }
        "connect6" => [22, 24, 27].map(|n| (json!({ "size": 6 }), n)).to_vec(),
        "dots-and-boxes" => vec![
            (json!({ "columns": 2, "rows": 2 }), 0),
            (json!({ "columns": 3, "rows": 3 }), 9),
            (
                json!({ "columns": 3, "rows": 3, "stop_at_majority": true }),
                14,
            ),
        ],
        "gomoku" => ["at-once", "claimed", "off"]
            .map(|rule| {
                (
                    json!({ "size": 5, "opening": "free", "forbidden": rule }),
                    14,
                )
            })
            .to_vec(),
        "hex" => vec![
            (json!({ "size": 4 }), 0),
            (json!({ "size": 4, "opening": "swap" }), 1),
            (json!({ "size": 5 }), 9),
        ],
        _ => Vec::new(),
    }
}

/// The position after this number of random actions on an empty board.
fn played(game: &dyn Rules, variant: &Value, actions: usize, rng: &mut Rng) -> String {
    loop {
        let mut played = game.start(variant).expect("the game has the variant");
        for _ in 0..actions {
            let choice = played.actions();
            if choice.is_empty() {
                break;
            }
            let action = &choice[rng.below(choice.len() as u32) as usize];
            played.play_words(action).expect("the action is legal");
        }
        if played.outcome().is_none() {
            return played.position();
        }
    }
}

/// Positions of the largest board of Gomoku with few empty cells. In the first, both can still make a
/// five at the edge, and white is to move. In the second, black has to stop two.
fn last_cells_of_gomoku() -> [(Value, String); 2] {
    let position = |empty: &[&str], white: &[&str], to_move: &str| {
        let row = |row: usize| -> String {
            let cell = |column: usize| {
                let name = format!("{}{}", (b'a' + column as u8) as char, row + 1);
                match (column / 4 + row) % 2 {
                    _ if empty.contains(&name.as_str()) => '1',
                    0 if !white.contains(&name.as_str()) => 'b',
                    _ => 'w',
                }
            };
            let cells: String = (0..20).map(cell).collect();
            cells.replace("111", "3").replace("11", "2")
        };
        let rows: Vec<String> = (0..20).rev().map(row).collect();
        let variant = json!({ "size": 20, "opening": "free", "forbidden": "off" });
        (variant, format!("{} {to_move}", rows.join("/")))
    };
    [
        position(
            &["o20", "p20", "q20", "p18", "q18", "t17", "t16", "t1"],
            &[],
            "white",
        ),
        position(&["q20", "q18", "t17", "t1"], &["p20", "p18"], "black"),
    ]
}

/// The game's typical positions, and some on small boards.
fn positions(game: &dyn AnyGame) -> Vec<(Value, String)> {
    let standard = game::standard::positions(game.standard().text);
    let mut found: Vec<_> = standard
        .map(|(_, _, position)| (json!({}), position.to_owned()))
        .collect();
    let mut rng = Rng::new(7);
    for (variant, actions) in small_boards(game.id()) {
        let position = played(game, &variant, actions, &mut rng);
        found.push((variant, position));
    }
    if game.id() == "gomoku" {
        found.extend(last_cells_of_gomoku());
    }
    found
}

/// The values of all depths completed within the limits of depth and nodes.
fn values(
    game: &dyn AnyGame,
    (variant, position): &(Value, String),
    algorithm: AnySearch,
    (depth, nodes): (Option<u32>, Option<u64>),
) -> Vec<(u32, Score)> {
    let request = Request {
        algorithm,
        depth,
        nodes,
        time: None,
        as_played: false,
        table_mb: 1,
        seed: 1,
    };
    let finding = game.search(variant, position, &request);
    let steps = finding.expect("the position can be searched").steps;
    steps.iter().map(|step| (step.depth, step.score)).collect()
}

#[test]
fn every_exact_search_agrees_with_negamax() {
    let exact: Vec<AnySearch> = AnySearch::all().filter(|known| known.is_exact()).collect();
    let negamax = AnySearch::Textbook(Textbook::Negamax);
    for &game in GAMES {
        let mut deepest = 0;
        for place in positions(game) {
            let expected = values(game, &place, negamax, (None, Some(NODES)));
            let Some(&(depth, _)) = expected.last() else {
                continue;
            };
            deepest = deepest.max(depth);
            for &algorithm in &exact {
                let found = values(game, &place, algorithm, (Some(depth), None));
                let (variant, position) = &place;
                let context = format!("{algorithm:?}, {} {variant} {position}", game.id());
                assert_eq!(found, expected, "{context}");
            }
        }
        assert!(deepest >= DEPTH, "{}: only depth {deepest}", game.id());
    }
}
