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
mod layers;
mod programs;
mod request;
mod starter;
mod view;

pub use self::programs::needs;

pub(super) use self::cell::in_copy;

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rustix::io::Errno;
use rustix::thread::{
    CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities,
};
use task::EngineSpec;

use self::filter::Program;
use self::grants::Grants;
use self::landlock::Rules;
use self::request::Request;
use self::starter::Starter;
use self::view::{Step, View};
use super::child::Child;
use super::confine::Preparation;

/// How many folders of a cell have their files in memory.
pub(super) const FOLDERS_IN_MEMORY: usize = view::IN_MEMORY.len();

/// What the cells of all engines have in common.
#[derive(Clone, Copy, Debug)]
struct Common {
    /// The system's files, without layers and with them.
    system: [&'static [Step]; 2],
    filter: Option<&'static Program>,
}

impl Common {
    fn new() -> Common {
        Common {
            system: [false, true].map(view::system_steps),
            filter: filter(true),
        }
    }
}

/// The folder of an engine's own files, if it sees its own files only.
pub(super) fn home() -> Option<&'static Path> {
    cells().ok().map(|()| Path::new(view::HOME))
}

/// Whether engines have cells: whether this system allows them. Tried once.
fn cells() -> Result<(), Errno> {
    static TRIED: OnceLock<Result<(), Errno>> = OnceLock::new();
    *TRIED.get_or_init(|| enter(View::new(&Grants::default(), 1, false, |_| false)))
}

/// Lets a process enter a view and exit.
fn enter(view: View) -> Result<(), Errno> {
    let request = Request {
        arguments: Vec::new(),
        environment: Vec::new(),
        preparation: Preparation {
            directory: c"/".into(),
            ..Preparation::default()
        },
        view,
    };
    let tried = start(&request).and_then(|child| child.started());
    tried.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::PERM))
}

/// Starts an engine in a cell. The caller waits for it by [`Child::started`].
pub(super) fn start_in_cell(
    command: &Command,
    spec: &EngineSpec,
    preparation: Preparation,
) -> io::Result<Child> {
    let text = |word: &OsStr| CString::new(word.as_bytes());
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let variables = command.get_envs().filter_map(|(name, value)| {
        let parts = [name, OsStr::new("="), value?];
        Some(parts.into_iter().collect::<std::ffi::OsString>())
    });
    let grants = Grants::of(spec);
    start(&Request {
        arguments: words.map(text).collect::<Result<_, _>>()?,
        environment: variables.map(|it| text(&it)).collect::<Result<_, _>>()?,
        preparation,
        view: layers::view(&grants, spec.confinement.file_mb),
    })
}

fn start(request: &Request) -> io::Result<Child> {
    let [input, output, errors, failure, report] = [(); 5].map(|()| io::pipe());
    let (input, output, errors) = (input?, output?, errors?);
    let (failure, report) = (failure?, report?);
    let descriptors = [
        input.0.as_fd(),
        output.1.as_fd(),
        errors.1.as_fd(),
        failure.1.as_fd(),
        report.1.as_fd(),
    ];
    let bytes = request.encode()?;
    let ask = |starter: &Starter| starter.start(&bytes, descriptors);
    let mut starter = starter();
    let attendant = match starter.as_ref().map(ask) {
        // At first there is none; later, somebody may have killed it.
        None | Some(Err(Errno::PIPE | Errno::CONNRESET)) => {
            ask(starter.insert(Starter::new(Common::new())?))
        }
        Some(answer) => answer,
    };
    let ends: [OwnedFd; 5] = [
        input.1.into(),
        output.0.into(),
        errors.0.into(),
        failure.0.into(),
        report.0.into(),
    ];
    Child::in_cell(attendant?, ends)
}

fn starter() -> MutexGuard<'static, Option<Starter>> {
    static STARTER: Mutex<Option<Starter>> = Mutex::new(None);
    STARTER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the process that starts the engines, as somebody else might.
#[cfg(test)]
pub(super) fn kill_starter() {
    if let Some(starter) = &*starter() {
        starter.kill();
    }
}

/// The sandbox of an engine without a cell.
pub(super) struct Sandbox {
    rules: Rules,
    filter: Option<&'static Program>,
}

impl Sandbox {
    /// The sandbox of an engine, as far as the system supports it. The engine may write to `scratch`.
    pub(super) fn new(spec: &EngineSpec, scratch: &Path) -> io::Result<Sandbox> {
        Ok(Sandbox {
            rules: Rules::new(&Grants::of(spec), scratch)?,
            filter: filter(false),
        })
    }

    /// Confines what the calling process sees, and its future children. Only makes system calls.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        self.rules.enter()
    }

    /// Takes from the calling process, and its future children, what no engine needs. Only makes
    /// system calls.
    pub(super) fn restrict(&self) -> io::Result<()> {
        restrict(self.filter)
    }
}

/// Takes from the calling process, and its future children, what no engine needs. Only makes system
/// calls.
fn restrict(filter: Option<&Program>) -> io::Result<()> {
    drop_capabilities()?;
    filter.map_or(Ok(()), |program| filter::apply(program))
}

/// The filter of engines in cells or elsewhere, made once; `None` where the system has no filters.
fn filter(in_cells: bool) -> Option<&'static Program> {
    static MADE: [OnceLock<Option<Program>>; 2] = [const { OnceLock::new() }; 2];
    let make = || filter::supported().map(|arch| filter::filter(arch, !in_cells));
    MADE[usize::from(in_cells)].get_or_init(make).as_ref()
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

/// Parts of the sandbox of an engine that this system does not support, one line each.
pub(super) fn lacking(spec: &EngineSpec) -> Vec<String> {
    let mut lines = Vec::new();
    if let Err(error) = cells() {
        lines.push(format!(
            "the sight of other processes and of /tmp: the system refuses namespaces ({error})"
        ));
        lines.extend(landlock::lacking().into_iter().map(str::to_owned));
        lines.push(layers::SHARED.to_owned());
        let grants = Grants::of(spec);
        lines.extend(grants.visible_secrets().into_iter().map(|path| {
            format!(
                "secrets of the league: {} lies in what the engine may read",
                path.display()
            )
        }));
    } else {
        lines.extend(layers::lacking(spec));
    }
    if filter::supported().is_none() {
        lines.push("network, ptrace: no seccomp filter for this kernel or processor".to_owned());
    }
    lines
}
