use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::*;
use crate::config::Config;

const LEAGUE: &str = r#"
[league]
name = "test"
games = ["hex", "einstein", "amazons"]
rounds = 2
seed = 7
[clock]
base = "60s"
[[engine]]
name = "pvs"
builtin = "pvs"
options = { table_mb = 64 }
[[engine]]
name = "mcts"
builtin = "mcts"
[[engine]]
name = "theirs"
command = ["sh", "-c", "exit"]
games = ["hex", "einstein"]
"#;

fn tasks(text: &str) -> Vec<GameTask> {
    let config = Config::parse(Path::new("x.toml"), text, &[]).unwrap();
    let tournament = crate::tournament::Tournament::new(config, Path::new("/bin/referee"));
    let plan = tournament.plan();
    plan.iter().map(|due| tournament.task(due)).collect()
}

fn ids(text: &str) -> BTreeSet<String> {
    tasks(text).into_iter().map(|task| task.id).collect()
}

#[test]
fn every_pair_plays_once_with_each_side_in_every_round() {
    let mut counts: HashMap<_, u32> = HashMap::new();
    for task in tasks(LEAGUE) {
        *counts
            .entry((task.game, task.round, task.first.name, task.second.name))
            .or_default() += 1;
    }
    // Hex and EinStein: 3 engines, 6 ordered pairs; Amazons: 2 engines, 2 ordered pairs.
    assert_eq!(counts.len(), 2 * (6 + 6 + 2));
    assert!(counts.values().all(|&count| count == 1), "{counts:?}");
}

#[test]
fn the_games_of_a_pair_are_adjacent_and_share_their_seed() {
    let tasks = tasks(LEAGUE);
    let mut seeds = BTreeSet::new();
    for pair in tasks.chunks(2) {
        assert_eq!(pair[0].first.name, pair[1].second.name);
        assert_eq!(pair[0].second.name, pair[1].first.name);
        assert_eq!(pair[0].game, pair[1].game);
        assert_eq!(pair[0].seed, pair[1].seed);
        assert!(pair[0].seed < 1 << 53);
        seeds.insert(pair[0].seed);
    }
    assert_eq!(
        seeds.len(),
        tasks.len() / 2,
        "seeds of different pairs differ"
    );
}

#[test]
fn an_engine_that_stays_meets_the_dice_of_a_pair_once() {
    let dice = |tasks: &[GameTask]| tasks.iter().map(|task| task.dice).collect::<Vec<_>>();
    assert!(dice(&tasks(LEAGUE)).iter().all(Option::is_none));
    let tasks = tasks(&format!("{LEAGUE}keep = true\n"));
    let mut met = HashSet::new();
    for pair in tasks.chunks(2) {
        let stays = pair.iter().any(|task| task.first.keep) && pair[0].game == "einstein";
        match [pair[0].dice, pair[1].dice] {
            [Some(one), Some(other)] => {
                assert!(stays && met.insert(one) && met.insert(other));
                assert!(pair.iter().all(|task| task.dice != Some(task.seed)));
            }
            both => assert!(!stays && both == [None; 2]),
        }
    }
    assert_eq!(met.len(), 2 * 2 * 2, "two rounds against two engines");
}

#[test]
fn a_stopped_league_is_balanced() {
    let tasks = tasks(LEAGUE);
    for cut in 0..tasks.len() {
        let mut counts: HashMap<&str, i32> = HashMap::from([("hex", 0), ("einstein", 0)]);
        for task in &tasks[..cut] {
            *counts.entry(&task.game).or_default() += 1;
        }
        assert!(
            (counts["hex"] - counts["einstein"]).abs() <= 2,
            "at {cut}: {counts:?}"
        );
    }
}

#[test]
fn ids_are_readable_unique_and_stable() {
    let tasks = tasks(LEAGUE);
    let unique: BTreeSet<_> = tasks.iter().map(|task| &task.id).collect();
    assert_eq!(unique.len(), tasks.len());
    for task in &tasks {
        let start = format!(
            "{}-r{}-{}-{}-",
            task.game, task.round, task.first.name, task.second.name
        );
        let digest = task.id.strip_prefix(&start).expect("a readable start");
        assert!(
            digest.len() == 8 && digest.chars().all(|c| c.is_ascii_hexdigit()),
            "{digest}"
        );
    }
    assert_eq!(
        tasks[0].seed, 1_588_065_107_538_651,
        "seeds must never change"
    );
    assert_eq!(
        tasks[0].id, "hex-r1-pvs-mcts-de6b8dc1",
        "ids must never change"
    );
}

