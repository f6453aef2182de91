//! The scale of ratings: where its zero is, and which players' ratings are given.
//!
//! Differences of given ratings are known. So all anchors have one strength, from which each of them is
//! a known distance away, and nothing else in the model knows of anchors.

use nalgebra::DVector;

use super::{Anchor, ELO};

/// Which strength each player has, by the indices of the parameters, and how far above it the player
/// is.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    /// The index of each player's strength. That of an anchor but for the first is nobody's.
    strengths: Vec<usize>,
    /// Log strength of each player minus its strength.
    above: Vec<f64>,
    /// The first anchor.
    first: Option<Anchor>,
}

impl Scale {
    /// The scale of `players` players with these anchors.
    pub(super) fn new(players: usize, anchors: &[Anchor]) -> Scale {
        let mut scale = Scale {
            strengths: (0..players).collect(),
            above: vec![0.0; players],
            first: anchors.first().copied(),
        };
        for anchor in anchors {
            let first = scale.first.unwrap_or(*anchor);
            scale.strengths[anchor.player] = first.player;
            scale.above[anchor.player] = (anchor.rating - first.rating) / ELO;
        }
        scale
    }

    /// The number of players.
    pub(super) fn players(&self) -> usize {
        self.strengths.len()
    }

    /// The indices of the strengths of two players.
    pub(super) fn strengths(&self, players: [usize; 2]) -> [usize; 2] {
        players.map(|player| self.strengths[player])
    }

    /// How far above its strength a player is, in log strengths.
    pub(super) fn above(&self, player: usize) -> f64 {
        self.above[player]
    }

    /// How much stronger the first of two players is, in log strengths.
    pub(super) fn lead(&self, [one, other]: [usize; 2], values: &DVector<f64>) -> f64 {
        let strength = |player: usize| values[self.strengths[player]];
        strength(one) - strength(other) + (self.above[one] - self.above[other])
    }

    /// The first anchor.
    pub(super) fn first(&self) -> Option<Anchor> {
        self.first
    }

    /// Whether this is the strength of the anchors.
    pub(super) fn is_anchor(&self, strength: usize) -> bool {
        self.first.is_some_and(|first| first.player == strength)
    }

    /// Groups of players by those of the strengths.
    pub(super) fn players_of(&self, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut of_strength = vec![Vec::new(); self.players()];
        for (player, &strength) in self.strengths.iter().enumerate() {
            of_strength[strength].push(player);
        }
        let players = |group: &Vec<usize>| {
            let mut players: Vec<usize> = group
                .iter()
                .flat_map(|&strength| of_strength[strength].iter().copied())
                .collect();
            players.sort_unstable();
            players
        };
        groups
            .iter()
            .map(players)
            .filter(|group| !group.is_empty())
            .collect()
    }
}
