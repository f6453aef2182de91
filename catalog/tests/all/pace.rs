//! How engines use their clocks, by a clock that counts nodes.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use engine_core::time::{TimeLeft, TurnTime};
use engine_core::{Position, Report, Rng};
use entry::thinker::{Listener, Thinker, TurnLimits};
use entry::{Options, Setup};
use game::{Engine, Searched};
use serde_json::Value;

/// The clock of a side.
const CLOCK: TimeLeft = TimeLeft {
    left: Duration::from_secs(5),
    increment: Duration::from_millis(50),
    period: Duration::ZERO,
    turns: None,
};

/// Games of each game.
const GAMES: u64 = 16;

const OVERHEAD: Duration = Duration::from_millis(5);

/// A turn that was chosen, how long it took, and whether its value is proven.
type Choice<G> = (Vec<<G as Position>::Move>, Duration, bool);

/// Hands on what was chosen.
struct Chosen<G: Searched> {
    to: Sender<Choice<G>>,
    is_proven: bool,
}

impl<G: Searched> Listener<G> for Chosen<G> {
    fn progress(&mut self, _: &G, report: &Report<G::Move>) {
        self.is_proven = report.solved;
    }

    fn chosen(&mut self, _: &G, turn: &[G::Move], time: Duration) {
        let choice = (turn.to_vec(), time, self.is_proven);
        self.to.send(choice).expect("the test waits");
    }

    fn trouble(&mut self, message: &str) {
        panic!("{message}");
    }
}

/// What a side has made of its clock in a game, until its result was proven: then there is nothing to
/// think about.
#[derive(Debug, Default, Clone, Copy)]
struct Used {
    turns: u32,
    time: Duration,
    is_over: bool,
}

impl Used {
    /// The part of all the time that it had.
    fn share(self) -> f64 {
        let had = CLOCK.left + CLOCK.increment * self.turns;
        self.time.as_secs_f64() / had.as_secs_f64()
    }
}

/// A game of an engine against itself, with so many nodes for a second.
fn play<G: Engine>(nodes_per_second: u64, variant: &str, seed: u64) -> [Used; 2] {
    let variant: Value = serde_json::from_str(variant).expect("JSON");
    let options = Options {
        variant: variant.clone(),
        nodes_per_second,
        table_mb: 16,
        // Turns of the book take no time, and playouts by a network too much.
        book: "none".to_owned(),
        network: "none".to_owned(),
        seed,
        ..Options::default()
    };
    let (send, receive) = channel();
    let setup = Setup::new::<G>(options).expect("shipped files");
    let mut thinker = Thinker::new(
        setup,
        Chosen {
            to: send,
            is_proven: false,
        },
    );
    let mut position: G = game::start(&variant).expect("a variant");
    let (mut left, mut used) = ([CLOCK.left; 2], [Used::default(); 2]);
    let mut rng = Rng::new(seed);
    // Some turns by lot, so that games differ.
    for _ in 0..4 {
        let legal = position.legal_moves();
        if !legal.is_empty() {
            position.play(legal[rng.below(legal.len() as u32) as usize]);
        }
    }
    while position.outcome().is_none() {
        if position.is_chance() {
            position.play_roll(1 + rng.below(u32::from(G::FACES)) as u8);
            continue;
        }
        let side = position.side().index();
        let clock = TimeLeft {
            left: left[side],
            ..CLOCK
        };
        let TurnTime { soft, hard } = clock.turn_time(position.turns_left(), OVERHEAD);
        let limits = TurnLimits {
            soft,
            hard: Some(hard),
            ..TurnLimits::default()
        };
        thinker.think(position.clone(), limits);
        let (turn, time, is_proven) = receive.recv().expect("it answers");
        turn.into_iter().for_each(|mv| {
            position.play(mv);
        });
        left[side] = left[side].checked_sub(time).expect("no loss on time") + clock.increment;
        let used = &mut used[side];
        used.is_over |= is_proven;
        if !used.is_over {
            used.turns += 1;
            used.time += time;
        }
    }
    used
}

/// In games of `long` turns a side and more, an engine uses four fifths of its clock, and never more than it
/// has.
fn check<G: Engine>(nodes_per_second: u64, variant: &str, long: u32) {
    let games = (1..=GAMES).flat_map(|seed| play::<G>(nodes_per_second, variant, seed));
    let long: Vec<Used> = games.filter(|used| used.turns >= long).collect();
    assert!(long.len() > 2, "{}: {} long games", G::ID, long.len());
    let share = long.iter().map(|used| used.share()).sum::<f64>() / long.len() as f64;
    assert!(share >= 0.8, "{}: {share} of the clock in {long:?}", G::ID);
}

#[test]
fn amazons() {
    check::<amazons::Amazons>(4_000, "{}", 37);
}

#[test]
fn connect6() {
    check::<connect6::Connect6>(4_000, "{}", 15);
}

#[test]
fn dots_and_boxes() {
    check::<dots_and_boxes::DotsAndBoxes>(2_000, "{}", 10);
}

#[test]
fn einstein() {
    check::<einstein::Einstein>(20_000, "{}", 8);
}

#[test]
fn gomoku() {
    check::<gomoku::Gomoku>(4_000, "{}", 25);
}

#[test]
fn hex() {
    check::<hex::Hex>(1_000, r#"{"size": 9}"#, 12);
}

#[test]
fn surakarta() {
    check::<surakarta::Surakarta>(20_000, "{}", 22);
}
