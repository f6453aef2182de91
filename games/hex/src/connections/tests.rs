//! Tests of the connections.

use std::collections::HashMap;

use engine_core::{Position, Rng};

use super::carrier::Carrier;
use super::inference::Inference;
use super::*;
use crate::evaluate::tests::after;
use crate::geometry::STEPS;

/// A position after random stones, that nobody has won.
pub(crate) fn random(size: u8, stones: u32, rng: &mut Rng) -> Hex {
    loop {
        let mut position = after(size, "");
        for _ in 0..stones {
            let legal = position.legal_moves();
            if !legal.is_empty() {
                position.play(legal[rng.below(legal.len() as u32) as usize]);
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn inference(position: &Hex, colour: Colour) -> Inference<6> {
    let mut inference = Inference::new(position.size());
    inference.find(position, colour);
    inference
}

/// The game of joining two ends within a carrier, played to its end.
struct Joining<'c> {
    known: &'c Inference<6>,
    ends: [usize; 2],
    cells: Vec<usize>,
    /// Of each cell of the carrier: empty, own, or of the other side.
    state: Vec<u8>,
    table: HashMap<(Vec<u8>, bool), bool>,
}

impl Joining<'_> {
    fn new<'c>(known: &'c Inference<6>, ends: [usize; 2], carrier: &Carrier<6>) -> Joining<'c> {
        let all = 0..known.size * known.size;
        let cells: Vec<usize> = all.filter(|&cell| carrier.contains(cell)).collect();
        Joining {
            state: vec![0; cells.len()],
            known,
            ends,
            cells,
            table: HashMap::new(),
        }
    }

    /// Whether the ends can be joined by the side that owns them.
    fn succeeds(&mut self, own_turn: bool) -> bool {
        if self.are_joined() {
            return true;
        }
        let key = (self.state.clone(), own_turn);
        if let Some(&known) = self.table.get(&key) {
            return known;
        }
        let mut found = !own_turn && self.state.contains(&0);
        for at in 0..self.state.len() {
            if self.state[at] == 0 {
                self.state[at] = if own_turn { 1 } else { 2 };
                let result = self.succeeds(!own_turn);
                self.state[at] = 0;
                if result == own_turn {
                    found = own_turn;
                    break;
                }
            }
        }
        self.table.insert(key, found);
        found
    }

    fn is_own(&self, cell: usize) -> bool {
        let here = self.cells.iter().position(|&known| known == cell);
        self.known.is_stone[cell]
            || self.ends.contains(&cell)
            || here.is_some_and(|at| self.state[at] == 1)
    }

    /// Whether own stones lead from one end to the other. An empty end counts as a stone.
    fn are_joined(&self) -> bool {
        let known = self.known;
        let all = || 0..known.size * known.size;
        let belongs = |cell: usize, end: usize| cell == end || known.end_of[cell] == Some(end);
        let touches = |cell: usize, end: usize| {
            belongs(cell, end) || known.edge_beside(known.cell(cell)) == Some(end)
        };
        let mut reached: Vec<usize> = all()
            .filter(|&cell| self.is_own(cell) && touches(cell, self.ends[0]))
            .collect();
        let mut next = 0;
        while let Some(&cell) = reached.get(next) {
            next += 1;
            if touches(cell, self.ends[1]) {
                return true;
            }
            let around = (0..STEPS.len()).map(|way| known.cell(cell).neighbour(way));
            for beside in around.filter(|beside| beside.is_on(known.size as u8)) {
                let number = known.number(beside);
                if self.is_own(number) && !reached.contains(&number) {
                    reached.push(number);
                }
            }
        }
        false
    }
}

