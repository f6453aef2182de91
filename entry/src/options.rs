//! Options of a built-in engine: the same on the command line, in `setoption` and in league files.
//!
//! An option is declared once, below `options!`: its name, type, default, values and what it is. The
//! command line, UGI, league files, and the table of configs/README.md follow from that.

mod value;

use clap::builder::TypedValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use engine_core::Algorithm;
use game::Searched;
use protocol::Protocol;
use protocol::ugi::{OptionKind, OptionLine};
use serde_json::Value;

use self::value::OptionValue;
use crate::files::{FileOption, WORDS};
use crate::parameters::Assignment;
use crate::weights::Purpose;
use crate::words::one_of;

pub use self::value::parse_variant;

/// Declares the fields of [`Options`], their defaults, and [`Options::DECLARED`].
macro_rules! options {
    ($($(#[doc = $about:literal])+ $field:ident: $type:ty = $default:expr, $kind:expr, $place:expr;)+) => {
        /// How a built-in engine plays.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Options {
            $($(#[doc = $about])+ pub $field: $type,)+
        }

        impl Default for Options {
            fn default() -> Options {
                Options { $($field: $default,)+ }
            }
        }

        impl Options {
            /// All options, in the order of the help.
            pub const DECLARED: &[Declared] = &[$(Declared {
                name: stringify!($field),
                about: concat!($($about),+),
                kind: $kind,
                place: $place,
                write: |options| options.$field.write(),
                read: |options, text| {
                    options.$field = OptionValue::read(text)?;
                    Ok(())
                },
            }),+];
        }
    };
}

options! {
    /// Protocol on standard input and output.
    protocol: Protocol = Protocol::Ugi, Kind::Protocol, Place::CommandLine;

    /// Search algorithm.
    algorithm: Algorithm = Algorithm::default(), Kind::Algorithm, Place::Everywhere;

    /// Memory of the table or tree, MiB; at most 16 for a Botzone bot without --keep-running.
    table_mb: u64 = 64, Kind::number(0, 1 << 20), Place::Everywhere;

    /// Search threads.
    threads: u64 = 1, Kind::number(1, 1024), Place::Everywhere;

    /// Random seed; with one thread, equal searches give equal results.
    seed: u64 = 1, Kind::number(0, u64::MAX), Place::Everywhere;

    /// Time reserved on every turn for delays that the engine cannot measure, ms.
    move_overhead: u64 = 5, Kind::number(0, 60_000), Place::Everywhere;

    /// Let time pass by nodes or playouts, so many a second, instead of the clock; 0 for the clock.
    nodes_per_second: u64 = 0, Kind::number(0, u32::MAX as u64), Place::Everywhere;

    /// Time per turn if the protocol sends no clock, ms.
    move_time: u64 = 1000, Kind::number(1, u32::MAX as u64), Place::CommandLine;

    /// Botzone: keep running and wait for the next request.
    keep_running: bool = false, Kind::Switch, Place::CommandLine;

    /// Search during the opponent's turn.
    ponder: bool = false, Kind::Switch, Place::Everywhere;

    /// Weakens the engine: how many of 100 actions are random instead of searched.
    noise: u64 = 0, Kind::Number { min: 0, max: 100, unit: "PERCENT" }, Place::Everywhere;

    /// Learned weights of the evaluation: shipped, none, or a file that `referee learn` wrote.
    weights: String = SHIPPED.to_owned(), Kind::File, Place::Everywhere;

    /// Learned policy, which says which moves are worth a search: shipped, none, or a file that
    /// `referee learn` wrote.
    policy: String = SHIPPED.to_owned(), Kind::File, Place::Everywhere;

    /// Network that evaluates positions and moves for mcts: shipped, none, or a file.
    network: String = SHIPPED.to_owned(), Kind::File, Place::Everywhere;

    /// Opening book: shipped, which only the game's best search plays from, none, or a file of
    /// `referee book` for the game and variant.
    book: String = SHIPPED.to_owned(), Kind::File, Place::Everywhere;

    /// Set a parameter of the search or the evaluation; may be repeated.
    parameters: Vec<Assignment> = Vec::new(), Kind::Parameters, Place::Everywhere;

    /// The variant of the game, as a TOML or JSON table, e.g. '{ size = 9 }'.
    variant: Value = Value::Object(serde_json::Map::new()), Kind::Variant, Place::CommandLine;
}

/// The value of the options that name files by which the game's own are used.
const SHIPPED: &str = WORDS[0];

/// Where an option can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the command line, by protocols and in league files.
    Everywhere,
    /// On the command line alone. Protocols have their own words for a variant, and for a time.
    CommandLine,
}

/// The values of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A protocol, by its name.
    Protocol,
    /// An algorithm, by its name.
    Algorithm,
    /// A number.
    Number {
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
        /// What is counted, for a help; empty for the option's name.
        unit: &'static str,
    },
    /// On or off.
    Switch,
    /// A file, or a word of [`WORDS`].
    File,
    /// Assignments to named parameters: on the command line one by one, `--set NAME=VALUE`.
    Parameters,
    /// A table of a game's rules.
    Variant,
}

impl Kind {
    const fn number(min: u64, max: u64) -> Kind {
        Kind::Number { min, max, unit: "" }
    }
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The name in UGI and league files: `table_mb`.
    pub name: &'static str,
    about: &'static str,
    /// Its values.
    pub kind: Kind,
    /// Where it can be set.
    pub place: Place,
    write: fn(&Options) -> String,
    read: fn(&mut Options, &str) -> Result<(), String>,
}

impl Declared {
    /// What it is, in a sentence without a full stop.
    pub fn about(&self) -> &'static str {
        let about = self.about.trim();
        about.strip_suffix('.').unwrap_or(about)
    }

    /// The option on the command line; its values are texts that [`Declared::read`] accepts.
    fn argument(&self, default: String) -> Arg {
        let flag = match self.kind {
            Kind::Parameters => "set".to_owned(),
            _ => self.name.replace('_', "-"),
        };
        let argument = Arg::new(self.name).long(flag).help(self.about());
        let argument = argument.value_name(self.name.to_uppercase());
        let with_default = |argument: Arg| argument.default_value(default);
        match self.kind {
            Kind::Protocol => {
                let known = one_of(&Protocol::ALL, Protocol::name, Protocol::about);
                let parser = known.map(|protocol| protocol.name().to_owned());
                with_default(argument.value_parser(parser))
            }
            Kind::Algorithm => {
                let parser =
                    |text: &str| Algorithm::find(text).map(|found| found.name().to_owned());
                with_default(argument.value_parser(parser).help(algorithms()))
            }
            Kind::Number { min, max, unit } => {
                let parser = clap::value_parser!(u64).range(min..=max);
                let parser = parser.map(|number| number.to_string());
                let argument = match unit {
                    "" => argument,
                    unit => argument.value_name(unit),
                };
                with_default(argument.value_parser(parser))
            }
            Kind::Switch => argument.action(ArgAction::SetTrue),
            Kind::File => with_default(argument.value_name("FILE")),
            Kind::Parameters => {
                let parser = |text: &str| text.parse().map(|read: Assignment| read.to_string());
                let argument = argument.value_name("NAME=VALUE").value_parser(parser);
                argument.action(ArgAction::Append)
            }
            Kind::Variant => {
                let parser = |text: &str| parse_variant(text).map(|_| text.to_owned());
                with_default(argument.value_parser(parser))
            }
        }
    }

    /// Its value on a command line.
    fn given(&self, matches: &ArgMatches) -> String {
        match self.kind {
            Kind::Switch => matches.get_flag(self.name).to_string(),
            _ => {
                let given = matches.get_many::<String>(self.name).unwrap_or_default();
                let given: Vec<&str> = given.map(String::as_str).collect();
                given.join(" ")
            }
        }
    }

    /// The option in a table of a document.
    #[cfg(test)]
    fn row(&self) -> String {
        let values = match self.kind {
            Kind::Number {
                min, max: u64::MAX, ..
            } => format!("{min} or more"),
            Kind::Number { min, max, .. } => format!("{min} to {max}"),
            Kind::Switch => "`true`, `false`".to_owned(),
            Kind::File => "`shipped`, `none`, a file".to_owned(),
            Kind::Parameters => "`\"NAME=VALUE …\"`".to_owned(),
            Kind::Protocol | Kind::Algorithm => "a name".to_owned(),
            Kind::Variant => "a table".to_owned(),
        };
        let default = match (self.write)(&Options::default()) {
            none if none.is_empty() => "none".to_owned(),
            default => format!("`{default}`"),
        };
        format!(
            "| `{}` | {values} | {default} | {} |\n",
            self.name,
            self.about()
        )
    }

    /// The option in UGI, with this value as its default.
    fn line(&self, default: String) -> OptionKind {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        match self.kind {
            Kind::Number { min, max, .. } => OptionKind::Spin {
                default: number(default.parse().unwrap_or(min)),
                min: number(min),
                max: number(max),
            },
            Kind::Switch => OptionKind::Check {
                default: default == "true",
            },
            Kind::Algorithm => {
                let vars = Algorithm::ALL.iter().map(|known| known.name.to_owned());
                let vars = vars.collect();
                OptionKind::Combo { default, vars }
            }
            Kind::Protocol | Kind::File | Kind::Parameters | Kind::Variant => {
                OptionKind::String { default }
            }
        }
    }

    /// Sets the option.
    fn set(&self, options: &mut Options, value: &str) -> Result<(), String> {
        if let Kind::Number { min, max, .. } = self.kind {
            let number = value.parse().ok();
            if !number.is_some_and(|number| (min..=max).contains(&number)) {
                let name = self.name;
                return Err(format!(
                    "{name} takes a number from {min} to {max}, not {value:?}"
                ));
            }
        }
        (self.read)(options, value).map_err(|error| match self.kind {
            Kind::Switch => format!("{} {error}", self.name),
            _ => error,
        })
    }
}

