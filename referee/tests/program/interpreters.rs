//! Engines in interpreters, which are installed in many places, start in the sandbox, and use a database
//! there.

use std::fs;
use std::path::Path;
use std::process::Command;

use gamelog::record::Reason;

use crate::common::program::{folder_with, games, run};
use crate::common::skipped;

/// A bot in Python that needs the standard library.
const PYTHON: &str = "\
import json, sys
cells = json.loads('[\"' + 'a1 b1 c1 a2 b2 c2 a3 b3 c3'.replace(' ', '\",\"') + '\"]')
n = 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ['ugi']: print('ugiok')
    if words[:1] == ['isready']: print('readyok')
    if words[:1] == ['position']: n = max(len(words) - 3, 0)
    if words[:1] == ['go']: print('bestmove', cells[n])
    if words[:1] == ['quit']: break
    sys.stdout.flush()
";

/// The same in Java.
const JAVA: &str = "\
import java.util.Scanner;
public class Bot {
    public static void main(String[] arguments) {
        String[] cells = \"a1 b1 c1 a2 b2 c2 a3 b3 c3\".split(\" \");
        Scanner input = new Scanner(System.in);
        int n = 0;
        while (input.hasNextLine()) {
            String[] words = input.nextLine().split(\" \");
            switch (words[0]) {
                case \"ugi\" -> System.out.println(\"ugiok\");
                case \"isready\" -> System.out.println(\"readyok\");
                case \"position\" -> n = Math.max(words.length - 3, 0);
                case \"go\" -> System.out.println(\"bestmove \" + cells[n]);
                case \"quit\" -> System.exit(0);
                default -> { }
            }
        }
    }
}
";

/// Plays two games with an engine that a command starts in a folder of its own.
fn interpreted(folder: &Path, command: &str) {
    let league = format!(
        "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]\nbase = \"60s\"\n\
         [variant.hex]\nsize = 3\n\
         [[engine]]\nname = \"bot\"\nstart_up = \"60s\"\ncommand = {command}\n\
         [[engine]]\nname = \"twin\"\nstart_up = \"60s\"\ncommand = {command}\n"
    );
    fs::write(folder.join("league.toml"), league).expect("a file");
    let done = run(folder, &["league", "league.toml", "--out", "out"]);
    assert!(done.status.success(), "{done:?}");
    for game in games(&folder.join("out")) {
        assert_eq!(game.reason, Reason::Rules, "{command}: {}", game.detail);
    }
}

/// Whether a program runs here.
fn runs(program: &str, arguments: &[&str]) -> Result<(), String> {
    match Command::new(program).args(arguments).output() {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => Err(format!("{program}: {}", done.status)),
        Err(error) => Err(format!("{program}: {error}")),
    }
}

#[test]
fn python_starts_from_wherever_it_is_installed() {
    if let Err(reason) = runs("python3", &["--version"]) {
        return skipped("Python in the sandbox", &reason);
    }
    let folder = folder_with("");
    fs::write(folder.path().join("bot.py"), PYTHON).expect("a file");
    // Found through PATH: the system's, or one that pyenv or conda has installed.
    interpreted(folder.path(), "[\"python3\", \"./bot.py\"]");
    let folder = folder_with("");
    let script = format!("#!/usr/bin/env python3\n{PYTHON}");
    let bot = folder.path().join("bot.py");
    fs::write(&bot, script).expect("a file");
    crate::common::program::make_executable(&bot);
    interpreted(folder.path(), "[\"./bot.py\"]");
}

#[test]
fn a_virtual_environment_starts() {
    let folder = folder_with("");
    let venv = folder.path().join("venv").to_string_lossy().into_owned();
    if let Err(reason) = runs("python3", &["-m", "venv", "--without-pip", &venv]) {
        return skipped("a virtual environment in the sandbox", &reason);
    }
    fs::write(folder.path().join("bot.py"), PYTHON).expect("a file");
    interpreted(folder.path(), "[\"./venv/bin/python3\", \"./bot.py\"]");
}

#[test]
fn java_starts() {
    if let Err(reason) = runs("javac", &["-version"]) {
        return skipped("Java in the sandbox", &reason);
    }
    let folder = folder_with("");
    fs::write(folder.path().join("Bot.java"), JAVA).expect("a file");
    let classes = folder.path().join("classes").to_string_lossy().into_owned();
    let source = folder
        .path()
        .join("Bot.java")
        .to_string_lossy()
        .into_owned();
    assert_eq!(runs("javac", &["-d", &classes, &source]), Ok(()));
    interpreted(folder.path(), "[\"java\", \"-cp\", \"./classes\", \"Bot\"]");
}

#[test]
fn node_starts() {
    if let Err(reason) = runs("node", &["--version"]) {
        return skipped("Node.js in the sandbox", &reason);
    }
    let folder = folder_with("");
    let script = "const cells = 'a1 b1 c1 a2 b2 c2 a3 b3 c3'.split(' '); let n = 0;\n\
        require('readline').createInterface({ input: process.stdin }).on('line', line => {\n\
        const words = line.split(' ');\n\
        if (words[0] === 'ugi') console.log('ugiok');\n\
        if (words[0] === 'isready') console.log('readyok');\n\
        if (words[0] === 'position') n = Math.max(words.length - 3, 0);\n\
        if (words[0] === 'go') console.log('bestmove ' + cells[n]);\n\
        if (words[0] === 'quit') process.exit();\n});\n";
    fs::write(folder.path().join("bot.js"), script).expect("a file");
    interpreted(folder.path(), "[\"node\", \"./bot.js\"]");
}

/// Keeps the games of a bot in a database, in its own folder and in one that its table grants.
const SQLITE: &str = "\
import os, sqlite3
for folder in (os.environ['HOME'], os.environ['LOGS']):
    for mode in ('delete', 'wal'):
        base = sqlite3.connect(os.path.join(folder, 'games-' + mode))
        base.execute('pragma journal_mode = ' + mode)
        base.execute('create table if not exists games (name text)')
        with base: base.execute('insert into games values (1)')
        base.execute('begin exclusive'); base.execute('rollback')
        base.close()
";

#[test]
fn a_database_works_where_an_engine_may_write() {
    if let Err(reason) = runs("python3", &["-c", "import sqlite3"]) {
        return skipped("SQLite in the sandbox", &reason);
    }
    let folder = folder_with("");
    let place = |name: &str| folder.path().join(name);
    fs::write(place("bot.py"), format!("{SQLITE}{PYTHON}")).expect("a file");
    fs::create_dir(place("logs")).expect("a folder");
    let engine = |name: &str| {
        format!(
            "[[engine]]\nname = \"{name}\"\nstart_up = \"60s\"\ncommand = [\"python3\", \"./bot.py\"]\n\
             write = [\"logs\"]\nenvironment = {{ LOGS = {:?} }}\n",
            place("logs")
        )
    };
    let league = format!(
        "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]\nbase = \"60s\"\n\
         [variant.hex]\nsize = 3\n{}{}",
        engine("bot"),
        engine("twin"),
    );
    fs::write(place("league.toml"), league).expect("a file");
    let done = run(folder.path(), &["league", "league.toml", "--out", "out"]);
    assert!(done.status.success(), "{done:?}");
    for game in games(&place("out")) {
        assert_eq!(game.reason, Reason::Rules, "{}", game.detail);
    }
    assert!(place("logs/games-delete").exists() && place("logs/games-wal").exists());
}
