//! Logged games on the screen: a list with a filter, and one game ply by ply.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::Result;
use base::error::BadInput;
use base::plain::{games_in_words, plain};
use engine_core::Side;
use gamelog::Place;
use gamelog::record::TurnRecord;
use league::results::replay::{Replay, one_line, state};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{List, ListState, Paragraph};

use super::said::Said;
use crate::terminal::board::{Board, Marks};
use crate::terminal::{Screen, Theme, render_around};

/// The smallest terminal that the pages fit in, columns by rows.
const LEAST: (u16, u16) = (30, 8);

/// Columns that the list of turns needs beside the board.
const PANEL: u16 = 32;

/// Columns between the turn and whose turn it is.
const GAP: usize = 2;

/// Rows from which on the head of a game takes three of them.
const TALL: u16 = 28;

/// How long to wait for a key before looking whether a signal asks the page to end.
const INTERVAL: Duration = Duration::from_millis(200);

/// Games of a log, each with its id.
type Games = [(String, Place)];

/// Steps through games until the user quits. `as_list`: begins with the list of games, if there are
/// several.
pub(super) fn show(games: &Games, index: usize, game: Replay, as_list: bool) -> Result<()> {
    let mut screen = Screen::enter()?;
    let mut view = View::new(games, index, game, as_list && games.len() > 1);
    while !screen.is_stopped() {
        screen.draw(LEAST, |frame| view.draw(frame))?;
        if let Some(key) = screen.key(INTERVAL)?
            && !view.press(key)?
        {
            break;
        }
    }
    Ok(())
}

/// What is shown.
struct View<'g> {
    games: &'g Games,
    /// The game shown.
    index: usize,
    game: Replay,
    ply: usize,
    /// How many of its swings were visited.
    swings: usize,
    /// Why the last key did nothing.
    note: &'static str,
    /// The list of games, while it is shown.
    list: Option<Listing>,
    /// What was said in the game, while it is shown.
    said: Option<Said>,
    /// Games on one line each, by index, as far as they were shown.
    lines: HashMap<usize, String>,
    theme: Theme,
}

/// The list of games.
struct Listing {
    filter: String,
    /// The games that it finds.
    found: Vec<usize>,
    state: ListState,
}

impl Listing {
    /// The games whose ids contain every word of the filter, with one of them selected.
    fn new(games: &Games, filter: String, selected: usize) -> Listing {
        let matches = |id: &str| filter.split_whitespace().all(|word| id.contains(word));
        let found = (0..games.len()).filter(|&index| matches(&games[index].0));
        let found: Vec<usize> = found.collect();
        let at = found.iter().position(|&index| index >= selected);
        let state = ListState::default().with_selected(Some(at.unwrap_or(0)));
        Listing {
            filter,
            found,
            state,
        }
    }

    /// The index of the selected game.
    fn selected(&self) -> Option<usize> {
        self.found.get(self.state.selected()?).copied()
    }

    fn go(&mut self, by: isize) {
        let last = self.found.len().saturating_sub(1);
        let at = self.state.selected().unwrap_or(0);
        self.state
            .select(Some(at.saturating_add_signed(by).min(last)));
    }
}

impl<'g> View<'g> {
    fn new(games: &'g Games, index: usize, game: Replay, as_list: bool) -> View<'g> {
        View {
            games,
            index,
            game,
            ply: 0,
            swings: 0,
            note: "",
            list: as_list.then(|| Listing::new(games, String::new(), index)),
            said: None,
            lines: HashMap::new(),
            theme: Theme::of_user(),
        }
    }

    /// Shows the start of a game.
    fn show_game(&mut self, index: usize) -> Result<(), BadInput> {
        self.game = Replay::new(self.games[index].1.game()?);
        (self.index, self.ply, self.swings) = (index, 0, 0);
        Ok(())
    }

    /// Handles a key; `false` to quit.
    fn press(&mut self, key: KeyEvent) -> Result<bool, BadInput> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && key.code == KeyCode::Char('c') {
            return Ok(false);
        }
        if let Some(said) = &mut self.said {
            if !said.press(key.code) {
                self.said = None;
            }
            return Ok(true);
        }
        match (&self.list, key.code) {
            (Some(_), code) => self.press_in_list(code),
            (None, code) => self.press_in_game(code),
        }
    }

