//! What a program needs to start: its file, the interpreter of a script, and the folders of
//! installed interpreters.
//!
//! A program that somebody built is one file, and the folder in which it lies is none of its
//! business. An interpreter is installed as a tree, for example by pyenv, conda or `python -m venv`
//! in the user's own folder; that tree is recognised by what lies in it.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use base::input;

/// How many interpreters, each the script of another, and links are followed.
const MOST_STEPS: usize = 16;

/// How much of a script's first line is read, as the kernel does.
const FIRST_LINE: u64 = 256;

/// The files and folders that a program needs. A name without a slash is searched in `PATH`.
pub fn needs(program: &Path) -> Vec<PathBuf> {
    needs_within(program, |_| true)
}

/// The same, of folders only those that count as an interpreter's.
pub(super) fn needs_within(program: &Path, counts: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut needs = Vec::new();
    let mut next = found(program);
    for _ in 0..MOST_STEPS {
        let Some(file) = next else { break };
        needs.extend(trees(&file).into_iter().filter(|tree| counts(tree)));
        next = target(&file).or_else(|| interpreter(&file));
        if !needs.iter().any(|known| file.starts_with(known)) {
            needs.push(file);
        }
    }
    needs
}

/// The absolute path of a program.
fn found(program: &Path) -> Option<PathBuf> {
    if program.starts_with("/proc/self") {
        return fs::canonicalize(program).ok();
    }
    if program.components().count() > 1 {
        return std::path::absolute(program).ok();
    }
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).map(|folder| folder.join(program));
    files.find(|file| file.is_file())
}

/// What a symbolic link points to.
fn target(file: &Path) -> Option<PathBuf> {
    let target = fs::read_link(file).ok()?;
    // Through links among the folders as well, so that `..` means what it means to the kernel.
    let folder = fs::canonicalize(file.parent()?).ok()?;
    let target = folder.join(target);
    Some(
        fs::canonicalize(target.parent()?)
            .ok()?
            .join(target.file_name()?),
    )
}

/// The interpreter of a script, from its first line: `#!/usr/bin/env python3`.
fn interpreter(file: &Path) -> Option<PathBuf> {
    let mut start = Vec::new();
    input::promptly(file)
        .ok()?
        .take(FIRST_LINE)
        .read_to_end(&mut start)
        .ok()?;
    let text = String::from_utf8_lossy(&start);
    let mut words = text.lines().next()?.strip_prefix("#!")?.split_whitespace();
    let program = Path::new(words.next()?);
    if program.file_name()? != "env" {
        return found(program);
    }
    let is_name = |word: &&str| !word.starts_with('-') && !word.contains('=');
    found(Path::new(words.find(is_name)?))
}

/// The folders that an installed interpreter needs.
fn trees(program: &Path) -> Vec<PathBuf> {
    let Some(folder) = program.parent() else {
        return Vec::new();
    };
    // .NET: its libraries lie beside it.
    if folder.join("host/fxr").is_dir() {
        return vec![folder.to_owned()];
    }
    let Some(prefix) = folder.parent().filter(|prefix| prefix.parent().is_some()) else {
        return Vec::new();
    };
    if folder.ends_with("bin") && is_of_one_program(prefix) {
        let base = virtual_base(prefix).into_iter();
        return [prefix.to_owned()].into_iter().chain(base).collect();
    }
    // The shims of pyenv and its relatives are scripts that run programs of `versions`.
    if folder.ends_with("shims") && prefix.join("versions").is_dir() {
        return vec![prefix.to_owned()];
    }
    if !folder.ends_with("bin") {
        return Vec::new();
    }
    let has_tree = |part: &&str| holds_tree_of(&prefix.join(part), program);
    let parts = ["lib", "lib64", "share"].into_iter().filter(has_tree);
    parts.map(|part| prefix.join(part)).collect()
}

/// Whether a folder was made for one interpreter: a virtual environment of Python, one of conda, or
/// a Java home.
fn is_of_one_program(prefix: &Path) -> bool {
    [
        "pyvenv.cfg",
        "conda-meta/history",
        "lib/modules",
        "lib/rt.jar",
    ]
    .iter()
    .any(|sign| prefix.join(sign).is_file())
}

/// The installation on which a virtual environment of Python is based.
fn virtual_base(prefix: &Path) -> Option<PathBuf> {
    let mut text = String::new();
    let mut file = input::promptly(&prefix.join("pyvenv.cfg")).ok()?;
    file.read_to_string(&mut text).ok()?;
    let mut pairs = text.lines().filter_map(|line| line.split_once('='));
    let (_, bin) = pairs.find(|(key, _)| key.trim() == "home")?;
    let lib = Path::new(bin.trim()).parent()?.join("lib");
    lib.is_dir().then_some(lib)
}

