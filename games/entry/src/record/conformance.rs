//! What the tests of every game's contest records have in common. They panic where a game fails.

use super::{Format, Reading, Record, Recorded, read};

/// The contest records of a text.
///
/// # Panics
/// The default variant is none.
pub fn readings<G: Recorded>(text: &str) -> Vec<Reading<G>> {
    let mut readings = Vec::new();
    let take = |reading| readings.push(reading);
    read(Format::Contest, &Default::default(), text, take).expect("a variant");
    readings
}

/// The one contest record of a text.
///
/// # Panics
/// The text has none, several, or a faulty one.
#[track_caller]
pub fn faultless<G: Recorded>(text: &str) -> Record<G> {
    let mut readings = readings::<G>(text);
    assert_eq!(readings.len(), 1, "{text}");
    let reading = readings.remove(0).faultless();
    reading.unwrap_or_else(|fault| panic!("{fault} in {text}"))
}

/// Checks what is wrong with a record in which `from` became `to`.
///
/// # Panics
/// Nothing is wrong, or something else.
#[track_caller]
pub fn check_fault<G: Recorded>(record: &str, from: &str, to: &str, message: &str) {
    assert!(record.contains(from), "{from}");
    let text = record.replacen(from, to, 1);
    let fault = readings::<G>(&text)[0].fault.clone();
    assert_eq!(
        fault.map(|fault| fault.to_string()).as_deref(),
        Some(message)
    );
}

/// Checks that a faultless record is written as it was read, and that others beside a broken one,
/// in which `from` became `to`, are read all the same.
///
/// # Panics
/// It is not so.
#[track_caller]
pub fn check<G: Recorded>(record: &str, (from, to): (&str, &str)) {
    let written = G::write_contest(&faultless::<G>(record));
    assert_eq!(written.as_deref(), Ok(record));
    assert!(record.contains(from), "{from}");
    let broken = record.replacen(from, to, 1);
    let readings = readings::<G>(&format!("{record}{broken}\n{record}"));
    let faults: Vec<bool> = readings
        .iter()
        .map(|reading| reading.fault.is_some())
        .collect();
    assert_eq!(faults, [false, true, false]);
    assert_eq!(readings[2].line, 2 * record.lines().count() + 2);
}
