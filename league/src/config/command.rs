//! Commands of engines: the program and the files that their words name.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The executable of a command: relative to `folder` if it contains a slash, otherwise searched in
/// `PATH`.
///
/// # Errors
/// A message that says what was found and what was expected.
pub fn find_program(folder: &Path, words: &[String]) -> Result<PathBuf, String> {
    let Some(program) = words.first().filter(|program| !program.is_empty()) else {
        return Err("no program, expected [\"program\", \"argument\", …]".to_owned());
    };
    if words.iter().any(|word| word.contains('\0')) {
        return Err("a NUL in a command, expected text".to_owned());
    }
    let found = if program.contains('/') {
        Some(folder.join(program)).filter(|path| is_program(path))
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .map(|folder| folder.join(program))
            .find(|path| is_program(path))
    };
    found
        .and_then(|path| std::path::absolute(path).ok())
        .ok_or_else(|| {
            let place = if program.contains('/') {
                // The path of a file in the current folder has an empty folder, which is none.
                let folder = std::path::absolute(folder.join(".")).unwrap_or_default();
                format!("in {}", folder.display())
            } else {
                "in PATH".to_owned()
            };
            format!("program {program:?}, expected an executable file {place}")
        })
}

/// The arguments of a command. The engine runs in another folder, so a word that names a file in
/// `folder` becomes an absolute path, by itself or after its first `=`: `ours.py`, `--net=nets/a.bin`.
/// A word with neither a point nor a slash names none, and only one that begins with `./` or `../` names
/// a folder. What names a file in the engine's own `directory` stays as it is.
pub fn find_arguments(folder: &Path, words: &[String], directory: Option<&Path>) -> Vec<String> {
    let file = |name: &str| {
        let path = folder.join(name);
        let is_path = name.starts_with("./") || name.starts_with("../");
        let is_file = name.contains(['.', '/']) && path.is_file();
        let is_own = directory.is_some_and(|own| !is_path && own.join(name).exists());
        let is_named = is_path && path.exists() || is_file && !is_own;
        let absolute = std::path::absolute(path).ok().filter(|_| is_named)?;
        Some(absolute.to_string_lossy().into_owned())
    };
    let argument = |word: &String| {
        let value = || {
            let (key, value) = word.split_once('=')?;
            Some(format!("{key}={}", file(value)?))
        };
        file(word).or_else(value).unwrap_or_else(|| word.clone())
    };
    words[1..].iter().map(argument).collect()
}

/// Whether the path is an executable file.
fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}
