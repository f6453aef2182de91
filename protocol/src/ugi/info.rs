//! What an engine says of its search: `info` lines, and the scores in them.

use std::fmt;
use std::str::FromStr;

use engine_core::{ParseError, Score};

use super::{Words, field};

/// An engine's search report; all fields are optional.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Info {
    /// Completed depth, plies.
    pub depth: Option<u32>,
    /// Maximum ply reached.
    pub seldepth: Option<u32>,
    /// Which of several lines it is, from 1 for the best: from UCI.
    pub multipv: Option<u32>,
    /// Value for the side to move.
    pub score: Option<InfoScore>,
    /// On which side of `score` the value is, if the search has found no more: from UCI.
    pub bound: Option<Bound>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Time spent, ms.
    pub time: Option<u64>,
    /// Table usage, thousandths.
    pub hashfull: Option<u32>,
    /// Principal variation: turns and rolls.
    pub pv: Vec<String>,
    /// Free text, to the end of the line.
    pub string: Option<String>,
}

/// What a search that was cut off knows of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `lowerbound`: it is the score or more.
    Lower,
    /// `upperbound`: it is the score or less.
    Upper,
}

impl Bound {
    const ALL: [Bound; 2] = [Bound::Lower, Bound::Upper];

    fn word(self) -> &'static str {
        match self {
            Bound::Lower => "lowerbound",
            Bound::Upper => "upperbound",
        }
    }
}

/// A score in an `info` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfoScore {
    /// `cp X`: points of the game's evaluation.
    Points(i32),
    /// `win N`: a proven win in N plies.
    Win(u32),
    /// `loss N`: a proven loss in N plies.
    Loss(u32),
}

impl From<Score> for InfoScore {
    fn from(score: Score) -> InfoScore {
        match (score.plies_to_win(), score.plies_to_loss()) {
            (Some(plies), _) => InfoScore::Win(plies),
            (_, Some(plies)) => InfoScore::Loss(plies),
            _ => InfoScore::Points(score.value()),
        }
    }
}
pub(super) fn parse_info(words: &mut Words) -> Result<Info, ParseError> {
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = Some(words.number("a depth in plies")?),
            "seldepth" => info.seldepth = Some(words.number("a depth in plies")?),
            "multipv" => info.multipv = Some(words.number("the number of a line")?),
            "score" => {
                info.score = Some(parse_score(words)?);
                let next = words.peek();
                info.bound = Bound::ALL
                    .into_iter()
                    .find(|bound| next == Some(bound.word()));
            }
            "nodes" => info.nodes = Some(words.number("a number of nodes")?),
            "nps" => info.nps = Some(words.number("nodes per second")?),
            "time" => info.time = Some(words.millis()?),
            "hashfull" => info.hashfull = Some(words.number("thousandths")?),
            "pv" => info.pv = words.rest().split_whitespace().map(String::from).collect(),
            "string" => info.string = Some(words.rest().to_string()),
            // Unknown words are skipped: engines may send extensions.
            _ => {}
        }
    }
    Ok(info)
}

fn parse_score(words: &mut Words) -> Result<InfoScore, ParseError> {
    let word = words.next().unwrap_or("");
    match word {
        "cp" => words.number("points").map(InfoScore::Points),
        "win" => words.number("a number of plies").map(InfoScore::Win),
        "loss" => words.number("a number of plies").map(InfoScore::Loss),
        _ => Err(words.wrong(word, "cp, win or loss")),
    }
}

/// The words after `info`, each preceded by a blank.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        field(f, "score", self.score)?;
        if let Some(bound) = self.bound {
            write!(f, " {}", bound.word())?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "time", self.time)?;
        field(f, "hashfull", self.hashfull)?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        field(f, "string", self.string.as_ref())
    }
}

impl FromStr for InfoScore {
    type Err = ParseError;

    /// Reads exactly what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<InfoScore, ParseError> {
        let mut words = Words::new(text);
        let score = parse_score(&mut words)?;
        match words.next() {
            None => Ok(score),
            Some(word) => Err(words.wrong(word, "the end of a score")),
        }
    }
}

impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InfoScore::Points(points) => write!(f, "cp {points}"),
            InfoScore::Win(plies) => write!(f, "win {plies}"),
            InfoScore::Loss(plies) => write!(f, "loss {plies}"),
        }
    }
}
