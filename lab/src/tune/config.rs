//! Tuning files: TOML in, a checked [`Tuning`] out. `configs/tune/README.md` describes every key.
//!
//! What a tuning file shares with leagues (openings, variants, clocks) is checked as the league that
//! the closing test is.

mod raw;

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::digest::Digest;
use base::error::BadInput;
use base::input;
use catalog::AnyGame;
use engine_core::Algorithm;
use engine_core::parameter::{Kind, Parameter};
use entry::parameters::{Assignment, find};
use league::config::{Config, Override};
use learning::spsa::{Dimension, Spsa};
use stats::sprt::Test;
use task::clock::ClockSpec;
use toml::{Spanned, Table, Value};

use raw::{File, Raw, RawMethod, RawParameter, RawSprt, RawSpsa, RawTexel};

/// The names of the two engines of the closing test.
pub const NEW: &str = "new";
/// The engine with the values at the start.
pub const OLD: &str = "old";

/// A checked tuning file.
pub struct Tuning {
    /// Its name, also that of its folder.
    pub name: String,
    /// The game.
    pub rules: &'static dyn AnyGame,
    /// The algorithm of the engine.
    pub algorithm: Algorithm,
    /// Memory of the table or tree of each player, MiB.
    pub table_mb: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Number of games at a time; it changes no result under limits of nodes or depth.
    pub concurrency: usize,
    /// The parameters to tune.
    pub parameters: Vec<Tuned>,
    /// How they are tuned.
    pub method: Method,
    /// The closing test.
    pub test: Test,
    /// Most pairs of games of the closing test; 0 for no test.
    pub rounds: u32,
    /// The game of the league that the closing test is, as it is without values.
    pub league: Config,
    /// Limits of the searches of SPSA.
    pub limits: SearchLimits,
    path: PathBuf,
    /// The keys of that league.
    keys: Vec<Override>,
}

/// A parameter to tune.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The parameter of the engine.
    pub parameter: Parameter,
    /// Its start and its range, and how SPSA tries it.
    pub dimension: Dimension,
}

/// A method and its keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// SPSA.
    Spsa {
        /// Number of iterations.
        iterations: u64,
        /// Pairs of games of each iteration.
        pairs: u64,
    },
    /// Texel's method.
    Texel {
        /// The logs, files or folders.
        logs: Vec<PathBuf>,
        /// Turns and rolls at the start of a game after which no position counts.
        skip: usize,
        /// The share of the games that only validate.
        validation: f64,
        /// The penalty for leaving the start.
        regularisation: f64,
    },
}

/// The limits of each search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchLimits {
    /// Depth, plies.
    pub depth: Option<u32>,
    /// Nodes or playouts.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
}

/// The share of its range by which a parameter is perturbed at the end, if the file does not say.
const C_SHARE: f64 = 0.05;

/// The learning rate at the end, if the file does not say: that of fishtest.
const R_END: f64 = 0.002;

/// Most iterations, and most pairs of an iteration.
const MOST: u32 = 10_000_000;

impl Tuning {
    /// Reads and checks a tuning file.
    ///
    /// # Errors
    /// One line: the file and the line or the key, what was found and what was expected.
    pub fn load(path: &Path) -> Result<Tuning, BadInput> {
        let text = input::text(path).map_err(|error| {
            let path = input::shown(path);
            BadInput(format!("{path}: {error}, expected a tuning file"))
        })?;
        Tuning::parse(path, &text)
    }

