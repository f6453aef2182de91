//! The inference of connections by the rules.

use super::carrier::Carrier;
use super::queue::{Item, Queue};
use super::{MustPlay, Win};
use crate::board::{Colour, Hex};
use crate::geometry::{Cell, CellSet, STEPS};

/// A semi-connection: its carrier, and the cell in it that makes the connection full.
#[derive(Clone, Copy, Debug)]
pub(super) struct Semi<const W: usize> {
    pub(super) carrier: Carrier<W>,
    pub(super) key: usize,
}

/// The connections of two ends, the smallest carriers first; none has another one within it.
#[derive(Clone, Debug, Default)]
pub(super) struct Between<const W: usize> {
    pub(super) full: Vec<Carrier<W>>,
    pub(super) semi: Vec<Semi<W>>,
}

/// Most connections of two ends that are kept, of each kind.
const MOST_FULL: usize = 12;
const MOST_SEMI: usize = 24;
/// Most semi-connections that the rule OR combines.
const MOST_COMBINED: usize = 4;

/// The virtual connections of one colour.
#[derive(Clone, Debug)]
pub(super) struct Inference<const W: usize> {
    pub(super) size: usize,
    colour: Colour,
    /// Number of ends: the cells, then both edges.
    pub(super) ends: usize,
    /// The group of each cell and edge: the number of an end; `None` for stones of the other colour.
    pub(super) end_of: Vec<Option<usize>>,
    /// Whether there is a stone of the colour on each cell.
    pub(super) is_stone: Vec<bool>,
    /// By both ends, the smaller one first.
    between: Vec<Between<W>>,
    /// The places in `between` that are not empty.
    used: Vec<usize>,
    /// The ends to which each end is fully connected.
    partners: Vec<Vec<usize>>,
    queue: Queue<W>,
}

impl<const W: usize> Inference<W> {
    pub(super) fn new(size: u8) -> Inference<W> {
        let size = size as usize;
        let ends = size * size + 2;
        Inference {
            size,
            colour: Colour::Red,
            ends,
            end_of: vec![None; ends],
            is_stone: vec![false; size * size],
            between: vec![Between::default(); ends * ends],
            used: Vec::new(),
            partners: vec![Vec::new(); ends],
            queue: Queue::default(),
        }
    }

    pub(super) fn find(&mut self, position: &Hex, colour: Colour) {
        assert_eq!(position.size() as usize, self.size, "a board of this size");
        self.clear();
        self.colour = colour;
        self.find_ends(position);
        let mut queue = std::mem::take(&mut self.queue);
        self.join_neighbours(position, &mut queue);
        while let Some(item) = queue.pop() {
            self.infer(item, &mut queue);
        }
        self.queue = queue;
    }

    fn clear(&mut self) {
        for place in self.used.drain(..) {
            let Between { full, semi } = &mut self.between[place];
            full.clear();
            semi.clear();
        }
        self.partners.iter_mut().for_each(Vec::clear);
        self.end_of.fill(None);
        self.is_stone.fill(false);
    }

    /// As [`super::Connections::win`].
    pub(super) fn win(&self) -> Option<Win> {
        let Between { full, semi } = self.get(self.edges());
        let by_key = semi.first().map(|semi| Win {
            key: self.cell(semi.key),
            carrier: self.cells(&semi.carrier),
        });
        // With a full connection every cell of its carrier wins.
        by_key.or_else(|| {
            let carrier = self.cells(full.first()?);
            let key = carrier.cells().next()?;
            Some(Win { key, carrier })
        })
    }

    /// As [`super::Connections::must_play`].
    pub(super) fn must_play(&self) -> Option<MustPlay> {
        let Between { full, semi } = self.get(self.edges());
        if let Some(carrier) = full.first() {
            return Some(MustPlay {
                cells: CellSet::EMPTY,
                carrier: self.cells(carrier),
            });
        }
        let mut carriers = semi.iter().map(|semi| semi.carrier);
        let first = carriers.next()?;
        let (cells, carrier) = carriers.fold((first, first), |(common, union), next| {
            (common.intersection(&next), union.union(&next))
        });
        Some(MustPlay {
            cells: self.cells(&cells),
            carrier: self.cells(&carrier),
        })
    }

    /// Both edges, as ends.
    pub(super) fn edges(&self) -> [usize; 2] {
        [self.size * self.size, self.size * self.size + 1]
    }