#[test]
fn ids_depend_only_on_what_can_change_a_game() {
    let all = ids(LEAGUE);
    for (from, to) in [
        ("rounds = 2", "rounds = 2\nconcurrency = 2"),
        ("seed = 7", "seed = 0x7  # the same"),
        ("base = \"60s\"", "base = \"1m\"\nmargin = \"20ms\""),
    ] {
        assert_eq!(ids(&LEAGUE.replace(from, to)), all, "{to}");
    }
    for (from, to) in [
        ("seed = 7", "seed = 8"),
        ("\"test\"", "\"other\""),
        ("60s", "61s"),
        (
            "[clock]",
            "[variant.amazons]\nsize = 6\n[variant.hex]\nsize = 5\n[variant.einstein]\nfirst_colour = \"blue\"\n[clock]",
        ),
    ] {
        assert!(ids(&LEAGUE.replace(from, to)).is_disjoint(&all), "{to}");
    }
    let other_table = ids(&LEAGUE.replace("table_mb = 64", "table_mb = 32"));
    for id in &all {
        assert_eq!(other_table.contains(id), !id.contains("-pvs-"), "{id}");
    }
    assert!(ids(&LEAGUE.replace("rounds = 2", "rounds = 3")).is_superset(&all));
    let (head, engines) = LEAGUE.split_once("[[engine]]").unwrap();
    let mut engines: Vec<&str> = engines.split("[[engine]]").collect();
    engines.reverse();
    let turned = format!("{head}[[engine]]{}", engines.join("[[engine]]"));
    assert_eq!(ids(&turned), all, "the order of engines");
}

#[test]
fn ids_depend_on_limits_that_are_not_the_default() {
    let all = ids(LEAGUE);
    let with =
        |keys: &str| ids(&LEAGUE.replace("table_mb = 64 }", &format!("table_mb = 64 }}\n{keys}")));
    assert_eq!(with("memory_mb = 4160\nopen_files = 1024"), all);
    for keys in [
        "memory_mb = 512",
        "sandbox = \"none\"",
        "wrapper = [\"env\"]",
    ] {
        for id in with(keys) {
            assert_eq!(all.contains(&id), !id.contains("-pvs-"), "{keys}: {id}");
        }
    }
    let paused = ids(&LEAGUE.replace("seed = 7", "seed = 7\npause_opponent = true"));
    assert!(paused.is_disjoint(&all));
}

#[test]
fn retries_change_the_ids() {
    let league = |key: &str| {
        let head = "[league]\nname = \"x\"\nseed = 0\ngames = [\"hex\"]\n[clock]\nmove = \"1s\"\n";
        let theirs =
            format!("[[engine]]\nname = \"a\"\ncommand = [\"sh\"]\nprotocol = \"sau\"\n{key}\n");
        format!("{head}{theirs}[[engine]]\nname = \"b\"\nbuiltin = \"pvs\"\n")
    };
    let all = ids(&league(""));
    assert_eq!(ids(&league("illegal = \"forfeit\"")), all);
    let [two, three] = [2, 3].map(|n| ids(&league(&format!("illegal = {{ retry = {n} }}"))));
    assert!(two.is_disjoint(&all) && two.is_disjoint(&three));
    let tasks = tasks(&league("illegal = { retry = 2 }"));
    let retries = |task: &GameTask| [&task.first, &task.second].map(|engine| engine.retries);
    assert!(
        tasks
            .iter()
            .all(|task| retries(task).iter().sum::<u32>() == 2)
    );
}

#[test]
fn commands_before_a_game_change_the_ids() {
    let theirs = "[[engine]]\nname = \"a\"\ncommand = [\"sh\"]\nprotocol = \"sau\"\n";
    let league = |key: &str| {
        let head = "[league]\nname = \"x\"\nseed = 0\ngames = [\"hex\"]\n[clock]\nmove = \"1s\"\n";
        format!("{head}{theirs}{key}\n[[engine]]\nname = \"b\"\nbuiltin = \"pvs\"\n")
    };
    let all = ids(&league(""));
    assert_eq!(ids(&league("init = []")), all);
    let [four, five] = [4, 5].map(|n| ids(&league(&format!("init = [\"depth {n}\"]"))));
    assert!(four.is_disjoint(&all) && four.is_disjoint(&five));
    let first = &tasks(&league("init = [\"depth 4\"]"))[0].first;
    assert_eq!(
        (&*first.name, &first.init[..]),
        ("a", &["depth 4".to_owned()][..])
    );
}