/// Help text of `--algorithm`.
fn algorithms() -> String {
    let names: Vec<&str> = Algorithm::ALL.iter().map(|known| known.name).collect();
    format!("Search algorithm: one of {}", names.join(", "))
}

impl Args for Options {
    fn augment_args(command: clap::Command) -> clap::Command {
        let defaults = Options::default();
        let arguments = Options::DECLARED.iter();
        command.args(arguments.map(|option| option.argument((option.write)(&defaults))))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Options::augment_args(command)
    }
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Options, clap::Error> {
        let mut options = Options::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for option in Options::DECLARED {
            option.set(self, &option.given(matches)).map_err(|error| {
                clap::Error::raw(clap::error::ErrorKind::ValueValidation, error)
            })?;
        }
        Ok(())
    }
}

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

impl Options {
    /// Whether the game's best search plays. It opens as the game does; the others show what they find
    /// themselves.
    pub fn plays_best<G: Searched>(&self) -> bool {
        let settings = G::settings();
        settings.resolve(self.algorithm) == settings.best
    }

    /// The value of an option that names a file, or a word.
    pub fn file(&self, option: FileOption) -> &str {
        match option {
            FileOption::Weights(Purpose::Evaluation) => &self.weights,
            FileOption::Weights(Purpose::Policy) => &self.policy,
            FileOption::Network => &self.network,
            FileOption::Book => &self.book,
        }
    }

