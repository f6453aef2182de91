//! Time and memory of the referee for many games: `cargo bench -p referee --bench scale`.
//!
//! The program itself opens, verifies, rates and merges the log of a whole league of real games. It
//! also plays a league with many games at a time, to measure memory. README.md beside this file has
//! the figures.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use engine_core::Rng;
use engine_process::deviation::Deviations;
use engine_process::info::EngineInfo;
use gamelog::record::{EngineRecord, GameRecord, Reason, SCHEMA, TurnRecord};
use gamelog::{self, FILE_NAME};
use jiff::{SignedDuration, Timestamp};
use league::config::Config;
use league::tournament::Tournament;
use task::clock;
use task::dice::Dice;
use task::opening;
use task::{EngineSpec, GameTask};

/// Number of measurements; the best counts.
const MEASUREMENTS: usize = 3;
/// Rounds of the logged leagues, of [`GAMES_A_ROUND`] games each.
const ROUNDS: [usize; 2] = [84, 834];
/// Both games of every pair of five engines, in six games.
const GAMES_A_ROUND: usize = 5 * 4 * 6;
/// Number of simultaneous games in the league that is played.
const SIMULTANEOUS: usize = 64;
/// How often the memory of a program is read.
const MEMORY_INTERVAL: Duration = Duration::from_millis(1);

fn main() {
    // `cargo test --benches` and the like only check that it builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("referee-scale-{}", std::process::id()));
    for rounds in ROUNDS {
        fs::create_dir_all(&folder).expect("a folder");
        let bytes = write_league(&folder, rounds);
        let (games, mib) = (rounds * GAMES_A_ROUND, bytes as f64 / f64::from(1 << 20));
        println!("{games} logged games, {mib:.0} MiB");
        for command in COMMANDS {
            println!("  {command}: {}", measure(&folder, command));
        }
        fs::remove_dir_all(&folder).expect("the folder is ours");
    }
    for (kind, engines) in SIMULTANEOUS_ENGINES {
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("league.toml"), simultaneous_file(engines)).expect("a file");
        let used = run(&folder, "league league.toml --out out");
        println!("{SIMULTANEOUS} games at a time of {kind}: {used}");
        fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}

/// The commands that are measured, in the folder of the league.
const COMMANDS: [&str; 10] = [
    "league league.toml --out log",
    "verify log",
    "standings log --by game",
    "standings log --by engine",
    "standings log --by opening",
    "standings log --format json",
    "table league.toml --log log",
    "replay log hex",
    "merge half-1 half-2 --out merged --league league.toml --rebuilt",
    "plan league.toml",
];

/// Time and memory of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Used {
    elapsed: Duration,
    /// Peak memory, in KiB.
    peak: u64,
}

impl std::fmt::Display for Used {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (seconds, mib) = (self.elapsed.as_secs_f64(), self.peak as f64 / 1024.0);
        write!(f, "{seconds:.2} s, {mib:.0} MiB")
    }
}

/// The best time of a command, with the memory of that run.
fn measure(folder: &Path, command: &str) -> Used {
    let once = |_| {
        let merged = folder.join("merged");
        if merged.exists() {
            fs::remove_dir_all(merged).expect("the folder is ours");
        }
        run(folder, command)
    };
    let all = (0..MEASUREMENTS).map(once);
    all.min().expect("there are measurements")
}

/// Runs the program once.
fn run(folder: &Path, command: &str) -> Used {
    let begin = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(command.split(' '))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut peak = 0;
    let status = loop {
        peak = memory(&child).map_or(peak, |memory| peak.max(memory));
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            break status;
        }
        thread::sleep(MEMORY_INTERVAL);
    };
    let elapsed = begin.elapsed();
    assert!(status.success(), "{command}: {status}");
    Used { elapsed, peak }
}

/// The peak memory of a running process, in KiB.
fn memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// A league of five engines and six games. The boards are chosen so that random games are about as
/// long as those of engines.
fn league_file(rounds: usize) -> String {
    let mut text = format!(
        "[league]\nname = \"scale\"\nseed = 7\nrounds = {rounds}\n\
         games = [\"amazons\", \"surakarta\", \"connect6\", \"hex\", \"dots-and-boxes\", \"einstein\"]\n\
         [clock]\nbase = \"60s\"\nincrement = \"10ms\"\n\
         [variant]\namazons = {{ size = 8 }}\nconnect6 = {{ size = 9 }}\nhex = {{ size = 7 }}\n\
         [openings]\nhex = {{ random_plies = 2 }}\ndots-and-boxes = {{ random_plies = 3 }}\n"
    );
    for builtin in ["pvs", "mcts", "mtdf", "greedy", "random"] {
        text += &format!("[[engine]]\nname = \"{builtin}\"\nbuiltin = \"{builtin}\"\n");
    }
    text
}

