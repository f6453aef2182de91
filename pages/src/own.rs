//! An address of this machine for the operator's browser alone, another one at every start.
//!
//! A browser takes whoever listens at an address for the same site as before, with all that it keeps of
//! it: scripts that watch over its pages, storage, cookies. On one machine every user may listen at the
//! address of a server that has ended. So what a browser is the operator of is at no address that was
//! used before.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};

use crate::secret;

/// How many addresses are tried.
const TRIES: usize = 8;

/// Listens at a loopback address that nobody could foresee, at the port of `address`. `None` where that is
/// not this machine's loopback address, or the system has only one.
pub(crate) fn listener(address: SocketAddr) -> Option<TcpListener> {
    if address.ip() != IpAddr::V4(Ipv4Addr::LOCALHOST) {
        return None;
    }
    (0..TRIES).find_map(|_| {
        let [a, b, c] = secret::bytes().ok()?;
        // No first or last address of a network.
        let ip = Ipv4Addr::new(127, a.clamp(1, 254), b, c.clamp(1, 254));
        TcpListener::bind((ip, address.port())).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn every_start_has_another_address() {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = first.local_addr().unwrap();
        let own = || listener(address).unwrap().local_addr().unwrap();
        let (one, other) = (own(), own());
        assert!(one.ip().is_loopback() && other.ip().is_loopback());
        assert_eq!([one.port(), other.port()], [address.port(); 2]);
        assert_ne!(one.ip(), other.ip());
        assert_ne!(one.ip(), address.ip());
    }

    #[test]
    fn what_others_reach_has_no_other_address() {
        for address in ["0.0.0.0:80", "10.0.0.1:80", "[::1]:80"] {
            assert!(listener(address.parse().unwrap()).is_none(), "{address}");
        }
    }
}
