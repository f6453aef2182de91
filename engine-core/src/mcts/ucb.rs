//! UCB1 (Auer, Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*,
//! 2002), which makes a tree search UCT (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*,
//! 2006).

use crate::mcts::node::Node;
use crate::mcts::select::Choice;
use crate::position::Side;

/// Number of children evaluated at once.
const LANES: usize = 4;

/// The child with the highest mean + C·√(ln N / n) for `side`, among those that may be worth more
/// than `sure`; the first of equals. This is the tight loop of plain UCT, where most of the search
/// time is spent.
///
/// Children without playouts have `fresh` visits. Without a prior that is 0, and they come before all
/// others; with one they are stored in its order, and none is better than the first.
pub(super) fn best(
    children: &[Node],
    side: Side,
    sure: i32,
    (exploration, log): (f32, f32),
    fresh: u32,
) -> Option<Choice> {
    let rule = Rule::new(side, exploration, log);
    for (place, node) in children.iter().enumerate() {
        if node.is_bounded() {
            return rule.best_unproven(children, side, sure, fresh);
        }
        if node.visits() == fresh {
            if fresh == 0 {
                return Some(Choice::untried(place));
            }
            return Some(rule.choice(rule.best_of_all(&children[..=place])));
        }
    }
    Some(rule.choice(rule.best_of_all(children)))
}

/// Computes the upper confidence bounds of the children of one node.
struct Rule {
    /// C² ln N.
    scale: f32,
    /// The mean of the side is `base` + `sign` · the mean of `First`.
    base: f32,
    sign: f32,
}

impl Rule {
    fn new(side: Side, exploration: f32, log: f32) -> Rule {
        let (base, sign) = match side {
            Side::First => (0.0, 1.0),
            Side::Second => (1.0, -1.0),
        };
        Rule {
            scale: exploration * exploration * log,
            base,
            sign,
        }
    }

    /// The upper confidence bound without `base`, which is equal for all siblings.
    #[inline(always)]
    fn bound(&self, node: &Node) -> f32 {
        let inverse = 1.0 / node.visits() as i32 as f32;
        self.sign * node.points() * inverse + (self.scale * inverse).sqrt()
    }

    fn choice(&self, (place, bound): (usize, f32)) -> Choice {
        Choice {
            place,
            bound: self.base + bound,
        }
    }

    /// The best child if all have playouts. Evaluates groups of children; the last group may
    /// overlap the one before it.
    #[inline(always)]
    fn best_of_all(&self, children: &[Node]) -> (usize, f32) {
        let mut best = (0, f32::NEG_INFINITY);
        let mut from = 0;
        while let Some(group) = children[from..].first_chunk::<LANES>() {
            self.better(&mut best, from, group);
            from += LANES;
        }
        match children.last_chunk::<LANES>() {
            Some(_) if from == children.len() => {}
            Some(group) => self.better(&mut best, children.len() - LANES, group),
            None => {
                for (place, node) in children.iter().enumerate() {
                    let bound = self.bound(node);
                    if bound > best.1 {
                        best = (place, bound);
                    }
                }
            }
        }
        best
    }

    /// Updates the best by a group of children. Compares in pairs, which has a shorter dependency
    /// chain than one after the other.
    #[inline(always)]
    fn better(&self, best: &mut (usize, f32), from: usize, group: &[Node; LANES]) {
        let [a, b, c, d] = std::array::from_fn(|lane| (from + lane, self.bound(&group[lane])));
        *best = higher(*best, higher(higher(a, b), higher(c, d)));
    }

    /// As [`best`], one child after the other, if some have proven bounds.
    #[cold]
    fn best_unproven(
        &self,
        children: &[Node],
        side: Side,
        sure: i32,
        fresh: u32,
    ) -> Option<Choice> {
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        for (place, node) in children.iter().enumerate() {
            if node.is_bounded() && node.bounds().of(side).high <= sure {
                continue;
            }
            if node.visits() == 0 {
                return Some(Choice::untried(place));
            }
            let bound = self.bound(node);
            if bound > highest {
                (best, highest) = (Some((place, bound)), bound);
            }
            if node.visits() == fresh {
                break;
            }
        }
        best.map(|best| self.choice(best))
    }
}

/// The one with the higher bound, without a branch; the first of equals.
#[inline(always)]
fn higher(first: (usize, f32), second: (usize, f32)) -> (usize, f32) {
    let better = second.1 > first.1;
    (
        if better { second.0 } else { first.0 },
        if better { second.1 } else { first.1 },
    )
}

/// The exploration bonus of a child; `log` is ln N.
#[inline]
pub(super) fn bonus(log: f32, visits: f32) -> f32 {
    (log / visits).sqrt()
}

/// ln n with an error of about 10⁻⁴, by arithmetic that gives the same result on every machine; a
/// library's logarithm may not.
#[inline]
pub(super) fn ln(n: u32) -> f32 {
    let bits = (n.max(1) as f32).to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let m = f32::from_bits((bits & 0x7f_ffff) | 0x3f80_0000);
    // A polynomial for ln m, 1 ≤ m < 2, summed in pairs for a shorter dependency chain.
    let (low, middle) = (
        -1.741_793_9 + 2.821_202_6 * m,
        -1.469_956_8 + 0.447_179_55 * m,
    );
    let square = m * m;
    let p = (low + middle * square) - 0.056_570_85 * square * square;
    exponent as f32 * std::f32::consts::LN_2 + p.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_near() {
        for n in (1..100_000).chain([u32::MAX]) {
            assert!((ln(n) - (n as f32).ln()).abs() < 2e-4, "{n}");
        }
        assert!(ln(1) >= 0.0);
    }
}
