//! `referee match`: two engines, without a league file.

use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use ::league::config::{Config, Override, find_program};
use ::league::opponents::Opponent;
use anyhow::Result;
use base::error::{BadInput, inform};
use base::input;
use clap::ArgGroup;
use clap::builder::PossibleValuesParser;
use jiff::SignedDuration;
use protocol::Protocol;
use toml::{Table, Value};

use super::league::{self, Tables};
use super::output::Output;
use super::position::{VariantArg, find};
use super::{sprt, time};
use ::league::report::sprt::Outcomes;
use ::league::session::Session;
use ::league::session::part::Part;
use base::program::command_line;
use stats::sprt::Test;
use textbook::AnySearch;

/// Play a match between two engines, without a league file
#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("limit").args(["time", "nodes", "clock"])),
    after_help = "\
An engine is the name of a search (pvs, mcts, best), the name of an engine in the file of --engines,
a known opponent (see referee anchors), or a command, in quotes if it has arguments. NAME=… gives it a
name: new=./engine old=./engine-1.2.

A command is called as its program, or as the script that it runs: 'python3 theirs.py' is theirs.

Every opening is played twice, with sides exchanged. Each match has a folder of its own, unless --out
names one; the same command with --out resumes it.

With --sprt the match is a test whether ENGINE is stronger than OPPONENT, as of referee sprt: it ends when
the test has decided. --games or --rounds then limits it.

Example: referee match pvs mcts --game hex
  referee match ./ours 'python3 theirs.py --fast' --game connect6 --protocol sau --time 2s --games 40
  referee match new=./engine old=./engine-1.2 --game amazons --clock '{ base = \"60s\", increment = \"1s\" }'
  referee match new=./engine old=./engine-1.2 --game amazons --time 100ms --concurrency 4 --sprt 0..10
  referee match best cloudict --engines night.toml --game connect6 --set engine.best.options.threads=2"
)]
pub(super) struct Args {
    /// An engine
    #[arg(value_name = "ENGINE")]
    one: String,
    /// Its opponent
    #[arg(value_name = "OPPONENT")]
    other: String,
    /// The game, as listed by `referee games`
    #[arg(long)]
    game: String,
    #[command(flatten)]
    variant: VariantArg,
    /// Time per turn [default: 1s, without --nodes and --clock]
    #[arg(long, value_name = "TIME", value_parser = time::above_0)]
    time: Option<Duration>,
    /// Nodes per turn, sent to the engines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
    /// The clock, with the keys of [clock] in a league file
    #[arg(long, value_name = "TABLE")]
    clock: Option<String>,
    /// Number of games, an even number [default: 10; with --sprt as many as it needs]
    #[arg(long, value_name = "N", value_parser = pairs)]
    games: Option<u32>,
    /// Number of pairs of games
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: Option<u32>,
    /// Test whether ENGINE is stronger: the Elo differences of the two hypotheses, normalized
    #[arg(long, value_name = "ELO0..ELO1", value_parser = hypotheses, allow_hyphen_values = true)]
    sprt: Option<Test>,
    /// Number of games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: u32,
    /// Random actions at the start of each pair of games; 0 for none
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    random_plies: Option<u32>,
    /// File of openings, one per line [default: the balanced ones that are shipped, else 2 random actions;
    /// none in a game with dice, and in SAU]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Protocol of the engines that are given as commands
    #[arg(long, default_value = "ugi", value_parser = PossibleValuesParser::new(Protocol::ALL.map(Protocol::name)))]
    protocol: String,
    /// A league file with engines that can be named; paths are then relative to its folder
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,
    /// Set a key as in a league file: engine.NAME.options.threads=2; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Override>,
    /// File with the seed of the match, a number or 64 hexadecimal digits; - for standard input [default:
    /// drawn]
    #[arg(long, value_name = "FILE", value_parser = super::overrides::seed)]
    seed: Option<Override>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    tables: Tables,
}

/// Number of games.
const GAMES: u32 = 10;

/// Number of random actions before the engines take over.
const RANDOM_PLIES: u32 = 2;

/// A match as a league file; arguments set everything else.
const FILE: &str = "[league]\n[clock]\n[[engine]]\n[[engine]]\n";

/// An even number of games.
fn pairs(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(games @ 2..) if games % 2 == 0 => Ok(games),
        _ => Err("expected an even number, because each opening is played twice".to_owned()),
    }
}

