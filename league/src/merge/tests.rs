use std::path::PathBuf;
use std::slice::from_ref;

use gamelog::record::{GameRecord, GameResult, Reason, sample};
use serde_json::json;
use task::pace::Pace;

use super::*;
use crate::config::Config;
use crate::tournament::Tournament;

/// Four games: both sides of a pair, with and without a decided seed of an engine.
const LEAGUE: &str = r#"
[league]
name = "test"
games = ["hex"]
rounds = 2
seed = 7
[clock]
base = "60s"
[[engine]]
name = "pvs"
builtin = "pvs"
options = { table_mb = 64 }
[[engine]]
name = "theirs"
command = ["sh", "-c", "exit"]
options = { weight = 0.1234567890123456789, net = "nets/a.bin" }
"#;

fn game(id: &str, result: GameResult) -> GameRecord {
    GameRecord {
        id: id.to_owned(),
        ..sample::game("hex", "a", "b", result, Reason::Rules)
    }
}

/// Logs to merge.
struct Logs {
    folder: tempfile::TempDir,
    merged: Merged,
}

impl Logs {
    fn new() -> Logs {
        Logs {
            folder: tempfile::tempdir().expect("a folder"),
            merged: Merged::default(),
        }
    }

    fn add(&mut self, name: &str, games: &[GameRecord], rank: Rank) {
        self.add_checked(name, games, rank, &Check::default());
    }

    fn add_checked(&mut self, name: &str, games: &[GameRecord], rank: Rank, check: &Check<'_>) {
        let lines = games.iter().map(|game| gamelog::line(game).expect("JSON"));
        self.add_text(name, &lines.collect::<Vec<_>>().concat(), rank, check);
    }

    fn add_text(&mut self, name: &str, text: &[u8], rank: Rank, check: &Check<'_>) {
        let path: PathBuf = self.folder.path().join(name);
        std::fs::write(&path, text).expect("a log");
        let lines = gamelog::stream(&path, |line| Game::read(line, check)).expect("a log");
        self.merged.add(&path, lines, rank).expect("games");
    }

    /// The games that count, and their number as the tournament sees it.
    fn games(&self) -> Vec<GameRecord> {
        let counted = self.merged.counted().expect("the logs");
        let lines = counted.map(|game| game.line().expect("its line"));
        let games: Vec<_> = lines
            .map(|line| gamelog::parse(&line).expect("a game"))
            .collect();
        assert_eq!(self.merged.played().len(), games.len());
        games
    }

    /// The message for a line that is not the one that was checked.
    fn changed(&self) -> Option<String> {
        let counted = self.merged.counted().expect("the logs");
        counted
            .filter_map(|game| game.line().err())
            .map(|error| error.to_string())
            .next()
    }

    fn misfits(&self) -> Vec<Misfit> {
        let aside = self.merged.aside();
        aside.map(|(_, misfit)| misfit.clone()).collect()
    }
}

fn merged(logs: &[&[&str]]) -> Vec<String> {
    let mut all = Logs::new();
    for (number, ids) in logs.iter().enumerate() {
        let games: Vec<_> = ids.iter().map(|id| game(id, GameResult::First)).collect();
        all.add(&number.to_string(), &games, Rank::Equal);
    }
    all.games().into_iter().map(|game| game.id).collect()
}

/// Whoever writes a log while it is merged shows one line to be checked and another to be copied.
#[test]
fn what_is_copied_is_what_was_checked() {
    let mut logs = Logs::new();
    let good = game("hex-1", GameResult::First);
    logs.add("log", std::slice::from_ref(&good), Rank::Equal);
    assert_eq!(logs.changed(), None);
    let path = logs.folder.path().join("log");
    let line = std::fs::read(&path).expect("a log");
    let other = GameRecord {
        detail: "z".repeat(good.detail.len()),
        seed: good.seed + 1,
        ..good
    };
    let other = gamelog::line(&other).expect("JSON");
    assert_eq!(other.len(), line.len(), "it takes the same place");
    std::fs::write(&path, other).expect("a log");
    let message = logs.changed().expect("it is seen");
    assert!(
        message.contains(":1: the line has changed since it was checked"),
        "{message}"
    );
}

#[test]
fn every_game_is_kept_once_whatever_the_order() {
    assert_eq!(merged(&[&["b", "a"], &["c", "a"]]), ["a", "b", "c"]);
    assert_eq!(merged(&[&["c", "a"], &["b", "a"], &["b"]]), ["a", "b", "c"]);
    assert_eq!(merged(&[]), [""; 0]);
}

/// A record of game x that began in this minute.
fn attempt(minute: i64, result: GameResult) -> GameRecord {
    GameRecord {
        started: Timestamp::from_second(60 * minute).expect("a time"),
        ..game("x", result)
    }
}

