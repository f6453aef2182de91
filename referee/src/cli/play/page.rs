//! A game on the screen: the board with a cursor, clocks, turns, and a line to type in.

use std::time::Duration;

use anyhow::Result;
use base::plain::plain;
use desk::Turn;
use engine_core::Side;
use league::results::replay::state;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::order::{Reply, complete, obey};
use super::sitting::{Phase, Sitting};
use crate::terminal::board::{Board, Direction, Marks};
use crate::terminal::choice::Choice;
use crate::terminal::{Screen, Theme, render_around};

/// The smallest terminal that the page fits in, columns by rows.
const LEAST: (u16, u16) = (30, 8);

/// Columns that the list of turns needs beside the board.
const PANEL: u16 = 28;

/// Columns of a player's name in that list.
const NAME: usize = 10;

/// Time between two looks at the engine and the clocks.
const INTERVAL: Duration = Duration::from_millis(100);

/// A clock below this is in danger.
const SHORT: Duration = Duration::from_secs(60);

/// The most rows that a message takes.
const MESSAGE_ROWS: u16 = 3;

/// What may be typed, shown while nothing is.
const WORDS: &str = "a turn, or: undo hint now moves pause resign quit";

/// Plays until the person leaves.
pub(super) fn play(sitting: &mut Sitting) -> Result<()> {
    let mut screen = Screen::enter()?;
    let mut page = Page::new(sitting);
    while !page.is_left && !screen.is_stopped() {
        page.poll();
        screen.draw(LEAST, |frame| page.draw(frame))?;
        if let Some(key) = screen.key(INTERVAL)? {
            page.press(key);
        }
    }
    Ok(())
}

/// What the page shows, besides the game.
struct Page<'s> {
    sitting: &'s mut Sitting,
    theme: Theme,
    board: Board,
    choice: Choice,
    /// A place of the board.
    cursor: usize,
    typed: String,
    /// Whether `typed` was refused: the next letter begins anew.
    is_refused: bool,
    message: String,
    /// Who was to act when the page last looked.
    phase: Phase,
    is_leaving: bool,
    is_left: bool,
}

