//! Leagues that ask for more than a protocol offers.

use super::protocols::{CLOCK, engine};
use crate::common::program::{folder_with, run, text};

#[test]
fn unsupported_features_of_a_protocol_are_config_errors() {
    for (game, settings, protocol, more, message) in [
        (
            "surakarta",
            "",
            "gtp",
            "",
            "expected a protocol that surakarta is played in: ugi, sau, found gtp",
        ),
        (
            "connect6",
            "",
            "botzone",
            "",
            "connect6 is played with a board of 15x15, { size = 15 }, in botzone",
        ),
        (
            "hex",
            "[variant.hex]\nopening = \"swap\"",
            "botzone",
            "",
            "hex is played with no swap, { opening = \"free\" }, in botzone",
        ),
        (
            "gomoku",
            "",
            "gomocup",
            "",
            "gomoku is played with stones only, { opening = \"free\" }, in gomocup",
        ),
        (
            "gomoku",
            "[variant.gomoku]\nopening = \"free\"",
            "botzone",
            "",
            "gomoku is played with { opening = \"free\", forbidden = \"off\" } in botzone",
        ),
        (
            "hex",
            "[openings.hex]\nfile = \"openings.txt\"",
            "gtp",
            "",
            "openings with engine \"a\", expected none, or an engine in ugi: gtp has no words for a position, \
             and no turns are known that lead to it",
        ),
        (
            "connect6",
            "[openings.connect6]\nrandom_plies = 3",
            "sau",
            "",
            "openings with engine \"a\", expected none, or an engine in ugi, gtp, gomocup: sau has no words for \
             an engine's own turns",
        ),
        (
            "connect6",
            "[openings.connect6]\nrandom_plies = 4",
            "gtp",
            "",
            "expected none, or an engine in ugi: gtp does not support openings that end within a turn",
        ),
        (
            "connect6",
            "[openings.connect6]\nfile = \"stones.txt\"",
            "gomocup",
            "",
            "expected none, or an engine in ugi: gomocup does not support openings that end within a turn",
        ),
        (
            "hex",
            "",
            "botzone",
            "options = { level = 3 }\n",
            "options, expected none: botzone does not support options",
        ),
    ] {
        let engines = ["a", "b"].map(|name| engine(name, protocol, &["true"]) + more);
        let league = format!(
            "[league]\nname = \"x\"\ngames = [{game:?}]\n{CLOCK}\n{settings}\n{}",
            engines.concat()
        );
        let folder = folder_with(&league);
        let fen = "fen rr9/11/11/11/11/11/11/11/11/11/11 b\n";
        for (name, text) in [("openings.txt", fen), ("stones.txt", "j10\nj10 k11\n")] {
            std::fs::write(folder.path().join(name), text).expect("the file is written");
        }
        let refused = run(folder.path(), &["league", "league.toml", "--out", "out"]);
        assert_eq!(refused.status.code(), Some(2));
        let stderr = text(&refused.stderr);
        assert!(stderr.contains(message), "{stderr}");
    }
}
