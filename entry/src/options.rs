//! Options of a built-in engine: the same on the command line and in `setoption`.

use std::path::Path;

use clap::Args;
use engine_core::Algorithm;
use game::Searched;
use protocol::Protocol;
use protocol::ugi::{OptionKind, OptionLine};
use serde_json::Value;

use crate::book::{BookError, OpenBook};
use crate::files::{FileOption, WORDS};
use crate::parameters::{self, Assignment};
use crate::weights::Purpose;

/// How a built-in engine plays.
#[derive(Args, Clone, Debug, PartialEq)]
pub struct Options {
    /// Protocol on standard input and output.
    #[arg(long, value_enum, default_value_t = Protocol::Ugi)]
    pub protocol: Protocol,

    /// Search algorithm.
    #[arg(long, default_value = Algorithm::default().name(), value_parser = Algorithm::find, help = algorithms())]
    pub algorithm: Algorithm,

    /// Memory of the table or tree, MiB; at most 16 for a Botzone bot without --keep-running.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=MAX_TABLE_MB))]
    pub table_mb: u32,

    /// Search threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS))]
    pub threads: u32,

    /// Random seed; with one thread, equal searches give equal results.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Time reserved on every turn for delays that the engine cannot measure, ms.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=MAX_OVERHEAD_MS))]
    pub move_overhead: u32,

    /// Time per turn if the protocol sends no clock, ms.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub move_time: u32,

    /// Botzone: keep running and wait for the next request.
    #[arg(long)]
    pub keep_running: bool,

    /// Search during the opponent's turn.
    #[arg(long)]
    pub ponder: bool,

    /// Weakens the engine: how many of 100 actions are random instead of searched.
    #[arg(long, default_value_t = 0, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=MAX_NOISE))]
    pub noise: u32,

    /// Learned weights of the evaluation: shipped, none, or a file that `referee learn` wrote.
    #[arg(long, default_value = "shipped", value_name = "FILE")]
    pub weights: String,

    /// Learned policy, which says which moves are worth a search: shipped, none, or a file that
    /// `referee learn` wrote.
    #[arg(long, default_value = "shipped", value_name = "FILE")]
    pub policy: String,

    /// Network that evaluates positions and moves for mcts: shipped, none, or a file.
    #[arg(long, default_value = "shipped", value_name = "FILE")]
    pub network: String,

    /// Opening book: shipped, which only the game's best search plays from, none, or a file of
    /// `referee book` for the game and variant.
    #[arg(long, default_value = "shipped", value_name = "FILE")]
    pub book: String,

    /// Set a parameter of the search or the evaluation; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub parameters: Vec<Assignment>,

    /// The variant of the game, as a TOML or JSON table, e.g. '{ size = 9 }'.
    #[arg(long, default_value = "{}", value_parser = parse_variant)]
    pub variant: Value,
}

/// Help text of `--algorithm`.
fn algorithms() -> String {
    let names: Vec<&str> = Algorithm::ALL.iter().map(|known| known.name).collect();
    format!("Search algorithm: one of {}", names.join(", "))
}

const MAX_TABLE_MB: i64 = 1 << 20;
const MAX_THREADS: i64 = 1024;
const MAX_OVERHEAD_MS: i64 = 60_000;
const MAX_NOISE: i64 = 100;

/// Checks that an algorithm supports `G`.
///
/// # Errors
/// A message with the algorithm, the game and the reason.
pub fn fits<G: Searched>(algorithm: Algorithm) -> Result<(), String> {
    let unfit = |reason| {
        format!(
            "{} does not fit {}, which {reason}",
            algorithm.name(),
            G::ID
        )
    };
    algorithm.fits::<G>().map_err(unfit)
}

/// Reads a variant: a JSON object or a TOML inline table.
///
/// # Errors
/// Text that is neither.
pub fn parse_variant(text: &str) -> Result<Value, String> {
    if let Ok(value @ Value::Object(_)) = serde_json::from_str(text) {
        return Ok(value);
    }
    let line = format!("variant = {text}");
    let mut table: toml::Table = toml::from_str(&line)
        .map_err(|_| format!("{text:?} is not a table such as {{ size = 9 }}"))?;
    match table.remove("variant") {
        Some(table @ toml::Value::Table(_)) if !text.contains('\n') => {
            serde_json::to_value(table).map_err(|error| error.to_string())
        }
        _ => Err(format!("{text:?} is not a table such as {{ size = 9 }}")),
    }
}

impl Options {
    /// Whether the game's best search plays. It opens as the game does; the others show what they find
    /// themselves.
    pub fn plays_best<G: Searched>(&self) -> bool {
        let settings = G::settings();
        settings.resolve(self.algorithm) == settings.best
    }

    /// Loads the book that the options name; `None` if they name none, or the shipped one and it is not
    /// for them.
    ///
    /// # Errors
    /// As for [`OpenBook::load`].
    pub fn open_book<G: Searched>(&self) -> Result<Option<OpenBook<G>>, BookError> {
        let [shipped, _] = WORDS;
        match FileOption::Book.file(&self.book) {
            Some(file) => OpenBook::load(Path::new(file), &self.variant).map(Some),
            None if self.book == shipped && self.plays_best::<G>() => {
                Ok(OpenBook::shipped(&self.variant))
            }
            None => Ok(None),
        }
    }

    /// The weights that the options name for a purpose: a file or a word.
    pub fn weights_for(&self, purpose: Purpose) -> &str {
        match purpose {
            Purpose::Evaluation => &self.weights,
            Purpose::Policy => &self.policy,
        }
    }

