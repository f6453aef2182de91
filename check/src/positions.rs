//! Positions to ask an engine about: the game's typical positions, and positions of random games.

use std::collections::HashSet;

use catalog::{AnyMatch, Match};
use engine_core::Rng;
use engine_process::driver::History;
use game::standard;
use serde_json::json;
use task::Protocol;

use super::Plan;

/// At most this many positions come from one random game, so that they come from many games.
const PER_GAME: usize = 8;

/// After this many random games in a row without a new position, the search stops.
const FRUITLESS: usize = 50;

/// A position with a player to move.
pub(super) struct Case {
    /// How it arises.
    pub(super) history: History,
    /// The same position for the rules.
    pub(super) game: Box<dyn AnyMatch>,
}

/// Up to `count` different positions: the first position, then the typical ones if the variant is
/// the contest's, then random ones. They are reached by turns, or also given as positions if the
/// protocol can.
pub(super) fn cases(plan: &Plan, count: usize, seed: u64) -> Vec<Case> {
    let mut seen = HashSet::new();
    let mut cases = Vec::new();
    let typical = typical(plan)
        .into_iter()
        .filter_map(|text| by_fen(plan, text));
    for case in by_moves(plan, &[]).into_iter().chain(typical) {
        if cases.len() < count && seen.insert(case.game.position()) {
            cases.push(case);
        }
    }
    let mut rng = Rng::new(seed);
    let mut fruitless = 0;
    while cases.len() < count && fruitless < FRUITLESS {
        fruitless += 1;
        let mut stops = random_game(plan, &mut rng).stops;
        rng.shuffle(&mut stops);
        for stop in stops.into_iter().take(PER_GAME) {
            if cases.len() < count && seen.insert(stop.position.clone()) {
                let case = if cases.len().is_multiple_of(2) {
                    by_moves(plan, &stop.words)
                } else {
                    by_fen(plan, &stop.position).or_else(|| by_moves(plan, &stop.words))
                };
                cases.extend(case);
                fruitless = 0;
            }
        }
    }
    cases
}

/// The first position of the variant.
pub(super) fn start(plan: &Plan) -> Box<dyn AnyMatch> {
    plan.rules
        .start(&plan.variant)
        .expect("the variant was checked")
}

/// The typical positions; they belong to the contest's variant.
fn typical(plan: &Plan) -> Vec<&'static str> {
    let contest = plan.rules.complete_variant(&json!({}));
    if contest.ok().as_ref() != Some(&plan.variant) {
        return Vec::new();
    }
    let positions = standard::positions(plan.rules.standard().text);
    positions.map(|(_, _, text)| text).collect()
}

fn by_fen(plan: &Plan, text: &str) -> Option<Case> {
    // In the others, a game begins at its first position.
    let can = plan.engine.protocol == Protocol::Ugi;
    let game = plan.rules.open(&plan.variant, text).ok().filter(|_| can)?;
    let history = History::new(&format!("fen {text}"));
    Some(Case { history, game })
}

fn by_moves(plan: &Plan, words: &[String]) -> Option<Case> {
    let mut game = start(plan);
    game.play_words(&words.join(" ")).ok()?;
    let history = History::new(&words.join(" "));
    (game.outcome().is_none() && !game.roll_due()).then_some(Case { history, game })
}

/// A random game.
pub(super) struct RandomGame {
    /// Its positions with a player to move.
    stops: Vec<Stop>,
    /// All turns and rolls.
    pub(super) history: History,
}

/// A position in a random game.
struct Stop {
    words: Vec<String>,
    position: String,
}

/// Plays random turns and rolls to the end of the game.
pub(super) fn random_game(plan: &Plan, rng: &mut Rng) -> RandomGame {
    let mut game = start(plan);
    let mut history = History::new("");
    let mut stops = Vec::new();
    while game.outcome().is_none() {
        if game.roll_due() {
            history.push(&format!("d{}", roll(&mut *game, rng)));
            continue;
        }
        stops.push(Stop {
            words: history.words().map(str::to_owned).collect(),
            position: game.position(),
        });
        let turn = game.play_random_turn(rng);
        history.push(&turn.expect("the game goes on, and no roll is due"));
    }
    RandomGame { stops, history }
}

/// Rolls the die when a roll is due.
pub(super) fn roll(game: &mut dyn Match, rng: &mut Rng) -> u8 {
    let face = 1 + rng.below(game.faces().into()) as u8;
    game.roll(face)
        .expect("a roll is due, and the face is of the game's die");
    face
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use engine_process::driver::ugi::position;
    use protocol::ugi::Command;
    use task::EngineSpec;

    use super::*;

    fn plan(rules: &'static dyn catalog::AnyGame, variant: serde_json::Value) -> Plan {
        Plan {
            engine: EngineSpec::default(),
            rules,
            variant: rules.complete_variant(&variant).unwrap(),
            positions: 0,
            games: 1,
            margin: Duration::ZERO,
            patience: Duration::ZERO,
            seed: 1,
        }
    }

    /// The position that an engine sets up from a line.
    fn set_up(plan: &Plan, line: &str) -> Box<dyn AnyMatch> {
        let Ok(Command::Position { fen, moves }) = Command::parse(line) else {
            panic!("{line}");
        };
        let mut game = match fen {
            Some(text) => plan.rules.open(&plan.variant, &text).unwrap(),
            None => start(plan),
        };
        // A line has whole turns only.
        for word in &moves {
            if game.roll_due() {
                game.play_words(word).unwrap();
            } else {
                game.play_turn(word).unwrap();
            }
        }
        game
    }

    #[test]
    fn lines_set_up_different_positions_with_a_player_to_move() {
        for &rules in catalog::GAMES {
            let plan = plan(rules, json!({}));
            let cases = cases(&plan, 60, 7);
            let positions: HashSet<String> =
                cases.iter().map(|case| case.game.position()).collect();
            assert_eq!((cases.len(), positions.len()), (60, 60), "{}", rules.id());
            for Case { history, game } in cases {
                let line = position(&history);
                let found = set_up(&plan, &line);
                assert_eq!(found.position(), game.position(), "{line}");
                assert!(game.outcome().is_none() && !game.roll_due(), "{line}");
            }
            let mut rng = Rng::new(7);
            let line = position(&random_game(&plan, &mut rng).history);
            assert!(set_up(&plan, &line).outcome().is_some(), "{line}");
        }
    }

    #[test]
    fn a_small_variant_has_fewer_positions() {
        let plan = plan(catalog::find("hex").unwrap(), json!({"size": 2}));
        let few = cases(&plan, 200, 1).len();
        assert!((5..60).contains(&few), "{few}");
    }
}
