//! Choosing an action on the board, place by place.

use catalog::AnyMatch;

use super::board::Board;

/// The legal actions that are made of places, and the places chosen so far.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    actions: Vec<(Vec<usize>, String)>,
    picked: Vec<usize>,
}

impl Choice {
    /// Nothing to choose.
    pub(crate) fn none() -> Choice {
        Choice {
            actions: Vec::new(),
            picked: Vec::new(),
        }
    }

    /// A choice among the actions of a position. Those that are not on the board (`swap`) can only be
    /// typed.
    pub(crate) fn new(board: &Board, position: &dyn AnyMatch) -> Choice {
        let places = |action: String| {
            let clicks = position.clicks(&action).ok()?;
            let places = clicks.iter().map(|name| board.find(name));
            Some((places.collect::<Option<Vec<usize>>>()?, action))
        };
        Choice {
            actions: position.actions().into_iter().filter_map(places).collect(),
            ..Choice::none()
        }
    }

    /// The places chosen so far.
    pub(crate) fn picked(&self) -> &[usize] {
        &self.picked
    }

    /// Gives up the last place. Returns whether there was one.
    pub(crate) fn unpick(&mut self) -> bool {
        self.picked.pop().is_some()
    }

    /// The places that may be chosen next.
    pub(crate) fn targets(&self) -> Vec<usize> {
        let next = |(places, _): &(Vec<usize>, String)| {
            places.strip_prefix(&self.picked[..])?.first().copied()
        };
        let mut targets: Vec<usize> = self.actions.iter().filter_map(next).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Chooses a place. Returns the action if this completes one.
    ///
    /// # Errors
    /// No legal action goes there; the choice is unchanged.
    pub(crate) fn pick(&mut self, place: usize) -> Result<Option<&str>, String> {
        if !self.targets().contains(&place) {
            return Err(if self.picked.is_empty() {
                "no legal action begins here".to_owned()
            } else {
                "no legal action goes here; Esc chooses anew".to_owned()
            });
        }
        self.picked.push(place);
        let complete = self
            .actions
            .iter()
            .find(|(places, _)| *places == self.picked);
        Ok(complete.map(|(_, action)| action.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_action_is_chosen_place_by_place() {
        let mut game = catalog::find("surakarta")
            .unwrap()
            .start(&json!({}))
            .unwrap();
        let board = Board::new(&game.board());
        let place = |name| board.find(name).unwrap();
        let mut choice = Choice::new(&board, &*game);
        assert!(choice.targets().contains(&place("a5")));
        choice.pick(place("a4")).unwrap_err();
        assert_eq!(choice.pick(place("a5")), Ok(None));
        assert_eq!(choice.targets(), [place("a4"), place("b4")]);
        choice.pick(place("c4")).unwrap_err();
        assert!(choice.unpick() && !choice.unpick());
        assert_eq!(choice.pick(place("b5")), Ok(None));
        let action = choice.pick(place("b4")).unwrap().unwrap();
        game.play_turn(action).unwrap();
        assert!(game.board().contains("4 . B . . . . 4"), "{}", game.board());
    }

    #[test]
    fn every_action_on_the_board_of_every_game_can_be_chosen() {
        let starts = catalog::ids().into_iter().map(|id| (id, ""));
        for (id, begun) in starts.chain([("einstein", "R:653214 B:123456 d3")]) {
            let mut game = catalog::find(id).unwrap().start(&json!({})).unwrap();
            game.play_words(begun).unwrap();
            let choice = Choice::new(&Board::new(&game.board()), &*game);
            assert_eq!(choice.actions.len(), game.actions().len(), "{id}");
        }
    }
}
