//! What an engine did in its turns: how long it thought, how deep, how many nodes, and on which clocks.

use std::collections::BTreeSet;

use engine_core::Side;
use gamelog::record::TurnRecord;
use serde::Serialize;
use task::clock::ClockSpec;

/// Sums over the turns of one engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    turns: u64,
    used_us: u64,
    /// Turns with a depth, and the sum of the depths.
    depth: [u64; 2],
    /// Turns with a number of nodes, their sum, and how long these turns took, µs.
    nodes: [u64; 3],
}

/// Means over the turns of one engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanWork {
    /// Number of turns.
    pub turns: u64,
    /// Time charged for a turn, s.
    pub seconds: f64,
    /// The last depth that the engine reported in a turn, over turns with one.
    pub depth: Option<f64>,
    /// The last number of nodes that the engine reported in a turn, over turns with one.
    pub nodes: Option<f64>,
    /// These nodes per second charged.
    pub nodes_per_second: Option<f64>,
}

impl Work {
    /// That of both sides of a game with these turns, by [`Side::index`], without rolls.
    pub(super) fn of<'t, S: 't>(turns: impl Iterator<Item = &'t TurnRecord<S>>) -> [Work; 2] {
        let mut work = [Work::default(); 2];
        for turn in turns {
            work[Side::from(turn.side).index()].take(turn);
        }
        work
    }

    fn take<S>(&mut self, turn: &TurnRecord<S>) {
        self.turns += 1;
        self.used_us = self.used_us.saturating_add(turn.used_us);
        let Some(info) = &turn.info else { return };
        if let Some(depth) = info.depth {
            self.depth[0] += 1;
            self.depth[1] += u64::from(depth);
        }
        if let Some(nodes) = info.nodes {
            self.nodes[0] += 1;
            self.nodes[1] = self.nodes[1].saturating_add(nodes);
            self.nodes[2] = self.nodes[2].saturating_add(turn.used_us);
        }
    }

    /// Number of turns.
    pub(super) fn turns(&self) -> u64 {
        self.turns
    }

    pub(super) fn add(&mut self, other: &Work) {
        let sum = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        sum(&mut self.turns, other.turns);
        sum(&mut self.used_us, other.used_us);
        let depths = self.depth.iter_mut().zip(other.depth);
        let nodes = self.nodes.iter_mut().zip(other.nodes);
        depths.chain(nodes).for_each(|(to, more)| sum(to, more));
    }

    /// The means; `None` without turns.
    pub fn mean(&self) -> Option<MeanWork> {
        let share = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
        let [depths, depth] = self.depth;
        let [counts, nodes, nodes_us] = self.nodes;
        Some(MeanWork {
            turns: self.turns,
            seconds: share(self.used_us, self.turns)? / 1e6,
            depth: share(depth, depths),
            nodes: share(nodes, counts),
            nodes_per_second: share(nodes, nodes_us).map(|speed| speed * 1e6),
        })
    }
}

/// The clocks of an engine's games, each with its number of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clocks(Vec<(ClockSpec, u32)>);

impl Clocks {
    pub(super) fn add(&mut self, clock: ClockSpec) {
        match self.0.iter().position(|(known, _)| *known == clock) {
            Some(place) => self.0[place].1 += 1,
            None => self.0.push((clock, 1)),
        }
    }

    /// The clocks in words, the most used first.
    pub fn words(&self) -> Vec<String> {
        let words = self
            .0
            .iter()
            .map(|(clock, games)| (u32::MAX - games, clock.to_string()));
        let words: BTreeSet<(u32, String)> = words.collect();
        words.into_iter().map(|(_, clock)| clock).collect()
    }
}
