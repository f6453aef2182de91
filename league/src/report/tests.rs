use engine_process::deviation::Deviation;
use engine_process::info::EngineInfo;
use gamelog::record::GameRecord;
use gamelog::record::GameResult::{Draw, First, Second};
use gamelog::record::sample::{game, turn};
use gamelog::record::{GameResult, Reason, SideName};

use super::*;

mod lists;

/// Unknown games are shown by their ids.
fn log() -> Vec<GameRecord> {
    let mut games = vec![
        game("nim", "pvs", "mcts", First, Reason::Rules),
        game("nim", "mcts", "pvs", First, Reason::Rules),
        game("go", "pvs", "mcts", Second, Reason::Time),
        game("go", "mcts", "pvs", Draw, Reason::Rules),
    ];
    for game in &mut games[..2] {
        game.opening = "a | b".to_owned();
    }
    games[0].turns = vec![turn("a"), turn("d3")];
    games
}

/// A text on one line, with single spaces: notes are wrapped.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of the last line of a text that has an engine's name.
fn row_of<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let mut lines = text.lines().map(|line| line.split_whitespace().collect());
    let row = lines.rfind(|words: &Vec<&str>| words.get(1) == Some(&name));
    row.expect("a row")
}

/// The report of games.
fn report(games: &[GameRecord], options: &ReportOptions) -> String {
    super::report(&Standings::of(games), options)
}

fn options(by: By, format: Format) -> ReportOptions {
    ReportOptions {
        by,
        format,
        anchors: Vec::new(),
    }
}

#[test]
fn tables_show_ratings_points_sides_and_faults() {
    let text = report(&log(), &ReportOptions::default());
    let expected = "\
go: 2 games
First side: 25.0 % of the points, Elo unknown after few games. Draws: 50.0 %.
On average 0.0 turns, 0.0 s. Pairs with sides exchanged: 1, one observation.
";
    assert!(text.starts_with(expected), "{text}");
    let header = "engine Elo ± LOS points games pairs score W-D-L as First as Second";
    assert_eq!(flat(text.lines().nth(3).expect("a header")), header);
    // What does not fit is below.
    assert_eq!(
        flat(text.lines().nth(8).expect("a header")),
        "engine lost: time"
    );
    assert!(text.contains("\nnim: 2 games\n"), "{text}");
    let all = text
        .split("All games: 4 games\n")
        .nth(1)
        .expect("a table of all");
    assert!(
        all.contains("Draws: 25.0 %.\nOn average 0.5 turns"),
        "{all}"
    );
    let [table, rest] = [0, 1].map(|part| all.split("\n\n").nth(part).expect("two tables"));
    let end = ["5", "4", "2", "62.5", "%", "2-1-1", "1-1-0", "1-0-1", "3"];
    assert!(row_of(table, "mcts").ends_with(&end), "{all}");
    assert!(row_of(rest, "mcts").ends_with(&["2", "0"]), "{all}");
    let end = ["3", "4", "2", "37.5", "%", "1-1-2", "1-0-1", "0-1-1", "1"];
    assert!(row_of(table, "pvs").ends_with(&end), "{all}");
    assert!(row_of(rest, "pvs").ends_with(&["2", "1"]), "{all}");
}

#[test]
fn engines_are_compared_in_pairs() {
    let text = report(&log(), &options(By::Engine, Format::Text));
    // One shared pair, and one that mcts won by 1½ to ½.
    assert!(text.contains("  0-0-1-1-0  "), "{text}");
    assert!(text.contains("  62.5 %  "), "{text}");
}

