//! Tables for all games with subtables for single games: `[clock]`, `[clock.hex]`.

use std::collections::BTreeMap;

use base::error::BadInput;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::check_game;
use super::source::Source;

/// A table of the file and its span.
pub(super) type Table<'t> = Spanned<DeTable<'t>>;

/// A table, split into common keys and subtables of games.
#[derive(Clone)]
pub(super) struct Tables<'t> {
    /// The keys for all games; `None` if there are none.
    pub(super) common: Option<Table<'t>>,
    /// The subtables by game id.
    pub(super) special: BTreeMap<String, Table<'t>>,
}

impl<'t> Tables<'t> {
    /// Reads the table of this name, if it exists. Every subtable belongs to a game, except the
    /// `reserved` keys.
    pub(super) fn read(
        source: &Source<'t>,
        name: &str,
        reserved: &[&str],
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
                DeValue::Table(table) if !reserved.contains(&&*id) => {
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
