//! Clocks of league files.

use super::*;

#[test]
fn clock_errors_name_their_lines() {
    expect_faults(&[
        (
            "base = \"60s\"",
            "",
            "9: increment without base, expected both",
        ),
        (
            "base = \"60s\"\nincrement = \"500ms\"",
            "",
            "7: no clock for hex, expected [clock] or [clock.hex]",
        ),
        (
            "base = \"60s\"\nincrement = \"500ms\"",
            "margin = \"5ms\"",
            "7: no limit, expected base, byoyomi, move, nodes or depth",
        ),
        (
            "increment = \"500ms\"",
            "move = \"1s\"",
            "9: base and move together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "increment = \"-1ms\"",
            "9: increment -1ms, expected a time of 0 or more",
        ),
        (
            "increment = \"500ms\"",
            "nodes = 0",
            "9: nodes 0, expected 1 or more",
        ),
        (
            "increment = \"500ms\"",
            "patience = \"5s\"",
            "9: patience with a time limit, expected patience only with nodes or depth",
        ),
        (
            "increment = \"500ms\"",
            "increment = \"500ms\"\ndelay = \"1s\"",
            "10: increment and delay together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "delay = \"500ms\"\nbronstein = \"1s\"",
            "10: delay and bronstein together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "increment = \"500ms\"\nbyoyomi = \"5s\"",
            "9: byoyomi and increment together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "byoyomi = \"5s\"\nmoves = 40",
            "10: byoyomi and moves together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "match = true\nmoves = 40",
            "9: moves and match together, expected one of them",
        ),
        (
            "increment = \"500ms\"",
            "match = true\nbyoyomi = \"5s\"",
            "9: byoyomi and match together, expected one of them",
        ),
        (
            "move = \"100ms\"",
            "move = \"100ms\"\nbyoyomi = \"5s\"",
            "12: byoyomi and move together, expected one of them",
        ),
        (
            "move = \"100ms\"",
            "move = \"100ms\"\nmoves = 40",
            "13: moves without base, expected both",
        ),
        (
            "move = \"100ms\"",
            "move = \"100ms\"\ndelay = \"1s\"",
            "13: delay without base, expected both",
        ),
        (
            "increment = \"500ms\"",
            "periods = 3",
            "9: periods without byoyomi, expected both",
        ),
        (
            "increment = \"500ms\"",
            "byoyomi = \"5s\"\nperiods = 0",
            "10: invalid value: integer `0`, expected a nonzero u32",
        ),
        (
            "increment = \"500ms\"",
            "byoyomi = \"8760h\"\nperiods = 2",
            "10: 2 periods of 8760h, expected at most 8760h in total",
        ),
        (
            "increment = \"500ms\"",
            "byoyomi = \"0s\"",
            "9: byoyomi 0s, expected a time above 0",
        ),
        (
            "increment = \"500ms\"",
            "increment = \"1500ns\"",
            "9: increment 1µs 500ns, expected whole µs",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = \"1s\"",
            "20: invalid type: string \"1s\", expected a map",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = { bass = \"1s\" }",
            "20: unknown field `bass`, expected one of `base`, ",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = { move = \"1s\" }",
            "20: in hex: base and move together, expected one of them",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = { margin = \"-1s\" }",
            "20: in hex: margin -1s, expected a time of 0 or more",
        ),
        (
            "move = \"100ms\"",
            "nodes = 5\npatience = \"0s\"",
            "13: patience 0s, expected a time above 0",
        ),
        (
            "increment = \"500ms\"",
            "depht = 3",
            "9: unknown field `depht`, expected one of `base`, ",
        ),
        (
            "move = \"100ms\"",
            "move = \"-100ms\"",
            "12: move -100ms, expected a time above 0",
        ),
    ]);
}

#[test]
fn an_engine_can_have_its_own_clock() {
    let odds = |keys: &str| {
        let engine = format!("name = \"pvs\"\nclock = {{ {keys} }}");
        let config = parse(&LEAGUE.replace("name = \"pvs\"", &engine)).unwrap();
        assert!(config.engines[1].odds.is_empty(), "theirs has none");
        (config.games.clone(), config.engines[0].odds.clone())
    };
    let (games, clocks) = odds("margin = \"1s\"");
    for game in games {
        let margin = SignedDuration::from_secs(1);
        let expected = ClockSpec {
            margin,
            ..game.clock
        };
        assert_eq!(clocks[&game.id], expected, "every other key is the game's");
    }
    let (_, clocks) = odds("margin = \"20ms\"");
    assert!(clocks.is_empty(), "what the games have anyway is none");
    let text = LEAGUE.replace("[clock.einstein]\nmove = \"100ms\"", "");
    let engine = "name = \"pvs\"\ngames = [\"hex\"]\nclock = { base = \"6s\", increment = \"0s\" }";
    let text =
        text.replace("name = \"pvs\"", engine) + "[[engine]]\nname = \"x\"\nbuiltin = \"pvs\"";
    let config = parse(&text).unwrap();
    let hex = &config.engines[0].odds["hex"];
    assert_eq!(hex.base, Some(SignedDuration::from_secs(6)));
    assert!(hex.increment.is_zero() && config.engines[0].odds.len() == 1);
}
