//! The commands of the course, `docs/course`, print what it says.
//!
//! A block of a chapter that begins with ```` ```console ```` holds commands and their output:
//!
//! ```console
//! $ referee perft tic-tac-toe --depth 1
//! depth 1 nodes 9
//! ```
//!
//! - A line that begins with `$ ` is a command for `sh`; it goes on after a backslash at its end.
//!   The lines up to the next command are its standard output.
//! - `…` stands for any text in a line; a line of its own, for any number of lines. So times, speeds
//!   and what else depends on the machine are left out.
//! - Blanks may differ in number and lines of `─` in length, since columns are as wide as what they
//!   hold.
//! - A last line `[1]` is the exit status, 0 without it.
//! - A block that begins with ```` ```toml gain.toml ````, a language and a name, is a file of that
//!   name.
//!
//! The blocks of a chapter run in order, in one empty folder. A plot that a command writes there is
//! the figure of the same name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::program::text;

macro_rules! chapters {
    ($($name:ident: $file:literal,)+) => {
        $(#[test]
        fn $name() {
            check($file);
        })+

        const CHAPTERS: &[&str] = &[$($file),+];
    };
}

chapters! {
    preface: "preface.md",
    rules: "01-rules.md",
    minimax: "02-minimax.md",
    alpha_beta: "03-alpha-beta.md",
    windows: "04-windows.md",
    tables: "05-tables.md",
    time: "06-time.md",
    dice: "07-dice.md",
    monte_carlo: "08-monte-carlo.md",
    proofs: "09-proofs.md",
    evaluation: "10-evaluation.md",
    contest: "11-contest.md",
    learning: "12-learning.md",
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/course/src")
}

