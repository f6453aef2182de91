//! `referee replay`.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use referee_core::base::error::{BadInput, tell};
use referee_core::base::plain::plain;
use referee_core::log::{self, Place};
use referee_core::results::replay::Replay;

use super::facts::{FormatArg, write_json};
use super::picture::{AnimationArgs, LookArgs};

/// Step through a logged game in the terminal, print it, or write it as an animation
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Keys: right and left one ply, Home and End, Page Up and Page Down other games, q to \
    quit. If standard output is not a terminal, the turns and the last board are printed. \
    JSON is the game's entry in the log.\n\n\
    Example: referee replay matches/six-games hex-r1-pvs-mcts --ply 12\n  \
    referee replay matches/six-games hex-r1-pvs-mcts --gif hex.gif --size 480\n  \
    referee replay matches/six-games hex-r1-pvs-mcts --svg hex.svg --theme auto --numbers"
)]
pub(super) struct Args {
    /// A log, or a folder with logs in it
    log: PathBuf,
    /// The game: its id or the beginning of it [default: the first game of the log]
    id: Option<String>,
    /// Print the board after this many turns and rolls, with those of the opening; 0 for the start
    #[arg(long)]
    ply: Option<usize>,
    #[command(flatten)]
    files: AnimationArgs,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let logs = log::find(std::slice::from_ref(&self.log))?;
        let mut games = Vec::new();
        let warnings = log::places(&logs, |id, place| games.push((id, place)))?;
        for warning in warnings {
            tell(format_args!("warning: {warning}"));
        }
        let index = self.find(&games)?;
        let game = games[index].1.game()?;
        if self.format.is_json() {
            write_json(out, &game)?;
            return Ok(ExitCode::SUCCESS);
        }
        let game = Replay::new(game);
        if self.files.gif.is_some() || self.files.svg.is_some() {
            self.animate(&game)?;
        } else if let Some(ply) = self.ply {
            let plies = game.plies();
            if ply > plies {
                return Err(BadInput(format!("--ply {ply}, expected 0 to {plies}")).into());
            }
            write!(out, "{}", show(&game, ply))?;
        } else if io::stdout().is_terminal() && io::stdin().is_terminal() {
            step_through(&games, index, game)?;
        } else {
            writeln!(out, "{}\n", game.heading())?;
            for line in game.lines() {
                writeln!(out, "{line}")?;
            }
            write!(out, "\n{}", show(&game, game.plies()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Writes the files with the whole game.
    fn animate(&self, game: &Replay) -> Result<()> {
        let pictures = || {
            let pictures = game.pictures(self.look.numbers);
            pictures.map_err(|fault| BadInput(format!("{}: {fault}", game.id())))
        };
        if let Some(path) = &self.files.gif {
            self.look.write_gif(path, pictures()?)?;
        }
        if let Some(path) = &self.files.svg {
            self.look.write_animation(path, pictures()?)?;
        }
        Ok(())
    }

    /// The index of the selected game.
    fn find(&self, games: &[(String, Place)]) -> Result<usize, BadInput> {
        let id = self.id.as_deref().unwrap_or("");
        games
            .iter()
            .position(|(game, _)| game.starts_with(id))
            .ok_or_else(|| {
                let known: Vec<&str> = games.iter().take(5).map(|(id, _)| id.as_str()).collect();
                let more = if games.len() > known.len() {
                    ", …"
                } else {
                    ""
                };
                let log = self.log.display();
                BadInput(match known[..] {
                    [] => format!("{log}: no games, expected one or more"),
                    _ => format!(
                        "{log}: no game {id:?}, expected one of {}{more}",
                        known.join(", ")
                    ),
                })
            })
    }
}

/// The board after a ply, or the error if the game is faulty.
fn show(game: &Replay, ply: usize) -> String {
    game.frame(ply)
        .unwrap_or_else(|fault| format!("{}\n\nfaulty: {fault}\n", game.heading()))
}

/// The game and ply shown.
struct View<'g> {
    games: &'g [(String, Place)],
    index: usize,
    game: Replay,
    ply: usize,
}

impl View<'_> {
    /// Shows the start of a game.
    fn show_game(&mut self, index: usize) -> Result<(), BadInput> {
        self.game = Replay::new(self.games[index].1.game()?);
        (self.index, self.ply) = (index, 0);
        Ok(())
    }

    /// Handles a key; `false` to quit.
    fn press(&mut self, key: KeyEvent) -> Result<bool, BadInput> {
        let last = self.game.plies();
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Ok(false),
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Ok(false);
            }
            KeyCode::Right | KeyCode::Down | KeyCode::Char(' ') => {
                self.ply = last.min(self.ply + 1)
            }
            KeyCode::Left | KeyCode::Up => self.ply = self.ply.saturating_sub(1),
            KeyCode::Home => self.ply = 0,
            KeyCode::End => self.ply = last,
            KeyCode::PageDown if self.index + 1 < self.games.len() => {
                self.show_game(self.index + 1)?;
            }
            KeyCode::PageUp if self.index > 0 => self.show_game(self.index - 1)?,
            _ => {}
        }
        Ok(true)
    }

    /// Draws the whole screen. Raw mode needs a carriage return at each line end.
    fn draw(&self) -> io::Result<()> {
        let text = show(&self.game, self.ply);
        let text = plain(&text);
        let keys = "← → Home End: ply   Page Up, Page Down: game   q: quit";
        let screen = format!(
            "{text}\ngame {} of {}   {keys}",
            self.index + 1,
            self.games.len()
        );
        let mut out = io::stdout();
        execute!(out, MoveTo(0, 0), Clear(ClearType::All))?;
        write!(out, "{}", screen.replace('\n', "\r\n"))?;
        out.flush()
    }
}

