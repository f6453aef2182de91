//! Progressive bias (Chaslot, Winands, van den Herik, Uiterwijk and Bouzy, *Progressive Strategies
//! for Monte-Carlo Tree Search*, 2008): knowledge that fades as playouts come in.

/// What a heuristic value, 0 to 1, adds to a child with so many visits.
#[inline]
pub(super) fn bonus(weight: f32, heuristic: f32, visits: f32) -> f32 {
    weight * heuristic / (visits + 1.0)
}
