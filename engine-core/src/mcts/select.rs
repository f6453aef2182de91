//! Selection: the child with which a playout continues.

use crate::mcts::estimate::ln;
use crate::mcts::extra::{Extra, of};
use crate::mcts::link::Block;
use crate::mcts::node::Node;
use crate::mcts::settings::{Selection, TreeSettings};
use crate::mcts::thread_share::ThreadShare;
use crate::mcts::tree::Tree;
use crate::mcts::{bias, implicit, puct, rave, tuned, ucb, widening};
use crate::position::Side;

/// A selected child.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Choice {
    /// Index among the children.
    pub(super) place: usize,
    /// The upper confidence bound of its value for the side that chooses, in points; infinite if it
    /// has no visits.
    pub(super) bound: f32,
}

/// An expanded node.
#[derive(Clone, Copy)]
pub(super) struct Expanded<'a> {
    pub(super) index: u32,
    pub(super) node: &'a Node,
    pub(super) block: Block,
    /// The nodes of `block`.
    pub(super) children: &'a [Node],
}

/// The child to visit; `None` if no child can be better than the proven lower bound for `side`.
#[inline(always)]
pub(super) fn select(
    settings: &TreeSettings,
    tree: &Tree,
    at: Expanded,
    side: Side,
    share: ThreadShare,
) -> Option<Choice> {
    match &tree.estimates {
        Some(estimates) => {
            let family = estimates.family(at.index, at.block);
            ucb::best(family, at, side, settings.exploration, share)
        }
        None => select_mixed(settings, tree.extras(at.block), at, side),
    }
}

/// As [`select`], by any combination of the selection methods.
fn select_mixed(
    settings: &TreeSettings,
    extras: &[Extra],
    at: Expanded,
    side: Side,
) -> Option<Choice> {
    let visits = at.node.visits().max(1);
    let rule = Mixed {
        settings,
        extras,
        side,
        log: ln(visits),
        root_of_visits: (visits as f32).sqrt(),
        untried: at.node.mean(side),
        fresh_visits: settings.keeps_order().then_some(settings.prior_playouts),
    };
    let sure = at.node.bounds().of(side).low;
    let limit = widening::considered(settings.widening, visits);
    rule.best(at.children, sure, limit)
}

/// Any combination of the selection methods.
struct Mixed<'a> {
    settings: &'a TreeSettings,
    /// Extras of the children; empty if no method needs them.
    extras: &'a [Extra],
    side: Side,
    log: f32,
    root_of_visits: f32,
    /// The value of a child without playouts: the mean of its parent.
    untried: f32,
    /// The visits of a child without playouts, if the bounds of such children have the order of
    /// their priors, in which they are stored: then none is better than the first.
    fresh_visits: Option<u32>,
}

