//! The options that name files: learned weights, a network, an opening book.

use crate::weights::Purpose;

/// The values of these options that are no files: the game's own, and none.
pub const WORDS: [&str; 2] = ["shipped", "none"];

/// An option that names a file, or one of [`WORDS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileOption {
    /// Learned weights.
    Weights(Purpose),
    /// A network.
    Network,
    /// An opening book; the empty text is none, too.
    Book,
}

impl FileOption {
    /// All of them.
    pub const ALL: [FileOption; 4] = [
        FileOption::Weights(Purpose::Evaluation),
        FileOption::Weights(Purpose::Policy),
        FileOption::Network,
        FileOption::Book,
    ];

    /// The option of this name, ignoring case.
    pub fn find(name: &str) -> Option<FileOption> {
        let mut all = FileOption::ALL.into_iter();
        all.find(|option| name.eq_ignore_ascii_case(option.name()))
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            FileOption::Weights(purpose) => purpose.option(),
            FileOption::Network => "network",
            FileOption::Book => "book",
        }
    }

    /// The file that a value names, if it names one.
    pub fn file(self, value: &str) -> Option<&str> {
        let is_word = WORDS.contains(&value) || self == FileOption::Book && value.is_empty();
        (!is_word).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_an_empty_book_are_no_files() {
        for option in FileOption::ALL {
            assert_eq!(
                FileOption::find(&option.name().to_uppercase()),
                Some(option)
            );
            assert_eq!(option.file("mine"), Some("mine"));
            for word in WORDS {
                assert_eq!(option.file(word), None);
            }
        }
        assert_eq!(FileOption::Book.file(""), None);
        assert_eq!(FileOption::Network.file(""), Some(""));
        assert_eq!(FileOption::find("seed"), None);
    }
}
