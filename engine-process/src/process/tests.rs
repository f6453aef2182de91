//! Tests with shell scripts as engines. Most run them without a sandbox, in which they could not
//! leave their session and would not know their own process ids.

#[cfg(target_os = "linux")]
mod sandboxed;

use std::cell::Cell;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use task::Confinement;

use super::*;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn in_ms(ms: u64) -> Until<'static> {
    Until::new(Instant::now() + Duration::from_millis(ms), &GO_ON)
}

/// Whatever takes longer than this hangs: an idle machine takes milliseconds, a busy one seconds.
const HANG: Duration = Duration::from_secs(60);

fn in_time() -> Until<'static> {
    Until::new(Instant::now() + HANG, &GO_ON)
}

fn spec(command: &[&str]) -> EngineSpec {
    EngineSpec {
        name: "script".into(),
        command: command.iter().map(|&word| word.into()).collect(),
        arguments: command.iter().skip(1).map(|&word| word.into()).collect(),
        confinement: Confinement {
            sandbox: false,
            ..Confinement::default()
        },
        ..EngineSpec::default()
    }
}

fn shell(script: &str) -> Process {
    Process::start(&spec(&["sh", "-c", script]), "test".into()).unwrap()
}

/// Whether a process runs; a zombie does not.
fn alive(id: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
}