    /// Checks `text` as the content of the tuning file at `path`.
    ///
    /// # Errors
    /// As for [`Tuning::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Tuning, BadInput> {
        let file = File { path, text };
        let raw: Raw = toml::from_str(text).map_err(|error| {
            let lines: Vec<&str> = error.message().lines().collect();
            let offset = error.span().map_or(0, |span| span.start);
            file.error_at(offset, lines.join(", "))
        })?;
        let rules = catalog::find(raw.tune.game.get_ref()).ok_or_else(|| {
            let (found, known) = (raw.tune.game.get_ref(), catalog::ids().join(", "));
            let message = format!("game {found:?}, expected one of {known}");
            file.error_at(raw.tune.game.span().start, message)
        })?;
        let word = &raw.tune.algorithm;
        let algorithm = Algorithm::find(word.get_ref())
            .and_then(|algorithm| rules.fits(algorithm).map(|()| algorithm))
            .map_err(|message| file.error_at(word.span().start, message))?;
        let (concurrency, table_mb) = (raw.tune.concurrency, raw.tune.table_mb);
        for (key, value, most) in [
            ("concurrency", concurrency, 1024),
            ("table_mb", table_mb, 1 << 20),
        ] {
            if !(1..=most).contains(&value) {
                return Err(file.error(format!("{key} = {value}, expected 1 to {most}")));
            }
        }
        let parameters = parameters(&file, rules, &raw.parameter)?;
        let method = method(&file, &raw)?;
        check_weights(&file, &method, &parameters)?;
        let test = test(&file, &raw.sprt)?;
        let keys = league_keys(rules, &raw);
        let mut tuning = Tuning {
            league: league(path, &keys, &parameters, None)?,
            name: raw.tune.name,
            rules,
            algorithm,
            table_mb: table_mb as usize,
            seed: u64::from(raw.tune.seed),
            concurrency: concurrency as usize,
            parameters,
            method,
            test,
            rounds: raw.sprt.rounds,
            limits: SearchLimits::default(),
            path: path.to_owned(),
            keys,
        };
        if matches!(tuning.method, Method::Spsa { .. }) {
            tuning.limits = limits(&file, &raw.clock, &tuning.league.games[0].clock)?;
        }
        // The closing test may have another clock.
        if let Some(clock) = raw.sprt.clock {
            tuning
                .keys
                .push(Override::new("[sprt] clock", "clock", clock));
            league(path, &tuning.keys, &tuning.parameters, None)?;
        }
        Ok(tuning)
    }

    /// The SPSA of this file, if that is its method.
    ///
    /// # Panics
    /// Never: the dimensions were checked.
    pub fn spsa(&self) -> Option<Spsa> {
        let Method::Spsa { iterations, pairs } = self.method else {
            return None;
        };
        let dimensions = self
            .parameters
            .iter()
            .map(|tuned| tuned.dimension)
            .collect();
        let spsa = Spsa::new(dimensions, iterations, pairs, self.seed);
        Some(spsa.expect("the dimensions were checked"))
    }

    /// The closing test as a league of two engines: the one with these values, and the one with
    /// those at the start.
    ///
    /// # Errors
    /// The file has changed such that the league cannot be played.
    pub fn closing(&self, values: &[f64]) -> Result<Config, BadInput> {
        league(&self.path, &self.keys, &self.parameters, Some(values))
    }

    /// The values as parameters of an engine.
    pub fn assignments(&self, values: &[f64]) -> Vec<Assignment> {
        assignments(&self.parameters, values)
    }

    /// Everything on which the values of a tuning depend, one line each, and its digest. The
    /// checkpoint of another configuration is of no use.
    pub fn configuration(&self) -> (Vec<String>, String) {
        let game = &self.league.games[0];
        let mut openings = Digest::default();
        openings.text(&format!("{:?}", game.openings));
        let mut lines = vec![
            format!("game = {}", self.rules.id()),
            format!("variant = {}", game.variant),
            format!("algorithm = {}", self.algorithm.name()),
            format!("table_mb = {}", self.table_mb),
            format!("limits = {:?}", self.limits),
            format!("openings = {:016x}", openings.value()),
            format!("seed = {}", self.seed),
            format!("method = {:?}", self.method),
        ];
        for Tuned {
            parameter,
            dimension,
        } in &self.parameters
        {
            lines.push(format!("{} = {dimension:?}", parameter.name));
        }
        for parameter in self.rules.parameters() {
            lines.push(format!(
                "default {} = {}",
                parameter.name, parameter.default
            ));
        }
        let mut digest = Digest::default();
        lines.iter().for_each(|line| digest.text(line));
        (lines, format!("{:016x}", digest.value()))
    }
}

/// The values as parameters of an engine.
fn assignments(parameters: &[Tuned], values: &[f64]) -> Vec<Assignment> {
    let each = parameters.iter().zip(values);
    each.map(|(Tuned { parameter, .. }, value)| Assignment {
        name: parameter.name.to_owned(),
        value: parameter.write(*value).to_string(),
    })
    .collect()
}

