//! System calls that engines may not make, by a seccomp filter.
//!
//! The kernel translates a filter anew for every engine, which takes longer the longer the filter is;
//! so it is made by hand, one instruction for each call.

use std::io;
use std::mem::offset_of;
use std::path::Path;

use libc::{seccomp_data, sock_filter};

/// System calls that are always refused, with EPERM.
const REFUSED: [i64; 34] = [
    // The network. `io_uring` could open sockets, too. Pairs of sockets reach only each other as long as
    // neither gets an address.
    libc::SYS_socket,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
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
    // Watching what others read and write.
    libc::SYS_inotify_init1,
    libc::SYS_fanotify_init,
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

/// The older form of a call for watches, which only some processors have.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[libc::SYS_inotify_init];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[];

/// Commands of `fcntl` that are refused: leases, which delay others that open the file, and signals
/// about files.
const REFUSED_OF_FILES: [libc::c_int; 5] = [
    libc::F_SETLEASE,
    libc::F_NOTIFY,
    libc::F_SETOWN,
    // `F_SETSIG` and `F_SETOWN_EX`, which have the same numbers on all processors.
    10,
    15,
];

/// The rights that let a program run with those of its owner or its group: a file with them would give
/// another user those of the referee's.
const RIGHTS_OF_OWNER: u32 = 0o6000;

/// `fchmodat2` has this number on all processors; the C library does not name it on all.
const FCHMODAT2: i64 = 452;

/// Calls that give a file its rights, with the number of the argument that says them, from 0.
const RIGHTS: &[(i64, usize)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (FCHMODAT2, 2),
    (libc::SYS_mknodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
];

/// Calls that may make a file, with the number of the argument that says so; the next one says its rights.
const OPENING: &[(i64, usize)] = &[
    (libc::SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
];

/// With one of these, an opening call makes a file; otherwise its argument for rights may be anything.
const MAKES_FILE: u32 = (libc::O_CREAT | (libc::O_TMPFILE & !libc::O_DIRECTORY)) as u32;

/// The bit of a kind of sockets that says that each message may have an address of its own.
const DATAGRAMS: u32 = libc::SOCK_DGRAM as u32;

/// System calls that are refused outside namespaces of its own: leaving the session and the process
/// group.
const REFUSED_OUTSIDE: [i64; 2] = [libc::SYS_setsid, libc::SYS_setpgid];

/// From this number on, the calls of x86-64 are those of its second ABI, x32 (32-bit pointers), and
/// other processors have none.
const SECOND_ABI: u32 = 0x4000_0000;

/// A program for the kernel's filter.
pub(super) type Program = Vec<sock_filter>;

/// The processor architecture, as the kernel numbers it, if a filter is possible on this system.
pub(super) fn supported() -> Option<u32> {
    // `AUDIT_ARCH_…` of `linux/audit.h`.
    let arch = match std::env::consts::ARCH {
        "x86_64" => 0xc000_003e,
        "aarch64" => 0xc000_00b7,
        "riscv64" => 0xc000_00f3,
        _ => return None,
    };
    let kernel = Path::new("/proc/sys/kernel/seccomp").exists();
    kernel.then_some(arch)
}

/// The filter of an engine, in namespaces of its own or outside.
pub(super) fn filter(arch: u32, outside: bool) -> Program {
    // Where the tests of a call's number jump to: places in `verdicts`.
    const LIMITS: usize = 1;
    const COPY: usize = 3;
    const REFUSED_CALL: usize = 5;
    const ABSENT_CALL: usize = 7;
    const OF_FILES: usize = 8;
    const NEW_USERS: u32 = libc::CLONE_NEWUSER as u32;
    let mut verdicts = vec![
        answer(libc::SECCOMP_RET_ALLOW),
        // Limits of other processes.
        load(offset_of!(seccomp_data, args)),
        test(libc::BPF_JEQ, 0, 3, 2),
        // New namespaces of users.
        load(offset_of!(seccomp_data, args)),
        test(libc::BPF_JSET, NEW_USERS, 0, 1),
        answer(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        answer(libc::SECCOMP_RET_ALLOW),
        answer(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        // Commands for files.
        load(offset_of!(seccomp_data, args) + size_of::<u64>()),
    ];
    let commands = REFUSED_OF_FILES.into_iter().enumerate();
    verdicts.extend(commands.map(|(place, command)| {
        let refusal = REFUSED_OF_FILES.len() - place;
        test(libc::BPF_JEQ, command as u32, refusal, 0)
    }));
    verdicts.push(answer(libc::SECCOMP_RET_ALLOW));
    verdicts.push(answer(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32));
    let mut by_argument = Vec::new();
    for &(call, argument) in RIGHTS {
        by_argument.push((call, verdicts.len()));
        verdicts.extend(refused_if(argument, RIGHTS_OF_OWNER));
    }
    for &(call, flags) in OPENING {
        by_argument.push((call, verdicts.len()));
        verdicts.push(load(argument(flags)));
        verdicts.push(test(libc::BPF_JSET, MAKES_FILE, 1, 0));
        verdicts.push(answer(libc::SECCOMP_RET_ALLOW));
        verdicts.extend(refused_if(flags + 1, RIGHTS_OF_OWNER));
    }
    by_argument.push((libc::SYS_socketpair, verdicts.len()));
    verdicts.extend(refused_if(1, DATAGRAMS));
    let more = REFUSED_OUTSIDE.into_iter().filter(|_| outside);
    let refused = (REFUSED.iter().chain(OLDER).copied()).chain(more);
    let mut tests = vec![
        (libc::BPF_JGE, SECOND_ABI, ABSENT_CALL),
        // A filter cannot read the arguments of `clone3`. With ENOSYS, the C library falls back to
        // `clone`.
        (libc::BPF_JEQ, libc::SYS_clone3 as u32, ABSENT_CALL),
        // Nor those of `openat2`.
        (libc::BPF_JEQ, libc::SYS_openat2 as u32, ABSENT_CALL),
        (libc::BPF_JEQ, libc::SYS_prlimit64 as u32, LIMITS),
        (libc::BPF_JEQ, libc::SYS_clone as u32, COPY),
        (libc::BPF_JEQ, libc::SYS_fcntl as u32, OF_FILES),
    ];
    let by_argument = by_argument.into_iter();
    tests.extend(by_argument.map(|(call, verdict)| (libc::BPF_JEQ, call as u32, verdict)));
    tests.extend(refused.map(|call| (libc::BPF_JEQ, call as u32, REFUSED_CALL)));
    let mut program = vec![
        load(offset_of!(seccomp_data, arch)),
        test(libc::BPF_JEQ, arch, 1, 0),
        answer(libc::SECCOMP_RET_KILL_PROCESS),
        load(offset_of!(seccomp_data, nr)),
    ];
    let count = tests.len();
    let tests = tests.into_iter().enumerate();
    program.extend(tests.map(|(place, (condition, number, verdict))| {
        test(condition, number, count - place - 1 + verdict, 0)
    }));
    program.extend(verdicts);
    program
}

/// Lets the kernel check all system calls of the calling process, which cannot get new privileges
/// any more, and of its future children. Only makes a system call.
pub(super) fn apply(program: &[sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog {
        len: program.len() as u16,
        filter: program.as_ptr().cast_mut(),
    };
    // SAFETY: the kernel reads the program, which is as long as it says.
    match unsafe {
        libc::prctl(
            libc::PR_SET_SECCOMP,
            libc::SECCOMP_MODE_FILTER,
            &raw const program,
        )
    } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Where the kernel has an argument of the call, from 0.
fn argument(number: usize) -> usize {
    offset_of!(seccomp_data, args) + number * size_of::<u64>()
}

/// Refuses a call if an argument has one of these bits.
fn refused_if(number: usize, bits: u32) -> [sock_filter; 4] {
    [
        load(argument(number)),
        test(libc::BPF_JSET, bits, 1, 0),
        answer(libc::SECCOMP_RET_ALLOW),
        answer(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
    ]
}

/// Loads a word of what the kernel knows about the call. Of 64 bits it is the lower half.
fn load(place: usize) -> sock_filter {
    let code = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    instruction(code, place as u32, 0, 0)
}

/// Compares the loaded word with a number, and skips so many instructions.
fn test(condition: u32, number: u32, if_true: usize, if_false: usize) -> sock_filter {
    let code = libc::BPF_JMP | condition | libc::BPF_K;
    instruction(code, number, if_true, if_false)
}

/// The kernel's answer to the call.
fn answer(action: u32) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, action, 0, 0)
}

fn instruction(code: u32, k: u32, jt: usize, jf: usize) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt: jt as u8,
        jf: jf as u8,
        k,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a filter answers to a call on an architecture, of which each argument is this one.
    fn verdict(program: &Program, arch: u32, call: u32, argument: u32) -> u32 {
        verdict_of(program, arch, call, [argument; 6])
    }

    /// What a filter answers to a call with these arguments.
    fn verdict_of(program: &Program, arch: u32, call: u32, arguments: [u32; 6]) -> u32 {
        let (mut word, mut next) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = program[next];
            next += 1;
            let code = u32::from(code);
            let jumps = |holds: bool| usize::from(if holds { jt } else { jf });
            match (code & 0x07, code & 0xf0) {
                (libc::BPF_RET, _) => return k,
                (libc::BPF_LD, _) => {
                    word = match k as usize {
                        place if place == offset_of!(seccomp_data, nr) => call,
                        place if place == offset_of!(seccomp_data, arch) => arch,
                        place => (0..6)
                            .find(|&number| place == argument(number))
                            .map(|number| arguments[number])
                            .unwrap_or_else(|| panic!("{place}")),
                    }
                }
                (libc::BPF_JMP, libc::BPF_JEQ) => next += jumps(word == k),
                (libc::BPF_JMP, libc::BPF_JGE) => next += jumps(word >= k),
                (libc::BPF_JMP, libc::BPF_JSET) => next += jumps(word & k != 0),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn every_call_gets_its_answer() {
        const ARCH: u32 = 7;
        let refuse = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
        let absent = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        for outside in [false, true] {
            let program = filter(ARCH, outside);
            let of = |call: i64, argument| verdict(&program, ARCH, call as u32, argument);
            for call in 0..1000 {
                let expected = if REFUSED.contains(&call)
                    || OLDER.contains(&call)
                    || outside && REFUSED_OUTSIDE.contains(&call)
                    || call == libc::SYS_prlimit64
                {
                    refuse
                } else if [libc::SYS_clone3, libc::SYS_openat2].contains(&call) {
                    absent
                } else {
                    libc::SECCOMP_RET_ALLOW
                };
                assert_eq!(of(call, 1), expected, "{call}");
                assert_eq!(of(call | i64::from(SECOND_ABI), 1), absent);
                assert_eq!(
                    verdict(&program, ARCH + 1, call as u32, 1),
                    libc::SECCOMP_RET_KILL_PROCESS
                );
            }
            for command in 0..1100 {
                let expected = if REFUSED_OF_FILES.contains(&(command as i32)) {
                    refuse
                } else {
                    libc::SECCOMP_RET_ALLOW
                };
                assert_eq!(of(libc::SYS_fcntl, command), expected, "{command}");
            }
            for locks in [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK] {
                assert_eq!(of(libc::SYS_fcntl, locks as u32), libc::SECCOMP_RET_ALLOW);
            }
            assert_eq!(of(libc::SYS_prlimit64, 0), libc::SECCOMP_RET_ALLOW);
            for &(call, _) in RIGHTS {
                for rights in [0o4755, 0o2755, 0o6000] {
                    assert_eq!(of(call, rights), refuse, "{call} {rights:o}");
                }
                for rights in [0, 0o1777, 0o644] {
                    assert_eq!(
                        of(call, rights),
                        libc::SECCOMP_RET_ALLOW,
                        "{call} {rights:o}"
                    );
                }
            }
            for &(call, flags) in OPENING {
                let mut arguments = [0; 6];
                let mut answers = |how: libc::c_int, rights| {
                    (arguments[flags], arguments[flags + 1]) = (how as u32, rights);
                    verdict_of(&program, ARCH, call as u32, arguments)
                };
                for how in [
                    libc::O_CREAT | libc::O_WRONLY,
                    libc::O_TMPFILE | libc::O_RDWR,
                ] {
                    assert_eq!(answers(how, 0o4755), refuse, "{call}");
                    assert_eq!(answers(how, 0o755), libc::SECCOMP_RET_ALLOW, "{call}");
                }
                // Without a new file, what stands there says nothing.
                let how = libc::O_RDONLY | libc::O_DIRECTORY;
                assert_eq!(answers(how, 0o4755), libc::SECCOMP_RET_ALLOW, "{call}");
            }
            for (kind, expected) in [
                (libc::SOCK_STREAM, libc::SECCOMP_RET_ALLOW),
                (
                    libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC,
                    libc::SECCOMP_RET_ALLOW,
                ),
                (libc::SOCK_DGRAM, refuse),
                (libc::SOCK_DGRAM | libc::SOCK_NONBLOCK, refuse),
            ] {
                assert_eq!(of(libc::SYS_socketpair, kind as u32), expected, "{kind}");
            }
            let new_users = libc::CLONE_NEWUSER as u32;
            assert_eq!(of(libc::SYS_clone, new_users | 17), refuse);
            assert_eq!(of(libc::SYS_clone, !new_users), libc::SECCOMP_RET_ALLOW);
        }
    }
}
