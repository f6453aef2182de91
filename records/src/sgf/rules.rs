//! The rules that a file states: the size of the board in `SZ`, the variant in `RU`.

use super::tree::Property;
use crate::recorded::on_board;
use crate::{Fault, Recorded, folded};

/// The rules of a record.
pub(super) struct Rules<V> {
    /// The variant.
    pub(super) variant: V,
    /// Whether nobody has stated rules, so that others may be tried.
    pub(super) may_relax: bool,
}

impl<V: Default + Clone + PartialEq> Rules<V> {
    /// The rules that the user asked for.
    pub(super) fn of_user(variant: &V) -> Rules<V> {
        Rules {
            variant: variant.clone(),
            may_relax: *variant == V::default(),
        }
    }
}

/// The rules of a record; `variant` is what it does not state.
///
/// # Errors
/// A board or rules that the game does not have.
pub(super) fn of<G: Recorded>(
    properties: &[Property<'_>],
    variant: &G::Variant,
) -> Result<Rules<G::Variant>, Fault> {
    let mut rules = Rules::of_user(variant);
    let find = |id: &str| properties.iter().find(|property| property.id == id);
    if let Some(size) = find("SZ") {
        rules.variant = sized::<G>(size, variant)?;
    }
    let stated = find("RU").filter(|property| !property.value.text.trim().is_empty());
    if let Some(stated) = stated {
        match G::by_rules(&rules.variant, &folded(stated.value.text)) {
            None => {}
            Some(Ok(variant)) => {
                rules.may_relax = false;
                rules.variant = variant;
            }
            // The user knows better.
            Some(Err(_)) if !rules.may_relax => {}
            Some(Err(expected)) => return Err(stated.value.fault(expected)),
        }
    }
    Ok(rules)
}

/// The variant with the board size of the game.
fn sized<G: Recorded>(size: &Property<'_>, variant: &G::Variant) -> Result<G::Variant, Fault> {
    let text = folded(size.value.text);
    let (columns, rows) = text.split_once(':').unwrap_or((&text, &text));
    if columns != rows {
        let message =
            "a square board: boards with more rows than columns, or fewer, are not played";
        return Err(size.value.fault(message));
    }
    let number = columns.parse().ok();
    let sized = number.and_then(|number| on_board::<G>(variant, number));
    sized.ok_or_else(|| {
        size.value
            .fault("the size of a board that the game is played on")
    })
}