/// The keys of the league that the closing test is, without its engines.
fn league_keys(rules: &dyn AnyGame, raw: &Raw) -> Vec<Override> {
    let id = rules.id();
    let key = |flag: &str, key: &str, value: Value| Override::new(flag, key, value);
    let mut clock = raw.clock.clone();
    if clock.is_empty() {
        // Texel's method needs no clock; a test needs one.
        clock.insert("nodes".to_owned(), 1000.into());
    }
    let mut keys = vec![
        key("[tune] name", "league.name", raw.tune.name.clone().into()),
        key("[tune] game", "league.games", vec![id].into()),
        key(
            "[sprt] rounds",
            "league.rounds",
            raw.sprt.rounds.max(1).into(),
        ),
        key("[tune] seed", "league.seed", raw.tune.seed.into()),
        key(
            "[tune] concurrency",
            "league.concurrency",
            raw.tune.concurrency.into(),
        ),
        key("[clock]", "clock", clock.into()),
    ];
    for (name, table) in [("variant", &raw.variant), ("openings", &raw.openings)] {
        if !table.is_empty() {
            let place = format!("{name}.{id}");
            keys.push(key(&format!("[{name}]"), &place, table.clone().into()));
        }
    }
    for (number, name) in [(1, NEW), (2, OLD)] {
        let engine = Table::from_iter([
            ("name".to_owned(), Value::from(name)),
            (
                "builtin".to_owned(),
                raw.tune.algorithm.get_ref().clone().into(),
            ),
        ]);
        keys.push(key(
            "[tune] algorithm",
            &format!("engine.{number}"),
            engine.into(),
        ));
        let options = Table::from_iter([("table_mb".to_owned(), raw.tune.table_mb.into())]);
        keys.push(key(
            "[tune] table_mb",
            &format!("engine.{number}.options"),
            options.into(),
        ));
    }
    keys
}

/// The league of the closing test; without values, both engines have those at the start.
fn league(
    path: &Path,
    keys: &[Override],
    parameters: &[Tuned],
    values: Option<&[f64]>,
) -> Result<Config, BadInput> {
    let start: Vec<f64> = parameters
        .iter()
        .map(|tuned| tuned.dimension.start)
        .collect();
    let mut keys = keys.to_vec();
    for (number, values) in [(1, values.unwrap_or(&start)), (2, &start)] {
        let words: Vec<String> = assignments(parameters, values)
            .iter()
            .map(ToString::to_string)
            .collect();
        let place = format!("engine.{number}.options.parameters");
        keys.push(Override::new("[[parameter]]", &place, words.join(" ")));
    }
    let mut config = Config::parse(path, "[league]\n[clock]\n[[engine]]\n[[engine]]\n", &keys)?;
    // They stand in every record anyway.
    config.overrides.clear();
    Ok(config)
}

/// The limits of the searches of SPSA: those of the clock, which must be per turn.
fn limits(file: &File<'_>, table: &Table, clock: &ClockSpec) -> Result<SearchLimits, BadInput> {
    let known = ["nodes", "depth", "move"];
    if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
        let message = format!("[clock] {key}, expected nodes, depth or move");
        return Err(file.error(message));
    }
    Ok(SearchLimits {
        depth: clock.depth,
        nodes: clock.nodes,
        time: clock
            .per_move
            .and_then(|time| Duration::try_from(time).ok()),
    })
}

fn method(file: &File<'_>, raw: &Raw) -> Result<Method, BadInput> {
    if raw.tune.method == RawMethod::Spsa {
        let RawSpsa { iterations, pairs } = raw.spsa;
        for (key, value) in [("iterations", iterations), ("pairs", pairs)] {
            if !(1..=MOST).contains(&value) {
                let message = format!("[spsa] {key} = {value}, expected 1 to {MOST}");
                return Err(file.error(message));
            }
        }
        return Ok(Method::Spsa {
            iterations: iterations.into(),
            pairs: pairs.into(),
        });
    }
    let RawTexel {
        logs,
        skip,
        validation,
        regularisation,
    } = &raw.texel;
    if logs.is_empty() {
        return Err(file.error("[texel] logs: none, expected logs or folders of logs"));
    }
    if !(*validation > 0.0 && *validation < 1.0) {
        let message =
            format!("[texel] validation = {validation}, expected a share above 0 and below 1");
        return Err(file.error(message));
    }
    if !(*regularisation >= 0.0 && regularisation.is_finite()) {
        let message = format!("[texel] regularisation = {regularisation}, expected 0 or more");
        return Err(file.error(message));
    }
    let folder = file.path.parent().unwrap_or(Path::new(""));
    Ok(Method::Texel {
        logs: logs.iter().map(|log| folder.join(log)).collect(),
        skip: *skip as usize,
        validation: *validation,
        regularisation: *regularisation,
    })
}

