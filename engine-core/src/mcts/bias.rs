//! Progressive bias (Chaslot, Winands, van den Herik, Uiterwijk and Bouzy, *Progressive Strategies
//! for Monte-Carlo Tree Search*, 2008): heuristic knowledge whose weight decreases with the number
//! of visits.

/// The bonus of a child with this heuristic value, 0 to 1, and number of visits.
#[inline]
pub(super) fn bonus(weight: f32, heuristic: f32, visits: f32) -> f32 {
    weight * heuristic / (visits + 1.0)
}