    fn press_in_game(&mut self, code: KeyCode) -> Result<bool, BadInput> {
        let last = self.game.plies();
        self.note = "";
        match code {
            KeyCode::Char('q') | KeyCode::Esc => return Ok(false),
            KeyCode::Right | KeyCode::Down | KeyCode::Char(' ') => {
                self.ply = last.min(self.ply + 1);
            }
            KeyCode::Left | KeyCode::Up => self.ply = self.ply.saturating_sub(1),
            KeyCode::Home => self.ply = 0,
            KeyCode::End => self.ply = last,
            KeyCode::Char('s') => self.next_swing(),
            KeyCode::Char('c') => self.show_said(),
            KeyCode::Char('l' | '/') => {
                self.list = Some(Listing::new(self.games, String::new(), self.index));
            }
            KeyCode::PageDown if self.index + 1 < self.games.len() => {
                self.show_game(self.index + 1)?;
            }
            KeyCode::PageUp if self.index > 0 => self.show_game(self.index - 1)?,
            _ => {}
        }
        Ok(true)
    }

    fn press_in_list(&mut self, code: KeyCode) -> Result<bool, BadInput> {
        let Some(list) = &mut self.list else {
            return Ok(true);
        };
        let mut filter = list.filter.clone();
        match code {
            KeyCode::Up => list.go(-1),
            KeyCode::Down => list.go(1),
            KeyCode::PageUp => list.go(-10),
            KeyCode::PageDown => list.go(10),
            KeyCode::Home => list.go(isize::MIN),
            KeyCode::End => list.go(isize::MAX),
            KeyCode::Enter => {
                if let Some(index) = list.selected() {
                    self.show_game(index)?;
                    self.list = None;
                }
            }
            KeyCode::Esc if filter.is_empty() => self.list = None,
            KeyCode::Char('q') if filter.is_empty() => return Ok(false),
            KeyCode::Esc => self.filter(String::new()),
            KeyCode::Backspace => {
                filter.pop();
                self.filter(filter);
            }
            KeyCode::Char(sign) => {
                filter.push(sign);
                self.filter(filter);
            }
            _ => {}
        }
        Ok(true)
    }

    fn filter(&mut self, filter: String) {
        self.list = Some(Listing::new(self.games, filter, self.index));
    }

    /// Goes to the largest swing of a score, then to the next one.
    fn next_swing(&mut self) {
        let swings = self.game.swings();
        if swings.is_empty() {
            self.note = "no engine has reported two different scores in this game";
        }
        if let Some(&ply) = swings.get(self.swings % swings.len().max(1)) {
            self.ply = ply;
            self.swings += 1;
        }
    }

    fn show_said(&mut self) {
        self.said = Said::of(self.game.id(), &self.games[self.index].1);
        if self.said.is_none() {
            self.note = "no conversation was kept of this game";
        }
    }

    fn draw(&mut self, frame: &mut Frame) {
        match (&self.list, &mut self.said) {
            (_, Some(said)) => said.draw(frame, self.theme),
            (Some(_), None) => self.draw_list(frame),
            (None, None) => self.draw_game(frame),
        }
    }

    fn draw_list(&mut self, frame: &mut Frame) {
        let rows = [
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
        ];
        let [head, body, foot] = Layout::vertical(rows).areas(frame.area());
        let Some(list) = &mut self.list else {
            return;
        };
        let count = if list.found.len() == self.games.len() {
            games_in_words(self.games.len())
        } else {
            format!(
                "{} of {}",
                list.found.len(),
                games_in_words(self.games.len())
            )
        };
        let typed = format!("{count}, filter: {}", plain(&list.filter));
        frame.render_widget(Line::raw(typed), head);
        let at = list.state.selected().unwrap_or(0);
        let room = usize::from(body.height);
        // Only these can be visible: reading a game of the log takes time.
        let near = at.saturating_sub(room)..(at + room).min(list.found.len());
        let items = (list.found.iter().enumerate()).map(|(row, &index)| {
            if near.contains(&row) {
                line_of(self.games, &mut self.lines, index)
            } else {
                String::new()
            }
        });
        let items: Vec<String> = items.collect();
        let widget = List::new(items).highlight_style(self.theme.selected());
        frame.render_stateful_widget(widget, body, &mut list.state);
        let keys = if list.filter.is_empty() {
            "Up Down Enter   type to filter   Esc back   q quit"
        } else {
            "Up Down Enter   Esc no filter   Ctrl-C quit"
        };
        frame.render_widget(Line::styled(keys, self.theme.faint()), foot);
    }