impl Page<'_> {
    fn new(sitting: &mut Sitting) -> Page<'_> {
        let board = Board::new(&sitting.position().board());
        let mut page = Page {
            theme: Theme::of_user(),
            choice: Choice::none(),
            cursor: board.middle(),
            board,
            typed: String::new(),
            is_refused: false,
            message: String::new(),
            phase: sitting.phase(),
            is_leaving: false,
            is_left: false,
            sitting,
        };
        page.look_again();
        page
    }

    /// Takes what the engine has done, and brings the board up to date.
    fn poll(&mut self) {
        if self.sitting.look() || self.sitting.phase() != self.phase {
            self.look_again();
        }
        match self.sitting.take_hint() {
            Some(Ok(turn)) => {
                let places = self.board.named_in(&turn);
                self.cursor = places.first().copied().unwrap_or(self.cursor);
                self.message = format!("hint: {turn}");
            }
            Some(Err(reason)) => self.message = format!("no hint: {reason}"),
            None => {}
        }
    }

    /// Reads the position anew. A message stays as long as the same side is to act.
    fn look_again(&mut self) {
        if self.sitting.phase() != self.phase {
            self.phase = self.sitting.phase();
            self.message.clear();
        }
        let position = self.sitting.position();
        self.board = Board::new(&position.board());
        self.choice = if self.sitting.is_asked() {
            Choice::new(&self.board, position)
        } else {
            Choice::none()
        };
    }

    fn press(&mut self, key: KeyEvent) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let is_text = !is_control && !key.modifiers.contains(KeyModifiers::ALT);
        let was_leaving = std::mem::take(&mut self.is_leaving);
        let was_refused = std::mem::take(&mut self.is_refused);
        match key.code {
            KeyCode::Char('c') if is_control => self.leave(was_leaving),
            KeyCode::Char('q') if self.sitting.ending().is_some() && self.typed.is_empty() => {
                self.is_left = true;
            }
            KeyCode::Char(sign) if is_text => {
                if was_refused {
                    self.typed.clear();
                }
                self.typed.push(sign);
            }
            KeyCode::Backspace if !self.typed.is_empty() => drop(self.typed.pop()),
            KeyCode::Esc if !self.typed.is_empty() => {
                self.typed.clear();
                self.message.clear();
            }
            KeyCode::Backspace | KeyCode::Esc => {
                self.message.clear();
                if !self.choice.unpick() && self.sitting.remove_part() {
                    self.look_again();
                }
            }
            KeyCode::Tab => self.complete(),
            KeyCode::Enter if self.typed.is_empty() => self.pick(),
            KeyCode::Enter => {
                let typed = std::mem::take(&mut self.typed);
                self.obey(&typed);
            }
            KeyCode::Left => self.go(Direction::Left),
            KeyCode::Right => self.go(Direction::Right),
            KeyCode::Up => self.go(Direction::Up),
            KeyCode::Down => self.go(Direction::Down),
            _ => {}
        }
    }

    fn go(&mut self, direction: Direction) {
        self.cursor = self.board.next(self.cursor, direction);
    }

    /// Leaves the page; asks once in the middle of a game.
    fn leave(&mut self, was_asked: bool) {
        let in_game = self.sitting.ending().is_none() && !self.sitting.game().turns.is_empty();
        if in_game && !was_asked {
            self.is_leaving = true;
            self.message = "Ctrl-C again leaves the game; it can go on later".to_owned();
        } else {
            self.is_left = true;
        }
    }

    fn complete(&mut self) {
        let (typed, known) = complete(self.sitting, &self.typed);
        self.typed = typed;
        self.message = match &known[..] {
            [] => "nothing begins like this".to_owned(),
            [_] => String::new(),
            several => several.join(" "),
        };
    }

    /// Chooses the place under the cursor.
    fn pick(&mut self) {
        if !self.sitting.is_asked() {
            return;
        }
        match self.choice.pick(self.cursor) {
            Ok(None) => self.message.clear(),
            Ok(Some(action)) => {
                let action = action.to_owned();
                self.obey(&action);
                // The action that was chosen is no text to correct.
                self.typed.clear();
                self.is_refused = false;
            }
            Err(reason) => self.message = reason,
        }
    }

    /// Obeys a line. What was typed stays if it was refused, to be corrected or typed over.
    fn obey(&mut self, line: &str) {
        self.message.clear();
        match obey(self.sitting, line) {
            Ok(Reply::Done) if self.sitting.is_looking_for_hint() => {
                self.message = "looking for a hint …".to_owned();
            }
            Ok(Reply::Done | Reply::Board) => {}
            Ok(Reply::Say(words)) => self.message = words,
            Ok(Reply::Quit) => self.is_left = true,
            Err(reason) => {
                self.message = reason;
                self.typed = line.to_owned();
                self.is_refused = true;
            }
        }
        self.look_again();
    }

    fn draw(&self, frame: &mut Frame) {
        let area = frame.area();
        let message = self.message(area.width);
        let rows = (Line::raw(&*message).width() as u16).div_ceil(area.width.max(1));
        let rows = rows.clamp(1, MESSAGE_ROWS);
        // A line stays empty above the board if there is room.
        let is_roomy = self.board.height() + MESSAGE_ROWS + 3 <= area.height;
        let rows = [
            Constraint::Length(1 + u16::from(is_roomy)),
            Constraint::Fill(1),
            Constraint::Length(rows),
            Constraint::Length(1),
        ];
        let [head, body, foot, prompt] = Layout::vertical(rows).areas(area);
        frame.render_widget(self.head(head.width), head);
        self.draw_body(frame, body);
        frame.render_widget(Paragraph::new(&*message).wrap(Wrap { trim: true }), foot);
        let typed = plain(&self.typed).into_owned();
        let words = match &*typed {
            "" => Span::styled(WORDS, self.theme.faint()),
            typed if self.is_refused => Span::styled(typed, self.theme.selected()),
            typed => Span::raw(typed),
        };
        frame.render_widget(Line::from(vec![Span::raw("> "), words]), prompt);
        let column = (2 + Line::raw(&*typed).width() as u16).min(prompt.width.saturating_sub(1));
        frame.set_cursor_position((prompt.x + column, prompt.y));
    }

    /// The board, and beside it the turns if there is room for them.
    fn draw_body(&self, frame: &mut Frame, area: Rect) {
        let board_width = self.board.width();
        let (board, panel) = if area.width >= board_width + PANEL {
            let columns = [Constraint::Length(board_width + 1), Constraint::Fill(1)];
            let [board, panel] = Layout::horizontal(columns).areas(area);
            (board, Some(panel))
        } else {
            (area, None)
        };
        let turns = self.sitting.game().turns.iter();
        let last = turns.rev().find(|turn| turn.by.is_some());
        let marks = Marks {
            cursor: Some(self.cursor),
            last: last.map_or(Vec::new(), |last| self.board.named_in(&last.record.text)),
            picked: self.choice.picked().to_vec(),
            targets: match self.choice.picked() {
                [] => Vec::new(),
                _ => self.choice.targets(),
            },
        };
        let colours = self.sitting.rules().colours();
        let lines = self.board.render(self.theme, colours, &marks);
        render_around(frame, board, lines, self.board.at(self.cursor));
        if let Some(panel) = panel {
            frame.render_widget(Paragraph::new(self.turns(panel)), panel);
        }
    }

    /// What the person should know now.
    fn message(&self, width: u16) -> String {
        let mut message = match &*self.message {
            "" => self.situation(width),
            message => message.to_owned(),
        };
        if let Some(trouble) = self.sitting.trouble() {
            message = format!("{trouble}. {message}");
        }
        plain(&message).into_owned()
    }

    /// Who is to act; and how, if that fits into the width.
    fn situation(&self, width: u16) -> String {
        let (sitting, engine) = (&self.sitting, self.sitting.side().opponent());
        let parts = sitting.parts().join(" ");
        if !self.choice.picked().is_empty() {
            let picked = self.board.names(self.choice.picked());
            return format!("{picked}: arrows and Enter choose what follows, Esc chooses anew");
        }
        match (sitting.phase(), &*parts) {
            (Phase::Starting, _) => format!("{} is starting …", sitting.name(engine)),
            (Phase::Engine, _) => format!("{} is thinking …", sitting.name(engine)),
            (Phase::Paused, _) => "the clocks stand; resume lets them go on".to_owned(),
            (Phase::GivenUp, _) => {
                format!("{}; enter its turn, or restart it", sitting.failure(""))
            }
            (Phase::Person, "") => {
                let state = state(sitting.position(), sitting.rules().colours());
                let state = state + &sitting.failure("; ");
                let long = format!("{state}: arrows and Enter, or type; Tab completes");
                if long.len() <= usize::from(width) {
                    long
                } else {
                    state
                }
            }
            (Phase::Person, parts) => format!("your turn so far: {parts}; Esc takes back"),
            (Phase::Over, _) => {
                let ending = sitting.ending().unwrap_or_default();
                format!("{ending}. undo takes back your last turn, q leaves")
            }
        }
    }

    /// Both players and their clocks, the running one highlighted.
    fn head(&self, width: u16) -> Line<'static> {
        let line = |name: &dyn Fn(Side) -> String| {
            let players = Side::BOTH.map(|side| self.player(side, name(side)));
            let [first, second] = players;
            Line::from(vec![first, Span::raw("  "), second])
        };
        let long = line(&|side| self.sitting.player(side));
        if long.width() <= usize::from(width) {
            return long;
        }
        line(&|side| self.sitting.name(side).to_owned())
    }

    fn player(&self, side: Side, name: String) -> Span<'static> {
        let running = self.sitting.running(side);
        let left = self.sitting.left(side);
        let time = match (left, running) {
            (Some(left), _) => clock(left),
            (None, Some(running)) => format!("{} s", running.as_secs()),
            (None, None) => String::new(),
        };
        let in_danger = self.sitting.has_base(side) && left.is_some_and(|left| left < SHORT);
        let mut style = if in_danger {
            self.theme.warning()
        } else {
            Default::default()
        };
        let mut mark = ' ';
        if running.is_some() {
            style = style.patch(self.theme.selected());
            mark = '>';
        }
        Span::styled(format!("{mark}{} {time} ", plain(&name)), style)
    }

    /// The last turns, as many as there is room for, and what the engine says of the present or said
    /// of its last search.
    fn turns(&self, area: Rect) -> Vec<Line<'static>> {
        let turns = &self.sitting.game().turns;
        let mut lines = Vec::new();
        let last = turns.iter().rev().find_map(|turn| turn.record.info.clone());
        if let Some(info) = self.sitting.live().report.or(last) {
            let depth = info.depth.map(|depth| format!("depth {depth}"));
            let nodes = info.nodes.map(|nodes| format!("{nodes} nodes"));
            let said = [depth, info.score.clone(), nodes].into_iter().flatten();
            let said = said.collect::<Vec<_>>().join(", ");
            lines.push(Line::styled(plain(&said).into_owned(), self.theme.faint()));
            let line = info.pv.as_deref().unwrap_or_default();
            lines.push(Line::styled(plain(line).into_owned(), self.theme.faint()));
            lines.push(Line::default());
        }
        let room = usize::from(area.height).saturating_sub(lines.len());
        let from = turns.len().saturating_sub(room);
        let numbered = (1..).zip(turns).skip(from);
        lines.extend(numbered.map(|(number, turn)| self.turn(number, turn)));
        lines
    }

    fn turn(&self, number: usize, turn: &Turn) -> Line<'static> {
        let who = match turn.by {
            None => "roll",
            Some(_) => self.sitting.name(turn.record.side.into()),
        };
        let names = Side::BOTH.map(|side| self.sitting.name(side).chars().count());
        let width = names[0].max(names[1]).min(NAME);
        let seconds = match turn.by {
            None => String::new(),
            Some(_) => format!("  {:.1} s", turn.record.used_us as f64 / 1e6),
        };
        let text = &turn.record.text;
        let text = format!("{number:>3}. {who:width$.width$}  {text}");
        Line::from(vec![
            Span::raw(plain(&text).into_owned()),
            Span::styled(seconds, self.theme.faint()),
        ])
    }
}

/// A time as minutes and seconds: `4:05`; below ten seconds with tenths.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1}", (time.as_millis() / 100) as f64 / 10.0),
        _ => format!("{}:{:02}", seconds / 60, seconds % 60),
    }
}
