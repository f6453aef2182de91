//! Keys that the command line sets.

use std::path::Path;

use proptest::prelude::*;
use task::clock::ClockSpec;

use crate::config::{Config, Override};

const LEAGUE: &str = r#"[league]
name = "x"
games = ["hex", "amazons"]
rounds = 3

[clock]
base = "60s"

[clock.hex]
move = "1s"

[[engine]]
name = "a"
builtin = "pvs"

[[engine]]
name = "b"
builtin = "pvs"
options = { threads = 1 }"#;

/// The league with these arguments of `--set`.
fn league(sets: &[&str]) -> Result<Config, String> {
    let sets: Result<Vec<Override>, String> = sets.iter().map(|set| set.parse()).collect();
    Config::parse(Path::new("x.toml"), LEAGUE, &sets?).map_err(|error| error.to_string())
}

fn clocks(config: &Config) -> Vec<ClockSpec> {
    config.games.iter().map(|game| game.clock).collect()
}

#[test]
fn a_key_replaces_that_of_the_file() {
    let config = league(&["league.rounds=5", "clock.hex.move=2s"]).unwrap();
    assert_eq!(config.stages[0].rounds, 5);
    assert_eq!(clocks(&config)[0].per_move, Some("2s".parse().unwrap()));
    assert_eq!(
        config.overrides,
        ["league.rounds = 5", "clock.hex.move = \"2s\""]
    );
    assert!(league(&[]).unwrap().overrides.is_empty());
}

#[test]
fn a_table_replaces_a_table_and_new_keys_are_added() {
    let config = league(&["clock={ nodes = 100 }", "league.pause_opponent=true"]).unwrap();
    assert_eq!(clocks(&config)[0].nodes, Some(100));
    assert_eq!(clocks(&config)[0], clocks(&config)[1]);
    assert_eq!(config.pause_opponent, Some(true));
}

#[test]
fn engines_are_found_by_name_or_number() {
    let config = league(&["engine.b.options.threads=4", "engine.1.name=c"]).unwrap();
    assert_eq!(config.engines[1].options["threads"], 4);
    assert_eq!(config.engines[0].name, "c");
    let error = league(&["engine.x.name=y"]).unwrap_err();
    assert_eq!(error, "--set engine.x.name=y: \"x\", expected one of a, b");
    assert!(league(&["engine.3.name=y"]).is_err());
    let config = league(&["engine.a={ name = \"c\", builtin = \"mcts\" }"]).unwrap();
    assert_eq!(config.engines[0].name, "c");
    let error = league(&["engine.a=y"]).unwrap_err();
    assert!(
        error.starts_with("--set engine.a=y: invalid type: string"),
        "{error}"
    );
}

#[test]
fn errors_name_the_override_or_the_line_of_the_file() {
    for (sets, expected) in [
        (&["league.rounds=0"][..], "--set league.rounds=0: "),
        (
            &["league.rounds=x"],
            "--set league.rounds=x: invalid type: string",
        ),
        (
            &["league.runds=2"],
            "--set league.runds=2: unknown field `runds`",
        ),
        (
            &["league.rounds=1", "clock.base=soon"],
            "--set clock.base=soon: ",
        ),
        (
            &["clock.byoyomi=1s", "clock.move=1s"],
            "--set clock.move=1s: byoyomi and move together",
        ),
        (
            &["league.name.x=1"],
            "--set league.name.x=1: name has no keys, expected a table",
        ),
        // The file's own key is at fault.
        (
            &["clock.hex.byoyomi=1s"],
            "x.toml:10: byoyomi and move together",
        ),
        (&["league"], "expected KEY=VALUE"),
        (&["a=\n1"], "expected KEY=VALUE"),
        (&["=1"], "expected KEY=VALUE"),
        (&["a b=1"], "expected KEY=VALUE"),
    ] {
        let error = league(sets).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

proptest! {
    #[test]
    fn any_text_is_set_or_refused(text in "\\PC{0,12}", key in "[a-z.\"']{1,9}", value in "\\PC{0,9}") {
        let _ = league(&[&text]);
        let _ = league(&[&format!("league.{key}={value}")]);
        // A value that is text reaches the file as it is.
        let quoted = toml::Value::from(&*value).to_string();
        let set: Override = format!("league.name={quoted}").parse().unwrap();
        let parsed: toml::Table = toml::from_str(set.line()).unwrap();
        prop_assert_eq!(parsed["league"]["name"].as_str(), Some(&*value));
    }
}
