//! A session with a GTP controller: a referee, or a graphical board such as HexGui.
//!
//! A board sets positions up stone by stone, so `play` and `genmove` take either colour at any time
//! ([`Written::out_of_turn`]). A colour is that of the stones, whoever plays them after a swap.

mod analysis;
mod time;

use engine_core::{Outcome, Side};
use game::Engine;
use game::turn::play_part_in;
use protocol::Protocol;
use protocol::gtp::{Command, Response, colour, side};

use self::analysis::Analysis;
use self::time::Time;
use super::asking::Asking;
use super::{Next, for_each_line, on_clock, per_turn, print, resized};
use crate::setup::Setup;

/// The commands, in alphabetical order.
const COMMANDS: [&str; 23] = [
    "all_legal_moves",
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "hexgui-analyze_commands",
    "known_command",
    "list_commands",
    "loadsgf",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "search_candidates",
    "search_line",
    "search_score",
    "search_shares",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Plays until `quit` or the end of the input.
pub(super) fn serve<G: Engine>(setup: Setup, start: G) {
    let mut session = Session {
        empty: start.clone(),
        positions: vec![start],
        asking: Asking::new(setup.clone()),
        setup,
        time: Time::default(),
    };
    for_each_line(std::io::stdin().lock(), |line| session.line(line));
}

struct Session<G: Engine> {
    setup: Setup,
    /// The start of the variant on this board, for `clear_board`.
    empty: G,
    /// The start, and the position after each `play`, `genmove` or turn of a loaded game. The last
    /// one is the current one.
    positions: Vec<G>,
    asking: Asking<G>,
    time: Time,
}

/// The response to a command, or its error message.
type Answer = Result<String, String>;

impl<G: Engine> Session<G> {
    fn line(&mut self, line: &str) -> Next {
        let Some(Command {
            id,
            name,
            arguments,
        }) = Command::parse(line)
        else {
            return Next::Line;
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (success, text) = match self.command(&name, &arguments) {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        let response = Response { id, success, text };
        // `print` adds the empty line's newline.
        print(response.to_string().trim_end_matches('\n').to_owned() + "\n");
        match name.as_str() {
            "quit" => Next::Quit,
            _ => Next::Line,
        }
    }

    fn command(&mut self, name: &str, arguments: &[&str]) -> Answer {
        match (name, arguments) {
            ("protocol_version", []) => Ok("2".into()),
            ("name", []) => Ok(G::NAME.into()),
            ("version", []) => Ok(env!("CARGO_PKG_VERSION").into()),
            ("list_commands", []) => Ok(COMMANDS.join("\n")),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("boardsize", [size, rest @ ..]) => self.board_size(size, rest),
            ("clear_board", []) => {
                self.positions = vec![self.empty.clone()];
                self.asking.new_game(&self.positions[0]);
                self.time.begin();
                Ok(String::new())
            }
            ("loadsgf", [path @ .., turn]) if !path.is_empty() && turn.parse::<u32>().is_ok() => {
                self.load(&path.join(" "), turn.parse().ok())
            }
            ("loadsgf", [_, ..]) => self.load(&arguments.join(" "), None),
            ("play", [colour, turn]) => self.play(colour, turn),
            ("genmove", [colour]) => self.choose(colour),
            ("reg_genmove", [colour]) => {
                let mut position = self.to_act(colour)?;
                let turn = self
                    .asking
                    .turn(&mut position, per_turn(&self.setup.options));
                turn.ok_or_else(|| "no turn was found".into())
            }
            ("undo", []) if self.positions.len() == 1 => Err("cannot undo".into()),
            ("undo", []) => {
                self.positions.pop();
                Ok(String::new())
            }
            ("time_settings", [main, period, turns]) => {
                self.time = Time::set(main, period, turns)?;
                Ok(String::new())
            }
            ("time_left", [colour, time]) => self.time_left(colour, time, "0"),
            ("time_left", [colour, time, turns]) => self.time_left(colour, time, turns),
            ("final_score", []) => self.score(),
            ("showboard", []) => Ok(board(&self.position().draw())),
            ("all_legal_moves", [] | [_]) => Ok(analysis::legal(&self.asked(arguments)?)),
            ("hexgui-analyze_commands", []) => Ok(analysis::COMMANDS.join("\n")),
            ("search_score", [] | [_]) => self.analysis(arguments)?.score(),
            ("search_line", [] | [_]) => self.analysis(arguments)?.line(),
            ("search_candidates", [] | [_]) => Ok(self.analysis(arguments)?.influence()),
            ("search_shares", [] | [_]) => Ok(self.analysis(arguments)?.shares()),
            ("quit", []) => Ok(String::new()),
            (name, _) if COMMANDS.contains(&name) => Err("syntax error".into()),
            _ => Err("unknown command".into()),
        }
    }

    fn position(&self) -> &G {
        self.positions.last().expect("the start stays")
    }

    /// Accepts one number, or two equal ones.
    fn board_size(&mut self, size: &str, rest: &[&str]) -> Answer {
        let unacceptable = || "unacceptable size".to_owned();
        let number = size.parse().map_err(|_| "syntax error")?;
        if rest.iter().any(|&other| other != size) {
            return Err(unacceptable());
        }
        let start = resized::<G>(&self.setup, number, Protocol::Gtp);
        self.empty = start.ok_or_else(unacceptable)?;
        self.positions = vec![self.empty.clone()];
        self.asking.new_game(&self.positions[0]);
        Ok(String::new())
    }

    /// The current position with a colour to act, whoever's turn it is.
    fn to_act(&self, colour: &str) -> Result<G, String> {
        let colour = side(colour).ok_or("syntax error: expected b or w")?;
        let position = self.position();
        let to_act = position.colour_index(position.side());
        if position.outcome().is_some() {
            Err("the game is over".into())
        } else if to_act == colour.index() {
            Ok(position.clone())
        } else {
            let before = self.positions.iter().rev().nth(1);
            let other = position.out_of_turn(colour.index(), before);
            other.ok_or_else(|| {
                let [to_act, colour] = [to_act, colour.index()].map(gtp_colour);
                format!("it is the turn of {to_act}, and {colour} cannot move instead")
            })
        }
    }

    /// The position that a command asks about: with the colour to act that it names, if any.
    fn asked(&self, colour: &[&str]) -> Result<G, String> {
        match colour {
            [colour] => self.to_act(colour),
            _ if self.position().outcome().is_some() => Err("the game is over".into()),
            _ => Ok(self.position().clone()),
        }
    }

    fn analysis(&mut self, colour: &[&str]) -> Result<Analysis<'_, G>, String> {
        Ok(Analysis {
            position: self.asked(colour)?,
            limits: per_turn(&self.setup.options),
            asking: &mut self.asking,
        })
    }

    /// A resignation leaves the board as it is, and can be taken back like any turn.
    fn play(&mut self, colour: &str, turn: &str) -> Answer {
        let wrong = |error| format!("illegal move: {error}");
        let mut position = self.to_act(colour).map_err(wrong)?;
        if turn.eq_ignore_ascii_case("resign") {
            position = self.position().clone();
        } else {
            play_part_in(&mut position, Protocol::Gtp, turn)
                .map_err(|error| wrong(error.to_string()))?;
        }
        self.positions.push(position);
        Ok(String::new())
    }

    fn choose(&mut self, colour: &str) -> Answer {
        let mut position = self.to_act(colour)?;
        let clock = side(colour).and_then(|side| self.time.clock(side));
        let limits = clock.map_or_else(
            || per_turn(&self.setup.options),
            |clock| on_clock(&self.setup.options, &position, clock),
        );
        let turn = self.asking.turn(&mut position, limits);
        let turn = turn.ok_or("no turn was found")?;
        self.positions.push(position);
        Ok(turn)
    }

    fn time_left(&mut self, colour: &str, time: &str, turns: &str) -> Answer {
        let side = side(colour).ok_or("syntax error: expected b or w")?;
        self.time.set_left(side, time, turns)?;
        Ok(String::new())
    }

    /// Loads the first game of an SGF file up to the position before a turn, from 1; the whole game
    /// without one. The path may be in quotes. Stones that the file sets up are the start.
    fn load(&mut self, path: &str, turn: Option<usize>) -> Answer {
        let path = path.trim_matches('"');
        let cannot = |reason: String| format!("cannot load file: {path}: {reason}");
        let text = std::fs::read(path).map_err(|error| cannot(error.to_string()))?;
        let variant = serde_json::from_value(self.setup.options.variant.clone());
        let variant = variant.expect("the variant was checked at the start");
        let reading = G::read_sgf(&String::from_utf8_lossy(&text), &variant);
        let reading = reading.ok_or_else(|| cannot("no game".into()))?;
        let played = reading.map_err(cannot)?;
        self.empty = G::start(&played.variant).expect("the record was read in this variant");
        self.positions = played.positions;
        self.positions.truncate(turn.unwrap_or(usize::MAX).max(1));
        self.asking.new_game(&self.positions[0]);
        self.time.begin();
        Ok(String::new())
    }

    fn score(&self) -> Answer {
        let position = self.position();
        match position.outcome() {
            Some(Outcome::Win(side)) => {
                let winner = gtp_colour(position.colour_index(side));
                Ok(format!("{}+", winner.to_uppercase()))
            }
            Some(Outcome::Draw) => Ok("0".into()),
            None => Err("the game is not over".into()),
        }
    }
}

/// The GTP colour with this index into [`Game::COLOURS`].
fn gtp_colour(index: usize) -> &'static str {
    colour(Side::BOTH[index])
}

/// A picture as a response: it starts on a new line and has no empty lines.
fn board(picture: &str) -> String {
    let lines = picture.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| format!("\n{}", line.trim_end())).collect()
}
