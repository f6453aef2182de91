//! The game loop: two engines, one clock each, one rule book.
//!
//! The rules are the referee's own; nothing that an engine writes is trusted.

mod idle;
mod pausing;
pub mod trial;
pub mod turn;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use catalog::{AnyMatch, Rules};
use engine_core::{Side, StopFlag};
use engine_process::deviation::Deviations;
use engine_process::driver::{self, Driver, History, Question, Setup};
use engine_process::process::{self, Delayed, Failure, Until};
use engine_process::{QUIT_GRACE, SPOILED_GRACE, START_UP};
use gamelog::record::{
    EngineRecord, GameRecord, GameResult, Reason, SCHEMA, TurnRecord, WaitRecord,
};
use jiff::Timestamp;
use task::clock::{self, Clock};
use task::dice::Dice;
use task::opening;
use task::{EngineSpec, GameTask};

use self::idle::{Idle, Reading};
use self::pausing::Pausing;
use self::turn::Answered;
use crate::play::adjudicator::{self, Adjudicator, Verdict};
use crate::play::pauses::Pauses;
use crate::play::waiting::Waiting;

/// How often a proof search checks whether the referee is stopping.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// Both engines of a game, `First` first.
type Engines = [Box<dyn Driver>; 2];

/// Why a game ends early.
pub enum EarlyEnd {
    /// A side loses, with the reason and its description.
    Loss(Side, Reason, String),
    /// The referee is being stopped.
    Stopped,
    /// The referee was paused for this long, so clocks mean nothing.
    Paused(Duration),
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// What happened.
    pub record: GameRecord,
    /// If it ended by a fault of an engine that was running: the last lines between that engine and the
    /// referee, and what it wrote to standard error.
    pub conversation: Option<String>,
}

/// Why a game has no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplayed {
    /// The referee is being stopped.
    Stopped,
    /// The game is void, because the referee was paused for this long in it.
    Void(Duration),
}

/// Starts both engines, plays one game, and ends the engines. `None` if `stop` was set before the
/// game was over, or if the game is void.
///
/// The calling thread must outlive the game: on Linux its engines may be killed when it ends.
///
/// # Panics
/// If the task names a game, variant or opening that does not exist: the plan has checked them.
pub fn play(task: &GameTask, stop: &AtomicBool) -> Option<GameRecord> {
    play_observed(task, stop, &mut Waiting::default(), &mut |_| {})
        .ok()
        .map(|played| played.record)
}

/// Like [`play`], but takes running engines from `waiting` and returns those that stay for their
/// next game. `observe` is called with every turn and roll, in order, between turns, when no clock
/// runs.
///
/// # Errors
/// The game was not played to its end.
///
/// # Panics
/// Like [`play`].
pub fn play_observed(
    task: &GameTask,
    stop: &AtomicBool,
    waiting: &mut Waiting,
    observe: &mut dyn FnMut(&TurnRecord),
) -> Result<Played, Unplayed> {
    let started = Timestamp::now();
    let begun = Instant::now();
    let mut game = Game::new(task, stop, observe);
    let mut observed = [Observed::default(), Observed::default()];
    let specs = [(Side::First, &task.first), (Side::Second, &task.second)];
    let mut handshakes = specs.map(|(side, spec)| Handshake::new(side, spec, stop));
    let mut conversation = None;
    let started_engines = start_engines(task, waiting, &mut handshakes, &mut conversation);
    let started_engines = game.unless_paused(started_engines);
    let played = started_engines.and_then(|mut engines| {
        let played = game.play(&mut engines, &mut handshakes);
        let (waits, played) = game.end_of_waits(&engines, played);
        let mut waits = waits.into_iter();
        let played = game.unless_paused(played);
        if let Err(EarlyEnd::Loss(side, reason, _)) = &played
            && reason.is_fault()
        {
            conversation = said(&mut *engines[side.index()]);
        }
        observed = engines.each_mut().map(|engine| Observed {
            version: engine.version().to_owned(),
            deviations: engine.deviations(),
            wait: waits.next().flatten(),
        });
        match played {
            Ok(_) => game.end(engines, QUIT_GRACE, Some(waiting)),
            Err(EarlyEnd::Loss(..)) => game.end(engines, SPOILED_GRACE, None),
            Err(EarlyEnd::Stopped | EarlyEnd::Paused(_)) => {}
        }
        played
    });
    let verdict = match played {
        Ok(verdict) => verdict,
        Err(EarlyEnd::Loss(side, reason, detail)) => Verdict {
            result: GameResult::loss_of(side),
            reason,
            detail,
        },
        Err(EarlyEnd::Stopped) => return Err(Unplayed::Stopped),
        Err(EarlyEnd::Paused(time)) => return Err(Unplayed::Void(time)),
    };
    let [first, second] = observed;
    let engines = [
        engine_record(&task.first, first),
        engine_record(&task.second, second),
    ];
    let record = GameRecord {
        duration_ms: begun.elapsed().as_millis() as u64,
        turns: game.turns,
        result: verdict.result,
        reason: verdict.reason,
        detail: verdict.detail,
        ..planned(task, engines, started)
    };
    Ok(Played {
        record,
        conversation,
    })
}

