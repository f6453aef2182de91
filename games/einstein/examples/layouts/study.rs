//! A study of the layouts: games by `learning::setup`, and what it says as the file of win rates by which
//! the engine plays.

use einstein::{Action, Colour, Einstein, LayoutRate, LayoutRow, Layouts, RaceAndThreats};
use engine_core::{Position, Rng, Side, StopFlag};
use learning::{Rollout, SetupStudy};
use stats::Z;

/// Plays a block of games with every layout that is left, on the threads of the current pool. If
/// `stop` is set meanwhile, nothing is recorded.
pub(crate) fn step(study: &mut SetupStudy, stop: &StopFlag) {
    let start = Einstein::new(Colour::Red);
    study.step(&start, &setups(), RaceAndThreats::default, stop);
}

/// The classes of layouts that are worth the same.
pub(crate) fn setups() -> Vec<Vec<Action>> {
    let classes = einstein::layout_classes().into_iter();
    classes.map(|class| class.to_vec()).collect()
}

/// What a completed study says, in the order of [`setups`].
pub(crate) fn learned(study: &SetupStudy) -> Layouts {
    let settings = study.settings();
    let rate = |side: Side, arm: usize| {
        let found = study.rate::<Einstein>(side, arm);
        // Two decimals, as in the file: results without luck may lie beyond certain.
        let percent = |share: f64| (1e4 * share).round() / 1e2;
        LayoutRate {
            rate: percent(found.rate.clamp(0.0, 1.0)),
            error: percent((Z * found.standard_error).min(1.0)),
            games: found.games,
        }
    };
    let row = |(arm, setups): (usize, Vec<Action>)| LayoutRow {
        numbers: setups[0].numbers().expect("setups are layouts"),
        rates: Side::BOTH.map(|side| rate(side, arm)),
    };
    let rows: Vec<LayoutRow> = setups().into_iter().enumerate().map(row).collect();
    Layouts {
        made_by: format!(
            "layouts --learn FILE --seed {} --plies {} --games {}",
            settings.seed, settings.plies, settings.games
        ),
        rows,
    }
}

/// A number that changes with whatever decides the games of a study: the rules, the evaluation and
/// the search. It is the sum of the results of a few games.
pub(crate) fn signature(plies: u32) -> i64 {
    let mut rollout = Rollout::new(RaceAndThreats::default(), plies);
    let setups = setups();
    let game = |seed: u64| {
        let mut rng = Rng::new(seed);
        let mut position = Einstein::new(Colour::Red);
        for _ in Side::BOTH {
            let layout = setups[rng.below(setups.len() as u32) as usize][0];
            position.play(layout);
        }
        rollout.play(position, &mut rng).adjusted()
    };
    (0..8).map(game).sum()
}
