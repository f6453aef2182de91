//! A server of pages, and what a browser sends it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use super::program::referee;

/// `referee serve`, which ends with the test.
pub struct Served {
    pub child: Child,
    /// The address of the first page.
    pub url: String,
    /// The address of the file that logs a browser in.
    pub file: String,
    /// The file with its messages.
    said: PathBuf,
}

impl Served {
    /// A server of a folder, at any port.
    pub fn start(folder: &Path) -> Served {
        Served::at(folder, "0", &[])
    }

    /// A server at this port, 0 for any, with further arguments.
    pub fn at(folder: &Path, port: &str, arguments: &[&str]) -> Served {
        Served::of(
            folder,
            &[&["serve", "--port", port], arguments].concat(),
            &[],
        )
    }

    /// A server by its whole command line, with more of its environment set. Standard error goes to
    /// the file `said` of the folder.
    pub fn of(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Served {
        let said = folder.join("said");
        let messages = fs::File::create(&said).expect("a file");
        let mut child = referee(folder, arguments)
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(messages)
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut line = || lines.next().expect("a line").expect("UTF-8");
        let (url, file) = (line(), line());
        Served {
            child,
            url,
            file,
            said,
        }
    }

    /// Its messages until it answers.
    pub fn said(&self) -> String {
        loop {
            let said = fs::read_to_string(&self.said).expect("messages");
            if said.contains("Ctrl-C") {
                return said;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// `127.0.0.1:7650`.
    pub fn host(&self) -> &str {
        let host = self.url.strip_prefix("http://").expect("an address");
        host.split('/').next().expect("a host")
    }

    pub fn port(&self) -> &str {
        self.host().rsplit(':').next().expect("a port")
    }

    /// The file that logs a browser in.
    pub fn path(&self) -> PathBuf {
        let path = self.file.strip_prefix("file://");
        path.expect("the address of a file").into()
    }

    /// The operator's address, `http://127.83.12.7:7650/`: that of the file.
    pub fn own(&self) -> String {
        let text = fs::read_to_string(self.path()).expect("the file");
        let (_, rest) = text.split_once("action=\"").expect("an address");
        let (address, _) = rest.split_once("login\"").expect("its end");
        address.to_owned()
    }

    /// The code in the file.
    pub fn code(&self) -> String {
        let text = fs::read_to_string(self.path()).expect("the file");
        let (_, rest) = text.split_once("name=\"code\" value=\"").expect("a code");
        rest.split('"').next().expect("its end").to_owned()
    }

    /// Sends a code as the file does: the answer, and what it gives the operator.
    pub fn exchange(&self, code: &str) -> (Answer, Option<Pass>) {
        let answer = self.send(
            "POST /login",
            "origin: null\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\n\
             content-type: application/x-www-form-urlencoded\r\n",
            &format!("code={code}"),
        );
        let pass = Pass::of(&answer);
        (answer, pass)
    }

    /// What makes a client the operator's.
    pub fn login(&self) -> Pass {
        let (answer, pass) = self.exchange(&self.code());
        pass.unwrap_or_else(|| panic!("{answer:?}"))
    }

    /// Sends JSON.
    pub fn post(&self, path: &str, Pass { cookie, key }: &Pass, data: &str) -> Answer {
        let headers = format!(
            "content-type: application/json\r\ncookie: {cookie}\r\nx-referee-key: {key}\r\n"
        );
        self.send(&format!("POST {path}"), &headers, data)
    }

    /// Reads a page, with a cookie that may be empty.
    pub fn get(&self, path: &str, cookie: &str) -> Answer {
        self.send(&format!("GET {path}"), &format!("cookie: {cookie}\r\n"), "")
    }

    /// Sends a request with these lines of its head.
    pub fn send(&self, what: &str, headers: &str, body: &str) -> Answer {
        let host = self.host();
        let mut stream = TcpStream::connect(host).expect("the server listens");
        let request = format!(
            "{what} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        Answer {
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A server that is killed cannot remove it.
        let path = self.path();
        let _ = fs::remove_file(&path);
        let _ = path.parent().map(fs::remove_dir);
    }
}

/// What the operator's browser has, or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// Its cookie, `referee-7650=…`.
    pub cookie: String,
    pub key: String,
}

impl Pass {
    fn of(answer: &Answer) -> Option<Pass> {
        let (cookie, _) = answer.header("set-cookie")?.split_once(';')?;
        let (_, rest) = answer.body.split_once("data-key=\"")?;
        let (key, _) = rest.split_once('"')?;
        let [cookie, key] = [cookie, key].map(str::to_owned);
        Some(Pass { cookie, key })
    }
}

/// What a server answers.
#[derive(Debug)]
pub struct Answer {
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn status(&self) -> u16 {
        let status = self.head.split(' ').nth(1).expect("a status");
        status.parse().expect("a number")
    }

    /// A header by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find_map(|(key, value)| (key.to_lowercase() == name).then_some(value))
    }
}
