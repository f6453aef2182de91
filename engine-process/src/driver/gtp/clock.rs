//! What a GTP engine is told of its time, by the commands that it lists.
//!
//! - GTP: `time_settings`, and `time_left COLOUR SECONDS TURNS`.
//! - HTP, as MoHex and Wolve speak it: only `time_left COLOUR SECONDS`. Engines may ignore it and
//!   search for the seconds of a parameter, `param_mohex max_time`, unless their own time management
//!   is on (`param_mohex use_time_management`). Then that parameter is set before each turn.
//!
//! A refused command is not sent again in a game; the other form of `time_left` is tried instead.

use std::collections::BTreeSet;

use engine_core::Side;
use engine_core::time::TimeLeft;
use protocol::gtp::{Command, colour};
use protocol::ugi::Go;

/// The parameters of an engine that concern its time.
const MAX_TIME: &str = "max_time";
const TIME_MANAGEMENT: &str = "use_time_management";

/// For how many turns the time left is to last, for engines that take no clock.
const TURNS_LEFT: u32 = 20;

/// The ways in which an engine is told its time.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ClockCommands {
    settings: bool,
    /// The forms of `time_left` that are left to try, the current one last.
    left: Vec<Form>,
    /// The command that sets `max_time`.
    limit: Option<String>,
}

/// A form of `time_left`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// With the number of turns that the time is for.
    Gtp,
    /// Without.
    Htp,
}

impl ClockCommands {
    /// Those of an engine that lists these commands; `time_settings` if it lists nothing.
    pub fn of(known: &BTreeSet<String>) -> ClockCommands {
        let settings = known.is_empty() || known.contains("time_settings");
        let left = match known.contains("time_left") {
            false => vec![],
            true if settings => vec![Form::Htp, Form::Gtp],
            true => vec![Form::Gtp, Form::Htp],
        };
        ClockCommands {
            settings,
            left,
            limit: None,
        }
    }

    /// Considers the parameters that a command has shown: lines such as `[string] max_time 10`.
    pub(crate) fn add_parameters(&mut self, command: &str, shown: &str) {
        let value = |wanted: &str| {
            shown.lines().find_map(|line| {
                let mut words = line.split_whitespace().skip_while(|it| it.starts_with('['));
                (words.next() == Some(wanted)).then(|| words.next().unwrap_or_default())
            })
        };
        let has_clock = !self.left.is_empty() && value(TIME_MANAGEMENT) == Some("1");
        if value(MAX_TIME).is_some() && !has_clock {
            self.limit = Some(command.to_owned());
        }
    }

    /// Leaves the parameter to the user, who has set it by an option of this name.
    pub(crate) fn skip_option(&mut self, name: &str) {
        let words: Vec<&str> = name.split_whitespace().collect();
        let set =
            matches!(words[..], [command, MAX_TIME] if self.limit.as_deref() == Some(command));
        if set {
            self.limit = None;
        }
    }

    /// The commands before a turn of `side`, which plays this colour: the time settings only before
    /// the `first` turn, and only if GTP can express them.
    pub fn before_turn(&self, go: &Go, side: Side, first: bool, played: Side) -> Vec<Command> {
        let settings = settings(go, side).filter(|_| first && self.settings);
        let clock = go.clock(side);
        let left = clock.zip(self.left.last());
        let left = left.map(|(clock, form)| left_command(clock, *form, played));
        let limit = limit(go, clock).zip(self.limit.as_deref());
        let limit = limit.map(|(seconds, command)| {
            let seconds = seconds.to_string();
            Command::new(command, &[MAX_TIME, &seconds])
        });
        [settings, left, limit].into_iter().flatten().collect()
    }

    /// Notes that a command was refused. Returns false if it does not concern the time.
    pub(crate) fn refuse(&mut self, command: &Command) -> bool {
        match command.name.as_str() {
            "time_settings" => self.settings = false,
            "time_left" => {
                self.left.pop();
            }
            name if self.limit.as_deref() == Some(name) => self.limit = None,
            _ => return false,
        }
        true
    }
}

/// `time_settings`, in whole seconds, rounded down. GTP would take 0 s as no time at all.
fn settings(go: &Go, side: Side) -> Option<Command> {
    let of_clock = |clock: TimeLeft| {
        let left = clock.left.as_secs();
        match (clock.turns, clock.period.as_secs()) {
            (Some(turns), _) => (0, left, turns),
            (None, 0) => (left, 0, 0),
            (None, period) => (left, period, 1),
        }
    };
    let period = || go.movetime.map(|ms| (0, ms / 1000, 1));
    let (main, period, turns) = go.clock(side).map(of_clock).or_else(period)?;
    let words = [main, period, turns.into()].map(|number: u64| number.to_string());
    let words = words.each_ref().map(String::as_str);
    (main + period > 0).then(|| Command::new("time_settings", &words))
}

