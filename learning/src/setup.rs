//! Which setup is the best, in games that each side begins by setting up its pieces.
//!
//! `First` sets up, then `Second`, and nothing else has been played. Both sides learn at once: the
//! setups of each side are arms of a [`Halving`], and those that are left meet those of the other
//! side that are left. So a setup is held against ever better answers. When few finalists remain on
//! both sides, all setups are measured against them in new games, which no choice has biased; and
//! the finalists in more games still.
//!
//! All setups of a side meet the same opponents with the same dice. Each game has a seed of its own,
//! and results are whole numbers: neither the number of threads nor an interruption changes a bit.

use engine_core::zobrist::mix;
use engine_core::{Evaluator, Position, Rng, Side, StopFlag};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::halving::Halving;
use crate::rollout::{Played, Rollout};
use crate::tally::Tally;

/// How setups are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupSettings {
    /// The seed of everything random.
    pub seed: u64,
    /// Plies that the players look ahead, at least 1.
    pub plies: u32,
    /// Games of each setup in the first round of halving, and later against the finalists of the
    /// other side: a multiple of [`BLOCK`].
    pub games: u64,
}

/// Games that an arm plays in one step.
pub const BLOCK: u64 = 64;
/// Setups that stay in the race to its end.
pub const FINALISTS: usize = 8;
/// Games of a finalist in the final, in multiples of [`SetupSettings::games`].
const FINAL: u64 = 8;

/// What is played next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// A round of halving, from 1.
    Round(u32),
    /// All setups against the finalists.
    Table,
    /// The finalists against each other.
    Final,
    /// Nothing: the study is complete.
    Done,
}

/// The setups of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Arms {
    halving: Halving,
    /// Results against the finalists of the other side, by arm.
    table: Vec<Tally>,
    /// Results of the finalists in the final, block by block, in the order of the finalists.
    blocks: Vec<Vec<i64>>,
}

/// A study in progress. Between two steps it can be stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupStudy {
    settings: SetupSettings,
    stage: Stage,
    /// Games that every arm has played in this stage.
    played: u64,
    /// By side.
    arms: [Arms; 2],
}

/// What is known of a setup on one side, in parts of a win: 1 is a certain win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetupRate {
    /// The win rate against the finalists of the other side.
    pub rate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Number of games.
    pub games: u64,
}

impl SetupStudy {
    /// A study of `setups` setups, of which nothing is known.
    pub fn new(settings: SetupSettings, setups: usize) -> SetupStudy {
        let arms = Arms {
            halving: Halving::new(setups),
            table: vec![Tally::default(); setups],
            blocks: vec![Vec::new(); setups.min(FINALISTS)],
        };
        SetupStudy {
            settings,
            stage: Stage::Round(1),
            played: 0,
            arms: [arms.clone(), arms],
        }
        .or_table()
    }

    /// Without more arms than finalists there is nothing to halve.
    fn or_table(mut self) -> SetupStudy {
        if self.arms[0].halving.left().len() <= FINALISTS {
            self.stage = Stage::Table;
        }
        self
    }

    /// The settings.
    pub fn settings(&self) -> SetupSettings {
        self.settings
    }

    /// What is played next.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Number of setups of each side.
    pub fn setups(&self) -> usize {
        self.arms[0].table.len()
    }

    /// Whether a stored study is one of `setups` setups that can go on: a file may hold anything.
    pub fn is_sound(&self, setups: usize) -> bool {
        let finalists = setups.min(FINALISTS);
        let sound = |arms: &Arms| {
            let left = arms.halving.left().len();
            let halved = matches!(self.stage, Stage::Round(_)) || left == finalists;
            arms.halving.fits(setups)
                && halved
                && left == self.arms[0].halving.left().len()
                && left >= finalists
                && arms.table.len() == setups
                && arms.blocks.len() == finalists
        };
        setups > 0
            && self.settings.plies > 0
            && self.settings.games > 0
            && self.settings.games.is_multiple_of(BLOCK)
            && self.played.is_multiple_of(BLOCK)
            && self.played < self.target().max(1)
            && self.arms.iter().all(sound)
    }

    /// Games of every arm in this stage.
    fn target(&self) -> u64 {
        let games = self.settings.games;
        match self.stage {
            Stage::Round(_) => {
                let left = self.arms[0].halving.left().len();
                round_games(games, self.setups(), left)
            }
            Stage::Table => games,
            Stage::Final => FINAL * games,
            Stage::Done => 0,
        }
    }

    /// Arms of each side that play in this stage.
    fn playing(&self) -> usize {
        match self.stage {
            Stage::Round(_) | Stage::Final => self.arms[0].halving.left().len(),
            Stage::Table => self.setups(),
            Stage::Done => 0,
        }
    }

    /// Games played, and games of the whole study.
    pub fn progress(&self) -> (u64, u64) {
        let (games, setups) = (self.settings.games, self.setups());
        let finalists = setups.min(FINALISTS);
        let (mut total, mut done, mut left) = (0, 0, setups);
        let mut add = |stage: Stage, arms: usize, games: u64| {
            if stage == self.stage {
                done = total + 2 * arms as u64 * self.played;
            }
            total += 2 * arms as u64 * games;
        };
        let mut round = 1;
        while left > FINALISTS {
            add(Stage::Round(round), left, round_games(games, setups, left));
            left = left.div_ceil(2).max(FINALISTS);
            round += 1;
        }
        add(Stage::Table, setups, games);
        add(Stage::Final, finalists, FINAL * games);
        add(Stage::Done, 0, 0);
        (done, total)
    }