/// Two hypotheses: `0..5`.
fn hypotheses(text: &str) -> Result<Test, String> {
    let elo = |text: &str| text.trim().parse().ok();
    let both = text.split_once("..");
    let both = both.and_then(|(elo0, elo1)| Some((elo(elo0)?, elo(elo1)?)));
    let (elo0, elo1) = both.ok_or("expected two Elo differences, such as 0..5")?;
    let test = Test {
        elo0,
        elo1,
        ..Test::default()
    };
    test.check().map(|()| test)
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let json = self.sprt.map(|_| self.tables.is_json()).transpose()?;
        let players = self.players()?;
        let file = self.file();
        let mut keys = self.keys(&players)?;
        let mut config = Config::parse(&file, FILE, &keys)?;
        if !self.says_openings() {
            if config.balance().is_empty() {
                let at_random = self.at_random(RANDOM_PLIES, &players)?;
                if at_random.is_some() {
                    inform(format_args!(
                        "each pair begins with {RANDOM_PLIES} random actions: no balanced openings are shipped \
                         for this variant (referee openings finds some)"
                    ));
                }
                keys.extend(at_random);
                config = Config::parse(&file, FILE, &keys)?;
            } else {
                inform(
                    "balanced openings, which are shipped (--openings or --random-plies for others)",
                );
            }
        }
        // What else was set stands in every record anyway.
        config.overrides = (self.set.iter().map(Override::line).map(str::to_owned)).collect();
        let (output, command) = self.output(&config);
        let results = &mut *output.results(out);
        if let (Some(test), Some(json)) = (self.sprt, json) {
            let names = players.map(|player| player.name);
            let played = sprt::play(config, &file, &output, (names, test, Outcomes::default()))?;
            played.write(json, results)?;
            return Ok(played.conclude(&command));
        }
        let settings = output.settings(&config);
        let session = Session::open(config, &file, &settings, &Part::All)?;
        league::play(session, self.tables, results, &command)
    }

    /// A path in the folder that paths of engines are relative to.
    fn file(&self) -> PathBuf {
        let file = self.engines.as_deref().unwrap_or(Path::new(""));
        file.with_file_name("match")
    }

    /// The two engines, with different names.
    fn players(&self) -> Result<[Player; 2], BadInput> {
        let known = match &self.engines {
            Some(file) => tables_of(file)?,
            None => Table::new(),
        };
        let one = Player::of(&self.one, &known, &self.protocol)?;
        let mut other = Player::of(&self.other, &known, &self.protocol)?;
        if one.name == other.name {
            other.rename(format!("{}-2", one.name));
        }
        Ok([one, other])
    }

    /// The match as keys of a league file.
    fn keys(&self, players: &[Player; 2]) -> Result<Vec<Override>, BadInput> {
        let game = find(&self.game)?.id();
        let [one, other] = [&players[0].name, &players[1].name];
        let name: String = format!("{one}-{other}-{game}")
            .chars()
            .take(LONGEST)
            .collect();
        let rounds = match (self.rounds, self.games) {
            (Some(rounds), _) => Some((format!("--rounds {rounds}"), rounds)),
            (None, Some(games)) => Some((format!("--games {games}"), games / 2)),
            (None, None) if self.sprt.is_some() => None,
            (None, None) => Some(("the games by default".to_owned(), GAMES / 2)),
        };
        let concurrency = self.concurrency;
        let mut keys = vec![
            Override::new("the names of the engines", "league.name", name),
            Override::new(format!("--game {game}"), "league.games", vec![game]),
            Override::new(
                format!("--concurrency {concurrency}"),
                "league.concurrency",
                concurrency,
            ),
            self.clock()?,
        ];
        keys.extend(rounds.map(|(flag, rounds)| Override::new(flag, "league.rounds", rounds)));
        keys.extend(self.variant_of(game, players)?);
        keys.extend(self.opening(game)?);
        for (number, player) in (1..).zip(players) {
            let table = player.table.clone();
            keys.push(Override::new(
                &*player.word,
                &format!("engine.{number}"),
                table,
            ));
        }
        keys.extend(self.seed.iter().chain(&self.set).cloned());
        Ok(keys)
    }

    fn clock(&self) -> Result<Override, BadInput> {
        if let Some(nodes) = self.nodes {
            return Ok(Override::new(
                format!("--nodes {nodes}"),
                "clock.nodes",
                nodes,
            ));
        }
        if let Some(text) = &self.clock {
            let table = toml::from_str::<Table>(&format!("clock = {text}"));
            let table = table.ok().and_then(|mut table| table.remove("clock"));
            let table = table.ok_or_else(|| {
                BadInput(format!("--clock {text}: expected a table, such as {CLOCK}"))
            })?;
            return Ok(Override::new("--clock", "clock", table));
        }
        let time = self.time.unwrap_or(Duration::from_secs(1));
        let time = SignedDuration::try_from(time).expect("a year at most");
        let time = format!("{time:#}");
        Ok(Override::new(format!("--time {time}"), "clock.move", time))
    }

    /// The key of the variant: the one that was given, or that of a known opponent.
    fn variant_of(&self, game: &str, players: &[Player; 2]) -> Result<Option<Override>, BadInput> {
        let key = format!("variant.{game}");
        if !self.variant.is_given() {
            let mut known = players.iter().filter(|player| !player.variant.is_empty());
            let Some(player) = known.next() else {
                return Ok(None);
            };
            let (name, table) = (&player.name, &player.variant);
            let shown = toml::to_string(table).unwrap_or_default();
            let shown = shown.trim_end().replace('\n', ", ");
            inform(format_args!("{name} plays {shown} (--variant for another)"));
            return Ok(Some(Override::new(&**name, &key, table.clone())));
        }
        let table = Value::try_from(self.variant.value()?);
        let table = table.map_err(|error| BadInput(format!("--variant: {error}")))?;
        Ok(Some(Override::new("--variant", &key, table)))
    }

    /// The key of the openings, if there are any.
    fn opening(&self, game: &str) -> Result<Option<Override>, BadInput> {
        let key = |key: &str| format!("openings.{game}.{key}");
        if let Some(path) = &self.openings {
            let flag = format!("--openings {}", path.display());
            let file = input::file(path).and_then(std::path::absolute);
            let file = file.map_err(|error| BadInput(format!("{flag}: {error}")))?;
            let file = file.to_string_lossy().into_owned();
            return Ok(Some(Override::new(flag, &key("file"), file)));
        }
        let flag = |plies: u32| format!("--random-plies {plies}");
        let plies = self.random_plies.filter(|&plies| plies > 0);
        Ok(plies.map(|plies| Override::new(flag(plies), &key("random_plies"), plies)))
    }

    /// Whether the openings were chosen, or that there are none.
    fn says_openings(&self) -> bool {
        self.openings.is_some() || self.random_plies.is_some()
    }

    /// Random openings for a match whose openings were not chosen, if engines can be told of them and dice
    /// do not serve as well.
    fn at_random(&self, plies: u32, players: &[Player; 2]) -> Result<Option<Override>, BadInput> {
        let rules = find(&self.game)?;
        let cannot = rules.has_dice() || players.iter().any(Player::speaks_sau);
        let key = format!("openings.{}.random_plies", rules.id());
        Ok((!cannot).then(|| Override::new("the openings by default", &key, plies)))
    }

    /// Where the output goes, and the command that resumes the match.
    fn output(&self, config: &Config) -> (Output, String) {
        let mut output = self.output.clone();
        let mut command = command_line();
        if output.out.is_none() {
            let folder = new_folder(&config.name);
            command = format!("{command} --out {}", folder.display());
            output.out = Some(folder);
        }
        (output, command)
    }
}

