//! Tests of the reduction, against solving both positions.

use std::collections::HashMap;

use engine_core::{Position, Rng};

use super::*;
use crate::board::Colour;
use crate::connections::tests::{mover_wins, random};
use crate::moves::Action;

/// Whether the side to move wins, also if the game is over.
fn wins(position: &Hex, table: &mut HashMap<u64, bool>) -> bool {
    match position.winner() {
        Some(winner) => winner == position.to_move(),
        None => mover_wins(&mut position.clone(), table),
    }
}

/// Random positions of 4×4 and 5×5 boards, either side to move.
fn positions(rng: &mut Rng) -> impl Iterator<Item = Hex> {
    (0..3_000).map(move |round| {
        let (size, least) = if round % 8 == 0 { (5, 12) } else { (4, 4) };
        let stones = least + rng.below(u32::from(size * size) - least - 2);
        let position = random(size, stones, rng);
        let colour = [Colour::Red, Colour::Blue][rng.below(2) as usize];
        position.with_to_move(colour)
    })
}

#[test]
fn a_reduced_position_has_the_same_winner() {
    let mut rng = Rng::new(1);
    let mut tables = [HashMap::new(), HashMap::new()];
    let mut reductions = [Reduction::new(4), Reduction::new(5)];
    let (mut filled, mut captured) = (0, 0);
    for position in positions(&mut rng) {
        let at = position.size() as usize - 4;
        let (table, reduction) = (&mut tables[at], &mut reductions[at]);
        let reduced = reduction.reduce(&position);
        let expected = wins(&position, table);
        assert_eq!(wins(&reduced.position, table), expected, "{position:?}");
        let new = position
            .empty_cells()
            .without(&reduced.position.empty_cells());
        filled += new.count();
        for colour in [Colour::Red, Colour::Blue] {
            let own = &reduced.captured[colour as usize];
            captured += own.count();
            // All others may be stones of the other colour.
            let others = new.without(own).cells();
            let others: Vec<_> = others.map(|cell| (colour.other(), cell)).collect();
            let hardest = position.with_stones(&others);
            assert_eq!(wins(&hardest, table), expected, "{position:?} {colour:?}");
        }
    }
    assert!(filled > 5_000 && captured > 1_000, "{filled} {captured}");
}

#[test]
fn if_a_move_wins_one_that_is_needed_wins() {
    let mut rng = Rng::new(2);
    let mut tables = [HashMap::new(), HashMap::new()];
    let mut reductions = [Reduction::new(4), Reduction::new(5)];
    let (mut won, mut spared) = (0, [0; 2]);
    for position in positions(&mut rng) {
        let at = position.size() as usize - 4;
        let (table, reduction) = (&mut tables[at], &mut reductions[at]);
        let position = reduction.reduce(&position).position;
        if position.winner().is_some() || !wins(&position, table) {
            continue;
        }
        let Inferior {
            vulnerable,
            dominated,
        } = reduction.inferior();
        spared[0] += vulnerable.len();
        spared[1] += dominated.len();
        let mut rest = position.empty_cells();
        let cells = vulnerable.iter().map(|known| known.cell).chain(dominated);
        cells.for_each(|cell| rest.remove(cell));
        if rest == CellSet::EMPTY {
            continue;
        }
        won += 1;
        let is_won = rest.cells().any(|cell| {
            let mut after = position.clone();
            after.play(Action::Place(cell));
            !wins(&after, table)
        });
        assert!(is_won, "{position:?}");
    }
    assert!(
        won > 500 && spared[0] > 1_000 && spared[1] > 100,
        "{won} {spared:?}"
    );
}

/// The position after some empty cells have become stones of a colour.
fn given(position: &Hex, colour: Colour, cells: &CellSet) -> Hex {
    let stones: Vec<_> = cells.cells().map(|cell| (colour, cell)).collect();
    position.with_stones(&stones)
}

/// Cells within which the side to move wins a won position: it needs all of them.
fn needed(position: &Hex, table: &mut HashMap<u64, bool>) -> CellSet {
    let mut needed = position.empty_cells();
    for cell in position.empty_cells().cells() {
        let mut less = needed;
        less.remove(cell);
        let outside = position.empty_cells().without(&less);
        if wins(
            &given(position, position.to_move().other(), &outside),
            table,
        ) {
            needed = less;
        }
    }
    needed
}

/// The other side wins within the cells of its refutations and of the carriers, even if the side to
/// move has all others.
#[test]
fn moves_that_are_not_needed_lose_within_the_carriers() {
    let mut rng = Rng::new(3);
    let mut tables = [HashMap::new(), HashMap::new()];
    let mut reductions = [Reduction::new(4), Reduction::new(5)];
    let (mut lost, mut spared) = (0, [0; 2]);
    for position in positions(&mut rng) {
        let at = position.size() as usize - 4;
        let (table, reduction) = (&mut tables[at], &mut reductions[at]);
        let position = reduction.reduce(&position).position;
        if position.winner().is_some() || wins(&position, table) {
            continue;
        }
        let inferior = reduction.inferior();
        let mut rest = position.empty_cells();
        let mut zone = CellSet::EMPTY;
        for Vulnerable { cell, carrier } in inferior.vulnerable {
            rest.remove(cell);
            zone = zone.union(&carrier);
            spared[usize::from(carrier.count() > 1)] += 1;
        }
        inferior
            .dominated
            .iter()
            .for_each(|&cell| rest.remove(cell));
        for cell in rest.cells() {
            let mut after = position.clone();
            after.play(Action::Place(cell));
            zone = zone.union(&needed(&after, table));
        }
        let outside = position.empty_cells().without(&zone);
        let hardest = given(&position, position.to_move(), &outside);
        assert!(!wins(&hardest, table), "{position:?} {zone:?}");
        lost += 1;
    }
    assert!(
        lost > 200 && spared.iter().all(|&count| count > 200),
        "{lost} {spared:?}"
    );
}
