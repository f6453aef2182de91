//! Last good reply (Drake, *The Last-Good-Reply Policy for Monte-Carlo Go*, 2009) with forgetting
//! (Baier and Drake, *The Power of Forgetting*, 2010): in a playout, a side repeats the reply to an
//! action with which it last won.

use crate::mcts::rave::Action;
use crate::position::Side;

/// Replies to single actions: a hash table by side and action. On a collision the later reply
/// overwrites the earlier one.
#[derive(Debug)]
pub(super) struct Replies {
    /// Action answered 32 bits | reply 32 bits.
    slots: Vec<u64>,
}

const SLOTS: usize = 1 << 12;

impl Default for Replies {
    fn default() -> Replies {
        Replies {
            slots: vec![0; SLOTS],
        }
    }
}

impl Replies {
    /// The hash code of the answered action, and the slot of its reply. `side` is the side that
    /// replies.
    fn at(side: Side, answered: Action) -> (u32, usize) {
        let sides = 2 * side.index() as u32 + answered.0.index() as u32;
        let code = answered.1 << 2 | sides;
        (
            code,
            code.wrapping_mul(0x9e37_79b9) as usize >> 20 & (SLOTS - 1),
        )
    }

    /// Bits of the stored reply of `side`.
    pub(super) fn reply(&self, side: Side, answered: Action) -> Option<u32> {
        let (code, at) = Self::at(side, answered);
        let slot = self.slots[at];
        ((slot >> 32) as u32 == code && slot != 0).then_some(slot as u32)
    }

    /// Learns from a finished game: stores the winner's replies, removes the loser's.
    pub(super) fn learn(&mut self, game: &[Action], first: f32) {
        for pair in game.windows(2) {
            let (answered, (side, reply)) = (pair[0], pair[1]);
            let points = match side {
                Side::First => first,
                Side::Second => 1.0 - first,
            };
            let (code, at) = Self::at(side, answered);
            let word = (code as u64) << 32 | reply as u64;
            if points > 0.5 {
                self.slots[at] = word;
            } else if points < 0.5 && self.slots[at] == word {
                self.slots[at] = 0;
            }
        }
    }

    /// Removes all replies.
    pub(super) fn clear(&mut self) {
        self.slots.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{First, Second};

    #[test]
    fn winners_remember_and_losers_forget() {
        let mut replies = Replies::default();
        let game = [(First, 3), (Second, 4), (First, 5)];
        replies.learn(&game, 0.0);
        assert_eq!(replies.reply(Second, (First, 3)), Some(4));
        assert_eq!(replies.reply(First, (Second, 4)), None);
        replies.learn(&game, 1.0);
        assert_eq!(replies.reply(Second, (First, 3)), None);
        assert_eq!(replies.reply(First, (Second, 4)), Some(5));
    }
}