/// Whether a process ends.
fn dies(id: &str) -> bool {
    let until = in_time();
    while alive(id) {
        if Instant::now() > until.deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

#[test]
fn lines_go_both_ways() {
    let mut cat = shell("cat");
    for text in ["one\n", "two\nthree\n"] {
        cat.send(text, in_time()).unwrap();
        for line in text.lines() {
            assert_eq!(cat.receive(in_time()).unwrap().text, line);
        }
    }
    let id = cat.group.pid().to_string();
    cat.end(Instant::now() + HANG);
    assert!(!alive(&id));
}

#[test]
fn directory_and_environment_are_the_engine_s_own() {
    let mut spec = spec(&["sh", "-c", "pwd; echo $COLOUR"]);
    spec.directory = Some("/".into());
    spec.environment.insert("COLOUR".into(), "red".into());
    let mut process = Process::start(&spec, "test".into()).unwrap();
    assert_eq!(process.receive(in_time()).unwrap().text, "/");
    assert_eq!(process.receive(in_time()).unwrap().text, "red");
}

#[test]
fn a_missing_program_is_an_error() {
    for command in [&["./no-such-engine"][..], &[]] {
        let failure = Process::start(&spec(command), "test".into()).err();
        assert!(matches!(failure, Some(Failure::Start(_))), "{failure:?}");
    }
}

/// The detail of the end of an engine with these limits.
fn end_of(script: &str, limit: impl Fn(&mut Confinement)) -> String {
    let mut spec = spec(&["sh", "-c", script]);
    limit(&mut spec.confinement);
    let mut process = Process::start(&spec, "test".into()).unwrap();
    process.receive(in_time()).unwrap_err().to_string()
}

#[test]
fn the_limit_that_ends_an_engine_is_named() {
    let write = "exec head -c 3000000 /dev/zero > \"$HOME/file\"";
    let too_large = "signal: 25 (SIGXFSZ); a file larger than allowed: 1 MiB (file_mb)";
    assert_eq!(end_of(write, |limits| limits.file_mb = 1), too_large);
    // In the sandbox the folder may be full before.
    let sandboxed = end_of(write, |limits| (limits.file_mb, limits.sandbox) = (1, true));
    assert!(
        sandboxed.contains("1 MiB") && sandboxed.ends_with("file_mb)"),
        "{sandboxed}"
    );
    let python = "exec python3 -c 'bytearray(1 << 30)'";
    let memory = end_of(python, |limits| limits.memory_mb = 256);
    let words = "MemoryError (it may use 256 MiB of memory: memory_mb)";
    assert!(memory.ends_with(words), "{memory}");
    let files = "exec python3 -c 'files = [open(\"/dev/null\") for _ in range(99)]'";
    let files = end_of(files, |limits| limits.open_files = 50);
    assert!(
        files.ends_with("(it may open 50 files at a time: open_files)"),
        "{files}"
    );
    let threads = "echo cannot fork >&2; exit 3";
    let threads = end_of(threads, |limits| limits.processes = 9);
    let words = "cannot fork (it may have 9 processes and threads: processes)";
    assert_eq!(threads, format!("exit status: 3; standard error: {words}"));
}

#[test]
fn the_time_of_a_line_is_that_of_its_last_byte() {
    let mut process = shell("read line; printf best; sleep 0.2; echo move");
    let start = process.send("go\n", in_time()).unwrap();
    let line = process.receive(in_time()).unwrap();
    assert_eq!(line.text, "bestmove");
    let used = line.at - start;
    assert!((200..900).contains(&used.as_millis()), "{used:?}");
}

#[test]
fn silence_ends_at_the_deadline() {
    for script in [
        "sleep 600",
        "printf half; sleep 600",
        "while :; do echo x >&2; done",
    ] {
        let mut process = shell(script);
        let start = Instant::now();
        let failure = process.receive(in_ms(100)).unwrap_err();
        assert!(matches!(failure, Failure::Late), "{failure:?}");
        let took = start.elapsed();
        assert!(
            Duration::from_millis(100) <= took && took < HANG,
            "{script}"
        );
    }
}

#[test]
fn chatter_ends_at_the_deadline() {
    let mut process = shell("yes 'info string'");
    let until = in_ms(100);
    let failure = loop {
        match process.receive(until) {
            Ok(line) => assert_eq!(line.text, "info string"),
            Err(failure) => break failure,
        }
    };
    assert!(matches!(failure, Failure::Late), "{failure:?}");
    assert!(until.deadline.elapsed() < HANG);
}

#[test]
fn a_line_that_is_too_long_is_an_error() {
    let mut process = shell("yes | tr -d '\\n'");
    let failure = process.receive(in_time()).unwrap_err();
    assert!(
        matches!(failure, Failure::LongLine(LONGEST_LINE)),
        "{failure:?}"
    );
}

#[test]
fn an_engine_that_does_not_read_blocks_nobody() {
    let mut process = shell("sleep 600");
    let text = "x".repeat(1 << 20) + "\n";
    let start = Instant::now();
    let failure = process.send(&text, in_ms(100)).unwrap_err();
    assert!(matches!(failure, Failure::Late), "{failure:?}");
    assert!(start.elapsed() < HANG);
}

#[test]
fn writing_to_an_engine_that_has_exited_is_an_error() {
    // A child keeps the pipes open but does not read.
    let mut process = shell("exec 3<&0; sleep 600 <&3 & exit 4");
    let text = "x".repeat(1 << 20) + "\n";
    let failure = process.send(&text, in_time()).unwrap_err();
    assert_eq!(failure.to_string(), "exit status: 4");
}

#[test]
fn waiting_takes_no_processor_time() {
    let busy = || rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // It writes more than the longest line, without a line end, and does not read.
    let mut process = shell("head -c 200000 /dev/zero | tr '\\0' x; sleep 600");
    let text = "x".repeat(1 << 20) + "\n";
    let before = busy();
    process.send(&text, in_ms(1000)).unwrap_err();
    let after = busy();
    let used = Duration::try_from(after - before).unwrap();
    assert!(used < Duration::from_millis(300), "{used:?}");
}

#[test]
fn the_clock_of_a_slow_reader_runs() {
    let mut process = shell("sleep 1; wc -c");
    let text = "x".repeat(1 << 20) + "\n";
    let before = Instant::now();
    let start = process.send(&text, in_time()).unwrap();
    // It starts before the wait for the reader, not after it.
    assert!(start - before < start.elapsed());
}

#[test]
fn output_before_the_command_is_discarded() {
    let mut process = shell("echo early; read line; echo late");
    std::thread::sleep(Duration::from_millis(200));
    process.send("go\n", in_time()).unwrap();
    assert_eq!(process.receive(in_time()).unwrap().text, "late");
}

#[test]
fn an_exit_is_reported_with_the_end_of_standard_error() {
    for (script, expected) in [
        ("exit 0", "exit status: 0"),
        (
            "echo oh; echo no >&2; exit 3",
            "exit status: 3; standard error: no",
        ),
        ("kill -ABRT $$", "signal: 6 (SIGABRT)"),
        // A child keeps the pipes open.
        ("sleep 600 & exit 4", "exit status: 4"),
    ] {
        let mut process = shell(script);
        let failure = loop {
            match process.receive(in_time()) {
                Ok(line) => assert_eq!(line.text, "oh"),
                Err(failure) => break failure,
            }
        };
        assert!(matches!(failure, Failure::Exit { .. }), "{failure:?}");
        assert_eq!(failure.to_string(), expected);
    }
}

#[test]
fn the_tail_of_standard_error_is_short() {
    let mut process = shell("yes 'é' | head -100000 >&2; exit 1");
    let failure = process.receive(in_time()).unwrap_err().to_string();
    assert!(failure.ends_with("é | é"), "{failure}");
    assert!(failure.len() < STDERR_TAIL + 60, "{failure}");
}

#[test]
fn control_characters_of_standard_error_are_replaced() {
    let mut process = shell("printf '\\033[2Jgone\\tfar\\n' >&2; exit 1");
    let failure = process.receive(in_time()).unwrap_err().to_string();
    assert!(
        failure.ends_with("standard error: \u{fffd}[2Jgone\u{fffd}far"),
        "{failure:?}"
    );
}

#[test]
fn a_closed_pipe_is_not_a_crash() {
    let mut process = shell("exec >&-; sleep 600");
    let failure = process.receive(in_time()).unwrap_err();
    assert_eq!(failure.to_string(), "closed its standard output");

    let mut process = shell("exec <&-; echo closed; sleep 600");
    process.receive(in_time()).unwrap();
    let failure = process.send("go\n", in_time()).unwrap_err();
    assert_eq!(failure.to_string(), "closed its standard input");
}

#[test]
fn a_wait_ends_when_the_referee_is_stopped() {
    let stop = AtomicBool::new(false);
    let mut process = shell("sleep 600");
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        let until = Until::new(start + 2 * HANG, &stop);
        let failure = process.receive(until).unwrap_err();
        assert!(matches!(failure, Failure::Stopped), "{failure:?}");
    });
    assert!(start.elapsed() < HANG);
}

