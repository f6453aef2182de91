//! What can be wrong with an engine, and doing it instead of answering.

use std::io::{self, Write};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;

use clap::ValueEnum;
use rustix::process::Signal;

/// What can be wrong with an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fault {
    /// Nothing at all.
    Nothing,
    /// An illegal turn.
    Illegal,
    /// A turn that is not UTF-8.
    Garbage,
    /// Lines that are not of the protocol, some of them not text, and then a legal turn.
    Chatter,
    /// A legal turn, all of it in upper case.
    UpperCase,
    /// Ends with SIGABRT.
    Abort,
    /// Ends with status 0.
    Exit,
    /// Does not answer.
    Silence,
    /// Stops itself by a signal.
    StopItself,
    /// Answers after two seconds.
    Late,
    /// Closes its output and lives on.
    CloseOutput,
    /// Closes its input and lives on.
    CloseInput,
    /// A line without end.
    LongLine,
    /// Reports for ever.
    Flood,
    /// Reports 400 000 times, then plays.
    ManyReports,
    /// Half an answer.
    HalfLine,
    /// Writes to standard error for ever.
    ErrorFlood,
    /// Two answers to one question.
    TwoAnswers,
    /// Answers the next question before it is asked, and not again.
    Early,
    /// Takes 4 GB of memory, then plays.
    Memory,
    /// A child that keeps all pipes open when the engine exits.
    Child,
    /// A hundred children; the engine plays on.
    Children,
    /// A child in a session of its own, without a parent; the engine plays on.
    Daemon,
    /// A hundred of them.
    Daemons,
    /// A child with an empty environment; the engine plays on.
    Bare,
    /// Lives on after `quit`, the end of its input, and signals that ask it to end.
    Stubborn,
    /// Gives up.
    Resign,
    /// Ends before the handshake.
    DieAtOnce,
    /// Does not answer the handshake.
    NoHandshake,
    /// Answers the handshake, and is never ready.
    NeverReady,
    /// Takes six seconds to introduce itself.
    SlowHandshake,
    /// Computes while it is not to move, and reports as its depth for how many ms it did.
    Ponder,
    /// Thinks for a second in everything that is no turn.
    SlowSync,
    /// Tries what is not an engine's business, reports as its variation what it could do, and plays.
    Trespass,
    /// Does not say its name.
    NoName,
    /// Declares an option whose default is beyond its bounds.
    BadOption,
    /// Ends when its option is set to the largest value.
    DieOfBound,
    /// Ends when an option is set that it does not have.
    DieOfOption,
    /// Answers `stop` after a second.
    SlowStop,
    /// Ends when it is asked for a turn where the game is over.
    DieOfEnd,
    /// Ends when a second game begins.
    OneGame,
    /// Ends when it does not understand a line.
    DieOfNonsense,
    /// Ends with status 3 when it is told to.
    BadStatus,
    /// Plays a turn after the end of a game of SAU.
    PlayOn,
    /// What [`Fault::Daemon`] starts: leaves its session, starts a child and ends.
    BeDaemon,
}

/// Long enough for every test, and no longer than a failed one should leave an engine.
pub(crate) const FOR_EVER: Duration = Duration::from_secs(60);

/// How many children are many.
const MANY: usize = 100;

/// How much memory is much, and in what pieces it is taken, in bytes.
const MUCH: usize = 4 << 30;
const PIECE: usize = 64 << 20;

/// For how many ms the engine has computed in the background, and one.
pub(crate) static PONDERED: AtomicU32 = AtomicU32::new(1);

impl Fault {
    /// What goes wrong before the engine says anything.
    pub(crate) fn begin(self) -> io::Result<()> {
        match self {
            Fault::DieAtOnce => {
                eprintln!("cannot find my book");
                std::process::exit(7)
            }
            Fault::NoHandshake => for_ever(),
            Fault::Ponder => {
                std::thread::spawn(|| {
                    loop {
                        sleep(Duration::from_millis(1));
                        PONDERED.fetch_add(1, Ordering::Relaxed);
                    }
                });
                Ok(())
            }
            Fault::Stubborn => ctrlc::set_handler(|| {}).map_err(io::Error::other),
            Fault::BeDaemon => {
                rustix::process::setsid()?;
                Command::new("sleep").arg("60").spawn()?;
                std::process::exit(0)
            }
            _ => Ok(()),
        }
    }

    /// Misbehaves when an option, one of its own or an unknown one, is set.
    pub(crate) fn option(self, value: &str) {
        if self == Fault::DieOfOption || self == Fault::DieOfBound && value == "8" {
            std::process::exit(6);
        }
    }

    /// Misbehaves when it is stopped.
    pub(crate) fn stop(self) {
        if self == Fault::SlowStop {
            sleep(Duration::from_secs(1));
        }
    }

    /// Misbehaves when it is asked for a turn after the end.
    pub(crate) fn end_of_game(self) {
        if self == Fault::DieOfEnd {
            std::process::exit(4);
        }
    }

    /// Misbehaves when a game of SAU is over.
    pub(crate) fn end_of_sau(self) -> io::Result<()> {
        if self == Fault::PlayOn {
            say("move AA")?;
        }
        Ok(())
    }

    /// Misbehaves when it does not understand a line.
    pub(crate) fn nonsense(self, line: &str) {
        if self == Fault::DieOfNonsense && !line.trim().is_empty() {
            std::process::exit(8);
        }
    }

    /// Misbehaves where the engine would say `keyword` and `turn`.
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
                for_ever()
            }
            Fault::TwoAnswers => say(format!("{answer}\n{answer}")),
            Fault::Early => say(format!("{answer}\n{keyword} zz99")),
            Fault::Late => {
                sleep(Duration::from_secs(2));
                say(answer)
            }
            Fault::ManyReports => {
                let line = "info depth 7 score cp 1 nodes 1 pv first\n";
                (0..4_000).try_for_each(|_| say_bytes(line.repeat(100).as_bytes()))?;
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
            Fault::Bare => {
                Command::new("/bin/sleep").arg("60").env_clear().spawn()?;
                say(answer)
            }
            Fault::CloseInput => {
                rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
                say(answer)?;
                for_ever()
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
            | Fault::DieAtOnce
            | Fault::NoHandshake
            | Fault::NeverReady
            | Fault::SlowHandshake
            | Fault::SlowSync
            | Fault::Ponder
            | Fault::BeDaemon => say(answer),
            _ => self.end(),
        }
    }

    /// Gives no answer.
    fn end(self) -> io::Result<()> {
        match self {
            Fault::Abort => std::process::abort(),
            Fault::Exit => std::process::exit(0),
            Fault::Silence => for_ever(),
            Fault::StopItself => {
                let own = rustix::process::getpid();
                Ok(rustix::process::kill_process(own, Signal::STOP)?)
            }
            Fault::CloseOutput => {
                rustix::stdio::dup2_stdout(std::fs::File::open("/dev/null")?)?;
                for_ever()
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

/// Starts `count` processes that inherit all pipes.
fn start(count: usize, program: &str, argument: &str) -> io::Result<()> {
    (0..count).try_for_each(|_| Command::new(program).arg(argument).spawn().map(drop))
}

/// Sleeps until the referee ends it.
pub(crate) fn for_ever() -> io::Result<()> {
    sleep(FOR_EVER);
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
