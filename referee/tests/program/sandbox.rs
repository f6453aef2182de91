//! Engines in the sandbox: they can play and nothing else, whoever runs the referee and whatever
//! the system offers.

use std::fs;

use gamelog::record::{GameRecord, Reason};

use crate::common::host::Host;
use crate::common::program::{folder_with, games, run};
use crate::common::skipped;

/// What every engine may do, the last of these only in namespaces of its own.
const OWN: [&str; 5] = ["write-own", "start-own", "signal-own", "thread", "session"];

/// The end of the line that the log has where the system refuses namespaces.
const REFUSED: &str = "the system refuses namespaces";

/// What no engine may do in the sandbox, each with the start of the line in the log that reports
/// that the system cannot prevent it.
const FORBIDDEN: [(&str, &str); 14] = [
    ("write", "files"),
    ("list", "files"),
    ("read", "files"),
    ("signal", "signals"),
    ("environment", "files"),
    ("network", "network"),
    ("trace", "network"),
    ("shared-memory", "network"),
    ("machine", "files"),
    ("lock", "locks"),
    ("lease", "network"),
    ("watch", "network"),
    ("rights", "network"),
    ("datagrams", "network"),
];

/// The first game of a league in which an engine tries to leave its sandbox, and what it achieved.
fn try_to_leave(host: Host, sandbox: &str) -> (GameRecord, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    fs::write(place("secret"), "x").expect("a file");
    fs::create_dir(place("shared")).expect("a folder");
    fs::write(place("shared/file"), "x").expect("a file");
    // As an opponent might hold it.
    let shared = fs::File::open(place("shared/file")).expect("a file");
    rustix::fs::flock(&shared, rustix::fs::FlockOperation::LockExclusive).expect("a lock");
    let done = host.league(folder.path(), |referee| {
        format!(
            "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]\nbase = \"60s\"\n\
             [variant.hex]\nsize = 5\n\
             [[engine]]\nname = \"guest\"\ncommand = [\"./test-engine\", \"trespass\"]\n{sandbox}\n\
             read = [\"shared\"]\n\
             environment = {{ OUTSIDE = {:?}, REFEREE = \"{referee}\" }}\n\
             [[engine]]\nname = \"other\"\nbuiltin = \"random\"\n",
            folder.path(),
        )
    });
    assert!(done.status.success(), "{host:?}: {done:?}");
    let games = games(&place("out"));
    let game = games.into_iter().find(|game| game.first.name == "guest");
    let game = game.expect("a game in which it begins");
    assert_eq!(game.reason, Reason::Rules, "{host:?}: {}", game.detail);
    let info = game.turns[0].info.as_ref().expect("a report");
    let done = info.pv.as_ref().expect("a variation");
    let done = done.split(' ').map(str::to_owned).collect();
    (game, done)
}

/// Checks that a guest can only play, as far as the log does not say otherwise.
fn nobody_leaves(host: Host) -> Vec<String> {
    let (game, done) = try_to_leave(host, "");
    let refused = game
        .first
        .unconfined
        .iter()
        .any(|line| line.contains(REFUSED));
    let own = if refused { &OWN[..4] } else { &OWN };
    let mut expected: Vec<&str> = own.to_vec();
    for (act, means) in FORBIDDEN {
        let mut unconfined = game.first.unconfined.iter();
        if let Some(line) = unconfined.find(|line| line.starts_with(means)) {
            skipped(&format!("{act} in the sandbox, {host:?}"), line);
            expected.push(act);
        }
    }
    assert_eq!(done, expected, "{host:?}");
    game.first.unconfined
}

#[test]
fn the_sandbox_prevents_every_forbidden_action() {
    let lacking = nobody_leaves(Host::Own);
    for line in lacking {
        skipped("the whole sandbox", &line);
    }
}

#[test]
fn landlock_does_where_namespaces_are_refused() {
    if let Some(reason) = Host::WithoutNamespaces.missing() {
        return skipped("the sandbox without namespaces", &reason);
    }
    let lacking = nobody_leaves(Host::WithoutNamespaces);
    assert!(
        lacking.iter().any(|line| line.contains(REFUSED)),
        "{lacking:?}"
    );
}

#[test]
fn an_ordinary_user_has_the_same_sandbox() {
    if let Some(reason) = Host::Ordinary.missing() {
        return skipped("the sandbox of an ordinary user", &reason);
    }
    nobody_leaves(Host::Ordinary);
}

