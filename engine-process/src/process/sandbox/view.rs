//! The files that an engine sees: a tree of its own, in which only what it may use exists.
//!
//! The tree is built in a new mount namespace. Files and folders of the machine are bound into an
//! empty root at their own places, read-only unless the engine may change them. `/tmp` and
//! `/dev/shm` are the engine's own, in memory, and go with it. `/proc` shows its own processes.
//!
//! What an engine may only read, it sees as a layer of an overlay of its own: the kernel then has nodes
//! of its own for these files, and locks, leases and watches of one engine are nobody else's.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use serde::{Deserialize, Serialize};

use super::grants::{self, Grants};

/// Where the engine's own files are.
pub(super) const HOME: &str = "/tmp";

/// Where the machine's files are while the tree is built.
const OLD: &str = "/old";

/// An empty folder, a file system of its own: an overlay needs two.
const NOTHING: &CStr = c"/nothing";

/// The folders of an overlay: the working directory and [`NOTHING`].
const LAYERS: &CStr = c"lowerdir=.:/nothing";

/// Where the folder of a file is mounted until the file is bound to its place.
const LAYER: &CStr = c"/layer";

/// The rights of folders that only lead to others.
const FOLDER: Mode = Mode::from_raw_mode(0o755);

/// Folders in memory, of the size that the engine may fill in each.
pub(super) const IN_MEMORY: [&CStr; 2] = [c"/tmp", c"/dev/shm"];

/// How many files the engine may have in a folder in memory, because each takes memory, too.
const MOST_FILES: u64 = 100_000;

/// What a tree consists of, prepared so that building it only makes system calls.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct View {
    /// Whether the system's folders are layers, too.
    pub(super) layers: bool,
    /// The engine's own part, which may lie in `/tmp`.
    pub(super) own: Vec<Step>,
    /// Options of the file systems in memory.
    pub(super) size: CString,
}

/// A part of the tree. Parts that exist already, because they lie within others, are left alone.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Step {
    /// An empty folder.
    Folder(CString),
    /// An empty file, to bind another to it.
    File(CString),
    /// A symbolic link at the second path to the first.
    Link(CString, CString),
    /// A file or folder of the machine.
    Bind {
        from: CString,
        to: CString,
        writable: bool,
    },
    /// A folder of the machine, read-only, in an overlay of its own.
    Layer { folder: CString, to: CString },
    /// A file in a folder of the machine, by its name in [`LAYER`].
    LayerFile {
        folder: CString,
        file: CString,
        to: CString,
    },
    /// An empty folder in place of the one at this path, if the tree has it.
    HideFolder(CString),
    /// The same for a file.
    HideFile(CString),
}

impl View {
    /// The view of an engine with these grants that may write so much, MiB. Its own files that it may
    /// only read are layers if `is_layer` says so of their real paths; the system's are if `layers`.
    pub(super) fn new(
        grants: &Grants,
        size_mb: u64,
        layers: bool,
        is_layer: impl Fn(&Path) -> bool,
    ) -> View {
        let mut own = Plan {
            readable: system(layers).readable.clone(),
            ..Plan::default()
        };
        let mut read: Vec<&PathBuf> = grants.read.iter().collect();
        read.sort_by_key(|path| path.components().count());
        (read.into_iter()).for_each(|path| own.add(path, Access::Read, &is_layer));
        (grants.write.iter()).for_each(|path| own.add(path, Access::Write, &is_layer));
        own.hide(&grants.hidden);
        // A size of 0 would be no limit.
        let size = format!(
            "size={},nr_inodes={MOST_FILES},mode=700",
            (size_mb << 20).max(1)
        );
        View {
            layers,
            own: own.steps,
            size: CString::new(size).unwrap_or_default(),
        }
    }

