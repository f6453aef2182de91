//! Reads and plays whole turns and rolls.

use crate::Written;
use engine_core::{Notation, Outcome, ParseError, Position, Side};
use protocol::Protocol;

use crate::dialect;

/// Whether the turn of `side` is over: the opponent moves, a roll is due, or the game is over.
pub fn turn_is_over<P: Position>(position: &P, side: Side) -> bool {
    position.outcome().is_some() || position.is_chance() || position.side() != side
}

/// Plays `moves` and checks that they are one whole turn.
///
/// # Errors
/// Too many or too few moves; `position` is then unspecified. The column of the error is the end of
/// `text`, the source of the moves.
fn play_whole<P: Position>(
    position: &mut P,
    moves: &[P::Move],
    text: &str,
) -> Result<(), ParseError> {
    let side = position.side();
    let end = text.chars().count() + 1;
    for (i, &mv) in moves.iter().enumerate() {
        if i > 0 && turn_is_over(position, side) {
            return Err(ParseError::new(
                end,
                "",
                format!("the end of the turn after {i} actions"),
            ));
        }
        position.play(mv);
    }
    if turn_is_over(position, side) {
        Ok(())
    } else {
        Err(ParseError::new(
            end,
            "",
            "another action, as the turn is not over",
        ))
    }
}

/// Refuses a turn if the game is over or a roll is due.
fn check_somebody_moves<P: Position>(position: &P, text: &str) -> Result<(), ParseError> {
    match position.outcome() {
        Some(_) => Err(ParseError::new(1, text, "nothing, as the game is over")),
        None if position.is_chance() => Err(ParseError::new(1, text, "a roll of the die first")),
        None => Ok(()),
    }
}

/// Reads and plays a whole turn in UGI notation.
///
/// # Errors
/// Text that is not exactly one legal turn; `position` is then unchanged.
pub fn play_turn<G: Written>(position: &mut G, text: &str) -> Result<Vec<G::Move>, ParseError> {
    play_turn_in(position, Protocol::Ugi, text)
}

/// As [`play_turn`], in the notation of any protocol.
///
/// # Errors
/// As for [`play_turn`], and a protocol that does not support the game.
pub fn play_turn_in<G: Written>(
    position: &mut G,
    protocol: Protocol,
    text: &str,
) -> Result<Vec<G::Move>, ParseError> {
    let (moves, after) = turn_from(position, protocol, text)?;
    *position = after;
    Ok(moves)
}

/// Reads a whole turn in a protocol's notation. Returns its moves and the position after them.
///
/// # Errors
/// As for [`play_turn_in`].
pub fn turn_from<G: Written>(
    position: &G,
    protocol: Protocol,
    text: &str,
) -> Result<(Vec<G::Move>, G), ParseError> {
    let moves = parse(position, protocol, text)?;
    let mut after = position.clone();
    play_whole(&mut after, &moves, text)?;
    Ok((moves, after))
}

/// Plays a turn, or its first actions, in a protocol's notation. If the protocol separates actions,
/// the text may end before the turn does.
///
/// # Errors
/// As for [`play_turn_in`].
pub fn play_part_in<G: Written>(
    position: &mut G,
    protocol: Protocol,
    text: &str,
) -> Result<Vec<G::Move>, ParseError> {
    let moves = parse(position, protocol, text)?;
    for &mv in &moves {
        position.play(mv);
    }
    Ok(moves)
}

/// A turn or roll that was played, in the notation of a protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A turn: its side, the colour that the side played, as an index into [`Game::COLOURS`](crate::Game::COLOURS), and
    /// its text.
    Turn(Side, usize, String),
    /// A roll of the die: the face.
    Roll(u8),
}

impl Told {
    /// The side and text of a turn; `None` for a roll.
    pub fn turn(self) -> Option<(Side, String)> {
        match self {
            Told::Turn(side, _, text) => Some((side, text)),
            Told::Roll(_) => None,
        }
    }
}