#[test]
fn the_rank_of_a_record_decides_and_never_its_start() {
    let (late, early) = (attempt(5, GameResult::First), attempt(0, GameResult::Draw));
    let first_counts = [
        (Rank::First, Rank::First),
        (Rank::First, Rank::Attempt),
        (Rank::First, Rank::Equal),
        (Rank::Attempt, Rank::Attempt),
    ];
    let none_counts = [
        (Rank::Equal, Rank::Equal),
        (Rank::Attempt, Rank::Equal),
        (Rank::Equal, Rank::Attempt),
    ];
    for (one, two) in first_counts.into_iter().chain(none_counts) {
        let mut logs = Logs::new();
        logs.add("one", from_ref(&late), one);
        logs.add("two", from_ref(&early), two);
        let counts = first_counts.contains(&(one, two));
        let expected = counts.then(|| late.clone());
        assert_eq!(logs.games(), Vec::from_iter(expected), "{one:?} {two:?}");
        assert_eq!(logs.merged.later, usize::from(counts));
        assert_eq!(logs.merged.contested().count(), usize::from(!counts));
        assert_eq!(logs.merged.into_played().len(), usize::from(counts));
    }
}

#[test]
fn of_records_that_differ_in_one_log_none_counts() {
    let mut logs = Logs::new();
    let [one, two, three] = [0, 1, 2].map(|minute| attempt(minute, GameResult::First));
    let y = game("y", GameResult::Draw);
    logs.add("one", &[one.clone(), y.clone(), two.clone()], Rank::Equal);
    logs.add("two", &[three, two, one], Rank::Equal);
    assert_eq!(logs.games(), [y]);
    let contested: Vec<Vec<String>> = (logs.merged.contested())
        .map(|places| places.iter().map(Place::to_string).collect())
        .collect();
    let at = |place: &str| logs.folder.path().join(place).display().to_string();
    assert_eq!(contested, [[at("one:1"), at("one:3"), at("two:1")]]);
}

/// The tournament, its plan, and its games as if they had been played.
fn planned(text: &str, folder: &str) -> (Tournament, Planned, Vec<GameRecord>) {
    let config = Config::parse(&Path::new(folder).join("x.toml"), text, &[]).expect("a league");
    let tournament = Tournament::new(config, Path::new("/bin/referee"));
    let mut planned = Planned::new(&tournament.config);
    planned.add(&tournament, &tournament.plan());
    let played = tournament.plan().into_iter().map(|due| {
        let task = tournament.task(&due);
        let [first, second] = [&task.first, &task.second].map(|spec| {
            let mut engine = game("", GameResult::Draw).first;
            engine.name.clone_from(&spec.name);
            engine.command.clone_from(&spec.command);
            engine.protocol = spec.protocol.name().into();
            engine.options.clone_from(&spec.options);
            engine.build = format!("build of {}", spec.name);
            engine
        });
        GameRecord {
            id: task.id.clone(),
            variant: task.variant,
            opening: task.opening,
            round: task.round,
            seed: task.seed,
            first,
            second,
            clock: task.clock,
            ..game("", GameResult::First)
        }
    });
    let played = played.collect();
    (tournament, planned, played)
}

#[test]
fn what_does_not_fit_the_plan_is_set_aside_and_explained() {
    let (tournament, plan, games) = planned(LEAGUE, "/home/one");
    let check = Check {
        plan: Some(&plan),
        ..Check::default()
    };
    let mut logs = Logs::new();
    logs.add_checked("all", &games, Rank::Equal, &check);
    assert_eq!((logs.games().len(), logs.misfits()), (4, vec![]));

    type Change = fn(&mut GameRecord);
    let changes: [(Change, &str); 10] = [
        (|game| game.id.push('x'), "its id is not in the plan"),
        (|game| game.seed += 1, "seed is "),
        (
            |game| game.opening = "a1".to_owned(),
            "opening is \"a1\", expected \"\"",
        ),
        (
            |game| game.league = "other".to_owned(),
            "league is \"other\", expected \"test\"",
        ),
        (
            |game| game.clock.increment = jiff::SignedDuration::from_secs(9),
            "clock.increment is",
        ),
        (
            |game| drop(game.first.options.insert("table_mb".to_owned(), json!(1))),
            "first.options.table_mb is 1, expected ",
        ),
        (
            |game| std::mem::swap(&mut game.first, &mut game.second),
            "first.name is",
        ),
        (
            |game| game.second.command.push("-x".to_owned()),
            "second.command is [",
        ),
        (
            |game| game.imported = "sgf".to_owned(),
            "imported is true, expected false",
        ),
        (
            |game| game.pace = Some(Pace::scaled(1, 3)),
            "its clocks were multiplied by 3, not as planned",
        ),
    ];
    for (change, why) in changes {
        let mut logs = Logs::new();
        let mut forged = games[0].clone();
        change(&mut forged);
        logs.add_checked(
            "forged",
            &[forged.clone(), games[1].clone()],
            Rank::Equal,
            &check,
        );
        assert_eq!(logs.games(), games[1..2]);
        let misfits = logs.misfits();
        let originals = Originals::find(&tournament, || tournament.plan(), misfits.iter());
        let said = originals.explain(&tournament, &misfits[0], Some(&forged));
        assert!(said.contains(why), "{said}: expected {why}");
    }
}