#[test]
fn lags_are_shown_in_every_format() {
    let mut games = log();
    for (turn, time_ms) in games[0].turns.iter_mut().zip([2, 3]) {
        turn.used_us = 5_200;
        turn.info = Some(EngineInfo {
            time_ms: Some(time_ms),
            ..EngineInfo::default()
        });
    }
    let by_engine = |format| report(&games, &options(By::Engine, format));
    let text = by_engine(Format::Text);
    let lags = text.split("Lag, ms\n").nth(1).expect("a table of lags");
    assert_eq!(
        row_of(lags, "pvs"),
        ["2", "pvs", "2", "2.2", "3.2", "3.2"],
        "{lags}"
    );
    assert!(!lags.contains("mcts"), "it did not report its time: {lags}");
    let csv = by_engine(Format::Csv);
    assert!(
        csv.contains("\ntable,,engine,turns,median,99 %,worst\n"),
        "{csv}"
    );
    assert!(
        csv.ends_with("\n\"Lag, ms\",2,pvs,2,2.2,3.2,3.2\n"),
        "{csv}"
    );
    let markdown = by_engine(Format::Markdown);
    assert!(
        markdown.contains("\n| 2 | pvs | 2 | 2.2 | 3.2 | 3.2 |\n"),
        "{markdown}"
    );
    let html = by_engine(Format::Html);
    assert!(
        html.contains("<h2>Lag, ms</h2>") && html.contains("<td>3.2</td>"),
        "{html}"
    );
    let json: serde_json::Value = serde_json::from_str(&by_engine(Format::Json)).expect("JSON");
    let engines = &json["all"]["engines"];
    let lag = serde_json::json!({
        "turns": 2, "median_us": 2_207, "percentile_99_us": 3_200, "worst_us": 3_200,
    });
    assert_eq!(
        (&engines[1]["lag"], &engines[0]["lag"]),
        (&lag, &serde_json::Value::Null)
    );
    assert!(!report(&log(), &options(By::Engine, Format::Text)).contains("Lag"));
}

#[test]
fn deviations_are_shown_in_every_format() {
    let mut games = log();
    games[0].first.deviations.note(Deviation::Chatter);
    games[1].second.deviations.note(Deviation::Chatter);
    games[1].second.deviations.note(Deviation::UnaskedTurn);
    let by = |by, format| report(&games, &options(by, format));
    for view in [By::Game, By::Engine] {
        let text = by(view, Format::Text);
        let table = text.split("Deviations from the protocol\n").nth(1);
        let table = table.expect("a table of deviations");
        assert!(
            flat(table).contains("engine chatter unasked turn"),
            "{text}"
        );
        assert_eq!(row_of(table, "pvs"), ["2", "pvs", "2", "1"], "{text}");
        let csv = by(view, Format::Csv);
        let row = "\nDeviations from the protocol,2,pvs,2,1\n";
        assert!(csv.ends_with(row), "{csv}");
        let markdown = by(view, Format::Markdown);
        assert!(markdown.contains("\n| 2 | pvs | 2 | 1 |\n"), "{markdown}");
        let html = by(view, Format::Html);
        assert!(html.contains("<th>unasked turn</th>"), "{html}");
    }
    let json: serde_json::Value = serde_json::from_str(&by(By::Game, Format::Json)).expect("JSON");
    let engines = &json["games"]["nim"]["engines"];
    let counts = serde_json::json!({ "chatter": 2, "unasked-turn": 1 });
    let of = |name: &str| {
        let mut engines = engines.as_array().expect("engines").iter();
        engines
            .find(|engine| engine["name"] == name)
            .expect("an engine")["deviations"]
            .clone()
    };
    assert_eq!((of("pvs"), of("mcts")), (counts, serde_json::json!({})));
    assert!(!by(By::Opening, Format::Text).contains("Deviations"));
    assert!(!report(&log(), &ReportOptions::default()).contains("Deviations"));
}

