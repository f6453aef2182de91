//! Where a referee runs: as whom, and with what the system offers.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::program;

/// Who runs the referee, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// The user who runs the tests.
    Own,
    /// The same where no namespaces of users are left.
    WithoutNamespaces,
    /// An ordinary user.
    Ordinary,
}

impl Host {
    /// Plays the league file that a function makes from the referee's process id, in a folder to
    /// which the programs are copied: an ordinary user may not read where they were built.
    pub fn league(self, folder: &Path, file: impl FnOnce(u32) -> String) -> Output {
        for program in [
            env!("CARGO_BIN_EXE_test-engine"),
            env!("CARGO_BIN_EXE_referee"),
        ] {
            let name = Path::new(program).file_name().expect("a file");
            fs::copy(program, folder.join(name)).expect("a copy");
        }
        program::open_to_all(folder);
        let mut referee = self
            .shell()
            .args(["./referee", "league", "league.toml", "--out", "out"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        fs::write(folder.join("league.toml"), file(referee.id())).expect("the file is written");
        let mut input = referee.stdin.take().expect("a pipe");
        input.write_all(b"go\n").expect("it reads");
        drop(input);
        referee.wait_with_output().expect("it ends")
    }

    /// A shell that waits for a line and then becomes the program that its arguments name.
    fn shell(self) -> Command {
        let mut words = match self {
            Host::Own => vec![],
            Host::WithoutNamespaces => vec!["unshare", "--user", "--map-root-user"],
            Host::Ordinary => vec![
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
            ],
        };
        let script = match self {
            Host::WithoutNamespaces => {
                "read line; echo 0 > /proc/sys/user/max_user_namespaces; exec \"$@\""
            }
            _ => "read line; exec \"$@\"",
        };
        words.extend(["sh", "-c", script, "sh"]);
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    }

    /// Why this machine cannot run it.
    pub fn missing(self) -> Option<String> {
        let mut shell = self.shell();
        let tried = shell.arg("true").stdin(Stdio::null()).output();
        match tried {
            Ok(done) if done.status.success() => None,
            Ok(done) => Some(String::from_utf8_lossy(&done.stderr).trim().to_owned()),
            Err(error) => Some(error.to_string()),
        }
    }
}
