//! An engine for tests of the referee: plays the first legal turn and misbehaves on request.
//!
//! It supports games whose turns are one action.

mod fault;
mod trespass;

use std::io::{self, BufRead};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use catalog::{AnyMatch, Match};
use clap::Parser;
use engine_core::Side;
use game::turn::Told;
use protocol::Protocol;
use protocol::sau;
use protocol::ugi;

use fault::{FOREVER, Fault, PONDERED, say, sleep_forever};

/// An engine that misbehaves on request.
#[derive(Parser)]
struct Arguments {
    /// The fault
    #[arg(default_value = "nothing")]
    fault: Fault,
    /// In which of its turns the fault occurs, from 1
    #[arg(default_value_t = 1)]
    turn: u32,
    /// The file that it writes to
    _file: Option<String>,
    /// Speak SAU instead of UGI
    #[arg(long)]
    sau: bool,
    /// The game, if the protocol does not name it
    #[arg(long, default_value = "hex")]
    game: String,
    /// The scores that it reports, one per turn, such as "cp 5,win 3"; the last one is repeated
    #[arg(long, default_value = "cp 5", value_delimiter = ',')]
    scores: Vec<String>,
    /// The variant, if the protocol does not send it
    #[arg(long, default_value = "{}")]
    variant: String,
}

struct Engine {
    arguments: Arguments,
    /// How many turns it has been asked for.
    asked: u32,
    /// How many games have begun.
    games: u32,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut engine = Engine {
        arguments,
        asked: 0,
        games: 0,
    };
    // An error means that the referee has closed the pipes.
    let _ = engine.run();
    match engine.arguments.fault {
        Fault::Stubborn => sleep(FOREVER),
        Fault::SlowQuit => sleep(Duration::from_millis(1500)),
        Fault::BadStatus => return ExitCode::from(3),
        _ => {}
    }
    ExitCode::SUCCESS
}

impl Engine {
    fn run(&mut self) -> io::Result<()> {
        self.arguments.fault.begin()?;
        if self.arguments.sau {
            self.speak_sau()
        } else {
            self.speak_ugi()
        }
    }

    fn new_match(&self, game: &str, variant: &str) -> Box<dyn AnyMatch> {
        let rules = catalog::find(game).expect("the test names a game");
        let variant = serde_json::from_str(variant).expect("the test gives a JSON variant");
        rules.start(&variant).expect("the test gives a variant")
    }

    fn speak_ugi(&mut self) -> io::Result<()> {
        let mut game = self.arguments.game.clone();
        let mut variant = self.arguments.variant.clone();
        let mut position = self.new_match(&game, &variant);
        // The turn for an infinite search.
        let mut waiting = None;
        for line in io::stdin().lock().lines() {
            let line = line?;
            match ugi::Command::parse(&line) {
                Ok(ugi::Command::Ugi) => self.introduce()?,
                Ok(ugi::Command::SetOption { name, value }) => match &*name {
                    "Game" => game = value,
                    "Variant" => variant = value,
                    _ => self.arguments.fault.option(&value),
                },
                Ok(ugi::Command::NewGame) => self.new_game(),
                Ok(ugi::Command::IsReady) if self.arguments.fault == Fault::NeverReady => {
                    sleep_forever()?;
                }
                Ok(ugi::Command::IsReady) => {
                    self.delay_answer();
                    say("readyok")?;
                }
                Ok(ugi::Command::Position { fen, moves }) => {
                    position = self.new_match(&game, &variant);
                    if let Some(fen) = fen {
                        position = self.open(&game, &variant, &fen);
                    }
                    position
                        .play_words(&moves.join(" "))
                        .expect("the referee sends legal turns");
                }
                Ok(ugi::Command::Go(go)) => {
                    let depth = PONDERED.load(Ordering::Relaxed);
                    let scores = &self.arguments.scores;
                    let score = &scores[(self.asked as usize).min(scores.len() - 1)];
                    say(format!(
                        "info depth {depth} score {score} nodes 10 pv first"
                    ))?;
                    if position.outcome().is_some() {
                        self.arguments.fault.end_of_game();
                        say("bestmove none")?;
                        continue;
                    }
                    let turn = position.actions().remove(0);
                    if go.infinite {
                        waiting = Some(turn);
                    } else {
                        self.answer("bestmove", &turn)?;
                    }
                }
                Ok(ugi::Command::Stop) => {
                    if let Some(turn) = waiting.take() {
                        self.arguments.fault.stop();
                        self.answer("bestmove", &turn)?;
                    }
                }
                Ok(ugi::Command::Quit) => break,
                Ok(ugi::Command::Query(_)) => {}
                Err(_) => self.arguments.fault.nonsense(&line),
            }
        }
        Ok(())
    }

