//! The files that an engine may use.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use task::paths::lies_in;
use task::{EngineSpec, all_named};

use super::programs;

/// What programs need from the system to start and to detect the machine. `/nix/store` and
/// `/gnu/store` hold all programs and libraries of their systems.
const SYSTEM: [&str; 15] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/passwd",
    "/etc/timezone",
    "/sys/devices/system/cpu",
];

/// Files of Java link into folders of `/etc` whose names begin with this.
const JAVA: &str = "java-";

/// Devices that every program may use.
pub(super) const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// The files of one engine: absolute paths of files, and of folders with all that they contain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grants {
    /// It may read and run these.
    pub(super) read: Vec<PathBuf>,
    /// It may change these, too.
    pub(super) write: Vec<PathBuf>,
    /// It sees none of these, although they may lie in the others.
    pub(super) hidden: Vec<PathBuf>,
}

impl Grants {
    /// The engine's program and wrapper with what they need to start, the files and folders that
    /// its command and its options name, its directory, and what its table grants.
    pub(super) fn of(spec: &EngineSpec) -> Grants {
        let mut read = Vec::new();
        let command = spec.command.first().map(Path::new);
        let program = spec.program.as_deref().or(command);
        let wrapper = spec.wrapper.first().map(Path::new);
        for program in [program, wrapper].into_iter().flatten() {
            // What makes a folder an interpreter's, the engine must not be able to put there.
            let counts = |tree: &Path| !spec.write.iter().any(|it| lies_in(it, tree));
            read.extend(programs::needs_within(program, counts));
        }
        let named = all_named(&spec.arguments, &spec.options, None).into_iter();
        // A word such as `/` is a sign or a switch of the engine, not a grant of everything.
        read.extend(named.filter(|path| path.parent().is_some()));
        read.extend(spec.directory.clone());
        read.extend(spec.read.iter().cloned());
        // What it may change, it could exchange for a link: that grants nothing.
        let is_written = |path: &PathBuf| spec.write.iter().any(|it| lies_in(path, it));
        read.retain(|path| !is_of_system(path) && !is_written(path));
        Grants {
            read,
            write: spec.write.clone(),
            hidden: spec.hidden.clone(),
        }
    }
}

impl Grants {
    /// What is to be hidden and lies in what the engine may read.
    pub(super) fn visible_secrets(&self) -> Vec<&PathBuf> {
        let mut hidden: Vec<&PathBuf> = self.hidden.iter().collect();
        let granted = || self.read.iter().chain(&self.write);
        hidden.retain(|path| granted().any(|granted| lies_in(path, granted)));
        hidden
    }
}

/// The readable files and folders of the system, as far as they exist.
pub(super) fn system() -> &'static [PathBuf] {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut paths: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        let etc = std::fs::read_dir("/etc").into_iter().flatten().flatten();
        let java = etc.filter(|file| file.file_name().to_string_lossy().starts_with(JAVA));
        paths.extend(java.map(|file| file.path()));
        paths.retain(|path| path.exists());
        paths
    })
}

/// Whether every engine may read this file.
fn is_of_system(path: &Path) -> bool {
    system().iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn words_and_options_grant_the_files_that_they_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["bot", "net", "book", "secret", "learned"] {
            std::fs::write(path(name), name).expect("it is written");
        }
        let word = |name: &str| path(name).to_string_lossy().into_owned();
        let spec = EngineSpec {
            program: Some(path("bot")),
            arguments: vec![
                format!("--net={}", word("net")),
                "/".into(),
                "secret".into(),
                word("learned"),
            ],
            options: [("book".to_owned(), Value::from(word("book")))].into(),
            read: vec![path("data")],
            write: vec![path("logs"), path("learned")],
            ..EngineSpec::default()
        };
        let Grants { read, write, .. } = Grants::of(&spec);
        assert_eq!(read, ["bot", "net", "book", "data"].map(path));
        assert_eq!(write, ["logs", "learned"].map(path));
    }

    /// What makes a folder an interpreter's could be put there by the engine itself.
    #[test]
    fn a_tree_in_which_the_engine_may_write_is_no_grant() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["home/bin", "home/lib", "data"] {
            std::fs::create_dir_all(path(name)).expect("a folder");
        }
        for name in ["home/bin/bot", "home/lib/rt.jar"] {
            std::fs::write(path(name), "").expect("it is written");
        }
        let read = |write: &str| {
            let spec = EngineSpec {
                program: Some(path("home/bin/bot")),
                write: vec![path(write)],
                ..EngineSpec::default()
            };
            Grants::of(&spec).read
        };
        assert_eq!(read("data"), [path("home")]);
        assert_eq!(read("home/lib"), [path("home/bin/bot")]);
    }

    #[test]
    fn files_of_the_system_need_no_grant() {
        let spec = EngineSpec {
            program: Some("/bin/sh".into()),
            ..EngineSpec::default()
        };
        assert_eq!(Grants::of(&spec), Grants::default());
    }
}