    pub(super) fn cell(&self, number: usize) -> Cell {
        Cell::new((number % self.size) as u8, (number / self.size) as u8)
    }

    fn cells(&self, carrier: &Carrier<W>) -> CellSet {
        let mut set = CellSet::EMPTY;
        let numbers = (0..self.size * self.size).filter(|&cell| carrier.contains(cell));
        numbers.for_each(|number| set.insert(self.cell(number)));
        set
    }

    /// Finds the ends.
    fn find_ends(&mut self, position: &Hex) {
        let edges = self.edges();
        edges
            .iter()
            .for_each(|&edge| self.end_of[edge] = Some(edge));
        let stones = position.stones(self.colour);
        for cell in position.empty_cells().cells() {
            let number = self.number(cell);
            self.end_of[number] = Some(number);
        }
        for stone in stones.cells() {
            let number = self.number(stone);
            self.is_stone[number] = true;
            if self.end_of[number].is_none() {
                self.gather(stone, stones);
            }
        }
    }

    pub(super) fn number(&self, cell: Cell) -> usize {
        cell.row as usize * self.size + cell.column as usize
    }

    /// Makes an end of all stones that a stone is joined to: an edge if one of them touches it.
    fn gather(&mut self, stone: Cell, stones: &CellSet) {
        let mut seed = CellSet::EMPTY;
        seed.insert(stone);
        let group = stones.joined_to(&seed, self.size as u8);
        let touched = group.cells().find_map(|cell| self.edge_beside(cell));
        let end = touched.unwrap_or(self.number(stone));
        for cell in group.cells() {
            let number = self.number(cell);
            self.end_of[number] = Some(end);
        }
    }

    /// The edge of the colour that a cell touches.
    pub(super) fn edge_beside(&self, cell: Cell) -> Option<usize> {
        let place = match self.colour {
            Colour::Red => cell.row,
            Colour::Blue => cell.column,
        };
        let [first, last] = self.edges();
        match place as usize {
            0 => Some(first),
            place if place + 1 == self.size => Some(last),
            _ => None,
        }
    }

    /// Fully connects every empty cell with the ends beside it.
    fn join_neighbours(&mut self, position: &Hex, queue: &mut Queue<W>) {
        for cell in position.empty_cells().cells() {
            let around = (0..STEPS.len()).map(|direction| cell.neighbour(direction));
            let cells = around.filter(|next| next.is_on(position.size()));
            let beside = cells.filter_map(|next| self.end_of[self.number(next)]);
            let ends: Vec<usize> = beside.chain(self.edge_beside(cell)).collect();
            for end in ends {
                self.add_full([self.number(cell), end], Carrier::EMPTY, queue);
            }
        }
    }

    fn place(&self, [one, other]: [usize; 2]) -> usize {
        one.min(other) * self.ends + one.max(other)
    }

    pub(super) fn get(&self, ends: [usize; 2]) -> &Between<W> {
        &self.between[self.place(ends)]
    }

    /// Adds a full connection, unless there is one within its carrier, or enough smaller ones.
    fn add_full(&mut self, ends: [usize; 2], carrier: Carrier<W>, queue: &mut Queue<W>) {
        let place = self.place(ends);
        let Between { full, semi } = &mut self.between[place];
        if full.iter().any(|known| known.is_within(&carrier)) {
            return;
        }
        if full.is_empty() && semi.is_empty() {
            self.used.push(place);
        }
        full.retain(|known| !carrier.is_within(known));
        semi.retain(|known| !carrier.is_within(&known.carrier));
        let at = full.partition_point(|known| known.count() <= carrier.count());
        if at >= MOST_FULL {
            return;
        }
        full.insert(at, carrier);
        full.truncate(MOST_FULL);
        if full.len() == 1 {
            let [one, other] = ends;
            for (end, partner) in [(one, other), (other, one)] {
                if !self.partners[end].contains(&partner) {
                    self.partners[end].push(partner);
                }
            }
        }
        queue.push(Item::Full(ends, carrier));
    }

