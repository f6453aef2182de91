//! Shared checks for the contest records of all games. They panic if a check fails.

use super::{Format, Reading, Record, Recorded, read};

/// The contest records in a text.
///
/// # Panics
/// The default variant is invalid.
pub fn readings<G: Recorded>(text: &str) -> Vec<Reading<G>> {
    let mut readings = Vec::new();
    let take = |reading| readings.push(reading);
    read(Format::Contest, &Default::default(), text, take).expect("a variant");
    readings
}

/// The single contest record in a text.
///
/// # Panics
/// The text has no record, several records, or a faulty one.
#[track_caller]
pub fn faultless<G: Recorded>(text: &str) -> Record<G> {
    let mut readings = readings::<G>(text);
    assert_eq!(readings.len(), 1, "{text}");
    let reading = readings.remove(0).faultless();
    reading.unwrap_or_else(|fault| panic!("{fault} in {text}"))
}

/// Checks the fault message of a record after `from` is replaced by `to`.
///
/// # Panics
/// There is no fault, or a different one.
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

/// Checks that a record without fault is written as it was read, and that a broken record (`from`
/// replaced by `to`) does not affect the records around it.
///
/// # Panics
/// A check fails.
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
