//! A UGI session.

use std::time::Duration;

use engine_core::{Algorithm, Report, Side};
use game::turn::{play_word, turn_is_over, ugi_result};
use game::{Engine, VariantError};
use protocol::ugi::{Answer, Command, Go, Info, InfoScore, OptionKind, Query};

use super::{Next, for_each_line, on_clock, print, start, within};
use crate::options::{fits, parse_variant};
use crate::parameters;
use crate::setup::Setup;
use crate::thinker::{Listener, Thinker, TurnLimits};

/// Plays until `quit` or the end of the input.
pub(super) fn serve<G: Engine>(setup: Setup) -> Result<(), VariantError> {
    let mut session = Session::<G>::new(setup)?;
    for_each_line(std::io::stdin().lock(), |line| session.line(line));
    Ok(())
}

struct Session<G: Engine> {
    setup: Setup,
    start: G,
    position: G,
    thinker: Thinker<G>,
}

/// Prints an error of the referee, a warning to the user, a move of the book, or what a proof search
/// knows, as `info string`.
fn remark(message: impl std::fmt::Display) {
    let info = Info {
        string: Some(message.to_string()),
        ..Info::default()
    };
    print(Answer::Info(info));
}

impl<G: Engine> Session<G> {
    fn new(setup: Setup) -> Result<Self, VariantError> {
        let start = start::<G>(&setup.options.variant)?;
        let thinker = Thinker::new(setup.clone(), Printer::default());
        Ok(Session {
            setup,
            position: start.clone(),
            start,
            thinker,
        })
    }

    fn line(&mut self, line: &str) -> Next {
        match Command::parse(line) {
            Ok(Command::Quit) => return Next::Quit,
            Ok(command) => self.command(command),
            Err(error) => remark(error),
        }
        Next::Line
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Ugi => self.introduce(),
            Command::IsReady => self.is_ready(),
            Command::SetOption { name, value } => {
                self.set_option(&name, &value).unwrap_or_else(remark);
            }
            Command::NewGame => self.thinker.new_game(),
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(&go),
            Command::Stop => self.thinker.stop(),
            Command::Query(query) => print(Answer::Response(self.answer(query).into())),
            Command::Quit => {}
        }
    }

    fn introduce(&self) {
        print(Answer::Name(format!(
            "{} {}",
            G::NAME,
            env!("CARGO_PKG_VERSION")
        )));
        print(Answer::Author("the engine room's authors".into()));
        for mut option in self.setup.options.declare(G::ID) {
            if let ("algorithm", OptionKind::Combo { vars, .. }) =
                (option.name.as_str(), &mut option.kind)
            {
                // Omits algorithms that do not support the game.
                vars.retain(|name| Algorithm::find(name).and_then(fits::<G>).is_ok());
            }
            print(Answer::Option(option));
        }
        print(Answer::UgiOk);
    }

    /// Answers when the player is made; at once during a search or pondering.
    fn is_ready(&mut self) {
        if !self.thinker.prepare(self.position.clone()) {
            print(Answer::ReadyOk);
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name.eq_ignore_ascii_case("game") {
            let this = value.eq_ignore_ascii_case(G::ID);
            return if this {
                Ok(())
            } else {
                Err(format!("this engine plays only {}", G::ID))
            };
        }
        if name.eq_ignore_ascii_case("variant") {
            let variant = parse_variant(value)?;
            self.start = start(&variant).map_err(|error| error.to_string())?;
            self.position = self.start.clone();
            self.setup.options.variant = variant;
        } else {
            let mut options = self.setup.options.clone();
            options.set(name, value)?;
            fits::<G>(options.algorithm)?;
            parameters::settings::<G>(&options.parameters)?;
            let changed = self.setup.with::<G>(options);
            self.setup = changed.map_err(|(_, message)| format!("{name}: {message}"))?;
        }
        self.thinker.set_up(self.setup.clone());
        Ok(())
    }

    /// Sets the position; keeps the old one if any part of the new one is wrong.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        self.thinker.stop_pondering();
        let start = match fen {
            None => Ok(self.start.clone()),
            Some(fen) => self.start.parse_position(fen),
        };
        let mut position = match start {
            Ok(start) => start,
            Err(error) => return remark(format!("position: {error}")),
        };
        for (i, word) in moves.iter().enumerate() {
            if let Err(error) = play_word(&mut position, word) {
                return remark(format!("move {} ({word}): {error}", i + 1));
            }
        }
        self.position = position;
    }

    fn go(&mut self, go: &Go) {
        if self.position.outcome().is_some() {
            remark("the game is over");
        } else if self.position.is_chance() {
            remark("a roll is due; it is the last move of the position command");
        }
        let limits = self.limits(go);
        self.thinker.think(self.position.clone(), limits);
    }

    fn limits(&self, go: &Go) -> TurnLimits {
        let mut limits = TurnLimits::default();
        if !go.infinite {
            if let Some(clock) = go.clock(self.position.side()) {
                limits = on_clock(&self.setup.options, &self.position, clock);
            }
            let turn = go.movetime.map(Duration::from_millis);
            let turn = turn.map(|time| within(&self.setup.options, time));
            limits.hard = limits.hard.into_iter().chain(turn).min();
        }
        TurnLimits {
            depth: go.depth,
            nodes: go.nodes,
            ..limits
        }
    }

    fn answer(&self, query: Query) -> &'static str {
        let truth = |fact: bool| if fact { "true" } else { "false" };
        match query {
            Query::GameOver => truth(self.position.outcome().is_some()),
            Query::P1Turn => truth(self.position.side() == Side::First),
            Query::Result => ugi_result(self.position.outcome()),
        }
    }
}

