//! The league files of the repository are valid.

use std::path::Path;

use league::config::Config;

use crate::common::program::{folder_with, games, run, text};

/// An event like Gomocup's in little time, with one engine that speaks its protocol.
#[test]
fn an_event_like_gomocups_is_played_and_verified() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/gomocup.toml");
    let shipped = std::fs::read_to_string(shipped).expect("a league file");
    let brain = format!(
        "\n[[engine]]\nname = \"brain\"\ncommand = [\"{}\", \"engine\", \"gomoku\", \"--variant\", \
         '{{ size = 20, opening = \"free\", forbidden = \"off\" }}', \"--protocol\", \"gomocup\", \
         \"--algorithm\", \"pvs\"]\nprotocol = \"gomocup\"\noptions = {{ max_memory = 367001600 }}\n",
        env!("CARGO_BIN_EXE_referee")
    );
    let folder = folder_with(&(shipped + &brain));
    let quick = ["--rounds", "1", "--concurrency", "2", "--quiet"];
    let clock = ["--set", "clock.move=60ms", "--set", "clock.base=600ms"];
    let played = run(
        folder.path(),
        &[&["league", "league.toml"], &quick[..], &clock].concat(),
    );
    assert!(played.status.success(), "{}", text(&played.stderr));
    let log = folder.path().join("matches/gomocup");
    let all = games(&log);
    assert_eq!(all.len(), 6 * 5, "each two engines with each side");
    for game in &all {
        // Each turn is within its time and margin, and takes from the time of the game.
        let left = game.turns.iter().filter_map(|turn| turn.left_us);
        assert!(left.max() <= Some(600_000), "{}", game.id);
        let most = game.turns.iter().map(|turn| turn.used_us).max();
        assert!(
            game.reason.is_fault() || most <= Some(260_000),
            "{}: {most:?}",
            game.id
        );
    }
    let verified = run(folder.path(), &["verify", "matches/gomocup"]);
    assert!(verified.status.success(), "{}", text(&verified.stdout));
}

#[test]
fn shipped_league_files_are_valid() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let mut count = 0;
    for entry in std::fs::read_dir(configs).expect("a folder of league files") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let config = Config::load(&path, &[]).expect("a sound league file");
            let stem = path.file_stem().expect("a name");
            assert_eq!(config.name.as_str(), stem, "named as its file");
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn one_league_plays_every_game_and_another_the_six_of_the_contest() {
    let games = |file: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../configs")
            .join(file);
        let config = Config::load(&path, &[]).expect("a sound league file");
        let mut ids: Vec<_> = config.games.into_iter().map(|game| game.id).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(games("all-games.toml"), catalog::ids());
    let six = [
        "amazons",
        "connect6",
        "dots-and-boxes",
        "einstein",
        "hex",
        "surakarta",
    ];
    assert_eq!(games("six-games.toml"), six);
}

#[test]
fn every_algorithm_is_described() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/README.md");
    let text = std::fs::read_to_string(readme).expect("a description of the keys");
    for known in engine_core::Algorithm::ALL {
        let row = format!("| `{}` | {} |", known.name, known.about);
        assert!(text.contains(&row), "configs/README.md lacks {row}");
    }
}
