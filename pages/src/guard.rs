//! What a request may do. The server trusts no page of another site, no name that another site lets
//! point to this machine, and nobody without the token, be it another user of this machine.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::http::{HeaderMap, Method, StatusCode, header};

use crate::secret::{is_same, random};
use crate::words;

/// Longest address of a request, bytes.
pub(crate) const LONGEST_ADDRESS: usize = 4096;

/// Largest body of a request, bytes.
pub(crate) const LARGEST_BODY: usize = 64 * 1024;

/// Requests that an address may send at once.
const BURST: f64 = 600.0;

/// Requests per second that an address may send for long.
const RATE: f64 = 200.0;

/// Addresses whose rates are kept; more begin anew.
const ADDRESSES: usize = 4096;

/// The header with the key of a request that changes something.
pub(crate) const KEY: &str = "x-referee-key";

/// What a request that changes something may send: JSON, or a file.
const TYPES: [&str; 2] = ["application/json", "application/octet-stream"];

/// The path to which a code of the file that logs a browser in is sent.
pub(crate) const LOGIN: &str = "/login";

/// Headers of every answer: nothing runs or loads but what this server sends, no other site shows or
/// reads its pages.
pub(crate) const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("x-frame-options", "DENY"),
];

/// Who may come in.
pub(crate) struct Door {
    /// Where the server listens.
    address: SocketAddr,
    /// Needed to change anything; of this process alone.
    token: String,
    /// Needed beside the token. A page of this server keeps it where browsers tell ports apart, which
    /// they do not do for cookies.
    key: String,
    /// The name of the cookie with the token. Browsers keep cookies by host, and two servers of a host
    /// differ in their ports.
    cookie: String,
    /// The name of this machine.
    host: String,
    rates: Mutex<HashMap<Visitor, Rate>>,
}

/// Who sends requests and has streams open, as far as their number is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Visitor {
    /// Whoever has the token.
    Operator,
    Address(IpAddr),
}

/// A token bucket.
#[derive(Clone, Copy)]
struct Rate {
    left: f64,
    filled: Instant,
}

