//! Whose letters `B` and `W` are.
//!
//! FF[4] has black begin, and `PB` plays black. Where white begins, programs mean one of three things:
//!
//! - Little Golem writes the turns of the player who begins as `W`, and this player is `PB`. Its files
//!   have no `GM`.
//! - In games in which a colour means only who begins, such as Amazons, white is `First`.
//! - In Hex, a colour also means two edges of the board. HexGui's files then begin at the first
//!   position with blue (white) to move.

use engine_core::Side;

use super::tree::Property;
use super::{is_turn, setup};
use crate::header::Heading;
use crate::{Fault, Place, Recorded, Replay, Token, folded, side_of};

/// Who begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginner {
    /// `B` is `First`.
    Black,
    /// `W` is `First`.
    White,
    /// `W` is `First`, and its name is `PB`.
    LittleGolem,
    /// `W` is `Second`, who moves first.
    Second,
}

/// Which side a letter stands for.
#[derive(Clone, Copy)]
pub(super) struct Letters {
    beginner: Beginner,
    /// The swap after which its player moves again: it exchanges the players' colours, and after it
    /// the letters are the colours of the stones.
    pub(super) exchange: Option<Place>,
}

impl Letters {
    /// The letters of a game with these properties.
    pub(super) fn of<G: Recorded>(properties: &[Property<'_>]) -> Letters {
        Letters {
            beginner: beginner::<G>(properties),
            exchange: exchange::<G>(properties),
        }
    }

    /// The index of the side that the player of a letter has, 0 for `First`; the letter is 0 for `PB`
    /// and `RE[B+]`.
    pub(super) fn player(self, letter: usize) -> usize {
        letter ^ usize::from(self.beginner == Beginner::White)
    }

    /// The side that a turn names in this position.
    pub(super) fn side<G: Recorded>(self, turn: &Property<'_>, position: &G) -> Side {
        let letter = usize::from(turn.id == "W");
        let is_exchanged = self.exchange.is_some_and(|swap| turn.value.place > swap);
        let by_colour = is_exchanged.then(|| side_of(position, letter)).flatten();
        let is_white_first = matches!(self.beginner, Beginner::White | Beginner::LittleGolem);
        by_colour.unwrap_or(Side::BOTH[letter ^ usize::from(is_white_first)])
    }

    /// The word of a turn in the game's notation, in lower case and without blanks. A swap is named by
    /// what it does, as far as the record says so.
    pub(super) fn word<G: Recorded>(self, turn: &Token<'_>) -> String {
        let word = folded(turn.text);
        let swaps = G::SGF.map_or(&[][..], |sgf| sgf.swaps);
        let named = match self.exchange == Some(turn.place) {
            true => swaps.last(),
            // Little Golem moves the stone.
            false if self.beginner == Beginner::LittleGolem && swaps.contains(&&*word) => {
                swaps.iter().rev().nth(1)
            }
            false => None,
        };
        named.map_or(word, |swap| (*swap).to_owned())
    }

    /// Notes that white begins.
    pub(super) fn note(self, heading: &mut Heading<'_>) {
        match self.beginner {
            Beginner::Black => {}
            Beginner::White => heading.note("white begins, so white is First"),
            Beginner::LittleGolem => {
                heading
                    .note("W begins without GM, as Little Golem writes games: W is First and PB");
            }
            Beginner::Second => heading.note("white begins, so Second moves first"),
        }
    }

    /// Gives the first turn to `Second` if it begins.
    ///
    /// # Errors
    /// The game has no such position.
    pub(super) fn begin<G: Recorded>(
        self,
        first: Option<&Property<'_>>,
        replay: &mut Replay<G>,
    ) -> Result<(), Fault> {
        match (self.beginner, first) {
            (Beginner::Second, Some(turn)) => replay.begin_turn(&turn.value, 1),
            _ => Ok(()),
        }
    }
}

fn beginner<G: Recorded>(properties: &[Property<'_>]) -> Beginner {
    let Some(first) = properties.iter().position(is_turn) else {
        return Beginner::Black;
    };
    let before = &properties[..first];
    if properties[first].id == "B" || before.iter().any(setup::is_part) {
        return Beginner::Black;
    }
    let value = |id: &str| before.iter().find(|it| it.id == id).map(|it| it.value.text);
    let is_of_little_golem = value("SO").is_some_and(|site| site.contains("littlegolem"));
    if is_of_little_golem || value("GM").is_none() && value("PL").is_none() {
        return Beginner::LittleGolem;
    }
    if G::SGF.is_some_and(|sgf| sgf.has_edges) {
        Beginner::Second
    } else {
        Beginner::White
    }
}

/// The place of a swap after which its player moves again.
fn exchange<G: Recorded>(properties: &[Property<'_>]) -> Option<Place> {
    let swaps = G::SGF?.swaps;
    let mut turns = properties.iter().filter(|it| is_turn(it));
    let swap = turns.find(|it| swaps.contains(&&*folded(it.value.text)))?;
    let next = turns.next()?;
    let is_turn_again = next.id == swap.id && folded(next.value.text) != "resign";
    is_turn_again.then_some(swap.value.place)
}
