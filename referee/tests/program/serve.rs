//! Who may act on the pages: only a browser that has opened the file of the server's user.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SocketType};
use rustix::process::{Resource, getrlimit, setrlimit};

use crate::common::program::text;
use crate::common::served::{Pass, Served};
use crate::common::skipped;

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A game that two persons play.
const GAME: &str = r#"{"game":"hex","contest":false,"minutes":9,"seats":[
    {"name":"a","engine":"","strength":null},{"name":"b","engine":"","strength":null}]}"#;

/// Runs a shell script as another user; `None` if this one cannot be another.
fn as_another(script: &str, arguments: &[&str]) -> Option<Output> {
    let user = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let become_other = || {
        let mut command = Command::new("setpriv");
        command.args(user);
        command
    };
    let can = become_other().arg("true").output();
    if !can.is_ok_and(|done| done.status.success()) {
        return None;
    }
    let mut command = become_other();
    command.args(["sh", "-c", script, "sh"]).args(arguments);
    Some(command.output().expect("a shell"))
}

/// Waits until something is so.
fn wait(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A folder with a browser that stays open with the arguments that it was given.
fn with_browser() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let browser = folder.path().join("xdg-open");
    let script = "#!/bin/sh\necho \"$*\" > \"$(dirname \"$0\")/opened\"\n\
                  while [ -e \"$(dirname \"$0\")/opened\" ]; do sleep 0.1; done\n";
    fs::write(&browser, script).expect("a file");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("it is ours");
    folder
}

#[test]
fn who_has_no_token_looks_and_never_acts() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path());
    for page in ["/", "/desk", "/play", "/analysis", "/login"] {
        assert_eq!(served.get(page, "").status(), 200, "{page}");
    }
    for page in ["/desk", "/play", "/analysis"] {
        let answer = served.get(page, "");
        assert!(answer.body.contains("This page only looks."), "{answer:?}");
    }
    for (path, data) in [
        ("/begin", GAME),
        ("/analysis/begin", r#"{"game":"hex","engine":"best"}"#),
        ("/desk/x/remove", "{}"),
        ("/review/l/g", r#"{"begin":1000}"#),
        ("/records?name=a.sgf", "(;FF[4]GM[11]SZ[5];B[c3])"),
    ] {
        let answer = served.post(path, &Pass::default(), data);
        assert_eq!(answer.status(), 401, "{answer:?}");
        assert!(answer.body.contains("open the file"), "{answer:?}");
    }
    let chinese = served.send(
        "POST /begin",
        "content-type: application/json\r\naccept-language: zh-CN\r\n",
        GAME,
    );
    assert_eq!(chinese.status(), 401);
    assert!(chinese.body.starts_with("本页仅供查看"), "{chinese:?}");
    assert!(!folder.path().join("matches").exists(), "nothing has begun");
}

#[test]
fn a_code_makes_one_browser_the_operators() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::of(
        folder.path(),
        &["desk", "hex", "--port", "0", "--no-browser"],
        &[],
    );
    assert!(served.url.ends_with("/desk?game=hex"), "{}", served.url);
    let code = served.code();
    let (answer, pass) = served.exchange(&code);
    assert!(answer.body.contains("<a href=\"/desk?game=hex\" data-key="));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let set = answer.header("set-cookie").expect("a cookie");
    assert!(
        set.ends_with("; HttpOnly; SameSite=Strict; Path=/"),
        "{set}"
    );
    let pass = pass.expect("a cookie and a key");
    // The cookie alone, which the browser sends to every port of this host, or the key alone.
    for part in [
        Pass {
            key: String::new(),
            ..pass.clone()
        },
        Pass {
            cookie: String::new(),
            ..pass.clone()
        },
    ] {
        assert_eq!(served.post("/begin", &part, GAME).status(), 401);
    }
    let begun = served.post("/begin", &pass, GAME);
    assert_eq!(begun.status(), 200, "{begun:?}");
    assert!(
        !served
            .get("/desk", &pass.cookie)
            .body
            .contains("only looks")
    );

    // Spent: whoever finds it later, in a history or a backup, has nothing.
    let (again, none) = served.exchange(&code);
    assert_eq!((again.status(), none), (401, None));
    // A second window of the same user.
    assert_ne!(served.code(), code);
    assert_eq!(served.login(), pass);

    // Another server has a cookie of another name and another token.
    let other = Served::start(folder.path());
    let theirs = other.login();
    assert_eq!(other.post("/begin", &pass, GAME).status(), 401);
    let (_, value) = pass.cookie.split_once('=').expect("a value");
    let (name, _) = theirs.cookie.split_once('=').expect("a name");
    let renamed = Pass {
        cookie: format!("{name}={value}"),
        key: theirs.key.clone(),
    };
    assert_eq!(other.post("/begin", &renamed, GAME).status(), 401);
    let cookie = format!("{}; {}", pass.cookie, theirs.cookie);
    for (served, key, others) in [
        (&other, &theirs.key, &pass.key),
        (&served, &pass.key, &theirs.key),
    ] {
        let with = |key: &String| Pass {
            cookie: cookie.clone(),
            key: key.clone(),
        };
        assert_eq!(served.post("/begin", &with(key), GAME).status(), 200);
        assert_eq!(served.post("/begin", &with(others), GAME).status(), 401);
    }
}