/// Without control groups, the referee counts files in memory itself.
#[test]
fn an_ordinary_user_s_files_in_memory_count() {
    if let Some(reason) = Host::Ordinary.missing() {
        return skipped("the memory of an ordinary user", &reason);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let done = Host::Ordinary.league(folder.path(), |_| {
        "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]\nbase = \"60s\"\n[variant.hex]\nsize = 5\n\
         [[engine]]\nname = \"hider\"\ncommand = [\"./test-engine\", \"hide-memory\", \"2\"]\n\
         memory_mb = 128\n[[engine]]\nname = \"other\"\nbuiltin = \"random\"\n"
            .to_owned()
    });
    assert!(done.status.success(), "{done:?}");
    for game in games(&folder.path().join("out")) {
        let words = "MiB of memory";
        assert_eq!(game.reason, Reason::Crash, "{}", game.detail);
        let is_killed =
            game.detail.contains("killed by the referee") && game.detail.contains(words);
        assert!(
            is_killed || game.detail.contains("killed by the kernel"),
            "{}",
            game.detail
        );
    }
}

#[test]
fn forbidden_actions_are_possible_without_the_sandbox() {
    let (_, done) = try_to_leave(Host::Own, "sandbox = \"none\"");
    let all = FORBIDDEN.map(|(act, _)| act).into_iter();
    // Nobody but root may do that anyway.
    let all = all.filter(|act| *act != "machine" || rustix::process::geteuid().is_root());
    let expected: Vec<&str> = OWN.into_iter().chain(all).collect();
    assert_eq!(done, expected);
}

#[test]
fn built_in_engines_play_in_the_sandbox() {
    let folder = folder_with(
        "league = { name = \"x\", games = [\"hex\", \"einstein\"], pause_opponent = true, \
         cpus = \"one-per-engine\", share_cpus = true, concurrency = 2 }\n\
         clock = { nodes = 50 }\nvariant.hex = { size = 4 }\n\
         [[engine]]\nname = \"pvs\"\nbuiltin = \"pvs\"\n\
         [[engine]]\nname = \"mcts\"\nbuiltin = \"mcts\"\noptions = { threads = 2 }\n",
    );
    let done = run(folder.path(), &["league", "league.toml", "--out", "out"]);
    assert!(done.status.success(), "{done:?}");
    let games = games(&folder.path().join("out"));
    assert_eq!(games.len(), 4);
    for game in games {
        assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
    }
}

/// An engine that plays a list of cells, and exits with a status of its own if it can read what
/// lies beside it but is not its own.
const SCRIPT: &str = "\
[ \"$WRAPPED\" = \"$1\" ] || exit 3
for secret in .ssh/id matches/games.jsonl league.toml; do
    cat \"$BESIDE/$secret\" && exit 4
done
cells=$(cat \"$BESIDE/data/cells\") || exit 5
n=0
while read -r line; do
    set -- $line
    case $1 in
        ugi) echo ugiok ;;
        isready) echo readyok ;;
        position) [ $# -gt 3 ] && n=$(($# - 3)) || n=0 ;;
        go) i=0; for cell in $cells; do [ $i = $n ] && echo \"bestmove $cell\"; i=$((i + 1)); done ;;
        quit) exit ;;
    esac
done
";

/// Cells of a board of three by three, in the order of turns.
const CELLS: &str = "a1 b1 c1 a2 b2 c2 a3 b3 c3";

/// A league of two engines that run `./play.sh`, with these keys, and that lie beside secrets.
fn with_secrets(keys: [&str; 2]) -> Vec<GameRecord> {
    let engine = |name: &str, keys: &str| format!("[[engine]]\nname = \"{name}\"\n{keys}\n");
    let folder = folder_with("");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("the file is written");
    };
    write(".ssh/id", "a key");
    write("matches/games.jsonl", "{}");
    write("data/cells", CELLS);
    write("play.sh", SCRIPT);
    let beside = format!("environment = {{ BESIDE = {:?} }}", folder.path());
    let league = format!(
        "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]\nbase = \"60s\"\n\
         [variant.hex]\nsize = 3\n{}{}",
        engine("one", &format!("{beside}\n{}", keys[0])),
        engine("other", &format!("{beside}\n{}", keys[1])),
    );
    write("league.toml", &league);
    let done = run(
        folder.path(),
        &["league", "league.toml", "--anyway", "--out", "out"],
    );
    assert!(done.status.success(), "{done:?}");
    games(&folder.path().join("out"))
}

#[test]
fn an_engine_reads_its_data_and_not_what_lies_beside() {
    let games = with_secrets([
        "command = [\"sh\", \"./play.sh\"]\nread = [\"data\"]",
        "command = [\"sh\", \"./play.sh\", \"yes\"]\nwrapper = [\"env\", \"WRAPPED=yes\"]\n\
         read = [\"./data/cells\"]",
    ]);
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
    }
}