    /// The UGI `option` lines, with the current values as defaults.
    pub fn declare(&self, game: &str) -> Vec<OptionLine> {
        let game = OptionKind::Combo {
            default: game.into(),
            vars: vec![game.into()],
        };
        let variant = OptionKind::String {
            default: self.variant.to_string(),
        };
        let own = [("Game", game), ("Variant", variant)];
        let sent = sent().map(|option| (option.name, option.line((option.write)(self))));
        own.into_iter()
            .chain(sent)
            .map(|(name, kind)| OptionLine {
                name: name.into(),
                kind,
            })
            .collect()
    }

    /// Sets an option by name, ignoring case. The caller checks the parameters, which depend on the
    /// game, and handles `Game` and `Variant`.
    ///
    /// # Errors
    /// An unknown option or an invalid value; nothing is changed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match sent().find(|option| option.name.eq_ignore_ascii_case(name)) {
            Some(option) => option.set(self, value),
            None => {
                let known: Vec<&str> = sent().map(|option| option.name).collect();
                let known = known.join(", ");
                Err(format!("unknown option {name:?}, expected one of {known}"))
            }
        }
    }
}

/// The options that protocols and league files set.
fn sent() -> impl Iterator<Item = &'static Declared> {
    let is_sent = |option: &&Declared| option.place == Place::Everywhere;
    Options::DECLARED.iter().filter(is_sent)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser, Debug)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    /// The options with which an engine starts without any.
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
    fn a_command_line_sets_every_option() {
        assert_eq!(defaults(), Options::default());
        let words = "engine --protocol gtp --algorithm mcts --table-mb 1 --threads 2 --seed \
                     18446744073709551615 --move-overhead 3 --nodes-per-second 9 --move-time 4 --keep-running --ponder \
                     --noise 5 --weights a --policy b --network none --book c --set x=1 --set y=2";
        let mut words: Vec<&str> = words.split_whitespace().collect();
        words.extend(["--variant", "{ size = 9 }"]);
        let Line { options } = Line::parse_from(words);
        let mut unchanged = Options::DECLARED.iter();
        let unchanged =
            unchanged.find(|known| (known.write)(&options) == (known.write)(&defaults()));
        assert!(unchanged.is_none(), "{unchanged:?}");
        assert_eq!((options.seed, options.noise), (u64::MAX, 5));
        assert_eq!(options.variant, serde_json::json!({ "size": 9 }));
        assert_eq!(OptionValue::write(&options.parameters), "x=1 y=2");
    }

    /// `RENEW_DOCS=1` writes the table anew.
    #[test]
    fn the_document_of_league_files_lists_the_options() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/README.md");
        let text = std::fs::read_to_string(path).unwrap();
        let head = "| option | values | default | what it is |\n|---|---|---|---|\n";
        let begin = text.find(head).expect("the table") + head.len();
        let end = begin + text[begin..].find("\n\n").expect("its end") + 1;
        // League files name the algorithm elsewhere.
        let rows = sent().filter(|option| option.kind != Kind::Algorithm);
        let rows: String = rows.map(Declared::row).collect();
        if std::env::var_os("RENEW_DOCS").is_some() {
            std::fs::write(path, text[..begin].to_owned() + &rows + &text[end..]).unwrap();
        } else {
            assert_eq!(
                &text[begin..end],
                rows,
                "RENEW_DOCS=1 writes configs/README.md anew"
            );
        }
    }

    #[test]
    fn what_is_declared_is_in_help_and_in_ugi() {
        let mut command = Options::augment_args(clap::Command::new("engine"));
        let help = command.render_long_help().to_string();
        let lines = Options::default().declare("hex");
        for option in Options::DECLARED {
            let first: Vec<&str> = option.about().split(' ').take(3).collect();
            assert!(help.contains(&first.join(" ")), "{option:?}: {help}");
            let is_told = lines.iter().any(|line| line.name == option.name);
            assert_eq!(is_told, option.place == Place::Everywhere, "{option:?}");
        }
    }
}
