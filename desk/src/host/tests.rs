use std::fs::{self, File};

use gamelog::files::Encoding;
use gamelog::record::{GameRecord, GameResult, Reason, SideName};
use gamelog::{self, FILE_NAME};
use league::results::verify;
use serde_json::json;
use task::clock::ClockSpec;
use tempfile::TempDir;

use super::*;
use crate::operation::Saving;
use crate::settings::Seat;

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn desk() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Hex on a small board between two people.
fn settings(base: SignedDuration) -> Settings {
    let rules = catalog::find("hex").unwrap();
    let seats = ["甲队", "乙队"].map(|name| Seat {
        name: name.to_owned(),
        engine: None,
        clock: None,
    });
    let clock = ClockSpec {
        base: Some(base),
        ..ClockSpec::default()
    };
    Settings {
        variant: json!({ "size": 3 }),
        contest: true,
        ..Settings::casual(rules, seats, clock)
    }
}

fn begin(desk: &TempDir) -> Host {
    Host::begin(desk.path(), settings(SignedDuration::from_mins(15))).unwrap()
}

fn enter(host: &Host, turns: &str) {
    for text in turns.split(' ') {
        let text = text.to_owned();
        host.act(&Operation::Enter { text }).unwrap();
    }
}

fn correct(host: &Host, from: usize) {
    let reason = String::new();
    host.act(&Operation::Correct { from, reason }).unwrap();
}

/// The games in the log of the desk, verified.
fn logged(desk: &TempDir) -> Vec<GameRecord> {
    let mut games = Vec::new();
    let log = desk.path().join(FILE_NAME);
    gamelog::places(&[log], |_, place| games.push(place.game().unwrap())).unwrap();
    games
        .iter()
        .for_each(|game| assert_eq!(verify::check(game), Ok(())));
    games
}

#[test]
fn a_session_goes_on_after_it_was_closed() {
    let desk = desk();
    let host = begin(&desk);
    enter(&host, "a1 b1");
    let Snapshot {
        folder,
        state,
        name,
        ..
    } = host.snapshot();
    assert!(name.ends_with("-hex-1"), "{name}");
    assert!(Host::open(&folder).is_err(), "it is open");
    drop(host);
    let host = Host::open(&folder).unwrap();
    let again = host.snapshot();
    assert_eq!(again.state.game().words().collect::<Vec<_>>(), ["a1", "b1"]);
    assert_eq!(again.state.reopened, 1);
    // Its clock stands.
    assert!(again.state.paused && again.state.game().since.is_none());
    let away = again.state.away.unwrap();
    assert!(state.time <= away.from && away.from <= away.to && away.to == again.state.time);
    host.act(&Operation::Resume).unwrap();
    enter(&host, "a2");
    let listed = sessions(desk.path()).unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].0, folder);
    let listed = listed[0].1.as_ref().unwrap();
    assert_eq!(listed.game().turns.len(), 3);
    assert!(!listed.is_over());
}

/// The journal's last change says until when the program ran, as far as that can be.
#[test]
fn time_away_begins_when_the_program_last_ran() {
    let desk = desk();
    let mut host = begin(&desk);
    enter(&host, "a1 b1");
    let hour = Duration::from_secs(3600);
    for changed in [Timestamp::now() - hour, Timestamp::now() + hour] {
        let Snapshot { folder, state, .. } = host.snapshot();
        let since = state.game().since.unwrap();
        drop(host);
        let journal = File::options()
            .append(true)
            .open(folder.join(journal::FILE_NAME));
        journal.unwrap().set_modified(changed.into()).unwrap();
        host = Host::open(&folder).unwrap();
        let state = host.snapshot().state;
        let from = if changed < since { since } else { state.time };
        let away = state.away.unwrap();
        assert_eq!((away.from, away.to), (from, state.time));
        let before = state.game().used(away.to);
        host.act(&Operation::ChargeAway).unwrap();
        let used = host.snapshot().state.game().used(away.to);
        assert_eq!(used, before + away.time());
        host.act(&Operation::Resume).unwrap();
    }
}

