//! Playing whole turns and rolls as text.

use engine_core::{Notation, Outcome, ParseError, Position, Side};

use crate::game::Game;

/// Whether the turn of `side` is over: the other side, or chance, has the word, or nobody.
pub fn turn_is_over<P: Position>(position: &P, side: Side) -> bool {
    position.outcome().is_some() || position.is_chance() || position.side() != side
}

/// Plays `moves` and checks that they are one whole turn.
///
/// # Errors
/// Moves after the end of the turn, or too few of them; `position` is then unspecified. The column
/// is that of the end of `text`, from which the moves were read.
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

/// Refuses a turn where nobody may play one.
fn check_somebody_moves<P: Position>(position: &P, text: &str) -> Result<(), ParseError> {
    match position.outcome() {
        Some(_) => Err(ParseError::new(1, text, "nothing, as the game is over")),
        None if position.is_chance() => Err(ParseError::new(1, text, "a roll of the die first")),
        None => Ok(()),
    }
}

/// Reads a whole turn and plays it.
///
/// # Errors
/// Text that is not exactly one legal turn; `position` is then as before.
pub fn play_turn<G: Game>(position: &mut G, text: &str) -> Result<Vec<G::Move>, ParseError> {
    check_somebody_moves(position, text)?;
    let moves = position.parse_turn(text)?;
    let mut after = position.clone();
    play_whole(&mut after, &moves, text)?;
    *position = after;
    Ok(moves)
}

/// As [`play_turn`], in the grammar of the SAU platform.
///
/// # Errors
/// As for [`play_turn`].
pub fn play_sau_turn<G: Game>(position: &mut G, text: &str) -> Result<Vec<G::Move>, ParseError> {
    check_somebody_moves(position, text)?;
    let moves = position.parse_sau(text)?;
    let mut after = position.clone();
    play_whole(&mut after, &moves, text)?;
    *position = after;
    Ok(moves)
}

/// Casts the die as `text`, `d1` to `d6`, says.
///
/// # Errors
/// Text that is no roll, or a roll where none is due; `position` is then as before.
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

/// Plays one word of a list of moves: a roll where one is due, else a turn, or a part of one.
///
/// # Errors
/// A word that is neither; `position` is then as before.
pub fn play_word<P: Notation>(position: &mut P, word: &str) -> Result<(), ParseError> {
    if position.is_chance() && position.outcome().is_none() {
        return play_roll(position, word).map(|_| ());
    }
    check_somebody_moves(position, word)?;
    for mv in position.parse_turn(word)? {
        position.play(mv);
    }
    Ok(())
}

/// Plays a list of words separated by blanks or commas.
///
/// # Errors
/// The first word that cannot be played, with its column in `text`; the words before it have been
/// played.
pub fn play_words<P: Notation>(position: &mut P, text: &str) -> Result<(), ParseError> {
    let mut column = 0;
    for word in text.split([' ', '\t', ',']) {
        if !word.is_empty() {
            play_word(position, word).map_err(|error| error.shifted(column))?;
        }
        column += word.chars().count() + 1;
    }
    Ok(())
}

/// The result as the UGI protocol names it: `p1win`, `p2win`, `draw`, or `none`.
pub fn ugi_result(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::First)) => "p1win",
        Some(Outcome::Win(Side::Second)) => "p2win",
        Some(Outcome::Draw) => "draw",
        None => "none",
    }
}