/// Restores the terminal when dropped.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Screen> {
        enable_raw_mode()?;
        let screen = Screen;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Errors are ignored: the terminal may be gone.
        let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

fn step_through(games: &[(String, Place)], index: usize, game: Replay) -> Result<()> {
    let _screen = Screen::enter()?;
    let mut view = View {
        games,
        index,
        game,
        ply: 0,
    };
    loop {
        view.draw()?;
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release && !view.press(key)? => {
                return Ok(());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A game of two turns, as a line of a log.
    fn line(id: &str) -> String {
        let engine = |name: &str| json!({"name": name, "command": [name], "protocol": "ugi"});
        let game = json!({
            "schema": 1, "id": id, "league": "test", "game": "hex", "variant": {}, "round": 1,
            "seed": 1, "first": engine("a"), "second": engine("b"), "clock": {"nodes": 1},
            "started": "1970-01-01T00:00:00Z", "duration_ms": 0,
            "turns": [{"side": "first", "text": "a1"}, {"side": "second", "text": "b2"}],
            "result": "first", "reason": "rules", "detail": "", "host": "",
        });
        game.to_string()
    }

    #[test]
    fn keys_stay_within_the_game_and_the_log() {
        let mut log = tempfile::NamedTempFile::new().unwrap();
        for id in ["x", "y"] {
            writeln!(log, "{}", line(id)).unwrap();
        }
        let mut games = Vec::new();
        log::places(&[log.path().to_owned()], |id, place| {
            games.push((id, place))
        })
        .unwrap();
        let mut view = View {
            games: &games,
            index: 0,
            game: Replay::new(games[0].1.game().unwrap()),
            ply: 0,
        };
        let mut press = |code| {
            assert!(view.press(KeyEvent::from(code)).unwrap());
            assert_eq!(view.game.id(), ["x", "y"][view.index]);
            (view.index, view.ply)
        };
        assert_eq!(press(KeyCode::Left), (0, 0));
        assert_eq!(press(KeyCode::Right), (0, 1));
        assert_eq!(press(KeyCode::End), (0, 2));
        assert_eq!(press(KeyCode::Right), (0, 2));
        assert_eq!(press(KeyCode::PageUp), (0, 2));
        assert_eq!(press(KeyCode::PageDown), (1, 0));
        assert_eq!(press(KeyCode::PageDown), (1, 0));
        assert_eq!(press(KeyCode::PageUp), (0, 0));
        assert!(!view.press(KeyEvent::from(KeyCode::Char('q'))).unwrap());
    }
}
