//! Learns the numbers of `data/values.bin` from games of the engine against itself.
//!
//! ```text
//! learn play GAMES NODES SEED SAMPLES    play games, write their positions to a file
//! learn fit START OUT SAMPLES...         fit the numbers of the file START to these positions
//! ```
//!
//! `play` plays half of the games free-style and half Renju, from random openings that a search
//! thinks balanced, with a limit of nodes a turn. `fit` learns two things. The value of a position
//! shall have the winning probability that is the mean of the game's result and of what the search
//! saw. The gain of a stone shall have the probability that the search played it. Both are logistic
//! regressions; a penalty keeps rare numbers near those of START. One seed gives the same games and
//! numbers on every machine.
//!
//! The present file was learned after two others, each from games that were played with the one
//! before it. It is from 38 000 games, 841 803 positions:
//!
//! ```text
//! learn play 19000 300 401 a
//! learn play 19000 300 402 b
//! learn fit data/values.bin new.bin a b
//! ```
//!
//! The cross entropy with the results of games that were not learned from fell from 0.553 to 0.534,
//! that with the search's moves from 2.231 to 2.189.

use std::fs::File;
use std::io::{BufWriter, Write};

use engine_core::real::{exp, logistic};
use engine_core::{Algorithm, Limits, Outcome, Position, Resources, Rng, Score};
use game::{Game, Searched, Wanted};
use gomoku::{Action, Cell, ForbiddenRule, Gomoku, Inputs, PatternEvaluator, Variant};

/// Points that multiply the odds by e.
const SCALE: f32 = 400.0;
/// A longer game counts as a draw.
const MOST_PLIES: usize = 140;
/// Points up to which an opening is balanced.
const BALANCED: i32 = 200;
/// Weight of the game's result in the target; the rest is that of the search's value.
const RESULT_WEIGHT: f32 = 0.5;
/// Gain that multiplies the odds of a move by e.
const GAIN_SCALE: f32 = 100.0;
/// Times that every position is learned from.
const EPOCHS: u32 = 24;
/// Positions of one step.
const BATCH: usize = 2_000;
/// Length of the first steps of values, in points; the later ones are shorter.
const STEP: f32 = 10.0;
/// The same of gains.
const GAIN_STEP: f32 = 100.0;

/// A position.
struct Sample {
    inputs: Inputs,
    /// The place in `inputs.cells` of the search's move, if the move is not forced.
    best: Option<usize>,
    /// The winning probability of the side to move, by result and search.
    target: f32,
    /// Points of the game for the side to move: 0, 0.5 or 1.
    result: f32,
}

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["play", games, nodes, seed, file] => {
            play(games.parse()?, nodes.parse()?, seed.parse()?, file)
        }
        ["fit", start, out, ref files @ ..] if !files.is_empty() => fit(start, out, files),
        _ => Err("expected: play GAMES NODES SEED SAMPLES, or: fit START OUT SAMPLES...".into()),
    }
}

fn play(games: u32, nodes: u64, seed: u64, file: &str) -> Result<(), Error> {
    let mut rng = Rng::new(seed);
    let mut out = BufWriter::new(File::create(file)?);
    let mut positions = 0;
    for game in 0..games {
        let forbidden = match game % 2 {
            0 => ForbiddenRule::Off,
            _ => ForbiddenRule::AtOnce,
        };
        let variant = Variant {
            forbidden,
            ..Variant::FREE_STYLE
        };
        let samples = samples(variant, nodes, &mut rng);
        positions += samples.len();
        for sample in samples {
            write(&sample, &mut out)?;
        }
        if game % 100 == 99 {
            eprintln!("{} of {games} games, {positions} positions", game + 1);
        }
    }
    Ok(out.flush()?)
}

/// The positions of one game.
fn samples(variant: Variant, nodes: u64, rng: &mut Rng) -> Vec<Sample> {
    let empty = Gomoku::start(&variant).expect("the variant exists");
    let settings = Gomoku::settings();
    let resources = Resources {
        table_mb: 1,
        threads: 1,
        seed: rng.next_u64(),
    };
    let wanted = Wanted {
        algorithm: Algorithm::Best,
        settings: &settings,
        resources,
    };
    let mut player = empty.make_player(wanted).expect("the player exists");
    let mut search = |position: &Gomoku| {
        let report = player.search(position, &Limits::nodes(nodes), &mut |_| {});
        (
            report.pv.first().copied(),
            report.score.unwrap_or(Score::DRAW),
        )
    };
    let mut position = loop {
        if let Some(position) = opening(&empty, rng)
            && search(&position).1.value().abs() <= BALANCED
        {
            break position;
        }
    };
    let mut evaluator = PatternEvaluator::new(&empty);
    let mut samples = Vec::new();
    let mut turns = 0;
    while position.outcome().is_none() && turns < MOST_PLIES {
        let (Some(action), score) = search(&position) else {
            break;
        };
        if let Some((inputs, free)) = evaluator.inputs(&position) {
            let is_best = |(cell, ..): &(Cell, u16, u16)| Action::Cell(*cell) == action;
            let best = inputs.cells.iter().position(is_best).filter(|_| free);
            let probability = logistic(score.value() as f32 / SCALE);
            samples.push((position.to_move(), inputs, best, probability));
        }
        position.play(action);
        turns += 1;
    }
    let winner = match position.outcome() {
        Some(Outcome::Win(side)) => Some(position.colour_index(side)),
        _ => None,
    };
    let of = |(colour, inputs, best, probability)| {
        let result = match winner {
            None => 0.5,
            Some(winner) => f32::from(u8::from(winner == colour as usize)),
        };
        Sample {
            inputs,
            best,
            target: RESULT_WEIGHT * result + (1.0 - RESULT_WEIGHT) * probability,
            result,
        }
    };
    samples.into_iter().map(of).collect()
}

