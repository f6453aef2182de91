//! A session at the desk as the person sees it who plays one of its sides.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use base::error::BadInput;
use catalog::{AnyGame, AnyMatch};
use desk::{
    Dice, Ending, Game, Host, Live, Operation, Refused, Saving, Shown, Snapshot, State, Turn,
    Version,
};
use engine_core::Side;
use gamelog::record::{GameResult, Reason};
use league::results::replay::side_name;
use league::spec;

use super::hint::Hints;

/// The folder of contest records, in that of the session.
const RECORDS: &str = "records";

/// Who is to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nobody: the engine starts, and the clocks stand.
    Starting,
    /// The person.
    Person,
    /// The engine.
    Engine,
    /// The person, for the engine, which has failed too often.
    GivenUp,
    /// Nobody: the clocks stand until the person goes on.
    Paused,
    /// Nobody: the game is over.
    Over,
}

/// How a session was left.
pub(super) enum Left {
    /// The game is over; its record is in this file.
    Over(String),
    /// Something was played. The session in this folder is paused.
    Begun(String),
    /// Nothing was played.
    Untouched,
}

/// A person at the desk.
pub(super) struct Sitting {
    host: Host,
    /// The seat of the person, 0 for A.
    seat: usize,
    session: Snapshot,
    /// Number of changes of the session that were seen.
    changes: u64,
    /// Whether the clocks wait for the engine to be ready.
    is_starting: bool,
    /// The actions of the unfinished turn.
    parts: Vec<String>,
    /// The position after them.
    position: Box<dyn AnyMatch>,
    hints: Hints,
}

impl Sitting {
    /// Sits down at a session between a person and an engine. `referee` is this program.
    ///
    /// # Errors
    /// It is a session of another kind.
    pub(super) fn new(host: Host, referee: &Path) -> Result<Sitting, BadInput> {
        let session = host.snapshot();
        let seat = person(&session)?;
        let state = &session.state;
        let best = spec::named("best", state.rules(), BTreeMap::new(), referee, 0)?;
        Ok(Sitting {
            seat,
            changes: 0,
            is_starting: state.paused && state.game().ending.is_none(),
            parts: Vec::new(),
            position: state.position(),
            hints: Hints::new(best),
            session,
            host,
        })
    }

    /// Looks at the session again. Returns whether more has changed than clocks and search reports.
    pub(super) fn look(&mut self) -> bool {
        let changes = self.host.wait(Version::default(), Duration::ZERO).changes;
        let before = self.length();
        self.session = self.host.snapshot();
        let engine = self.live();
        if self.is_starting && (engine.is_ready || engine.given_up) {
            self.is_starting = false;
            // Only a session that somebody else resumed refuses.
            let _ = self.act(&Operation::Resume);
        }
        if self.length() != before {
            self.parts.clear();
            self.show();
        }
        std::mem::replace(&mut self.changes, changes) != changes
    }

    /// What tells positions apart: the number of turns and rolls, and whether the game is over.
    fn length(&self) -> (usize, bool) {
        (self.game().turns.len(), self.game().ending.is_some())
    }

    /// Brings the position up to date.
    fn show(&mut self) {
        self.hints.forget();
        let state = &self.session.state;
        self.position = if self.parts.is_empty() {
            state.position()
        } else {
            let preview = state.preview(&self.parts.join(" "));
            preview.map_or_else(|_| state.position(), |preview| preview.position)
        };
    }

    fn state(&self) -> &State {
        &self.session.state
    }

