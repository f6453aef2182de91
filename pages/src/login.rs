//! The file that makes a browser the operator's. Opened, it sends a one-time code to the server, which
//! answers with the token. Only the user who runs the server can read it, and the code stands nowhere
//! else: arguments, logs and addresses have other readers.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::address;
use crate::guard::LOGIN;
use crate::secret::{is_same, random};

/// Where browsers that are installed as snaps are. They read nothing outside the home folder.
const SNAPS: [&str; 2] = ["/snap/bin/firefox", "/snap/bin/chromium"];

/// A file with a code that is good for one login, and then for no other. A new code follows it. The
/// file is removed with this value.
pub(crate) struct Login {
    /// The server, `http://127.83.12.7:7650`. It names what the server listens at and not `localhost`:
    /// another user could listen at another address of that name, and be sent the code.
    server: String,
    /// Of this file alone, and closed to other users: nobody else can put a file in its place.
    folder: PathBuf,
    file: PathBuf,
    /// `None` when no file has a code any more.
    code: Mutex<Option<String>>,
}

impl Login {
    /// Writes the file of a server at `address` into the first folder of this user that takes it.
    ///
    /// # Errors
    /// No folder does; the path is that of the last one.
    pub(crate) fn new(address: SocketAddr) -> Result<Login, (PathBuf, io::Error)> {
        let mut failed = (PathBuf::new(), io::ErrorKind::NotFound.into());
        for folder in folders() {
            match Login::within(&folder, address) {
                Ok(login) => return Ok(login),
                Err(error) => failed = (folder, error),
            }
        }
        Err(failed)
    }

    fn within(parent: &Path, address: SocketAddr) -> io::Result<Login> {
        let folder = parent.join(format!("referee-{}", &random()?[..16]));
        DirBuilder::new().mode(0o700).create(&folder)?;
        let login = Login {
            server: server(address),
            file: folder.join(format!("open-{}.html", address.port())),
            folder,
            code: Mutex::default(),
        };
        login.renew(&mut login.lock())?;
        Ok(login)
    }

    /// The address of the file, `file:///run/user/1000/referee-…/open-7650.html`.
    pub(crate) fn file(&self) -> String {
        format!("file://{}", address::path(&self.file.to_string_lossy()))
    }

    /// The code of the file; empty if there is none.
    pub(crate) fn code(&self) -> String {
        self.lock().clone().unwrap_or_default()
    }

    /// Whether `given` is the code. If so, it is spent, and the file has another one.
    pub(crate) fn exchange(&self, given: &str) -> bool {
        let mut code = self.lock();
        let is_right = code.as_deref().is_some_and(|code| is_same(code, given));
        if is_right && self.renew(&mut code).is_err() {
            let _ = fs::remove_file(&self.file);
        }
        is_right
    }

    /// Removes the file, whose code is then good for nothing.
    pub(crate) fn remove(&self) {
        *self.lock() = None;
        let _ = fs::remove_dir_all(&self.folder);
    }

    /// Puts a file with another code in the place of the old one. After an error there is no code.
    fn renew(&self, code: &mut Option<String>) -> io::Result<()> {
        *code = None;
        let fresh = random()?;
        let written = self.folder.join("written");
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let text = page(&self.server, &fresh).into_string();
        options.open(&written)?.write_all(text.as_bytes())?;
        fs::rename(written, &self.file)?;
        *code = Some(fresh);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.code.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Login {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Folders of this user, the best first.
fn folders() -> impl Iterator<Item = PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let is_snap = SNAPS.iter().any(|path| Path::new(path).exists());
    let home = is_snap.then(|| variable("HOME")).flatten();
    let folders = [
        home,
        variable("XDG_RUNTIME_DIR"),
        Some(std::env::temp_dir()),
    ];
    let folders = folders.into_iter().flatten();
    folders.filter(|folder| folder.is_absolute())
}

/// The address of a server that listens at `address`, as this machine reaches it: `http://127.0.0.1:7650`.
pub(crate) fn server(address: SocketAddr) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(ip, address.port()))
}

/// The file: a form that sends itself. The code is in no address, so in no history.
fn page(server: &str, code: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="referrer" content="no-referrer";
                title { "referee" }
            }
            body {
                form method="post" action={ (server) (LOGIN) } {
                    input type="hidden" name="code" value=(code);
                    button { "referee" }
                }
                script { (PreEscaped("document.forms[0].submit()")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn login(parent: &Path) -> Login {
        Login::within(parent, "127.0.0.1:7650".parse().unwrap()).unwrap()
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_code_is_good_once_and_another_follows() {
        let parent = tempfile::tempdir().unwrap();
        let login = login(parent.path());
        let first = login.code();
        assert!(!login.exchange(""));
        assert!(!login.exchange("wrong"));
        assert!(!login.exchange(&first[1..]));
        assert!(login.exchange(&first));
        assert!(!login.exchange(&first), "it is spent");
        let second = login.code();
        assert_ne!(first, second);
        let text = fs::read_to_string(&login.file).unwrap();
        assert!(text.contains(&second) && !text.contains(&first), "{text}");
        assert!(login.exchange(&second));
    }

    #[test]
    fn the_file_is_closed_to_others_and_goes_with_the_server() {
        let parent = tempfile::tempdir().unwrap();
        let login = login(parent.path());
        for _ in 0..2 {
            assert_eq!((mode(&login.file), mode(&login.folder)), (0o600, 0o700));
            assert!(login.exchange(&login.code()));
        }
        let code = login.code();
        login.remove();
        assert!(!login.exchange(&code) && !login.exchange(""));
        drop(login);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    /// Where the file cannot be written any more, no code is left that others could guess or use.
    #[test]
    fn a_code_is_spent_even_if_no_other_can_be_written() {
        let parent = tempfile::tempdir().unwrap();
        let login = login(parent.path());
        let code = login.code();
        fs::remove_dir_all(&login.folder).unwrap();
        assert!(login.exchange(&code));
        assert!(!login.exchange(&code) && !login.exchange(""));
    }

    #[test]
    fn the_file_sends_the_code_to_the_address_that_the_server_listens_at() {
        for (address, expected) in [
            ("127.0.0.1:7650", "http://127.0.0.1:7650"),
            ("0.0.0.0:7650", "http://127.0.0.1:7650"),
            ("10.0.0.1:80", "http://10.0.0.1:80"),
            ("[::1]:7650", "http://[::1]:7650"),
            ("[::]:7650", "http://[::1]:7650"),
        ] {
            assert_eq!(server(address.parse().unwrap()), expected);
        }
        let text = page("http://127.0.0.1:7650", "4f").into_string();
        assert!(
            text.contains(r#"action="http://127.0.0.1:7650/login""#),
            "{text}"
        );
        assert!(text.contains(r#"value="4f""#), "{text}");
    }
}
