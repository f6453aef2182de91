//! Options whose values are words of other crates.

use clap::builder::TypedValueParser;
use entry::words::one_of;
use gamelog::files::{Encoding, Form};
use lab::cluster::scheduler::Scheduler;
use league::report::sprt::Outcomes;
use league::report::{By, Format};
use protocol::Protocol;
use stats::sprt::Model;

/// A format of games.
pub(super) fn form() -> impl TypedValueParser<Value = Form> {
    one_of(&Form::ALL, Form::name, Form::about)
}

/// A text encoding.
pub(super) fn encoding() -> impl TypedValueParser<Value = Encoding> {
    one_of(&Encoding::ALL, Encoding::name, Encoding::about)
}

/// An output format of tables.
pub(super) fn table() -> impl TypedValueParser<Value = Format> {
    one_of(&Format::ALL, Format::name, Format::about)
}

/// A grouping of tables.
pub(super) fn by() -> impl TypedValueParser<Value = By> {
    one_of(&By::ALL, By::name, By::about)
}

/// What a test counts.
pub(super) fn outcomes() -> impl TypedValueParser<Value = Outcomes> {
    one_of(&Outcomes::ALL, Outcomes::name, Outcomes::about)
}

/// The unit of a test's hypotheses.
pub(super) fn model() -> impl TypedValueParser<Value = Model> {
    one_of(&Model::ALL, Model::name, Model::about)
}

/// A scheduler.
pub(super) fn scheduler() -> impl TypedValueParser<Value = Scheduler> {
    one_of(&Scheduler::ALL, Scheduler::name, Scheduler::about)
}

/// A protocol.
pub(super) fn protocol() -> impl TypedValueParser<Value = Protocol> {
    one_of(&Protocol::ALL, Protocol::name, Protocol::about)
}
