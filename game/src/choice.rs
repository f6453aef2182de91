//! The words that a key of a variant takes, for forms.

/// A key of a variant whose value is one of some words.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The key: `opening`.
    pub key: &'static str,
    /// The words, and what each means to a player: `("free", "Anywhere, no swap")`. A key may take
    /// other values, too, which forms do not offer.
    pub words: &'static [(&'static str, &'static str)],
}
