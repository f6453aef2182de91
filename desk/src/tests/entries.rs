//! What may be entered, and what is refused.

use super::*;

#[test]
fn what_was_not_played_cannot_be_corrected() {
    let mut table = Table::new(contest());
    table.refuses(
        0.0,
        &correct(1),
        "correction from 1, expected a turn or roll first",
    );
    table.act(1.0, &enter("a1"));
    table.refuses(
        1.0,
        &correct(2),
        "expected the number of a turn or roll, 1 to 1",
    );
    table.refuses(1.0, &correct(0), "1 to 1");
    let reason = "two\nlines".to_owned();
    let lines = Operation::Correct { from: 1, reason };
    table.refuses(1.0, &lines, "on one line");
}

#[test]
fn entries_are_checked_and_change_nothing() {
    let mut table = Table::new(hex());
    table.refuses(0.0, &enter("z9"), "column 1");
    table.refuses(
        0.0,
        &enter(""),
        "expected the whole turn: a1, a2, a3, b1, b2, … may follow",
    );
    table.refuses(0.0, &enter("a1 b1"), "expected the actions of one turn");
    table.refuses(0.0, &Operation::Roll { face: 1 }, "no roll is due");
    table.refuses(0.0, &Operation::Confirm, "no turn of the engine");
    table.refuses(0.0, &Operation::Hurry, "no engine is to move");
    table.refuses(0.0, &Operation::Restart { seat: 0 }, "no engine in seat 0");
    table.refuses(0.0, &Operation::Restart { seat: 7 }, "no engine in seat 7");
    table.refuses(0.0, &Operation::Next, "expected its result first");
    let first = SideName::First;
    table.refuses(
        99.0,
        &Operation::Claim { side: first },
        "First has time left",
    );
    table.act(1.0, &enter("a1"));
    table.refuses(1.0, &enter("a1"), "column 1");
    table.act(2.0, &Operation::Resign { side: first });
    table.refuses(2.0, &enter("a2"), "the game is over");
    table.refuses(2.0, &Operation::Next, "the series is over");
}

#[test]
fn a_turn_can_be_built_action_by_action() {
    let rules = catalog::find("amazons").unwrap();
    let mut table = Table::new(Settings::casual(rules, seats(), sudden_death(100)));
    let whole = table.state.position().actions().remove(0);
    let preview = |table: &Table, text: &str| table.state.preview(text).unwrap();
    assert_eq!(preview(&table, "").position.actions().len(), 2176);
    assert_eq!(preview(&table, &whole).turn, Some(whole.clone()));
    table.act(1.0, &enter(&whole));

    let rules = catalog::find("connect6").unwrap();
    let mut table = Table::new(Settings::casual(rules, seats(), sudden_death(100)));
    table.act(1.0, &enter("j10"));
    let half = preview(&table, "k11");
    assert_eq!(half.turn, None);
    assert!(!half.position.actions().contains(&"k11".to_owned()));
    assert_eq!(preview(&table, "k11 i11").turn.as_deref(), Some("k11i11"));
    table.refuses(2.0, &enter("k11"), "expected the whole turn");
    table.act(2.0, &enter("k11 i11"));
    assert_eq!(table.state.game().turns[1].record.text, "k11i11");
}

#[test]
fn a_result_can_be_agreed_on() {
    let mut table = Table::new(contest());
    table.act(10.0, &enter("a1"));
    let reason = "as the referee says".to_owned();
    let result = GameResult::Second;
    table.act(11.0, &Operation::Decide { result, reason });
    let game = table.logged();
    assert_eq!(
        (game.result, game.reason),
        (GameResult::Second, Reason::Decided)
    );
    let mut forged = game;
    forged.desk = None;
    assert!(verify::check(&forged).is_err());
    // Only the result is taken back.
    table.act(20.0, &correct(2));
    assert_eq!(table.left(21.0), [90.0, 98.0]);
}

#[test]
fn the_ceremony_of_gomoku_and_the_swap_of_hex_are_ordinary_turns() {
    let rules = catalog::find("gomoku").unwrap();
    let mut table = Table::new(Settings::casual(rules, seats(), sudden_death(100)));
    for (seconds, turn) in [(1.0, "h8 h9 j10 x3"), (2.0, "swap"), (3.0, "g7")] {
        table.act(seconds, &enter(turn));
    }
    assert_eq!(
        table.state.game().words().collect::<Vec<_>>(),
        ["h8h9j10x3", "swap", "g7"]
    );
    // First has white now, and Second offers black's fifth stones.
    let position = table.state.position();
    assert_eq!(position.colour_of(position.side()), 0);
    assert_eq!(table.state.game().side, engine_core::Side::Second);

    let mut table = Table::new(Settings {
        variant: json!({ "size": 3, "opening": "swap" }),
        ..hex()
    });
    table.act(1.0, &enter("b2"));
    table.act(2.0, &enter("swap"));
    assert_eq!(
        table.state.game().words().collect::<Vec<_>>(),
        ["b2", "swap"]
    );
}

#[test]
fn settings_are_checked() {
    let check = |settings: Settings, expected: &str| {
        let message = settings.check().expect_err("a fault").0;
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    };
    let game = "chess".to_owned();
    check(
        Settings { game, ..hex() },
        "game \"chess\", expected one of amazons",
    );
    let variant = json!({ "size": 99 });
    check(
        Settings { variant, ..hex() },
        "variant: size: expected 2 to 19",
    );
    let opening = "a1 a1".to_owned();
    check(Settings { opening, ..hex() }, "opening: column 4");
    let opening = "a1 b1 a2 b2 a3".to_owned();
    check(Settings { opening, ..hex() }, "the game is over");
    check(Settings { wins: 0, ..hex() }, "wins 0, expected 1 to 50");
    let clock = ClockSpec::default();
    check(Settings { clock, ..hex() }, "clock of A: ");
    let event = "two\nlines".to_owned();
    check(
        Settings { event, ..hex() },
        "event \"two\\nlines\", expected",
    );
    let mut settings = hex();
    settings.seats[1].name = "A".to_owned();
    check(settings, "both seats are named \"A\"");
    let mut settings = hex();
    settings.seats[0].name = " ".to_owned();
    check(settings, "name of A: empty");
    let surakarta = Settings {
        game: "surakarta".to_owned(),
        variant: json!({}),
        ..with_engine(hex(), Protocol::Gtp)
    };
    check(surakarta, "engine of A: ");
}

#[test]
fn a_journal_that_cannot_be_is_refused_with_its_place() {
    let table = Table::new(hex());
    let replay = |events: &[Event]| {
        let entries = events.iter().cloned().map(|event| Entry {
            time: at(1.0),
            event,
        });
        let entries: Vec<Entry> = table.entries.iter().cloned().chain(entries).collect();
        State::replay(&entries).expect_err("a fault").0
    };
    let turn = |text: &str| Event::Turn {
        text: text.to_owned(),
        by: By::Operator,
        info: None,
    };
    assert!(replay(&[turn("a1"), turn("a1")]).starts_with("event 3: column 1"));
    assert!(replay(&[Event::Roll { face: 1 }]).starts_with("event 2: "));
    let reason = String::new();
    let beyond = Event::Correct { from: 9, reason };
    assert_eq!(
        replay(&[beyond]),
        "event 2: correction from 9, expected a turn"
    );
    let begin = table.entries[0].event.clone();
    assert_eq!(replay(&[begin]), "event 2: the session has begun");
    assert!(State::replay(&[]).unwrap_err().0.contains("expected begin"));
}
