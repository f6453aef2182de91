//! Openings of league files.

use super::*;

#[test]
fn opening_errors_name_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    let league = LEAGUE.replace("protocol = \"sau\"\n", "").replace(
        "[clock]\n",
        "[openings]\nhex = { file = \"openings.txt\", order = \"file\" }\n[clock]\n",
    );
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        Config::parse(&folder.path().join("x.toml"), &league, &[])
            .map_err(|error| error.to_string())
    };
    let config = read("# five by five\na1 b2\n\nc3  # the centre\n").unwrap();
    let openings = ["a1 b2", "c3"].map(str::to_owned).to_vec();
    let expected = Openings::List {
        openings,
        shuffled: false,
    };
    assert_eq!(config.games[0].openings, expected);
    for (text, expected) in [
        ("", ": no openings, expected one per line"),
        ("a1\na1 a1\n", ":2: opening: column 4: "),
        ("fen x\n", ":1: opening: position: column 1: "),
        (
            "a1 b1 a2 b2 a3 b3 a4 b4 a5\n",
            ":1: the game is over, expected a game in progress",
        ),
    ] {
        let message = read(text).unwrap_err();
        assert!(
            message.contains(&format!("openings.txt{expected}")),
            "{message}"
        );
    }
}
