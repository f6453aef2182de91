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
            "move = \"0s\"",
            "9: move 0s, expected a time above 0",
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
            "builtin = \"pvs\"\nclock = { byoyomi = \"9s\", move = \"1s\" }",
            "20: in hex: byoyomi and move together, expected one of them",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = { margin = \"-1s\" }",
            "20: in hex: margin -1s, expected a time of 0 or more",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = { patience = \"9s\" }",
            "20: in hex: patience with a time limit, expected patience only with nodes or depth",
        ),
        (
            "builtin = \"pvs\"",
            "builtin = \"pvs\"\nclock = { match = true }",
            "20: in hex: match in the clock of an engine, expected it in the clock of the game",
        ),
        (
            "increment = \"500ms\"",
            "first_turn = \"×2\"",
            "9: first_turn without move, expected both",
        ),
        (
            "move = \"100ms\"",
            "move = \"100ms\"\nfirst_turn = \"2s\"",
            "13: \"2s\", expected a factor from \"×1\" to \"×1000\"",
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

/// An engine may have another kind of limit than the game's clock, which then does not apply.
#[test]
fn an_engine_can_have_another_kind_of_limit() {
    let clock = |keys: &str| toml::from_str::<ClockSpec>(keys).unwrap();
    for (game, own, expected) in [
        (
            "base = \"60s\"\nincrement = \"1s\"",
            "nodes = 9",
            "nodes = 9",
        ),
        (
            "base = \"60s\"",
            "depth = 3, patience = \"5m\"",
            "depth = 3\npatience = \"5m\"",
        ),
        (
            "byoyomi = \"5s\"\nperiods = 3",
            "move = \"1s\"",
            "move = \"1s\"",
        ),
        (
            "move = \"1s\"\nmargin = \"9ms\"",
            "base = \"60s\"",
            "base = \"60s\"\nmargin = \"9ms\"",
        ),
        (
            "nodes = 9\npatience = \"5m\"",
            "base = \"60s\"",
            "base = \"60s\"",
        ),
        (
            "nodes = 9\npatience = \"5m\"",
            "depth = 3",
            "depth = 3\npatience = \"5m\"",
        ),
        // Keys of a kind that the game has, too, leave the others.
        (
            "base = \"60s\"\nnodes = 9",
            "base = \"6s\"",
            "base = \"6s\"\nnodes = 9",
        ),
        (
            "base = \"60s\"\ndelay = \"1s\"",
            "base = \"6s\", nodes = 9",
            "base = \"6s\"\ndelay = \"1s\"\nnodes = 9",
        ),
        (
            "nodes = 9",
            "patience = \"5m\"",
            "nodes = 9\npatience = \"5m\"",
        ),
        (
            "base = \"60s\"\nmatch = true",
            "base = \"6s\"",
            "base = \"6s\"\nmatch = true",
        ),
    ] {
        let head = "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]";
        let engines = format!(
            "[[engine]]\nname = \"a\"\nbuiltin = \"pvs\"\nclock = {{ {own} }}\n\
             [[engine]]\nname = \"b\"\nbuiltin = \"pvs\"\n"
        );
        let config = parse(&format!("{head}\n{game}\n{engines}")).unwrap();
        let hex = &config.games[0];
        assert_eq!(
            config.engines[0].clocks(hex),
            [clock(expected); 2],
            "{game}: {own}"
        );
        assert_eq!(config.engines[1].clocks(hex), [clock(game); 2]);
    }
    for limit in ["nodes = 9", "move = \"1s\""] {
        let game = LEAGUE.replace("base = \"60s\"", "base = \"60s\"\nmatch = true");
        let own = format!("builtin = \"pvs\"\nclock = {{ {limit} }}");
        let fault = parse(&game.replace("builtin = \"pvs\"", &own)).unwrap_err();
        let expected = "in hex: no base, expected one: the clock of the game has match = true";
        assert!(fault.ends_with(expected), "{fault}");
    }
}

/// Botzone's judge gives the first turn twice the time, unless the file says otherwise.
#[test]
fn the_first_turn_on_botzone_has_twice_the_time() {
    let first_turns = |clock: &str, own: &str| {
        let engines = ["botzone", "botzone-simple", "gtp"].map(|protocol| {
            format!(
                "[[engine]]\nname = \"{protocol}\"\ncommand = [\"sh\"]\n\
                 protocol = \"{protocol}\"\n{own}\n"
            )
        });
        let head = "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]";
        let config = parse(&format!("{head}\n{clock}\n{}", engines.concat())).unwrap();
        let hex = &config.games[0];
        let factors = (config.engines.iter()).map(|engine| {
            let [regular, rapid] = engine.clocks(hex);
            assert_eq!(regular, rapid);
            regular.first_turn.map(|factor| factor.to_string())
        });
        factors.map(Option::unwrap_or_default).collect::<Vec<_>>()
    };
    assert_eq!(first_turns("move = \"1s\"", ""), ["×2", "×2", ""]);
    assert_eq!(first_turns("base = \"9s\"", ""), [""; 3]);
    assert_eq!(
        first_turns("base = \"9s\"", "clock = { move = \"1s\" }"),
        ["×2", "×2", ""]
    );
    assert_eq!(
        first_turns("move = \"1s\"\nfirst_turn = \"x3\"", ""),
        ["×3"; 3]
    );
    let own = "clock = { first_turn = \"x1\" }";
    assert_eq!(first_turns("move = \"1s\"", own), ["×1"; 3]);
    let own = "clock = { nodes = 5 }";
    assert_eq!(
        first_turns("move = \"1s\"\nfirst_turn = \"x3\"", own),
        [""; 3]
    );
}