#[test]
fn a_paused_session_is_still_paused_after_it_was_closed() {
    let desk = desk();
    let host = begin(&desk);
    enter(&host, "a1");
    host.act(&Operation::Pause).unwrap();
    let folder = host.snapshot().folder;
    drop(host);
    let state = Host::open(&folder).unwrap().snapshot().state;
    assert!(state.paused);
    assert_eq!(state.game().since, None);
}

#[test]
fn a_session_without_a_turn_can_be_removed() {
    let desk = desk();
    let host = begin(&desk);
    host.remove().unwrap();
    assert!(host.is_closed());
    assert_eq!(sessions(desk.path()).unwrap().len(), 0);
    // Whoever still has it cannot play in it.
    let text = "a1".to_owned();
    assert!(host.act(&Operation::Enter { text }).is_err());

    // One that was left, too, but none that another program goes on with.
    let host = begin(&desk);
    let folder = host.snapshot().folder;
    let BadInput(message) = remove(&folder).unwrap_err();
    assert!(message.contains("another program goes on"), "{message}");
    drop(host);
    remove(&folder).unwrap();
    assert!(!folder.exists());
}

/// Two pages show the same position, and each enters a turn for it: one of them counts.
#[test]
fn what_a_page_meant_for_another_position_is_refused() {
    let desk = desk();
    let host = begin(&desk);
    let moment = || host.snapshot().state.moment();
    let enter_at = |text: &str, seen| {
        let text = text.to_owned();
        host.act_at(&Operation::Enter { text }, Some(seen))
    };
    let seen = moment();
    enter_at("a1", seen).unwrap();
    let refused = enter_at("b1", seen).unwrap_err();
    assert!(
        refused.0.starts_with("the game has gone on since"),
        "{refused}"
    );
    assert_eq!(host.snapshot().state.game().turns.len(), 1);
    // Another turn stands where the page saw one that was taken back.
    let seen = moment();
    correct(&host, 1);
    enter(&host, "c3");
    assert_eq!(moment().turns, seen.turns);
    enter_at("b1", seen).unwrap_err();
    let (from, reason) = (1, String::new());
    let correction = Operation::Correct { from, reason };
    host.act_at(&correction, Some(seen)).unwrap_err();
    enter_at("b1", moment()).unwrap();
    // To stop the clocks is right at any time.
    host.act_at(&Operation::Pause, Some(seen)).unwrap();
    // A page that shows a game in progress does not open one again that has ended meanwhile.
    let seen = moment();
    let (result, reason) = (GameResult::First, String::new());
    host.act(&Operation::Decide { result, reason }).unwrap();
    host.act_at(&correction, Some(seen)).unwrap_err();
    assert!(host.snapshot().state.game().ending.is_some());
    host.act_at(&correction, Some(moment())).unwrap();
}

/// A tab may still show a session that was removed: its entries must not reach another one.
#[test]
fn the_name_of_a_session_is_used_once() {
    let desk = desk();
    let first = begin(&desk);
    let folder = first.snapshot().folder;
    first.close();
    drop(first);
    remove(&folder).unwrap();
    assert_ne!(begin(&desk).snapshot().folder, folder);
}

/// Whoever looks would know all rolls to come.
#[test]
fn pages_do_not_get_the_seed_of_the_dice() {
    let desk = desk();
    let host = begin(&desk);
    let state = serde_json::to_string(&host.snapshot().state).unwrap();
    assert!(
        state.contains("\"turns\"") && !state.contains("seed"),
        "{state}"
    );
}

