//! Options of a command line whose values are words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Reads one of `all` by its `name`. Help and messages list the names, the help with what they are.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all
        .iter()
        .map(|&word| PossibleValue::new(name(word)).help(about(word)));
    let find = move |text: String| all.iter().copied().find(|&word| name(word) == text);
    PossibleValuesParser::new(values).map(move |text| find(text).expect("it is one of the values"))
}
