//! Games to review, and a solver of small games by trying everything.

use std::collections::HashMap;

use catalog::AnyMatch;
use engine_core::{Side, StopFlag};
use gamelog::record::{GameRecord, GameResult, Reason, SideName, TurnRecord, sample};
use review::{Course, Plan, Review, Searched, search};
use serde_json::Value;

/// A record of these turns and rolls.
pub(crate) fn record(game: &str, variant: &Value, opening: &str, turns: &[String]) -> GameRecord {
    let mut record = sample::game(
        game,
        "one",
        "other",
        GameResult::Unfinished,
        Reason::Unfinished,
    );
    record.variant = variant.clone();
    record.opening = opening.to_owned();
    let rules = catalog::find(game).expect("a game");
    let mut position = task::opening::begin(rules, variant, opening).expect("an opening");
    for text in turns {
        let side: SideName = position.side().into();
        // A turn that cannot be played is part of the record, too.
        let _ = position.play_words(text);
        record.turns.push(TurnRecord {
            side,
            ..sample::turn(text)
        });
    }
    record
}

/// A plan without a clock.
pub(crate) fn plan(engine: &str, nodes: Option<u64>, depth: Option<u32>) -> Plan {
    Plan {
        engine: engine.to_owned(),
        move_time: None,
        nodes,
        depth,
        table_mb: 4,
        ..Plan::default()
    }
}

pub(crate) fn searched(course: &Course, plan: &Plan) -> Searched {
    let stop = StopFlag::default();
    search(course, plan, Searched::default(), &stop, &|_, _| {}).expect("an engine")
}

pub(crate) fn review(record: &GameRecord, plan: &Plan) -> Review {
    let course = Course::of(record).expect("a game");
    let searched = searched(&course, plan);
    Review::new(course, searched)
}

/// The exact expectation of `First` by best play, 0 to 1: every action and every roll is tried.
pub(crate) struct Solver<'s> {
    pub(crate) game: &'s str,
    pub(crate) variant: &'s Value,
    known: HashMap<String, f64>,
}

impl<'s> Solver<'s> {
    pub(crate) fn new(game: &'s str, variant: &'s Value) -> Solver<'s> {
        Solver {
            game,
            variant,
            known: HashMap::new(),
        }
    }

    /// The game at an opening.
    fn at(&self, opening: &str) -> Box<dyn AnyMatch> {
        let rules = catalog::find(self.game).expect("a game");
        task::opening::begin(rules, self.variant, opening).expect("an opening")
    }

    /// The expectation after these words from the start.
    pub(crate) fn value(&mut self, words: &str) -> f64 {
        let game = self.at(words);
        self.value_of(&*game)
    }

    fn value_of(&mut self, game: &dyn AnyMatch) -> f64 {
        if let Some(outcome) = game.outcome() {
            return outcome.points_of_first().into();
        }
        let key = game.position();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut values = Vec::new();
        for action in game.actions() {
            let after = self.at(&format!("fen {key} moves {action}"));
            values.push(self.value_of(&*after));
        }
        let value = if game.roll_due() {
            values.iter().sum::<f64>() / values.len() as f64
        } else if game.side() == Side::First {
            values.into_iter().fold(0.0, f64::max)
        } else {
            values.into_iter().fold(1.0, f64::min)
        };
        self.known.insert(key, value);
        value
    }
}
