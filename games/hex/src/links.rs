//! Links between chains that a stone cuts, for the words of a review.

use engine_core::Position;

use crate::board::{Colour, Hex};
use crate::geometry::{Cell, CellSet};

/// How many links of the other side the stone cuts that was placed between two positions. A link is the
/// only empty cell that touches two chains of one colour, or a chain and its edge.
pub(crate) fn cut(before: &Hex, after: &Hex) -> u32 {
    let (placing, colour) = (before.to_move(), before.to_move().other());
    let mut placed = after
        .stones(placing)
        .without(before.stones(placing))
        .cells();
    let (Some(cell), None) = (placed.next(), placed.next()) else {
        return 0;
    };
    if after.side_of(placing) != before.side() {
        return 0;
    }
    let chains = chains_around(before, colour, cell);
    let reach = |chain: &CellSet| -> Vec<Cell> {
        let empty = before.empty_cells().cells();
        empty.filter(|&cell| chain.around(cell) != 0).collect()
    };
    let reaches: Vec<Vec<Cell>> = chains.iter().map(reach).collect();
    let mut links = 0;
    for (at, one) in reaches.iter().enumerate() {
        let only_here =
            |other: &Vec<Cell>| !one.iter().any(|&at| at != cell && other.contains(&at));
        links += reaches[at + 1..]
            .iter()
            .filter(|other| only_here(other))
            .count();
    }
    links as u32
}

/// The chains of a colour that touch an empty cell, each with its stones or its edge, or both.
fn chains_around(position: &Hex, colour: Colour, cell: Cell) -> Vec<CellSet> {
    let size = position.size();
    let edges = match colour {
        Colour::Red => CellSet::above_and_below(size),
        Colour::Blue => CellSet::left_and_right(size),
    };
    let first = match colour {
        Colour::Red => CellSet::above(size),
        Colour::Blue => CellSet::left(size),
    };
    let own = position.stones(colour).union(&edges);
    let stones = position.stones(colour).cells().map(|stone| {
        let mut seed = CellSet::EMPTY;
        seed.insert(stone);
        seed
    });
    let seeds = stones.chain([first, edges.without(&first)]);
    let mut chains: Vec<CellSet> = Vec::new();
    for seed in seeds.filter(|seed| seed.around(cell) != 0) {
        let chain = own.joined_to(&seed, size);
        if !chains.contains(&chain) {
            chains.push(chain);
        }
    }
    chains
}

#[cfg(test)]
mod tests {
    use game::{Game, turn};

    use super::*;

    /// How many links the last of these turns cuts on a board of 5×5.
    fn links(words: &str) -> u32 {
        let variant = serde_json::from_value(serde_json::json!({ "size": 5, "opening": "free" }));
        let mut after = Hex::start(&variant.unwrap()).unwrap();
        let mut before = after.clone();
        for (_, word) in turn::words(words) {
            before = after.clone();
            turn::play_word(&mut after, word).unwrap();
        }
        cut(&before, &after)
    }

    #[test]
    fn a_link_is_cut_where_no_other_cell_joins() {
        // Red: b4 and c2 are a bridge, with b3 and c3 between them.
        assert_eq!(links("b4 e1 c2 b3"), 0, "c3 still joins them");
        assert_eq!(links("b4 e1 c2 b3 e5 c3"), 1);
        assert_eq!(links("b4 e1 c2 b3 c3 e5"), 0);
        // Red's edges are above and below: b4 reaches the lower one by a5 and b5.
        assert_eq!(links("b4 a5"), 0);
        assert_eq!(links("b4 a5 e1 b5"), 1);
        // Blue's are left and right, and a stone can cut nothing of its own.
        assert_eq!(links("e1 b3 a3 e5 a4"), 1);
        assert_eq!(links("b3"), 0);
    }
}
