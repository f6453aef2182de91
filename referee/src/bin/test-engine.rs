//! An engine for tests of the referee: plays the first legal turn, and misbehaves on request.
//!
//! It knows games whose turns are one action.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use catalog::Match;
use clap::{Parser, ValueEnum};
use engine_core::Side;
use entry::{sau, ugi};

/// An engine that misbehaves on request.
#[derive(Parser)]
struct Arguments {
    /// What it does wrong.
    #[arg(default_value = "nothing")]
    fault: Fault,
    /// In which of its turns, from 1.
    #[arg(default_value_t = 1)]
    turn: u32,
    /// Speaks SAU instead of UGI.
    #[arg(long)]
    sau: bool,
    /// The game, where the protocol does not say it.
    #[arg(long, default_value = "hex")]
    game: String,
    /// The variant, where the protocol does not say it.
    #[arg(long, default_value = "{}")]
    variant: String,
}

/// What can be wrong with an engine.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Fault {
    /// Nothing at all.
    Nothing,
    /// An illegal turn.
    Illegal,
    /// A turn that is not UTF-8.
    Garbage,
    /// Lines that are not of the protocol, some of them not text, and then a legal turn.
    Chatter,
    /// Ends with SIGABRT.
    Abort,
    /// Ends with status 0.
    Exit,
    /// Does not answer.
    Silence,
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
    /// A child that keeps all pipes open when the engine exits.
    Child,
    /// Lives on after `quit` and the end of its input.
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
}

struct Engine {
    arguments: Arguments,
    /// How often it has been asked.
    asked: u32,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.fault {
        Fault::DieAtOnce => {
            eprintln!("cannot find my book");
            return ExitCode::from(7);
        }
        Fault::NoHandshake => sleep(FOR_EVER),
        _ => {}
    }
    let mut engine = Engine {
        arguments,
        asked: 0,
    };
    // An error means that the referee is gone.
    let _ = match engine.arguments.sau {
        true => engine.speak_sau(),
        false => engine.speak_ugi(),
    };
    if engine.arguments.fault == Fault::Stubborn {
        sleep(FOR_EVER);
    }
    ExitCode::SUCCESS
}

/// Long enough for every test, and no longer than a failed one should leave an engine.
const FOR_EVER: Duration = Duration::from_secs(60);

/// Sleeps until the referee ends it.
fn for_ever() -> io::Result<()> {
    sleep(FOR_EVER);
    Ok(())
}

fn say(line: impl std::fmt::Display) -> io::Result<()> {
    say_bytes(format!("{line}\n").as_bytes())
}

fn say_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()
}

impl Engine {
    fn new_match(&self, game: &str, variant: &str) -> Box<dyn Match> {
        let rules = catalog::find(game).expect("the test names a game");
        let variant = serde_json::from_str(variant).expect("the test gives a JSON variant");
        rules.start(&variant).expect("the test gives a variant")
    }

    fn speak_ugi(&mut self) -> io::Result<()> {
        let mut game = self.arguments.game.clone();
        let mut variant = self.arguments.variant.clone();
        let mut position = self.new_match(&game, &variant);
        for line in io::stdin().lock().lines() {
            match ugi::Command::parse(&line?) {
                Ok(ugi::Command::Ugi) => {
                    if self.arguments.fault == Fault::SlowHandshake {
                        sleep(Duration::from_secs(6));
                    }
                    say("id name test engine\noption name Game type string default hex")?;
                    say("option name Variant type string default {}\nugiok")?;
                }
                Ok(ugi::Command::SetOption { name, value }) if name == "Game" => game = value,
                Ok(ugi::Command::SetOption { name, value }) if name == "Variant" => variant = value,
                Ok(ugi::Command::IsReady) if self.arguments.fault == Fault::NeverReady => {
                    for_ever()?;
                }
                Ok(ugi::Command::IsReady) => say("readyok")?,
                Ok(ugi::Command::Position { moves, .. }) => {
                    position = self.new_match(&game, &variant);
                    position
                        .play_words(&moves.join(" "))
                        .expect("the referee sends legal turns");
                }
                Ok(ugi::Command::Go(_)) => {
                    say("info depth 1 score cp 5 nodes 10 pv first")?;
                    let turn = position.actions().remove(0);
                    self.answer("bestmove", &turn)?;
                }
                Ok(ugi::Command::Quit) => break,
                _ => {}
            }
        }
        Ok(())
    }

