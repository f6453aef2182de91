//! Gomoku in every protocol, with the contest's opening and without, and on the largest board.

use super::{CLOCK, builtin, play, script};

/// Gomoku without the contest's opening has all protocols.
#[test]
fn gomoku_engines_of_all_protocols_play_each_other() {
    let variant = ["--variant", "{ opening = 'free', forbidden = 'off' }"];
    let staying = [&variant[..], &["--keep-running"]].concat();
    let engines = [
        builtin("gomoku", "ugi", &variant),
        builtin("gomoku", "sau", &variant),
        builtin("gomoku", "gtp", &variant),
        builtin("gomoku", "gomocup", &["--variant", "{ opening = 'free' }"]),
        builtin("gomoku", "botzone", &staying),
        builtin("gomoku", "botzone-simple", &staying),
    ];
    let settings = format!("{CLOCK}\n[variant.gomoku]\nopening = \"free\"\nforbidden = \"off\"");
    play("gomoku", &settings, &engines);
}

/// Gomocup's free-style board, in the protocols that can announce its size or need not.
#[test]
fn gomoku_engines_play_on_the_largest_board() {
    let variant = "{ opening = 'free', forbidden = 'off', size = 20 }";
    let engines = ["sau", "ugi", "gtp", "gomocup"]
        .map(|protocol| builtin("gomoku", protocol, &["--variant", variant]));
    let rules = "[variant.gomoku]\nopening = \"free\"\nforbidden = \"off\"\nsize = 20";
    play("gomoku", &format!("{CLOCK}\n{rules}"), &engines);
    // SAU has no openings.
    let openings = "[openings]\ngomoku = { random_plies = 30 }";
    let games = play(
        "gomoku",
        &format!("{CLOCK}\n{rules}\n{openings}"),
        &engines[1..],
    );
    let reaches = |cell: &str| games.iter().any(|game| game.opening.contains(cell));
    assert!(
        reaches("t") && reaches("20"),
        "the openings reach the edges"
    );
}

/// The contest's opening in every protocol that has words for it, between engines that hold each
/// other to it. Every game begins with three stones and a number, and the rules end it.
#[test]
fn gomoku_engines_play_the_whole_opening() {
    let mut engines = Vec::new();
    for protocol in ["ugi", "sau", "gtp"] {
        let scripted = |name: &str, more: &[&str]| {
            let arguments = [&[protocol], more].concat();
            script(
                &format!("{name}-{protocol}"),
                protocol,
                "ceremony",
                &arguments,
            )
        };
        engines.push(scripted("stays", &[]));
        engines.push(scripted("swaps", &["swap", "3"]));
        engines.push(builtin("gomoku", protocol, &[]));
    }
    let games = play("gomoku", CLOCK, &engines);
    assert_eq!(games.len(), 9 * 8);
    for game in games {
        let turns: Vec<&str> = game.turns.iter().map(|turn| turn.text.as_str()).collect();
        assert!(
            turns[0].starts_with("h8") && turns[0].contains('x'),
            "{turns:?}"
        );
        if game.second.name.starts_with("swaps") {
            assert_eq!(turns[1], "swap", "{}", game.id);
        }
    }
}
