//! `referee compare` and `referee bench`, as used in scripts.

use crate::common::program::spoken as referee;

/// The output of a successful command.
fn output(arguments: &[&str]) -> String {
    let (stdout, stderr, status) = referee(arguments);
    assert_eq!(status, Some(0), "{stdout}{stderr}");
    stdout
}

#[test]
fn small_boards_are_compared_to_the_end() {
    for (game, variant, depth, algorithms) in [
        ("hex", "{ size = 3 }", "4", 12),
        ("dots-and-boxes", "{ columns = 2, rows = 2 }", "4", 12),
        ("einstein", "{ layouts = [\"123456\", \"123456\"] }", "1", 0),
    ] {
        let arguments = ["compare", game, "--variant", variant, "--depth", depth];
        if algorithms == 0 {
            let (_, message, status) = referee(&arguments);
            assert_eq!(status, Some(2));
            assert!(
                message.contains("one with a roll due; try --positions"),
                "{message}"
            );
            continue;
        }
        let text = output(&arguments);
        let table = text.lines().skip(2).take_while(|line| !line.is_empty());
        assert!(table.count() >= algorithms, "{text}");
        assert!(text.trim_start().starts_with("algorithm"), "{text}");
        assert!(text.contains("\nValues agree: "), "{text}");
        assert!(
            text.contains("\nFewest nodes to depth 4 with equal values: "),
            "{text}"
        );
        assert!(!text.contains("stopped,"), "{text}");
    }
}

#[test]
fn a_file_of_positions_is_compared_position_by_position_and_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, plot) = (folder.path().join("p.txt"), folder.path().join("p.svg"));
    std::fs::write(&file, "# two\n3/1b1/3 r\n\n  3/3/3 r  # no\n").expect("written");
    let arguments = [
        "compare",
        "hex",
        "--variant",
        "{ size = 3 }",
        "--depth",
        "2",
    ];
    let (file, plot) = (file.to_str().expect("UTF-8"), plot.to_str().expect("UTF-8"));
    let mut arguments = arguments.to_vec();
    arguments.extend(["--positions", file, "--each", "--plot", plot]);
    let (_, message, status) = referee(&arguments);
    assert_eq!(status, Some(2));
    assert!(
        message.starts_with(&format!("{file}:4: column 10: expected")),
        "{message}"
    );

    std::fs::write(file, "# two\n3/1b1/3 r\n\n  3/3/3 r  \n").expect("written");
    let text = output(&arguments);
    assert!(text.starts_with("Position 1: 3/1b1/3 r\n"), "{text}");
    assert!(text.contains("\nPosition 2: 3/3/3 r\n"), "{text}");
    assert!(text.contains("\nAll 2 positions\n"), "{text}");
    let picture = std::fs::read_to_string(plot).expect("drawn");
    assert!(picture.starts_with("<svg ") && picture.contains("minimax, minimax-one, negamax"));
}

#[test]
fn with_a_time_limit_all_algorithms_take_part() {
    let text = output(&[
        "compare",
        "hex",
        "--variant",
        "{ size = 4 }",
        "--time",
        "5ms",
        "--algorithm",
        "random,mcts,pvs",
    ]);
    for name in ["pvs", "mcts", "random"] {
        assert!(text.contains(&format!("\n     {name} ")), "{text}");
    }
    assert!(text.contains("\nDeepest exact algorithms"), "{text}");
}

#[test]
fn with_a_node_limit_playouts_repeat() {
    let arguments = [
        "compare",
        "tic-tac-toe",
        "--position",
        "3/3/3 x",
        "--nodes",
        "500",
    ];
    let [one, other] = [(); 2].map(|()| {
        let text = output(
            &[
                &arguments[..],
                &["--algorithm", "flat,uct", "--format", "json"],
            ]
            .concat(),
        );
        let mut found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for row in found["algorithms"].as_array_mut().expect("rows") {
            let search = row["searches"][0].as_object_mut().expect("a search");
            search.remove("time_ms").expect("a time");
            assert_eq!(search["nodes"], 500);
        }
        found
    });
    assert_eq!(one, other);
}

#[test]
fn unsuitable_algorithms_are_refused_with_the_reason() {
    let arguments = ["compare", "hex", "--algorithm", "star1,mcts"];
    let (stdout, message, status) = referee(&arguments);
    assert_eq!((stdout.as_str(), status), ("", Some(2)));
    assert_eq!(
        message,
        "skipping star1: Hex has no dice: same search as pvs\n\
         skipping mcts: it has no depth limit, try --nodes or --time\n\
         --algorithm: none of these algorithms can be compared\n"
    );
}

#[test]
fn bad_input_gives_what_was_expected() {
    for (arguments, expected) in [
        (&["compare", "chess"][..], "expected one of amazons, "),
        (
            &["compare", "hex", "--algorithm", "x"],
            "known are best, pvs, ",
        ),
        (&["compare", "hex", "--depth", "0"], "1..=255"),
        (
            &["compare", "hex", "--depth", "1", "--time", "1s"],
            "cannot be used with",
        ),
        (
            &["compare", "hex", "--variant", "{ size = 99 }"],
            "--variant: ",
        ),
        (&["compare", "hex", "--positions", "/none"], "/none: "),
        (
            &["compare", "hex", "--positions", "/dev/null"],
            "no positions, expected one per line",
        ),
        (&["bench", "--game", "chess"], "expected one of amazons, "),
        (
            &["bench", "--variant", "{}"],
            "--variant without --playouts, expected both",
        ),
        (
            &["bench", "--playouts", "hex", "--depth", "1"],
            "cannot be used with",
        ),
    ] {
        let (stdout, message, status) = referee(arguments);
        assert_eq!((stdout.as_str(), status), ("", Some(2)), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn the_bench_gives_one_number_twice() {
    let arguments = [
        "bench",
        "--depth",
        "1",
        "--nodes",
        "20",
        "--game",
        "hex,einstein",
    ];
    let last = || {
        let text = output(&arguments);
        assert_eq!(text.lines().count(), 5, "{text}");
        text.lines().last().map(str::to_owned)
    };
    let number = last().expect("a line");
    let digits = number.strip_prefix("Bench: ").expect("the number");
    assert!(
        digits.parse::<u64>().is_ok_and(|number| number > 0),
        "{number}"
    );
    assert_eq!(last(), Some(number));
}
