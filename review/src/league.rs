//! What the reviews of many games say together: each player by phase and opening, the worst turns, and
//! where two engines judged the same position most differently.

use std::collections::BTreeMap;

use engine_core::Side;
use gamelog::record::{GameRecord, TurnRecord};
use serde::Serialize;
use task::opening;

use crate::curve::Curve;
use crate::marks::Thresholds;
use crate::reason::Reason;
use crate::review::Review;
use crate::searched::score;
use crate::sums::Sums;

/// How many of the worst turns and of the largest differences are kept.
const KEPT: usize = 10;

/// What the reviews of many games say together.
#[derive(Default, Serialize)]
pub struct LeagueReview {
    /// Number of games.
    pub reviewed: u32,
    /// The players, by name.
    pub players: BTreeMap<String, Sums>,
    /// What was lost after each opening, by game and opening; an empty opening is the start of the game.
    pub openings: BTreeMap<String, BTreeMap<String, OpeningSums>>,
    /// The turns that lost most, the worst first.
    pub worst: Vec<Worst>,
    /// Where two engines judged the same position most differently, the largest difference first.
    pub differences: Vec<Difference>,
}

/// What both players lost in the games of an opening.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OpeningSums {
    /// Number of games.
    pub games: u32,
    /// What each player did, by name.
    pub players: BTreeMap<String, Sums>,
}

impl OpeningSums {
    /// Mean loss of a turn of both players, 0 to 1.
    pub fn mean_loss(&self) -> f64 {
        let mut all = Sums::default();
        self.players.values().for_each(|sums| all += sums);
        all.mean_loss
    }
}

/// A turn that lost much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worst {
    /// The id of its game.
    pub id: String,
    /// The ply, from 1.
    pub ply: usize,
    /// Who played it.
    pub player: String,
    /// The turn.
    pub text: String,
    /// What it lost of the chance to win, 0 to 1.
    pub lost: f64,
    /// Why.
    pub reason: Reason,
    /// What was better.
    pub better: String,
}

/// A position that two engines judged differently: the score of one before its turn, and that of the other
/// after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The id of the game.
    pub id: String,
    /// The ply between the two scores, from 1.
    pub ply: usize,
    /// Who played it, and who played next.
    pub players: [String; 2],
    /// The chance of the one who played it, as each of the two saw it, 0 to 1.
    pub chances: [f64; 2],
}

impl Difference {
    fn size(&self) -> f64 {
        (self.chances[0] - self.chances[1]).abs()
    }
}

impl LeagueReview {
    /// Adds a reviewed game.
    pub fn add(&mut self, record: &GameRecord, review: &Review) {
        let names = [&record.first.name, &record.second.name];
        let of_game = self.openings.entry(record.game.clone()).or_default();
        let opening = of_game.entry(record.opening.clone()).or_default();
        self.reviewed += 1;
        opening.games += 1;
        for (name, sums) in names.into_iter().zip(&review.sums) {
            *self.players.entry(name.clone()).or_default() += sums;
            *opening.players.entry(name.clone()).or_default() += sums;
        }
        for &ply in &review.turning_points {
            self.worst.push(worst(record, review, ply));
        }
        keep(&mut self.worst, |worst| worst.lost);
    }

    /// The openings with their games, those after which a turn lost most first.
    pub fn openings_by_loss(&self) -> Vec<(&str, &str, &OpeningSums)> {
        let all = self.openings.iter().flat_map(|(game, openings)| {
            let of_game = openings.iter();
            of_game.map(move |(opening, sums)| (&**game, &**opening, sums))
        });
        let mut all: Vec<(&str, &str, &OpeningSums)> = all.collect();
        all.sort_by(|one, other| other.2.mean_loss().total_cmp(&one.2.mean_loss()));
        all
    }

    /// Adds the differences of a game whose record has the scores of its engines.
    pub fn compare(&mut self, differences: Vec<Difference>) {
        self.differences.extend(differences);
        keep(&mut self.differences, Difference::size);
    }
}

/// Keeps the largest.
fn keep<T>(all: &mut Vec<T>, size: impl Fn(&T) -> f64) {
    all.sort_by(|one, other| size(other).total_cmp(&size(one)));
    all.truncate(KEPT);
}

fn worst(record: &GameRecord, review: &Review, ply: usize) -> Worst {
    let played = &review.course.plies[ply];
    let player = match played.side {
        Side::First => &record.first.name,
        Side::Second => &record.second.name,
    };
    let better = review.found(ply).and_then(|found| found.line.first());
    Worst {
        id: record.id.clone(),
        ply: ply + 1,
        player: player.clone(),
        text: played.text.clone(),
        lost: review.values.lost[ply].unwrap_or_default(),
        reason: review.reason(ply),
        better: better.cloned().unwrap_or_default(),
    }
}

/// Where the two engines of a game judged the same position differently by as much as a blunder. Scores with
/// a roll between them are of two positions. None if the opening cannot be played.
pub fn differences(record: &GameRecord) -> Vec<Difference> {
    let rules = catalog::find(&record.game);
    let given =
        rules.and_then(|rules| opening::turns(rules, &record.variant, &record.opening).ok());
    let Some(given) = given else {
        return Vec::new();
    };
    let curve = Curve::of(&record.game);
    let chance = |turn: &TurnRecord| {
        let said = turn.info.as_ref()?.score.as_deref()?;
        Some(curve.chance(score(said)?, false))
    };
    let names = [&record.first.name, &record.second.name];
    let mut found = Vec::new();
    for (at, pair) in record.turns.windows(2).enumerate() {
        let [turn, reply] = pair else { continue };
        let (Some(own), Some(other)) = (chance(turn), chance(reply)) else {
            continue;
        };
        let sides = [turn, reply].map(|turn| Side::from(turn.side).index());
        if sides[0] == sides[1] {
            continue;
        }
        found.push(Difference {
            id: record.id.clone(),
            ply: given.len() + at + 1,
            players: sides.map(|side| names[side].clone()),
            chances: [own, 1.0 - other],
        });
    }
    found.retain(|difference| difference.size() >= Thresholds::ALL.blunder);
    keep(&mut found, Difference::size);
    found
}
