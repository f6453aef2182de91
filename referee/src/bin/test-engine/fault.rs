//! Faults of an engine, and their execution in place of an answer.

use std::io::{self, Write};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use rustix::process::Signal;

/// A fault of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fault {
    /// No fault.
    Nothing,
    /// An illegal turn.
    Illegal,
    /// A turn that is not UTF-8.
    Garbage,
    /// Lines that are not part of the protocol, some of them not UTF-8, and then a legal turn.
    Chatter,
    /// A legal turn, entirely in upper case.
    UpperCase,
    /// Aborts (SIGABRT).
    Abort,
    /// Exits with status 0.
    Exit,
    /// Does not answer.
    Silence,
    /// Stops itself with SIGSTOP.
    StopItself,
    /// Answers after two seconds.
    Late,
    /// Closes its output and keeps running.
    CloseOutput,
    /// Closes its input and keeps running.
    CloseInput,
    /// A line that never ends.
    LongLine,
    /// A report of 100 000 bytes, and then a legal turn.
    LongReport,
    /// Writes reports forever.
    Flood,
    /// Writes 400 000 reports, then plays.
    ManyReports,
    /// Half an answer, then nothing.
    HalfLine,
    /// Writes to standard error forever.
    ErrorFlood,
    /// Answers one question twice.
    TwoAnswers,
    /// Answers the next question before it is asked, and then not again.
    Early,
    /// Allocates 4 GB of memory, then plays.
    Memory,
    /// A child that keeps all pipes open when the engine exits.
    Child,
    /// A hundred child processes; the engine plays on.
    Children,
    /// A child in its own session, without a parent; the engine plays on.
    Daemon,
    /// A hundred such children.
    Daemons,
    /// A child with an empty environment; the engine plays on.
    Bare,
    /// Keeps running after `quit`, end of input, and signals that ask it to exit.
    Stubborn,
    /// Takes a second and a half to exit.
    SlowQuit,
    /// Resigns.
    Resign,
    /// Exits before the handshake.
    DieAtOnce,
    /// Does not answer the handshake.
    NoHandshake,
    /// Completes the handshake, but never answers `isready`.
    NeverReady,
    /// Takes six seconds for the handshake, unless a process was started in its folder before.
    SlowHandshake,
    /// Computes while it is not to move, and reports the ms of such computing as its depth.
    Ponder,
    /// Computes all the time, in a second thread.
    Burn,
    /// Takes a second for every answer that is not a turn.
    SlowSync,
    /// Tries forbidden actions, reports the successful ones as its PV, then plays.
    Trespass,
    /// Does not send its name.
    NoName,
    /// Declares an option whose default is out of bounds.
    BadOption,
    /// Exits when its option is set to the maximum.
    DieOfBound,
    /// Exits when an unknown option is set.
    DieOfOption,
    /// Takes a second to answer `stop`.
    SlowStop,
    /// Exits when it is asked for a turn after the game is over.
    DieOfEnd,
    /// Exits when a second game begins.
    OneGame,
    /// Exits when it does not understand a line.
    DieOfNonsense,
    /// Exits with status 3 when asked to quit.
    BadStatus,
    /// Plays a turn after the end of a game in SAU.
    PlayOn,
    /// Starts copies that start copies, and so on.
    ForkBomb,
    /// Takes half a gigabyte in each of many processes.
    Hog,
    /// Fills files in memory that have no names and that no process maps, 1 GiB, then exits.
    HideMemory,
    /// Fills every folder that it may write to, with many files, then exits.
    FillDisk,
    /// Kills other engines, then plays.
    Kill,
    /// Locks and watches what it shares with other engines, then plays.
    Lock,
    /// Writes to the file that its last argument names, then plays.
    Learn,
    /// The processes of [`Fault::ForkBomb`], which end after some seconds.
    BeBomb,
    /// The processes of [`Fault::Hog`].
    BeHog,
    /// The process that [`Fault::Daemon`] starts: leaves its session, starts a child and exits.
    BeDaemon,
}

/// Long enough for every test, and short enough for an engine left by a failed test.
pub(crate) const FOREVER: Duration = Duration::from_secs(60);

/// The number of children where a fault has many.
const MANY: usize = 100;

/// How much memory [`Fault::Memory`] allocates, and in pieces of what size, in bytes.
const MUCH: usize = 4 << 30;
const PIECE: usize = 64 << 20;

/// How long a bomb goes on if nobody stops it: a machine must survive it.
const BURNING: Duration = Duration::from_secs(1);

/// How much memory each process of [`Fault::Hog`] takes, in bytes.
const HOG: usize = 512 << 20;

/// How many ms the engine has computed in the background, plus one.
pub(crate) static PONDERED: AtomicU32 = AtomicU32::new(1);

