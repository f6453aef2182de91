//! Pages in a terminal: the screen, its colours, and boards on it.

pub(crate) mod board;
pub(crate) mod choice;

use std::io::{self, ErrorKind, IsTerminal};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use base::signals;
use ratatui::crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Whether pages can be shown: input and output are a terminal that can move its cursor.
pub(crate) fn is_usable() -> bool {
    let moves_cursor = std::env::var("TERM").is_ok_and(|name| !name.is_empty() && name != "dumb");
    moves_cursor && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The whole screen, in raw mode. It is restored when this is dropped, and by a panic.
pub(crate) struct Screen {
    /// Never dropped: it would print an error to a terminal that is gone, and panic.
    terminal: ManuallyDrop<DefaultTerminal>,
    events: Receiver<Event>,
    stop: Arc<AtomicBool>,
}

impl Screen {
    /// Takes over the terminal. From now on SIGTERM and a hang-up end the page, not the process.
    ///
    /// # Errors
    /// The terminal refuses, or the system refuses a signal handler.
    pub(crate) fn enter() -> io::Result<Screen> {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        signals::on_stop(move |_| asked.store(true, Ordering::Relaxed))?;
        let terminal = ratatui::try_init().inspect_err(|_| drop(ratatui::try_restore()))?;
        Ok(Screen {
            terminal: ManuallyDrop::new(terminal),
            events: listen(),
            stop,
        })
    }

    /// Whether a signal asks the page to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Draws a page. In a smaller terminal than `least`, columns by rows, it says so instead.
    ///
    /// # Errors
    /// The terminal is gone.
    pub(crate) fn draw(
        &mut self,
        least: (u16, u16),
        page: impl FnOnce(&mut Frame),
    ) -> io::Result<()> {
        let drawn = self.terminal.draw(|frame| {
            let area = frame.area();
            if area.width < least.0 || area.height < least.1 {
                too_small(frame, area, least);
            } else {
                page(frame);
            }
        });
        drawn.map(drop)
    }

    /// The next key, if one is pressed within `time`. `None` also after another event, such as a
    /// new size: the page is to be drawn again.
    ///
    /// # Errors
    /// The terminal is gone.
    pub(crate) fn key(&mut self, time: Duration) -> io::Result<Option<KeyEvent>> {
        let event = self.events.recv_timeout(time);
        match event {
            _ if has_hung_up()? => Err(ErrorKind::BrokenPipe.into()),
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Ok(Some(key)),
            Ok(_) | Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(ErrorKind::BrokenPipe.into()),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Errors are ignored: the terminal may be gone.
        let _ = self.terminal.show_cursor();
        let _ = ratatui::try_restore();
    }
}

/// The events of the terminal, read on a thread of its own: `crossterm` never returns from reading a
/// terminal that is gone.
fn listen() -> Receiver<Event> {
    let (sender, events) = mpsc::channel();
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(event).is_err() {
                return;
            }
        }
    });
    events
}

/// Whether the terminal is gone.
fn has_hung_up() -> io::Result<bool> {
    let stdin = io::stdin();
    let mut input = [PollFd::new(&stdin, PollFlags::empty())];
    match poll(&mut input, Some(&Timespec::default())) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR;
    Ok(input[0].revents().intersects(gone))
}

fn too_small(frame: &mut Frame, area: Rect, (columns, rows): (u16, u16)) {
    let Rect { width, height, .. } = area;
    let text = format!("{width}×{height} is too small, expected {columns}×{rows}");
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

/// The styles of a page. Without colour they differ in brightness and in signs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    has_colour: bool,
}

impl Theme {
    /// With colour, unless the user wants none (<https://no-color.org>).
    pub(crate) fn of_user() -> Theme {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Theme {
            has_colour: !refused,
        }
    }

    fn coloured(self, style: Style) -> Style {
        if self.has_colour { style } else { Style::new() }
    }

    /// A stone of a colour with this name.
    pub(crate) fn stone(self, colour: &str) -> Style {
        let (front, back) = match colour {
            "black" => (Color::White, Color::Black),
            "white" => (Color::Black, Color::White),
            "red" | "crosses" => (Color::White, Color::Red),
            _ => (Color::White, Color::Blue),
        };
        let style = self.coloured(Style::new().fg(front).bg(back));
        style.add_modifier(Modifier::BOLD)
    }

    /// What is less important than the rest.
    pub(crate) fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// A place where the next action may go.
    pub(crate) fn target(self) -> Style {
        self.coloured(Style::new().fg(Color::Green))
            .add_modifier(Modifier::BOLD)
    }

    /// What was played last.
    pub(crate) fn last(self) -> Style {
        self.coloured(Style::new().fg(Color::Yellow))
            .add_modifier(Modifier::UNDERLINED)
    }

    /// The line of a list that is selected, and whose turn it is.
    pub(crate) fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What needs attention.
    pub(crate) fn warning(self) -> Style {
        self.coloured(Style::new().fg(Color::Red))
            .add_modifier(Modifier::BOLD)
    }
}

/// Scrolls lines so that this point of them, column and row, is visible in `area`.
pub(crate) fn render_around(
    frame: &mut Frame,
    area: Rect,
    lines: Vec<Line<'static>>,
    (column, row): (usize, usize),
) {
    let width = lines.iter().map(Line::width).max().unwrap_or(0);
    let offset = |at: usize, size: usize, room: u16| {
        let room = usize::from(room);
        let most = size.saturating_sub(room);
        at.saturating_sub(room / 2).min(most) as u16
    };
    let down = offset(row, lines.len(), area.height);
    let right = offset(column, width, area.width);
    frame.render_widget(Paragraph::new(lines).scroll((down, right)), area);
}