    /// Adds a semi-connection, unless there is a connection within its carrier, or enough smaller
    /// ones.
    fn add_semi(&mut self, ends: [usize; 2], new: Semi<W>, queue: &mut Queue<W>) {
        let place = self.place(ends);
        let Between { full, semi } = &mut self.between[place];
        let carrier = new.carrier;
        if full.iter().any(|known| known.is_within(&carrier))
            || semi.iter().any(|known| known.carrier.is_within(&carrier))
        {
            return;
        }
        if full.is_empty() && semi.is_empty() {
            self.used.push(place);
        }
        semi.retain(|known| !carrier.is_within(&known.carrier));
        let at = semi.partition_point(|known| known.carrier.count() <= carrier.count());
        if at >= MOST_SEMI {
            return;
        }
        semi.insert(at, new);
        semi.truncate(MOST_SEMI);
        queue.push(Item::Semi(ends, carrier));
    }

    /// Applies the rules to a new connection.
    fn infer(&mut self, item: Item<W>, queue: &mut Queue<W>) {
        match item {
            Item::Full(ends, carrier) => {
                let is_kept = self.get(ends).full.contains(&carrier);
                let [one, other] = ends;
                for (far, middle) in [(one, other), (other, one)] {
                    // Through an edge nothing is connected that is not connected to it.
                    if is_kept && middle < self.size * self.size {
                        self.join(far, middle, &carrier, queue);
                    }
                }
            }
            Item::Semi(ends, carrier) => {
                if let Some(others) = Others::without(&self.get(ends).semi, &carrier) {
                    let so_far = [carrier, carrier];
                    self.combine(ends, &others, so_far, 0, MOST_COMBINED - 1, queue);
                }
            }
        }
    }

    /// The rule AND: joins a connection of `far` and `middle` with those of `middle` and others.
    fn join(&mut self, far: usize, middle: usize, carrier: &Carrier<W>, queue: &mut Queue<W>) {
        let is_group = self.is_group(middle);
        for at in 0..self.partners[middle].len() {
            let end = self.partners[middle][at];
            if end == far || carrier.contains(end) && !self.is_group(end) {
                continue;
            }
            for index in 0..self.get([middle, end]).full.len() {
                let Some(other) = self.get([middle, end]).full.get(index).copied() else {
                    break;
                };
                if carrier.meets(&other) || other.contains(far) && !self.is_group(far) {
                    continue;
                }
                let union = carrier.union(&other);
                if is_group {
                    self.add_full([far, end], union, queue);
                } else {
                    let carrier = union.with(middle);
                    let key = middle;
                    self.add_semi([far, end], Semi { carrier, key }, queue);
                }
            }
        }
    }

    /// The rule OR: adds more of these semi-connections until no cell is common to all. `so_far` is
    /// the intersection and the union of those that were chosen.
    fn combine(
        &mut self,
        ends: [usize; 2],
        others: &Others<W>,
        so_far: [Carrier<W>; 2],
        from: usize,
        more: usize,
        queue: &mut Queue<W>,
    ) {
        let [common, union] = so_far;
        for at in from..others.count {
            if common.meets(&others.common[at]) {
                return;
            }
            let carrier = &others.carriers[at];
            let less = common.intersection(carrier);
            if less == common {
                continue;
            }
            let union = union.union(carrier);
            if less.is_empty() {
                self.add_full(ends, union, queue);
            } else if more > 1 {
                self.combine(ends, others, [less, union], at + 1, more - 1, queue);
            }
        }
    }

    /// Whether an end is a group of stones or an edge.
    fn is_group(&self, end: usize) -> bool {
        end >= self.size * self.size || self.is_stone[end]
    }
}

/// The semi-connections that the rule OR may add to one of the same ends.
struct Others<const W: usize> {
    carriers: [Carrier<W>; MOST_SEMI],
    /// By place, the cells common to the carrier there and all after it.
    common: [Carrier<W>; MOST_SEMI],
    count: usize,
}

impl<const W: usize> Others<W> {
    /// All but one of some semi-connections; `None` if that one is not among them.
    fn without(known: &[Semi<W>], carrier: &Carrier<W>) -> Option<Others<W>> {
        let mut others = Others {
            carriers: [Carrier::EMPTY; MOST_SEMI],
            common: [Carrier::EMPTY; MOST_SEMI],
            count: 0,
        };
        for semi in known.iter().filter(|semi| semi.carrier != *carrier) {
            others.carriers[others.count] = semi.carrier;
            others.count += 1;
        }
        let mut common = None;
        for at in (0..others.count).rev() {
            let here = others.carriers[at];
            let rest = common.map_or(here, |common| here.intersection(&common));
            others.common[at] = rest;
            common = Some(rest);
        }
        (others.count < known.len()).then_some(others)
    }
}