/// Writes a league that has been played: `league.toml`, the log in `log`, and both halves of it.
/// Returns the length of the log.
fn write_league(folder: &Path, rounds: usize) -> u64 {
    let file = folder.join("league.toml");
    fs::write(&file, league_file(rounds)).expect("a file");
    let config = Config::load(&file, &[]).expect("a sound league file");
    let tournament = Tournament::new(config, Path::new("/proc/self/exe"));
    let tasks = tournament.plan();
    assert_eq!(tasks.len(), rounds * GAMES_A_ROUND);
    let log = |name: &str| {
        let folder = folder.join(name);
        fs::create_dir_all(&folder).expect("a folder");
        BufWriter::new(File::create(log_in(&folder)).expect("a log"))
    };
    let mut whole = log("log");
    let mut halves = [log("half-1"), log("half-2")];
    for (number, due) in tasks.iter().enumerate() {
        let line = gamelog::line(&played(&tournament.task(due), number)).expect("JSON");
        for log in [&mut whole, &mut halves[number % 2]] {
            log.write_all(&line).expect("the disk has room");
        }
    }
    for mut log in halves.into_iter().chain([whole]) {
        log.flush().expect("the disk has room");
    }
    let log = log_in(&folder.join("log")).metadata().expect("the log");
    log.len()
}

fn log_in(folder: &Path) -> PathBuf {
    folder.join(FILE_NAME)
}

/// The record of a random game, determined by the seed of its task.
fn played(task: &GameTask, number: usize) -> GameRecord {
    let rules = catalog::find(&task.game).expect("a game of the catalogue");
    let mut game = opening::begin(rules, &task.variant, &task.opening).expect("an opening");
    let (mut rng, mut dice) = (Rng::new(task.seed), Dice::new(task.seed));
    let mut clocks = clock::both(&task.clocks(), None);
    let mut turns: Vec<TurnRecord> = Vec::new();
    while game.outcome().is_none() {
        let side = game.side();
        let mut turn = TurnRecord {
            side: side.into(),
            text: String::new(),
            used_us: 0,
            left_us: None,
            charged_us: 0,
            info: None,
            cpu: None,
            refused: Vec::new(),
        };
        if game.roll_due() {
            let face = dice.roll(game.faces());
            game.roll(face).expect("a roll is due");
            turn.text = format!("d{face}");
        } else {
            turn.text = game.play_random_turn(&mut rng).expect("a turn");
            turn.used_us = 5_000 + u64::from(rng.below(20_000));
            turn.info = Some(info(&mut rng, turn.used_us, &turns, &turn.text));
            let clock = &mut clocks[side.index()];
            let used = Duration::from_micros(turn.used_us);
            clock.charge(used).expect("there is time");
            turn.left_us = clock.left().map(|left| left.as_micros() as u64);
        }
        turns.push(turn);
    }
    let used_us: u64 = turns.iter().map(|turn| turn.used_us).sum();
    GameRecord {
        schema: SCHEMA,
        id: task.id.clone(),
        league: task.league.clone(),
        game: task.game.clone(),
        variant: task.variant.clone(),
        stage: task.stage.clone(),
        round: task.round,
        number: task.number,
        opening: task.opening.clone(),
        seed: task.seed,
        dice: task.dice,
        first: engine_record(&task.first),
        second: engine_record(&task.second),
        clock: task.clock,
        carried_us: None,
        adjudication: task.adjudication,
        overrides: Vec::new(),
        started: Timestamp::UNIX_EPOCH + SignedDuration::from_secs(number as i64),
        duration_ms: 20 + used_us / 1_000,
        turns,
        result: game.outcome().expect("it is over").into(),
        reason: Reason::Rules,
        detail: game.ending().to_owned(),
        host: "bench".to_owned(),
        pace: None,
        imported: String::new(),
        desk: None,
        decision: None,
        crc32: None,
    }
}

/// A typical search report; its PV is the turn followed by the last turns.
fn info(rng: &mut Rng, used_us: u64, turns: &[TurnRecord], text: &str) -> EngineInfo {
    let earlier = turns.iter().rev().take(4).map(|turn| turn.text.as_str());
    let pv: Vec<&str> = [text].into_iter().chain(earlier).collect();
    EngineInfo {
        depth: Some(1 + rng.below(12)),
        score: Some(format!("cp {}", rng.below(400))),
        nodes: Some(used_us * 2),
        time_ms: Some(used_us / 1_000),
        pv: Some(pv.join(" ")),
        remark: None,
    }
}

fn engine_record(spec: &EngineSpec) -> EngineRecord {
    EngineRecord {
        name: spec.name.clone(),
        command: spec.command.clone(),
        build: String::new(),
        writes: Vec::new(),
        protocol: spec.protocol.name().into(),
        version: "bench 0.1.0".to_owned(),
        options: spec.options.clone(),
        init: spec.init.clone(),
        clock: None,
        retries: 0,
        unconfined: Vec::new(),
        deviations: Deviations::default(),
        after: None,
    }
}

/// Engines for many simultaneous games: a description, and the tables of a league file.
const SIMULTANEOUS_ENGINES: [(&str, [&str; 2]); 2] = [
    ("built-in engines", ["builtin = \"random\""; 2]),
    ("engines that flood", [FLOODS; 2]),
];

/// An engine that writes 400 000 reports before its second turn.
const FLOODS: &str = concat!(
    "command = [\"",
    env!("CARGO_BIN_EXE_test-engine"),
    "\", \"many-reports\", \"2\"]"
);

/// A league that plays all its games at the same time, up to 225 plies each.
fn simultaneous_file(engines: [&str; 2]) -> String {
    let [one, other] = engines;
    format!(
        "[league]\nname = \"crowd\"\ngames = [\"hex\"]\nrounds = {}\nconcurrency = {SIMULTANEOUS}\n\
         [clock]\nmove = \"60s\"\n[variant.hex]\nsize = 15\n\
         [[engine]]\nname = \"one\"\n{one}\n[[engine]]\nname = \"other\"\n{other}\n",
        SIMULTANEOUS / 2
    )
}