    /// Makes this view the file system of the calling process, which must be the first of its PID
    /// namespace and have a mount namespace of its own. `system` is the part that all views have in
    /// common, without layers and with them. Only makes system calls.
    pub(super) fn enter(&self, system: [&[Step]; 2]) -> rustix::io::Result<()> {
        use rustix::mount;
        let apart = MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC;
        mount::mount_change(c"/", apart)?;
        // Any folder serves; the new root covers it only until the roots are exchanged.
        mount::mount(
            c"none",
            c"/proc",
            c"tmpfs",
            NO_PROGRAMS_OF_OTHERS,
            c"mode=755",
        )?;
        rustix::process::chdir(c"/proc")?;
        rustix::fs::mkdir(c"old", Mode::RWXU)?;
        rustix::process::pivot_root(c".", c"old")?;
        rustix::process::chdir(c"/")?;
        rustix::fs::mkdir(NOTHING, FOLDER)?;
        mount::mount(
            c"none",
            NOTHING,
            c"tmpfs",
            NO_PROGRAMS_OF_OTHERS | MountFlags::RDONLY,
            c"mode=555",
        )?;
        rustix::fs::mkdir(LAYER, FOLDER)?;
        let system = system[usize::from(self.layers)];
        system.iter().try_for_each(Step::build)?;
        rustix::fs::mkdir(c"/proc", Mode::RWXU)?;
        // Read-only: root's processes may change the machine's settings there without capabilities.
        let proc = NO_PROGRAMS_OF_OTHERS | MountFlags::NOEXEC | MountFlags::RDONLY;
        mount::mount(c"none", c"/proc", c"proc", proc, None)?;
        for folder in IN_MEMORY {
            make(rustix::fs::mkdir(folder, FOLDER))?;
            mount::mount(
                c"none",
                folder,
                c"tmpfs",
                NO_PROGRAMS_OF_OTHERS,
                &*self.size,
            )?;
        }
        self.own.iter().try_for_each(Step::build)?;
        rustix::process::chdir(c"/")?;
        mount::unmount(c"/old", UnmountFlags::DETACH)?;
        rustix::fs::rmdir(c"/old")?;
        rustix::fs::rmdir(LAYER)?;
        // The folder itself goes on in the overlays: of one that is removed they would list nothing.
        mount::unmount(NOTHING, UnmountFlags::DETACH)?;
        rustix::fs::rmdir(NOTHING)?;
        set_read_only(c"/", 0)
    }
}

/// Flags of all new file systems: no devices, no programs with the rights of others.
const NO_PROGRAMS_OF_OTHERS: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

impl Step {
    fn build(&self) -> rustix::io::Result<()> {
        use rustix::mount;
        make(match self {
            Step::Folder(path) => rustix::fs::mkdir(path, FOLDER),
            Step::File(path) => {
                let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY;
                rustix::fs::open(path, flags, Mode::from_raw_mode(0o644)).map(drop)
            }
            Step::Link(target, at) => rustix::fs::symlink(target, at),
            Step::Bind { from, to, writable } => {
                // With the mounts below it: binding without them would show what they hide.
                mount::mount_bind_recursive(from, to)?;
                if !writable {
                    set_read_only(to, libc::AT_RECURSIVE)?;
                }
                Ok(())
            }
            Step::HideFolder(at) => covered(mount::mount(
                c"none",
                at,
                c"tmpfs",
                NO_PROGRAMS_OF_OTHERS | MountFlags::RDONLY,
                c"mode=755",
            )),
            Step::HideFile(at) => covered(mount::mount_bind(c"/dev/null", at)),
            Step::Layer { folder, to } => lay(folder, to),
            Step::LayerFile { folder, file, to } => {
                lay(folder, LAYER)?;
                mount::mount_bind(file, to)?;
                mount::unmount(LAYER, UnmountFlags::DETACH)
            }
        })
    }
}

/// The result of covering a part of the tree, which may not exist.
fn covered(made: rustix::io::Result<()>) -> rustix::io::Result<()> {
    match made {
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(()),
        made => made,
    }
}

/// Mounts an overlay with one folder, read-only. The kernel refuses folders in which others are
/// mounted: it would show what these hide.
fn lay(folder: &CStr, at: &CStr) -> rustix::io::Result<()> {
    // By the working directory, because colons and commas in its path would be marks.
    rustix::process::chdir(folder)?;
    let flags = NO_PROGRAMS_OF_OTHERS | MountFlags::RDONLY;
    rustix::mount::mount(c"none", at, c"overlay", flags, LAYERS)
}