/// An example for --clock.
const CLOCK: &str = "'{ base = \"60s\", increment = \"1s\" }'";

/// The longest name of a league.
const LONGEST: usize = 64;

/// A folder for a match that does not exist yet.
fn new_folder(name: &str) -> PathBuf {
    let folders = Path::new("matches");
    let numbered = (2..).map(|number| folders.join(format!("{name}-{number}")));
    let mut folders = iter::once(folders.join(name)).chain(numbered);
    folders
        .find(|folder| !folder.exists())
        .expect("the numbers do not end")
}

/// An engine of the match.
struct Player {
    /// The argument that names it.
    word: String,
    name: String,
    /// Its `[[engine]]` table.
    table: Table,
    /// The variant that a known opponent plays; empty for any.
    variant: Table,
}

impl Player {
    /// What an argument names.
    fn of(word: &str, known: &Table, protocol: &str) -> Result<Player, BadInput> {
        let is_name = |name: &str| !name.is_empty() && !name.contains(['/', ' ']);
        let (name, what) = match word.split_once('=') {
            Some((name, what)) if is_name(name) => (Some(name), what),
            _ => (None, word),
        };
        let mut table = Table::new();
        let mut default = what.to_owned();
        if let Some(Value::Table(engine)) = known.get(what) {
            table = engine.clone();
        } else if AnySearch::find(what).is_ok() {
            table.insert("builtin".to_owned(), what.into());
        } else if let Some(opponent) = Opponent::find(what) {
            return Player::known(word, name, opponent);
        } else {
            let words = command(what, known)?;
            default = name_of(program_of(&words));
            table.insert("command".to_owned(), words.into());
            table.insert("protocol".to_owned(), protocol.into());
        }
        let mut player = Player {
            word: word.to_owned(),
            name: String::new(),
            table,
            variant: Table::new(),
        };
        player.rename(name.map_or(default, str::to_owned));
        Ok(player)
    }

