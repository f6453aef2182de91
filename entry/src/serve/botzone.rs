//! A bot of Botzone.

use std::io::BufRead;
use std::time::Duration;

use engine_core::time::less;
use game::Engine;
use game::turn::play_part_in;
use protocol::Protocol;
use protocol::announcement::{Announcement, BETWEEN_ACTIONS};
use protocol::botzone::{
    Exchange, Extra, Grammar, KEEP_RUNNING, NONE, Request, is_none, numbers_of_line, words,
};

use super::asking::Asking;
use super::{per_turn, print, within};
use crate::options::Options;
use crate::setup::Setup;
use crate::thinker::TurnLimits;

/// Time to start and end a process. The judge counts it; the process cannot measure it.
const PROCESS_OVERHEAD: Duration = Duration::from_millis(20);

/// Maximum table or tree for a process that answers one request, MiB. The process touches this
/// memory before the search, and a search fills that much in one second.
const MAX_SINGLE_TURN_TABLE_MB: u64 = 16;

/// Answers one request, or with [`Options::keep_running`] all requests until the input ends.
///
/// # Errors
/// Invalid input: the message says what was expected and what was found.
pub(super) fn serve<G: Engine>(
    setup: Setup,
    start: G,
    announcement: Announcement,
) -> Result<(), String> {
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    let options = setup.options.clone();
    let mut own = setup;
    if !options.keep_running {
        own.options.table_mb = options.table_mb.min(MAX_SINGLE_TURN_TABLE_MB);
    }
    let mut bot = Bot {
        grammar: Grammar {
            announcement,
            simplified: options.protocol == Protocol::BotzoneSimple,
        },
        position: start,
        asking: Asking::new(own),
        actions: Vec::new(),
        limits: per_turn(&options),
        options,
    };
    bot.play_on(&mut lines)
}

struct Bot<G: Engine> {
    options: Options,
    grammar: Grammar,
    position: G,
    asking: Asking<G>,
    /// Actions of the chosen turn that have not been sent yet.
    actions: Vec<String>,
    limits: TurnLimits,
}

impl<G: Engine> Bot<G> {
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

    /// The judge's limit if it is shorter than the option; a process that answers once subtracts
    /// [`PROCESS_OVERHEAD`].
    fn limit(&mut self, extra: &Extra) {
        let limit = extra.time_limit.and_then(|seconds| {
            let limit = Duration::try_from_secs_f64(seconds).ok()?;
            Some(within(&self.options, limit))
        });
        let process = if self.options.keep_running {
            Duration::ZERO
        } else {
            PROCESS_OVERHEAD
        };
        let hard = self.limits.hard.into_iter().chain(limit).min();
        self.limits.hard = hard.map(|hard| less(hard, process));
    }

    /// Replays the requests and responses so far.
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
            // Reversed: the first action is popped first.
            self.actions = turn.rsplit(BETWEEN_ACTIONS).map(String::from).collect();
        }
        let action = self.actions.pop().unwrap_or_default();
        let numbers = numbers_of_line(&action)?;
        print(self.grammar.write_response(&numbers).trim_end());
        self.play(&numbers)
    }
}
