//! Connections: how many an address may have, and how long one may be silent.
//!
//! A connection takes an open file, of which the operator must find one free. Where an address has too
//! many, the oldest one gives way that has never shown the operator's token; so does one over which
//! nothing has gone for a while, unless it waits for an answer.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use futures_util::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep_until};

/// Most connections of an address: twice its streams.
pub(crate) const EACH: usize = 512;

/// How long a connection may be silent. Streams of events say something every 15 seconds.
const SILENCE: Duration = Duration::from_secs(75);

/// How long the first byte of a connection may take.
const FIRST: Duration = Duration::from_secs(20);

/// The connections that are open, by address, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Connections(Mutex<HashMap<IpAddr, VecDeque<Arc<Seat>>>>);

/// What is known of a connection.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    /// Whether it has shown the operator's token.
    is_operators: AtomicBool,
    /// Requests over it that are being answered.
    waiting: AtomicUsize,
    /// Whether it must give way.
    is_given_up: AtomicBool,
    /// Wakes whoever reads from it.
    reader: AtomicWaker,
}

impl Seat {
    /// Notes that a request over it had the operator's token: it gives way to nobody.
    pub(crate) fn note_operator(&self) {
        self.is_operators.store(true, Ordering::Relaxed);
    }

    /// It waits for an answer until this is dropped.
    pub(crate) fn wait(self: &Arc<Self>) -> Waiting {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(Arc::clone(self))
    }

    fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
        self.reader.wake();
    }
}

/// A request that is being answered.
pub(crate) struct Waiting(Arc<Seat>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Connections {
    /// A seat for a new connection. Where its address has too many, the oldest gives way.
    fn add(&self, address: IpAddr, most: usize) -> Arc<Seat> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seats = open.entry(address).or_default();
        if seats.len() >= most {
            let others = |seat: &Arc<Seat>| !seat.is_operators.load(Ordering::Relaxed);
            if let Some(oldest) = seats.iter().position(others) {
                seats.remove(oldest).iter().for_each(|seat| seat.give_up());
            }
        }
        let seat = Arc::new(Seat::default());
        seats.push_back(Arc::clone(&seat));
        seat
    }

    fn remove(&self, address: IpAddr, seat: &Arc<Seat>) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seats) = open.get_mut(&address) {
            seats.retain(|other| !Arc::ptr_eq(other, seat));
            if seats.is_empty() {
                open.remove(&address);
            }
        }
    }
}

/// Accepts connections.
pub(crate) struct Accepting {
    pub(crate) listener: TcpListener,
    pub(crate) connections: Arc<Connections>,
}

/// The other end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    pub(crate) seat: Arc<Seat>,
}

impl Listener for Accepting {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let seat = self.connections.add(address.ip(), EACH);
        let connection = Connection {
            stream,
            address: address.ip(),
            seat,
            connections: Arc::clone(&self.connections),
            silence: Box::pin(sleep_until(Instant::now() + FIRST)),
        };
        (connection, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Accepting>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Accepting>) -> Peer {
        Peer {
            address: *stream.remote_addr(),
            seat: Arc::clone(&stream.io().seat),
        }
    }
}

/// A connection.
pub(crate) struct Connection {
    stream: TcpStream,
    address: IpAddr,
    seat: Arc<Seat>,
    connections: Arc<Connections>,
    /// When it has been silent for too long.
    silence: Pin<Box<Sleep>>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.remove(self.address, &self.seat);
    }
}

impl Connection {
    /// Something has gone over it.
    fn heard(&mut self) {
        self.silence.as_mut().reset(Instant::now() + SILENCE);
    }

    /// Whether it must end: it gives way, or has been silent for too long. Wakes whoever asks when that
    /// changes.
    fn must_end(&mut self, context: &mut Context<'_>) -> bool {
        self.seat.reader.register(context.waker());
        if self.seat.is_given_up.load(Ordering::Relaxed) {
            return true;
        }
        while self.silence.as_mut().poll(context).is_ready() {
            if self.seat.waiting.load(Ordering::Relaxed) == 0 {
                return true;
            }
            self.heard();
        }
        false
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_pending() && self.must_end(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if buffer.filled().len() > before {
            self.heard();
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.heard();
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        if written.is_ready() {
            self.heard();
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_gives_way_but_not_the_operators() {
        let connections = Connections::default();
        let [one, other] = [1, 2].map(|last| IpAddr::from([127, 0, 0, last]));
        let seats: Vec<_> = (0..4).map(|_| connections.add(one, 4)).collect();
        seats[0].note_operator();
        let given_up = |seats: &[Arc<Seat>]| -> Vec<bool> {
            let is_given_up = |seat: &Arc<Seat>| seat.is_given_up.load(Ordering::Relaxed);
            seats.iter().map(is_given_up).collect()
        };
        // Another address has its own.
        connections.add(other, 4);
        assert_eq!(given_up(&seats), [false; 4]);
        connections.add(one, 4);
        assert_eq!(given_up(&seats), [false, true, false, false]);
        connections.remove(one, &seats[2]);
        connections.add(one, 4);
        assert_eq!(given_up(&seats), [false, true, false, false]);
        connections.add(one, 4);
        assert_eq!(given_up(&seats), [false, true, false, true]);
    }

    /// A connection to a listener with this rule, and what accepts it.
    async fn connected(connections: &Arc<Connections>) -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let mut accepting = Accepting {
            listener,
            connections: Arc::clone(connections),
        };
        let stream = TcpStream::connect(address).await.expect("a connection");
        (accepting.accept().await.0, stream)
    }

    async fn read(connection: &mut Connection) -> io::Result<usize> {
        let mut bytes = [0; 8];
        std::future::poll_fn(|context| {
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = Pin::new(&mut *connection).poll_read(context, &mut buffer);
            read.map_ok(|()| buffer.filled().len())
        })
        .await
    }

    #[test]
    fn a_silent_connection_ends_unless_it_waits_for_an_answer() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.expect("a runtime").block_on(async {
            let connections = Arc::<Connections>::default();
            let (mut connection, peer) = connected(&connections).await;
            // What it says counts.
            assert_eq!(peer.try_write(b"GET").expect("room"), 3);
            assert_eq!(read(&mut connection).await.expect("bytes"), 3);
            // The time has come.
            let over =
                |connection: &mut Connection| connection.silence.as_mut().reset(Instant::now());
            let waiting = connection.seat.wait();
            over(&mut connection);
            let context = &mut Context::from_waker(std::task::Waker::noop());
            tokio::time::sleep(Duration::from_millis(5)).await;
            assert!(!connection.must_end(context));
            drop(waiting);
            over(&mut connection);
            let error = read(&mut connection).await.expect_err("it was silent");
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(connection);
            assert!(connections.0.lock().expect("sound").is_empty());
        });
    }

    #[test]
    fn one_that_gives_way_ends_at_once() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.expect("a runtime").block_on(async {
            let connections = Arc::<Connections>::default();
            let (mut connection, _peer) = connected(&connections).await;
            let seat = Arc::clone(&connection.seat);
            let reading = tokio::spawn(async move { read(&mut connection).await.map(drop) });
            tokio::task::yield_now().await;
            seat.give_up();
            let ended = reading.await.expect("it ends");
            assert_eq!(
                ended.expect_err("it gave way").kind(),
                io::ErrorKind::TimedOut
            );
        });
    }
}
