//! What the engine at fault and the referee said last, on the screen.

use base::plain::plain;
use gamelog::Place;
use league::conversations;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Constraint, Layout};
use ratatui::text::Line;

use crate::terminal::Theme;

/// The conversation of a game that went wrong, shown from its end: there is the fault.
pub(super) struct Said {
    lines: Vec<String>,
    /// How many lines stand below the last one that is shown.
    below: usize,
    /// Rows that the lines have, once they were drawn.
    room: usize,
}

impl Said {
    /// What was kept of a game, if anything.
    pub(super) fn of(id: &str, place: &Place) -> Option<Said> {
        let text = conversations::of(place.log(), id)?;
        let lines = text.lines().map(|line| plain(line).into_owned()).collect();
        let (below, room) = (0, 1);
        Some(Said { lines, below, room })
    }

    /// Handles a key; `false` to go back to the game.
    pub(super) fn press(&mut self, code: KeyCode) -> bool {
        let page = self.room.saturating_sub(1).max(1);
        self.below = match code {
            KeyCode::Esc | KeyCode::Char('c' | 'q') => return false,
            KeyCode::Up => self.below + 1,
            KeyCode::Down => self.below.saturating_sub(1),
            KeyCode::PageUp => self.below + page,
            KeyCode::PageDown => self.below.saturating_sub(page),
            KeyCode::Home => self.lines.len(),
            KeyCode::End => 0,
            _ => self.below,
        };
        true
    }

    /// The lines that are shown in so many rows.
    fn shown(&mut self, room: usize) -> &[String] {
        self.room = room.max(1);
        self.below = self.below.min(self.lines.len().saturating_sub(self.room));
        let end = self.lines.len() - self.below;
        &self.lines[end.saturating_sub(self.room)..end]
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, theme: Theme) {
        let rows = [
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
        ];
        let [head, body, foot] = Layout::vertical(rows).areas(frame.area());
        let title = "Last lines to the engine at fault (>) and from it (<), after s";
        frame.render_widget(Line::styled(title, theme.selected()), head);
        for (row, line) in body.rows().zip(self.shown(body.height.into())) {
            frame.render_widget(Line::raw(&**line), row);
        }
        let keys = "Up Down PgUp PgDn Home End   c Esc back to the game";
        frame.render_widget(Line::styled(keys, theme.faint()), foot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(lines: usize) -> Said {
        let lines = (1..=lines).map(|line| line.to_string()).collect();
        let (below, room) = (0, 1);
        Said { lines, below, room }
    }

    #[test]
    fn it_begins_at_the_end_and_keys_stay_within_it() {
        let mut said = said(10);
        assert_eq!(said.shown(3), ["8", "9", "10"]);
        for (code, shown) in [
            (KeyCode::Down, "8 9 10"),
            (KeyCode::Up, "7 8 9"),
            (KeyCode::PageUp, "5 6 7"),
            (KeyCode::Home, "1 2 3"),
            (KeyCode::PageUp, "1 2 3"),
            (KeyCode::PageDown, "3 4 5"),
            (KeyCode::End, "8 9 10"),
        ] {
            assert!(said.press(code));
            assert_eq!(said.shown(3).join(" "), shown, "{code:?}");
        }
        assert!(!said.press(KeyCode::Esc));
    }

    #[test]
    fn what_is_shown_fits_another_size() {
        let mut said = said(10);
        assert!(said.press(KeyCode::Home));
        for (room, shown) in [
            (2, "1 2"),
            (4, "1 2 3 4"),
            (20, "1 2 3 4 5 6 7 8 9 10"),
            (2, "9 10"),
        ] {
            assert_eq!(said.shown(room).join(" "), shown);
        }
        let mut short = self::said(2);
        for code in [KeyCode::Up, KeyCode::PageUp, KeyCode::Home, KeyCode::Down] {
            assert!(short.press(code));
            assert_eq!(short.shown(3).len(), 2);
        }
    }
}
