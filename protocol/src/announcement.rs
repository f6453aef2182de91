//! What a protocol says of a game before its first turn.

/// Separates actions that a protocol exchanges one at a time.
pub const BETWEEN_ACTIONS: char = ';';

/// What a protocol announces before the first turn of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Announcement {
    /// Board size as the argument of the protocol's command: `11 11` for GTP's `boardsize`. Empty
    /// if the protocol does not announce it.
    pub board: String,
    /// Number of the rules in Gomocup's `INFO rule`, if the game has several.
    pub rule: Option<u32>,
    /// Names of a turn's numbers in Botzone's JSON: `x0`, `y0`, …
    pub names: &'static [&'static str],
    /// Names and values that are added to Botzone's first request to `First`.
    pub forced: Vec<(&'static str, i64)>,
    /// Whether Botzone exchanges single actions: if the turn continues after an action, the
    /// opponent passes first.
    pub passes: bool,
}