impl Fault {
    /// Faults before the engine's first output.
    pub(crate) fn begin(self) -> io::Result<()> {
        match self {
            Fault::DieAtOnce => {
                eprintln!("cannot find my book");
                std::process::exit(7)
            }
            Fault::NoHandshake => sleep_forever(),
            Fault::Ponder => {
                std::thread::spawn(|| {
                    loop {
                        sleep(Duration::from_millis(1));
                        PONDERED.fetch_add(1, Ordering::Relaxed);
                    }
                });
                Ok(())
            }
            Fault::Burn => {
                std::thread::spawn(|| {
                    loop {
                        std::hint::spin_loop();
                    }
                });
                Ok(())
            }
            Fault::Stubborn => base::signals::on_stop(|_| {}),
            Fault::BeBomb => explode(),
            Fault::BeHog => {
                std::hint::black_box(vec![1_u8; HOG]);
                sleep_forever()
            }
            Fault::BeDaemon => {
                rustix::process::setsid()?;
                Command::new("sleep").arg("60").spawn()?;
                std::process::exit(0)
            }
            _ => Ok(()),
        }
    }

    /// Faults when an option is set, whether the engine has it or not.
    pub(crate) fn option(self, value: &str) {
        if self == Fault::DieOfOption || self == Fault::DieOfBound && value == "8" {
            std::process::exit(6);
        }
    }

    /// Faults when a search is stopped.
    pub(crate) fn stop(self) {
        if self == Fault::SlowStop {
            sleep(Duration::from_secs(1));
        }
    }

    /// Faults when a turn is asked for after the game is over.
    pub(crate) fn end_of_game(self) {
        if self == Fault::DieOfEnd {
            std::process::exit(4);
        }
    }

    /// Faults when a game in SAU is over.
    pub(crate) fn end_of_sau(self) -> io::Result<()> {
        if self == Fault::PlayOn {
            say("move AA")?;
        }
        Ok(())
    }

    /// Faults when a line is not understood.
    pub(crate) fn nonsense(self, line: &str) {
        if self == Fault::DieOfNonsense && !line.trim().is_empty() {
            std::process::exit(8);
        }
    }

    /// Faults in place of the answer `keyword turn`.
    pub(crate) fn answer(self, keyword: &str, turn: &str) -> io::Result<()> {
        let answer = format!("{keyword} {turn}");
        match self {
            Fault::Illegal => say(format!("{keyword} zz99")),
            Fault::Resign => say(format!("{keyword} resign")),
            Fault::Garbage => {
                say_bytes(b"\xff\x00\xfe\n")?;
                say_bytes(&[keyword.as_bytes(), b" \xc3\x28\xff\n"].concat())
            }
            Fault::Chatter => {
                say_bytes(b"\n\r\n\xff\xfe\x00 hello\ninfo depth many\nbest move\n move\n")?;
                say(answer)
            }
            Fault::UpperCase => say(answer.to_uppercase()),
            Fault::HalfLine => {
                say_bytes(&answer.as_bytes()[..6])?;
                sleep_forever()
            }
            Fault::TwoAnswers => say(format!("{answer}\n{answer}")),
            Fault::Early => say(format!("{answer}\n{keyword} zz99")),
            Fault::Late => {
                sleep(Duration::from_secs(2));
                say(answer)
            }
            Fault::ManyReports => {
                let line = "info depth 7 score cp 1 nodes 1 pv first\n";
                (0..500).try_for_each(|_| say_bytes(line.repeat(100).as_bytes()))?;
                say(answer)
            }
            Fault::LongReport => {
                say(format!("info string {}", "é".repeat(50_000)))?;
                say(answer)
            }
            Fault::Memory => {
                let pieces: Vec<Vec<u8>> = (0..MUCH / PIECE).map(|_| vec![1; PIECE]).collect();
                std::hint::black_box(pieces);
                say(answer)
            }
            Fault::Trespass => {
                say(format!(
                    "info depth 1 score cp 1 pv {}",
                    crate::trespass::all().join(" ")
                ))?;
                say(answer)
            }
            Fault::Children => {
                start(MANY, "sleep", "60")?;
                say(answer)
            }
            Fault::Daemon | Fault::Daemons => {
                let count = if self == Fault::Daemon { 1 } else { MANY };
                let program = std::env::current_exe()?;
                start(count, &program.to_string_lossy(), "be-daemon")?;
                say(answer)
            }
            Fault::ForkBomb => explode(),
            Fault::Hog => {
                let program = std::env::current_exe()?;
                start(MANY / 4, &program.to_string_lossy(), "be-hog")?;
                sleep_forever()
            }
            Fault::HideMemory => hide_memory(),
            Fault::FillDisk => fill_disk(),
            Fault::Kill => {
                kill_engines();
                say(answer)
            }
            Fault::Lock => {
                crate::trespass::lock_forever();
                say(answer)
            }
            Fault::Learn => {
                let file = std::env::args().next_back().unwrap_or_default();
                let mut learned = std::fs::OpenOptions::new().append(true).open(file)?;
                learned.write_all(b"a turn\n")?;
                say(answer)
            }
            Fault::Bare => {
                Command::new("/bin/sleep").arg("60").env_clear().spawn()?;
                say(answer)
            }
            Fault::CloseInput => {
                rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
                say(answer)?;
                sleep_forever()
            }
            Fault::Nothing
            | Fault::NoName
            | Fault::BadOption
            | Fault::DieOfBound
            | Fault::DieOfOption
            | Fault::SlowStop
            | Fault::DieOfEnd
            | Fault::OneGame
            | Fault::DieOfNonsense
            | Fault::BadStatus
            | Fault::PlayOn
            | Fault::Stubborn
            | Fault::SlowQuit
            | Fault::DieAtOnce
            | Fault::NoHandshake
            | Fault::NeverReady
            | Fault::SlowHandshake
            | Fault::SlowSync
            | Fault::Ponder
            | Fault::Burn
            | Fault::BeBomb
            | Fault::BeHog
            | Fault::BeDaemon => say(answer),
            _ => self.end(),
        }
    }