/// Who does not come has lost, and the result can be corrected and saved.
#[test]
fn a_result_before_the_first_turn_can_be_corrected_and_saved() {
    let desk = desk();
    let host = begin(&desk);
    let decide = |result| {
        let reason = "did not come".to_owned();
        host.act(&Operation::Decide { result, reason }).unwrap();
    };
    decide(GameResult::First);
    correct(&host, 1);
    assert_eq!(host.snapshot().state.game().ending, None);
    decide(GameResult::Second);
    let folder = desk.path().join("saved");
    let saving = Saving {
        folder: folder.clone(),
        ..Saving::default()
    };
    host.act(&Operation::Save(saving)).unwrap();
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    let games = logged(&desk);
    let results: Vec<GameResult> = games.iter().map(|game| game.result).collect();
    assert_eq!(results, [GameResult::Second]);
}

#[test]
fn a_session_with_a_turn_cannot_be_removed() {
    let desk = desk();
    let host = begin(&desk);
    enter(&host, "a1");
    let folder = host.snapshot().folder;
    assert_eq!(host.remove(), Err(Refused::because(PLAYED)));
    correct(&host, 1);
    assert_eq!(host.remove(), Err(Refused::because(PLAYED)));
    drop(host);
    assert_eq!(remove(&folder).unwrap_err().0, PLAYED);
    // Nor one whose game has ended without a turn.
    let host = begin(&desk);
    let side = SideName::First;
    host.act(&Operation::Resign { side }).unwrap();
    assert_eq!(host.remove(), Err(Refused::because(PLAYED)));
    assert_eq!(sessions(desk.path()).unwrap().len(), 2);
}

#[test]
fn the_log_has_the_games_that_are_over() {
    let desk = desk();
    let host = begin(&desk);
    assert_eq!(sessions(desk.path()).unwrap().len(), 1);
    enter(&host, "a1 b1 a2 b2 a3");
    let games = logged(&desk);
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].id, format!("{}-1", host.snapshot().name));
    correct(&host, 5);
    assert_eq!(logged(&desk).len(), 0);
    let folder = host.snapshot().folder;
    drop(host);
    let host = Host::open(&folder).unwrap();
    host.act(&Operation::Resume).unwrap();
    enter(&host, "c1 c2");
    host.act(&Operation::Resign {
        side: SideName::First,
    })
    .unwrap();
    let games = logged(&desk);
    assert_eq!(games.len(), 1);
    assert_eq!(
        (games[0].result, games[0].turns.len()),
        (GameResult::Second, 6)
    );
    // It is not logged again.
    drop(host);
    let host = Host::open(&folder).unwrap();
    assert_eq!(host.snapshot().state.reopened, 1);
    assert_eq!(logged(&desk).len(), 1);
}

#[test]
fn a_game_goes_on_when_the_disk_is_full() {
    let desk = desk();
    let host = begin(&desk);
    let folder = host.snapshot().folder;
    host.shared.lock().journal.fail(&folder);
    enter(&host, "a1 b1");
    let fault = host.snapshot().fault.unwrap();
    assert!(
        fault.contains("journal.ndjson: cannot be written: "),
        "{fault}"
    );
    assert!(
        fault.ends_with("; the game goes on, kept in memory"),
        "{fault}"
    );
    host.shared.lock().journal.recover(&folder);
    enter(&host, "a2");
    let snapshot = host.snapshot();
    assert_eq!(snapshot.fault, None);
    drop(host);
    let entries = journal::read(&folder).unwrap();
    let state = State::replay(&entries).unwrap();
    assert_eq!(state.game().turns.len(), 3);
}

#[test]
fn a_game_that_cannot_be_logged_is_logged_later() {
    let desk = desk();
    let host = begin(&desk);
    let log = desk.path().join(FILE_NAME);
    fs::create_dir(&log).unwrap();
    enter(&host, "a1 b1 a2 b2 a3");
    let fault = host.snapshot().fault.unwrap();
    assert!(fault.contains("games.jsonl: not a file"), "{fault}");
    fs::remove_dir(&log).unwrap();
    let folder = host.snapshot().folder;
    drop(host);
    let host = Host::open(&folder).unwrap();
    assert_eq!(logged(&desk).len(), 1);
    assert_eq!(host.snapshot().fault, None);
}