#[test]
fn every_connection_holds_against_all_play() {
    /// Larger carriers take too long.
    const MOST_CELLS: usize = 9;
    let mut rng = Rng::new(1);
    let mut checked = [0; 2];
    for round in 0..60 {
        let size = 3 + (round % 4) as u8;
        let position = random(size, rng.below(u32::from(size * size) / 2), &mut rng);
        for colour in [Colour::Red, Colour::Blue] {
            let known = inference(&position, colour);
            for one in 0..known.ends {
                for other in one + 1..known.ends {
                    let ends = [one, other];
                    let between = known.get(ends);
                    let full = between.full.iter().map(|carrier| (*carrier, false));
                    let semi = between.semi.iter().map(|semi| (semi.carrier, true));
                    for (carrier, own_turn) in full.chain(semi) {
                        if carrier.count() > MOST_CELLS || rng.below(4) != 0 {
                            continue;
                        }
                        let mut joining = Joining::new(&known, ends, &carrier);
                        assert!(
                            joining.succeeds(own_turn),
                            "{position:?} {ends:?} {carrier:?}"
                        );
                        checked[usize::from(own_turn)] += 1;
                    }
                }
            }
        }
    }
    assert!(checked.iter().all(|&count| count > 1_000), "{checked:?}");
}

/// The value of a position for the side to move, found by trying everything.
pub(crate) fn mover_wins(position: &mut Hex, table: &mut HashMap<u64, bool>) -> bool {
    if position.outcome().is_some() {
        return false;
    }
    if let Some(&known) = table.get(&position.key()) {
        return known;
    }
    let mut found = false;
    for action in position.legal_moves() {
        let undo = position.play(action);
        found = !mover_wins(position, table);
        position.undo(action, undo);
        if found {
            break;
        }
    }
    table.insert(position.key(), found);
    found
}

#[test]
fn wins_by_connections_are_wins() {
    let mut rng = Rng::new(2);
    let mut table = HashMap::new();
    let mut connections = Connections::new(4);
    let (mut found, mut all) = ([0; 2], 0);
    for _ in 0..300 {
        let mut position = random(4, rng.below(8), &mut rng);
        let mover = position.to_move();
        let mover_wins = mover_wins(&mut position, &mut table);
        all += 1;
        connections.find(&position, mover);
        if connections.win().is_some() {
            assert!(mover_wins, "{position:?}");
            found[0] += 1;
        }
        connections.find(&position, mover.other());
        if connections
            .must_play()
            .is_some_and(|must| must.cells == CellSet::EMPTY)
        {
            assert!(!mover_wins, "{position:?}");
            found[1] += 1;
        }
    }
    // On so small a board the rules find nearly everything.
    assert!(found[0] + found[1] > 270, "{found:?} of {all}");
}

#[test]
fn textbook_templates_are_found() {
    // A stone on the second row is connected to its edge: a bridge.
    // The ziggurat: one on the third row, with four cells below it and three on its own row.
    for (size, actions, rows) in [(5, "c4", 2), (7, "d5", 3), (13, "g10", 4)] {
        let position = after(size, actions);
        let known = inference(&position, Colour::Red);
        let stone = position
            .stones(Colour::Red)
            .cells()
            .next()
            .expect("a stone");
        let [_, bottom] = known.edges();
        let between = known.get([known.number(stone), bottom]);
        assert!(!between.full.is_empty(), "row {rows}");
    }
}

/// The position after the other side has got all empty cells outside of a carrier.
fn filled(position: &Hex, winner: Colour, carrier: &CellSet) -> Hex {
    let stones = [Colour::Red, Colour::Blue].into_iter().flat_map(|colour| {
        let cells = position.stones(colour).cells();
        cells.map(move |cell| (colour, cell))
    });
    let outside = position.empty_cells().without(carrier);
    let others = outside.cells().map(|cell| (winner.other(), cell));
    Hex::set_up(position.variant(), stones.chain(others), winner, false)
}

#[test]
fn a_side_wins_within_its_carrier() {
    let mut rng = Rng::new(6);
    let mut table = HashMap::new();
    let mut connections = Connections::new(4);
    let mut checked = [0; 2];
    for _ in 0..400 {
        let position = random(4, rng.below(8), &mut rng);
        let mover = position.to_move();
        for winner in [mover, mover.other()] {
            connections.find(&position, winner);
            let win = connections.win().map(|win| win.carrier);
            let must = connections.must_play().map(|must| must.carrier);
            for (at, carrier) in [win, must].into_iter().enumerate() {
                let Some(carrier) = carrier else { continue };
                let mut hardest = filled(&position, winner, &carrier);
                assert_eq!(hardest.outcome(), None, "{position:?}");
                assert!(mover_wins(&mut hardest, &mut table), "{position:?}");
                checked[at] += 1;
            }
        }
    }
    assert!(checked.iter().all(|&count| count > 300), "{checked:?}");
}