    /// A known opponent whose program is in `PATH`.
    fn known(word: &str, name: Option<&str>, opponent: Opponent) -> Result<Player, BadInput> {
        let name = name.unwrap_or(&opponent.name);
        let table = opponent.table(name).filter(|_| opponent.found().is_some());
        let table = table.ok_or_else(|| {
            let what = match opponent.program() {
                Some(program) => {
                    format!("the program {program} is not in PATH, or the files of its command are not here")
                }
                None => "it speaks no protocol of the referee".to_owned(),
            };
            let known = &opponent.name;
            BadInput(format!(
                "{known}: {what}; referee anchors {known} says what it is"
            ))
        })?;
        Ok(Player {
            word: word.to_owned(),
            name: name.to_owned(),
            table,
            variant: opponent.variant,
        })
    }

    fn rename(&mut self, name: String) {
        self.table.insert("name".to_owned(), (&*name).into());
        self.name = name;
    }

    fn speaks_sau(&self) -> bool {
        let protocol = self.table.get("protocol").and_then(Value::as_str);
        protocol == Some(Protocol::Sau.name())
    }
}

/// The words of a command.
fn command(text: &str, known: &Table) -> Result<Vec<String>, BadInput> {
    let words = shlex::split(text).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| BadInput(format!("{text:?}: expected a command")))?;
    let may_be_a_name = words.len() == 1 && !text.contains('/');
    match find_program(Path::new(""), &words) {
        Err(message) if may_be_a_name => {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            let names = if names.is_empty() {
                "a name in the file of --engines".to_owned()
            } else {
                names.join(", ")
            };
            let searches = "a search such as pvs, mcts or best";
            Err(BadInput(format!("{message}, {searches}, or {names}")))
        }
        _ => Ok(words),
    }
}

/// Programs that run another one, by the start of their names: these say nothing of an engine.
const RUNNERS: [&str; 17] = [
    "python", "pypy", "java", "node", "deno", "ruby", "perl", "lua", "julia", "bash", "sh", "wine",
    "mono", "dotnet", "env", "nice", "taskset",
];

/// The word of a command that tells which engine it is: the first file among the arguments of a program
/// that runs others, otherwise the program.
fn program_of(words: &[String]) -> &str {
    let name = |word: &str| {
        Path::new(word)
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    let program = name(&words[0]).unwrap_or_default();
    // A version may follow: python3.12.
    let plain = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let mut arguments = words[1..].iter().filter(|word| Path::new(word).is_file());
    let runs = RUNNERS.contains(&plain);
    arguments.next().filter(|_| runs).unwrap_or(&words[0])
}

/// A name for a program: that of its file, without what a name cannot have.
fn name_of(program: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || "-_.+".contains(c) {
            c
        } else {
            '-'
        }
    };
    let stem = Path::new(program).file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    stem.chars().map(plain).take(LONGEST / 2).collect()
}

/// The engines of a league file, by name. Their games and clocks stay behind.
fn tables_of(file: &Path) -> Result<Table, BadInput> {
    let bad = |message: String| BadInput(format!("--engines {}: {message}", input::shown(file)));
    let text = input::text(file).map_err(|error| bad(error.to_string()))?;
    let file: Table = toml::from_str(&text).map_err(|error| {
        let lines: Vec<&str> = error.message().lines().collect();
        bad(format!("{}, expected a league file", lines.join(", ")))
    })?;
    let engines = file.get("engine").and_then(Value::as_array);
    let named = engines.into_iter().flatten().filter_map(|engine| {
        let mut engine = engine.as_table()?.clone();
        engine.remove("games");
        engine.remove("clock");
        let name = engine.get("name")?.as_str()?.to_owned();
        Some((name, Value::Table(engine)))
    });
    Ok(named.collect())
}
