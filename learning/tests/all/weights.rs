//! Files of learned weights.

use std::sync::Arc;

use engine_core::learned::{Inputs, Model, Shape, Weights};
use entry::weights::{Purpose, WeightsError, read, write};
use entry::{Options, Setup};
use game::Searched;
use surakarta::{Surakarta, Tuples, Variant};
use tic_tac_toe::TicTacToe;

fn start() -> Surakarta {
    Surakarta::new(Variant::default())
}

fn weights(hidden: usize, second: usize) -> Weights {
    let inputs = Tuples::of(&start()).count();
    let shape = Shape {
        inputs,
        hidden,
        second,
    };
    let count: usize = shape.parts().iter().sum();
    let numbers: Vec<i32> = (0..count as i32).map(|n| n % 90 - 40).collect();
    Weights {
        inputs: Tuples::NAME.into(),
        model: Model::new(shape, &numbers).expect("a shape that exists"),
        corrects: second == 0,
    }
}

#[test]
fn files_are_read_as_they_were_written() {
    for (hidden, second) in [(0, 0), (16, 0), (16, 8)] {
        let weights = weights(hidden, second);
        let bytes = write::<Surakarta>(&weights, "by hand");
        assert_eq!(
            read::<Surakarta>(&bytes, Purpose::Evaluation),
            Ok((weights, "by hand".to_owned()))
        );
    }
}

#[test]
fn damaged_files_are_refused() {
    let bytes = write::<Surakarta>(&weights(0, 0), "");
    for length in (0..200).chain((200..bytes.len()).step_by(97)) {
        let error = read::<Surakarta>(&bytes[..length], Purpose::Evaluation).unwrap_err();
        let expected = if length < 43 {
            WeightsError::Other
        } else {
            WeightsError::Damaged
        };
        let early = error == WeightsError::Version;
        assert!(error == expected || early, "{length} bytes: {error}");
    }
    for place in (0..bytes.len()).step_by(61) {
        let mut changed = bytes.clone();
        changed[place] ^= 4;
        assert!(
            read::<Surakarta>(&changed, Purpose::Evaluation).is_err(),
            "byte {place} changed"
        );
    }
}

#[test]
fn other_files_are_named_for_what_they_are() {
    let text = |result: Result<_, WeightsError>| match result {
        Ok(_) => panic!("it is accepted"),
        Err(error) => error.to_string(),
    };
    let bytes = write::<Surakarta>(&weights(0, 0), "");
    assert_eq!(
        text(read::<TicTacToe>(&bytes, Purpose::Evaluation)),
        "weights for surakarta, expected tic-tac-toe"
    );
    assert_eq!(
        text(read::<Surakarta>(b"PNG", Purpose::Evaluation)),
        "expected a file of learned weights, found something else"
    );
    let mut renamed = weights(0, 0);
    renamed.inputs = "surakarta-tuples-0".into();
    assert_eq!(
        text(read::<Surakarta>(
            &write::<Surakarta>(&renamed, ""),
            Purpose::Evaluation
        )),
        "weights for the inputs surakarta-tuples-0, expected surakarta-tuples-1: learn them anew"
    );
    let newer = [
        b"learned weights of a game engine, version 2\n".as_slice(),
        &bytes,
    ]
    .concat();
    assert_eq!(
        text(read::<Surakarta>(&newer, Purpose::Evaluation)),
        "expected version 1 of the format, found another version"
    );
}

/// The weights of a player with this value of the option.
fn chosen(value: &str) -> Result<Option<Arc<Weights>>, String> {
    let options = Options {
        weights: value.to_owned(),
        ..Options::default()
    };
    let setup = Setup::new::<Surakarta>(options).map_err(|(_, message)| message)?;
    Ok(setup.settings(&start())?.weights)
}

#[test]
fn the_option_names_a_file_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights");
    let name = path.display().to_string();
    let missing = chosen(&name).unwrap_err();
    assert!(missing.starts_with(&format!("{name}: ")), "{missing}");
    std::fs::write(&path, write::<Surakarta>(&weights(0, 0), "")).unwrap();
    assert_eq!(*chosen(&name).unwrap().unwrap(), weights(0, 0));
    assert_eq!(chosen("none"), Ok(None));
    assert_eq!(chosen("shipped"), Ok(Surakarta::settings().weights));

    let mut larger = weights(0, 0);
    let numbers = [larger.model.numbers(), vec![0]].concat();
    let shape = Shape::with_numbers(numbers.len(), 0, 0).unwrap();
    larger.model = Model::new(shape, &numbers).unwrap();
    std::fs::write(&path, write::<Surakarta>(&larger, "")).unwrap();
    let fault = chosen(&name).unwrap_err();
    assert!(
        fault.ends_with("is it another variant of the game?"),
        "{fault}"
    );
}

/// What a file held when its option was set is what plays, whatever happens to the file.
#[test]
fn a_file_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights");
    std::fs::write(&path, write::<Surakarta>(&weights(0, 0), "")).unwrap();
    let options = Options {
        weights: path.display().to_string(),
        ..Options::default()
    };
    let setup = Setup::new::<Surakarta>(options.clone()).unwrap();
    std::fs::remove_file(&path).unwrap();
    let changed = Options {
        threads: 2,
        ..options
    };
    let setup = setup.with::<Surakarta>(changed).unwrap();
    let settings = setup.settings(&start()).unwrap();
    assert_eq!(*settings.weights.unwrap(), weights(0, 0));
}