/// The conversation with an engine.
fn said(engine: &mut dyn Driver) -> Option<String> {
    Some(engine.process_mut()?.conversation())
}

/// Starts the engines that are not waiting, and runs their handshakes. If neither can start,
/// `First` loses; `conversation` is then that with the engine that loses.
fn start_engines(
    task: &GameTask,
    waiting: &mut Waiting,
    handshakes: &mut [Handshake; 2],
    conversation: &mut Option<String>,
) -> Result<Engines, EarlyEnd> {
    waiting.keep_for([&task.first, &task.second]);
    let mut start = |side, spec: &EngineSpec| {
        let label = format!("{} {}", task.id, spec.name);
        if let Some(mut engine) = waiting.take(spec) {
            engine.name(label);
            return Ok((engine, true));
        }
        let started = driver::start(spec, label).map(|engine| (engine, false));
        started.map_err(|failure| start_failure(side, failure))
    };
    let first = start(Side::First, &task.first)?;
    let second = start(Side::Second, &task.second)?;
    let mut engines = [first, second];
    for ((engine, introduced), handshake) in engines.iter_mut().zip(handshakes) {
        if !*introduced {
            let introduced = handshake.step(|until| engine.introduce(until));
            if introduced.is_err() {
                *conversation = said(&mut **engine);
            }
            introduced?;
        }
    }
    Ok(engines.map(|(engine, _)| engine))
}

/// An engine's remaining time for its handshake and preparation.
pub struct Handshake<'a> {
    side: Side,
    allowed: Duration,
    left: Duration,
    stop: &'a AtomicBool,
}

impl Handshake<'_> {
    /// All of the time of this engine, which plays `side`.
    pub fn new<'a>(side: Side, spec: &EngineSpec, stop: &'a AtomicBool) -> Handshake<'a> {
        let allowed = spec.start_up.unwrap_or(START_UP);
        Handshake {
            side,
            allowed,
            left: allowed,
            stop,
        }
    }

    /// Runs one step and subtracts its time.
    pub fn step(
        &mut self,
        part: impl FnOnce(Until<'_>) -> Result<(), Failure>,
    ) -> Result<(), EarlyEnd> {
        let begun = Instant::now();
        let until = Until::new(begun + self.left, self.stop);
        part(until).map_err(|failure| match failure {
            Failure::Late => {
                let allowed = self.allowed.as_secs_f64();
                let detail = format!("not ready to play within {allowed} s");
                EarlyEnd::Loss(self.side, Reason::Stall, detail)
            }
            other => start_failure(self.side, other),
        })?;
        self.left = self.left.saturating_sub(begun.elapsed());
        Ok(())
    }
}

/// A game in progress.
struct Game<'a> {
    rules: &'static dyn Rules,
    task: &'a GameTask,
    stop: &'a AtomicBool,
    game: Box<dyn AnyMatch>,
    dice: Dice,
    clocks: [Clock; 2],
    adjudicator: Adjudicator,
    history: History,
    turns: Vec<TurnRecord>,
    observe: &'a mut dyn FnMut(&TurnRecord),
    /// The pauses of the referee before the game.
    pauses: Pauses,
    idle: Idle,
    pausing: Pausing,
}

