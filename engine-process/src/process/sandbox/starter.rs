//! The starter: a process that starts the engines in cells.
//!
//! Copying the referee's process takes the kernel longer than all else at the start of an engine: it
//! has many threads, and much memory. So one copy is made early, and it makes the copies that become
//! engines. They are children of the referee all the same (`CLONE_PARENT`).
//!
//! The starter has no threads, no files of the referee but one socket, and its own namespaces of
//! users and of the network. All engines share the latter, which is empty, because making one takes
//! nearly a millisecond. It ends when the referee closes the socket, or ends.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::mpsc;

use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType,
};
use rustix::process::{Pid, Signal, WaitOptions};
use rustix::thread::UnshareFlags;

use super::super::child::read_number;
use super::Common;
use super::cell::{self, Maps, exit};
use super::request::Request;
use crate::cores::anywhere;

/// The longest request, in bytes. The socket takes packets of up to about 200 KB; a single argument
/// of a process may not be longer than this either.
const LONGEST: usize = 128 * 1024;

/// How many descriptors a request has: standard input, output and error of the engine, and the pipes
/// of its failure and of its end.
const DESCRIPTORS: usize = 5;

/// The namespaces of the starter.
const SHARED: UnshareFlags = UnshareFlags::NEWUSER.union(UnshareFlags::NEWNET);

/// The process, as the referee sees it.
#[derive(Debug)]
pub(super) struct Starter {
    pid: Pid,
    socket: OwnedFd,
}

impl Starter {
    /// Makes the process, and waits until it has its namespaces.
    pub(super) fn new(common: Common) -> rustix::io::Result<Starter> {
        let (near, far) = rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )?;
        let starter = Starter {
            pid: parent(far, common)?,
            socket: near,
        };
        error(starter.answer()?)?;
        Ok(starter)
    }

    /// Starts an engine; returns its attendant, a child of the referee.
    pub(super) fn start(
        &self,
        request: &[u8],
        descriptors: [BorrowedFd<'_>; DESCRIPTORS],
    ) -> rustix::io::Result<Pid> {
        if request.len() > LONGEST {
            return Err(Errno::TOOBIG);
        }
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&descriptors));
        let bytes = [IoSlice::new(request)];
        rustix::net::sendmsg(&self.socket, &bytes, &mut control, SendFlags::NOSIGNAL)?;
        let answer = self.answer()?;
        error(-answer.min(0))?;
        Pid::from_raw(answer).ok_or(Errno::IO)
    }

    /// What the process answers: a number, see [`serve`].
    fn answer(&self) -> rustix::io::Result<i32> {
        read_number(&self.socket)?.ok_or(Errno::PIPE)
    }

    pub(super) fn kill(&self) {
        let _ = rustix::process::kill_process(self.pid, Signal::KILL);
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        self.kill();
        let _ = rustix::process::waitpid(Some(self.pid), WaitOptions::empty());
    }
}

/// An error by its number, or 0.
fn error(number: i32) -> rustix::io::Result<()> {
    match number {
        0 => Ok(()),
        number => Err(Errno::from_raw_os_error(number)),
    }
}

/// Copies this process into the starter. Its parent is a thread that does not end before the referee,
/// because engines are to end with their parent.
fn parent(socket: OwnedFd, common: Common) -> rustix::io::Result<Pid> {
    let (tell, told) = mpsc::channel();
    let thread = std::thread::Builder::new().name("starter".to_owned());
    let body = move || {
        anywhere();
        match cell::fork() {
            Ok(None) => serve(socket, common),
            Ok(Some(starter)) => drop((tell.send(Ok(starter)), socket)),
            Err(error) => drop(tell.send(Err(error))),
        }
        loop {
            std::thread::park();
        }
    };
    thread.spawn(body).map_err(|_| Errno::AGAIN)?;
    told.recv().unwrap_or(Err(Errno::AGAIN))
}

/// What the starter does. It may allocate, although the referee has threads: the C libraries of Linux
/// see to that. It takes no locks of the referee's, which another thread may have held.
fn serve(socket: OwnedFd, common: Common) -> ! {
    cell::become_attendant(&socket, 3);
    let maps = Maps::new();
    let made = rustix::process::chdir(c"/")
        .and_then(|()| cell::unshare(SHARED))
        .and_then(|()| maps.write());
    answer(made.err().map_or(0, Errno::raw_os_error));
    let mut buffer = vec![0; LONGEST];
    while let Some((request, descriptors)) = receive(&mut buffer) {
        let started = Request::decode(request)
            .zip(descriptors.try_into().ok())
            .ok_or(Errno::INVAL)
            .and_then(|(request, descriptors)| cell::start(&request, descriptors, common, &maps));
        answer(started.map_or_else(|error| -error.raw_os_error(), Pid::as_raw_pid));
    }
    exit(0)
}

/// The next request with its descriptors; `None` at the end.
fn receive(buffer: &mut [u8]) -> Option<(&[u8], Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let socket = rustix::stdio::stdin();
    let mut bytes = [IoSliceMut::new(buffer)];
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = rustix::net::recvmsg(socket, &mut bytes, &mut control, flags).ok()?;
    let messages = control.drain();
    let descriptors = messages.flat_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => descriptors.collect(),
        _ => Vec::new(),
    });
    let descriptors = descriptors.collect();
    (received.bytes > 0).then(|| (&buffer[..received.bytes], descriptors))
}

fn answer(number: i32) {
    let _ = rustix::net::send(
        rustix::stdio::stdin().as_fd(),
        &number.to_ne_bytes(),
        SendFlags::NOSIGNAL,
    );
}
