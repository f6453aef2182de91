//! Progressive widening (Coulom, *Computing Elo Ratings of Move Patterns in the Game of Go*, 2007;
//! "progressive unpruning" in Chaslot and others 2008): a node considers its best moves by prior
//! first, and more moves as its visits grow.

/// Number of children, in the order of their priors, that a node with `visits` visits considers;
/// all if `widening` is 0.
#[inline]
pub(super) fn considered(widening: f32, visits: u32) -> usize {
    if widening == 0.0 {
        return usize::MAX;
    }
    (widening * (visits as f32).sqrt()).max(2.0) as usize
}

#[cfg(test)]
mod tests {
    use super::considered;

    #[test]
    fn more_visits_consider_more_moves() {
        assert_eq!(considered(0.0, 5), usize::MAX);
        assert_eq!(considered(1.0, 0), 2);
        assert_eq!(considered(1.0, 100), 10);
    }
}
