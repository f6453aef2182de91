//! Analysis: positions that a browser steps through, and engines that search them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use catalog::AnyMatch;
use desk::{self, Shown};
use drawing::BUTTON;
use engine_core::Outcome;
use game::turn::{self, Told};
use protocol::Protocol;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use task::opening;

use crate::board::{Board, colours, rules, shortened};
use crate::engines::Engines;
use crate::secret;

/// The most engines that analyse at one time; another one ends the oldest.
const MOST: usize = 4;

/// The engines that analyse. One ends with the page that follows it.
#[derive(Default)]
pub(crate) struct Analyses {
    /// The oldest first, each with a key that only the page knows that began it.
    running: Mutex<Vec<(String, Arc<desk::Analysis>)>>,
}

/// A position in a game that a browser steps through.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    game: String,
    variant: Value,
    /// What is on the board at the beginning, as an opening of the log.
    opening: String,
    /// Turns and rolls after it; the last turn may be unfinished.
    words: String,
    /// What is entered after them: turns, rolls, and actions of an unfinished turn.
    #[serde(default)]
    entered: String,
    /// A line to show on the board; empty for none.
    #[serde(default)]
    line: String,
    /// A remark whose moves are marked on the board; empty for none.
    #[serde(default)]
    remark: String,
}

/// A position as a browser shows it.
#[derive(Serialize)]
struct View {
    board: Board,
    /// The turns and rolls that were entered.
    turns: Vec<String>,
    /// The actions of an unfinished turn after them.
    rest: String,
    /// The colour to move.
    colour: &'static str,
    over: bool,
    /// The colour that has won.
    winner: Option<&'static str>,
    /// How the game ended; meaningless before.
    ending: &'static str,
    roll_due: bool,
    button: &'static str,
}

impl Place {
    fn position(&self) -> Result<Box<dyn AnyMatch>, String> {
        let rules = rules(&self.game)?;
        let variant = rules.complete_variant(&self.variant);
        let variant = variant.map_err(|error| format!("variant: {error}"))?;
        let mut position = opening::begin(rules, &variant, &self.opening)?;
        let played = position.play_words(&self.words);
        played.map_err(|error| error.to_string())?;
        Ok(position)
    }

    /// The position, what may be played in it, and the line on the board, as JSON.
    pub(crate) fn view(&self) -> Result<String, String> {
        let mut position = self.position()?;
        let words: Vec<&str> = turn::words(&self.entered).map(|(_, word)| word).collect();
        let told = position.follow(Protocol::Ugi, &words);
        let told = told.map_err(|error| error.to_string())?;
        let mut turns: Vec<String> = told.into_iter().map(text).collect();
        let rest = if position.mid_turn() {
            turns.pop().unwrap_or_default()
        } else {
            String::new()
        };
        let line = shortened(&*position, &self.line);
        let (outcome, colours) = (position.outcome(), colours(rules(&self.game)?, &*position));
        let view = View {
            board: Board::of(&*position, &line, &self.remark, true)?,
            turns,
            rest,
            colour: colours[position.side().index()],
            over: outcome.is_some(),
            winner: match outcome {
                Some(Outcome::Win(side)) => Some(colours[side.index()]),
                _ => None,
            },
            ending: position.ending(),
            roll_due: position.roll_due(),
            button: BUTTON,
        };
        serde_json::to_string(&view).map_err(|error| error.to_string())
    }
}

/// A turn or roll in UGI notation.
fn text(told: Told) -> String {
    match told {
        Told::Turn(_, _, text) => text,
        Told::Roll(face) => format!("d{face}"),
    }
}

impl Analyses {
    /// Starts an engine for a game, and returns the key of the analysis.
    pub(crate) fn begin(
        &self,
        engines: &Engines,
        game: &str,
        word: &str,
    ) -> Result<String, String> {
        let spec = engines.spec(rules(game)?, word, BTreeMap::new())?;
        let analysis = desk::Analysis::start(spec).map_err(|refused| refused.to_string())?;
        let key = secret::random().map_err(|error| error.to_string())?;
        let mut running = self.lock();
        running.push((key.clone(), Arc::new(analysis)));
        let oldest = running.len().saturating_sub(MOST);
        let ended: Vec<_> = running.drain(..oldest).collect();
        drop(running);
        for (_, analysis) in ended {
            end(analysis);
        }
        Ok(key)
    }

    /// The analysis of this key, if it runs.
    pub(crate) fn find(&self, key: &str) -> Option<Arc<desk::Analysis>> {
        let running = self.lock();
        let found = running.iter().find(|(known, _)| known == key);
        found.map(|(_, analysis)| Arc::clone(analysis))
    }

    /// Lets an engine search another position, and returns the position's number.
    pub(crate) fn show(&self, key: &str, place: &Place) -> Result<u64, String> {
        let Some(analysis) = self.find(key) else {
            return Err("the analysis has ended".to_owned());
        };
        let shown = analysis.show(&Shown {
            game: place.game.clone(),
            variant: place.variant.clone(),
            opening: place.opening.clone(),
            words: place.words.split_whitespace().map(str::to_owned).collect(),
        });
        shown.map_err(|refused| {
            analysis.stop();
            refused.to_string()
        })
    }

    fn end(&self, key: &str) {
        let mut running = self.lock();
        let place = running.iter().position(|(known, _)| known == key);
        let ended = place.map(|place| running.remove(place));
        drop(running);
        if let Some((_, analysis)) = ended {
            end(analysis);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(String, Arc<desk::Analysis>)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops an engine now; its process may take a moment to end.
fn end(analysis: Arc<desk::Analysis>) {
    analysis.stop();
    thread::spawn(move || drop(analysis));
}

/// The page that follows an analysis; dropping it ends the analysis.
pub(crate) struct Follower {
    analyses: Arc<Analyses>,
    key: String,
}

impl Follower {
    /// Follows an analysis.
    pub(crate) fn of(analyses: Arc<Analyses>, key: String) -> Follower {
        Follower { analyses, key }
    }

    /// The analysis, unless another one has ended it.
    pub(crate) fn analysis(&self) -> Option<Arc<desk::Analysis>> {
        self.analyses.find(&self.key)
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.analyses.end(&self.key);
    }
}