/// Who only looks does not open a session: that would write to its journal and start its engines.
#[test]
fn a_session_is_opened_by_the_operator_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path());
    let name = served.post("/begin", &served.login(), GAME).body;
    assert_eq!(served.get(&format!("/desk/{name}"), "").status(), 200);
    drop(served);
    let served = Served::start(folder.path());
    let journal = folder
        .path()
        .join(format!("matches/desk/{name}/journal.ndjson"));
    let before = fs::read(&journal).expect("a journal");
    let page = format!("/desk/{name}");
    assert_eq!(served.get(&page, "").status(), 401);
    assert_eq!(served.get(&format!("{page}/events"), "").status(), 401);
    assert_eq!(served.get(&format!("{page}/record/0"), "").status(), 401);
    assert_eq!(served.get("/desk/none", "").status(), 404);
    assert_eq!(fs::read(&journal).expect("a journal"), before);
    assert_eq!(served.get(&page, &served.login().cookie).status(), 200);
    assert_ne!(fs::read(&journal).expect("a journal"), before);
    assert_eq!(served.get(&page, "").status(), 200);
}

/// The table of processes, the output and the messages are read by others; the file is not.
#[test]
fn no_other_user_gets_the_code() {
    let folder = with_browser();
    let search = std::env::var("PATH").expect("a path");
    let path = format!("{}:{search}", folder.path().display());
    let served = Served::of(
        folder.path(),
        &["serve", "--port", "0", "--open"],
        &[("PATH", &path), ("BROWSER", "")],
    );
    let opened = folder.path().join("opened");
    wait("a browser is opened", || {
        fs::read_to_string(&opened).is_ok_and(|text| text.ends_with('\n'))
    });
    let given = fs::read_to_string(&opened).expect("its arguments");
    assert_eq!(given.trim(), served.file);

    let code = served.code();
    assert!(code.len() >= 32, "{code}");
    let said = served.said();
    for text in [&served.url, &served.file, &given, &said] {
        assert!(!text.contains(&code), "{text}");
    }
    let file = served.path();
    for (path, mode) in [(&*file, 0o600), (file.parent().expect("a folder"), 0o700)] {
        let found = fs::metadata(path).expect("it is there").permissions();
        assert_eq!(found.mode() & 0o777, mode, "{}", path.display());
    }

    let list = "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '; true";
    let seen = match as_another(list, &[]) {
        Some(output) => output,
        None => {
            skipped("no_other_user_gets_the_code", "not root: only one user");
            let shell = Command::new("sh").args(["-c", list]).output();
            shell.expect("a shell")
        }
    };
    let seen = String::from_utf8_lossy(&seen.stdout).into_owned();
    // The server and its browser are in the table, and the code is not.
    assert!(
        seen.contains("--open") && seen.contains(&served.file),
        "{seen}"
    );
    assert!(!seen.contains(&code));
    let name = file.to_str().expect("UTF-8");
    let script = "cat \"$1\" || ls \"$(dirname \"$1\")\"";
    if let Some(output) = as_another(script, &[name]) {
        assert!(!output.status.success(), "{output:?}");
        assert_eq!(text(&output.stdout), "");
        let fault = text(&output.stderr);
        assert!(fault.contains("Permission denied"), "{fault}");
    }
    fs::remove_file(opened).expect("the browser ends");
}

/// A server that others can reach: its messages go to a file, so no code is in them.
#[test]
fn a_server_for_other_machines_keeps_its_code_out_of_logs() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::at(folder.path(), "0", &["--bind", "0.0.0.0"]);
    assert!(
        served.url.starts_with("http://127.0.0.1:"),
        "{}",
        served.url
    );
    let said = served.said();
    for text in [&served.url, &served.file, &said] {
        assert!(!text.contains(&served.code()), "{text}");
    }
    assert_eq!(served.post("/begin", &Pass::default(), GAME).status(), 401);
    let begun = served.post("/begin", &served.login(), GAME);
    assert_eq!(begun.status(), 200, "{begun:?}");
}

/// A terminal is the operator's, and shows the code for another machine.
#[test]
fn a_terminal_shows_the_code_for_another_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    for (bind, has_code) in [("0.0.0.0", true), ("127.0.0.1", false)] {
        let (mut pty, pts) = pty_process::blocking::open().expect("a pseudo-terminal");
        let mut child = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_referee"))
            .args(["serve", "--port", "0", "--bind", bind])
            .current_dir(folder.path())
            .spawn(pts)
            .expect("the server starts");
        let mut shown = Vec::new();
        while !text(&shown).contains("Ctrl-C") {
            let mut bytes = [0; 1024];
            let count = pty.read(&mut bytes).expect("it runs");
            shown.extend(&bytes[..count]);
        }
        let shown = text(&shown);
        let path = shown
            .lines()
            .find_map(|line| line.trim().strip_prefix("file://"));
        let file = fs::read_to_string(path.expect("the file")).expect("the file");
        let code = shown.split("and enter ").nth(1).map(|rest| &rest[..32]);
        assert_eq!(code.is_some(), has_code, "{shown}");
        assert!(code.is_none_or(|code| file.contains(code)), "{shown}");
        let id = child.id().to_string();
        let sent = Command::new("kill").arg(&id).status();
        assert!(sent.expect("kill").success());
        child.wait().expect("it ends");
    }
}

