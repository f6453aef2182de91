use task::adjudication::Adjudication;

use crate::config::Config;

/// Number of lines before `[adjudication]`.
const HEAD: &str = r#"league = { name = "x", games = ["hex", "dots-and-boxes", "einstein"] }
clock = { nodes = 1 }
engine = [{ name = "a", builtin = "pvs" }, { name = "b", builtin = "mcts" }]
"#;

/// The rules for Hex, Dots and Boxes, and EinStein.
fn read(text: &str) -> Result<Vec<Adjudication>, String> {
    let config = Config::parse("x.toml".as_ref(), &format!("{HEAD}{text}"), &[]);
    let games = config.map_err(|error| error.to_string())?.games;
    Ok(games.into_iter().map(|game| game.adjudication).collect())
}

fn rules(text: &str) -> Adjudication {
    toml::from_str(text).unwrap()
}

#[test]
fn a_game_has_its_own_table_or_the_common_one() {
    assert_eq!(read("").unwrap(), [Adjudication::default(); 3]);
    let common = "max_turns = 300\nresign = { points = 500, turns = 4 }";
    let proven = "proven = { nodes = 1000 }";
    let text = format!("[adjudication]\n{common}\n[adjudication.hex]\n{proven}");
    assert_eq!(
        read(&text).unwrap(),
        [rules(proven), rules(common), rules(common)]
    );
    let but_one = format!("[adjudication]\n{proven}\n[adjudication.einstein]");
    assert_eq!(
        read(&but_one).unwrap(),
        [rules(proven), rules(proven), rules("")]
    );
}

#[test]
fn rules_that_can_end_no_game_are_refused_with_their_line() {
    for (text, expected) in [
        (
            "[adjudication]\nmax_turns = 9\ndraw = { points = 1, turns = 1 }",
            "6: draw, but hex cannot be drawn, expected [adjudication.hex] without draw",
        ),
        (
            "[adjudication.dots-and-boxes]\ndraw = { points = 1, turns = 1 }",
            "5: draw, but dots-and-boxes cannot be drawn, expected [adjudication.dots-",
        ),
        (
            "[adjudication]\nproven = { nodes = 9 }",
            "5: dfpn does not fit einstein, which has dice, ",
        ),
        (
            "[adjudication.hex]\nproven = { nodes = 0 }",
            "5: proven within 0 nodes, expected 1 to 10000000",
        ),
        (
            "[adjudication.hex]\nproven = { nodes = 9, every = 0 }",
            "5: invalid value: integer `0`, expected a nonzero u32",
        ),
        (
            "[adjudication]\nresign = { points = 500 }",
            "5: missing field `turns`, expected a league file",
        ),
        (
            "[adjudication]\nmax_turn = 3",
            "5: unknown field `max_turn`, expected one of `resign`, `draw`, `max_turns`, `proven`",
        ),
        (
            "[adjudication.chess]\nmax_turns = 3",
            "4: game \"chess\", expected one of amazons, ",
        ),
        (
            "[adjudication.amazons]\nmax_turns = 0",
            "5: invalid value: integer `0`, expected a nonzero u32",
        ),
    ] {
        let message = read(text).expect_err(text);
        assert!(
            message.starts_with(&format!("x.toml:{expected}")),
            "{message}"
        );
    }
}

#[test]
fn a_board_with_an_even_number_of_boxes_can_be_drawn() {
    let text = "[variant.dots-and-boxes]\ncolumns = 4\n\
                [adjudication.dots-and-boxes]\ndraw = { points = 1, turns = 1 }";
    assert!(read(text).unwrap()[1].draw.is_some());
}
