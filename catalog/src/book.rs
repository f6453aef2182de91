//! What opening books need of a game in progress.

use engine_core::search::greedy::Greedy;
use engine_core::{Canonical, Evaluator, ParseError, Score, Side};
use entry::book::{Book, BookError, OpenBook, Results};
use game::{Engine, Searched, turn};

use crate::playing::Playing;

/// A position as opening books know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its canonical key.
    pub key: u64,
    /// The side that acts.
    pub side: Side,
    /// Its score for that side if the game is over.
    pub terminal: Option<Score>,
}

/// An action as opening books know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The position before it.
    pub from: Place,
    /// Its canonical bits.
    pub bits: u32,
    /// Canonical key of the position after it.
    pub to: u64,
}

/// A move of a book at a position.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownMove {
    /// The legal action in UGI notation.
    pub action: String,
    /// Number of legal actions that are this move: more than one in a symmetric position.
    pub images: usize,
    /// Results of the games in which it was played.
    pub results: Results,
    /// Its value for the side that plays it, backed up from searches.
    pub value: Option<Score>,
    /// Whether an engine may play it without a search.
    pub is_enough: bool,
}

/// What opening books need of a game in progress.
pub trait Booked {
    /// The position.
    fn place(&self) -> Place;

    /// Plays a word of a list of moves and returns its actions, none for a roll.
    ///
    /// # Errors
    /// It cannot be played.
    fn play_steps(&mut self, word: &str) -> Result<Vec<Step>, ParseError>;

    /// The canonical bits of a legal action in UGI notation.
    ///
    /// # Errors
    /// It is no legal action.
    fn bits_of(&self, action: &str) -> Result<u32, ParseError>;

    /// The legal actions with these canonical bits: one, or its images if the position is symmetric.
    fn actions_of(&self, bits: u32) -> Vec<String>;

    /// The legal actions, the best first: the candidates of the game's searches, then the others by the
    /// evaluation of the position after each.
    fn ranked(&self) -> Vec<String>;

    /// The moves of a book of this variant, the best first, and the action that an engine with this
    /// seed plays.
    ///
    /// # Errors
    /// As for [`OpenBook::new`], with messages that begin with `name`.
    fn known_moves(
        &self,
        name: &str,
        book: &Book,
        seed: u64,
    ) -> Result<(Vec<KnownMove>, Option<String>), BookError>;
}

fn place<G: Searched>(position: &G) -> Place {
    Place {
        key: Canonical::of(position).key(),
        side: position.side(),
        terminal: position.terminal(0),
    }
}

impl<G: Engine> Booked for Playing<G> {
    fn place(&self) -> Place {
        place(self.position())
    }

    fn play_steps(&mut self, word: &str) -> Result<Vec<Step>, ParseError> {
        let mut before = self.position().clone();
        let moves = self.play_word(word)?;
        let step = |mv| {
            let canonical = Canonical::of(&before);
            let bits = canonical.image(&before, mv);
            let from = place(&before);
            before.play(mv);
            let to = Canonical::of(&before).key();
            Step { from, bits, to }
        };
        Ok(moves.into_iter().map(step).collect())
    }

    fn bits_of(&self, action: &str) -> Result<u32, ParseError> {
        let position = self.position();
        turn::play_word(&mut position.clone(), action)?;
        let mv = position.parse_move(action)?;
        Ok(Canonical::of(position).image(position, mv))
    }

    fn actions_of(&self, bits: u32) -> Vec<String> {
        let position = self.position();
        let canonical = Canonical::of(position);
        let legal = position.legal_moves().into_iter();
        legal
            .filter(|&mv| canonical.image(position, mv) == bits)
            .map(|mv| position.write_move(mv))
            .collect()
    }

    fn ranked(&self) -> Vec<String> {
        let position = self.position();
        let settings = G::settings();
        let mut ranked = Vec::new();
        if let Some(limit) = settings.candidate_limit {
            let mut evaluator = game::evaluator(position, &settings);
            evaluator.reset(position);
            evaluator.candidates(position, limit, &mut ranked);
        }
        let mut greedy = Greedy::new(game::evaluator(position, &settings), 0);
        let legal = position.legal_moves().into_iter();
        let mut others: Vec<_> = legal
            .filter(|mv| !ranked.contains(mv))
            .filter_map(|mv| greedy.best_of(position, &[mv]))
            .collect();
        others.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        ranked.extend(others.into_iter().map(|(mv, _)| mv));
        ranked
            .into_iter()
            .map(|mv| position.write_move(mv))
            .collect()
    }

    fn known_moves(
        &self,
        name: &str,
        book: &Book,
        seed: u64,
    ) -> Result<(Vec<KnownMove>, Option<String>), BookError> {
        let position = self.position();
        let open = OpenBook::<G>::new(name, book.clone(), &book.variant)?;
        let canonical = Canonical::of(position);
        let mut moves: Vec<(u32, KnownMove)> = Vec::new();
        for known in open.advice(position) {
            let bits = canonical.image(position, known.mv);
            if let Some((_, one)) = moves.iter_mut().find(|(other, _)| *other == bits) {
                one.images += 1;
                continue;
            }
            let one = KnownMove {
                action: position.write_move(known.mv),
                images: 1,
                results: known.results,
                value: known.value,
                is_enough: known.is_enough,
            };
            moves.push((bits, one));
        }
        let chosen = open.choose(position, seed);
        let chosen = chosen.map(|known| position.write_move(known.mv));
        Ok((moves.into_iter().map(|(_, known)| known).collect(), chosen))
    }
}
