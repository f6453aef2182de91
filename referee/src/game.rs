//! The game loop: two engines, one clock each, one rule book.
//!
//! The rules are the referee's own. Engines are asked for turns and believed in nothing.

mod turn;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use catalog::{Match, Rules};
use engine_core::{Side, StopFlag};
use jiff::Timestamp;

use self::turn::Answered;
use crate::adjudication::{self, Judge, Verdict};
use crate::clock::{self, Clock};
use crate::deviation::Deviations;
use crate::dice::Dice;
use crate::opening;
use crate::process::{self, Failure, Until};
use crate::protocol::{self, Driver, History, Question, Setup};
use crate::record::{EngineRecord, GameRecord, GameResult, Reason, SCHEMA, TurnRecord};
use crate::task::{EngineSpec, GameTask};
use crate::waiting::Waiting;

/// How long an engine may take to introduce itself and to get ready to play. Each engine has its
/// own: a slow one takes nothing from the other.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// How long an engine may take to end after `quit`.
pub const QUIT_GRACE: Duration = Duration::from_secs(1);

/// The same after a game that an engine has spoiled.
pub const SPOILED_GRACE: Duration = Duration::from_millis(300);

/// How often a search for a proof looks whether the referee is being stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// Both engines of a game, `First` first.
type Engines = [Box<dyn Driver>; 2];

/// Why a game does not go on.
enum Trouble {
    /// A side loses, for a reason and in words.
    Loss(Side, Reason, String),
    /// The referee is being stopped.
    Stopped,
}

/// Starts both engines, has them play one game, and ends them. `None` if `stop` was set before the
/// game was over.
///
/// The calling thread must not end before the game does: on Linux its engines die with it.
///
/// # Panics
/// If the task names a game, a variant or an opening that the catalogue does not have: the plan
/// has checked them.
pub fn play(task: &GameTask, stop: &AtomicBool) -> Option<GameRecord> {
    play_observed(task, stop, &mut Waiting::default(), &mut |_| {})
}

/// As [`play`]; engines that stay for their next game are taken from those that are `waiting`, and
/// wait there afterwards, and `observe` hears of every turn and roll, in order, between turns, where
/// no clock runs.
///
/// # Panics
/// As for [`play`].
pub fn play_observed(
    task: &GameTask,
    stop: &AtomicBool,
    waiting: &mut Waiting,
    observe: &mut dyn FnMut(&TurnRecord),
) -> Option<GameRecord> {
    let started = Timestamp::now();
    let begun = Instant::now();
    let mut table = Table::new(task, stop, observe);
    let mut heard = [Heard::default(), Heard::default()];
    let mut handshakes = Side::BOTH.map(|side| Handshake::new(side, stop));
    let played = seat(task, waiting, &mut handshakes).and_then(|mut engines| {
        let played = table.play(&mut engines, &mut handshakes);
        heard = engines.each_mut().map(|engine| Heard {
            version: engine.version().to_owned(),
            deviations: engine.deviations(),
        });
        match played {
            Ok(_) => table.dismiss(engines, QUIT_GRACE, Some(waiting)),
            Err(Trouble::Loss(..)) => table.dismiss(engines, SPOILED_GRACE, None),
            Err(Trouble::Stopped) => {}
        }
        played
    });
    let verdict = match played {
        Ok(verdict) => verdict,
        Err(Trouble::Loss(side, reason, detail)) => Verdict {
            result: GameResult::loss_of(side),
            reason,
            detail,
        },
        Err(Trouble::Stopped) => return None,
    };
    let [first, second] = heard;
    Some(GameRecord {
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
        first: engine_record(&task.first, first),
        second: engine_record(&task.second, second),
        clock: task.clock,
        carried_us: task.carried_us,
        adjudication: task.adjudication,
        started,
        duration_ms: begun.elapsed().as_millis() as u64,
        turns: table.turns,
        result: verdict.result,
        reason: verdict.reason,
        detail: verdict.detail,
        host: rustix::system::uname().nodename().to_string_lossy().into(),
        imported: String::new(),
    })
}