#[test]
fn a_long_wait_acts_once() {
    let mut process = shell("while read line; do sleep 0.2; echo $line; done");
    let count = Cell::new(0);
    let act = || count.set(count.get() + 1);
    let soon = Delayed::new(Instant::now() + Duration::from_millis(1), &act);
    let never = Delayed::new(Instant::now() + 10 * HANG, &act);
    for (delayed, acts) in [(&soon, 1), (&soon, 1), (&never, 1)] {
        let until = Until {
            delayed: Some(delayed),
            ..in_time()
        };
        process.send("x\n", until).unwrap();
        process.receive(until).unwrap();
        assert_eq!(count.get(), acts);
    }
}

#[test]
fn the_whole_process_group_is_killed() {
    // The shell and its child ignore every signal that can be ignored.
    let mut process =
        shell("trap '' TERM INT HUP; sleep 600 & echo $!; echo $$; while :; do sleep 1; done");
    let ids: Vec<String> = (0..2)
        .map(|_| process.receive(in_time()).unwrap().text)
        .collect();
    assert!(ids.iter().all(|id| alive(id)));
    let start = Instant::now();
    process.end(start + Duration::from_millis(100));
    drop(process);
    let took = start.elapsed();
    assert!(Duration::from_millis(100) <= took && took < HANG);
    assert!(ids.iter().all(|id| dies(id)), "{ids:?}");
}

#[test]
fn a_child_of_an_engine_that_has_exited_is_killed() {
    let mut process = shell("sleep 600 & echo $!; read line");
    let id = process.receive(in_time()).unwrap().text;
    process.end(Instant::now() + HANG);
    drop(process);
    assert!(dies(&id));
}