    fn draw_game(&self, frame: &mut Frame) {
        let area = frame.area();
        let rows = [
            Constraint::Length(if area.height < TALL { 1 } else { 3 }),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ];
        let [head, body, now, foot] = Layout::vertical(rows).areas(area);
        let heading = match head.height {
            1 => one_line(self.game.game()),
            _ => self.game.heading(),
        };
        frame.render_widget(Paragraph::new(plain(&heading).into_owned()), head);
        self.draw_body(frame, body);
        let turn = match self.note {
            "" => self.now(usize::from(now.width)),
            note => note.to_owned(),
        };
        frame.render_widget(Line::styled(turn, self.theme.selected()), now);
        let (game, games) = (self.index + 1, self.games.len());
        let (ply, plies) = (self.ply, self.game.plies());
        let keys = format!(
            "game {game} of {games}, ply {ply} of {plies}  ← → Home End PgUp PgDn s swing c said l list q quit"
        );
        frame.render_widget(Line::styled(keys, self.theme.faint()), foot);
    }

    /// The turn before the position that is shown, and whose turn it is if that fits into the width.
    fn now(&self, width: usize) -> String {
        let turn = match self.ply.checked_sub(1) {
            Some(turn) => self.game.lines().nth(turn).unwrap_or_default(),
            None => "   0. start".to_owned(),
        };
        let turn = plain(&turn).into_owned();
        let rules = catalog::find(&self.game.game().game);
        let state = match (rules, self.game.position(self.ply)) {
            // The head says who won, and how.
            (Some(_), Ok(position)) if position.outcome().is_some() => "over".to_owned(),
            (Some(rules), Ok(position)) => state(&*position, rules.colours()),
            _ => String::new(),
        };
        match width.checked_sub(Line::raw(&*turn).width() + GAP) {
            Some(room) if state.len() <= room => format!("{turn}{state:>0$}", room + GAP),
            _ => turn,
        }
    }

    /// The board, and beside it the turns if there is room for them.
    fn draw_body(&self, frame: &mut Frame, area: Rect) {
        let rules = catalog::find(&self.game.game().game);
        let (Some(rules), Ok(position)) = (rules, self.game.position(self.ply)) else {
            let fault = self.game.frame(self.ply).err().unwrap_or_default();
            let fault = format!("faulty: {fault}");
            frame.render_widget(Paragraph::new(plain(&fault).into_owned()), area);
            return;
        };
        let board = Board::new(&position.board());
        let turn = self
            .ply
            .checked_sub(1)
            .map(|turn| &self.game.game().turns[turn]);
        let marks = Marks {
            last: turn.map_or(Vec::new(), |turn| board.named_in(&turn.text)),
            ..Marks::default()
        };
        let lines = board.render(self.theme, rules.colours(), &marks);
        let mut area_of_board = area;
        if area.width >= board.width() + PANEL {
            let columns = [Constraint::Length(board.width() + 1), Constraint::Fill(1)];
            let [left, right] = Layout::horizontal(columns).areas(area);
            self.draw_turns(frame, right);
            area_of_board = left;
        }
        let centre = marks.last.last().map_or((0, 0), |&place| board.at(place));
        render_around(frame, area_of_board, lines, centre);
    }