#[test]
fn what_is_not_granted_cannot_be_read() {
    let engine = "command = [\"sh\", \"./play.sh\"]";
    let granted = "command = [\"sh\", \"./play.sh\"]\nread = [\"data\"]";
    for game in with_secrets([engine, granted]) {
        assert_eq!(game.reason, Reason::Crash, "{}", game.detail);
        assert!(game.detail.contains("exit status: 5"), "{}", game.detail);
        assert!(
            game.detail.contains("grant others by `read`"),
            "{}",
            game.detail
        );
    }
}

#[test]
fn an_engine_changes_only_what_it_may_write() {
    let script = "read -r line; echo learned > \"$LOGS/$NAME\" && exit 6; exit 7\n";
    let folder = folder_with(
        "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]\nbase = \"60s\"\n\
         [[engine]]\nname = \"writer\"\ncommand = [\"sh\", \"./write.sh\"]\nwrite = [\"logs\"]\n\
         environment = { LOGS = \"LOGS\", NAME = \"a\" }\n\
         [[engine]]\nname = \"reader\"\ncommand = [\"sh\", \"./write.sh\"]\nread = [\"logs\"]\n\
         environment = { LOGS = \"LOGS\", NAME = \"b\" }\n",
    );
    let place = |name: &str| folder.path().join(name);
    let league = fs::read_to_string(place("league.toml")).expect("a file");
    let league = league.replace("\"LOGS\"", &format!("{:?}", place("logs")));
    fs::write(place("league.toml"), league).expect("a file");
    fs::write(place("write.sh"), script).expect("a file");
    fs::create_dir(place("logs")).expect("a folder");
    run(
        folder.path(),
        &["league", "league.toml", "--anyway", "--out", "out"],
    );
    let mut ends: Vec<String> = Vec::new();
    for game in games(&place("out")) {
        ends.push(game.detail.split(';').next().unwrap_or_default().to_owned());
    }
    // Each loses as `First`, before the other is asked for anything.
    ends.sort();
    assert_eq!(
        ends,
        [
            "before the game: exit status: 6",
            "before the game: exit status: 7"
        ]
    );
    assert_eq!(
        fs::read_to_string(place("logs/a")).expect("a file"),
        "learned\n"
    );
    assert!(!place("logs/b").exists());
}

/// Plays a league of two engines that have these keys and run a script, and then play as [`SCRIPT`] does.
fn scripted(script: &str, league: &str, keys: &str) -> (tempfile::TempDir, Vec<GameRecord>) {
    let folder = written(script, league, keys);
    let league = ["league", "league.toml", "--anyway", "--out", "results"];
    let done = run(folder.path(), &league);
    assert!(done.status.success(), "{done:?}");
    let games = games(&folder.path().join("results"));
    (folder, games)
}

/// That league in a folder.
fn written(script: &str, league: &str, keys: &str) -> tempfile::TempDir {
    let folder = folder_with("");
    let place = |name: &str| folder.path().join(name);
    for name in ["data", "logs"] {
        fs::create_dir(place(name)).expect("a folder");
    }
    let playing = &SCRIPT[SCRIPT.find("cells=").expect("a line")..];
    fs::write(place("data/cells"), CELLS).expect("a file");
    fs::write(place("logs/log.txt"), "").expect("a file");
    fs::write(place("play.sh"), format!("{script}\n{playing}")).expect("a file");
    let keys = format!("{keys}\nenvironment = {{ BESIDE = {:?} }}", folder.path());
    let text = format!(
        "[league]\nname = \"x\"\ngames = [\"hex\"]\n{league}\n[clock]\nbase = \"60s\"\n\
         [variant.hex]\nsize = 3\n\
         [[engine]]\nname = \"one\"\n{keys}\n[[engine]]\nname = \"other\"\n{keys}\n"
    );
    fs::write(place("league.toml"), text).expect("a file");
    folder
}

/// Programs look for what lies beside them: an interpreter for its modules, an engine for its networks.
#[test]
fn what_an_engine_may_read_can_be_listed() {
    let list_all = "[ \"$(ls | grep -c .)\" -gt 2 ] || exit 4\n[ \"$(ls data)\" = cells ] || exit 5\n\
                    ls /usr/bin | grep -q . || exit 6";
    let keys = [
        "command = [\"sh\", \"./play.sh\"]\ndirectory = \".\"",
        "command = [\"sh\", \"./play.sh\"]\ndirectory = \".\"\nread = [\"data\"]",
    ];
    for keys in keys {
        let (_, games) = scripted(list_all, "", keys);
        for game in &games {
            assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
        }
    }
}

