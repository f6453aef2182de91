//! What a table says of the ratings that were given.

use stats::Figure;

use super::signed;
use crate::results::anchors::Anchor;
use crate::results::standings::{Table, places};

/// Notes above a table: the ratings that were given, and those of them that its games contradict.
pub(super) fn notes(table: &Table, anchors: &[Anchor]) -> Vec<String> {
    let mut here = anchors
        .iter()
        .filter(|anchor| table.row(&anchor.name).is_some());
    let Some(first) = here.next() else {
        let none = "None of the given ratings is of an engine here: the mean of all is 0.";
        return (!anchors.is_empty())
            .then(|| none.to_owned())
            .into_iter()
            .collect();
    };
    let others: Vec<&Anchor> = here.collect();
    if others.is_empty() && first.rating == 0.0 {
        return Vec::new();
    }
    let all = [first].into_iter().chain(others.iter().copied());
    let all: Vec<String> = all.map(Anchor::to_string).collect();
    let mut notes = vec![format!("Given ratings: {}.", all.join(", "))];
    let rows = table.ranked();
    let places = places(&rows);
    let alone = table.ratings(std::slice::from_ref(first));
    for other in others {
        let found = alone.players[places[&*other.name]];
        notes.extend(found.and_then(|found| contradiction(first, other, found)));
    }
    notes
}

/// That a given rating lies outside of the error bar which the games give, if one rating is right.
fn contradiction(first: &Anchor, other: &Anchor, found: Figure) -> Option<String> {
    let is_within = match found {
        Figure::Above(bound) => other.rating > bound,
        Figure::Below(bound) => other.rating < bound,
        Figure::Estimate(found) => (other.rating - found.value).abs() <= found.error,
    };
    let [name, given, zero] = [
        &other.name,
        &signed(other.rating - first.rating),
        &first.name,
    ];
    let found = super::in_words(Some(found.plus(-first.rating)));
    (!is_within).then(|| {
        format!(
            "The games contradict what is given: {name} should be {given} relative to {zero}, and is {found} \
             by the games."
        )
    })
}