    /// Plays a block of games with every arm, on the threads of the current pool of `rayon`. If
    /// `stop` is set meanwhile, nothing is recorded.
    ///
    /// `setups` are the arms: the same for both sides, each given by all setups that symmetry makes
    /// equal. `start` is the position in which `First` sets up.
    ///
    /// # Panics
    /// `setups` has not the number of setups of the study, or one is empty.
    pub fn step<P, E, F>(
        &mut self,
        start: &P,
        setups: &[Vec<P::Move>],
        evaluator: F,
        stop: &StopFlag,
    ) where
        P: Position,
        E: Evaluator<P>,
        F: Fn() -> E + Sync,
    {
        assert_eq!(setups.len(), self.setups());
        let tasks: Vec<(Side, usize)> = (Side::BOTH.into_iter())
            .flat_map(|side| self.arms_of(side).into_iter().map(move |arm| (side, arm)))
            .collect();
        let study = &*self;
        let results: Vec<Tally> = tasks
            .par_iter()
            .map_init(
                || Rollout::new(evaluator(), study.settings.plies),
                |rollout, &(side, arm)| {
                    if stop.is_set() {
                        Tally::default()
                    } else {
                        study.block(rollout, start, setups, (side, arm))
                    }
                },
            )
            .collect();
        if stop.is_set() {
            return;
        }
        for ((side, arm), results) in tasks.into_iter().zip(results) {
            self.record(side, arm, &results);
        }
        self.played += BLOCK;
        if self.played >= self.target() {
            self.advance();
        }
    }

    /// The arms of a side that play in this stage.
    fn arms_of(&self, side: Side) -> Vec<usize> {
        match self.stage {
            Stage::Table => (0..self.setups()).collect(),
            Stage::Done => Vec::new(),
            Stage::Round(_) | Stage::Final => self.arms[side.index()].halving.left().to_vec(),
        }
    }

    /// The next games of an arm, for its side.
    fn block<P: Position, E: Evaluator<P>>(
        &self,
        rollout: &mut Rollout<P, E>,
        start: &P,
        setups: &[Vec<P::Move>],
        (side, arm): (Side, usize),
    ) -> Tally {
        let opponents = self.arms[side.opponent().index()].halving.left();
        let own = setups[arm][0];
        let mut tally = Tally::default();
        for game in self.played..self.played + BLOCK {
            let mut rng = self.rng(side, game);
            let images = &setups[opponents[rng.below(opponents.len() as u32) as usize]];
            let other = images[rng.below(images.len() as u32) as usize];
            let mut position = start.clone();
            let both = match side {
                Side::First => [own, other],
                Side::Second => [other, own],
            };
            for setup in both {
                position.play(setup);
            }
            let points = rollout.play(position, &mut rng).adjusted();
            tally.add(match side {
                Side::First => points,
                Side::Second => -points,
            });
        }
        tally
    }

    /// The random numbers of a game of this stage: the same for all arms of a side.
    fn rng(&self, side: Side, game: u64) -> Rng {
        let stage = match self.stage {
            Stage::Round(round) => u64::from(round),
            Stage::Table => 62,
            Stage::Final | Stage::Done => 63,
        };
        let place = game | stage << 48 | (side.index() as u64) << 56;
        Rng::new(mix(self.settings.seed ^ mix(place)))
    }

    fn record(&mut self, side: Side, arm: usize, results: &Tally) {
        let arms = &mut self.arms[side.index()];
        match self.stage {
            Stage::Round(_) => arms.halving.record(arm, results),
            Stage::Table => arms.table[arm].merge(results),
            Stage::Final => {
                arms.table[arm].merge(results);
                let place = arms.halving.left().iter().position(|&left| left == arm);
                arms.blocks[place.expect("finalists play the final")].push(results.sum);
            }
            Stage::Done => {}
        }
    }

    fn advance(&mut self) {
        self.played = 0;
        self.stage = match self.stage {
            Stage::Round(round) => {
                for arms in &mut self.arms {
                    arms.halving.halve(FINALISTS);
                }
                match self.playing() {
                    FINALISTS => Stage::Table,
                    _ => Stage::Round(round + 1),
                }
            }
            Stage::Table => Stage::Final,
            Stage::Final | Stage::Done => Stage::Done,
        };
    }

    /// The rate of a setup on a side, as far as it has been measured against the finalists.
    pub fn rate<P: Position>(&self, side: Side, setup: usize) -> SetupRate {
        let tally = self.arms[side.index()].table[setup];
        let win = Played::win::<P>() as f64;
        SetupRate {
            rate: 0.5 + 0.5 * tally.mean() / win,
            standard_error: 0.5 * tally.standard_error() / win,
            games: tally.games,
        }
    }

    /// The finalists of a side by their rates, best first. Each has how much higher the rate of the
    /// best was in the final, with the standard error of that difference: they met the same opponents
    /// with the same dice.
    pub fn finalists<P: Position>(&self, side: Side) -> Vec<(usize, f64, f64)> {
        let arms = &self.arms[side.index()];
        let rate = |arm: usize| arms.table[arm].mean();
        let mut places: Vec<usize> = (0..arms.blocks.len()).collect();
        let left = arms.halving.left();
        places.sort_by(|&one, &other| rate(left[other]).total_cmp(&rate(left[one])));
        let best = places[0];
        let scale = 0.5 / Played::win::<P>() as f64;
        let behind = |place: usize| {
            let mut differences = Tally::default();
            for (best, own) in arms.blocks[best].iter().zip(&arms.blocks[place]) {
                differences.add((best - own) / BLOCK as i64);
            }
            let (mean, error) = (differences.mean(), differences.standard_error());
            (left[place], scale * mean, scale * error)
        };
        places.into_iter().map(behind).collect()
    }
}

/// Games of every arm in a round: all rounds have the same number of games in all.
fn round_games(games: u64, setups: usize, left: usize) -> u64 {
    (games * setups as u64 / left as u64).next_multiple_of(BLOCK)
}