#[test]
fn results_and_seeds_are_hidden_wherever_they_lie() {
    let try_all = "for secret in results/seed results/games.jsonl league.toml; do\n\
                   [ -s $secret ] && exit 4; done\n[ -s ./play.sh ] || exit 6";
    let keys = "command = [\"sh\", \"./play.sh\"]\ndirectory = \".\"";
    let (_, games) = scripted(try_all, "seed = 7", keys);
    let mut lacking = games[0].first.unconfined.iter();
    if lacking.any(|line| line.contains(REFUSED)) {
        return skipped("hidden results", REFUSED);
    }
    for game in &games {
        assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
    }
    // Without a seed in it, the league file is no secret.
    let (_, games) = scripted(try_all, "", keys);
    for game in &games {
        assert!(game.detail.contains("exit status: 4"), "{}", game.detail);
    }
    let (folder, games) = scripted(&try_all.replace(" league.toml", ""), "", keys);
    assert!(folder.path().join("results/seed").exists());
    for game in &games {
        assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
    }
}

/// A job has the seed in its folder, and the league's folder has it, too.
#[test]
fn a_shard_hides_the_seed_of_its_league() {
    let script = "for secret in my-seed results/seed results/jobs/1/job.json; do\n\
                  [ -s $secret ] && exit 4; done\n[ -s ./play.sh ] || exit 6";
    let keys = "command = [\"sh\", \"./play.sh\"]\ndirectory = \".\"";
    for seed in [&[][..], &["--seed", "my-seed"]] {
        let folder = written(script, "", keys);
        let place = |name: &str| folder.path().join(name);
        fs::write(place("my-seed"), if seed.is_empty() { "" } else { "7" }).expect("a file");
        let submit = ["submit", "league.toml", "--out", "results"];
        let only = ["--shard-games", "2", "--dry-run", "--to", "slurm"];
        let written = run(folder.path(), &[&submit, seed, &only].concat());
        assert!(written.status.success(), "{written:?}");
        assert!(place("results/jobs/1/job.json").exists());
        run(folder.path(), &["work", "results/jobs/1", "1"]);
        let games = games(&place("results/jobs/1/shards/1/1"));
        let mut lacking = games[0].first.unconfined.iter();
        if lacking.any(|line| line.contains(REFUSED)) {
            return skipped("what shards hide", REFUSED);
        }
        for game in &games {
            assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
        }
    }
}

#[test]
fn nobody_may_write_where_the_results_lie() {
    let folder = folder_with(
        "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]\nbase = \"60s\"\n\
         [[engine]]\nname = \"a\"\nbuiltin = \"random\"\nwrite = [\"deep\"]\n\
         [[engine]]\nname = \"b\"\nbuiltin = \"random\"\n",
    );
    fs::create_dir(folder.path().join("deep")).expect("a folder");
    let done = run(
        folder.path(),
        &["league", "league.toml", "--out", "deep/er/x"],
    );
    assert_eq!(done.status.code(), Some(2));
    let message = crate::common::program::text(&done.stderr);
    let expected = "league.toml: engine a: write \"deep\": the folder of results, ";
    assert!(message.contains(expected), "{message}");
}

/// An engine with a log that its command names plays on as the same engine.
#[test]
fn what_an_engine_may_write_is_no_part_of_its_build() {
    let keys = "command = [\"sh\", \"./play.sh\", \"--log=logs/log.txt\"]\n\
                read = [\"data\"]\nwrite = [\"logs\"]";
    let script = "echo started >> \"${1#--log=}\" || exit 6";
    let (folder, games) = scripted(script, "rounds = 3", keys);
    assert_eq!(games.len(), 6);
    let logs = folder.path().join("logs");
    for game in &games {
        assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
        for engine in [&game.first, &game.second] {
            assert_eq!(engine.writes, [logs.display().to_string()]);
            assert_eq!(engine.build, games[0].first.build);
        }
    }
    let log = fs::read_to_string(logs.join("log.txt")).expect("a file");
    assert!(log.lines().count() >= 12, "{log}");
}

/// Words of a command are files beside the league file, as people type them.
#[test]
fn files_beside_the_league_need_no_marks() {
    let keys = "command = [\"sh\", \"play.sh\", \"--log=data/cells\"]\nread = [\"data\"]";
    let (folder, games) = scripted("[ -s \"${1#--log=}\" ] || exit 6", "", keys);
    for game in &games {
        assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
    }
    let build = games[0].first.build.clone();
    fs::write(folder.path().join("play.sh"), "exit 7").expect("a file");
    let league = [
        "league",
        "league.toml",
        "--anyway",
        "--rebuilt",
        "--rounds",
        "2",
        "--out",
        "results",
    ];
    run(folder.path(), &league);
    let games = crate::common::program::games(&folder.path().join("results"));
    let last = games.last().expect("a game");
    assert_ne!(last.first.build, build, "the script belongs to the engine");
}
