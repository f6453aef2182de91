//! What a picture of a position shows besides the position.

use drawing::BUTTON;
use engine_core::Position;

use crate::Game;

/// What a picture of a position shows besides the position.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, G: Position> {
    /// The position before the last turn; `None` at the start.
    pub before: Option<&'a G>,
    /// The actions of the last turn, to be marked.
    pub last: &'a [G::Move],
    /// All actions since the start of the game, if stones show their numbers; otherwise empty.
    pub numbered: &'a [G::Move],
    /// A line of play from the position.
    pub line: &'a [G::Move],
    /// Candidate actions.
    pub hints: &'a [G::Move],
    /// Whether points where the side to move must not play are marked.
    pub forbidden: bool,
}

/// The position and nothing else.
impl<G: Position> Default for View<'_, G> {
    fn default() -> Self {
        View {
            before: None,
            last: &[],
            numbered: &[],
            line: &[],
            hints: &[],
            forbidden: false,
        }
    }
}

/// An action of a line of play.
#[derive(Clone, Debug)]
pub struct LineStep<G: Position> {
    /// The number of its turn, from 1.
    pub turn: usize,
    /// The colour that plays it, as an index into [`Game::COLOURS`].
    pub colour: usize,
    /// The position before it.
    pub before: G,
    /// The action.
    pub action: G::Move,
}

/// The actions of a line of play from `position`, up to the first that cannot be played: it is
/// illegal, or comes after a roll.
pub fn line_of<G: Game>(position: &G, line: &[G::Move]) -> Vec<LineStep<G>> {
    let (mut game, mut steps, mut turn) = (position.clone(), Vec::new(), 0);
    let mut is_new_turn = true;
    for &action in line {
        if game.outcome().is_some() || game.is_chance() || !game.is_legal(action) {
            break;
        }
        let (side, before) = (game.side(), game.clone());
        turn += usize::from(is_new_turn);
        game.play(action);
        is_new_turn = game.side() != side;
        steps.push(LineStep {
            turn,
            colour: before.colour_index(side),
            before,
            action,
        });
    }
    steps
}

/// The clicks of an action that is not on the board: one on the button with its text.
pub fn button<G: Game>(position: &G, action: G::Move) -> Vec<String> {
    vec![format!("{BUTTON}{}", position.write_move(action))]
}