/// Prints search results as UGI.
#[derive(Default)]
struct Printer {
    /// The last remark of this turn on what a proof search knows.
    known: Option<String>,
}

impl<G: Engine> Listener<G> for Printer {
    fn progress(&mut self, position: &G, report: &Report<G::Move>) {
        print(Answer::Info(Info {
            depth: Some(report.depth),
            seldepth: Some(report.seldepth),
            score: report.score.map(InfoScore::from),
            nodes: Some(report.nodes),
            nps: Some(report.nps()),
            time: Some(report.time.as_millis() as u64),
            hashfull: Some(report.hashfull),
            pv: turns(position, &report.pv),
            ..Info::default()
        }));
        let known = region(position, report);
        if known != self.known {
            self.known = known;
            self.known.iter().for_each(remark);
        }
    }

    fn chosen(&mut self, position: &G, turn: &[G::Move], time: Duration) {
        let text = if turn.is_empty() {
            "none".into()
        } else {
            position.write_turn(turn)
        };
        self.known = None;
        // Repeats the last report with the final time.
        print(Answer::Info(Info {
            time: Some(time.as_millis() as u64),
            ..Info::default()
        }));
        print(Answer::BestMove(text));
    }

    fn ready(&mut self) {
        print(Answer::ReadyOk);
    }

    fn booked(&mut self, message: &str) {
        remark(message);
    }

    fn trouble(&mut self, message: &str) {
        remark(message);
    }

    fn unable(&mut self, position: &G) {
        self.chosen(position, &[], Duration::ZERO);
    }
}

/// What a proof search knows of a position, in words and moves; `None` if that is little: more than
/// half of the moves.
fn region<G: Engine>(position: &G, report: &Report<G::Move>) -> Option<String> {
    if report.region.is_empty() || report.region.len() * 2 > position.legal_moves().len() {
        return None;
    }
    let known = match report.score {
        Some(score) if report.solved && score.plies_to_win().is_some() => "wins within",
        Some(score) if report.solved && score.plies_to_loss().is_some() => "loses within",
        _ => "must play",
    };
    let moves = report.region.iter().map(|&mv| position.write_move(mv));
    Some(moves.fold(known.to_owned(), |text, mv| text + " " + &mv))
}

/// Groups the actions of a line into turns. The last turn may be unfinished.
fn turns<G: Engine>(start: &G, line: &[G::Move]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut position = start.clone();
    let (mut turn_start, mut turn) = (start.clone(), Vec::new());
    for &mv in line {
        position.play(mv);
        turn.push(mv);
        if turn_is_over(&position, turn_start.side()) {
            texts.push(turn_start.write_turn(&turn));
            turn.clear();
            turn_start = position.clone();
        }
    }
    if !turn.is_empty() {
        texts.push(turn_start.write_turn(&turn));
    }
    texts
}