/// Up to nine random stones near the centre, unless they end the game.
fn opening(empty: &Gomoku, rng: &mut Rng) -> Option<Gomoku> {
    let mut position = empty.clone();
    let centre = position.size() / 2;
    let (reach, stones) = (2 + rng.below(3), 2 + rng.below(8));
    for _ in 0..stones {
        let mut place = || centre + rng.below(2 * reach + 1) as u8 - reach as u8;
        let action = Action::Cell(Cell::new(place(), place()));
        if !position.is_legal(action) {
            return None;
        }
        position.play(action);
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}

fn write(sample: &Sample, out: &mut impl Write) -> std::io::Result<()> {
    let inputs = &sample.inputs;
    let best = sample.best.map_or(u16::MAX, |best| best as u16);
    let [own, enemy] = inputs.kinds.map(|place| place as u16);
    let head = [
        own,
        enemy,
        inputs.threats as u16,
        best,
        inputs.cells.len() as u16,
    ];
    out.write_all(&sample.target.to_le_bytes())?;
    out.write_all(&sample.result.to_le_bytes())?;
    let cells = inputs.cells.iter();
    let cells = cells.flat_map(|&(cell, own, enemy)| [cell.index() as u16, own, enemy]);
    for word in head.into_iter().chain(cells) {
        out.write_all(&word.to_le_bytes())?;
    }
    Ok(())
}

fn read(file: &str) -> Result<Vec<Sample>, Error> {
    let bytes = std::fs::read(file)?;
    let (mut rest, mut samples) = (&bytes[..], Vec::new());
    let short = || format!("{file}: a sample is incomplete");
    let words = |bytes: &[u8]| {
        let words = bytes.chunks_exact(2);
        words
            .map(|b| u16::from_le_bytes([b[0], b[1]]))
            .collect::<Vec<_>>()
    };
    while !rest.is_empty() {
        let (reals, after) = rest.split_at_checked(8).ok_or_else(short)?;
        let (head, after) = after.split_at_checked(10).ok_or_else(short)?;
        let head = words(head);
        let (cells, after) = after
            .split_at_checked(6 * head[4] as usize)
            .ok_or_else(short)?;
        let real =
            |at| f32::from_le_bytes([reals[at], reals[at + 1], reals[at + 2], reals[at + 3]]);
        let cell = |c: &[u16]| (Cell::from_index(c[0].into()), c[1], c[2]);
        samples.push(Sample {
            inputs: Inputs {
                kinds: [head[0].into(), head[1].into()],
                threats: head[2].into(),
                cells: words(cells).chunks_exact(3).map(cell).collect(),
            },
            best: (head[3] != u16::MAX).then_some(head[3].into()),
            target: real(0),
            result: real(4),
        });
        rest = after;
    }
    Ok(samples)
}

/// The numbers while they are fitted, in points.
struct Numbers {
    start: Vec<f32>,
    now: Vec<f32>,
    gradient: Vec<f32>,
    /// Sums of squared gradients.
    squares: Vec<f32>,
}

/// Whether the number at a place orders moves.
fn is_gain(place: usize) -> bool {
    let part = place % Inputs::KIND / Inputs::MULTISETS;
    part == 2 || part == 3
}

/// Places of the four numbers of a cell: value to the mover, value to the other, gain, prevention.
fn places(inputs: &Inputs, (_, own, enemy): (Cell, u16, u16)) -> [usize; 4] {
    let [mover, waiter] = inputs.kinds;
    let place = |kind: usize, part: usize, multiset: u16| {
        kind + part * Inputs::MULTISETS + multiset as usize
    };
    [
        place(mover, 0, own),
        place(waiter, 1, enemy),
        place(mover, 2, own),
        place(waiter, 3, enemy),
    ]
}

impl Numbers {
    fn value(numbers: &[f32], inputs: &Inputs) -> f32 {
        let mut sum = numbers[inputs.threats];
        for &cell in &inputs.cells {
            let [mover, waiter, ..] = places(inputs, cell);
            sum += numbers[mover] - numbers[waiter];
        }
        sum
    }

    /// The probability that each cell is the search's move.
    fn policy(numbers: &[f32], inputs: &Inputs) -> Vec<f32> {
        let logit = |&cell: &(Cell, u16, u16)| {
            let [_, _, gain, prevention] = places(inputs, cell);
            (numbers[gain] + numbers[prevention]) / GAIN_SCALE
        };
        let logits: Vec<f32> = inputs.cells.iter().map(logit).collect();
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let mut odds: Vec<f32> = logits.iter().map(|logit| exp(logit - most)).collect();
        let sum: f32 = odds.iter().sum();
        odds.iter_mut().for_each(|odd| *odd /= sum);
        odds
    }

    /// Mean cross entropies of the values' probabilities with the targets and with the results, and
    /// of the gains' probabilities with the search's moves.
    fn losses(numbers: &[f32], samples: &[Sample]) -> [f64; 3] {
        let (mut sums, mut free) = ([0.0; 3], 0);
        for sample in samples {
            let value = Numbers::value(numbers, &sample.inputs) / SCALE;
            for (sum, wanted) in sums.iter_mut().zip([sample.target, sample.result]) {
                let (yes, no) = (logistic(value).max(1e-6), logistic(-value).max(1e-6));
                *sum -= f64::from(wanted * yes.ln() + (1.0 - wanted) * no.ln());
            }
            if let Some(best) = sample.best {
                free += 1;
                let policy = Numbers::policy(numbers, &sample.inputs);
                sums[2] -= f64::from(policy[best].max(1e-6).ln());
            }
        }
        let count = samples.len() as f64;
        [sums[0] / count, sums[1] / count, sums[2] / f64::from(free)]
    }

    /// Points by which a number usually differs from the one at the start.
    fn spread(place: usize, start: f32) -> f32 {
        let least = if is_gain(place) { 60.0 } else { 15.0 };
        least + 0.25 * start.abs()
    }

    /// Adds the gradient of a sample, in units of the points' scales.
    fn learn(&mut self, sample: &Sample) {
        let inputs = &sample.inputs;
        let error = logistic(Numbers::value(&self.now, inputs) / SCALE) - sample.target;
        self.gradient[inputs.threats] += error;
        let policy = sample
            .best
            .map(|best| (best, Numbers::policy(&self.now, inputs)));
        for (index, &cell) in inputs.cells.iter().enumerate() {
            let [mover, waiter, gain, prevention] = places(inputs, cell);
            self.gradient[mover] += error;
            self.gradient[waiter] -= error;
            if let Some((best, policy)) = &policy {
                let error = policy[index] - f32::from(u8::from(*best == index));
                let error = error * SCALE / GAIN_SCALE;
                self.gradient[gain] += error;
                self.gradient[prevention] += error;
            }
        }
    }

    /// One step (Duchi, Hazan and Singer, *Adaptive Subgradient Methods*, 2011).
    fn step(&mut self, batch: &[Sample], all: usize) {
        self.gradient.fill(0.0);
        for sample in batch {
            self.learn(sample);
        }
        let part = SCALE * batch.len() as f32 / all as f32;
        for place in 0..self.now.len() {
            let away = self.now[place] - self.start[place];
            let spread = Numbers::spread(place, self.start[place]);
            let gradient = self.gradient[place] + part * away / (spread * spread);
            self.squares[place] += gradient * gradient;
            if gradient != 0.0 {
                let step = if is_gain(place) { GAIN_STEP } else { STEP };
                self.now[place] -= step * gradient / self.squares[place].sqrt().max(1e-3);
            }
        }
    }
}

fn fit(start: &str, out: &str, files: &[&str]) -> Result<(), Error> {
    let mut samples = Vec::new();
    for file in files {
        samples.append(&mut read(file)?);
    }
    // The last games of all are not learned from.
    let checked = samples.split_off(samples.len() - samples.len() / 10);
    let bytes = std::fs::read(start)?;
    let bytes = bytes.chunks_exact(2);
    let start: Vec<f32> = bytes
        .map(|b| i16::from_le_bytes([b[0], b[1]]).into())
        .collect();
    let mut numbers = Numbers {
        now: start.clone(),
        gradient: vec![0.0; start.len()],
        squares: vec![0.0; start.len()],
        start,
    };
    let report = |what: &str, numbers: &[f32], samples: &[Sample], checked: &[Sample]| {
        let (learned, checked) = (
            Numbers::losses(numbers, samples),
            Numbers::losses(numbers, checked),
        );
        eprintln!(
            "{what}: cross entropy with targets and results {learned:.4?}, of others {checked:.4?}"
        );
    };
    eprintln!("{} positions, {} others", samples.len(), checked.len());
    report("before", &numbers.now, &samples, &checked);
    let mut rng = Rng::new(1);
    let all = samples.len();
    for epoch in 1..=EPOCHS {
        rng.shuffle(&mut samples);
        for batch in samples.chunks(BATCH) {
            numbers.step(batch, all);
        }
        if epoch % 4 == 0 {
            report(&format!("epoch {epoch}"), &numbers.now, &samples, &checked);
        }
    }
    let rounded = numbers
        .now
        .iter()
        .flat_map(|n| (n.round() as i16).to_le_bytes());
    Ok(std::fs::write(out, rounded.collect::<Vec<_>>())?)
}
