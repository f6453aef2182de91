//! Where paths lead: by which links, through which folders.

use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// How many links of a path are followed, as the kernel does.
const MOST_LINKS: usize = 40;

/// Whether something on the way to a path lies in a folder, or is the folder itself: whoever may change the
/// folder decides where the path leads, even if it leads out of it again.
pub fn lies_in(path: &Path, folder: &Path) -> bool {
    let real = folder.canonicalize();
    let real = real.as_deref().unwrap_or(folder);
    let lies = |way: &PathBuf| way.starts_with(real) || way.starts_with(folder);
    ways(path).iter().any(lies)
}

/// Whether a path ends in a folder, or at the folder itself: by its name, or by links.
pub fn ends_in(path: &Path, folder: &Path) -> bool {
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => {
            let is_plain = !path.components().any(|part| part == Component::ParentDir);
            is_plain && path.starts_with(folder)
        }
    }
}

/// All files and folders on the way to a file, as the system follows it: links, what they lead to, and
/// the file itself.
pub fn ways(path: &Path) -> Vec<PathBuf> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut ways = Vec::new();
    let mut at = PathBuf::from("/");
    let mut links = 0;
    let mut left = parts(&path);
    while let Some(part) = left.pop() {
        if part == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&part);
        ways.push(next.clone());
        match fs::read_link(&next) {
            Ok(target) if links < MOST_LINKS => {
                links += 1;
                if target.is_absolute() {
                    at = PathBuf::from("/");
                }
                left.extend(parts(&target));
            }
            _ => at = next,
        }
    }
    ways
}

/// The names in a path, the last one first.
fn parts(path: &Path) -> Vec<OsString> {
    let names = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_path_lies_where_any_of_its_links_lies() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        for name in ["data", "own"] {
            fs::create_dir(place(name)).expect("a folder");
        }
        fs::write(place("own/file"), "").expect("a file");
        fs::write(place("data/book"), "").expect("a file");
        symlink("data", place("link")).expect("a link");
        symlink("../own", place("data/away")).expect("a link");
        for path in [
            "data",
            "data/book",
            "data/none",
            "link/book",
            "own/../data/book",
            "./data/../data/book",
            "data/away/file",
            "link/away",
        ] {
            assert!(lies_in(&place(path), &place("data")), "{path}");
            let ends = !path.contains("away");
            assert_eq!(ends_in(&place(path), &place("data")), ends, "{path}");
        }
        // The way to it does not change with what the engine does there.
        fs::remove_file(place("data/book")).expect("it is there");
        symlink("../own/file", place("data/book")).expect("a link");
        for path in ["data/book", "link/book", "data/../data/book"] {
            assert!(lies_in(&place(path), &place("data")), "{path}");
            assert!(!ends_in(&place(path), &place("data")), "{path}");
        }
        for path in ["own", "own/file", "other", "database"] {
            assert!(!lies_in(&place(path), &place("data")), "{path}");
        }
    }
}