/// A league of two engines: pairs with these results of "a" as First and as Second. If not `paired`,
/// every game has a seed of its own.
fn league(results: &[[GameResult; 2]], paired: bool) -> Vec<GameRecord> {
    let mut games = Vec::new();
    for (number, &[as_first, as_second]) in results.iter().enumerate() {
        for (other, (first, second, result)) in [("a", "b", as_first), ("b", "a", as_second)]
            .into_iter()
            .enumerate()
        {
            let mut played = game("go", first, second, result, Reason::Rules);
            played.seed = 2 * number as u64 + if paired { 0 } else { other as u64 };
            played.opening = "x".to_owned();
            games.push(played);
        }
    }
    games
}

/// The error bars of every table: of "a" in the ratings, of "a" against "b" alone and by all games,
/// and of the opening.
fn bars(games: &[GameRecord]) -> [f64; 4] {
    let json = report(games, &options(By::Game, Format::Json));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let table = &json["games"]["go"];
    let engine = &table["engines"][0];
    let against = &engine["against"][if engine["name"] == "a" { "b" } else { "a" }];
    [
        &engine["elo"],
        &against["elo"],
        &against["difference"],
        &table["openings"]["x"]["first_elo"],
    ]
    .map(|figure| {
        figure["error"]
            .as_f64()
            .unwrap_or_else(|| panic!("a finite bar: {json}"))
    })
}

#[test]
fn every_table_counts_pairs() {
    // Shared pairs, now by wins of the first side, now by wins of the second.
    let shared = [[First, First], [Second, Second]].repeat(20);
    // The same winner in both games of a pair.
    let same = [[First, Second], [Second, First]].repeat(20);
    let [shared, same] = [shared, same].map(|results| {
        let [paired, single] = [true, false].map(|paired| bars(&league(&results, paired)));
        std::array::from_fn::<f64, 4, _>(|i| paired[i] / single[i])
    });
    // The first side wins both games of a pair or none: its own bar is wide.
    assert!(
        shared[..3].iter().all(|&ratio| ratio < 0.4) && shared[3] > 1.3,
        "{shared:?}"
    );
    assert!(
        same[..3].iter().all(|&ratio| ratio > 1.3) && same[3] < 0.4,
        "{same:?}"
    );
    let games = league(&[[First, First], [Second, First]], true);
    for (by, note) in [
        (By::Game, "sides exchanged: 2"),
        (By::Engine, "pairs"),
        (By::Opening, "pairs"),
    ] {
        let text = report(&games, &options(by, Format::Text));
        assert!(text.contains(note), "{text}");
    }
}

/// Ten games won by "a", five as each side: the exact bound of the difference is +182.7 Elo.
#[test]
fn bounds_stand_where_no_estimate_is_finite() {
    let games: Vec<GameRecord> = (0..10)
        .map(|number| {
            let mut won = match number % 2 {
                0 => game("go", "a", "b", First, Reason::Rules),
                _ => game("go", "b", "a", Second, Reason::Rules),
            };
            won.seed = number;
            won
        })
        .collect();
    let text = report(&games, &options(By::Game, Format::Text));
    let row = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.contains(&format!("  {name}  ")));
        let words: Vec<&str> = line.expect("a row").split_whitespace().collect();
        words[2..4].join(" ")
    };
    assert_eq!(
        (row("a"), row("b")),
        ("> +91.4".into(), "< -91.4".into()),
        "{text}"
    );
    assert!(
        text.contains("Bounds (> and <) are relative to the mean of all."),
        "{text}"
    );
    let csv = report(&games, &options(By::Engine, Format::Csv));
    assert_eq!(csv.matches(",> +182.7,").count(), 2, "{csv}");
    assert_eq!(csv.matches(",< -182.7,").count(), 2, "{csv}");
    let html = report(&games, &options(By::Game, Format::Html));
    assert!(html.contains("<td>&gt; +91.4</td>"), "{html}");
    let json: serde_json::Value =
        serde_json::from_str(&report(&games, &options(By::Game, Format::Json))).expect("JSON");
    let against = &json["all"]["engines"][0]["against"]["b"];
    for figure in [&against["difference"], &against["elo"]] {
        let bound = figure["above"].as_f64().expect("a lower bound");
        assert!((bound - 182.73).abs() < 0.01, "{figure}");
    }
    assert!(json["all"]["engines"][1]["elo"]["below"].is_f64(), "{json}");
    // The first side won every game.
    let games = [
        game("go", "a", "b", First, Reason::Rules),
        game("go", "b", "a", First, Reason::Rules),
    ];
    let text = report(&games, &options(By::Game, Format::Text));
    assert!(
        text.contains("points, Elo unknown after few games"),
        "{text}"
    );
}

