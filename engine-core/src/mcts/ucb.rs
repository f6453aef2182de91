//! UCB1 (Auer, Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*,
//! 2002), which makes a tree search UCT (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*,
//! 2006).

use crate::mcts::node::Node;
use crate::mcts::select::Rule;
use crate::position::Side;

/// Mean and C·√(ln N / n), and nothing else: the tight loop.
pub(super) struct Ucb {
    /// C² ln N.
    scale: f32,
    /// The mean of the side that chooses is `base` + `sign` · the mean of `First`.
    base: f32,
    sign: f32,
}

impl Ucb {
    pub(super) fn new(exploration: f32, log: f32, side: Side) -> Ucb {
        let (base, sign) = match side {
            Side::First => (0.0, 1.0),
            Side::Second => (1.0, -1.0),
        };
        Ucb {
            scale: exploration * exploration * log,
            base,
            sign,
        }
    }
}

impl Rule for Ucb {
    #[inline]
    fn bound(&self, _: usize, child: &Node) -> f32 {
        let visits = child.visits();
        if visits == 0 {
            return f32::INFINITY;
        }
        let inverse = 1.0 / visits as f32;
        self.base + self.sign * (child.points() * inverse) + (self.scale * inverse).sqrt()
    }
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
    // A polynomial for ln m, 1 ≤ m < 2.
    let p = -1.741_793_9
        + (2.821_202_6 + (-1.469_956_8 + (0.447_179_55 - 0.056_570_85 * m) * m) * m) * m;
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