/// Refuses parameters of searches in Texel's method: no evaluation depends on them.
fn check_weights(file: &File<'_>, method: &Method, tuned: &[Tuned]) -> Result<(), BadInput> {
    let mut names = tuned.iter().map(|tuned| tuned.parameter.name);
    match names.find(|name| !name.starts_with("evaluation.")) {
        Some(name) if matches!(method, Method::Texel { .. }) => Err(file.error(format!(
            "{name} in Texel's method, expected weights of an evaluation only: evaluation.…"
        ))),
        _ => Ok(()),
    }
}

fn test(file: &File<'_>, raw: &RawSprt) -> Result<Test, BadInput> {
    let test = Test {
        model: raw.model,
        elo0: raw.elo0,
        elo1: raw.elo1,
        alpha: raw.alpha,
        beta: raw.beta,
    };
    test.check()
        .map_err(|message| file.error(format!("[sprt] {message}")))?;
    Ok(test)
}

/// The parameters of the file. A name that ends with `*` means all parameters that begin so.
fn parameters(
    file: &File<'_>,
    rules: &dyn AnyGame,
    raw: &[Spanned<RawParameter>],
) -> Result<Vec<Tuned>, BadInput> {
    let known = rules.parameters();
    let mut tuned: Vec<Tuned> = Vec::new();
    for raw in raw {
        let (offset, raw) = (raw.span().start, raw.get_ref());
        let matching: Vec<&Parameter> = match raw.name.strip_suffix('*') {
            Some(prefix) => {
                let all = known.iter().filter(|known| known.name.starts_with(prefix));
                all.collect()
            }
            None => Vec::from_iter(find(&known, &raw.name).ok()),
        };
        if matching.is_empty() {
            let message = find(&known, &raw.name).err().unwrap_or_default();
            return Err(file.error_at(offset, format!("{}: {message}", rules.id())));
        }
        for parameter in matching {
            let error = |message: String| file.error_at(offset, message);
            if tuned
                .iter()
                .any(|other| other.parameter.name == parameter.name)
            {
                return Err(error(format!("{} twice, expected it once", parameter.name)));
            }
            tuned.push(one_tuned(parameter, raw).map_err(error)?);
        }
    }
    if tuned.is_empty() {
        return Err(file.error("no parameters, expected [[parameter]] with a name"));
    }
    Ok(tuned)
}

/// A parameter with what the file says of it.
fn one_tuned(parameter: &Parameter, raw: &RawParameter) -> Result<Tuned, String> {
    let Parameter {
        name,
        min,
        max,
        kind,
        ..
    } = *parameter;
    for (key, given) in [("min", raw.min), ("max", raw.max)] {
        if let Some(value) = given
            && !(min..=max).contains(&value)
        {
            return Err(format!(
                "{name}: {key} = {value}, expected a value from {min} to {max}"
            ));
        }
    }
    let (min, max) = (raw.min.unwrap_or(min), raw.max.unwrap_or(max));
    let whole = kind != Kind::Real;
    let share = C_SHARE * (max - min);
    let dimension = Dimension {
        start: raw.start.unwrap_or(parameter.default),
        min,
        max,
        // Below a half, both players would often have the same whole number.
        c_end: raw
            .c_end
            .unwrap_or(if whole { share.max(0.5) } else { share }),
        r_end: raw.r_end.unwrap_or(R_END),
        integer: whole,
    };
    dimension
        .check()
        .map_err(|error| format!("{name}: {error}"))?;
    for (key, value) in [("start", dimension.start), ("min", min), ("max", max)] {
        if whole && value.fract() != 0.0 {
            return Err(format!("{name}: {key} = {value}, expected a whole number"));
        }
    }
    Ok(Tuned {
        parameter: *parameter,
        dimension,
    })
}