#[test]
fn a_clock_that_runs_out_ends_the_game_by_itself() {
    let desk = desk();
    let settings = settings(SignedDuration::from_millis(20));
    let host = Host::begin(desk.path(), settings).unwrap();
    let end = Instant::now() + PATIENCE;
    let mut seen = Version::default();
    while host.snapshot().state.game().ending.is_none() && Instant::now() < end {
        seen = host.wait(seen, PATIENCE);
    }
    let ending = host.snapshot().state.game().ending.clone().unwrap();
    assert_eq!(
        (ending.result, ending.reason),
        (GameResult::Second, Reason::Time)
    );
    assert_eq!(logged(&desk).len(), 1);
}

#[test]
fn who_waits_learns_of_every_change() {
    let desk = desk();
    let host = begin(&desk);
    let seen = host.wait(Version::default(), PATIENCE);
    thread::scope(|scope| {
        let waiting = scope.spawn(|| host.wait(seen, PATIENCE).changes);
        enter(&host, "a1");
        assert!(waiting.join().unwrap() > seen.changes);
    });
    let seen = host.wait(Version::default(), PATIENCE);
    let now = host.wait(seen, Duration::from_millis(1));
    assert_eq!(now.changes, seen.changes);
    thread::scope(|scope| {
        let waiting = scope.spawn(|| host.wait(seen, PATIENCE));
        host.close();
        waiting.join().unwrap();
    });
}

#[test]
fn a_record_is_saved_with_its_header_and_verified() {
    let desk = desk();
    let host = begin(&desk);
    enter(&host, "a1 b1 a2 b2");
    for (encoding, result) in [
        (Encoding::Utf8, None),
        (Encoding::Gbk, Some(GameResult::First)),
    ] {
        if result.is_some() {
            enter(&host, "a3");
        }
        let saving = Saving {
            folder: desk.path().join("records"),
            place: "重庆".to_owned(),
            event: "2026 CCGC".to_owned(),
            date: "2026.11.23 14:00".to_owned(),
            encoding,
            ..Saving::default()
        };
        host.act(&Operation::Save(saving)).unwrap();
        let saved = host.snapshot().state.saved;
        let path = &saved.last().unwrap().path;
        let text = gamelog::files::encoding::decode(&fs::read(path).unwrap()).unwrap();
        for part in ["甲队", "乙队", "2026.11.23 14:00 重庆", "2026 CCGC"] {
            assert!(text.contains(part), "{text}");
        }
    }
    assert_eq!(
        fs::read_dir(desk.path().join("records")).unwrap().count(),
        2
    );
    let saving = Saving {
        folder: "/dev/null/records".into(),
        ..Saving::default()
    };
    let refused = host.act(&Operation::Save(saving)).unwrap_err().0;
    assert!(
        refused.starts_with("record: /dev/null/records: "),
        "{refused}"
    );
}

#[test]
fn a_finished_game_of_a_contest_is_reopened_paused_and_its_record_is_outdated() {
    let desk = desk();
    let host = begin(&desk);
    enter(&host, "a1 b1 a2 b2 a3");
    let saving = Saving {
        folder: desk.path().join("records"),
        ..Saving::default()
    };
    host.act(&Operation::Save(saving)).unwrap();
    assert!(!host.snapshot().state.saved[0].is_outdated);
    correct(&host, 5);
    let Snapshot {
        state,
        name,
        folder,
        ..
    } = host.snapshot();
    assert!(state.paused && state.game().since.is_none());
    assert!(state.saved[0].is_outdated);
    assert!(logged(&desk).is_empty());
    // The journal says the same.
    drop(host);
    let host = Host::open(&folder).unwrap();
    let Snapshot { state, .. } = host.snapshot();
    assert!(state.paused && state.saved[0].is_outdated, "{name}");
    host.act(&Operation::Resume).unwrap();
    enter(&host, "a3");
    assert!(host.snapshot().state.game().ending.is_some());
}
