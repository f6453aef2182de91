use serde_json::json;

use super::*;

fn book(game: &str, variant: &Value, source: &Openings, seed: u64) -> Book {
    let rules = catalog::find(game).expect("a game");
    let variant = rules.complete_variant(variant).expect("a variant");
    Book::new(rules, &variant, source, &Seed::of_number(seed))
}

fn first(book: &Book, count: usize) -> Vec<String> {
    (0..count)
        .map(|place| book.get(place).expect("an opening"))
        .collect()
}

const fn random(plies: u8, max_advantage: Option<u32>) -> Openings {
    Openings::Random {
        plies,
        max_advantage,
    }
}

#[test]
fn no_random_opening_repeats_before_all_have_been_used() {
    let book = book("hex", &json!({"size": 3}), &random(1, None), 7);
    let openings = first(&book, 25);
    let different: HashSet<&String> = openings.iter().collect();
    assert_eq!(different.len(), 9, "one for each cell");
    assert_eq!(openings[..9], openings[9..18]);
}

#[test]
fn transpositions_are_one_opening() {
    let book = book(
        "dots-and-boxes",
        &json!({"columns": 1, "rows": 1}),
        &random(2, None),
        7,
    );
    let different: HashSet<String> = first(&book, 30).into_iter().collect();
    assert_eq!(different.len(), 6, "two of the four edges");
}

#[test]
fn the_seed_decides_everything() {
    let openings = |seed| first(&book("amazons", &json!({}), &random(3, None), seed), 5);
    assert_eq!(openings(1), openings(1));
    assert_ne!(openings(1), openings(2));
    let list = |shuffled| Openings::List {
        openings: ["a1", "b2", "c3", "d4", "e5"].map(str::to_owned).to_vec(),
        shuffled,
    };
    let openings = |shuffled, seed| first(&book("hex", &json!({}), &list(shuffled), seed), 7);
    assert_eq!(
        openings(false, 1),
        ["a1", "b2", "c3", "d4", "e5", "a1", "b2"]
    );
    assert_eq!(openings(true, 1), openings(true, 1));
    let mut orders: HashSet<Vec<String>> = (0..20).map(|seed| openings(true, seed)).collect();
    assert!(orders.len() > 10, "{orders:?}");
    for mut order in orders.drain() {
        order.truncate(5);
        order.sort();
        assert_eq!(order, ["a1", "b2", "c3", "d4", "e5"]);
    }
}

#[test]
fn balanced_openings_are_balanced() {
    for (game, plies, most) in [("hex", 2, 40), ("einstein", 5, 100), ("amazons", 4, 60)] {
        let book = book(game, &json!({}), &random(plies, Some(most)), 3);
        let openings = first(&book, 4);
        for opening in openings {
            let reached = begin(book.rules, &book.variant, &opening).expect("an opening");
            let points = book.advantage(&*reached).expect("nobody wins");
            assert!(points <= most, "{game} {opening}: {points}");
        }
        // The limit has an effect: without it, the same seed gives other openings.
        let any = Book::new(
            book.rules,
            &book.variant,
            &random(plies, None),
            &Seed::of_number(3),
        );
        let uneven = first(&any, 40).iter().any(|opening| {
            let reached = begin(book.rules, &book.variant, opening).expect("an opening");
            book.advantage(&*reached).is_none_or(|points| points > most)
        });
        assert!(uneven, "{game}");
    }
}

#[test]
fn without_balanced_openings_there_is_none() {
    // One box: whoever takes the third edge gives the box away, in every opening.
    let book = book(
        "dots-and-boxes",
        &json!({"columns": 1, "rows": 1}),
        &random(3, Some(0)),
        1,
    );
    assert_eq!(book.get(0), None);
}

#[test]
fn no_opening_ends_the_game() {
    for game in ["hex", "einstein", "amazons"] {
        let book = book(game, &json!({}), &random(255, None), 1);
        let opening = book.get(0).expect("an opening");
        assert!(!opening.is_empty());
        let reached = begin(book.rules, &book.variant, &opening).expect("an opening");
        assert_eq!(reached.outcome(), None);
    }
}
