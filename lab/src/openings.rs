//! Balanced openings: starts of a game from which both sides have about equal chances, as searches judge
//! them.
//!
//! ```text
//! candidates (all, or at random; symmetric ones once) ─▶ judged by searches, both sides to act ─▶ kept if near
//! ```
//!
//! By nodes the same recipe finds the same openings on every machine: candidates are judged in groups, and
//! kept in their order.

mod candidates;

use catalog::{AnyGame, Judgement, Means, SearchError, Spend};
use engine_core::Side;
use rayon::prelude::*;
use serde_json::Value;
use task::opening::begin;

use self::candidates::Candidates;

/// Candidates that are judged at a time, whatever the number of cores.
const GROUP: usize = 16;

/// Which openings are looked for, and how they are judged.
pub struct Recipe<'r> {
    /// The game.
    pub rules: &'static dyn AnyGame,
    /// Its variant, with all defaults filled in.
    pub variant: Value,
    /// Actions of an opening; those that complete its last turn are added.
    pub plies: u32,
    /// The least and the largest chance of `First`, 0 to 1.
    pub near: [f64; 2],
    /// How many are wanted.
    pub count: usize,
    /// What judges them.
    pub means: Means,
    /// What the searches of one opening may cost together.
    pub spend: Spend,
    /// The chance to win of the side that was judged, 0 to 1.
    pub chance: &'r (dyn Fn(&Judgement) -> f64 + Sync),
}

/// An opening that was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Its actions in UGI notation, with blanks between them.
    pub actions: String,
    /// The chance of `First`, 0 to 1.
    pub first: f64,
}

/// How far the search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many candidates were judged.
    pub judged: usize,
    /// How many candidates there are, if all are known.
    pub of: Option<usize>,
    /// How many are kept.
    pub kept: usize,
}

/// The openings of a recipe: fewer than wanted if there are no more, or if the search was stopped. `tell` is
/// called after each group.
///
/// # Errors
/// The recipe does not fit the game, a roll is due within the opening, or memory is short.
pub fn find(
    recipe: &Recipe<'_>,
    tell: &mut dyn FnMut(Progress),
) -> Result<(Vec<Opening>, Progress), String> {
    let mut candidates = Candidates::of(recipe)?;
    let mut kept = Vec::new();
    let mut progress = Progress {
        of: candidates.left(),
        ..Progress::default()
    };
    while kept.len() < recipe.count && !recipe.spend.stop.is_set() {
        let group: Vec<String> = candidates.by_ref().take(GROUP).collect();
        if group.is_empty() {
            break;
        }
        let judged: Result<Vec<Option<f64>>, String> = (group.par_iter())
            .map(|actions| judge(recipe, actions))
            .collect();
        for (actions, first) in group.into_iter().zip(judged?) {
            let Some(first) = first else { continue };
            progress.judged += 1;
            let is_near = (recipe.near[0]..=recipe.near[1]).contains(&first);
            if is_near && kept.len() < recipe.count {
                kept.push(Opening { actions, first });
            }
        }
        progress.kept = kept.len();
        tell(progress);
    }
    Ok((kept, progress))
}

/// The chance of `First` after these actions; `None` if the search was stopped. It is the mean of two
/// judgements, of the side to act and of the other one after the best turn: a search tends to favour the
/// side that moved last. Before a roll it is the mean over the faces.
fn judge(recipe: &Recipe<'_>, actions: &str) -> Result<Option<f64>, String> {
    let game = begin(recipe.rules, &recipe.variant, actions)?;
    if game.roll_due() {
        let faces = game.faces();
        let mut sum = 0.0;
        for face in 1..=faces {
            let spend = recipe.spend.part(1.0 / f64::from(faces));
            let words = format!("{actions} d{face}");
            let Some((first, _)) = judge_once(recipe, &words, &spend)? else {
                return Ok(None);
            };
            sum += first;
        }
        return Ok(Some(sum / f64::from(faces)));
    }
    let half = recipe.spend.part(0.5);
    let Some((one, best)) = judge_once(recipe, actions, &half)? else {
        return Ok(None);
    };
    let after = format!("{actions} {best}");
    let next = begin(recipe.rules, &recipe.variant, after.trim())?;
    if next.outcome().is_some() || next.roll_due() || next.side() == game.side() {
        return Ok(Some(one));
    }
    let other = judge_once(recipe, after.trim(), &half)?;
    Ok(other.map(|(other, _)| (one + other) / 2.0))
}

/// The chance of `First` by one search, and the best turn.
fn judge_once(
    recipe: &Recipe<'_>,
    words: &str,
    spend: &Spend,
) -> Result<Option<(f64, String)>, String> {
    let said = |error: SearchError| error.to_string();
    // Each has a table of its own: what was judged before changes nothing.
    let analyst = recipe.rules.analyst(&recipe.variant, None, recipe.means);
    let judged = analyst.map_err(said)?.judge(words.trim(), spend);
    let Some(judged) = judged.map_err(said)? else {
        return Ok(None);
    };
    if spend.stop.is_set() {
        return Ok(None);
    }
    let chance = (recipe.chance)(&judged);
    let side = begin(recipe.rules, &recipe.variant, words.trim())?.side();
    let first = match side {
        Side::First => chance,
        Side::Second => 1.0 - chance,
    };
    let best = judged.line.first().cloned().unwrap_or_default();
    Ok(Some((first, best)))
}

#[cfg(test)]
mod tests;
