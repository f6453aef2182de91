//! Which groups of players are above which: they scored against each other, directly or through others.

use super::bound::Side;
use super::group_of;
use super::likelihood::Likelihood;

/// The games between groups.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// Group of each player.
    group_of: Vec<usize>,
    /// The groups that each group has beaten.
    beaten: Vec<Vec<usize>>,
    /// The groups by which each group was beaten.
    beaten_by: Vec<Vec<usize>>,
}

/// The groups between a player and another group, both included: the others may be ever farther away
/// without any result becoming less likely.
#[derive(Clone, Debug)]
pub(super) struct Between {
    /// Whether each group is one of them.
    pub(super) groups: Vec<bool>,
}

impl Reach {
    /// The groups of these games.
    pub(super) fn new(groups: &[Vec<usize>], likelihood: &Likelihood) -> Reach {
        let group_of = group_of(likelihood.players, groups);
        let mut reach = Reach {
            beaten: vec![Vec::new(); groups.len()],
            beaten_by: vec![Vec::new(); groups.len()],
            group_of,
        };
        for (players, [won, drawn, lost]) in likelihood.results() {
            let [first, second] = players.map(|player| reach.group_of[player]);
            if first == second {
                continue;
            }
            if won + drawn > 0.0 {
                reach.beaten[first].push(second);
                reach.beaten_by[second].push(first);
            }
            if lost + drawn > 0.0 {
                reach.beaten[second].push(first);
                reach.beaten_by[first].push(second);
            }
        }
        for list in reach.beaten.iter_mut().chain(&mut reach.beaten_by) {
            list.sort_unstable();
            list.dedup();
        }
        reach
    }

    /// On which side the difference between a player and the mean of others has a bound; `None` if the
    /// games allow any difference.
    pub(super) fn side(&self, player: usize, others: &[usize]) -> Option<Side> {
        let player = self.group_of[player];
        let all = |reached: Vec<bool>| others.iter().all(|&other| reached[self.group_of[other]]);
        if all(reached(&self.beaten, player)) {
            Some(Side::Above)
        } else if all(reached(&self.beaten_by, player)) {
            Some(Side::Below)
        } else {
            None
        }
    }

    /// The groups between a player and others of one group; `None` if these are of several.
    pub(super) fn between(&self, player: usize, others: &[usize]) -> Option<Between> {
        let player = self.group_of[player];
        let (&first, others) = others.split_first()?;
        let other = self.group_of[first];
        if others.iter().any(|&one| self.group_of[one] != other) {
            return None;
        }
        let either = |down: &[Vec<usize>], up: &[Vec<usize>]| {
            let (from, to) = (reached(down, player), reached(up, other));
            from.iter().zip(to).map(|(&from, to)| from && to).collect()
        };
        let mut groups: Vec<bool> = either(&self.beaten, &self.beaten_by);
        if !groups[player] {
            groups = either(&self.beaten_by, &self.beaten);
        }
        Some(Between { groups })
    }
}

/// The groups that can be reached from one, itself included.
fn reached(next: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut found = vec![false; next.len()];
    let mut waiting = vec![from];
    found[from] = true;
    while let Some(group) = waiting.pop() {
        for &other in &next[group] {
            if !std::mem::replace(&mut found[other], true) {
                waiting.push(other);
            }
        }
    }
    found
}