/// Why a request is refused.
pub(crate) type Refusal = (StatusCode, &'static str);

impl Door {
    /// The door of a server at `address`, with a token drawn here.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub(crate) fn new(address: SocketAddr) -> io::Result<Door> {
        Ok(Door {
            address,
            token: random()?,
            key: random()?,
            cookie: format!("referee-{}", address.port()),
            host: rustix::system::uname().nodename().to_string_lossy().into(),
            rates: Mutex::default(),
        })
    }

    /// The server as other machines reach it, `http://desk:7650`.
    pub(crate) fn reachable(&self) -> String {
        let port = self.address.port();
        if self.address.ip().is_unspecified() {
            format!("http://{}:{port}", self.host)
        } else {
            format!("http://{}", self.address)
        }
    }

    /// The cookie that makes a browser the operator's until it ends. No script reads it, and no other
    /// site sends it. The browser sends it to all ports of this host, though, so that whoever serves a
    /// page there may see it: it changes nothing without the key.
    pub(crate) fn set_cookie(&self) -> String {
        let (name, token) = (&self.cookie, &self.token);
        format!("{name}={token}; HttpOnly; SameSite=Strict; Path=/")
    }

    /// What a page of this server sends beside the cookie to change something.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Whether a request has the token.
    pub(crate) fn is_operator(&self, headers: &HeaderMap) -> bool {
        cookie(headers, &self.cookie).is_some_and(|given| is_same(given, &self.token))
    }

    /// Whether a request for `path` may go on.
    pub(crate) fn admit(
        &self,
        from: IpAddr,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
        let host = text(headers, header::HOST.as_str()).unwrap_or_default();
        if !self.is_own(host) {
            let message = "unknown host, expected the address that the server printed";
            return Err((StatusCode::MISDIRECTED_REQUEST, message));
        }
        // It comes from a file, which is of no site: its code says whose it is. And nobody else's
        // requests may keep the operator out.
        if *method == Method::POST && path == LOGIN {
            return Ok(());
        }
        let other_site = (StatusCode::FORBIDDEN, "a request of another site");
        if let Some(origin) = text(headers, header::ORIGIN.as_str())
            && origin.strip_prefix("http://") != Some(host)
        {
            return Err(other_site);
        }
        // A link on another site may lead here; nothing else of another site may, and no frame.
        let site = text(headers, "sec-fetch-site").unwrap_or("none");
        let is_link = text(headers, "sec-fetch-mode") == Some("navigate")
            && matches!(text(headers, "sec-fetch-dest"), None | Some("document"));
        let changes = !matches!(*method, Method::GET | Method::HEAD);
        if !matches!(site, "none" | "same-origin") && (changes || !is_link) {
            return Err(other_site);
        }
        // Only now: what a page of another site has a browser send must not use up the operator's.
        if !self.is_in_time(self.visitor(from, headers), Instant::now()) {
            return Err((StatusCode::TOO_MANY_REQUESTS, "too many requests"));
        }
        if changes {
            self.may_change(headers)?;
        }
        Ok(())
    }

    fn may_change(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        // No page of another site can send these types without asking first.
        let kind = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
        if !TYPES.iter().any(|known| kind.starts_with(known)) {
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected JSON"));
        }
        let has_key = text(headers, KEY).is_some_and(|given| is_same(given, &self.key));
        if self.is_operator(headers) && has_key {
            Ok(())
        } else {
            Err((StatusCode::UNAUTHORIZED, words::ONLY_LOOKS))
        }
    }

    /// Whether a host is this server: an address or a name of this machine. A name that somebody
    /// else lets point here is not.
    fn is_own(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else {
            return self.address.port() == 80 && self.is_own_name(host);
        };
        port.parse() == Ok(self.address.port()) && self.is_own_name(name)
    }

    fn is_own_name(&self, name: &str) -> bool {
        let plain = name.trim_start_matches('[').trim_end_matches(']');
        match plain.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || !self.address.ip().is_loopback(),
            Err(_) => {
                let is_host =
                    !self.address.ip().is_loopback() && name.eq_ignore_ascii_case(&self.host);
                name.eq_ignore_ascii_case("localhost") || is_host
            }
        }
    }

    /// Whose request it is: who has the token is somebody of their own, wherever they are.
    pub(crate) fn visitor(&self, from: IpAddr, headers: &HeaderMap) -> Visitor {
        if self.is_operator(headers) {
            Visitor::Operator
        } else {
            Visitor::Address(from)
        }
    }

    fn is_in_time(&self, from: Visitor, now: Instant) -> bool {
        let mut rates = self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        if rates.len() >= ADDRESSES && !rates.contains_key(&from) {
            rates.clear();
        }
        let rate = rates.entry(from).or_insert(Rate {
            left: BURST,
            filled: now,
        });
        let gained = RATE * now.saturating_duration_since(rate.filled).as_secs_f64();
        rate.left = BURST.min(rate.left + gained);
        rate.filled = now;
        let is_in_time = rate.left >= 1.0;
        if is_in_time {
            rate.left -= 1.0;
        }
        is_in_time
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// The value of a cookie.
pub(crate) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let cookies = text(headers, header::COOKIE.as_str())?;
    let mut cookies = cookies.split(';').map(str::trim);
    cookies.find_map(|cookie| cookie.strip_prefix(name)?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn door(address: &str) -> Door {
        let mut door = Door::new(address.parse().unwrap()).unwrap();
        door.host = "desk".to_owned();
        door.token = "secret".to_owned();
        door.key = "key".to_owned();
        door
    }

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        let list = list.iter();
        list.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    fn admit(door: &Door, method: Method, list: &[(&'static str, &str)]) -> u16 {
        let from = "127.0.0.1".parse().unwrap();
        match door.admit(from, &method, "/begin", &headers(list)) {
            Ok(()) => 200,
            Err((status, _)) => status.as_u16(),
        }
    }

    #[test]
    fn only_names_of_this_machine_are_served() {
        let near = door("127.0.0.1:8000");
        for (host, status) in [
            ("127.0.0.1:8000", 200),
            ("localhost:8000", 200),
            ("LOCALHOST:8000", 200),
            ("[::1]:8000", 200),
            ("localhost:8001", 421),
            ("localhost", 421),
            ("evil.example:8000", 421),
            ("desk:8000", 421),
            ("10.0.0.1:8000", 421),
            ("", 421),
        ] {
            assert_eq!(
                admit(&near, Method::GET, &[("host", host)]),
                status,
                "{host}"
            );
        }
        let far = door("0.0.0.0:8000");
        assert_eq!(far.reachable(), "http://desk:8000");
        assert_eq!(door("10.0.0.1:8000").reachable(), "http://10.0.0.1:8000");
        for (host, status) in [
            ("10.0.0.1:8000", 200),
            ("desk:8000", 200),
            ("evil.example:8000", 421),
        ] {
            assert_eq!(
                admit(&far, Method::GET, &[("host", host)]),
                status,
                "{host}"
            );
        }
    }

    #[test]
    fn other_sites_neither_read_nor_command() {
        let door = door("127.0.0.1:8000");
        let host = ("host", "localhost:8000");
        let json = ("content-type", "application/json");
        let token = ("cookie", "referee-8000=secret");
        let key = (KEY, "key");
        let own = ("origin", "http://localhost:8000");
        let evil = ("origin", "http://evil.example");
        let post = |list: &[_]| admit(&door, Method::POST, &[&[host, token, key], list].concat());
        assert_eq!(post(&[json, own]), 200);
        assert_eq!(post(&[json, evil]), 403);
        assert_eq!(post(&[json, ("origin", "null")]), 403);
        assert_eq!(admit(&door, Method::GET, &[host, evil]), 403);
        let form = ("content-type", "text/plain");
        assert_eq!(post(&[form, own]), 415);
        let file = ("content-type", "application/octet-stream");
        assert_eq!((post(&[file, own]), post(&[file, evil])), (200, 403));
        let parts = ("content-type", "multipart/form-data; boundary=x");
        assert_eq!(post(&[parts, own]), 415);
        assert_eq!(post(&[own]), 415);
        let cross = ("sec-fetch-site", "cross-site");
        let link = ("sec-fetch-mode", "navigate");
        let read = ("sec-fetch-mode", "cors");
        assert_eq!(admit(&door, Method::GET, &[host, cross, link]), 200);
        assert_eq!(admit(&door, Method::GET, &[host, cross, read]), 403);
        for (what, status) in [
            ("document", 200),
            ("iframe", 403),
            ("frame", 403),
            ("object", 403),
        ] {
            let into = ("sec-fetch-dest", what);
            assert_eq!(
                admit(&door, Method::GET, &[host, cross, link, into]),
                status,
                "{what}"
            );
        }
        assert_eq!(post(&[json, cross, link]), 403);
    }

    #[test]
    fn only_the_token_with_the_key_changes_anything() {
        for address in ["127.0.0.1:8000", "10.0.0.1:8000"] {
            let door = door(address);
            let basic = [("host", address), ("content-type", "application/json")];
            let with_key = |cookie, key| [&basic[..], &[("cookie", cookie), (KEY, key)]].concat();
            let with = |cookie| with_key(cookie, "key");
            // What the server of another port is sent by the operator's browser is not enough.
            for key in ["", "ke", "keys", "wrong", "secret"] {
                let stolen = with_key("referee-8000=secret", key);
                assert_eq!(admit(&door, Method::POST, &stolen), 401, "{key}");
            }
            let bare = [&basic[..], &[("cookie", "referee-8000=secret")]].concat();
            assert_eq!(admit(&door, Method::POST, &bare), 401);
            assert_eq!(admit(&door, Method::GET, &basic), 200);
            for (cookie, status) in [
                ("", 401),
                ("referee-8000=", 401),
                ("referee-8000=wrong", 401),
                ("referee-8000=secre", 401),
                ("referee-8000=secrets", 401),
                ("referee-8001=secret", 401),
                ("xreferee-8000=secret", 401),
                ("a=b; referee-8000=secret", 200),
            ] {
                let status_now = admit(&door, Method::POST, &with(cookie));
                assert_eq!(status_now, status, "{address} {cookie}");
            }
        }
    }

    #[test]
    fn a_login_comes_from_a_file_and_nothing_else_does() {
        let door = door("127.0.0.1:8000");
        let sent = [
            ("host", "127.0.0.1:8000"),
            ("origin", "null"),
            ("content-type", "application/x-www-form-urlencoded"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
        ];
        let from = "127.0.0.1".parse().unwrap();
        let status = |method, path, list: &[_]| {
            let admitted = door.admit(from, &method, path, &headers(list));
            admitted.map_or_else(|(status, _)| status.as_u16(), |()| 200)
        };
        assert_eq!(status(Method::POST, LOGIN, &sent), 200);
        assert_eq!(status(Method::PUT, LOGIN, &sent), 403);
        assert_eq!(status(Method::POST, "/begin", &sent), 403);
        let strange = [&[("host", "evil.example:8000")], &sent[1..]].concat();
        assert_eq!(status(Method::POST, LOGIN, &strange), 421);
    }

    #[test]
    fn every_server_has_a_token_of_its_own() {
        let doors = ["127.0.0.1:8000", "127.0.0.1:8001"].map(|address| {
            let door = Door::new(address.parse().unwrap()).unwrap();
            (door.set_cookie(), door)
        });
        let [(first, _), (second, _)] = &doors;
        let name = |cookie: &str| cookie.split('=').next().unwrap().to_owned();
        assert_ne!(name(first), name(second));
        assert!(
            first.ends_with("; HttpOnly; SameSite=Strict; Path=/"),
            "{first}"
        );
        for (door, (cookie, _)) in [0, 1].into_iter().flat_map(|at| {
            let door = &doors[at].1;
            doors.iter().map(move |other| (door, other))
        }) {
            let pair = cookie.split(';').next().unwrap();
            let is_own = *cookie == door.set_cookie();
            assert_eq!(door.is_operator(&headers(&[("cookie", pair)])), is_own);
            let (_, value) = pair.split_once('=').unwrap();
            let renamed = format!("{}={value}", door.cookie);
            assert_eq!(door.is_operator(&headers(&[("cookie", &renamed)])), is_own);
        }
    }

    #[test]
    fn requests_are_bounded_in_rate() {
        let door = door("127.0.0.1:8000");
        let from = Visitor::Address("10.0.0.2".parse().unwrap());
        let start = Instant::now();
        let count = (0..1000).filter(|_| door.is_in_time(from, start)).count();
        assert_eq!(count, BURST as usize);
        let other = Visitor::Address("10.0.0.3".parse().unwrap());
        assert!(door.is_in_time(other, start));
        let later = start + Duration::from_secs(1);
        let count = (0..1000).filter(|_| door.is_in_time(from, later)).count();
        assert_eq!(count, RATE as usize);
    }

    /// Neither what a page of another site sends nor who comes from the same address without the token.
    #[test]
    fn nobody_uses_up_what_the_operator_may_send() {
        let near = door("127.0.0.1:8000");
        let own = ("host", "127.0.0.1:8000");
        let foreign = [own, ("origin", "http://evil.example")];
        let refused = (0..2000).filter(|_| admit(&near, Method::GET, &foreign) == 403);
        assert_eq!(refused.count(), 2000);
        let strange = [("host", "evil.example:8000")];
        let refused = (0..2000).filter(|_| admit(&near, Method::GET, &strange) == 421);
        assert_eq!(refused.count(), 2000);
        assert_eq!(admit(&near, Method::GET, &[own]), 200);

        for address in ["127.0.0.1:8000", "10.0.0.1:8000"] {
            let door = door(address);
            let own = ("host", address);
            let admitted = (0..2000).filter(|_| admit(&door, Method::GET, &[own]) == 200);
            assert!(admitted.count() < 2000, "an address is limited");
            let wrong = [own, ("cookie", "referee-8000=wrong")];
            let limited = (0..2000).any(|_| admit(&door, Method::GET, &wrong) == 429);
            assert!(limited, "a wrong token is none");
            let right = [own, ("cookie", "referee-8000=secret")];
            assert_eq!(admit(&door, Method::GET, &right), 200);
        }
    }
}
