//! How long games take, and how many make a shard.

use std::collections::HashMap;
use std::time::Duration;

use jiff::SignedDuration;
use task::clock::ClockSpec;

/// How long a shard should take.
pub const SHARD: Duration = Duration::from_secs(150);
/// What a game costs beside the turns: two engines that start.
const START: Duration = Duration::from_millis(100);
/// What a turn without a limit of time is taken to need.
const UNKNOWN_TURN: Duration = Duration::from_secs(1);
/// Nodes of a search in a second, where only their number is limited.
const NODES_A_SECOND: f64 = 1e6;

/// Mean lengths of the games of a log, by the id of the game.
#[derive(Debug, Default)]
pub struct Measured(HashMap<String, (u64, Duration)>);

impl Measured {
    /// Adds a game.
    pub fn add(&mut self, game: &str, length: Duration) {
        let (count, sum) = self.0.entry(game.to_owned()).or_default();
        *count += 1;
        *sum += length;
    }

    /// The mean length of a game; `None` if none was added.
    pub fn mean(&self, game: &str) -> Option<Duration> {
        let (count, sum) = self.0.get(game)?;
        Some(Duration::from_secs_f64(sum.as_secs_f64() / *count as f64))
    }
}

/// How long a game may take by its clocks, if each side plays so many turns. Players who use all of
/// their time are the exception, so this is rather too long.
pub fn by_clock(clocks: [ClockSpec; 2], turns: u32) -> Duration {
    clocks
        .iter()
        .map(|clock| of_side(clock, turns))
        .sum::<Duration>()
        + START
}

fn of_side(clock: &ClockSpec, turns: u32) -> Duration {
    let time = |time: SignedDuration| Duration::try_from(time).unwrap_or_default();
    let of_turns = clock.per_move.map(|turn| time(turn) * turns);
    let of_game = clock.base.map(|base| {
        let periods = clock.moves.map_or(1, |moves| turns.div_ceil(moves.get()));
        let each = time(clock.increment) + time(clock.delay) + time(clock.bronstein);
        time(base) * periods + (each + clock.byoyomi.map_or(Duration::ZERO, time)) * turns
    });
    if let Some(least) = of_turns.into_iter().chain(of_game).min() {
        return least;
    }
    if let Some(turn) = clock.byoyomi {
        return time(turn) * turns;
    }
    match clock.nodes {
        Some(nodes) => Duration::from_secs_f64(nodes as f64 / NODES_A_SECOND) * turns,
        None => UNKNOWN_TURN * turns,
    }
}

/// How many games make a shard, an even number for whole pairs: as many as take [`SHARD`].
pub fn games_of_shard(mean: Duration) -> usize {
    let games = SHARD.as_secs_f64() / mean.as_secs_f64().max(1e-4);
    2 * ((games / 2.0) as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> ClockSpec {
        serde_json::from_str(text).expect("a clock")
    }

    #[test]
    fn clocks_bound_the_length_of_a_game() {
        for (text, turns, seconds) in [
            (r#"{"move": "PT2S"}"#, 20, 80.1),
            (r#"{"base": "PT60S", "increment": "PT1S"}"#, 30, 180.1),
            (r#"{"base": "PT60S", "moves": 20}"#, 30, 240.1),
            (r#"{"nodes": 500000}"#, 10, 10.1),
            (r#"{"depth": 3}"#, 10, 20.1),
        ] {
            let found = by_clock([clock(text), clock(text)], turns).as_secs_f64();
            assert!((found - seconds).abs() < 1e-6, "{text}: {found}");
        }
    }

    #[test]
    fn shards_are_whole_pairs_of_some_minutes() {
        let games = |seconds| games_of_shard(Duration::from_secs_f64(seconds));
        assert_eq!((games(1.0), games(10.0), games(70.0)), (150, 14, 2));
        assert_eq!(games(10_000.0), 2);
        assert!(games(0.0) > 1_000_000);
    }

    #[test]
    fn measured_lengths_are_means_of_their_game() {
        let mut measured = Measured::default();
        for (game, seconds) in [("hex", 1), ("hex", 3), ("amazons", 10)] {
            measured.add(game, Duration::from_secs(seconds));
        }
        assert_eq!(measured.mean("hex"), Some(Duration::from_secs(2)));
        assert_eq!(measured.mean("connect6"), None);
    }
}
