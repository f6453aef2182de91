//! UCB1 (Auer, Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*,
//! 2002), which makes a tree search UCT (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*,
//! 2006).

use crate::mcts::estimate::Family;
use crate::mcts::select::{Choice, Expanded};
use crate::mcts::thread_share::{SHARED_OUT, ThreadShare};
use crate::position::Side;

/// The child with the highest mean + C·√(ln N / n) for `side`, among those that may be worth more
/// than the proven lower bound of the parent; the first of equals. `exploration` is C. This is the
/// tight loop of plain UCT, where most of the search time is spent.
#[inline(always)]
pub(super) fn best(
    family: Family,
    at: Expanded,
    side: Side,
    exploration: f32,
    share: ThreadShare,
) -> Option<Choice> {
    let rule = Rule::new(side, exploration * family.reach);
    let best = if share.is_shared() && at.node.visits() >= SHARED_OUT {
        rule.best_without_proofs(family, share.factors(at.block.first()))
    } else {
        rule.best_without_proofs(family, || 1.0)
    };
    best.or_else(|| rule.best_unproven(family, at, side))
}

/// Computes the upper confidence bounds of the children of one node.
struct Rule {
    /// C·√ln N.
    exploration: f32,
    /// The mean of the side is `base` + `sign` · the mean of `First`.
    base: f32,
    sign: f32,
}

impl Rule {
    #[inline]
    fn new(side: Side, exploration: f32) -> Rule {
        let (base, sign) = match side {
            Side::First => (0.0, 1.0),
            Side::Second => (1.0, -1.0),
        };
        Rule {
            // 0 times the infinite width of an untried child would not be a number.
            exploration: exploration.max(f32::MIN_POSITIVE),
            base,
            sign,
        }
    }

    /// The upper confidence bound without `base`, which is equal for all siblings.
    #[inline(always)]
    fn bound(&self, mean: f32, width: f32) -> f32 {
        self.sign * mean + self.exploration * width
    }

    #[inline]
    fn choice(&self, (place, bound): (usize, f32)) -> Choice {
        Choice {
            place,
            bound: self.base + bound,
        }
    }

    /// The best child, with the next `factor` of the exploration for each; `None` if one of those
    /// compared has proven bounds.
    #[inline(always)]
    fn best_without_proofs(
        &self,
        family: Family,
        mut factor: impl FnMut() -> f32,
    ) -> Option<Choice> {
        let (mut best, mut highest) = (0, f32::NEG_INFINITY);
        // Not a number if one of the bounds is not.
        let mut sum = 0.0;
        for (place, estimate) in family.children.iter().enumerate() {
            let width = estimate.width();
            let bound = self.bound(estimate.mean(), width * factor());
            // A conditional move and a maximum: a branch would often be mispredicted.
            best = if bound > highest { place } else { best };
            highest = if bound > highest { bound } else { highest };
            sum += bound;
            if width == family.fresh_width {
                break;
            }
        }
        (!sum.is_nan()).then(|| self.choice((best, highest)))
    }

    /// As [`best`], one child after the other, if some have proven bounds.
    #[cold]
    fn best_unproven(&self, family: Family, at: Expanded, side: Side) -> Option<Choice> {
        let sure = at.node.bounds().of(side).low;
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        for (place, node) in at.children.iter().enumerate() {
            if node.is_bounded() && node.bounds().of(side).high <= sure {
                continue;
            }
            let width = family.children[place].width();
            let bound = self.bound(node.mean(Side::First), width);
            if bound > highest {
                (best, highest) = (Some((place, bound)), bound);
            }
            if width == family.fresh_width {
                break;
            }
        }
        best.map(|best| self.choice(best))
    }
}

/// The exploration bonus of a child; `log` is ln N.
#[inline]
pub(super) fn bonus(log: f32, visits: f32) -> f32 {
    (log / visits).sqrt()
}