/// `time_left`, in whole seconds, rounded down.
fn left_command(clock: TimeLeft, form: Form, played: Side) -> Command {
    let (left, turns) = match clock.turns {
        None if clock.left.is_zero() && !clock.period.is_zero() => (clock.period, 1),
        turns => (clock.left, turns.unwrap_or(0)),
    };
    let (left, turns) = (left.as_secs().to_string(), turns.to_string());
    match form {
        Form::Gtp => Command::new("time_left", &[colour(played), &left, &turns]),
        Form::Htp => Command::new("time_left", &[colour(played), &left]),
    }
}

/// The seconds of a turn: all of them, or a share of the clock; of both the smaller.
fn limit(go: &Go, clock: Option<TimeLeft>) -> Option<f64> {
    let of_clock = clock.map(|clock| {
        let time = clock.turn_time(TURNS_LEFT, std::time::Duration::ZERO);
        time.soft.unwrap_or(time.hard).as_millis() as u64
    });
    let ms = go.movetime.into_iter().chain(of_clock).min()?;
    Some(ms as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(known: &[&str]) -> ClockCommands {
        ClockCommands::of(&known.iter().map(|&name| name.to_owned()).collect())
    }

    fn commands(ways: &ClockCommands, go: &Go, first: bool) -> Vec<String> {
        let commands = ways.before_turn(go, Side::Second, first, Side::Second);
        commands.iter().map(Command::to_string).collect()
    }

    fn sudden() -> Go {
        Go {
            p1time: Some(1),
            p2time: Some(60_900),
            ..Go::default()
        }
    }

    #[test]
    fn clocks_are_sent_in_whole_seconds() {
        let gtp = ways(&["time_settings", "time_left"]);
        assert_eq!(
            commands(&gtp, &sudden(), true),
            ["time_settings 60 0 0", "time_left w 60 0"]
        );
        assert_eq!(commands(&gtp, &sudden(), false), ["time_left w 60 0"]);
        let periods = Go {
            p2time: Some(300_000),
            movestogo: Some(40),
            ..Go::default()
        };
        assert_eq!(
            commands(&gtp, &periods, true),
            ["time_settings 0 300 40", "time_left w 300 40"]
        );
        let byoyomi = Go {
            p2time: Some(0),
            byoyomi: Some(5_000),
            ..Go::default()
        };
        assert_eq!(
            commands(&gtp, &byoyomi, true),
            ["time_settings 0 5 1", "time_left w 5 1"]
        );
        let fixed = Go {
            movetime: Some(2_500),
            ..Go::default()
        };
        assert_eq!(commands(&gtp, &fixed, true), ["time_settings 0 2 1"]);
        let short = Go {
            movetime: Some(100),
            ..Go::default()
        };
        assert_eq!(commands(&gtp, &short, true), [""; 0]);
    }

    #[test]
    fn only_listed_commands_are_sent() {
        let known = |names: &[&str]| commands(&ways(names), &sudden(), true);
        assert_eq!(known(&["genmove"]), [""; 0]);
        assert_eq!(known(&["time_settings"]), ["time_settings 60 0 0"]);
        assert_eq!(known(&["time_left"]), ["time_left w 60"]);
        assert_eq!(known(&[]), ["time_settings 60 0 0"], "it lists nothing");
    }

    #[test]
    fn refused_commands_are_replaced_or_left_out() {
        let mut both = ways(&["time_settings", "time_left"]);
        for refused in ["time_settings", "time_left", "time_left"] {
            assert!(both.refuse(&Command::new(refused, &[])));
        }
        assert_eq!(commands(&both, &sudden(), true), [""; 0]);
        let mut htp = ways(&["time_left"]);
        assert!(htp.refuse(&Command::new("time_left", &[])));
        assert_eq!(commands(&htp, &sudden(), true), ["time_left w 60 0"]);
        assert!(!htp.refuse(&Command::new("genmove", &["w"])));
    }

    #[test]
    fn a_parameter_limits_turns_unless_the_engine_or_the_user_manages_its_time() {
        let shown = "\n[bool] use_time_management 0\n[string] max_time 10\n";
        let engine = |shown: &str| {
            let mut ways = ways(&["time_left", "param_x"]);
            ways.add_parameters("param_x", shown);
            ways
        };
        let limited = engine(shown);
        assert_eq!(
            commands(&limited, &sudden(), false),
            ["time_left w 60", "param_x max_time 3.045"]
        );
        let fixed = Go {
            movetime: Some(2_500),
            ..Go::default()
        };
        assert_eq!(commands(&limited, &fixed, true), ["param_x max_time 2.5"]);
        let managed = engine(&shown.replace(" 0", " 1"));
        assert_eq!(commands(&managed, &sudden(), false), ["time_left w 60"]);
        assert_eq!(engine("[string] max_nodes 10"), ways(&["time_left"]));
        let mut set = engine(shown);
        set.skip_option("param_x  max_time");
        assert_eq!(commands(&set, &fixed, true), [""; 0]);
    }
}
