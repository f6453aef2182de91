//! The sandbox: what an engine may do with files, processes and the network.
//!
//! Where the system allows it, every engine has namespaces of its own (`cell`): it sees no processes
//! but its own, and no files but its own and the system's. Elsewhere Landlock confines files and
//! signals. A filter of system calls (`filter`) refuses what neither covers: sockets, tracing, new
//! namespaces. The engine loses all capabilities, also those of a root user. Every process of the
//! engine inherits the sandbox.

mod cell;
mod filter;
mod grants;
mod landlock;
mod programs;
mod view;

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use rustix::io::Errno;
use rustix::thread::{
    CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities,
};
use seccompiler::BpfProgram;

use self::cell::Cell;
use self::grants::Grants;
use self::landlock::Rules;
use crate::task::EngineSpec;

/// The folder of an engine's own files, if it sees its own files only.
pub(super) fn home() -> Option<&'static Path> {
    cell::network().ok().map(|_| Path::new(view::HOME))
}

/// A sandbox that an engine's process can enter.
pub(super) struct Sandbox {
    place: Place,
    filters: &'static [BpfProgram],
}

/// What confines files and processes.
enum Place {
    Cell(Cell<'static>),
    Rules(Rules),
}

impl Sandbox {
    /// The sandbox of an engine, as far as the system supports it. The engine may write to `scratch`
    /// unless it has a [`home`] of its own.
    pub(super) fn new(spec: &EngineSpec, scratch: &Path) -> io::Result<Sandbox> {
        let grants = Grants::of(spec);
        let place = match cell::network() {
            Ok(network) => Place::Cell(Cell::new(network, &grants, spec.confinement.file_mb)),
            Err(_) => Place::Rules(Rules::new(&grants, scratch)?),
        };
        Ok(Sandbox {
            place,
            filters: filters()?,
        })
    }

    /// Confines what the calling process sees, and its future children. Only makes system calls. A
    /// cell is entered by a child of the calling process: this returns there.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::Cell(cell) => Ok(cell.enter()?),
            Place::Rules(rules) => rules.enter(),
        }
    }

    /// Takes from the calling process, and its future children, what no engine needs. Only makes
    /// system calls.
    pub(super) fn restrict(&self) -> io::Result<()> {
        drop_capabilities()?;
        for filter in self.filters {
            let entered = seccompiler::apply_filter(filter);
            entered.map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied))?;
        }
        Ok(())
    }
}

/// The filters of all engines, made once; none where the system has no filters.
fn filters() -> io::Result<&'static [BpfProgram]> {
    static MADE: OnceLock<Result<Vec<BpfProgram>, String>> = OnceLock::new();
    let make = || match filter::supported() {
        Some(arch) => {
            let outside = cell::network().is_err();
            filter::filters(arch, outside).map_err(|error| error.to_string())
        }
        None => Ok(Vec::new()),
    };
    let made = MADE.get_or_init(make).as_ref();
    made.map(Vec::as_slice)
        .map_err(|error| io::Error::other(error.as_str()))
}

/// Drops all capabilities, also for programs that are started later.
fn drop_capabilities() -> rustix::io::Result<()> {
    for capability in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << capability);
        match remove_capability_from_bounding_set(capability) {
            // Past the last capability that the kernel knows; or an ordinary user, who has none.
            Err(Errno::INVAL | Errno::PERM) => break,
            result => result?,
        }
    }
    let none = CapabilitySet::empty();
    let none = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    set_capabilities(None, none)
}

/// Parts of the sandbox that this system does not support, one line each.
pub(super) fn lacking() -> Vec<String> {
    let mut lines = Vec::new();
    if let Err(error) = cell::network() {
        lines.push(format!(
            "the sight of other processes and of /tmp: the system refuses namespaces ({error})"
        ));
        lines.extend(landlock::lacking().into_iter().map(str::to_owned));
    }
    if filter::supported().is_none() {
        lines.push("network, ptrace: no seccomp filter for this kernel or processor".to_owned());
    }
    lines
}
