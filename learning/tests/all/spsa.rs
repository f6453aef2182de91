//! SPSA on functions whose best point is known.

use engine_core::Rng;
use learning::spsa::{Dimension, Spsa, SpsaError};

fn dimension(start: f64, min: f64, max: f64, integer: bool) -> Dimension {
    Dimension {
        start,
        min,
        max,
        c_end: (max - min) / 20.0,
        r_end: 0.01,
        integer,
    }
}

/// Four parameters of different sizes and their best values.
const BEST: [f64; 4] = [0.3, 70.0, -5.0, 900.0];

fn tuning(iterations: u64, seed: u64) -> Spsa {
    let dimensions = vec![
        dimension(0.8, 0.0, 1.0, false),
        dimension(20.0, 0.0, 100.0, true),
        dimension(8.0, -10.0, 10.0, true),
        dimension(100.0, 0.0, 1000.0, false),
    ];
    Spsa::new(dimensions, iterations, 4, seed).expect("a sound tuning")
}

/// Elo lost by these values: 150 for each parameter that is off by half its range.
fn loss(values: &[f64]) -> f64 {
    let ranges = [1.0, 100.0, 20.0, 1000.0];
    let parts = values.iter().zip(BEST).zip(ranges);
    parts
        .map(|((value, best), range)| 600.0 * ((value - best) / range).powi(2))
        .sum()
}

/// Wins minus losses of eight noisy games.
fn lead(plus: &[f64], minus: &[f64], rng: &mut Rng) -> f64 {
    let elo = loss(minus) - loss(plus);
    let chance = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    (0..8)
        .map(|_| {
            if f64::from(rng.unit()) < chance {
                1.0
            } else {
                -1.0
            }
        })
        .sum()
}

/// Plays iterations, as a tuner does.
fn play(tuning: &Spsa, iterations: std::ops::Range<u64>, values: &mut [f64]) {
    for iteration in iterations {
        let trial = tuning.trial(iteration, values);
        let mut rng = Rng::new(tuning.seed(iteration));
        let lead = lead(&trial.plus, &trial.minus, &mut rng);
        tuning.learn(iteration, &trial, lead, values);
    }
}

#[test]
fn a_noisy_quadratic_is_climbed() {
    for seed in 1..=3 {
        let tuning = tuning(3000, seed);
        let mut values = tuning.start();
        let before = loss(&values);
        play(&tuning, 0..3000, &mut values);
        let after = loss(&values);
        assert!(
            before > 400.0 && after < 15.0,
            "{before} {after} {values:?}"
        );
    }
}

#[test]
fn a_tuning_in_two_parts_is_the_same_tuning() {
    let tuning = tuning(200, 7);
    let (mut whole, mut parts) = (tuning.start(), tuning.start());
    play(&tuning, 0..200, &mut whole);
    play(&tuning, 0..77, &mut parts);
    play(&tuning.clone(), 77..200, &mut parts);
    assert_eq!(whole, parts);
    assert_ne!(whole, tuning.start());
}

#[test]
fn trials_are_whole_numbers_in_range_and_keep_their_mean() {
    let tuning = tuning(1000, 5);
    let values = [0.99, 99.6, 3.25, 500.0];
    let mut sums = [0.0; 4];
    for iteration in 0..1000 {
        let trial = tuning.trial(iteration, &values);
        for players in [&trial.plus, &trial.minus] {
            assert!(players[0] <= 1.0 && players[1] <= 100.0);
            assert_eq!((players[1].fract(), players[2].fract()), (0.0, 0.0));
            for (sum, value) in sums.iter_mut().zip(players) {
                *sum += value;
            }
        }
    }
    assert!((sums[2] / 2000.0 - 3.25).abs() < 0.05, "{sums:?}");
    assert!((sums[3] / 2000.0 - 500.0).abs() < 1.0, "{sums:?}");
    assert_eq!(tuning.rounded(&values), [0.99, 100.0, 3.0, 500.0]);
}

/// The steps of fishtest: `a = r_end c_end² (A + N)^alpha`, `c = c_end N^gamma`, and a move by
/// `a / (A + k)^alpha / c_k` for each win.
#[test]
fn steps_are_those_of_fishtest() {
    let spsa = Spsa::new(vec![dimension(50.0, 0.0, 100.0, false)], 1000, 1, 1);
    let spsa = spsa.expect("a sound tuning");
    let (alpha, gamma, all, c_end, r_end) = (0.602f64, 0.101f64, 1000f64, 5f64, 0.01f64);
    for iteration in [0, 9, 999] {
        let k = (iteration + 1) as f64;
        let c = c_end * all.powf(gamma) / k.powf(gamma);
        let a_end = r_end * c_end * c_end;
        let a = a_end * (0.1 * all + all).powf(alpha) / (0.1 * all + k).powf(alpha);
        let trial = spsa.trial(iteration, &[50.0]);
        assert!(((trial.plus[0] - 50.0).abs() - c).abs() < 1e-9);
        let mut values = [50.0];
        spsa.learn(iteration, &trial, 1.0, &mut values);
        let toward = (trial.plus[0] - 50.0).signum();
        assert!(
            (values[0] - 50.0 - toward * a / c).abs() < 1e-9,
            "{values:?}"
        );
    }
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    let sound = dimension(1.0, 0.0, 2.0, false);
    let fault = |dimension: Dimension| Spsa::new(vec![sound, dimension], 1, 1, 1).unwrap_err();
    let with = |change: fn(&mut Dimension)| {
        let mut changed = sound;
        change(&mut changed);
        let (index, error) = fault(changed);
        assert_eq!(index, 1);
        error.to_string()
    };
    assert_eq!(
        with(|d| d.start = 2.5),
        "start 2.5, expected a value from 0 to 2"
    );
    assert_eq!(
        with(|d| d.start = f64::NAN),
        "start NaN, expected a value from 0 to 2"
    );
    assert_eq!(
        with(|d| d.c_end = 0.0),
        "c_end 0, expected a number above 0"
    );
    assert_eq!(
        with(|d| d.c_end = -1.0),
        "c_end -1, expected a number above 0"
    );
    assert_eq!(
        with(|d| d.r_end = 0.0),
        "r_end 0, expected a number above 0"
    );
    assert_eq!(
        with(|d| d.r_end = f64::NAN),
        "r_end NaN, expected a number above 0"
    );
    assert_eq!(
        with(|d| d.max = 0.0),
        "min 0 and max 0, expected min below max"
    );
    assert!(matches!(
        fault(Dimension { min: 3.0, ..sound }).1,
        SpsaError::Range(3.0, 2.0)
    ));
}
