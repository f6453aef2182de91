//! One call that checks a game against the contracts of [`Position`](crate::Position) and [`Notation`].

use crate::evaluate::{Playout, UniformPlayout};
use crate::notation::Notation;
use crate::position::Move;
use crate::rng::Rng;
use crate::symmetry::{Canonical, Symmetric};

/// What only [`conformance`] needs to know of a game.
pub trait Checked: Notation + Symmetric {
    /// [`Position::key`](crate::Position::key), computed from the position without incremental
    /// state. The default reads the text of the position.
    ///
    /// # Panics
    /// If the text is not a position.
    fn key_from_scratch(&self) -> u64 {
        let again = self.parse_position(&self.write_position());
        again.expect("a position can be read").key()
    }
}

/// Maximum length of a game, in actions. A longer game counts as endless.
const LONGEST_GAME: u32 = 20_000;

/// Plays `games` random games from `start` and checks, at every position of them:
/// - the incremental key equals the key from scratch;
/// - moves are generated if and only if the game goes on, each by exactly one stage;
/// - `is_legal` agrees with `generate` for legal moves, moves of earlier positions and random bits;
/// - move bits round-trip and fit into 24 bits, and history indices are in range;
/// - playing changes the key, and undoing a move or roll restores the position and its key;
/// - `ALTERNATES` is correct;
/// - the weights of the rolls sum to `FACES`, and every face can be played;
/// - the text of moves, turns and positions round-trips, in upper and lower case;
/// - symmetries commute with play, preserve the legal moves, and lead to one canonical form;
///
/// and that every game ends.
///
/// # Panics
/// With a message that shows the position and what is wrong, if a check fails.
pub fn conformance<P: Checked>(start: &P, games: u32, seed: u64) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut checker = Checker {
            start,
            strangers: Vec::new(),
            rng: &mut rng,
        };
        checker.game();
    }
}

struct Checker<'a, P: Checked> {
    start: &'a P,
    /// Moves of earlier positions; most of them are illegal now.
    strangers: Vec<P::Move>,
    rng: &'a mut Rng,
}

impl<P: Checked> Checker<'_, P> {
    fn game(&mut self) {
        let mut position = self.start.clone();
        let mut policy = UniformPlayout::default();
        for _ in 0..LONGEST_GAME {
            self.check(&mut position);
            if position.outcome().is_some() {
                return;
            }
            if position.is_chance() {
                position.play_roll(1 + self.rng.below(P::FACES as u32) as u8);
            } else {
                let mv = policy.choose(&position, self.rng);
                self.strangers.push(mv);
                position.play(mv);
            }
        }
        panic!(
            "no end after {LONGEST_GAME} actions: {}",
            position.write_position()
        );
    }

    fn check(&mut self, position: &mut P) {
        let text = position.write_position();
        assert_eq!(position.key(), position.key_from_scratch(), "key of {text}");
        check_position_text(self.start, position);
        let moves = position.legal_moves();
        if position.outcome().is_none() {
            assert_ne!(
                position.is_chance(),
                !moves.is_empty(),
                "moves or a roll, not both: {text}"
            );
            assert!(
                position.terminal(0).is_none(),
                "a score before the end: {text}"
            );
        } else {
            assert!(
                position.terminal(0).is_some(),
                "no score at the end: {text}"
            );
            assert!(!position.is_chance(), "a roll after the end: {text}");
        }
        self.check_legality(position, &moves);
        if position.outcome().is_none() {
            for &mv in &moves {
                check_move(position, mv, &text);
            }
            check_rolls(position, &text);
            check_pass(position, &text);
            check_symmetries(position, &moves, &text);
        }
    }

    fn check_legality(&mut self, position: &P, moves: &[P::Move]) {
        let mut bits: Vec<u32> = moves.iter().map(|mv| mv.to_bits()).collect();
        bits.sort_unstable();
        let text = || position.write_position();
        assert!(
            bits.windows(2).all(|pair| pair[0] != pair[1]),
            "a move twice: {}",
            text()
        );
        for &mv in moves {
            assert!(
                position.is_legal(mv),
                "{mv:?} is generated but illegal: {}",
                text()
            );
        }
        let check = |mv: P::Move| {
            let generated = bits.binary_search(&mv.to_bits()).is_ok();
            assert_eq!(
                position.is_legal(mv),
                generated,
                "is_legal of {mv:?} in {}",
                text()
            );
        };
        for _ in 0..8 {
            if !self.strangers.is_empty() {
                check(self.strangers[self.rng.below(self.strangers.len() as u32) as usize]);
            }
            let mask = (1u32 << (1 + self.rng.below(24))) - 1;
            check(P::Move::from_bits(self.rng.next_u32() & mask));
        }
    }
}

fn check_pass<P: Checked>(position: &mut P, text: &str) {
    let before = position.clone();
    if position.pass() {
        assert!(!before.mid_turn(), "a pass within a turn: {text}");
        assert_ne!(position.side(), before.side(), "side after a pass: {text}");
        assert_ne!(position.key(), before.key(), "key after a pass: {text}");
        assert_eq!(position.outcome(), None, "the game ends by a pass: {text}");
        assert!(
            !position.legal_moves().is_empty(),
            "no answer to a pass: {text}"
        );
        assert_eq!(
            position.key(),
            position.key_from_scratch(),
            "key after a pass: {text}"
        );
        position.undo_pass();
    }
    assert_eq!(*position, before, "a pass taken back: {text}");
    assert_eq!(
        position.key(),
        before.key(),
        "key of a pass taken back: {text}"
    );
}

