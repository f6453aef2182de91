//! Which of the files that an engine may only read the kernel can show in an overlay, so that the engine's
//! locks are nobody else's.
//!
//! Not every system allows overlays in namespaces of users, and not every folder can be a layer: not
//! one in which something is mounted, for example. What cannot be is bound as it is, and the log says
//! so.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use rustix::io::Errno;
use task::{EngineSpec, all_named};

use super::enter;
use super::grants::Grants;
use super::view::View;

/// What the log says where nothing is in overlays.
pub(super) const SHARED: &str =
    "locks of files that others open: the system has no overlays for engines";

/// The view of an engine with these grants that may write so much, MiB.
pub(super) fn view(grants: &Grants, size_mb: u64) -> View {
    let layers = of_system().is_ok();
    View::new(grants, size_mb, layers, |real| can_be(real).is_ok())
}

/// What of the files that the engine may read is not in overlays, one line each. Found once for all
/// engines with the same program, files and folders: the log asks in every game.
pub(super) fn lacking(spec: &EngineSpec) -> Vec<String> {
    static KNOWN: Mutex<Option<HashMap<Files, Vec<String>>>> = Mutex::new(None);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let files = Files::of(spec);
    if let Some(lines) = known().as_ref().and_then(|known| known.get(&files)) {
        return lines.clone();
    }
    let lines = refused(&Grants::of(spec));
    known().get_or_insert_default().insert(files, lines.clone());
    lines
}

/// What decides which files an engine may read.
#[derive(PartialEq, Eq, Hash)]
struct Files {
    /// Its command's program, what is started for it, its wrapper.
    programs: [Option<PathBuf>; 3],
    named: Vec<PathBuf>,
    directory: Option<PathBuf>,
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
}

impl Files {
    fn of(spec: &EngineSpec) -> Files {
        let first = |words: &[String]| words.first().map(PathBuf::from);
        Files {
            programs: [
                first(&spec.command),
                spec.program.clone(),
                first(&spec.wrapper),
            ],
            named: all_named(&spec.arguments, &spec.options, None),
            directory: spec.directory.clone(),
            read: spec.read.clone(),
            write: spec.write.clone(),
        }
    }
}

/// The files and folders to read that are not in overlays, one line each.
fn refused(grants: &Grants) -> Vec<String> {
    if let Err(error) = of_system() {
        return vec![format!("{SHARED} ({error})")];
    }
    let real = grants.read.iter().flat_map(fs::canonicalize);
    let refused = real.filter_map(|path| Some((can_be(&path).err()?, path)));
    let line = |(error, path): (Errno, PathBuf)| {
        format!(
            "locks of {}, where others open it: it cannot be in an overlay ({error})",
            path.display()
        )
    };
    refused.map(line).collect()
}

/// Whether the system's folders can be layers. Tried once.
fn of_system() -> Result<(), Errno> {
    static TRIED: OnceLock<Result<(), Errno>> = OnceLock::new();
    *TRIED.get_or_init(|| enter(View::new(&Grants::default(), 1, true, |_| false)))
}

/// Whether a file or folder, by its real path, can be a layer. Each is tried once.
fn can_be(real: &Path) -> Result<(), Errno> {
    static TRIED: Mutex<Option<HashMap<PathBuf, Result<(), Errno>>>> = Mutex::new(None);
    of_system()?;
    let tried = || TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&known) = tried().as_ref().and_then(|tried| tried.get(real)) {
        return known;
    }
    let grants = Grants {
        read: vec![real.to_owned()],
        ..Grants::default()
    };
    let result = enter(View::new(&grants, 1, true, |_| true));
    // A machine without room for another process says nothing of the folder.
    if !matches!(result, Err(Errno::AGAIN | Errno::NOMEM)) {
        let mut tried = tried();
        (tried.get_or_insert_default()).insert(real.to_owned(), result);
    }
    result
}