#[test]
fn openings_have_tables_if_there_are_any() {
    let text = report(&log(), &options(By::Opening, Format::Markdown));
    assert!(text.contains("## nim: 1 openings"), "{text}");
    assert!(
        text.contains("| 1 | a \\| b | 2 | 1 | 2-0-0 | 100.0 % | few games |  | 1.0 |"),
        "{text}"
    );
    assert!(!text.contains("go"), "{text}");
}

#[test]
fn csv_can_be_read_again() {
    for by in [By::Game, By::Engine, By::Opening] {
        let text = report(&log(), &options(by, Format::Csv));
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .has_headers(false)
            .from_reader(text.as_bytes());
        let records: Vec<_> = reader
            .records()
            .map(|record| record.expect("CSV"))
            .collect();
        assert_eq!(&records[0][0], "table");
        assert!(records.len() > 1);
    }
}

#[test]
fn json_has_every_figure() {
    let text = report(&log(), &options(By::Game, Format::Json));
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["all"]["games"], 4);
    assert_eq!(value["games"]["go"]["engines"][0]["name"], "mcts");
    let against = &value["all"]["engines"][0]["against"]["pvs"];
    assert_eq!(against["score"], 0.625);
    assert_eq!(against["pairs"], serde_json::json!([0, 0, 1, 1, 0]));
    assert_eq!(value["games"]["go"]["engines"][1]["faults"]["time"], 1);
    assert_eq!(
        value["games"]["nim"]["openings"]["a | b"]["mean_turns"],
        1.0
    );
}

#[test]
fn names_cannot_break_a_page() {
    let games = [game("<b>", "x<y", "&z", First, Reason::Rules)];
    let text = report(&games, &options(By::Game, Format::Html));
    assert!(text.contains("<h2>&lt;b&gt;: 1 game</h2>"), "{text}");
    assert!(
        text.contains("<td>x&lt;y</td>") && text.contains("<td>&amp;z</td>"),
        "{text}"
    );
}

#[test]
fn few_games_give_a_report_without_nan() {
    let all: [&[(GameResult, &str, &str)]; 4] = [
        &[],
        &[(First, "a", "b")],
        &[(Draw, "a", "b")],
        &[(First, "a", "b"), (Second, "c", "d")],
    ];
    for results in all {
        let games: Vec<_> = (results.iter())
            .map(|(result, first, second)| game("go", first, second, *result, Reason::Rules))
            .collect();
        for by in [By::Game, By::Engine, By::Opening] {
            for format in [
                Format::Text,
                Format::Json,
                Format::Csv,
                Format::Markdown,
                Format::Html,
            ] {
                let text = report(&games, &options(by, format));
                assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            }
        }
    }
}

/// Names in a log from elsewhere may be formulas or markup; every format shows them as text.
#[test]
fn foreign_names_are_text_in_every_format() {
    let mut games = log();
    for game in &mut games {
        for engine in [&mut game.first, &mut game.second] {
            if engine.name == "pvs" {
                engine.name = "=HYPERLINK(1)".to_owned();
            } else {
                engine.name = "<img src=x> *b* [a](b) `c`|\nd".to_owned();
            }
        }
    }
    let by = |format| report(&games, &options(By::Game, format));
    let csv = by(Format::Csv);
    assert!(csv.contains(",'=HYPERLINK(1),"), "{csv}");
    assert!(
        csv.lines()
            .all(|line| !line.contains(",=") && !line.starts_with('=')),
        "{csv}"
    );
    let markdown = by(Format::Markdown);
    let name = r"| \<img src=x\> \*b\* \[a\](b) \`c\`\| d |";
    assert!(markdown.contains(name), "{markdown}");
    let html = by(Format::Html);
    assert!(html.contains("<td>&lt;img src=x&gt;"), "{html}");
    assert!(!html.contains("<img"), "{html}");
    // Numbers stay numbers.
    assert!(csv.contains(",+") || csv.contains(",-"), "{csv}");
}

