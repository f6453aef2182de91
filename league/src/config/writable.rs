//! Refuses to let an engine change what decides where another grant leads.
//!
//! Paths are followed anew at every start. An engine that may write to a folder could exchange a file or
//! a folder in it for a link to anything, and the next start would grant that.

use std::fs;
use std::path::{Path, PathBuf};

use base::error::BadInput;
use base::input;
use engine_process::process::needs;
use task::all_named;
use task::paths::{ends_in, lies_in, ways};

use super::source::Source;
use super::{EngineConfig, Place, Program};

/// A file or folder that must not lie in a writable folder.
struct Named<'e> {
    /// What it is to whom.
    what: String,
    path: &'e Path,
    /// Whether it may be a writable file or folder itself.
    may_be_it: bool,
}

/// Checks the writable files and folders of all engines of the league file at `path`.
///
/// # Errors
/// One in which something lies that an engine is granted, or the league file; or that is a program.
pub(super) fn check(
    source: &Source<'_>,
    path: &Path,
    openings: &[PathBuf],
    engines: &[EngineConfig],
) -> Result<(), BadInput> {
    let files: Vec<PathBuf> = engines.iter().flat_map(files_of).collect();
    let needed: Vec<(String, PathBuf)> = engines.iter().flat_map(needed_by).collect();
    let needed = needed.iter().map(|(what, path)| Named {
        what: what.clone(),
        path,
        may_be_it: false,
    });
    let openings = openings.iter().map(|path| Named {
        what: format!("the file of openings, {},", path.display()),
        path,
        may_be_it: false,
    });
    let league = (!input::is_standard(path)).then(|| Named {
        what: "the league file".to_owned(),
        path,
        may_be_it: false,
    });
    let files = files.iter().map(|path| Named {
        what: format!("{}, which a command names,", path.display()),
        path,
        may_be_it: true,
    });
    let granted = engines.iter().flat_map(grants_of);
    let others = needed.chain(openings).chain(files);
    for named in league.into_iter().chain(granted).chain(others) {
        if let Some((engine, place)) = place_of(engines, named.path, named.may_be_it) {
            let message = refusal(&engines[engine].write[place], &named.what);
            let steps = ["engine".into(), engine.into(), "write".into(), place.into()];
            return Err(source.error(&steps, message));
        }
    }
    Ok(())
}

/// Why no engine of a league may write where its `results` lie, or what is hidden from it; `None` if none
/// may.
pub fn writer_of_secrets(engines: &[EngineConfig], results: &Path) -> Option<String> {
    let hidden = engines.iter().flat_map(|engine| &engine.hidden);
    let results = ("the folder of results", results);
    let hidden = hidden.map(|path| ("what engines must not see", &**path));
    [results]
        .into_iter()
        .chain(hidden)
        .find_map(|(what, path)| {
            let (engine, place) = place_of(engines, path, false)?;
            let EngineConfig { name, write, .. } = &engines[engine];
            let what = format!("{what}, {},", path.display());
            Some(format!("engine {name}: {}", refusal(&write[place], &what)))
        })
}

fn refusal(place: &Place, what: &str) -> String {
    format!(
        "write {:?}: {what} lies there, and the engine could exchange it; expected a folder or file \
         of its own, such as write = [\"data\"]",
        place.written
    )
}

/// The first writable place, by its engine and its number, in which something lies on the way to a
/// path.
fn place_of(engines: &[EngineConfig], path: &Path, may_be_it: bool) -> Option<(usize, usize)> {
    let ways = ways(path);
    let holds = |place: &Place| {
        let real = fs::canonicalize(&place.path).unwrap_or_else(|_| place.path.clone());
        ways.iter().any(|way| {
            let is_it = *way == real || *way == place.path;
            let lies_there = way.starts_with(&real) || way.starts_with(&place.path);
            lies_there && !(is_it && may_be_it)
        })
    };
    let mut places = engines
        .iter()
        .map(|engine| engine.write.iter().position(holds))
        .enumerate();
    places.find_map(|(engine, place)| Some((engine, place?)))
}

/// What an engine is granted by its table.
fn grants_of(engine: &EngineConfig) -> impl Iterator<Item = Named<'_>> {
    let of = |what: String, path, may_be_it| Named {
        what: format!("{what} of engine {}", engine.name),
        path,
        may_be_it,
    };
    let program = match &engine.program {
        Program::Builtin(_) => None,
        Program::Command { path, .. } => Some(of("the program".to_owned(), &**path, false)),
    };
    let wrapper = engine.wrapper.as_ref();
    let wrapper = wrapper.map(|wrapper| of("the wrapper".to_owned(), &*wrapper.path, false));
    let places = [
        ("directory", engine.directory.as_slice()),
        ("read", &engine.read),
        ("write", &engine.write),
    ];
    let places = places.into_iter().flat_map(move |(key, places)| {
        (places.iter())
            .map(move |place| of(format!("{key} {:?}", place.written), &*place.path, true))
    });
    program.into_iter().chain(wrapper).chain(places)
}

