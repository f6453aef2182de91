//! An engine for tests of the referee: plays the first legal turn, and misbehaves on request.
//!
//! It knows games whose turns are one action.

mod fault;
mod trespass;

use std::io::{self, BufRead};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use catalog::Match;
use clap::Parser;
use engine_core::Side;
use entry::{sau, ugi};

use fault::{FOR_EVER, Fault, PONDERED, for_ever, say};

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

struct Engine {
    arguments: Arguments,
    /// How often it has been asked.
    asked: u32,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut engine = Engine {
        arguments,
        asked: 0,
    };
    // An error means that the referee is gone.
    let _ = engine.run();
    if engine.arguments.fault == Fault::Stubborn {
        sleep(FOR_EVER);
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
                    self.synchronise();
                    say("id name test engine\noption name Game type string default hex")?;
                    say("option name Variant type string default {}\nugiok")?;
                }
                Ok(ugi::Command::SetOption { name, value }) if name == "Game" => game = value,
                Ok(ugi::Command::SetOption { name, value }) if name == "Variant" => variant = value,
                Ok(ugi::Command::IsReady) if self.arguments.fault == Fault::NeverReady => {
                    for_ever()?;
                }
                Ok(ugi::Command::IsReady) => {
                    self.synchronise();
                    say("readyok")?;
                }
                Ok(ugi::Command::Position { moves, .. }) => {
                    position = self.new_match(&game, &variant);
                    position
                        .play_words(&moves.join(" "))
                        .expect("the referee sends legal turns");
                }
                Ok(ugi::Command::Go(_)) => {
                    let depth = PONDERED.load(Ordering::Relaxed);
                    say(format!("info depth {depth} score cp 5 nodes 10 pv first"))?;
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
                Some(sau::Command::Name) => {
                    self.synchronise();
                    say("name test engine")?;
                }
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
        let Arguments {
            fault, turn: when, ..
        } = self.arguments;
        if self.asked == when {
            fault.answer(keyword, turn)
        } else if fault == Fault::Early && self.asked == when + 1 {
            for_ever()
        } else {
            say(format!("{keyword} {turn}"))
        }
    }

    /// Takes its time where it is not asked for a turn.
    fn synchronise(&self) {
        if self.arguments.fault == Fault::SlowSync {
            sleep(Duration::from_secs(1));
        }
    }
}
