//! The league files of the repository are valid.

use std::path::Path;

use league::config::Config;

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
