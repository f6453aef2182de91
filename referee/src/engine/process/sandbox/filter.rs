//! System calls that engines may not make, by a seccomp filter.

use std::path::Path;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};

/// System calls that are always refused, with EPERM.
const REFUSED: [i64; 27] = [
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
    // Leaving the core; changing priorities.
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
    // Memory and messages of System V, which outlive the engine and are open to its opponent, and
    // the message queues of POSIX.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
];

/// System calls that are refused outside namespaces of its own: leaving the session and the process
/// group.
const REFUSED_OUTSIDE: [i64; 2] = [libc::SYS_setsid, libc::SYS_setpgid];

/// On x86-64 every system call has a second number, for the x32 ABI (32-bit pointers).
const SECOND_NUMBER: i64 = if cfg!(target_arch = "x86_64") {
    0x4000_0000
} else {
    0
};

/// The processor architecture, if a filter is possible on this system.
pub(super) fn supported() -> Option<TargetArch> {
    let kernel = Path::new("/proc/sys/kernel/seccomp").exists();
    TargetArch::try_from(std::env::consts::ARCH)
        .ok()
        .filter(|_| kernel)
}

/// The filters of an engine, in namespaces of its own or outside: calls that are refused, and calls
/// that appear not to exist.
pub(super) fn filters(arch: TargetArch, outside: bool) -> Result<Vec<BpfProgram>, BackendError> {
    let more = REFUSED_OUTSIDE.into_iter().filter(|_| outside);
    let refused = REFUSED
        .into_iter()
        .chain(more)
        .map(|call| (call, Vec::new()));
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
        filter(refused.chain(some), libc::EPERM, arch)?,
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