/// What an engine's program needs to start, besides itself: the interpreter of a script.
fn needed_by(engine: &EngineConfig) -> Vec<(String, PathBuf)> {
    let Program::Command { path, .. } = &engine.program else {
        return Vec::new();
    };
    let needed = needs(path).into_iter().filter(|needed| needed != path);
    let what = |path: &PathBuf| {
        let (name, path) = (&engine.name, path.display());
        format!("{path}, which the program of engine {name} needs,")
    };
    needed.map(|path| (what(&path), path)).collect()
}

/// The files that an engine's command and options name. Those that it may write itself are no grants of
/// their own.
fn files_of(engine: &EngineConfig) -> Vec<PathBuf> {
    let directory = engine.directory.as_ref().map(|found| found.path.as_path());
    let arguments: &[String] = match &engine.program {
        Program::Builtin(_) => &[],
        Program::Command { arguments, .. } => arguments,
    };
    let mut named = all_named(arguments, &engine.sent_options, directory);
    let is_own = |path: &Path| engine.write.iter().any(|place| ends_in(path, &place.path));
    named.retain(|path| path.parent().is_some() && !is_own(path));
    named
}

/// Whether a file lies in what the engine may change.
pub(crate) fn is_written(path: &Path, engine: &EngineConfig) -> bool {
    let mut write = engine.write.iter();
    write.any(|place| lies_in(path, &place.path))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::super::Config;
    use super::*;

    /// The message for an engine that may write to `shared`, beside another with these keys.
    fn refused(keys: &str, other: &str) -> Option<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        for inner in ["shared/in", "own"] {
            fs::create_dir_all(place(inner)).expect("a folder");
        }
        for file in [
            "bot",
            "shared/bot",
            "shared/in/net",
            "shared/log.txt",
            "own/net",
        ] {
            fs::write(place(file), "#!/bin/sh\n").expect("a file");
            let rights = fs::Permissions::from_mode(0o755);
            fs::set_permissions(place(file), rights).expect("rights");
        }
        let script = format!("#!{}\n", place("shared/bot").display());
        fs::write(place("script"), script).expect("a script");
        fs::set_permissions(place("script"), fs::Permissions::from_mode(0o755)).expect("rights");
        symlink(place("shared/in"), place("link")).expect("a link");
        symlink(place("own/net"), place("shared/away")).expect("a link");
        let text = format!(
            "[league]\nname = \"x\"\ngames = [\"hex\"]\n[clock]\nmove = \"1s\"\n\
             [[engine]]\nname = \"a\"\n{keys}\n[[engine]]\nname = \"b\"\n{other}\n"
        );
        let found = Config::parse(&place("league.toml"), &text, &[]);
        let message = found.err()?.to_string();
        let message = message.split_once(":9: ").expect("the line of `write`").1;
        let place = folder.path().to_string_lossy().into_owned();
        Some(message.replace(&*place, "HERE"))
    }

    #[test]
    fn a_writable_folder_holds_no_other_grant() {
        let writer = "command = [\"./bot\"]\nwrite = [\"shared\"]";
        for (other, what) in [
            ("command = [\"./shared/bot\"]", "the program of engine b"),
            ("command = [\"./link/../bot\"]", "the program of engine b"),
            (
                "command = [\"./script\"]",
                "HERE/shared/bot, which the program of engine b needs,",
            ),
            (
                "command = [\"./bot\"]\nwrapper = [\"./shared/bot\"]",
                "the wrapper of engine b",
            ),
            (
                "command = [\"./bot\"]\nread = [\"link\"]",
                "read \"link\" of engine b",
            ),
            (
                "command = [\"./bot\"]\nread = [\"shared/away\"]",
                "read \"shared/away\" of engine b",
            ),
            (
                "command = [\"./bot\"]\nwrite = [\"shared/in\"]",
                "write \"shared/in\" of engine b",
            ),
            (
                "command = [\"./bot\"]\ndirectory = \"shared/in\"",
                "directory \"shared/in\" of engine b",
            ),
            (
                "command = [\"./bot\", \"./shared/in/../../own/net\"]\nwrite = [\"shared\"]",
                "HERE/shared/in/../../own/net, which a command names,",
            ),
            (
                "command = [\"./bot\", \"--net=shared/in/net\"]",
                "HERE/shared/in/net, which a command names,",
            ),
        ] {
            let expected = format!(
                "write \"shared\": {what} lies there, and the engine could exchange it; expected a folder or file of its own, such as write = [\"data\"]"
            );
            assert_eq!(refused(writer, other), Some(expected), "{other}");
        }
        for other in [
            "command = [\"./bot\"]\nread = [\"own\"]",
            "command = [\"./bot\"]\nread = [\"shared\"]",
            "command = [\"./bot\"]\nwrite = [\"shared\"]",
            "command = [\"./bot\"]\ndirectory = \"shared\"",
            "command = [\"./bot\", \"--log=shared/log.txt\"]\nwrite = [\"shared\"]",
            "builtin = \"random\"",
        ] {
            assert_eq!(refused(writer, other), None, "{other}");
        }
    }

    #[test]
    fn a_program_and_the_league_file_are_not_writable() {
        let other = "builtin = \"random\"";
        for (write, what) in [("bot", "the program of engine a"), (".", "the league file")] {
            let keys = format!("command = [\"./bot\"]\nwrite = [\"{write}\"]");
            let message = refused(&keys, other).expect("a message");
            assert!(
                message.contains(&format!(": {what} lies there")),
                "{message}"
            );
        }
    }
}