    fn speak_sau(&mut self) -> io::Result<()> {
        let (game, variant) = (&self.arguments.game, &self.arguments.variant);
        let colours = catalog::find(game).map_or([""; 2], |game| game.colours());
        let mut position = self.new_match(game, variant);
        let mut side = None;
        for line in io::stdin().lock().lines() {
            match sau::Command::parse(&line?) {
                Some(sau::Command::Name) => say("name test engine")?,
                Some(sau::Command::New(colour)) => {
                    side = Some(Side::BOTH[usize::from(colour == colours[1])]);
                }
                Some(sau::Command::Move(turn)) => {
                    let played = position.play_sau_turn(&turn);
                    played.expect("the referee sends legal turns");
                }
                Some(sau::Command::Dice(face)) => {
                    position.roll(face).expect("the referee rolls in time");
                }
                Some(sau::Command::Quit) => break,
                _ => continue,
            }
            let over = position.outcome().is_some();
            if side == Some(position.side()) && !over && !position.roll_due() {
                self.play_sau(&mut *position)?;
            }
        }
        Ok(())
    }

    fn play_sau(&mut self, position: &mut dyn Match) -> io::Result<()> {
        let turn = position.actions().remove(0);
        let played = position
            .play_turn(&turn)
            .expect("an action is a turn in the games of the tests");
        self.answer("move", &played.sau)
    }

    /// Answers a question, unless this is the turn to misbehave.
    fn answer(&mut self, keyword: &str, turn: &str) -> io::Result<()> {
        self.asked += 1;
        let answer = format!("{keyword} {turn}");
        if self.asked != self.arguments.turn {
            return say(answer);
        }
        match self.arguments.fault {
            Fault::Illegal => say(format!("{keyword} zz99")),
            Fault::Garbage => {
                say_bytes(b"\xff\x00\xfe\n")?;
                say_bytes(&[keyword.as_bytes(), b" \xc3\x28\xff\n"].concat())
            }
            Fault::Chatter => {
                say_bytes(b"\n\r\n\xff\xfe\x00 hello\ninfo depth many\nbest move\n move\n")?;
                say(answer)
            }
            Fault::Abort => std::process::abort(),
            Fault::Exit => std::process::exit(0),
            Fault::Silence => for_ever(),
            Fault::Late => {
                sleep(Duration::from_secs(2));
                say(answer)
            }
            Fault::CloseOutput => {
                rustix::stdio::dup2_stdout(std::fs::File::open("/dev/null")?)?;
                for_ever()
            }
            Fault::CloseInput => {
                rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
                say(answer)?;
                for_ever()
            }
            Fault::LongLine => loop {
                say_bytes(&[b'x'; 4096])?;
            },
            Fault::Flood => loop {
                say("info depth 1 score cp 1 nodes 1 pv first")?;
            },
            Fault::ManyReports => {
                let line = "info depth 7 score cp 1 nodes 1 pv first\n";
                (0..4_000).try_for_each(|_| say_bytes(line.repeat(100).as_bytes()))?;
                say(answer)
            }
            Fault::HalfLine => {
                say_bytes(&answer.as_bytes()[..6])?;
                for_ever()
            }
            Fault::ErrorFlood => loop {
                eprintln!("something is very wrong");
            },
            Fault::TwoAnswers => say(format!("{answer}\n{answer}")),
            Fault::Child => {
                std::process::Command::new("sleep").arg("60").spawn()?;
                std::process::exit(3)
            }
            Fault::Resign => say(format!("{keyword} resign")),
            Fault::Nothing
            | Fault::Stubborn
            | Fault::DieAtOnce
            | Fault::NoHandshake
            | Fault::NeverReady
            | Fault::SlowHandshake => say(answer),
        }
    }
}