fn check_move<P: Checked>(position: &mut P, mv: P::Move, text: &str) {
    let bits = mv.to_bits();
    assert!(
        (1..1 << 24).contains(&bits),
        "{mv:?} has bits {bits:#x}: {text}"
    );
    assert_eq!(P::Move::from_bits(bits), mv, "bits of a move: {text}");
    assert!(
        position.history_index(mv) < P::HISTORY_LEN,
        "history index of {mv:?}: {text}"
    );

    let written = position.write_move(mv);
    for spelling in [
        written.clone(),
        written.to_uppercase(),
        written.to_lowercase(),
    ] {
        assert_eq!(
            position.parse_move(&spelling),
            Ok(mv),
            "text {spelling:?} in {text}"
        );
    }
    let turn = position.write_turn(&[mv]);
    assert_eq!(
        position.parse_turn(&turn),
        Ok(vec![mv]),
        "turn {turn:?} in {text}"
    );

    let before = position.clone();
    let undo = position.play(mv);
    assert_ne!(
        position.key(),
        before.key(),
        "{written} leaves the key: {text}"
    );
    if P::ALTERNATES {
        assert_ne!(
            position.side(),
            before.side(),
            "{written} leaves the side: {text}"
        );
    }
    position.undo(mv, undo);
    assert_eq!(*position, before, "undo of {written}");
    assert_eq!(
        position.key(),
        before.key(),
        "key after undo of {written}: {text}"
    );
}

fn check_rolls<P: Checked>(position: &mut P, text: &str) {
    if !position.is_chance() {
        return;
    }
    let mut rolls = Vec::new();
    position.rolls(&mut rolls);
    assert!(
        rolls.iter().all(|&(_, weight)| weight > 0),
        "weights of {rolls:?}: {text}"
    );
    let total: i32 = rolls.iter().map(|&(_, weight)| weight).sum();
    assert_eq!(
        total,
        P::FACES as i32,
        "sum of weights of {rolls:?}: {text}"
    );
    let before = position.clone();
    for face in 1..=P::FACES {
        position.play_roll(face);
        assert_eq!(
            position.key(),
            position.key_from_scratch(),
            "key after roll {face}: {text}"
        );
        assert_ne!(
            position.key(),
            before.key(),
            "roll {face} leaves the key: {text}"
        );
        assert_eq!(
            position.side(),
            before.side(),
            "roll {face} changes the side: {text}"
        );
        assert!(!position.is_chance(), "a roll after roll {face}: {text}");
        position.undo_roll(face);
        assert_eq!(*position, before, "undo of roll {face}");
    }
}

fn check_position_text<P: Checked>(start: &P, position: &P) {
    let text = position.write_position();
    assert!(!text.contains('\n'), "a line end in {text:?}");
    let read = start
        .parse_position(&text)
        .unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(read.write_position(), text);
    assert_eq!(
        read.key(),
        position.key(),
        "key of what was read from {text}"
    );
    assert_eq!(
        read.side(),
        position.side(),
        "side of what was read from {text}"
    );
    assert_eq!(
        read.legal_moves(),
        position.legal_moves(),
        "moves of what was read from {text}"
    );
}

fn check_symmetries<P: Checked>(position: &P, moves: &[P::Move], text: &str) {
    let canonical = Canonical::of(position);
    for symmetry in 0..position.symmetries() {
        let image = position.transform(symmetry);
        if symmetry == 0 {
            assert_eq!(image, *position, "symmetry 0 is the identity");
        }
        assert_eq!(
            image.key(),
            image.key_from_scratch(),
            "key under symmetry {symmetry}: {text}"
        );
        assert_eq!(
            image.legal_moves().len(),
            moves.len(),
            "moves under symmetry {symmetry}: {text}"
        );
        let of_image = Canonical::of(&image);
        assert_eq!(
            of_image.key(),
            canonical.key(),
            "canonical key under symmetry {symmetry}: {text}"
        );
        for &mv in moves.iter().step_by(1 + moves.len() / 40) {
            let (mut played, mut image_played) = (position.clone(), image.clone());
            let image_mv = position.transform_move(symmetry, mv);
            assert!(
                image.is_legal(image_mv),
                "{mv:?} under symmetry {symmetry}: {text}"
            );
            assert_eq!(
                of_image.image(&image, image_mv),
                canonical.image(position, mv),
                "canonical form of {mv:?} under symmetry {symmetry}: {text}"
            );
            played.play(mv);
            image_played.play(image_mv);
            let expected = played.transform(symmetry);
            assert_eq!(
                image_played.key(),
                expected.key(),
                "symmetry {symmetry}, {mv:?}: {text}"
            );
            assert_eq!(
                image_played.outcome(),
                expected.outcome(),
                "symmetry {symmetry}: {text}"
            );
        }
    }
}
