//! Series and dice.

use super::*;

fn einstein(dice: Dice) -> Settings {
    let rules = catalog::find("einstein").unwrap();
    Settings {
        dice,
        ..Settings::contest(rules, seats())
    }
}

#[test]
fn a_series_goes_to_four_wins_in_the_contest_s_order() {
    let mut table = Table::new(einstein(Dice::Program));
    table.act(0.0, &Operation::Resume);
    let mut order = Vec::new();
    // A wins games 1, 3, 4; B wins 2, 5, 6, 7.
    for (number, winner) in (1..).zip([0, 1, 0, 0, 1, 1, 1]) {
        let seats = table.state.game().seats;
        order.push(seats[0]);
        assert_eq!(table.state.games.len(), number);
        let begun = number as f64 - 1.0;
        assert_eq!(table.left(begun), [240.0, 240.0]);
        let side = if seats[0] == winner {
            SideName::Second
        } else {
            SideName::First
        };
        assert!(!table.state.is_over());
        table.act(number as f64, &Operation::Resign { side });
        if number < 7 {
            table.act(number as f64, &Operation::Next);
        }
    }
    assert_eq!(
        order,
        [0, 1, 1, 0, 0, 1, 1],
        "A moves first in games 1, 4, 5"
    );
    assert_eq!(table.state.points(), [6, 8]);
    assert!(table.state.is_over());
    table.refuses(9.0, &Operation::Next, "the series is over");
    assert_eq!(table.logged().number, 7);
    table.act(9.0, &correct(1));
    assert_eq!(table.state.points(), [6, 6]);
}

#[test]
fn a_series_ends_when_it_is_decided() {
    let mut table = Table::new(einstein(Dice::Program));
    for number in 1..=4 {
        let seats = table.state.game().seats;
        let side = if seats[0] == 0 {
            SideName::Second
        } else {
            SideName::First
        };
        table.act(number as f64, &Operation::Resign { side });
        if number < 4 {
            table.act(number as f64, &Operation::Next);
        }
    }
    assert!(table.state.is_over());
    assert_eq!(table.state.points(), [8, 0]);
}

#[test]
fn a_roll_of_the_program_that_is_taken_back_comes_again() {
    let mut table = Table::new(einstein(Dice::Program));
    table.act(0.0, &Operation::Resume);
    table.act(1.0, &enter("R:123456"));
    assert_eq!(table.state.own_roll(), None);
    table.act(2.0, &enter("B:123456"));
    let roll = table.state.own_roll().unwrap();
    table.refuses(3.0, &Operation::Roll { face: 3 }, "the program rolls");
    table.add(3.0, roll.clone());
    assert_eq!(table.state.own_roll(), None);
    // The clock of the side to move runs from the turn before.
    assert_eq!(table.left(4.0), [237.0, 239.0]);
    table.act(4.0, &correct(3));
    assert_eq!(table.state.own_roll(), Some(roll.clone()));
    table.add(5.0, roll);
    let turn = table.state.position().actions().remove(0);
    table.act(7.0, &enter(&turn));
    // The second after the roll that was taken back does not count.
    assert_eq!(table.left(7.0), [235.0, 239.0]);
    table.act(
        8.0,
        &Operation::Resign {
            side: SideName::First,
        },
    );
    assert_eq!(table.logged().turns.len(), 4);
}

#[test]
fn the_operator_enters_rolls() {
    let mut table = Table::new(einstein(Dice::Operator));
    table.act(0.0, &Operation::Resume);
    table.act(1.0, &enter("R:123456"));
    table.act(2.0, &enter("B:123456"));
    assert_eq!(table.state.own_roll(), None);
    table.refuses(3.0, &enter("a1"), "expected a roll, d1 to d6");
    table.refuses(3.0, &enter("7"), "a roll of 7, expected a roll, d1 to d6");
    table.act(3.0, &enter("5"));
    table.refuses(3.0, &Operation::Roll { face: 5 }, "no roll is due");
    let turn = table.state.position().actions().remove(0);
    table.act(4.0, &enter(&turn));
    table.act(5.0, &Operation::Roll { face: 2 });
    table.act(
        6.0,
        &Operation::Resign {
            side: SideName::First,
        },
    );
    let game = table.logged();
    let rolls: Vec<&str> = game.turns.iter().map(|turn| &*turn.text).collect();
    assert_eq!((rolls[2], rolls[4]), ("d5", "d2"));
    assert!(game.desk.unwrap().foreign_dice);
}
