//! Logged games, stepped through in a terminal.

use tempfile::TempDir;

use super::screen::{ENTER, RIGHT, Terminal};
use crate::common::program::{folder_with, run_with, text};

#[test]
fn logged_games_are_listed_and_stepped_through() {
    let folder = folder_with(
        "league = { name = \"l\", games = [\"hex\", \"connect6\"], rounds = 1, seed = 1 }\n\
         clock = { depth = 1 }\n\
         engine = [{ name = \"a\", builtin = \"pvs\" }, { name = \"b\", builtin = \"greedy\" }]\n",
    );
    let output = run_with(folder.path(), &["league", "league.toml", "--quiet"], b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut terminal = Terminal::start(folder.path(), &["replay", "matches/l"], (80, 24), &[]);
    terminal.shows(&["4 games, filter:", "hex r1 ", "connect6 r1 "]);
    terminal.type_in("connect");
    terminal.shows(&["2 of 4 games, filter: connect"]);
    terminal.type_in(ENTER);
    terminal.shows(&["connect6 r1", "0. start", "game 3 of 4"]);
    terminal.type_in(RIGHT);
    terminal.shows(&["1. First", "(X)", "ply 1 of "]);
    terminal.type_in("s");
    terminal.waits("another turn", |screen| {
        !screen.contains("   1. First  j10  (of")
    });
    terminal.type_in("\x1b[F");
    terminal.shows(&["six in a row", "  over"]);
    for (columns, rows) in [(40, 10), (20, 5), (80, 24)] {
        terminal.resize(columns, rows);
        match columns {
            20 => terminal.shows(&["20×5 is too small"]),
            _ => terminal.shows(&["connect6 r1", "game 3 of 4, ply "]),
        };
    }
    terminal.type_in("l");
    terminal.shows(&["4 games, filter:"]);
    terminal.type_in("q");
    assert!(terminal.ends().success());
}

/// A folder with a game in which the second engine answers an illegal turn, and the words that
/// replay it.
fn game_that_went_wrong() -> (TempDir, [&'static str; 3]) {
    let folder = folder_with(&format!(
        "league = {{ name = \"l\", games = [\"hex\"], seed = 1 }}\nclock = {{ move = \"60s\" }}\n\
         variant.hex.size = 3\nengine = [{{ name = \"a\", builtin = \"random\" }}, \
         {{ name = \"b\", command = [{:?}, \"illegal\", \"1\"] }}]\n",
        env!("CARGO_BIN_EXE_test-engine")
    ));
    let league = ["league", "league.toml", "--quiet", "--anyway"];
    let output = run_with(folder.path(), &league, b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    (folder, ["replay", "matches/l", "hex-r1-a-b"])
}

#[test]
fn keys_pressed_while_the_size_changes_are_not_lost() {
    let (folder, replay) = game_that_went_wrong();
    let terminal = Terminal::start(folder.path(), &replay, (80, 24), &[]);
    terminal.shows(&["0. start", "c said"]);
    for rows in 24..74 {
        terminal.resize(80, rows);
        terminal.type_in("c");
        terminal.shows(&["Last lines to the engine at fault"]);
        terminal.type_in("c");
        terminal.shows(&["0. start"]);
    }
}

#[test]
fn replay_shows_what_was_said_in_a_game_that_went_wrong() {
    let (folder, replay) = game_that_went_wrong();
    let mut terminal = Terminal::start(folder.path(), &replay, (80, 24), &[]);
    terminal.shows(&["0. start", "c said"]);
    terminal.type_in("c");
    terminal.shows(&["Last lines to the engine at fault", "< bestmove zz99"]);
    terminal.resize(80, 8);
    // The end is shown first, and the handshake stands above it.
    terminal.waits("the end", |screen| !screen.contains("> ugi"));
    terminal.type_in("\x1b[H");
    terminal.shows(&["> ugi", "back to the game"]);
    terminal.type_in("c");
    terminal.shows(&["0. start"]);
    terminal.type_in("q");
    assert!(terminal.ends().success());
}
