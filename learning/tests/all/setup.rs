//! Studies of setups: the same to the bit however they are played.

use std::sync::OnceLock;

use einstein::{Action, Colour, Einstein, RaceAndThreats};
use engine_core::{Side, StopFlag};
use learning::{BLOCK, FINALISTS, SetupSettings, SetupStudy, Stage};

const SETTINGS: SetupSettings = SetupSettings {
    seed: 5,
    plies: 1,
    games: BLOCK,
};

/// Some layouts, the first of which is known to be bad and the last to be good.
fn setups() -> Vec<Vec<Action>> {
    let layouts = ["351462", "345612", "316254", "435612", "254163", "412365"]
        .into_iter()
        .chain(["526341", "213564", "365421", "465213", "134265", "126453"])
        .chain(["145623", "264531", "623541"]);
    layouts
        .map(|digits| {
            let numbers: Vec<u8> = digits.bytes().map(|digit| digit - b'0').collect();
            let layout = Action::layout(numbers.try_into().expect("six numbers"));
            let layout = layout.expect("a layout");
            vec![layout]
        })
        .collect()
}

fn step(study: &mut SetupStudy, threads: usize) {
    step_until(study, threads, &StopFlag::default());
}

fn step_until(study: &mut SetupStudy, threads: usize, stop: &StopFlag) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let start = Einstein::new(Colour::Red);
    let step = || study.step(&start, &setups(), RaceAndThreats::default, stop);
    pool.expect("threads").install(step);
}

/// A finished study.
fn whole() -> &'static SetupStudy {
    static WHOLE: OnceLock<SetupStudy> = OnceLock::new();
    WHOLE.get_or_init(|| finished(1))
}

fn finished(threads: usize) -> SetupStudy {
    let mut study = SetupStudy::new(SETTINGS, setups().len());
    while study.stage() != Stage::Done {
        step(&mut study, threads);
    }
    study
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let whole = whole();
    assert_eq!(finished(3), *whole);
    let mut study = SetupStudy::new(SETTINGS, setups().len());
    let mut games = 0;
    while study.stage() != Stage::Done {
        assert!(study.is_sound(setups().len()));
        assert_eq!(study.progress().0, games);
        step(&mut study, 1);
        assert!(study.progress().0 > games);
        games = study.progress().0;
        let stored = serde_json::to_string(&study).expect("it is stored");
        study = serde_json::from_str(&stored).expect("it is read");
    }
    assert_eq!(study, *whole);
    assert_eq!(study.progress(), (games, games));
    let other = SetupSettings {
        seed: 6,
        ..SETTINGS
    };
    assert_ne!(SetupStudy::new(other, setups().len()), *whole);
}

#[test]
fn a_step_that_is_stopped_leaves_no_trace() {
    let mut study = SetupStudy::new(SETTINGS, setups().len());
    step(&mut study, 1);
    let before = study.clone();
    let stop = StopFlag::default();
    stop.stop();
    step_until(&mut study, 2, &stop);
    assert_eq!(study, before);
}

#[test]
fn good_setups_are_told_from_bad_ones() {
    let study = whole();
    for side in Side::BOTH {
        let finalists = study.finalists::<Einstein>(side);
        assert_eq!(finalists.len(), FINALISTS);
        assert_eq!((finalists[0].1, finalists[0].2), (0.0, 0.0));
        let arms: Vec<usize> = finalists.iter().map(|&(arm, ..)| arm).collect();
        assert!(arms.contains(&14), "{arms:?}");
        let [bad, good] = [0, 14].map(|arm| study.rate::<Einstein>(side, arm));
        assert!(good.rate > bad.rate + 2.0 * bad.standard_error, "{side:?}");
        // A finalist plays the final, too.
        assert_eq!(good.games, 9 * SETTINGS.games);
    }
}

#[test]
fn what_is_no_study_is_refused() {
    let study = whole();
    assert!(study.is_sound(setups().len()));
    assert!(!study.is_sound(setups().len() - 1));
    let stored = serde_json::to_value(study).expect("it is stored");
    for (field, wrong) in [
        ("played", serde_json::json!(7)),
        ("played", serde_json::json!(10 * BLOCK)),
        (
            "settings",
            serde_json::json!({ "seed": 1, "plies": 0, "games": 2 * BLOCK }),
        ),
        (
            "settings",
            serde_json::json!({ "seed": 1, "plies": 1, "games": 100 }),
        ),
    ] {
        let mut broken = stored.clone();
        broken[field] = wrong;
        let read: SetupStudy = serde_json::from_value(broken).expect("fields are right");
        assert!(!read.is_sound(setups().len()), "{field}");
    }
}