/// Plays words as [`play_words`] does, and returns their turns and rolls in a protocol's notation;
/// the last turn may be unfinished.
///
/// # Errors
/// The first word that cannot be played, or a protocol that does not support the game.
pub fn follow<'a, G: Written>(
    position: &mut G,
    protocol: Protocol,
    words: impl Iterator<Item = &'a str>,
) -> Result<Vec<Told>, ParseError> {
    let dialect = dialect::of::<G>(protocol)?;
    let (mut told, mut start, mut turn) = (Vec::new(), position.clone(), Vec::new());
    let tell = |start: &G, turn: &[G::Move]| {
        let side = start.side();
        let text = (dialect.write)(start, turn);
        Told::Turn(side, start.colour_index(side), text)
    };
    for word in words {
        if position.is_chance() {
            told.push(Told::Roll(play_roll(position, word)?));
            start = position.clone();
            continue;
        }
        check_somebody_moves(position, word)?;
        for mv in position.parse_turn(word)? {
            position.play(mv);
            turn.push(mv);
            if turn_is_over(position, start.side()) {
                told.push(tell(&start, &turn));
                (start, turn) = (position.clone(), Vec::new());
            }
        }
    }
    if !turn.is_empty() {
        told.push(tell(&start, &turn));
    }
    Ok(told)
}

/// Actions, in order, that lead from the start of a variant to a position. `None` if there are none,
/// as when a side has too many stones, or if [`Written::placed`] does not say.
pub fn actions_to<G: Written>(start: &G, position: &G) -> Option<Vec<G::Move>> {
    let mut left = position.placed()?;
    let (mut game, mut actions) = (start.clone(), Vec::new());
    while left.iter().any(|placed| !placed.is_empty()) {
        let placed = &mut left[game.side().index()];
        let is_next = |&mv: &G::Move| game.outcome().is_none() && game.is_legal(mv);
        let next = placed.swap_remove(placed.iter().position(is_next)?);
        game.play(next);
        actions.push(next);
    }
    (game.write_position() == position.write_position()).then_some(actions)
}

/// Reads actions in a protocol's notation; an error if nobody may act.
fn parse<G: Written>(
    position: &G,
    protocol: Protocol,
    text: &str,
) -> Result<Vec<G::Move>, ParseError> {
    check_somebody_moves(position, text)?;
    (dialect::of::<G>(protocol)?.parse)(position, text)
}

/// Plays the roll in `text`, `d1` to `d6`.
///
/// # Errors
/// Text that is not a roll, or no roll is due; `position` is then unchanged.
pub fn play_roll<P: Position>(position: &mut P, text: &str) -> Result<u8, ParseError> {
    let expected = || format!("a roll, d1 to d{}", P::FACES);
    if position.outcome().is_some() || !position.is_chance() {
        return Err(ParseError::new(1, text, "no roll, as none is due"));
    }
    let face = text
        .strip_prefix(['d', 'D'])
        .and_then(|digits| digits.parse().ok())
        .filter(|face| (1..=P::FACES).contains(face))
        .ok_or_else(|| ParseError::new(1, text, expected()))?;
    position.play_roll(face);
    Ok(face)
}

/// Plays one word of a list of moves: a roll if one is due, otherwise a turn or its first actions.
/// Returns the actions, none for a roll.
///
/// # Errors
/// A word that is neither; `position` is then unchanged.
pub fn play_word<P: Notation>(position: &mut P, word: &str) -> Result<Vec<P::Move>, ParseError> {
    if position.is_chance() && position.outcome().is_none() {
        return play_roll(position, word).map(|_| Vec::new());
    }
    check_somebody_moves(position, word)?;
    let moves = position.parse_turn(word)?;
    for &mv in &moves {
        position.play(mv);
    }
    Ok(moves)
}

/// The words of a list, separated by blanks or commas, each with the number of characters before it.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut column = 0;
    text.split([' ', '\t', ',']).filter_map(move |word| {
        let before = column;
        column += word.chars().count() + 1;
        (!word.is_empty()).then_some((before, word))
    })
}

/// Plays a list of words separated by blanks or commas.
///
/// # Errors
/// The first word that cannot be played, with its column in `text`; the words before it have been
/// played.
pub fn play_words<P: Notation>(position: &mut P, text: &str) -> Result<(), ParseError> {
    for (before, word) in words(text) {
        play_word(position, word).map_err(|error| error.shifted(before))?;
    }
    Ok(())
}

/// The result in UGI: `p1win`, `p2win`, `draw`, or `none`.
pub fn ugi_result(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::First)) => "p1win",
        Some(Outcome::Win(Side::Second)) => "p2win",
        Some(Outcome::Draw) => "draw",
        None => "none",
    }
}
