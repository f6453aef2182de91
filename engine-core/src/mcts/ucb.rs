//! UCB1 (Auer, Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*,
//! 2002), which makes a tree search UCT (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*,
//! 2006).

use crate::mcts::node::Node;
use crate::mcts::select::Choice;
use crate::position::Side;

/// Children that are gathered before they are judged, so that the loop over them has no branches.
const LANES: usize = 8;

/// The child with the highest mean + C·√(ln N / n) for `side`, the first of equals, among those that
/// may be worth more than `sure`; the first that has no playouts before all others. The tight loop
/// of plain UCT: it is where most of a search's time goes.
pub(super) fn best(
    children: &[Node],
    side: Side,
    sure: i32,
    exploration: f32,
    log: f32,
) -> Option<Choice> {
    let scale = exploration * exploration * log;
    // The mean of a side is `base` + `sign` · the mean of `First`; siblings have the same base.
    let (base, sign) = match side {
        Side::First => (0.0, 1.0),
        Side::Second => (1.0, -1.0),
    };
    let mut best = f32::NEG_INFINITY;
    let mut place = usize::MAX;
    for (group, nodes) in children.chunks(LANES).enumerate() {
        let mut visits = [1.0; LANES];
        let mut points = [f32::NEG_INFINITY; LANES];
        for (lane, node) in nodes.iter().enumerate() {
            if node.is_bounded() && node.bounds().of(side).high <= sure {
                continue;
            }
            let n = node.visits();
            if n == 0 {
                return Some(Choice {
                    place: group * LANES + lane,
                    bound: f32::INFINITY,
                });
            }
            visits[lane] = n as i32 as f32;
            points[lane] = sign * node.points();
        }
        for lane in 0..LANES {
            let inverse = 1.0 / visits[lane];
            let bound = points[lane] * inverse + (scale * inverse).sqrt();
            let better = bound > best;
            best = if better { bound } else { best };
            place = if better { group * LANES + lane } else { place };
        }
    }
    (place != usize::MAX).then_some(Choice {
        place,
        bound: base + best,
    })
}

/// The bonus of a child with so many visits; `log` is ln N.
#[inline]
pub(super) fn bonus(log: f32, visits: f32) -> f32 {
    (log / visits).sqrt()
}

/// ln n, to 10⁻⁴, by arithmetic that is the same on every machine, which a library's logarithm need
/// not be.
#[inline]
pub(super) fn ln(n: u32) -> f32 {
    let bits = (n.max(1) as f32).to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let m = f32::from_bits((bits & 0x7f_ffff) | 0x3f80_0000);
    // A polynomial for ln m, 1 ≤ m < 2, summed in pairs, which waits less than one term at a time.
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
