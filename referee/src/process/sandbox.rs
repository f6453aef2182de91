//! The strict sandbox: what an engine may do with files, processes and the network.
//!
//! Landlock allows an engine to read the system's programs and libraries and its own folder, to
//! write to its scratch folder, and to send signals only to its own processes. A seccomp filter
//! refuses what Landlock does not cover: sockets, reading or changing other processes, leaving the
//! session, namespaces. A referee that runs as root drops all capabilities. Every process of the
//! engine inherits the sandbox.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use rustix::io::Errno;
use rustix::thread::{
    CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities,
};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};

use crate::task::EngineSpec;

/// The newest Landlock version whose access rights and scopes are requested; older kernels ignore
/// what they do not support.
const NEWEST: ABI = ABI::V6;

/// What programs need from the system to start and to detect the machine.
const READABLE: [&str; 11] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/proc",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
];

/// Devices that every program may use.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// System calls that are always refused, with EPERM.
const REFUSED: [i64; 24] = [
    // The network. `io_uring` could open sockets, too.
    libc::SYS_socket,
    libc::SYS_io_uring_setup,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    // Leaving the session, the process group or the core; changing priorities.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    // New namespaces, in which every user may act as root.
    libc::SYS_unshare,
    libc::SYS_setns,
    // The user's kernel keyrings.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
];

/// On x86-64 every system call has a second number, for the x32 ABI (32-bit pointers).
const SECOND_NUMBER: i64 = if cfg!(target_arch = "x86_64") {
    0x4000_0000
} else {
    0
};

/// A sandbox that an engine's process can enter.
pub(super) struct Sandbox {
    files: Option<RulesetCreated>,
    filters: Vec<BpfProgram>,
}

impl Sandbox {
    /// The sandbox of an engine with this scratch folder, as far as the kernel supports it.
    pub(super) fn new(spec: &EngineSpec, scratch: &Path) -> io::Result<Sandbox> {
        let filters = match filtered() {
            Some(arch) => filters(arch).map_err(io::Error::other)?,
            None => Vec::new(),
        };
        let files = files(spec, scratch).map_err(io::Error::other)?;
        Ok(Sandbox {
            files: Some(files),
            filters,
        })
    }

    /// Confines the calling thread and its future children. Only makes system calls.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        if rustix::process::geteuid().is_root() {
            drop_capabilities()?;
        }
        if let Some(files) = self.files.take() {
            let entered = files.restrict_self();
            entered.map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied))?;
        }
        for filter in &self.filters {
            let entered = seccompiler::apply_filter(filter);
            entered.map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied))?;
        }
        Ok(())
    }
}

/// Drops all capabilities, also for programs that are started later.
fn drop_capabilities() -> rustix::io::Result<()> {
    for capability in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << capability);
        match remove_capability_from_bounding_set(capability) {
            // Past the last capability that the kernel knows.
            Err(Errno::INVAL) => break,
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

/// Parts of the strict sandbox that this system does not support, one line each.
pub(super) fn lacking() -> Vec<&'static str> {
    let has = |ruleset: Result<Ruleset, RulesetError>| ruleset.and_then(Ruleset::create).is_ok();
    let strict = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let files = |abi| has(strict().handle_access(AccessFs::from_all(abi)));
    let mut lines = Vec::new();
    if !files(ABI::V1) {
        lines.push("files: the kernel has no Landlock");
    } else if !files(ABI::V3) {
        lines.push("truncating files: the kernel's Landlock is older than version 3");
    }
    if !has(strict().scope(Scope::Signal)) {
        lines.push("signals to others: the kernel's Landlock is older than version 6");
    }
    if filtered().is_none() {
        lines.push("network, ptrace, sessions: no seccomp filter for this kernel or processor");
    }
    lines
}

/// The processor architecture, if a seccomp filter is possible on this system.
fn filtered() -> Option<TargetArch> {
    let kernel = Path::new("/proc/sys/kernel/seccomp").exists();
    TargetArch::try_from(std::env::consts::ARCH)
        .ok()
        .filter(|_| kernel)
}

/// The rules about files and signals.
fn files(spec: &EngineSpec, scratch: &Path) -> Result<RulesetCreated, RulesetError> {
    let read = AccessFs::from_read(NEWEST);
    let device = AccessFs::ReadFile | AccessFs::WriteFile;
    Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(READABLE, read))?
        .add_rules(path_beneath_rules(own(spec), read))?
        .add_rules(path_beneath_rules(DEVICES, device))?
        .add_rules(path_beneath_rules([scratch], AccessFs::from_all(NEWEST)))
}

/// The engine's own files and folders.
fn own(spec: &EngineSpec) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = spec.directory.iter().cloned().collect();
    let wrapper = spec.wrapper.first().map(Path::new);
    let program = spec.program.as_deref();
    let programs = [wrapper, program.or(spec.command.first().map(Path::new))];
    // Arguments that name files in the folder of the league file, such as a script for an
    // interpreter.
    let words = spec.command.iter().skip(1).zip(&spec.arguments);
    let files = words.filter(|(word, argument)| word != argument);
    let files = files.map(|(_, argument)| Path::new(argument));
    for file in programs.into_iter().flatten().chain(files) {
        match std::fs::canonicalize(file) {
            // The referee itself, but nothing else in its folder.
            Ok(path) if file.starts_with("/proc/self") => paths.push(path),
            // For a file in `/`, allow the file only.
            Ok(path) => paths.push(match path.parent() {
                Some(folder) if folder != Path::new("/") => folder.to_owned(),
                _ => path,
            }),
            // Found through PATH; its folders are readable if they belong to the system.
            Err(_) => {}
        }
    }
    paths
}

/// The filters: calls that are refused, and calls that appear not to exist.
fn filters(arch: TargetArch) -> Result<Vec<BpfProgram>, BackendError> {
    let refused = REFUSED.map(|call| (call, Vec::new()));
    // Changing limits of other processes, and creating user namespaces.
    let others = condition(0, SeccompCmpOp::Ne, 0)?;
    let new_user = libc::CLONE_NEWUSER as u64;
    let namespace = condition(0, SeccompCmpOp::MaskedEq(new_user), new_user)?;
    let some = [
        (libc::SYS_prlimit64, vec![others]),
        (libc::SYS_clone, vec![namespace]),
    ];
    // A filter cannot read the arguments of `clone3`. With ENOSYS, the C library falls back to
    // `clone`.
    let absent = [(libc::SYS_clone3, Vec::new())];
    Ok(vec![
        filter(refused.into_iter().chain(some), libc::EPERM, arch)?,
        filter(absent, libc::ENOSYS, arch)?,
    ])
}

/// A filter that answers the given calls with `error` and allows all others.
fn filter(
    calls: impl IntoIterator<Item = (i64, Vec<SeccompRule>)>,
    error: i32,
    arch: TargetArch,
) -> Result<BpfProgram, BackendError> {
    let both = |(call, rules): (i64, Vec<SeccompRule>)| {
        [(call, rules.clone()), (call | SECOND_NUMBER, rules)]
    };
    let calls = calls.into_iter().flat_map(both).collect();
    let refuse = SeccompAction::Errno(error as u32);
    SeccompFilter::new(calls, SeccompAction::Allow, refuse, arch)?.try_into()
}

/// A condition on one argument of 32 bits.
fn condition(argument: u8, is: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    let length = SeccompCmpArgLen::Dword;
    SeccompRule::new(vec![SeccompCondition::new(argument, length, is, value)?])
}