impl Game<'_> {
    fn new<'a>(
        task: &'a GameTask,
        stop: &'a AtomicBool,
        observe: &'a mut dyn FnMut(&TurnRecord),
    ) -> Game<'a> {
        let rules = catalog::find(&task.game).expect("the plan has checked the game");
        let game = opening::begin(rules, &task.variant, &task.opening)
            .expect("the plan has checked variant and opening");
        Game {
            rules,
            task,
            stop,
            game,
            dice: Dice::new(task.dice.unwrap_or(task.seed)),
            clocks: clock::both(&task.clocks(), task.carried_us),
            adjudicator: Adjudicator::new(task.adjudication),
            history: History::new(&task.opening),
            turns: Vec::new(),
            observe,
            pauses: Pauses::so_far(),
            idle: Idle::new(task.idle_cpu),
            pausing: Pausing::new(task.pause_opponent),
        }
    }

    /// The result of a step of the game, unless the referee was paused during the game.
    fn unless_paused<T>(&self, result: Result<T, EarlyEnd>) -> Result<T, EarlyEnd> {
        match Pauses::so_far().since(self.pauses) {
            Some(time) if !matches!(result, Err(EarlyEnd::Stopped)) => Err(EarlyEnd::Paused(time)),
            _ => result,
        }
    }

    /// Plays the game; the handshakes are done.
    fn play(
        &mut self,
        engines: &mut Engines,
        handshakes: &mut [Handshake; 2],
    ) -> Result<Verdict, EarlyEnd> {
        let specs = [&self.task.first, &self.task.second];
        for ((engine, spec), handshake) in engines.iter_mut().zip(specs).zip(handshakes) {
            let setup = self.setup(spec, handshake.side);
            handshake.step(|until| engine.new_game(&setup, until))?;
        }
        self.idle.begin(engines);
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
                self.turn(engines)?;
                if let Some(verdict) = self.adjudicate(engines) {
                    return Ok(verdict);
                }
            }
        }
    }

    /// What both engines have used since their last turns, and the end of the game with what follows
    /// from that: also a game that was lost on time, which the other engine may have taken. Other faults
    /// stay what they are.
    fn end_of_waits(
        &mut self,
        engines: &Engines,
        played: Result<Verdict, EarlyEnd>,
    ) -> ([Option<WaitRecord>; 2], Result<Verdict, EarlyEnd>) {
        let thinking = played.is_err().then(|| self.game.side());
        let waits = self.idle.end(engines, thinking);
        let forfeit = || {
            Side::BOTH
                .into_iter()
                .find_map(|side| self.idle.forfeit(side))
        };
        let forfeit = match &played {
            Ok(_) | Err(EarlyEnd::Loss(_, Reason::Time, _)) => forfeit(),
            Err(_) => None,
        };
        (waits, forfeit.map_or(played, Err))
    }

    /// What an engine gets to know of the game before it begins.
    fn setup<'s>(&'s self, engine: &'s EngineSpec, side: Side) -> Setup<'s> {
        Setup {
            rules: self.rules,
            variant: &self.task.variant,
            side,
            opening: &self.task.opening,
            options: &engine.options,
            init: &engine.init,
        }
    }

    /// Rolls the die.
    fn roll(&mut self) {
        let face = self.dice.roll(self.game.faces());
        self.game
            .roll(face)
            .expect("a roll is due, and the face is of the game's die");
        let text = format!("d{face}");
        self.history.push(&text);
        self.add(TurnRecord::given(self.game.side(), text));
    }

    /// Asks the engine of the side to move for its turn, and plays it.
    fn turn(&mut self, engines: &mut Engines) -> Result<(), EarlyEnd> {
        let side = self.game.side();
        let [first, second] = engines;
        let (engine, opponent) = match side {
            Side::First => (&mut **first, &**second),
            Side::Second => (&mut **second, &**first),
        };
        let asked_at = Reading::of(engine);
        let clock = &mut self.clocks[side.index()];
        let charged = self.idle.charge(side, asked_at, clock)?;
        let idle = self.idle.since_last(side, asked_at);
        self.pausing.asked(side, engine, idle.map(|wait| wait.cpu));
        let pausing = &self.pausing;
        let stop_opponent = || pausing.stop(side.opponent(), opponent);
        let delayed = Delayed::new(Instant::now() + pausing::PATIENCE, &stop_opponent);
        let question = Question {
            history: &self.history,
            go: &clock::go(&self.clocks, side),
            patience: self.clocks[side.index()].patience(),
            stop: self.stop,
            watch: None,
            delayed: Some(&delayed),
        };
        let specs = [&self.task.first, &self.task.second];
        let retries = specs[side.index()].retries;
        let clock = &mut self.clocks[side.index()];
        let answered = turn::ask(engine, &question, &mut *self.game, clock, retries);
        let answered_at = Reading::of(engine);
        pausing.answered(side, engine);
        let Answered {
            turn,
            used,
            info,
            refused,
        } = self.unless_paused(answered)?;
        let score = info.as_ref().and_then(|info| info.score.as_deref());
        self.adjudicator.turn(side, score);
        let left_us = self.clocks[side.index()]
            .left()
            .map(|left| left.as_micros() as u64);
        self.history.push(&turn);
        let cpu = self.idle.answered(side, asked_at, answered_at);
        self.add(TurnRecord {
            side: side.into(),
            text: turn,
            used_us: used.as_micros() as u64,
            left_us,
            charged_us: charged.as_micros() as u64,
            info,
            cpu,
            refused,
        });
        Ok(())
    }

    /// Appends a turn or roll to the record.
    fn add(&mut self, turn: TurnRecord) {
        (self.observe)(&turn);
        self.turns.push(turn);
    }

    /// The verdict if the game is to be adjudicated after a turn that did not end it.
    fn adjudicate(&self, engines: &Engines) -> Option<Verdict> {
        if self.game.outcome().is_some() {
            return None;
        }
        let found = self.adjudicator.verdict();
        found.or_else(|| self.proof(engines, self.adjudicator.proof_due()?))
    }

    /// Searches for a proof while both engines are stopped; gives up when the referee is stopping.
    fn proof(&self, engines: &Engines, nodes: u64) -> Option<Verdict> {
        self.pausing.stop_both(engines);
        let verdict = self.prove(nodes);
        if !self.task.pause_opponent {
            self.pausing.end(engines);
        }
        verdict
    }

    fn prove(&self, nodes: u64) -> Option<Verdict> {
        let (flag, stop) = (&StopFlag::default(), self.stop);
        thread::scope(|scope| {
            let (found, looking) = mpsc::channel::<()>();
            scope.spawn(move || {
                // The sender is dropped when the search ends.
                while looking.recv_timeout(STOP_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    if stop.load(Ordering::Relaxed) {
                        return flag.stop();
                    }
                }
            });
            let proof = self.game.prove(nodes, flag);
            drop(found);
            proof.map(adjudicator::proven)
        })
    }

    /// Tells both engines that the game is over, and ends those that do not stay for another game.
    fn end(&self, engines: Engines, grace: Duration, mut waiting: Option<&mut Waiting>) {
        self.pausing.end(&engines);
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
pub(super) struct Observed {
    /// The name that it reports.
    version: String,
    deviations: Deviations,
    /// Its CPU time after its last turn.
    wait: Option<WaitRecord>,
}

/// The record of a game that began at this time, before its first turn.
pub(super) fn planned(
    task: &GameTask,
    [first, second]: [EngineRecord; 2],
    started: Timestamp,
) -> GameRecord {
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
        first,
        second,
        clock: task.clock,
        carried_us: task.carried_us,
        adjudication: task.adjudication,
        overrides: task.overrides.clone(),
        started,
        duration_ms: 0,
        turns: Vec::new(),
        result: GameResult::Unfinished,
        reason: Reason::Unfinished,
        detail: String::new(),
        host: rustix::system::uname().nodename().to_string_lossy().into(),
        pace: task.pace,
        imported: String::new(),
        desk: None,
        decision: None,
        crc32: None,
    }
}

pub(super) fn engine_record(spec: &EngineSpec, observed: Observed) -> EngineRecord {
    EngineRecord {
        name: spec.name.clone(),
        command: spec.command.clone(),
        build: spec.build.clone(),
        protocol: spec.protocol.name().into(),
        version: observed.version,
        options: spec.options.clone(),
        init: spec.init.clone(),
        clock: spec.clock,
        retries: spec.retries,
        unconfined: process::unconfined(spec),
        writes: spec.writes(),
        deviations: observed.deviations,
        after: observed.wait,
    }
}

/// The loss that follows from a failure before the game.
pub fn start_failure(side: Side, failure: Failure) -> EarlyEnd {
    let reason = match failure {
        Failure::Start(_) | Failure::Late | Failure::LongLine(_) => Reason::Stall,
        Failure::Exit { .. } => Reason::Crash,
        Failure::Closed(_) => Reason::Disconnect,
        Failure::Stopped => return EarlyEnd::Stopped,
    };
    EarlyEnd::Loss(side, reason, format!("before the game: {failure}"))
}
