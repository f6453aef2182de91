//! A search of an engine or of the textbooks.

use engine_core::{Algorithm, Method};

use crate::Textbook;

/// A search that can be compared with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnySearch {
    /// An algorithm that engines play by.
    Engine(Algorithm),
    /// A search of the textbooks.
    Textbook(Textbook),
}

impl AnySearch {
    /// All searches, those of the textbooks last.
    pub fn all() -> impl Iterator<Item = AnySearch> {
        let engines = Algorithm::ALL.iter().map(|known| known.algorithm);
        let taught = Textbook::ALL.map(AnySearch::Textbook);
        engines.map(AnySearch::Engine).chain(taught)
    }

    /// Finds the search with this name.
    ///
    /// # Errors
    /// The name is unknown; the message lists the known names.
    pub fn find(name: &str) -> Result<AnySearch, String> {
        Self::all()
            .find(|known| known.name() == name)
            .ok_or_else(|| {
                let known: Vec<_> = Self::all().map(AnySearch::name).collect();
                format!("unknown algorithm {name:?}, known are {}", known.join(", "))
            })
    }

    /// Finds the algorithm of an engine with this name.
    ///
    /// # Errors
    /// The name is unknown, and the message lists the known names; or that of a search of the
    /// textbooks.
    pub fn engine(name: &str) -> Result<Algorithm, String> {
        match Self::find(name) {
            Ok(AnySearch::Textbook(_)) => Err(format!(
                "{name:?} is a search of the textbooks for `referee compare`, no engine plays by it"
            )),
            _ => Algorithm::find(name),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            AnySearch::Engine(algorithm) => algorithm.name(),
            AnySearch::Textbook(textbook) => textbook.name(),
        }
    }

    /// Whether it searches to depth 1, 2, 3, …
    pub fn deepens(self) -> bool {
        match self {
            AnySearch::Engine(algorithm) => algorithm.deepens(),
            AnySearch::Textbook(_) => true,
        }
    }

    /// Whether its values at a depth equal those of minimax.
    pub fn is_exact(self) -> bool {
        self.deepens() && self != AnySearch::Engine(Algorithm::Deepening(Method::Selective))
    }

    /// Whether it searches to a depth with a transposition table.
    pub fn has_table(self) -> bool {
        match self {
            AnySearch::Engine(algorithm) => algorithm.deepens(),
            AnySearch::Textbook(textbook) => textbook.has_table(),
        }
    }
}

impl From<Algorithm> for AnySearch {
    fn from(algorithm: Algorithm) -> AnySearch {
        AnySearch::Engine(algorithm)
    }
}

impl From<Textbook> for AnySearch {
    fn from(textbook: Textbook) -> AnySearch {
        AnySearch::Textbook(textbook)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_own_search() {
        for known in AnySearch::all() {
            assert_eq!(AnySearch::find(known.name()), Ok(known));
        }
        let message = AnySearch::find("alphago").unwrap_err();
        assert!(message.contains("\"alphago\"") && message.contains("known are best, pvs, "));
        assert!(message.ends_with("bisection"));
        assert_eq!(AnySearch::engine("pvs"), Algorithm::find("pvs"));
        assert_eq!(AnySearch::engine("alphago"), Algorithm::find("alphago"));
        let message = AnySearch::engine("negamax").unwrap_err();
        assert!(message.starts_with("\"negamax\" is a search of the textbooks"));
    }
}