/// Starts both engines, as far as they do not wait, and has them introduce themselves. If neither
/// can, `First` has lost.
fn seat(
    task: &GameTask,
    waiting: &mut Waiting,
    handshakes: &mut [Handshake; 2],
) -> Result<Engines, Trouble> {
    waiting.keep_for([&task.first, &task.second]);
    let mut start = |side, spec: &EngineSpec| {
        let label = format!("{} {}", task.id, spec.name);
        if let Some(mut engine) = waiting.take(spec) {
            engine.name(label);
            return Ok((engine, true));
        }
        let started = protocol::start(spec, label).map(|engine| (engine, false));
        started.map_err(|failure| before_game(side, failure))
    };
    let first = start(Side::First, &task.first)?;
    let second = start(Side::Second, &task.second)?;
    let mut engines = [first, second];
    for ((engine, introduced), handshake) in engines.iter_mut().zip(handshakes) {
        if !*introduced {
            handshake.step(|until| engine.introduce(until))?;
        }
    }
    Ok(engines.map(|(engine, _)| engine))
}

/// What is left to an engine of the time to get ready.
struct Handshake<'a> {
    side: Side,
    left: Duration,
    stop: &'a AtomicBool,
}

impl Handshake<'_> {
    fn new(side: Side, stop: &AtomicBool) -> Handshake<'_> {
        Handshake {
            side,
            left: HANDSHAKE,
            stop,
        }
    }

    /// Has the engine do a part of it, and takes the time from what is left.
    fn step(&mut self, part: impl FnOnce(Until<'_>) -> Result<(), Failure>) -> Result<(), Trouble> {
        let begun = Instant::now();
        let until = Until {
            deadline: begun + self.left,
            stop: self.stop,
        };
        part(until).map_err(|failure| before_game(self.side, failure))?;
        self.left = self.left.saturating_sub(begun.elapsed());
        Ok(())
    }
}

/// A game in progress.
struct Table<'a> {
    rules: &'static dyn Rules,
    task: &'a GameTask,
    stop: &'a AtomicBool,
    game: Box<dyn Match>,
    dice: Dice,
    clocks: [Clock; 2],
    judge: Judge,
    history: History,
    turns: Vec<TurnRecord>,
    observe: &'a mut dyn FnMut(&TurnRecord),
}