    /// The UGI `option` lines, with the current values as defaults.
    pub fn declare(&self, game: &str) -> Vec<OptionLine> {
        let spin = |default: i64, min, max| OptionKind::Spin { default, min, max };
        let names = Algorithm::ALL
            .iter()
            .map(|known| known.name.to_string())
            .collect();
        let algorithm = OptionKind::Combo {
            default: self.algorithm.name().into(),
            vars: names,
        };
        let game = OptionKind::Combo {
            default: game.into(),
            vars: vec![game.into()],
        };
        let overhead = spin(self.move_overhead.into(), 0, MAX_OVERHEAD_MS);
        [
            ("Game", game),
            (
                "Variant",
                OptionKind::String {
                    default: self.variant.to_string(),
                },
            ),
            ("algorithm", algorithm),
            ("table_mb", spin(self.table_mb.into(), 0, MAX_TABLE_MB)),
            ("threads", spin(self.threads.into(), 1, MAX_THREADS)),
            (
                "seed",
                spin(self.seed.min(i64::MAX as u64) as i64, 0, i64::MAX),
            ),
            ("move_overhead", overhead),
            (
                "ponder",
                OptionKind::Check {
                    default: self.ponder,
                },
            ),
            ("noise", spin(self.noise.into(), 0, MAX_NOISE)),
            (
                "weights",
                OptionKind::String {
                    default: self.weights.clone(),
                },
            ),
            (
                "policy",
                OptionKind::String {
                    default: self.policy.clone(),
                },
            ),
            (
                "network",
                OptionKind::String {
                    default: self.network.clone(),
                },
            ),
            (
                "book",
                OptionKind::String {
                    default: self.book.clone(),
                },
            ),
            (
                "parameters",
                OptionKind::String {
                    default: self.assignments(),
                },
            ),
        ]
        .map(|(name, kind)| OptionLine {
            name: name.into(),
            kind,
        })
        .to_vec()
    }

    /// The parameters that are set, as the value of an option.
    fn assignments(&self) -> String {
        let words: Vec<String> = self.parameters.iter().map(ToString::to_string).collect();
        words.join(" ")
    }

    /// Sets an option by name, ignoring case. The caller checks the parameters, which depend on the
    /// game, and handles `Game` and `Variant`.
    ///
    /// # Errors
    /// An unknown option or an invalid value; nothing is changed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name.to_ascii_lowercase().as_str() {
            "algorithm" => self.algorithm = Algorithm::find(value)?,
            "table_mb" => self.table_mb = number(name, value, 0, MAX_TABLE_MB)? as u32,
            "threads" => self.threads = number(name, value, 1, MAX_THREADS)? as u32,
            "seed" => self.seed = number(name, value, 0, i64::MAX)? as u64,
            "move_overhead" => self.move_overhead = number(name, value, 0, MAX_OVERHEAD_MS)? as u32,
            "ponder" => self.ponder = boolean(name, value)?,
            "noise" => self.noise = number(name, value, 0, MAX_NOISE)? as u32,
            "weights" => self.weights = value.into(),
            "policy" => self.policy = value.into(),
            "network" => self.network = value.into(),
            "book" => self.book = value.into(),
            "parameters" => self.parameters = parameters::parse_list(value)?,
            _ => {
                let known = "algorithm, table_mb, threads, seed, move_overhead, ponder, noise, \
                             weights, policy, network, book, parameters";
                return Err(format!("unknown option {name:?}, expected one of {known}"));
            }
        }
        Ok(())
    }
}

fn number(name: &str, value: &str, min: i64, max: i64) -> Result<i64, String> {
    let parsed = value
        .parse()
        .ok()
        .filter(|number| (min..=max).contains(number));
    parsed.ok_or_else(|| format!("{name} takes a number from {min} to {max}, not {value:?}"))
}

fn boolean(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name} takes true or false, not {value:?}")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn defaults() -> Options {
        Line::parse_from(["engine"]).options
    }

    #[test]
    fn every_declared_option_can_be_set_to_its_default() {
        let mut options = defaults();
        for OptionLine { name, kind } in options.declare("hex") {
            let default = match kind {
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } | OptionKind::String { default } => default,
                OptionKind::Check { default } => default.to_string(),
            };
            if name != "Game" && name != "Variant" {
                assert_eq!(options.set(&name, &default), Ok(()));
            }
        }
        assert_eq!(options, defaults());
    }

    #[test]
    fn wrong_values_change_nothing_and_say_what_is_right() {
        let mut options = defaults();
        for (name, value) in [
            ("threads", "0"),
            ("threads", "x"),
            ("algorithm", "a"),
            ("ponder", "yes"),
            ("noise", "101"),
            ("depth", "1"),
            ("parameters", "tree.exploration 0.5"),
        ] {
            assert!(options.set(name, value).is_err());
        }
        assert_eq!(options, defaults());
    }

    #[test]
    fn variants_are_read_as_toml_and_json() {
        assert_eq!(parse_variant("{ size = 9 }"), Ok(json!({ "size": 9 })));
        assert_eq!(parse_variant("{\"size\": 9}"), Ok(json!({ "size": 9 })));
        assert_eq!(parse_variant("{}"), Ok(json!({})));
        for text in ["", "9", "{", "[1]", "{ a = 1 }\nb = 2", "{ a = 1 } b"] {
            assert!(parse_variant(text).is_err(), "{text}");
        }
    }
}