    /// The rules of the game.
    pub(super) fn rules(&self) -> &'static dyn AnyGame {
        self.state().rules()
    }

    /// The game.
    pub(super) fn game(&self) -> &Game {
        self.state().game()
    }

    /// The position, with the actions of the unfinished turn.
    pub(super) fn position(&self) -> &dyn AnyMatch {
        &*self.position
    }

    /// The actions of the unfinished turn.
    pub(super) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The side that the person plays.
    pub(super) fn side(&self) -> Side {
        if self.game().seats[0] == self.seat {
            Side::First
        } else {
            Side::Second
        }
    }

    /// What the engine does.
    pub(super) fn live(&self) -> Live {
        let live = self.session.engines[1 - self.seat].clone();
        live.unwrap_or_default()
    }

    /// What the engine did if it failed and does not run, after `before`; empty if it runs.
    pub(super) fn failure(&self, before: &str) -> String {
        let fault = &self.state().engines[1 - self.seat].fault;
        if fault.is_empty() {
            String::new()
        } else {
            format!(
                "{before}{} failed: {fault}",
                self.name(self.side().opponent())
            )
        }
    }

    /// Why events are not on the disk, or a game not in the log.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.session.fault.as_deref()
    }

    /// The name of a side's player.
    pub(super) fn name(&self, side: Side) -> &str {
        if side == self.side() {
            "you"
        } else {
            &self.state().settings.seats[1 - self.seat].name
        }
    }

    /// A side with its colour and player: `First (red), you`.
    pub(super) fn player(&self, side: Side) -> String {
        let colours = self.rules().colours();
        format!(
            "{}, {}",
            side_name(self.position(), side, colours),
            self.name(side)
        )
    }

    /// Who is to act.
    pub(super) fn phase(&self) -> Phase {
        let game = self.game();
        match () {
            () if game.ending.is_some() => Phase::Over,
            () if self.is_starting => Phase::Starting,
            () if self.state().paused => Phase::Paused,
            () if game.seat() == self.seat => Phase::Person,
            () if self.live().given_up => Phase::GivenUp,
            () => Phase::Engine,
        }
    }

    /// Whether the person is to enter a turn.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.phase(), Phase::Person | Phase::GivenUp)
    }

    fn expect_asked(&self) -> Result<(), String> {
        let reason = match self.phase() {
            Phase::Person | Phase::GivenUp => return Ok(()),
            Phase::Starting => "the engine is starting",
            Phase::Engine => "the engine is to move",
            Phase::Paused => "the clocks stand, expected resume first",
            Phase::Over => "the game is over",
        };
        Err(reason.to_owned())
    }

    /// The time until the flag of a side falls; `None` for a side without a clock, or whose time does
    /// not run and does not carry over from turn to turn.
    pub(super) fn left(&self, side: Side) -> Option<Duration> {
        self.game().left(side, self.session.now)
    }

    /// Whether a side has time for the whole game, not only for each turn.
    pub(super) fn has_base(&self, side: Side) -> bool {
        let seat = self.game().seats[side.index()];
        self.state().settings.clock_of(seat).base.is_some()
    }

    /// How long the side to move has been thinking; `None` for the other side, and while the clocks
    /// stand.
    pub(super) fn running(&self, side: Side) -> Option<Duration> {
        let game = self.game();
        let runs = game.since.is_some() && game.side == side;
        runs.then(|| game.used(self.session.now))
    }

    /// The end of the game in words: `you won: chain from top to bottom`, `you lost on time`.
    pub(super) fn ending(&self) -> Option<String> {
        let Ending {
            result,
            reason,
            detail,
            ..
        } = self.game().ending.as_ref()?;
        let result = match *result {
            GameResult::Draw => "draw",
            result if result == GameResult::loss_of(self.side()) => "you lost",
            _ => "you won",
        };
        Some(match reason {
            Reason::Resign => format!("{result} by resignation"),
            Reason::Time => format!("{result} on time{}", self.failure("; ")),
            _ => format!("{result}: {detail}"),
        })
    }

    fn act(&mut self, operation: &Operation) -> Result<(), String> {
        let done = self.host.act(operation);
        self.look();
        done.map_err(|refused| refused.0)
    }

    /// Plays actions of the person's turn, separated by blanks, in UGI notation. The turn counts when
    /// it is complete.
    ///
    /// # Errors
    /// The person is not to move, or an action is illegal; nothing is played then.
    pub(super) fn enter(&mut self, text: &str) -> Result<(), String> {
        self.expect_asked()?;
        let whole = format!("{} {text}", self.parts.join(" "));
        let preview = self.state().preview(whole.trim());
        let preview = preview.map_err(|refused| refused.0)?;
        match preview.turn {
            Some(text) => self.act(&Operation::Enter { text }),
            None => {
                self.parts
                    .extend(text.split_whitespace().map(str::to_owned));
                self.show();
                Ok(())
            }
        }
    }

    /// Takes back the last action of the unfinished turn. Returns whether there was one.
    pub(super) fn remove_part(&mut self) -> bool {
        let removed = self.parts.pop().is_some();
        if removed {
            self.show();
        }
        removed
    }

    /// Takes back the person's last turn and all that followed it, and restores the clocks. Rolls
    /// fall the same way again. Before that, an unfinished turn or a resignation.
    ///
    /// # Errors
    /// There is no such turn.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        if self.remove_part() {
            return Ok(());
        }
        let (game, side) = (self.game(), self.side());
        let has_resigned = |ending: &Ending| {
            ending.reason == Reason::Resign && ending.result == GameResult::loss_of(side)
        };
        let own = |turn: &Turn| turn.by.is_some() && Side::from(turn.record.side) == side;
        let last = if game.ending.as_ref().is_some_and(has_resigned) {
            Some(game.turns.len())
        } else {
            game.turns.iter().rposition(own)
        };
        let from = last.ok_or("you have no turn to take back")? + 1;
        let reason = String::new();
        self.act(&Operation::Correct { from, reason })
    }

    /// The person resigns.
    ///
    /// # Errors
    /// The game is over.
    pub(super) fn resign(&mut self) -> Result<(), String> {
        let side = self.side().into();
        self.act(&Operation::Resign { side })
    }

    /// The engine is to answer at once.
    ///
    /// # Errors
    /// It does not think, or cannot be told.
    pub(super) fn hurry(&mut self) -> Result<(), String> {
        self.act(&Operation::Hurry)
    }

    /// Stops the clocks.
    ///
    /// # Errors
    /// They stand, or the game is over.
    pub(super) fn pause(&mut self) -> Result<(), String> {
        self.act(&Operation::Pause)
    }

    /// Lets the clocks go on.
    ///
    /// # Errors
    /// They run.
    pub(super) fn resume(&mut self) -> Result<(), String> {
        self.act(&Operation::Resume)
    }

    /// Starts the engine again.
    ///
    /// # Errors
    /// None is known.
    pub(super) fn restart(&mut self) -> Result<(), String> {
        let seat = 1 - self.seat;
        self.act(&Operation::Restart { seat })
    }

    /// Begins to look for a good turn; [`Sitting::take_hint`] returns it later.
    ///
    /// # Errors
    /// The person is not to move.
    pub(super) fn ask_hint(&mut self) -> Result<(), String> {
        self.expect_asked()?;
        let state = &self.session.state;
        let played = state.game().words().map(str::to_owned);
        self.hints.ask(&Shown {
            game: state.settings.game.clone(),
            variant: state.settings.variant.clone(),
            opening: state.settings.opening.clone(),
            words: played.chain(self.parts.iter().cloned()).collect(),
        })
    }

    /// The turn that was looked for, or the rest of one, or why there is none. `None` while the search
    /// runs, and without one.
    pub(super) fn take_hint(&mut self) -> Option<Result<String, String>> {
        self.hints.take()
    }

    /// Whether a hint is being looked for.
    pub(super) fn is_looking_for_hint(&self) -> bool {
        self.hints.is_looking()
    }

    /// Waits until the session changes, at most for `time`.
    pub(super) fn wait(&self, time: Duration) {
        let mut seen = self.host.wait(Version::default(), Duration::ZERO);
        seen.changes = self.changes;
        self.host.wait(seen, time);
    }

    /// Saves the contest record of a game that is over; stops the clocks of another one.
    ///
    /// # Errors
    /// The record cannot be saved.
    pub(super) fn leave(mut self) -> Result<Left, Refused> {
        self.look();
        let folder = self.session.folder.clone();
        if self.game().ending.is_some() {
            let folder = folder.join(RECORDS);
            self.host.act(&Operation::Save(Saving {
                folder,
                ..Saving::default()
            }))?;
            let saved = self.host.snapshot().state.saved;
            let path = saved.last().map(|saved| saved.path.clone());
            return Ok(Left::Over(path.unwrap_or_default()));
        }
        // It may be paused already.
        let _ = self.host.act(&Operation::Pause);
        if self.game().turns.is_empty() {
            Ok(Left::Untouched)
        } else {
            Ok(Left::Begun(folder.to_string_lossy().into_owned()))
        }
    }
}

/// The seat of the person.
fn person(session: &Snapshot) -> Result<usize, BadInput> {
    let settings = &session.state.settings;
    let is_person = settings.seats.each_ref().map(|seat| seat.engine.is_none());
    let has_own_dice = settings.dice == Dice::Program || !session.state.rules().has_dice();
    match is_person {
        [one, other] if one != other && has_own_dice && !settings.confirm && settings.wins == 1 => {
            Ok(usize::from(other))
        }
        _ => Err(BadInput(format!(
            "{}: a session of a contest, or not between a person and an engine, expected a game at \
             home; referee desk shows any",
            session.folder.display()
        ))),
    }
}
