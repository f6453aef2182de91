//! A bot of Botzone.

use std::io::BufRead;
use std::time::Duration;

use super::asking::Asking;
use super::{overhead, per_turn, print};
use crate::botzone::{
    Exchange, Extra, Grammar, KEEP_RUNNING, NONE, Request, is_none, numbers_of_line, words,
};
use crate::dialect::{Announcement, BETWEEN_ACTIONS};
use crate::game::Game;
use crate::options::Options;
use crate::protocol::Protocol;
use crate::thinker::TurnLimits;
use crate::turn::play_part_in;

/// What the start and the end of a process take, which it does not see and the judge does.
const LIFE: Duration = Duration::from_millis(20);

/// The most memory of the table or tree of a process that answers once, MiB. It is touched before the
/// search, which takes a second to fill as much.
const TABLE_OF_A_TURN: u32 = 16;

/// Answers one request, or all until the input ends with [`Options::keep_running`].
///
/// # Errors
/// What was expected of the input, and what was found.
pub(super) fn serve<G: Game>(
    options: &Options,
    start: G,
    announcement: Announcement,
) -> Result<(), String> {
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    let mut own = options.clone();
    if !options.keep_running {
        own.table_mb = own.table_mb.min(TABLE_OF_A_TURN);
    }
    let mut bot = Bot {
        options,
        grammar: Grammar {
            announcement,
            simplified: options.protocol == Protocol::BotzoneSimple,
        },
        position: start,
        asking: Asking::new(&own),
        actions: Vec::new(),
        limits: per_turn(options),
    };
    bot.play_on(&mut lines)
}

struct Bot<'a, G: Game> {
    options: &'a Options,
    grammar: Grammar,
    position: G,
    asking: Asking<G>,
    /// The actions of a turn that has been chosen and not been told in full.
    actions: Vec<String>,
    limits: TurnLimits,
}

impl<G: Game> Bot<'_, G> {
    fn play_on(&mut self, lines: &mut impl Iterator<Item = String>) -> Result<(), String> {
        let (exchange, extra) = self.grammar.read_input(&mut *lines)?;
        self.limit(&extra);
        self.catch_up(&exchange)?;
        let last = exchange.requests.last().ok_or("expected a request")?;
        self.answer(last)?;
        if !self.options.keep_running {
            return Ok(());
        }
        print(KEEP_RUNNING);
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let request = self.grammar.read_request(&line)?;
            self.play(&request.numbers)?;
            self.answer(&request)?;
            print(KEEP_RUNNING);
        }
        Ok(())
    }

    /// The judge's limit, if it is the shorter one, but for the life of a process that answers once.
    fn limit(&mut self, extra: &Extra) {
        let limit = extra.time_limit.and_then(|seconds| {
            let limit = Duration::try_from_secs_f64(seconds).ok()?;
            Some(limit.saturating_sub(overhead(self.options)))
        });
        let life = match self.options.keep_running {
            true => Duration::ZERO,
            false => LIFE,
        };
        let hard = self.limits.hard.into_iter().chain(limit).min();
        self.limits.hard = hard.map(|hard| hard.saturating_sub(life));
    }

    /// Plays what the bot was told and has answered.
    fn catch_up(&mut self, exchange: &Exchange) -> Result<(), String> {
        let mut actions = exchange.actions();
        actions.try_for_each(|numbers| self.play(numbers))
    }

    /// Plays one action, if there is one.
    fn play(&mut self, numbers: &[i64]) -> Result<(), String> {
        if is_none(numbers) {
            return Ok(());
        }
        let text = words(numbers);
        let played = play_part_in(&mut self.position, self.options.protocol, &text);
        played
            .map(|_| ())
            .map_err(|error| format!("{text}: {error}"))
    }

    fn answer(&mut self, request: &Request) -> Result<(), String> {
        let none = vec![NONE; self.grammar.width()];
        if request.pass {
            print(self.grammar.write_response(&none).trim_end());
            return Ok(());
        }
        if self.actions.is_empty() {
            let mut after = self.position.clone();
            let turn = self.asking.turn(&mut after, self.limits.clone());
            let turn = turn.ok_or("the game is over")?;
            // The last one is told first.
            self.actions = turn.rsplit(BETWEEN_ACTIONS).map(String::from).collect();
        }
        let action = self.actions.pop().unwrap_or_default();
        let numbers = numbers_of_line(&action)?;
        print(self.grammar.write_response(&numbers).trim_end());
        self.play(&numbers)
    }
}