#[test]
fn the_file_goes_with_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    // Where that folder is missing, as after `su`, there is another.
    let environment = [("XDG_RUNTIME_DIR", "/nonexistent")];
    let mut served = Served::of(folder.path(), &["serve", "--port", "0"], &environment);
    served.said();
    let file = served.path();
    assert!(file.exists());
    let id = served.child.id().to_string();
    let sent = Command::new("kill").arg(&id).status();
    assert!(sent.expect("kill").success());
    let status = served.child.wait().expect("it ends");
    assert!(status.success(), "{status}");
    assert!(!file.parent().expect("a folder").exists());
}

/// Opens a stream of events, from an address of this machine that ends so.
fn stream_from(last: u8, served: &Served, path: &str) -> std::io::Result<TcpStream> {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None)?;
    let from = SocketAddr::from(([127, 0, 0, last], 0));
    rustix::net::bind(&socket, &from)?;
    let to: SocketAddr = served.host().parse().expect("an address");
    rustix::net::connect(&socket, &to)?;
    let mut stream = TcpStream::from(socket);
    let host = served.host();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    )?;
    Ok(stream)
}

/// What a stream has sent when it ends, or when this has come.
fn heard(stream: &mut TcpStream, until: &str) -> String {
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    while !text.contains(until) {
        let read = stream.read(&mut buffer).expect("it answers");
        if read == 0 {
            break;
        }
        text += &String::from_utf8_lossy(&buffer[..read]);
    }
    text
}

/// Spectators who say nothing hold no thread, and what they hold is bounded.
#[test]
fn an_operator_acts_while_thousands_look() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if setrlimit(Resource::Nofile, limit).is_err() || limit.current.is_some_and(|most| most < 6000)
    {
        return skipped("thousands of streams", "few open files are allowed");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path());
    let pass = served.login();
    let name = served.post("/begin", &pass, GAME).body;
    let events = format!("/desk/{name}/events");
    let mut streams = Vec::new();
    for last in 1..=8 {
        for _ in 0..250 {
            streams.push(stream_from(last, &served, &events).expect("a connection"));
        }
    }
    for stream in &mut streams {
        assert!(heard(stream, "event: message").contains("event: message"));
    }
    // Those that have answered end after a while.
    wait("too many threads", || {
        let status = fs::read_to_string(format!("/proc/{}/status", served.child.id()));
        let status = status.expect("it runs");
        let mut lines = status.lines();
        let threads = lines.find_map(|line| line.strip_prefix("Threads:"));
        let threads = threads.expect("a number").trim().parse::<usize>();
        threads.expect("a number") < 100
    });
    let begun = Instant::now();
    let act = format!("/desk/{name}/act");
    let answer = served.post(&act, &pass, r#"{"operation":"enter","text":"a1"}"#);
    assert_eq!(answer.status(), 200, "{answer:?}");
    println!("an act beside 2000 streams: {:?}", begun.elapsed());
    for stream in &mut streams {
        assert!(heard(stream, "\"a1\"").contains("\"a1\""));
    }
    // One address has no more than 256.
    for _ in 0..6 {
        streams.push(stream_from(1, &served, &events).expect("a connection"));
    }
    let mut refused = stream_from(1, &served, &events).expect("a connection");
    let told = heard(&mut refused, "retry:");
    assert!(
        told.contains("200 OK") && told.contains("retry: 30000"),
        "{told}"
    );
    // Those that are closed are free again.
    streams.truncate(1);
    wait("nothing is free", || {
        let mut stream = stream_from(1, &served, &events).expect("a connection");
        heard(&mut stream, "event: message").contains("event: message")
    });
}

/// Connections over which no request comes take no file that others need: the oldest gives way.
#[test]
fn who_says_nothing_keeps_nobody_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path());
    let to: SocketAddr = served.host().parse().expect("an address");
    // One that has begun to speak may be silent for longer than this test waits.
    let connect = || {
        let mut stream = TcpStream::connect(to).expect("a connection");
        stream.write_all(b"G").expect("room");
        stream
    };
    let mut silent: Vec<TcpStream> = (0..600).map(|_| connect()).collect();
    assert_eq!(served.get("/", "").status(), 200);
    let closed = |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        match stream.read(&mut [0]) {
            Ok(count) => count == 0,
            // What it had said was not read.
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    };
    assert!(silent[..80].iter_mut().all(closed));
}
