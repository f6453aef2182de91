//! Games that repeat another one, move for move.
//!
//! Two engines that answer alike every time play the same game again from the same start. Such a game says
//! nothing new: it counts for the points, and shares the observation of the game that it repeats. An engine
//! that has once answered the same position in two ways repeats games by chance only, and each of those
//! games counts.

use std::collections::{BTreeMap, HashMap, HashSet};

use base::digest::Digest;
use engine_core::Side;
use gamelog::record::{EngineRecord, GameRecord, SideName};
use stats::sample::PairTable;

use super::tally::Tally;

/// Whether a text of a game's log is a roll.
pub(super) fn roll_of(game: &str) -> impl Fn(&str) -> bool + use<> {
    let dice = catalog::find(game).is_some_and(|rules| rules.has_dice());
    move |text| {
        let face = text.strip_prefix('d').filter(|_| dice);
        face.is_some_and(|face| face.parse::<u8>().is_ok())
    }
}

/// Who made a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Engine(SideName),
    Dice,
    /// The game was over: the result and its reason.
    End,
}

/// A ply: who made it, and a digest of its text.
type Ply = (Who, u32);

/// What was played in a game, in digests.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// What was given before the first turn: game, variant, opening, clocks, both engines with their builds
    /// and options, and the dice.
    start: u64,
    /// The same for both games of a pair.
    pub(super) pair: u64,
    plies: Vec<Ply>,
}

impl Course {
    /// `None` for a game without turns, which has nothing to compare, and for an imported one: nobody knows
    /// that its players were programs.
    pub(super) fn of<S: AsRef<str>>(game: &GameRecord<S>) -> Option<Course> {
        if game.turns.is_empty() || game.is_imported() {
            return None;
        }
        let is_roll = roll_of(&game.game);
        let ply = |side: SideName, text: &str| {
            let who = if is_roll(text) {
                Who::Dice
            } else {
                Who::Engine(side)
            };
            (who, digest(&[text]) as u32)
        };
        let turns = game.turns.iter();
        let turns = turns.map(|turn| ply(turn.side, turn.text.as_ref()));
        let end = digest(&[&format!("{:?} {:?}", game.result, game.reason)]);
        let engines = [&game.first, &game.second].map(engine);
        let [one, other] = engines;
        let given = given(game);
        let has_dice = catalog::find(&game.game).is_some_and(|rules| rules.has_dice());
        let seed = if has_dice { game.seed } else { 0 };
        let dice = game.dice.filter(|_| has_dice).unwrap_or(seed);
        Some(Course {
            start: together([given, one, other, dice]),
            pair: together([given, one.min(other), one.max(other), seed]),
            plies: turns.chain([(Who::End, end as u32)]).collect(),
        })
    }

    /// A digest of all of it.
    fn digest(&self) -> u64 {
        self.plies.iter().fold(self.start, after)
    }
}

/// The digest of a position after a ply.
fn after(position: u64, (_, text): &Ply) -> u64 {
    let mut digest = Digest::default();
    digest.number(position);
    digest.number(u64::from(*text));
    digest.value()
}

fn digest(texts: &[&str]) -> u64 {
    let mut digest = Digest::default();
    texts.iter().for_each(|text| digest.text(text));
    digest.value()
}

/// All that makes an engine answer as it does, as far as a log knows it.
fn engine(engine: &EngineRecord) -> u64 {
    let EngineRecord {
        name,
        command,
        build,
        options,
        init,
        clock,
        ..
    } = engine;
    let mut digest = Digest::default();
    [name, build]
        .into_iter()
        .chain(command)
        .for_each(|text| digest.text(text));
    digest.number(command.len() as u64);
    init.iter().for_each(|line| digest.text(line));
    for (name, value) in options {
        // Each pair of games has a seed of its own, which engines that answer alike do not use.
        if !name.eq_ignore_ascii_case("seed") {
            digest.text(name);
            digest.text(&value.to_string());
        }
    }
    if let Some(clock) = clock {
        digest.text(&format!("{clock:?}"));
    }
    digest.value()
}

/// What both games of a pair have in common before the first turn, but for the engines.
fn given<S>(game: &GameRecord<S>) -> u64 {
    let rules = format!("{} {:?} {:?}", game.variant, game.clock, game.adjudication);
    digest(&[&game.game, &rules, &game.opening])
}

/// A digest of numbers.
fn together(numbers: [u64; 4]) -> u64 {
    let mut digest = Digest::default();
    numbers.into_iter().for_each(|number| digest.number(number));
    digest.value()
}

/// Plies that are kept of first games, and answers. A league of many openings that never come back would take
/// memory for nothing: from here on, games from pairs of starts that are not known yet are no repeats.
const MOST: usize = 250_000;

