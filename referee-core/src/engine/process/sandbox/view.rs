//! The files that an engine sees: a tree of its own, in which only what it may use exists.
//!
//! The tree is built in a new mount namespace. Files and folders of the machine are bound into an
//! empty root at their own places, read-only unless the engine may change them. `/tmp` and
//! `/dev/shm` are the engine's own, in memory, and go with it. `/proc` shows its own processes.

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

/// The rights of folders that only lead to others.
const FOLDER: Mode = Mode::from_raw_mode(0o755);

/// Folders in memory, of the size that the engine may fill in each.
pub(super) const IN_MEMORY: [&CStr; 2] = [c"/tmp", c"/dev/shm"];

/// How many files the engine may have in a folder in memory, because each takes memory, too.
const MOST_FILES: u64 = 100_000;

/// What a tree consists of, prepared so that building it only makes system calls.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct View {
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
}

impl View {
    /// The view of an engine with these grants that may write so much, MiB.
    pub(super) fn new(grants: &Grants, size_mb: u64) -> View {
        let mut own = Plan {
            readable: system().readable.clone(),
            ..Plan::default()
        };
        let mut read: Vec<&PathBuf> = grants.read.iter().collect();
        read.sort_by_key(|path| path.components().count());
        read.into_iter().for_each(|path| own.add(path, false));
        grants.write.iter().for_each(|path| own.add(path, true));
        // A size of 0 would be no limit.
        let size = format!(
            "size={},nr_inodes={MOST_FILES},mode=700",
            (size_mb << 20).max(1)
        );
        View {
            own: own.steps,
            size: CString::new(size).unwrap_or_default(),
        }
    }

    /// Makes this view the file system of the calling process, which must be the first of its PID
    /// namespace and have a mount namespace of its own. `system` is the part that all views have in
    /// common. Only makes system calls.
    pub(super) fn enter(&self, system: &[Step]) -> rustix::io::Result<()> {
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
        mount::unmount(c"/old", UnmountFlags::DETACH)?;
        rustix::fs::rmdir(c"/old")?;
        set_read_only(c"/", 0)
    }
}

/// Flags of all new file systems: no devices, no programs with the rights of others.
const NO_PROGRAMS_OF_OTHERS: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

impl Step {
    fn build(&self) -> rustix::io::Result<()> {
        make(match self {
            Step::Folder(path) => rustix::fs::mkdir(path, FOLDER),
            Step::File(path) => {
                let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY;
                rustix::fs::open(path, flags, Mode::from_raw_mode(0o644)).map(drop)
            }
            Step::Link(target, at) => rustix::fs::symlink(target, at),
            Step::Bind { from, to, writable } => {
                // With the mounts below it: binding without them would show what they hide.
                rustix::mount::mount_bind_recursive(from, to)?;
                if !writable {
                    set_read_only(to, libc::AT_RECURSIVE)?;
                }
                Ok(())
            }
        })
    }
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

/// The steps that all views have in common.
pub(super) fn system_steps() -> &'static [Step] {
    &system().steps
}

fn system() -> &'static Plan {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    PLAN.get_or_init(|| {
        let mut plan = Plan::default();
        let devices = grants::DEVICES.iter().map(Path::new);
        let paths = grants::system().iter().map(PathBuf::as_path);
        paths.chain(devices).for_each(|path| plan.add(path, false));
        plan
    })
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
    fn add(&mut self, path: &Path, writable: bool) {
        let Ok(real) = fs::canonicalize(path) else {
            return;
        };
        // These stay the engine's own, and so does the root.
        let own = [HOME, "/dev/shm", "/proc"].map(Path::new);
        if own.iter().any(|own| own.starts_with(&real)) {
            return;
        }
        let covered = self.readable.iter().any(|folder| real.starts_with(folder));
        if writable || !covered {
            self.parents(&real);
            self.steps.push(match real.is_dir() {
                true => Step::Folder(text(&real)),
                false => Step::File(text(&real)),
            });
            let mut from = PathBuf::from(OLD).into_os_string();
            from.push(&real);
            self.steps.push(Step::Bind {
                from: text(Path::new(&from)),
                to: text(&real),
                writable,
            });
        }
        if path != real && !self.readable.iter().any(|folder| path.starts_with(folder)) {
            self.parents(path);
            self.steps.push(Step::Link(text(&real), text(path)));
        }
        self.readable.push(real);
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

/// A path as the system takes it. A path that exists contains no zero byte.
fn text(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}