/// The result of making a part of the tree, which may exist already.
fn make(made: rustix::io::Result<()>) -> rustix::io::Result<()> {
    match made {
        Err(Errno::EXIST | Errno::ROFS) => Ok(()),
        made => made,
    }
}

/// Makes a mount read-only.
fn set_read_only(path: &CStr, flags: libc::c_int) -> rustix::io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: the path ends with a zero byte, and the size is that of the attributes.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    match result {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::NOSYS)),
    }
}

/// The steps that all views have in common, without layers or with them.
pub(super) fn system_steps(layers: bool) -> &'static [Step] {
    &system(layers).steps
}

fn system(layers: bool) -> &'static Plan {
    static PLANS: [OnceLock<Plan>; 2] = [const { OnceLock::new() }; 2];
    PLANS[usize::from(layers)].get_or_init(|| {
        let mut plan = Plan::default();
        let devices = grants::DEVICES.iter().map(Path::new);
        let paths = grants::system().iter().map(PathBuf::as_path);
        // Nobody locks the single files, and those of `/sys` are none.
        let is_layer = |real: &Path| layers && real.is_dir() && !real.starts_with("/sys");
        let paths = paths.chain(devices);
        paths.for_each(|path| plan.add(path, Access::Read, &is_layer));
        plan
    })
}

/// What an engine may do with a file or folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// The steps for a list of paths.
#[derive(Debug, Default)]
struct Plan {
    steps: Vec<Step>,
    /// The folders that are readable in the tree already.
    readable: Vec<PathBuf>,
}

impl Plan {
    /// Adds a file or folder, if it exists, at its place, and at the place of every link to it.
    fn add(&mut self, path: &Path, access: Access, is_layer: &dyn Fn(&Path) -> bool) {
        let Ok(real) = fs::canonicalize(path) else {
            return;
        };
        // These stay the engine's own, and so does the root.
        let own = [HOME, "/dev/shm", "/proc"].map(Path::new);
        if own.iter().any(|own| own.starts_with(&real)) {
            return;
        }
        let covered = self.readable.iter().any(|folder| real.starts_with(folder));
        if access == Access::Write || !covered {
            self.parents(&real);
            self.steps.push(if real.is_dir() {
                Step::Folder(text(&real))
            } else {
                Step::File(text(&real))
            });
            self.steps.push(match access {
                Access::Read if is_layer(&real) => layer(&real),
                _ => Step::Bind {
                    from: old(&real),
                    to: text(&real),
                    writable: access == Access::Write,
                },
            });
        }
        if path != real && !self.readable.iter().any(|folder| path.starts_with(folder)) {
            self.parents(path);
            self.steps.push(Step::Link(text(&real), text(path)));
        }
        self.readable.push(real);
    }

    /// Hides files and folders, by their real paths, that lie in what the engine sees.
    fn hide(&mut self, hidden: &[PathBuf]) {
        for real in hidden.iter().flat_map(fs::canonicalize) {
            if self.readable.iter().any(|folder| real.starts_with(folder)) {
                self.steps.push(if real.is_dir() {
                    Step::HideFolder(text(&real))
                } else {
                    Step::HideFile(text(&real))
                });
            }
        }
    }

    /// The folders above a path.
    fn parents(&mut self, path: &Path) {
        let above: Vec<&Path> = path.ancestors().skip(1).collect();
        let folders = above
            .into_iter()
            .rev()
            .filter(|folder| folder.parent().is_some());
        for folder in folders {
            let step = Step::Folder(text(folder));
            if !self.steps.contains(&step) {
                self.steps.push(step);
            }
        }
    }
}

/// The step that shows a file or folder, by its real path, in an overlay.
fn layer(real: &Path) -> Step {
    match (real.parent(), real.file_name()) {
        (Some(parent), Some(name)) if !real.is_dir() => Step::LayerFile {
            folder: old(parent),
            file: text(&Path::new("/layer").join(name)),
            to: text(real),
        },
        _ => Step::Layer {
            folder: old(real),
            to: text(real),
        },
    }
}

/// The place of a path of the machine while the tree is built.
fn old(real: &Path) -> CString {
    let mut path = PathBuf::from(OLD).into_os_string();
    path.push(real);
    text(Path::new(&path))
}

/// A path as the system takes it. A path that exists contains no zero byte.
fn text(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}
