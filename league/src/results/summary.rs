//! What counts of a game for the standings.

use engine_core::Side;
use engine_process::deviation::Deviations;
use gamelog::record::{GameRecord, GameResult, Reason, SideName};
use task::clock::ClockSpec;
use task::pace::Pace;

use crate::results::cpu::CpuTimes;
use crate::results::lag::Lags;
use crate::results::repeats::{Course, roll_of};
use crate::results::work::Work;

/// Number of digits of a build in a name.
const BUILD_DIGITS: usize = 8;

/// The part of a game that counts for the standings. Only its lags and its course grow with the number of
/// turns.
#[derive(Clone, Debug)]
pub struct GameSummary {
    pub(super) league: String,
    pub(super) game: String,
    /// Names of the engines, by [`Side::index`].
    pub(super) names: [String; 2],
    /// Their builds, empty if unknown, by [`Side::index`].
    pub(super) builds: [String; 2],
    pub(super) round: u32,
    pub(super) seed: u64,
    pub(super) opening: String,
    pub(super) result: GameResult,
    pub(super) reason: Reason,
    /// Whether a person decided it instead of playing it.
    pub(super) is_decided: bool,
    /// Number of turns, without rolls.
    pub(super) turns: u64,
    pub(super) duration_ms: u64,
    /// The machine; empty for an imported game.
    pub(super) host: String,
    pub(super) pace: Option<Pace>,
    /// Lags of the turns of each side, by [`Side::index`], µs.
    pub(super) lags_us: [Vec<u64>; 2],
    /// CPU times, by [`Side::index`].
    pub(super) cpu: [CpuTimes; 2],
    /// Their turns, by [`Side::index`].
    pub(super) work: [Work; 2],
    /// Their clocks, by [`Side::index`]; `None` for an imported game.
    pub(super) clocks: Option<[ClockSpec; 2]>,
    /// Protocol deviations, by [`Side::index`].
    pub(super) deviations: [Deviations; 2],
    pub(super) course: Option<Course>,
}

impl GameSummary {
    /// The same with the build in the name of every engine whose build is known.
    pub(super) fn with_builds_in_names(&self) -> GameSummary {
        let mut game = self.clone();
        for (name, build) in game.names.iter_mut().zip(&game.builds) {
            *name = name_of_build(name, build);
        }
        game
    }

    /// The game and its engines in the order of their names.
    pub(super) fn pairing(&self) -> (String, [String; 2]) {
        let mut names = self.names.clone();
        names.sort();
        (self.game.clone(), names)
    }

    /// 0, 1 or 2 for a win, a draw or a loss of the first side.
    pub(super) fn outcome(&self) -> usize {
        match self.result {
            GameResult::First => 0,
            GameResult::Draw | GameResult::Unfinished => 1,
            GameResult::Second => 2,
        }
    }
}

/// The name of one build of an engine: `bot@ba7816bf`.
pub fn name_of_build(name: &str, build: &str) -> String {
    match build.get(..BUILD_DIGITS) {
        Some(digits) => format!("{name}@{digits}"),
        None => name.to_owned(),
    }
}

impl<S: AsRef<str>> From<&GameRecord<S>> for GameSummary {
    fn from(game: &GameRecord<S>) -> GameSummary {
        let lags = |side: Side| {
            let turns = (game.turns.iter()).filter(move |turn| turn.side == SideName::from(side));
            turns.filter_map(Lags::of).collect()
        };
        let is_roll = roll_of(&game.game);
        let turns = (game.turns.iter()).filter(|turn| !is_roll(turn.text.as_ref()));
        let work = Work::of(turns);
        GameSummary {
            league: game.league.clone(),
            game: game.game.clone(),
            names: [game.first.name.clone(), game.second.name.clone()],
            builds: [game.first.build.clone(), game.second.build.clone()],
            round: game.round,
            seed: game.seed,
            opening: game.opening.clone(),
            result: game.result,
            reason: game.reason,
            is_decided: game.decision.is_some(),
            turns: work.iter().map(Work::turns).sum(),
            duration_ms: game.duration_ms,
            host: if game.is_imported() {
                String::new()
            } else {
                game.host.clone()
            },
            pace: game.pace,
            lags_us: Side::BOTH.map(lags),
            cpu: Side::BOTH.map(|side| {
                let after = [&game.first, &game.second][side.index()].after;
                CpuTimes::of(&game.turns, side.into(), after)
            }),
            work,
            clocks: (!game.is_imported()).then(|| {
                [&game.first, &game.second].map(|engine| engine.clock.unwrap_or(game.clock))
            }),
            deviations: [&game.first, &game.second].map(|engine| engine.deviations.clone()),
            course: Course::of(game),
        }
    }
}
