//! Two books in one.

use entry::Book;
use entry::book::{Known, Line, Results};

/// What two counts become.
type Combine = fn(Results, Results) -> Results;

/// A book with all that is in either. No game is counted twice: counts are added if the books have
/// no game in common; if one has all games of the other, each count is the larger one. Of two
/// searches of a position the longer one stays. The order of the books does not matter.
///
/// # Errors
/// - They are for different games, variants or keys.
/// - Some of their games are in both, but not all of one of them: the counts cannot be told apart.
/// - Rare moves were left out of one.
pub fn merge(one: &Book, other: &Book) -> Result<Book, String> {
    if one.game != other.game {
        return Err(format!(
            "a book of {}, expected one of {}",
            other.game, one.game
        ));
    }
    if one.variant != other.variant {
        return Err(format!(
            "a book of the variant {}, expected {}",
            other.variant, one.variant
        ));
    }
    if one.start != other.start {
        return Err("made by another version of the program, expected books of one version".into());
    }
    for book in [one, other] {
        if book.min_games > 1 {
            return Err(format!(
                "made with --min-games {}, expected books with all moves of their games: leave \
                 rare moves out when all are merged",
                book.min_games
            ));
        }
    }
    let combine = combine(one, other)?;
    let mut merged = one.clone();
    merged.made.extend(other.made.iter().cloned());
    merged.games.extend(&other.games);
    for (&key, known) in &other.positions {
        add(merged.entry(key, known.side), known, combine);
    }
    Ok(merged)
}

/// How the counts of two books are combined, by the games that are in both.
fn combine(one: &Book, other: &Book) -> Result<Combine, String> {
    let common = one.games.intersection(&other.games).count();
    if common == 0 {
        return Ok(Results::plus);
    }
    let fewer = one.games.len().min(other.games.len());
    if common < fewer {
        return Err(format!(
            "{common} of the games of {fewer} are in the other book, too, expected none or all: \
             build one book from all games instead"
        ));
    }
    Ok(|one, other| Results {
        first: one.first.max(other.first),
        draws: one.draws.max(other.draws),
        second: one.second.max(other.second),
    })
}

/// Adds what another book knows of a position.
fn add(known: &mut Known, other: &Known, combine: Combine) {
    known.searched = known.searched.max(other.searched);
    known.expanded |= other.expanded;
    for (&bits, line) in &other.moves {
        let own = known.moves.entry(bits).or_default();
        *own = Line {
            to: own.to.max(line.to),
            results: combine(own.results, line.results),
        };
    }
}

#[cfg(test)]
mod tests {
    use engine_core::{Outcome, Rng, Score, Side};
    use entry::book::Searched;
    use serde_json::json;

    use super::*;

    /// A book that counts these games: each one plays some of eight moves at two positions.
    fn counted(games: &[u64]) -> Book {
        let mut book = Book::new("hex", json!({"size": 3}), 1);
        for &game in games {
            let mut rng = Rng::new(game);
            book.games.insert(game);
            for key in [1, 2] {
                let side = [Side::First, Side::Second][key as usize - 1];
                let bits = 1 + rng.below(8);
                let line = book.entry(key, side).moves.entry(bits).or_default();
                line.to = u64::from(bits) + 10 * key;
                line.results
                    .count(Outcome::Win(Side::BOTH[rng.below(2) as usize]));
            }
        }
        book
    }

    /// The book with a search of a position.
    fn with_search(mut book: Book, nodes: u64, score: i32) -> Book {
        book.made.insert(format!("expand {nodes}"));
        book.entry(2, Side::Second).searched = Some(Searched {
            nodes,
            solved: false,
            score: Score::points(score),
            best: 0,
        });
        book
    }

    #[test]
    fn merging_counts_every_game_once_in_any_order() {
        let parts = [counted(&[1, 2, 3]), counted(&[4, 5]), counted(&[6])];
        let [a, b, c] = parts.each_ref();
        let all = counted(&[1, 2, 3, 4, 5, 6]);
        let join = |one: &Book, other: &Book| merge(one, other).expect("they fit");
        assert_eq!(join(a, b), join(b, a));
        assert_eq!(join(&join(a, b), c), all);
        assert_eq!(join(a, &join(b, c)), all);
        // A book merged again, or a part of it, adds nothing.
        assert_eq!(join(&all, &all), all);
        assert_eq!(join(&all, b), all);
        assert_eq!(join(c, &all), all);
    }

    #[test]
    fn the_longer_search_stays() {
        let [short, long] = [(100, 30), (200, -5)]
            .map(|(nodes, score)| with_search(counted(&[nodes]), nodes, score));
        let joined = merge(&short, &long).expect("they fit");
        assert_eq!(joined, merge(&long, &short).expect("they fit"));
        let searched = joined.positions[&2].searched.expect("a search");
        assert_eq!((searched.nodes, searched.score), (200, Score::points(-5)));
        assert_eq!(joined.made.len(), 2);
    }

    #[test]
    fn what_cannot_be_merged_is_refused() {
        let one = counted(&[1, 2]);
        let error = |other: &Book| merge(&one, other).expect_err("they do not fit");
        assert!(error(&counted(&[2, 3])).starts_with("1 of the games of 2 are in the other"));
        let other = |change: fn(&mut Book)| {
            let mut other = counted(&[9]);
            change(&mut other);
            error(&other)
        };
        assert!(other(|book| book.game = "amazons".into()).contains("expected one of hex"));
        assert!(other(|book| book.variant = json!({"size": 4})).contains("{\"size\":3}"));
        assert!(other(|book| book.start = 2).contains("another version"));
        assert!(other(|book| book.min_games = 2).contains("--min-games 2"));
    }
}