    /// Faults without an answer.
    fn end(self) -> io::Result<()> {
        match self {
            Fault::Abort => std::process::abort(),
            Fault::Exit => std::process::exit(0),
            Fault::Silence => sleep_forever(),
            Fault::StopItself => {
                let own = rustix::process::getpid();
                Ok(rustix::process::kill_process(own, Signal::STOP)?)
            }
            Fault::CloseOutput => {
                rustix::stdio::dup2_stdout(std::fs::File::open("/dev/null")?)?;
                sleep_forever()
            }
            Fault::LongLine => loop {
                say_bytes(&[b'x'; 4096])?;
            },
            Fault::Flood => loop {
                say("info depth 1 score cp 1 nodes 1 pv first")?;
            },
            Fault::ErrorFlood => loop {
                eprintln!("something is very wrong");
            },
            Fault::Child => {
                start(1, "sleep", "60")?;
                std::process::exit(3)
            }
            _ => Ok(()),
        }
    }
}

/// Starts copies that do the same, until [`BURNING`] has passed since the first.
fn explode() -> io::Result<()> {
    const LIT: &str = "BOMB_LIT";
    let now = || {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    };
    let given = std::env::var(LIT).ok().and_then(|ms| ms.parse().ok());
    let lit = given.map_or_else(now, Duration::from_millis);
    let program = std::env::current_exe()?;
    while now() < lit + BURNING {
        let mut copy = Command::new(&program);
        let _ = copy
            .arg("be-bomb")
            .env(LIT, lit.as_millis().to_string())
            .spawn();
    }
    std::process::exit(10)
}

/// Writes until every folder is full.
fn fill_disk() -> io::Result<()> {
    let folders = ["HOME", "TMPDIR"].map(|name| std::env::var(name).unwrap_or_default());
    let mut full = None;
    for folder in folders
        .iter()
        .map(String::as_str)
        .chain(["/dev/shm", "/var/tmp"])
    {
        for number in 0.. {
            let written = std::fs::write(format!("{folder}/{number}"), vec![1; PIECE / 16]);
            if let Err(error) = written {
                full.get_or_insert(error);
                break;
            }
        }
    }
    eprintln!("cannot write: {full:?}");
    std::process::exit(9)
}

fn hide_memory() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let piece = vec![1; PIECE];
        let mut files = Vec::new();
        for _ in 0..2 * HOG / PIECE {
            let file = rustix::fs::memfd_create("hidden", rustix::fs::MemfdFlags::empty())?;
            rustix::io::write(&file, &piece)?;
            files.push(file);
        }
        // The referee looks now and then.
        sleep(Duration::from_secs(10));
    }
    std::process::exit(9)
}

/// Kills all processes that run this program, but not its own.
fn kill_engines() {
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|process| process.file_name().into_string().ok());
    for number in numbers.filter(|number| *number != own) {
        let words = std::fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
        let process = number.parse().ok().and_then(rustix::process::Pid::from_raw);
        if let Some(process) = process.filter(|_| words.contains("test-engine")) {
            let _ = rustix::process::kill_process(process, Signal::KILL);
        }
    }
}

/// Starts `count` processes that inherit all pipes.
fn start(count: usize, program: &str, argument: &str) -> io::Result<()> {
    (0..count).try_for_each(|_| Command::new(program).arg(argument).spawn().map(drop))
}

/// Sleeps until the referee kills it.
pub(crate) fn sleep_forever() -> io::Result<()> {
    sleep(FOREVER);
    Ok(())
}

/// Writes a line.
pub(crate) fn say(line: impl std::fmt::Display) -> io::Result<()> {
    say_bytes(format!("{line}\n").as_bytes())
}

fn say_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()
}