#[test]
fn an_engine_has_a_temporary_folder() {
    let mut process = shell("pwd; echo $HOME; echo $TMPDIR; echo x > file; ls; env | wc -l");
    let mut line = || process.receive(in_time()).unwrap().text;
    let folder = line();
    assert_eq!([line(), line()], [folder.clone(), folder.clone()]);
    assert_eq!(line(), "file");
    // PATH, LANG, HOME, TMPDIR, the engine's name, and what the shell adds: PWD and OLDPWD.
    assert!(line().parse::<u32>().unwrap() <= 7);
    drop(process);
    assert!(!std::path::Path::new(&folder).exists());
}

#[test]
fn an_engine_has_limits() {
    let mut spec = spec(&[
        "sh",
        "-c",
        "cat /proc/self/limits /proc/self/status; echo end",
    ]);
    spec.confinement = Confinement {
        memory_mb: 512,
        processes: 10,
        file_mb: 3,
        open_files: 99,
        sandbox: false,
    };
    let mut process = Process::start(&spec, "test".into()).unwrap();
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line| line != "end") {
        let line = process.receive(in_time()).unwrap().text;
        lines.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    for expected in [
        "Max core file size 0 0 bytes",
        "Max file size 3145728 3145728 bytes",
        "Max open files 99 99 files",
        "Max data size 536870912 536870912 bytes",
        "NoNewPrivs: 1",
    ] {
        assert!(
            lines.iter().any(|line| line == expected),
            "{expected}: {lines:?}"
        );
    }
    let limit = lines
        .iter()
        .find_map(|line| line.strip_prefix("Max processes "));
    let limit: u64 = limit.unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((11..100_000).contains(&limit), "{limit}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_kernel_picks_an_engine_when_memory_runs_out() {
    let own = || std::fs::read_to_string("/proc/self/oom_score_adj").unwrap();
    let before = own();
    // `cat` is a child of the engine, which prints its own value by a built-in command.
    let mut process =
        shell("read own </proc/self/oom_score_adj; echo $own; cat /proc/self/oom_score_adj; :");
    for _ in 0..2 {
        assert_eq!(process.receive(in_time()).unwrap().text, "1000");
    }
    assert_eq!(own(), before);
}

#[test]
fn an_engine_runs_under_its_wrapper() {
    let mut spec = spec(&["sh", "-c", "echo $COLOUR $0", "zero"]);
    spec.wrapper = vec!["env".into(), "COLOUR=blue".into()];
    let mut process = Process::start(&spec, "test".into()).unwrap();
    assert_eq!(process.receive(in_time()).unwrap().text, "blue zero");
    // The referee's own program is passed by its path.
    spec.program = Some("/proc/self/exe".into());
    spec.command = vec!["test".into(), "--list".into()];
    spec.arguments = vec!["--list".into()];
    let mut process = Process::start(&spec, "test".into()).unwrap();
    let line = process.receive(in_time()).unwrap().text;
    assert!(line.ends_with(": test"), "{line}");
}

/// Pauses an engine that writes all the time, and continues it.
#[track_caller]
fn does_nothing_while_paused(process: &mut Process) {
    process.receive(in_time()).unwrap();
    process.pause(true);
    std::thread::sleep(Duration::from_millis(100));
    process.send("\n", in_ms(100)).unwrap();
    let answer = process.receive(in_ms(300));
    assert!(answer.is_err(), "{answer:?}");
    process.pause(false);
    process.receive(in_time()).unwrap();
}

#[test]
fn a_paused_engine_does_nothing() {
    let mut process = shell("while :; do echo tick; sleep 0.02; done");
    does_nothing_while_paused(&mut process);
    let id = process.group.pid().to_string();
    process.pause(true);
    process.end(Instant::now());
    drop(process);
    assert!(dies(&id));
}

#[test]
#[cfg(target_os = "linux")]
fn no_process_of_a_paused_engine_does_anything() {
    let ticks = "while :; do echo tick; sleep 0.02; done";
    for script in [
        // A child in another session, a grandchild, and one whose parent has exited.
        format!("setsid sh -c '{ticks}' & wait"),
        format!("sh -c \"setsid sh -c '{ticks}' & wait\" & wait"),
        format!("(setsid sh -c '{ticks}' &); sleep 600"),
    ] {
        let mut process = shell(&script);
        does_nothing_while_paused(&mut process);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn time_without_a_core_is_counted() {
    assert_eq!(shell("sleep 60").core_delay().as_secs(), 0, "it sleeps");
    // One loop more than there are cores.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let busy = shell(&format!(
        "{}wait",
        "while :; do :; done & ".repeat(cores + 1)
    ));
    let until = in_time();
    while busy.core_delay() < Duration::from_millis(20) {
        assert!(Instant::now() < until.deadline);
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_engine_stays_on_its_core() {
    let core = *crate::cores::available_cores().last().unwrap();
    let mut spec = spec(&["grep", "Cpus_allowed_list", "/proc/self/status"]);
    spec.cores = vec![core];
    let mut process = Process::start(&spec, "test".into()).unwrap();
    let line = process.receive(in_time()).unwrap().text;
    assert_eq!(line, format!("Cpus_allowed_list:\t{core}"));
}

/// An engine that is kept for its next game goes to the cores of that game, with all its processes.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_goes_to_other_cores() {
    let available = crate::cores::available_cores();
    let core = available[0];
    let list = "grep Cpus_allowed_list /proc/self/status";
    let mut process = shell(&format!(
        "sh -c 'echo ready; read line; {list}; :'; {list}; :"
    ));
    assert_eq!(process.receive(in_time()).unwrap().text, "ready");
    process.pause(true);
    process.run_on(&[core]);
    process.pause(false);
    process.send("go\n", in_time()).unwrap();
    for _ in ["the child", "its parent"] {
        let line = process.receive(in_time()).unwrap().text;
        assert_eq!(line, format!("Cpus_allowed_list:\t{core}"));
    }
}

/// A script that creates a process with its own session and no parent, and prints its id.
fn leave(environment: &str) -> String {
    format!("({environment} setsid sh -c 'echo $$; exec sleep 600' &); read line")
}

#[test]
fn strays_are_killed_with_their_engine_only() {
    let mut engines = [leave(""), leave(""), leave("env -i PATH=$PATH")].map(|text| shell(&text));
    let ids = engines
        .each_mut()
        .map(|engine| engine.receive(in_time()).unwrap().text);
    let [first, second, hidden] = engines;
    drop(first);
    assert!(dies(&ids[0]));
    assert!(alive(&ids[1]));
    drop(second);
    assert!(dies(&ids[1]));
    drop(hidden);
    assert!(dies(&ids[2]));
}

#[test]
fn zombies_of_strays_are_reaped_during_the_game() {
    let mut engine = shell("(setsid sh -c 'echo $$' &); read line");
    let id = engine.receive(in_time()).unwrap().text;
    let until = in_time();
    while std::path::Path::new(&format!("/proc/{id}")).exists() {
        assert!(Instant::now() < until.deadline, "{id} is a zombie");
        assert!(engine.receive(in_ms(50)).is_err());
    }
}

#[test]
fn a_flooding_engine_can_exit() {
    let mut process = shell("cat > /dev/null; yes | head -1000000; exit 0");
    let start = Instant::now();
    process.end(start + 2 * HANG);
    assert!(start.elapsed() < HANG);
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_dies_with_the_thread_that_started_it() {
    let process = std::thread::spawn(|| shell("sleep 600")).join().unwrap();
    let id = process.group.pid().to_string();
    assert!(dies(&id));
}

/// In a container the session may have begun outside, so that it has no id here.
#[test]
#[cfg(target_os = "linux")]
fn children_in_a_session_without_an_id_are_not_strays() {
    let own = table::Entry::of(rustix::process::getpid()).unwrap();
    if own.session.is_some() {
        let inside = Command::new("unshare")
            .args(["--map-root-user", "--pid", "--fork", "--mount-proc"])
            .arg(std::env::current_exe().unwrap())
            .arg("children_in_a_session_without_an_id_are_not_strays")
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&inside.stdout);
        assert!(output.contains(" 1 passed;"), "{inside:?}");
        return;
    }
    let mut child = Command::new("sleep").arg("600").spawn().unwrap();
    for _ in 0..3 {
        drop(shell("cat"));
    }
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().unwrap();
    child.wait().unwrap();
}