    fn draw_turns(&self, frame: &mut Frame, area: Rect) {
        let turns = (1..).zip(&self.game.game().turns);
        let lines: Vec<String> = turns.map(|(ply, turn)| in_short(ply, turn)).collect();
        let selected = self.ply.checked_sub(1);
        let mut state = ListState::default().with_selected(selected);
        // The turns around the one that is shown stay visible.
        let room = usize::from(area.height);
        *state.offset_mut() = self
            .ply
            .saturating_sub(room / 2)
            .min(lines.len().saturating_sub(room));
        let list = List::new(lines).highlight_style(self.theme.selected());
        frame.render_stateful_widget(list, area, &mut state);
    }
}

/// A turn or roll with its score and time; the line below the board says the rest.
fn in_short(ply: usize, turn: &TurnRecord) -> String {
    let side = format!("{:?}", Side::from(turn.side));
    let score = turn.info.as_ref().and_then(|info| info.score.as_deref());
    let (text, score) = (&*turn.text, score.unwrap_or_default());
    let time = match turn.used_us {
        0 => String::new(),
        used => format!("{:.1} s", used as f64 / 1e6),
    };
    plain(&format!("{ply:>4}. {side:<6} {text:<7} {score:<9} {time}")).into_owned()
}

/// A game of the list on one line.
fn line_of(games: &Games, lines: &mut HashMap<usize, String>, index: usize) -> String {
    let (id, place) = &games[index];
    let line = lines.entry(index).or_insert_with(|| match place.game() {
        Ok(game) => plain(&one_line(&game)).into_owned(),
        Err(error) => plain(&format!("{id}: {error}")).into_owned(),
    });
    line.clone()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

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

    /// The games of a log with these ids.
    fn games(ids: &[&str]) -> (tempfile::NamedTempFile, Vec<(String, Place)>) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        for id in ids {
            writeln!(file, "{}", line(id)).unwrap();
        }
        let mut games = Vec::new();
        let keep = |id, place| games.push((id, place));
        gamelog::places(&[file.path().to_owned()], keep).unwrap();
        (file, games)
    }

    fn view(games: &Games) -> View<'_> {
        View::new(games, 0, Replay::new(games[0].1.game().unwrap()), false)
    }

    #[test]
    fn keys_stay_within_the_game_and_the_log() {
        let (_file, games) = games(&["x", "y"]);
        let mut view = view(&games);
        let mut press = |code| {
            assert!(view.press(KeyEvent::from(code)).unwrap());
            assert_eq!(view.game.id(), ["x", "y"][view.index]);
            (view.index, view.ply)
        };
        assert_eq!(press(KeyCode::Left), (0, 0));
        assert_eq!(press(KeyCode::Right), (0, 1));
        assert_eq!(press(KeyCode::End), (0, 2));
        assert_eq!(press(KeyCode::Right), (0, 2));
        assert_eq!(press(KeyCode::Char('s')), (0, 2));
        assert_eq!(press(KeyCode::PageUp), (0, 2));
        assert_eq!(press(KeyCode::PageDown), (1, 0));
        assert_eq!(press(KeyCode::PageDown), (1, 0));
        assert_eq!(press(KeyCode::PageUp), (0, 0));
        assert!(!view.press(KeyEvent::from(KeyCode::Char('q'))).unwrap());
    }

    #[test]
    fn a_game_is_found_in_the_list() {
        let (_file, games) = games(&["hex-r1-a-b", "hex-r2-a-b", "gomoku-r2-a-b"]);
        let mut view = view(&games);
        let mut press = |code| {
            assert!(view.press(KeyEvent::from(code)).unwrap());
            let list = view.list.as_ref();
            (list.map_or(0, |list| list.found.len()), view.index)
        };
        assert_eq!(press(KeyCode::Char('l')), (3, 0));
        for (sign, found) in "r2 h".chars().zip([3, 2, 2, 1]) {
            assert_eq!(press(KeyCode::Char(sign)), (found, 0), "{sign}");
        }
        assert_eq!(press(KeyCode::Char('q')), (0, 0));
        assert_eq!(press(KeyCode::Enter), (0, 0));
        assert_eq!(press(KeyCode::Backspace), (1, 0));
        assert_eq!(press(KeyCode::Down), (1, 0));
        assert_eq!(press(KeyCode::Enter), (0, 1));
    }
}
