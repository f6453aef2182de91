//! How a game is drawn.

use drawing::Picture;

use crate::Game;
use crate::view::{self, View};

/// A game's board as text and as a picture. By default it is the position on one line, with a button for
/// every action.
pub trait Drawn: Game {
    /// The board as plain text with coordinates; every line ends with `\n`. The default is the
    /// position on one line.
    fn draw(&self) -> String {
        self.write_position() + "\n"
    }

    /// The board as a picture with what `view` asks for, without a title. The ground, the size and
    /// the targets are the same for all positions of a variant. The default is the text of
    /// [`Drawn::draw`].
    fn picture(&self, view: &View<'_, Self>) -> Picture {
        let _ = view;
        drawing::text(&self.draw())
    }

    /// The clicks that enter a legal action with a mouse: names of targets of the picture, or of
    /// buttons, with [`drawing::BUTTON`] in front. The clicks of no action are the first ones of
    /// another's. The default is a button for every action.
    fn clicks(&self, action: Self::Move) -> Vec<String> {
        view::button(self, action)
    }
}
