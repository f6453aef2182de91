//! Shared checks for the GTP engines of all games. They panic if a check fails.

use std::io::Write;
use std::process::{Command as Program, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Read, Reader, Response};

/// The responses of an engine to these commands, one per line; `quit` is sent after them.
///
/// # Panics
/// The program cannot be started, writes anything but responses, or exits with a fault.
#[track_caller]
pub fn responses(program: &str, arguments: &[&str], commands: &str) -> Vec<Response> {
    let mut engine = Program::new(program)
        .args(["--protocol", "gtp", "--move-time", "100"])
        .args(["--table-mb", "4"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = engine.stdin.take().expect("a pipe");
    let written = input.write_all(format!("{commands}\nquit\n").as_bytes());
    written.expect("the engine reads");
    drop(input);
    let output = engine.wait_with_output().expect("the engine ends");
    assert!(output.status.success(), "{}", output.status);
    let mut reader = Reader::default();
    let mut responses = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match reader.line(line) {
            Read::Response(response) => responses.push(response),
            Read::Part => {}
            Read::Chatter => panic!("not a response: {line}"),
        }
    }
    assert_eq!(responses.len(), commands.lines().count() + 1, "{commands}");
    responses
}

/// The text of the last response before that to `quit`; all commands must succeed.
///
/// # Panics
/// A command fails, or as for [`responses`].
#[track_caller]
pub fn last(program: &str, arguments: &[&str], commands: &str) -> String {
    let responses = responses(program, arguments, commands);
    for (command, response) in commands.lines().zip(&responses) {
        assert!(response.success, "{command}: {}", response.text);
    }
    responses[responses.len() - 2].text.clone()
}

/// The message of the last command before `quit`, which must fail, as the only one.
///
/// # Panics
/// It succeeds, another command fails, or as for [`responses`].
#[track_caller]
pub fn refusal(program: &str, arguments: &[&str], commands: &str) -> String {
    let responses = responses(program, arguments, commands);
    let (last, others) = responses[..responses.len() - 1]
        .split_last()
        .expect("a command");
    let all_succeed = others.iter().all(|response| response.success);
    assert!(all_succeed && !last.success, "{commands}: {responses:?}");
    last.text.clone()
}

/// Calls `run` with the path of a file that has this text, for `loadsgf`, and removes the file.
///
/// # Panics
/// The file cannot be written or removed.
pub fn with_file<T>(text: &str, run: impl FnOnce(&str) -> T) -> T {
    static FILES: AtomicU32 = AtomicU32::new(0);
    let (process, file) = (std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(format!("gtp {process} {file}.sgf"));
    std::fs::write(&path, text).expect("the file can be written");
    let result = run(path.to_str().expect("UTF-8"));
    std::fs::remove_file(&path).expect("the file is there");
    result
}

/// Checks that the engine knows every command that it lists.
///
/// # Panics
/// A listed command is unknown.
#[track_caller]
pub fn check_list(program: &str) {
    let listed = last(program, &[], "list_commands");
    let commands: Vec<&str> = listed.lines().filter(|name| *name != "quit").collect();
    let analyzed = last(program, &[], "hexgui-analyze_commands");
    for line in analyzed.lines() {
        let [_, _, command] = <[_; 3]>::try_from(line.split('/').collect::<Vec<_>>())
            .unwrap_or_else(|_| panic!("not a type, a label and a command: {line}"));
        let name = command.split(' ').next().unwrap_or_default();
        assert!(commands.contains(&name), "{name} is not listed");
    }
    for (name, response) in commands
        .iter()
        .zip(responses(program, &[], &commands.join("\n")))
    {
        assert_ne!(response.text, "unknown command", "{name}");
    }
}