fn read(file: &str) -> String {
    fs::read_to_string(source().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn every_chapter_is_listed_and_run() {
    assert_eq!(links(&read("SUMMARY.md")), CHAPTERS);
}

#[test]
fn links_lead_to_files() {
    for chapter in CHAPTERS {
        for link in links(&read(chapter)) {
            let file = link.split('#').next().expect("a part before the mark");
            let is_there = file.starts_with("https:") || source().join(file).exists();
            assert!(is_there, "{chapter}: {link}");
        }
    }
}

/// What the links of a text lead to.
fn links(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1);
    links.filter_map(|link| link.split(')').next()).collect()
}

/// A command and what it prints.
#[derive(Default)]
struct Step {
    line: usize,
    command: String,
    output: Vec<String>,
    status: i32,
}

/// What a chapter has a reader do.
enum Block {
    File { name: String, text: String },
    Steps(Vec<Step>),
}

/// The blocks of a chapter.
fn blocks(chapter: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = (1..).zip(chapter.lines());
    while let Some((_, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let content: Vec<(usize, &str)> = lines
            .by_ref()
            .take_while(|(_, line)| *line != "```")
            .collect();
        match info.split_once(' ') {
            Some((_, name)) => blocks.push(Block::File {
                name: name.to_owned(),
                text: content
                    .iter()
                    .map(|(_, line)| format!("{line}\n"))
                    .collect(),
            }),
            None if info == "console" => blocks.push(Block::Steps(steps(&content))),
            None => {}
        }
    }
    blocks
}

/// The commands of a block.
fn steps(content: &[(usize, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for &(line, text) in content {
        if let Some(command) = text.strip_prefix("$ ") {
            steps.push(Step {
                line,
                command: command.to_owned(),
                ..Step::default()
            });
            continue;
        }
        let step = steps.last_mut().expect("a block begins with a command");
        let status = text
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        if step.output.is_empty() && step.command.ends_with('\\') {
            step.command += &format!("\n{text}");
        } else if let Some(Ok(status)) = status.map(str::parse) {
            step.status = status;
        } else {
            step.output.push(normal(text));
        }
    }
    steps
}

/// A line without what may differ: the number of blanks, the length of a line of `─`, and that a check met a
/// busy machine.
fn normal(line: &str) -> String {
    let line = line.split("; the machine is busy: ").next().unwrap_or(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [rule] if rule.chars().all(|c| c == '─') => "─".to_owned(),
        _ => words.join(" "),
    }
}

/// Whether a line is what is expected, where `…` stands for any text.
fn line_matches(expected: &str, found: &str) -> bool {
    let Some((begin, rest)) = expected.split_once('…') else {
        return expected == found;
    };
    let Some(mut found) = found.strip_prefix(begin) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('…').collect();
    let end = parts.pop().expect("there is a part after each mark");
    for part in parts {
        match found.split_once(part) {
            Some((_, after)) => found = after,
            None => return false,
        }
    }
    found.ends_with(end)
}

/// Whether lines are what is expected, where a line `…` stands for any number of lines.
fn lines_match(expected: &[String], found: &[String]) -> bool {
    match expected {
        [] => found.is_empty(),
        [any, rest @ ..] if any == "…" => {
            (0..=found.len()).any(|skipped| lines_match(rest, &found[skipped..]))
        }
        [line, rest @ ..] => found
            .split_first()
            .is_some_and(|(first, found)| line_matches(line, first) && lines_match(rest, found)),
    }
}

/// Runs the commands of a chapter, and reports all that print something else.
fn check(file: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut faults = Vec::new();
    for block in blocks(&read(file)) {
        match block {
            Block::File { name, text } => {
                fs::write(folder.path().join(name), text).expect("the file is written");
            }
            Block::Steps(steps) => {
                faults.extend(steps.iter().filter_map(|step| fault(folder.path(), step)));
            }
        }
    }
    assert!(faults.is_empty(), "{file}\n{}", faults.join("\n"));
    check_figures(folder.path());
}

/// Runs a command; describes what it prints if that is not what the chapter says.
fn fault(folder: &Path, step: &Step) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_referee"));
    let beside = program.parent().expect("a folder").display();
    let path = std::env::var("PATH").expect("a PATH");
    let output = Command::new("sh")
        .args(["-c", &step.command])
        .env("PATH", format!("{beside}:{path}"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("sh starts");
    let printed = text(&output.stdout);
    let mut found: Vec<String> = printed.lines().map(normal).collect();
    let mut expected = step.output.clone();
    // A blank line before the end of a block is a matter of taste.
    for lines in [&mut found, &mut expected] {
        while lines.pop_if(|line| line.is_empty()).is_some() {}
    }
    if lines_match(&expected, &found) && output.status.code() == Some(step.status) {
        return None;
    }
    Some(format!(
        "line {}: $ {}\nexpected, with status {}:\n{}\nfound, with {}:\n{printed}{}",
        step.line,
        step.command,
        step.status,
        expected.join("\n"),
        output.status,
        text(&output.stderr)
    ))
}

/// Compares the plots in a folder with the figures of the course.
fn check_figures(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name();
        if Path::new(&name)
            .extension()
            .is_some_and(|kind| kind == "svg")
        {
            let found = fs::read_to_string(entry.path()).expect("a plot");
            let figure = fs::read_to_string(source().join("figures").join(&name));
            assert_eq!(figure.ok(), Some(found), "{}", name.display());
        }
    }
}

#[test]
fn marks_stand_for_any_text() {
    for (expected, found) in [
        ("a", "a"),
        ("a…", "a"),
        ("…", ""),
        ("a…c…e", "abcde"),
        ("…b", "bb"),
    ] {
        assert!(line_matches(expected, found), "{expected} {found}");
    }
    for (expected, found) in [("a", "b"), ("a…", "ba"), ("a…b", "ab c"), ("aa…a", "aa")] {
        assert!(!line_matches(expected, found), "{expected} {found}");
    }
    let lines = |text: &str| -> Vec<String> { text.lines().map(normal).collect() };
    assert!(lines_match(&lines("a\n…\nc"), &lines("a\nb\nb\nc")));
    assert!(lines_match(&lines("a\n…"), &lines("a")));
    assert!(lines_match(&lines("──\na b"), &lines("─\n a  b ")));
    assert!(!lines_match(&lines("a\n…\nc"), &lines("a\nb")));
}
