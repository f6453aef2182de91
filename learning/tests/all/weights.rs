//! Files of learned weights.

use engine_core::learned::{Inputs, Model, Shape, Weights};
use entry::weights::{Purpose, WeightsError, read, wanted, write};
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

#[test]
fn the_option_names_a_file_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights");
    let name = path.display().to_string();
    let missing = wanted(&name, Purpose::Evaluation, &start()).unwrap_err();
    assert!(missing.starts_with(&format!("{name}: ")), "{missing}");
    std::fs::write(&path, write::<Surakarta>(&weights(0, 0), "")).unwrap();
    assert_eq!(
        *wanted(&name, Purpose::Evaluation, &start())
            .unwrap()
            .unwrap(),
        weights(0, 0)
    );
    assert_eq!(wanted("none", Purpose::Evaluation, &start()), Ok(None));
    assert_eq!(
        wanted("shipped", Purpose::Evaluation, &start()),
        Ok(Surakarta::settings().weights)
    );

    let mut larger = weights(0, 0);
    let numbers = [larger.model.numbers(), vec![0]].concat();
    let shape = Shape::with_numbers(numbers.len(), 0, 0).unwrap();
    larger.model = Model::new(shape, &numbers).unwrap();
    std::fs::write(&path, write::<Surakarta>(&larger, "")).unwrap();
    let fault = wanted(&name, Purpose::Evaluation, &start()).unwrap_err();
    assert!(
        fault.ends_with("is it another variant of the game?"),
        "{fault}"
    );
}
