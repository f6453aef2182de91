//! Tables that hold for all games, with tables in them that hold for one: `[clock]`, `[clock.hex]`.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::check_game;
use super::source::Source;
use crate::error::BadInput;

/// A table of the file with its place in it.
pub(super) type Table<'t> = Spanned<DeTable<'t>>;

/// A table, taken apart.
#[derive(Clone)]
pub(super) struct Tables<'t> {
    /// What holds for all games; `None` if it has no keys of its own.
    pub(super) common: Option<Table<'t>>,
    /// What holds for a game, by its id.
    pub(super) special: BTreeMap<String, Table<'t>>,
}

impl<'t> Tables<'t> {
    /// The table of this name, if there is one. What in it is a table belongs to a game, but for
    /// its `own` keys.
    pub(super) fn read(
        source: &Source<'t>,
        name: &str,
        own: &[&str],
    ) -> Result<Option<Tables<'t>>, BadInput> {
        let Some(table) = source.table(&[name.into()]) else {
            return Ok(None);
        };
        let span = table.span();
        let mut common = DeTable::new();
        let mut special = BTreeMap::new();
        for (key, value) in table.into_inner() {
            let (id, span) = (key.get_ref().to_string(), value.span());
            match value.into_inner() {
                DeValue::Table(table) if !own.contains(&&*id) => {
                    check_game(source, &[name.into(), id.as_str().into()], &id)?;
                    special.insert(id, Spanned::new(span, table));
                }
                value => drop(common.insert(key, Spanned::new(span, value))),
            }
        }
        let common = (!common.is_empty()).then(|| Spanned::new(span, common));
        Ok(Some(Tables { common, special }))
    }
}