impl Table<'_> {
    fn new<'a>(
        task: &'a GameTask,
        stop: &'a AtomicBool,
        observe: &'a mut dyn FnMut(&TurnRecord),
    ) -> Table<'a> {
        let rules = catalog::find(&task.game).expect("the plan has checked the game");
        let game = opening::begin(rules, &task.variant, &task.opening)
            .expect("the plan has checked variant and opening");
        Table {
            rules,
            task,
            stop,
            game,
            dice: Dice::new(task.seed),
            clocks: clock::both(&task.clocks(), task.carried_us),
            judge: Judge::new(task.adjudication),
            history: History::new(&task.opening),
            turns: Vec::new(),
            observe,
        }
    }

    /// Plays the game between engines that have introduced themselves.
    fn play(
        &mut self,
        engines: &mut Engines,
        handshakes: &mut [Handshake; 2],
    ) -> Result<Verdict, Trouble> {
        let specs = [&self.task.first, &self.task.second];
        for ((engine, spec), handshake) in engines.iter_mut().zip(specs).zip(handshakes) {
            let setup = Setup {
                rules: self.rules,
                variant: &self.task.variant,
                side: handshake.side,
                opening: &self.task.opening,
                options: &spec.options,
            };
            handshake.step(|until| engine.new_game(&setup, until))?;
        }
        self.pause_all(engines, true);
        loop {
            if let Some(outcome) = self.game.outcome() {
                return Ok(Verdict {
                    result: outcome.into(),
                    reason: Reason::Rules,
                    detail: self.game.ending().into(),
                });
            }
            if self.game.roll_due() {
                self.roll();
            } else {
                self.turn(&mut *engines[self.game.side().index()])?;
                if let Some(verdict) = self.adjudicate(engines) {
                    return Ok(verdict);
                }
            }
        }
    }

    /// Casts the die.
    fn roll(&mut self) {
        let face = self.dice.roll(self.game.faces());
        self.game
            .roll(face)
            .expect("a roll is due, and the face is of the game's die");
        let text = format!("d{face}");
        self.history.push(&text);
        self.add(TurnRecord {
            side: self.game.side().into(),
            text,
            used_us: 0,
            left_us: None,
            info: None,
            refused: Vec::new(),
        });
    }

    /// Has the engine of the side to move play its turn.
    fn turn(&mut self, engine: &mut dyn Driver) -> Result<(), Trouble> {
        let side = self.game.side();
        let question = Question {
            history: &self.history,
            go: &clock::go(&self.clocks, side),
            patience: self.clocks[side.index()].patience(),
            stop: self.stop,
        };
        let specs = [&self.task.first, &self.task.second];
        let retries = specs[side.index()].retries;
        let clock = &mut self.clocks[side.index()];
        if self.task.pause_opponent {
            engine.pause(false);
        }
        let answered = turn::ask(engine, &question, &mut *self.game, clock, retries);
        if self.task.pause_opponent {
            engine.pause(true);
        }
        let Answered {
            turn,
            used,
            info,
            refused,
        } = answered?;
        let score = info.as_ref().and_then(|info| info.score.as_deref());
        self.judge.turn(side, score);
        let left_us = clock.left().map(|left| left.as_micros() as u64);
        self.history.push(&turn);
        self.add(TurnRecord {
            side: side.into(),
            text: turn,
            used_us: used.as_micros() as u64,
            left_us,
            info,
            refused,
        });
        Ok(())
    }

    /// Adds a turn or roll to the record.
    fn add(&mut self, turn: TurnRecord) {
        (self.observe)(&turn);
        self.turns.push(turn);
    }

    /// Whether the game is to be ended after a turn that has not ended it.
    fn adjudicate(&self, engines: &Engines) -> Option<Verdict> {
        if self.game.outcome().is_some() {
            return None;
        }
        let found = self.judge.verdict();
        found.or_else(|| self.proof(engines, self.judge.proof_due()?))
    }

    /// Looks for a proof, while neither engine can think; gives up when the referee is being stopped.
    fn proof(&self, engines: &Engines, nodes: u64) -> Option<Verdict> {
        engines.iter().for_each(|engine| engine.pause(true));
        let verdict = self.prove(nodes);
        if !self.task.pause_opponent {
            engines.iter().for_each(|engine| engine.pause(false));
        }
        verdict
    }

    fn prove(&self, nodes: u64) -> Option<Verdict> {
        let (flag, stop) = (&StopFlag::default(), self.stop);
        thread::scope(|scope| {
            let (found, looking) = mpsc::channel::<()>();
            scope.spawn(move || {
                // The search has ended when its end of the channel is gone.
                while looking.recv_timeout(STOP_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    if stop.load(Ordering::Relaxed) {
                        return flag.stop();
                    }
                }
            });
            let proof = self.game.prove(nodes, flag);
            drop(found);
            proof.map(adjudication::proven)
        })
    }

    /// Stops both engines, or has them go on, if the task asks for it.
    fn pause_all(&self, engines: &Engines, pause: bool) {
        if self.task.pause_opponent {
            engines.iter().for_each(|engine| engine.pause(pause));
        }
    }

    /// Tells both engines that it is over, and ends them, but for those that may wait for another
    /// game.
    fn dismiss(&self, engines: Engines, grace: Duration, mut waiting: Option<&mut Waiting>) {
        self.pause_all(&engines, false);
        let deadline = Instant::now() + grace;
        let mut leaving = Vec::new();
        for (mut engine, spec) in engines
            .into_iter()
            .zip([&self.task.first, &self.task.second])
        {
            engine.game_over(&self.history);
            match &mut waiting {
                Some(waiting) if spec.keep => waiting.add(spec, engine),
                _ => {
                    engine.quit();
                    leaving.push(engine);
                }
            }
        }
        for engine in leaving {
            engine.end(deadline);
        }
    }
}

/// What a game has shown of an engine.
#[derive(Default)]
struct Heard {
    /// What it calls itself.
    version: String,
    deviations: Deviations,
}

fn engine_record(spec: &EngineSpec, heard: Heard) -> EngineRecord {
    EngineRecord {
        name: spec.name.clone(),
        command: spec.command.clone(),
        protocol: spec.protocol.name().into(),
        version: heard.version,
        options: spec.options.clone(),
        clock: spec.clock,
        retries: spec.retries,
        unconfined: process::unconfined(spec),
        deviations: heard.deviations,
    }
}

/// What a failure means before the game begins.
fn before_game(side: Side, failure: Failure) -> Trouble {
    let reason = match failure {
        Failure::Start(_) | Failure::Late | Failure::LongLine => Reason::Stall,
        Failure::Exit { .. } => Reason::Crash,
        Failure::Closed(_) => Reason::Disconnect,
        Failure::Stopped => return Trouble::Stopped,
    };
    let detail = match failure {
        Failure::Late => format!("not ready to play within {} s", HANDSHAKE.as_secs()),
        other => format!("before the game: {other}"),
    };
    Trouble::Loss(side, reason, detail)
}
