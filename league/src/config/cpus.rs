//! The key `cpus`: which CPU cores engines run on.

use std::collections::BTreeSet;
use std::fmt;

use engine_process::cores::available_cores;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

/// How CPU cores are assigned to engines.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Cpus {
    /// Cores of its own for each running game, where there are enough: an equal share of all.
    #[default]
    ByGame,
    /// Scheduled by the operating system.
    Any,
    /// One core for each engine of each running game, as long as there are enough.
    OnePerEngine,
    /// The same, of these cores only: numbers as the system counts them, from 0.
    Of(Vec<usize>),
}

impl Cpus {
    /// The cores of which each engine has one; `None` if engines have none of their own.
    pub fn cores(&self) -> Option<Vec<usize>> {
        match self {
            Cpus::ByGame | Cpus::Any => None,
            Cpus::OnePerEngine => Some(available_cores()),
            Cpus::Of(cores) => Some(cores.clone()),
        }
    }

    /// Checks that this machine has the cores, and enough of them for `games` games at a time,
    /// unless games may share them.
    ///
    /// # Errors
    /// What was found and what was expected.
    pub(super) fn check(&self, games: usize, share: bool) -> Result<(), String> {
        let Some(cores) = self.cores() else {
            return Ok(());
        };
        let there = available_cores();
        if let Some(core) = cores.iter().find(|core| !there.contains(core)) {
            let there: Vec<String> = there.iter().map(usize::to_string).collect();
            let there = there.join(", ");
            return Err(format!("core {core}, expected some of {there}"));
        }
        if share || 2 * games <= cores.len() {
            return Ok(());
        }
        let fewer = match cores.len() / 2 {
            0 => String::new(),
            most => format!("concurrency {most} or less, or "),
        };
        Err(format!(
            "one core per engine with concurrency {games} needs {} cores, found {}, expected \
             {fewer}share_cpus = true",
            2 * games,
            cores.len(),
        ))
    }
}

impl<'de> Deserialize<'de> for Cpus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cpus, D::Error> {
        deserializer.deserialize_any(Words)
    }
}

struct Words;

impl<'de> Visitor<'de> for Words {
    type Value = Cpus;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"by-game\", \"any\", \"one-per-engine\", or a list of cores such as [0, 2]")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Cpus, E> {
        match word {
            "by-game" => Ok(Cpus::ByGame),
            "any" => Ok(Cpus::Any),
            "one-per-engine" => Ok(Cpus::OnePerEngine),
            _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Cpus, A::Error> {
        let mut cores = Vec::new();
        while let Some(core) = list.next_element()? {
            cores.push(core);
        }
        if cores.is_empty() {
            return Err(de::Error::invalid_length(0, &self));
        }
        if cores.iter().collect::<BTreeSet<_>>().len() < cores.len() {
            return Err(de::Error::custom("a core twice, expected each once"));
        }
        Ok(Cpus::Of(cores))
    }
}
