//! The conformance suite, for every kind of variant.

use engine_core::conformance;
use surakarta::{Surakarta, Variant};

fn check(quiet_limit: u32, repetition: bool) {
    let variant = Variant {
        quiet_limit,
        repetition,
    };
    conformance(&Surakarta::new(variant), 6, u64::from(quiet_limit));
}

#[test]
fn by_the_contest_rules() {
    check(100, true);
}

#[test]
fn with_a_quiet_limit_within_reach() {
    check(7, true);
}

#[test]
fn without_a_quiet_limit() {
    check(0, true);
}

#[test]
fn without_repetition() {
    check(40, false);
}

#[test]
fn without_either() {
    check(0, false);
}