#[test]
fn a_game_of_another_machine_fits_although_its_folder_is_another_one() {
    let (_, plan, _) = planned(LEAGUE, "/home/one");
    let (_, _, games) = planned(LEAGUE, "/mnt/two");
    let check = Check {
        plan: Some(&plan),
        ..Check::default()
    };
    let mut logs = Logs::new();
    logs.add_checked("two", &games, Rank::Equal, &check);
    assert_eq!((logs.games().len(), logs.misfits()), (4, vec![]));
}

#[test]
fn a_game_has_known_builds_and_belongs_to_its_shard() {
    let (_, _, games) = planned(LEAGUE, "/home/one");
    let ids: Ids = [&games[0].id].into_iter().collect();
    let mut builds = KnownBuilds::default();
    builds.add("pvs", "build of pvs");
    builds.add("theirs", "");
    let check = Check {
        ids: Some(&ids),
        builds: Some(&builds),
        ..Check::default()
    };
    let mut logs = Logs::new();
    logs.add_checked("one", &games[..2], Rank::Attempt, &check);
    assert_eq!(logs.games(), games[..1]);
    assert_eq!(logs.misfits(), [Misfit::OtherShard]);
    let mut rebuilt = games[0].clone();
    for engine in [&mut rebuilt.first, &mut rebuilt.second] {
        engine.build = "other".to_owned();
    }
    logs.add_checked("two", &[rebuilt], Rank::Attempt, &check);
    let misfit = logs.misfits().pop().expect("another build");
    assert_eq!(misfit.to_string(), "engine pvs was another build, other");
    assert_eq!(logs.games(), games[..1]);
}

#[test]
fn clocks_are_scaled_as_the_speed_of_the_host_asks_for() {
    let scaled = LEAGUE.replace("seed = 7", "seed = 7\ntime_scaling = true");
    let (_, plan, games) = planned(&scaled, "/home/one");
    let check = Check {
        plan: Some(&plan),
        reference: Some(300),
        ..Check::default()
    };
    let unknown = Check {
        reference: None,
        ..check
    };
    for (pace, fits) in [
        (Some(Pace::scaled(100, 300)), true),
        (Some(Pace::unscaled(300)), true),
        (Some(Pace::unscaled(100)), false),
        (Some(Pace::scaled(100, 900)), false),
        (None, false),
    ] {
        for (check, fits) in [(check, fits), (unknown, true)] {
            let mut logs = Logs::new();
            let game = GameRecord {
                pace,
                ..games[0].clone()
            };
            logs.add_checked("one", &[game], Rank::Equal, &check);
            assert_eq!(logs.games().len(), usize::from(fits), "{pace:?}");
        }
    }
}

#[test]
fn a_damaged_line_is_set_aside_if_the_plan_tells_that_its_game_is_missing() {
    let (_, plan, games) = planned(LEAGUE, "/home/one");
    let check = Check {
        plan: Some(&plan),
        ..Check::default()
    };
    let lines = games[..2]
        .iter()
        .map(|game| gamelog::line(game).expect("JSON"));
    let text = String::from_utf8(lines.collect::<Vec<_>>().concat()).expect("UTF-8");
    let text = text.replacen("\"result\":\"first\"", "\"result\":\"second\"", 1);
    let mut logs = Logs::new();
    logs.add_text("damaged", text.as_bytes(), Rank::Equal, &check);
    assert_eq!(logs.games(), games[1..2]);
    let [Misfit::Damaged(message)] = &logs.misfits()[..] else {
        panic!("{:?}", logs.misfits());
    };
    assert!(
        message.starts_with("damaged: its bytes have crc32 "),
        "{message}"
    );
    assert!(
        Game::read(
            text.lines().next().expect("a line").as_bytes(),
            &Check::default()
        )
        .is_err()
    );
}

#[test]
fn what_was_merged_stays_although_the_plan_is_another_one_now() {
    let (_, plan, _) = planned(LEAGUE, "/home/one");
    let check = Check {
        plan: Some(&plan),
        ..Check::default()
    };
    let merged = game("x", GameResult::First);
    let mut logs = Logs::new();
    logs.add("merged", from_ref(&merged), Rank::First);
    logs.add_checked("again", from_ref(&merged), Rank::Equal, &check);
    assert_eq!(
        (logs.games(), logs.misfits()),
        (vec![merged.clone()], vec![])
    );
    logs.add_checked(
        "other",
        &[attempt(0, GameResult::Draw)],
        Rank::Equal,
        &check,
    );
    assert_eq!(logs.games(), [merged]);
    assert_eq!(logs.misfits(), [Misfit::Unplanned]);
}