/// Whether a folder holds one that is named after the program: `lib/python3.12`,
/// `lib/node_modules`, `lib/ruby`.
fn holds_tree_of(folder: &Path, program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    !name.is_empty() && names.any(|entry| entry.to_string_lossy().starts_with(name))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder with these files, and links from a path to another.
    fn folder(files: &[&str], links: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it exists");
        let parent = |path: &Path| fs::create_dir_all(path.parent().expect("a parent"));
        for file in files {
            let (name, text) = file.split_once(": ").unwrap_or((file, ""));
            let text = text.replace("ROOT", &root.to_string_lossy());
            parent(&root.join(name)).expect("a folder");
            fs::write(root.join(name), text).expect("a file");
        }
        for (from, to) in links {
            parent(&root.join(from)).expect("a folder");
            symlink(to, root.join(from)).expect("a link");
        }
        (folder, root)
    }

    /// What a program in a folder needs, relative to the folder, sorted; without the system's.
    fn needs_of(files: &[&str], links: &[(&str, &str)], program: &str) -> Vec<String> {
        let (_folder, root) = folder(files, links);
        let needs = needs(&root.join(program)).into_iter();
        let own = needs.filter_map(|path| path.strip_prefix(&root).ok().map(Path::to_owned));
        let mut own: Vec<String> = own
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        own.sort();
        own.dedup();
        own
    }

    #[test]
    fn an_engine_is_one_file() {
        let beside = ["engine", "bin/engine", ".ssh/id", "lib/other"];
        assert_eq!(needs_of(&beside, &[], "engine"), ["engine"]);
        assert_eq!(needs_of(&beside, &[], "bin/engine"), ["bin/engine"]);
        let linked = needs_of(&beside, &[("now", "bin/engine")], "now");
        assert_eq!(linked, ["bin/engine", "now"]);
    }

    #[test]
    fn a_script_needs_its_interpreter() {
        let files = [
            "bot.x: #!ROOT/opt/bin/tongue -u\n",
            "opt/bin/tongue",
            "opt/lib/tongue-2/core",
            "opt/share/other",
        ];
        let expected = ["bot.x", "opt/bin/tongue", "opt/lib"];
        assert_eq!(needs_of(&files, &[], "bot.x"), expected);
        let (_folder, root) = folder(&["bot: #!/usr/bin/env -S FAST=1 sh -u\n"], &[]);
        let needs = needs(&root.join("bot"));
        assert!(needs.iter().any(|path| path.ends_with("sh")), "{needs:?}");
        assert!(!needs.iter().any(|path| path.ends_with("env")), "{needs:?}");
    }

    #[test]
    fn installed_interpreters_are_recognised() {
        let python = [
            "base/bin/python3.12",
            "base/lib/python3.12/os.py",
            "base/private",
        ];
        assert_eq!(
            needs_of(
                &python,
                &[("base/bin/python3", "python3.12")],
                "base/bin/python3"
            ),
            ["base/bin/python3", "base/bin/python3.12", "base/lib"]
        );
        let venv = [&python[..], &["venv/pyvenv.cfg: home = ROOT/base/bin\n"]].concat();
        assert_eq!(
            needs_of(
                &venv,
                &[("venv/bin/python3", "../../base/bin/python3.12")],
                "venv/bin/python3"
            ),
            ["base/bin/python3.12", "base/lib", "venv"]
        );
        let conda = ["conda/bin/python3", "conda/conda-meta/history"];
        assert_eq!(needs_of(&conda, &[], "conda/bin/python3"), ["conda"]);
        let pyenv = ["pyenv/shims/python3", "pyenv/versions/3.12/bin/python3"];
        assert_eq!(needs_of(&pyenv, &[], "pyenv/shims/python3"), ["pyenv"]);
        let java = ["jdk/bin/java", "jdk/lib/modules"];
        assert_eq!(
            needs_of(&java, &[("java", "jdk/bin/java")], "java"),
            ["java", "jdk"]
        );
        let dotnet = ["net/dotnet", "net/host/fxr/8.0/libhostfxr.so"];
        assert_eq!(needs_of(&dotnet, &[], "net/dotnet"), ["net"]);
    }

    #[test]
    fn a_circle_of_links_ends() {
        let links = [("a", "b"), ("b", "a")];
        assert_eq!(needs_of(&[], &links, "a"), ["a", "b"]);
    }
}
