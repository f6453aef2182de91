use super::*;

/// Rules of a league file.
fn rules(text: &str) -> Adjudication {
    toml::from_str(text).unwrap()
}

const BOTH: &str = "resign = { points = 500, turns = 2 }\n\
                    draw = { points = 10, turns = 2, after = 6 }";

/// After which turn (from 1) and how a game ends in which `First` and `Second` report these scores
/// in turn; `-` is a turn without a report.
fn ended(text: &str, scores: &[&str]) -> Option<(usize, Verdict)> {
    let mut adjudicator = Adjudicator::new(rules(text));
    let sides = Side::BOTH.into_iter().cycle();
    for (index, (score, side)) in scores.iter().zip(sides).enumerate() {
        adjudicator.turn(side, Some(*score).filter(|&score| score != "-"));
        if let Some(verdict) = adjudicator.verdict() {
            return Some((index + 1, verdict));
        }
    }
    None
}

fn won(scores: &[&str]) -> Option<(usize, GameResult)> {
    let (turn, verdict) = ended(BOTH, scores)?;
    assert_eq!(verdict.reason, Reason::AgreedWin);
    Some((turn, verdict.result))
}

#[test]
fn a_game_is_lost_when_both_engines_agree_for_long_enough() {
    let second = ["cp -500", "cp 500", "cp -501", "cp 900"];
    assert_eq!(won(&second), Some((4, GameResult::Second)));
    let first = ["cp 500", "cp -600", "win 7", "loss 6", "cp 0"];
    assert_eq!(won(&first), Some((4, GameResult::First)));
    // The last turns of each side count, whoever moved last.
    let late = ["cp 0", "cp 500", "cp -500", "cp 500", "loss 2"];
    assert_eq!(won(&late), Some((5, GameResult::Second)));
}

#[test]
fn a_game_goes_on_while_one_engine_disagrees() {
    for scores in [
        ["cp -500", "cp 499", "cp -500", "cp 500", "cp -500"],
        ["cp -499", "cp 500", "cp -500", "cp 500", "cp 0"],
        ["cp 900", "cp 900", "win 3", "win 4", "win 1"],
        ["loss 2", "loss 2", "loss 2", "loss 2", "loss 2"],
        ["cp -500", "cp 500", "-", "cp 500", "cp -500"],
        ["cp -500", "cp 500", "cp -500", "nonsense", "cp -500"],
        ["-"; 5],
    ] {
        assert_eq!(won(&scores), None, "{scores:?}");
    }
}

/// Where one engine has no scores, the other's alone decide, if the league file says so.
#[test]
fn scores_of_one_engine_suffice_where_the_other_has_none() {
    const ALONE: &str = "resign = { points = 500, turns = 2, alone = true }";
    let gives_up = ["cp -500", "-", "cp -600", "-"];
    assert_eq!(ended(BOTH, &gives_up), None);
    let (turn, verdict) = ended(ALONE, &gives_up).unwrap();
    assert_eq!((turn, verdict.result), (3, GameResult::Second));
    let detail = "First alone sees Second ahead by 500 points or more, 2 turns each";
    assert_eq!(verdict.detail, detail);
    let claims = ["-", "win 4", "-", "cp 500"];
    assert_eq!(ended(ALONE, &claims).unwrap().1.result, GameResult::Second);
    // One score is enough to be asked.
    for other in [
        ["cp 3", "-", "cp -500", "-", "cp -500"],
        ["cp -500", "cp 5", "cp -500", "-", "cp -500"],
    ] {
        let silent = other[1] == "-";
        assert_eq!(ended(ALONE, &other).is_some(), silent, "{other:?}");
    }
    assert_eq!(ended(ALONE, &["-"; 9]), None);
    let both = ["cp -500", "cp 500", "cp -501", "cp 900"];
    assert!(
        ended(ALONE, &both)
            .unwrap()
            .1
            .detail
            .starts_with("both engines")
    );
}

#[test]
fn a_game_is_drawn_when_both_engines_see_nobody_ahead() {
    let level = ["cp 10", "cp -10", "cp 0", "cp 3", "cp -1", "cp 9", "cp 0"];
    let (turn, verdict) = ended(BOTH, &level).unwrap();
    assert_eq!((turn, verdict.reason), (6, Reason::AgreedDraw));
    assert_eq!(verdict.result, GameResult::Draw);
    let mut late = [&["cp 80"; 4][..], &level].concat();
    assert_eq!(ended(BOTH, &late).unwrap().0, 8);
    late[6] = "cp 11";
    assert_eq!(ended(BOTH, &late).unwrap().0, 11);
    for proven in ["win 9", "loss 9", "-"] {
        late[8] = proven;
        assert_eq!(ended(BOTH, &late), None, "{proven}");
    }
}

#[test]
fn a_game_that_is_too_long_is_drawn() {
    let (turn, verdict) = ended("max_turns = 3", &["cp 900"; 9]).unwrap();
    assert_eq!((turn, verdict.reason), (3, Reason::Length));
    assert_eq!(verdict.detail, "not over after 3 turns");
    // A win by agreement has precedence.
    let both = format!("{BOTH}\nmax_turns = 4");
    let second = ["cp -500", "cp 500", "cp -501", "cp 900"];
    assert_eq!(ended(&both, &second).unwrap().1.reason, Reason::AgreedWin);
}

#[test]
fn without_rules_every_game_goes_on() {
    assert!(rules("").is_none() && !rules("max_turns = 9").is_none());
    assert_eq!(ended("", &["loss 1", "win 1", "loss 1", "win 1"]), None);
}

#[test]
fn proof_searches_are_due_at_the_given_interval() {
    let due = |text: &str| {
        let mut adjudicator = Adjudicator::new(rules(text));
        let mut due = Vec::new();
        for turn in 0..7 {
            if let Some(nodes) = adjudicator.proof_due() {
                assert_eq!(nodes, 50);
                due.push(turn);
            }
            adjudicator.turn(Side::First, None);
        }
        due
    };
    assert_eq!(due("proven = { nodes = 50, every = 3 }"), [3, 6]);
    assert_eq!(due("proven = { nodes = 50 }"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(due("max_turns = 300"), [0; 0]);
}

#[test]
fn rules_survive_a_round_trip() {
    for text in [
        "",
        "max_turns = 300",
        "resign = { points = 500, turns = 4 }\nproven = { nodes = 1 }",
        "draw = { points = 0, turns = 8, after = 40 }\nproven = { nodes = 9, every = 2 }",
    ] {
        let rules = rules(text);
        let json = serde_json::to_string(&rules).unwrap();
        assert_eq!(serde_json::from_str::<Adjudication>(&json).unwrap(), rules);
    }
}
