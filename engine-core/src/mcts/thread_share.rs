//! How threads keep apart in a shared tree.
//!
//! Each thread has its own children at every busy node, and explores them more than the other
//! children; averaged over the threads, every child is explored as in plain UCB1. Most nodes are
//! then changed by one thread only, whose core keeps their cache lines.

/// Number of visits from which the threads share out the children of a node.
pub(super) const SHARED_OUT: u32 = 64;

/// Difference between the factors of exploration of a thread's own children and of others.
const GAP: f32 = 0.3;

/// A thread among the threads of a tree. Only plain UCB1 shares out children.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadShare {
    /// From 0.
    pub(super) thread: u32,
    /// At least 1.
    pub(super) threads: u32,
}

impl ThreadShare {
    /// A thread that has the tree for itself.
    pub(super) const ALONE: ThreadShare = ThreadShare {
        thread: 0,
        threads: 1,
    };

    /// Whether other threads use the same tree.
    #[inline]
    pub(super) fn is_shared(self) -> bool {
        self.threads > 1
    }

    /// The factors of exploration of adjacent nodes from index `first`, one after the other. Every
    /// `threads`-th node is the thread's own.
    #[inline(always)]
    pub(super) fn factors(self, first: u32) -> impl FnMut() -> f32 {
        let ThreadShare { thread, threads } = self;
        let other = 1.0 - GAP / threads as f32;
        let mut others_before = (thread + threads - first % threads) % threads;
        move || {
            let is_own = others_before == 0;
            others_before = if is_own { threads } else { others_before } - 1;
            if is_own { other + GAP } else { other }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_child_is_one_thread_s_own_and_is_explored_in_full_on_average() {
        for threads in 1..9 {
            for first in [0, 5, u32::MAX - 20] {
                let mut factors: Vec<_> = (0..threads)
                    .map(|thread| ThreadShare { thread, threads }.factors(first))
                    .collect();
                for place in 0..20 {
                    let of_place: Vec<f32> = factors.iter_mut().map(|next| next()).collect();
                    let own = (first + place) % threads;
                    for (thread, &factor) in (0..).zip(&of_place) {
                        assert_eq!(factor >= 1.0, thread == own, "{of_place:?}");
                    }
                    let mean = of_place.iter().sum::<f32>() / threads as f32;
                    assert!((mean - 1.0).abs() < 1e-6, "{of_place:?}");
                }
            }
        }
    }
}