    /// Answers `ugi`.
    fn introduce(&self) -> io::Result<()> {
        let fault = self.arguments.fault;
        if fault == Fault::SlowHandshake {
            let marked = std::fs::File::create_new("started").map_err(|error| error.kind());
            if marked.err() != Some(io::ErrorKind::AlreadyExists) {
                sleep(Duration::from_secs(6));
            }
        }
        self.delay_answer();
        if fault != Fault::NoName {
            say("id name test engine\nid author the tests")?;
        }
        say("option name Game type string default hex")?;
        say("option name Variant type string default {}")?;
        match fault {
            Fault::BadOption => say("option name table type spin default 9 min 0 max 8")?,
            Fault::DieOfBound => say("option name table type spin default 1 min 0 max 8")?,
            _ => {}
        }
        say("ugiok")
    }

    /// Starts a game.
    fn new_game(&mut self) {
        self.games += 1;
        if self.arguments.fault == Fault::OneGame && self.games > 1 {
            std::process::exit(5);
        }
    }

    fn open(&self, game: &str, variant: &str, fen: &str) -> Box<dyn AnyMatch> {
        let rules = catalog::find(game).expect("the test names a game");
        let variant = serde_json::from_str(variant).expect("the test gives a JSON variant");
        let position = rules.open(&variant, fen);
        position.expect("the referee sends positions")
    }

    fn speak_sau(&mut self) -> io::Result<()> {
        let (game, variant) = (self.arguments.game.clone(), self.arguments.variant.clone());
        let (game, variant) = (&*game, &*variant);
        let colours = catalog::find(game).map_or([""; 2], |game| game.sau_colours());
        let mut position = self.new_match(game, variant);
        let mut side = None;
        for line in io::stdin().lock().lines() {
            let line = line?;
            match sau::Command::parse(&line) {
                Some(sau::Command::Name) if self.arguments.fault == Fault::NoName => {}
                Some(sau::Command::Name) => {
                    self.delay_answer();
                    say("name test engine")?;
                }
                Some(sau::Command::New(colour)) => {
                    self.new_game();
                    position = self.new_match(game, variant);
                    side = Some(Side::BOTH[usize::from(colour == colours[1])]);
                }
                Some(sau::Command::Move(turn)) => {
                    let played = position.play_turn_in(Protocol::Sau, &turn);
                    played.expect("the referee sends legal turns");
                }
                Some(sau::Command::Dice(face)) => {
                    position.roll(face).expect("the referee rolls in time");
                }
                Some(sau::Command::End) => {
                    side = None;
                    self.arguments.fault.end_of_sau()?;
                }
                Some(sau::Command::Quit) => break,
                Some(sau::Command::Error) => continue,
                None => {
                    self.arguments.fault.nonsense(&line);
                    continue;
                }
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
        let events = position.follow(Protocol::Sau, &[&turn]);
        let event = events.expect("an action is legal").pop();
        let (_, text) = event.and_then(Told::turn).expect("no roll is due");
        self.answer("move", &text)
    }

    /// Answers a question, with the fault if it is due in this turn.
    fn answer(&mut self, keyword: &str, turn: &str) -> io::Result<()> {
        self.asked += 1;
        let Arguments {
            fault, turn: when, ..
        } = self.arguments;
        if self.asked == when {
            fault.answer(keyword, turn)
        } else if fault == Fault::Early && self.asked == when + 1 {
            sleep_forever()
        } else {
            say(format!("{keyword} {turn}"))
        }
    }

    /// Delays an answer that is not a turn, if that is the fault.
    fn delay_answer(&self) {
        if self.arguments.fault == Fault::SlowSync {
            sleep(Duration::from_secs(1));
        }
    }
}
