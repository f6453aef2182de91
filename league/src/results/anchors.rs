//! Engines whose ratings are given.

use std::fmt;

use base::error::BadInput;

use crate::results::standings::Table;

/// An engine whose rating is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// Its name.
    pub name: String,
    /// Its rating, Elo.
    pub rating: f64,
}

impl Anchor {
    /// The anchors of a command line, each as `NAME=ELO`; a single one may be `NAME`, whose rating is
    /// 0. They are engines of a table; names may have `=` in them.
    ///
    /// # Errors
    /// A name that no engine has, a rating that is no number, an engine named twice, and one of several
    /// without a rating.
    pub fn parse_all(texts: &[String], table: &Table) -> Result<Vec<Anchor>, BadInput> {
        let is_known = |name: &str| table.row(name).is_some();
        let mut anchors: Vec<Anchor> = Vec::new();
        for text in texts {
            let (name, rating) = match text.rsplit_once('=') {
                _ if is_known(text) => (text.as_str(), None),
                Some((name, rating)) => (name, Some(rating)),
                None => (text.as_str(), None),
            };
            if !is_known(name) {
                let known = table.ranked();
                let known: Vec<_> = known.iter().map(|row| &*row.name).collect();
                return Err(BadInput(format!(
                    "--anchor {text}: not in these games, expected one of {}",
                    known.join(", ")
                )));
            }
            if anchors.iter().any(|anchor| anchor.name == name) {
                return Err(BadInput(format!(
                    "--anchor {text}: {name} has a rating already"
                )));
            }
            let rating = match rating {
                Some(number) => number
                    .parse()
                    .ok()
                    .filter(|rating: &f64| rating.abs() < 1e5),
                None if texts.len() == 1 => Some(0.0),
                None => {
                    return Err(BadInput(format!(
                        "--anchor {text}: each of several anchors needs a rating, as in {name}=2000"
                    )));
                }
            };
            let Some(rating) = rating else {
                return Err(BadInput(format!(
                    "--anchor {text}: the rating must be a number between -100000 and 100000"
                )));
            };
            let name = name.to_owned();
            anchors.push(Anchor { name, rating });
        }
        Ok(anchors)
    }
}

/// `pvs = 2000`.
impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.rating)
    }
}

#[cfg(test)]
mod tests {
    use gamelog::record::GameResult::First;
    use gamelog::record::Reason;
    use gamelog::record::sample::game;

    use super::*;
    use crate::results::standings::Standings;

    fn parsed(texts: &[&str]) -> Result<Vec<String>, String> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let games = [("pvs", "mcts"), ("a=1", "pvs")];
        let games = games.map(|(one, other)| game("hex", one, other, First, Reason::Rules));
        match Anchor::parse_all(&texts, &Standings::of(&games).all) {
            Ok(anchors) => Ok(anchors.iter().map(Anchor::to_string).collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn one_anchor_is_nought_and_several_have_ratings() {
        let some = |texts: &[&str]| Ok(texts.iter().map(|text| (*text).to_owned()).collect());
        assert_eq!(parsed(&[]), Ok(Vec::new()));
        assert_eq!(parsed(&["pvs"]), some(&["pvs = 0"]));
        assert_eq!(parsed(&["a=1"]), some(&["a=1 = 0"]));
        assert_eq!(
            parsed(&["pvs=2000", "mcts=-12.5", "a=1=1500"]),
            some(&["pvs = 2000", "mcts = -12.5", "a=1 = 1500"])
        );
        for (texts, expected) in [
            (&["rapfi"][..], "expected one of a=1, pvs, mcts"),
            (&["rapfi=3"], "expected one of a=1, pvs, mcts"),
            (&["pvs=strong"], "must be a number"),
            (&["pvs=NaN"], "must be a number"),
            (&["pvs=1e9"], "must be a number"),
            (&["pvs=1", "pvs=2"], "has a rating already"),
            (&["pvs=1", "mcts"], "as in mcts=2000"),
            (&["pvs", "mcts"], "as in pvs=2000"),
        ] {
            let message = parsed(texts).expect_err("no anchors");
            assert!(message.contains(expected), "{message}");
        }
    }
}