/// What the games before say of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Whether games from its start, and from that with sides exchanged, are watched for repeats.
    pub(super) is_watched: bool,
    /// Whether one of them was the same.
    pub(super) is_repeat: bool,
    /// Whether the engine of each side has answered a position in another way than in one of them.
    pub(super) varied: [bool; 2],
}

/// The games so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// The pairs of starts that are watched.
    watched: HashSet<u64>,
    /// The only game from a start; `None` where there were different ones.
    only: HashMap<u64, Option<Vec<Ply>>>,
    /// The first answer to each position of those games.
    answers: HashMap<u64, Ply>,
    all: HashSet<u64>,
    /// Plies in `only` so far.
    kept: usize,
}

impl Repeats {
    /// Adds a game.
    pub(super) fn see(&mut self, course: &Course) -> Seen {
        let is_full = self.kept + self.answers.len() >= MOST;
        if is_full && !self.watched.contains(&course.pair) {
            return Seen::default();
        }
        self.watched.insert(course.pair);
        let is_repeat = !self.all.insert(course.digest());
        let mut varied = [false; 2];
        match self.only.get_mut(&course.start) {
            None => {
                self.kept += course.plies.len();
                let plies = Some(course.plies.clone());
                self.only.insert(course.start, plies);
            }
            Some(_) if is_repeat => {}
            // Nobody knows who went another way.
            Some(_) if is_full => varied = [true; 2],
            Some(only) => {
                if let Some(first) = only.take() {
                    self.answer(course.start, &first);
                }
                varied = self.answer(course.start, &course.plies);
            }
        }
        Seen {
            is_watched: true,
            is_repeat,
            varied,
        }
    }

    /// Notes the answers of a game. Returns which sides answered otherwise before: where one game has ended
    /// and another went on, both.
    fn answer(&mut self, start: u64, plies: &[Ply]) -> [bool; 2] {
        let mut varied = [false; 2];
        let mut position = start;
        for ply in plies {
            let known = *self.answers.entry(position).or_insert(*ply);
            if known != *ply {
                for side in Side::BOTH {
                    varied[side.index()] |= match (known.0, ply.0) {
                        (Who::End, _) | (_, Who::End) => true,
                        (_, Who::Engine(mover)) => mover == side.into(),
                        (_, Who::Dice) => false,
                    };
                }
            }
            position = after(position, ply);
        }
        varied
    }
}

/// The game and the engines of a [`Repeat`], in the order of their names.
type Pairing = (String, [String; 2]);

/// Games that repeat another by engines that answer alike every time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Again(BTreeMap<Pairing, Repeat>);

/// The repeats of two engines in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Repeat {
    by_side: [Tally; 2],
    pairs: PairTable,
    /// The places of the games and of the pairs among all, where somebody asks for them in order.
    places: [Vec<u32>; 2],
}

impl Again {
    /// Adds a game.
    pub(super) fn add_game(&mut self, pairing: &Pairing, side: Side, tally: Tally) {
        self.of(pairing).by_side[side.index()] += tally;
    }

    /// Adds a pair with the results of both games.
    pub(super) fn add_pair(&mut self, pairing: &Pairing, [one, other]: [usize; 2]) {
        self.of(pairing).pairs.0[one][other] += 1;
    }

    /// Notes the place of a game, or of a pair, among all.
    pub(super) fn add_place(&mut self, pairing: &Pairing, of_pairs: bool, place: usize) {
        self.of(pairing).places[usize::from(of_pairs)].push(place as u32);
    }

    fn of(&mut self, pairing: &Pairing) -> &mut Repeat {
        self.0.entry(pairing.clone()).or_default()
    }

    /// The places of the games, or of the pairs, in their order.
    pub(super) fn places(&self, of_pairs: bool) -> Vec<u32> {
        let places = self.0.values();
        let mut places: Vec<u32> = places
            .flat_map(|repeat| &repeat.places[usize::from(of_pairs)])
            .copied()
            .collect();
        places.sort_unstable();
        places
    }

    /// Forgets those of an engine in a game: it has answered in two ways.
    pub(super) fn forget(&mut self, game: &str, name: &str) {
        self.0.retain(|(of_game, names), _| {
            of_game != game || names.iter().all(|other| other != name)
        });
    }

    /// Number of games.
    pub(super) fn games(&self) -> u32 {
        let tallies = self.0.values().flat_map(|repeat| repeat.by_side);
        tallies.map(Tally::games).sum()
    }

    /// What is left of these results without the repeats.
    pub(super) fn without(
        &self,
        mut by_side: [Tally; 2],
        mut pairs: PairTable,
    ) -> ([Tally; 2], PairTable) {
        for repeat in self.0.values() {
            for (tally, again) in by_side.iter_mut().zip(repeat.by_side) {
                *tally -= again;
            }
            let counts = pairs.0.as_flattened_mut().iter_mut();
            for (count, again) in counts.zip(repeat.pairs.0.as_flattened()) {
                *count -= again;
            }
        }
        (by_side, pairs)
    }
}