impl Mixed<'_> {
    /// The child with the highest upper confidence bound among the first `limit` children that may
    /// be worth more than `sure`; the first of equals.
    fn best(&self, children: &[Node], sure: i32, limit: usize) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        let mut considered = 0;
        for (place, child) in children.iter().enumerate() {
            if child.is_bounded() && child.bounds().of(self.side).high <= sure {
                continue;
            }
            let bound = self.bound(place, child);
            if best.is_none_or(|best| bound > best.bound) {
                best = Some(Choice { place, bound });
                if bound == f32::INFINITY {
                    break;
                }
            }
            considered += 1;
            if considered == limit || Some(child.visits()) == self.fresh_visits {
                break;
            }
        }
        best
    }

    /// The value of a child, 0 to 1; `None` without statistics.
    #[inline]
    fn value(&self, place: usize, child: &Node, visits: f32) -> Option<f32> {
        let mut value = (visits > 0.0).then(|| child.mean(self.side));
        if self.settings.implicit > 0.0
            && let Some(mean) = value
        {
            let implicit = of(self.side, self.extras[place].implicit());
            value = Some(implicit::mix(mean, implicit, self.settings.implicit));
        }
        if let Some(bias) = self.settings.rave
            && let Some((amaf_visits, amaf)) = self.extras[place].amaf(self.side)
        {
            let weight = rave::weight(visits, amaf_visits, bias);
            value = Some((1.0 - weight) * value.unwrap_or(0.0) + weight * amaf);
        }
        value
    }

    /// The upper confidence bound of a child; infinite if it must be visited first.
    #[inline]
    fn bound(&self, place: usize, child: &Node) -> f32 {
        let settings = self.settings;
        let visits = child.visits() as f32;
        let value = match self.value(place, child, visits) {
            Some(value) => value,
            None if settings.selection == Selection::Puct => self.untried,
            None => return f32::INFINITY,
        };
        // With RAVE a child may have a value without visits.
        let tries = visits.max(1.0);
        let bonus = match settings.selection {
            Selection::Ucb => ucb::bonus(self.log, tries),
            Selection::Tuned => {
                let mean = child.mean(Side::First);
                tuned::bonus(self.log, tries, mean, self.extras[place].squares())
            }
            Selection::Puct => puct::bonus(self.root_of_visits, visits, child.prior()),
        };
        value + settings.exploration * bonus + bias::bonus(settings.bias, child.prior(), visits)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::mcts::bounds::Bounds;
    use crate::mcts::estimate::{Estimates, Family};
    use crate::mcts::node::NewNode;
    use crate::rng::Rng;

    /// What the side to choose is sure of.
    const SURE: i32 = -1;

    /// Children in the order of their priors for `side`.
    fn children(settings: &TreeSettings, side: Side, rng: &mut Rng) -> Vec<Node> {
        let mut fresh: Vec<NewNode> = (0..1 + rng.below(40))
            .map(|edge| {
                let first = rng.unit();
                NewNode {
                    visits: settings.prior_playouts,
                    first,
                    prior: of(side, first),
                    ..NewNode::new(edge, 0)
                }
            })
            .collect();
        fresh.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        let nodes = fresh.iter().map(|fresh| {
            let node = Node::default();
            node.reset(fresh);
            node
        });
        nodes.collect()
    }

    /// Checks for many numbers of playouts that a selection that stops at the first child without
    /// playouts chooses what a selection among all children chooses. Some children are proven, to
    /// be lost too.
    fn compare(settings: &TreeSettings, side: Side, rng: &mut Rng) {
        let children = children(settings, side, rng);
        for playouts in 1..300 {
            let short = Mixed {
                settings,
                extras: &[],
                side,
                log: ln(playouts),
                root_of_visits: (playouts as f32).sqrt(),
                untried: 0.5,
                fresh_visits: Some(settings.prior_playouts),
            };
            let whole = Mixed {
                fresh_visits: None,
                ..short
            };
            let expected = whole.best(&children, SURE, usize::MAX);
            assert_eq!(short.best(&children, SURE, usize::MAX), expected);
            if settings.is_plain() {
                compare_plain(&whole, &children, expected, playouts);
            }
            let Some(choice) = expected else {
                break;
            };
            let chosen = &children[choice.place];
            if rng.below(30) == 0 {
                chosen.tighten(Bounds::exact(rng.below(3) as i32 - 1));
            }
            chosen.add_playout(Node::fixed(rng.below(2) as f32));
        }
    }

    /// Checks that the selection by estimates chooses a child whose upper confidence bound is the
    /// highest but for rounding, and the same child if it does not stop early.
    fn compare_plain(rule: &Mixed, children: &[Node], expected: Option<Choice>, playouts: u32) {
        let estimates = Estimates::new(children.len() + 1, rule.settings.prior_playouts);
        let estimates = estimates.expect("there is room");
        let parent = Node::default();
        parent.add(playouts, 0);
        parent.tighten(
            Bounds {
                low: SURE,
                ..Bounds::UNKNOWN
            }
            .of(rule.side),
        );
        for (index, node) in (0..).zip(std::iter::once(&parent).chain(children)) {
            estimates.update(index, node);
        }
        let block = Block::new(1, children.len() as u16, false);
        let short = estimates.family(0, block);
        let whole = Family {
            fresh_width: f32::NAN,
            ..short
        };
        let [short, whole] = [short, whole].map(|family| {
            let at = Expanded {
                index: 0,
                node: &parent,
                block,
                children,
            };
            ucb::best(
                family,
                at,
                rule.side,
                rule.settings.exploration,
                ThreadShare::ALONE,
            )
        });
        assert_eq!(short, whole);
        let bound = |choice: Choice| rule.bound(choice.place, &children[choice.place]);
        match (short.map(bound), expected.map(bound)) {
            (Some(bound), Some(highest)) => assert!(highest - bound < 1e-4 || bound == highest),
            (bound, highest) => assert_eq!(bound, highest),
        }
    }

    #[test]
    fn no_child_after_the_first_without_playouts_is_better() {
        let uct = TreeSettings {
            exploration: 0.3,
            prior_playouts: 3,
            ..TreeSettings::default()
        };
        let biased = TreeSettings {
            bias: 2.0,
            ..uct.clone()
        };
        let puct = TreeSettings {
            selection: Selection::Puct,
            prior_playouts: 0,
            ..uct.clone()
        };
        let without_prior = TreeSettings {
            prior_playouts: 0,
            ..uct.clone()
        };
        let mut rng = Rng::new(1);
        for settings in [uct, biased, puct, without_prior] {
            assert!(settings.keeps_order() || !settings.evaluates_children());
            for side in [Side::First, Side::Second].repeat(20) {
                compare(&settings, side, &mut rng);
            }
        }
    }
}