#[test]
fn adjudication_changes_only_the_ids_of_its_games() {
    let all = ids(LEAGUE);
    let with = |table: &str| ids(&LEAGUE.replace("[clock]", &format!("{table}\n[clock]")));
    assert_eq!(with("[adjudication]"), all, "nothing is adjudicated");
    assert!(with("[adjudication]\nmax_turns = 300").is_disjoint(&all));
    for id in with("[adjudication.hex]\nmax_turns = 300") {
        assert_eq!(all.contains(&id), !id.starts_with("hex-"), "{id}");
    }
}

#[test]
fn time_odds_change_only_the_ids_of_their_engine() {
    let league = |clock: &str| {
        LEAGUE.replace(
            "table_mb = 64 }",
            &format!("table_mb = 64 }}\nclock = {{ {clock} }}"),
        )
    };
    let all = ids(LEAGUE);
    assert_eq!(ids(&league("base = \"1m\"")), all, "the clock of the games");
    let odds = league("base = \"6s\"");
    for id in ids(&odds) {
        assert_eq!(all.contains(&id), !id.contains("-pvs-"), "{id}");
    }
    for task in tasks(&odds) {
        let clocks = task.clocks().map(|clock| clock.base.unwrap().as_secs());
        let expected = [&task.first, &task.second].map(|it| if it.name == "pvs" { 6 } else { 60 });
        assert_eq!(clocks, expected);
    }
}

#[test]
fn similar_names_have_different_ids() {
    let pair = |a: &str, b: &str| {
        let engine = |name| format!("[[engine]]\nname = \"{name}\"\nbuiltin = \"pvs\"\n");
        let head = "[league]\nname = \"x\"\nseed = 0\ngames = [\"hex\"]\n[clock]\nnodes = 1\n";
        ids(&format!("{head}{}{}", engine(a), engine(b)))
    };
    assert!(pair("a-b", "c").is_disjoint(&pair("a", "b-c")));
}

#[test]
fn built_in_engines_run_this_program() {
    let tasks = tasks(LEAGUE);
    let pvs = &tasks
        .iter()
        .find(|task| task.first.name == "pvs")
        .unwrap()
        .first;
    assert_eq!(
        pvs.command,
        ["referee", "engine", "hex", "--algorithm", "pvs"]
    );
    assert_eq!(pvs.program.as_deref(), Some(Path::new("/bin/referee")));
    assert_eq!(pvs.options["table_mb"], 64);
    assert!(pvs.options["seed"].is_u64());
    let seeded = self::tasks(&LEAGUE.replace("table_mb = 64", "Seed = 5"));
    let pvs = seeded.iter().find(|task| task.first.name == "pvs");
    assert_eq!(
        pvs.unwrap().first.options,
        BTreeMap::from([("Seed".to_owned(), Value::from(5))])
    );
    let theirs = &tasks
        .iter()
        .find(|task| task.first.name == "theirs")
        .unwrap()
        .first;
    assert!(theirs.program.as_ref().unwrap().is_absolute());
    assert_eq!(theirs.command, ["sh", "-c", "exit"]);
    assert!(theirs.options.is_empty());
}

#[test]
fn the_games_of_a_pair_have_the_same_random_opening() {
    let league = LEAGUE.replace("[clock]", "[openings]\nhex = { random_plies = 3 }\n[clock]");
    let (hex, others): (Vec<GameTask>, Vec<GameTask>) = tasks(&league)
        .into_iter()
        .partition(|task| task.game == "hex");
    assert!(others.iter().all(|task| task.opening.is_empty()));
    for pair in hex.chunks(2) {
        assert_eq!(pair[0].opening, pair[1].opening);
        let mut game = catalog::find("hex")
            .unwrap()
            .start(&pair[0].variant)
            .unwrap();
        game.play_words(&pair[0].opening).unwrap();
        assert_eq!(pair[0].opening.split(' ').count(), 3);
    }
    let different: HashSet<&str> = hex.iter().map(|task| task.opening.as_str()).collect();
    assert_eq!(different.len(), hex.len() / 2);
    let kept: Vec<String> = ids(&league).intersection(&ids(LEAGUE)).cloned().collect();
    assert_eq!(
        kept.len(),
        others.len(),
        "an opening changes the ids of its game alone"
    );
}