/// Pairs of "a" and "b", by the results of both games: the first is begun by "a", the other by "b".
fn pairs(results: &[([GameResult; 2], usize)]) -> Vec<GameRecord> {
    let mut games = Vec::new();
    for &([one, other], count) in results {
        for _ in 0..count {
            let seed = games.len() as u64;
            for (first, second, result) in [("a", "b", one), ("b", "a", other)] {
                games.push(GameRecord {
                    seed,
                    ..game("hex", first, second, result, Reason::Rules)
                });
            }
        }
    }
    games
}

#[test]
fn a_table_says_first_where_openings_have_decided() {
    let of = [
        ([First, First], 3),
        ([Second, Second], 12),
        ([First, Second], 10),
    ];
    let text = report(&pairs(&of), &ReportOptions::default());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[1..3].join(" "),
        "In 15 of 25 pairs the same side won both games (First 3, Second 12): there the side decided, \
         not the engine."
    );
    assert!(lines[3].starts_with("First side: "), "{text}");
    let tied = "15 of 25 pairs tie. Of the others a won 10, b 0: exact sign test p = 0.002.";
    assert_eq!(lines[5], tied, "{text}");
    let text = report(&pairs(&of), &options(By::Engine, Format::Text));
    assert_eq!(text.lines().nth(1), Some(tied), "{text}");
    let json = report(&pairs(&of), &options(By::Game, Format::Json));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let of_a = &json["all"]["engines"][0]["against"]["b"]["decisive_pairs"];
    assert_eq!((&of_a["won"], &of_a["lost"]), (&10.into(), &0.into()));
    assert!((of_a["p"].as_f64().unwrap() - 2.0 / 1024.0).abs() < 1e-12);
}

#[test]
fn few_pairs_of_one_side_are_no_news() {
    let few = [([First, First], 2), ([First, Second], 1)];
    let rare = [([Second, Second], 3), ([First, Second], 10)];
    for of in [few, rare] {
        let text = report(&pairs(&of), &ReportOptions::default());
        assert!(!text.contains("the same side"), "{text}");
    }
    let rare = report(&pairs(&rare), &ReportOptions::default());
    assert!(!rare.contains("pairs tie"), "{rare}");
    let many = [([Second, Second], 3), ([First, Second], 9)];
    let text = report(&pairs(&many), &ReportOptions::default());
    assert!(text.contains("In 3 of 12 pairs the same side"), "{text}");
}

#[test]
fn a_table_says_how_many_games_were_distinct() {
    let repeat = |last: &str| {
        let mut games = pairs(&[([First, First], 3)]);
        for game in &mut games {
            game.turns = ["a1", "b2", "c3"].map(turn).to_vec();
        }
        games[5].turns[2].text = last.to_owned();
        report(&games, &ReportOptions::default())
    };
    let forced = "Distinct games: 2 of 6. Engines that answer alike every time repeat 4 games, which count \
                  for the points, and in the error bars as the games that they repeat.";
    assert!(flat(&repeat("c3")).contains(forced), "{}", repeat("c3"));
    assert!(
        repeat("c4").contains("\nDistinct games: 3 of 6.\n"),
        "{}",
        repeat("c4")
    );
    assert!(!report(&log(), &ReportOptions::default()).contains("Distinct"));
}
