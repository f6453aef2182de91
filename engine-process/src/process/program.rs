//! What is wrong with the file of a program that does not start, in words that say what to do.
//!
//! The system has one error for all of it, or none: `execvp` hands what it cannot run to the shell, which
//! then complains of `ELF`.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use task::EngineSpec;

/// How much of a file is looked at, in bytes.
const BEGINNING: u64 = 4096;

/// The longest path of a loader, in bytes.
const LONGEST_PATH: usize = 4096;

/// The file that is started for an engine, if it is known without a search.
pub(super) fn file_of(spec: &EngineSpec) -> Option<PathBuf> {
    let word = spec.command.first().map(Path::new);
    let program = spec.program.as_deref().or(word)?;
    (program.components().count() > 1).then(|| program.to_owned())
}

/// The error of an engine that cannot be started, with what is wrong with its file.
pub(super) fn explained(spec: &EngineSpec, error: io::Error) -> io::Error {
    match file_of(spec).as_deref().and_then(fault) {
        Some(fault) => io::Error::new(error.kind(), format!("{error}: {fault}")),
        None => error,
    }
}

/// What is wrong with a program; `None` if nothing is known to be.
pub(super) fn fault(program: &Path) -> Option<String> {
    let file = fs::metadata(program).ok().filter(fs::Metadata::is_file)?;
    if file.permissions().mode() & 0o111 == 0 {
        return Some(format!(
            "it is not executable: chmod +x {}",
            program.display()
        ));
    }
    let mut opened = File::open(program).ok()?;
    let mut beginning = Vec::new();
    (&mut opened)
        .take(BEGINNING)
        .read_to_end(&mut beginning)
        .ok()?;
    match &*beginning {
        [] => Some("its file is empty".to_owned()),
        [0x7f, b'E', b'L', b'F', ..] => fault_of_elf(&opened, &beginning),
        [b'M', b'Z', ..] => Some("it is a program for Windows".to_owned()),
        [0xcf, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => {
            Some("it is a program for macOS, or a class of Java".to_owned())
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'#', 0, ..] | [0, b'#', ..] => {
            Some("it is text in UTF-16: save it in UTF-8".to_owned())
        }
        [0xef, 0xbb, 0xbf, ..] => Some(
            "it begins with a byte order mark, so the system does not see its first line: save it in \
             UTF-8 without one"
                .to_owned(),
        ),
        [b'#', b'!', ..] => fault_of_script(&beginning),
        _ => Some("it has no first line such as #!/usr/bin/env python3, so sh runs it".to_owned()),
    }
}

/// What is wrong with the first line of a script.
fn fault_of_script(beginning: &[u8]) -> Option<String> {
    let line = beginning[2..].split(|&byte| byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    if line.ends_with('\r') {
        return Some(
            "its first line ends with CR LF, so the system looks for an interpreter with a CR in its \
             name: save it with LF (dos2unix)"
                .to_owned(),
        );
    }
    let mut words = line.split_whitespace();
    let interpreter = Path::new(words.next()?);
    if !interpreter.exists() {
        return Some(format!(
            "its interpreter {} is missing",
            interpreter.display()
        ));
    }
    if interpreter.file_name()? != "env" {
        return None;
    }
    let name = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    (!found).then(|| format!("its interpreter {name} is in no folder of PATH"))
}

/// The parts of an ELF file's header that say which machine it is for, and where its tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    /// 1 for 32 bits, 2 for 64.
    class: u8,
    /// 1 for little-endian, 2 for big-endian.
    order: u8,
    machine: u16,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Header> {
        let (class, order) = (*bytes.get(4)?, *bytes.get(5)?);
        let machine = [*bytes.get(18)?, *bytes.get(19)?];
        Some(Header {
            class,
            order,
            machine: match order {
                2 => u16::from_be_bytes(machine),
                _ => u16::from_le_bytes(machine),
            },
        })
    }

    /// That of this program.
    fn own() -> Option<Header> {
        static OWN: OnceLock<Option<Header>> = OnceLock::new();
        *OWN.get_or_init(|| {
            let mut bytes = [0; 20];
            let mut file = File::open("/proc/self/exe").ok()?;
            file.read_exact(&mut bytes).ok()?;
            bytes
                .starts_with(b"\x7fELF")
                .then(|| Header::read(&bytes))?
        })
    }

    /// The machine, in words. The numbers are those of `elf.h`.
    fn words(self) -> String {
        let name = match self.machine {
            3 => "x86",
            40 => "ARM",
            62 => "x86-64",
            183 => "AArch64",
            243 => "RISC-V",
            258 => "LoongArch",
            other => return format!("machine {other} of ELF"),
        };
        let bits = if self.class == 1 { 32 } else { 64 };
        format!("{name}, {bits} bits")
    }
}

/// What is wrong with an ELF file of which this is the beginning.
fn fault_of_elf(file: &File, beginning: &[u8]) -> Option<String> {
    const BROKEN: &str = "its file is incomplete: copy or build it again";
    let Some(header) = Header::read(beginning) else {
        return Some(BROKEN.to_owned());
    };
    let own = Header::own()?;
    if header.machine != own.machine || header.order != own.order {
        return Some(format!(
            "it is a program for another machine ({}), expected {}",
            header.words(),
            own.words()
        ));
    }
    if (header.class, header.order) != (2, 1) {
        return None;
    }
    match loader(file, beginning) {
        Ok(Some(loader)) if !loader.exists() => Some(format!(
            "its loader {} is missing: build it here, or install the system's libraries for it",
            loader.display()
        )),
        Ok(_) => None,
        Err(_) => Some(BROKEN.to_owned()),
    }
}

/// The program that loads a 64-bit little-endian ELF file; `None` if it needs none.
///
/// # Errors
/// A part is missing that the header names.
fn loader(mut file: &File, beginning: &[u8]) -> io::Result<Option<PathBuf>> {
    let ended = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let number = |bytes: &[u8], at: usize, size: usize| {
        let bytes = bytes.get(at..at + size).ok_or_else(ended)?;
        let digits = bytes.iter().rev();
        Ok::<u64, io::Error>(digits.fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    };
    let size = file.seek(SeekFrom::End(0))?;
    let (table, entry, count) = (
        number(beginning, 32, 8)?,
        number(beginning, 54, 2)?,
        number(beginning, 56, 2)?,
    );
    let mut loader = None;
    for index in 0..count {
        let mut bytes = [0; 56];
        let at = table.checked_add(index * entry).ok_or_else(ended)?;
        file.read_exact_at(&mut bytes, at)?;
        let (kind, offset, length) = (
            number(&bytes, 0, 4)?,
            number(&bytes, 8, 8)?,
            number(&bytes, 32, 8)?,
        );
        if offset.checked_add(length).is_none_or(|end| end > size) {
            return Err(ended());
        }
        const INTERPRETER: u64 = 3;
        if kind == INTERPRETER && length as usize <= LONGEST_PATH {
            let mut path = vec![0; length as usize];
            file.read_exact_at(&mut path, offset)?;
            let path = String::from_utf8_lossy(&path);
            loader = Some(PathBuf::from(path.trim_end_matches('\0')));
        }
    }
    Ok(loader)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// The fault of a program with this content and these rights.
    fn of(content: &[u8], rights: u32) -> Option<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("bot");
        fs::write(&path, content).expect("it is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(rights)).expect("it is ours");
        fault(&path).map(|fault| fault.replace(&*path.to_string_lossy(), "BOT"))
    }

    #[test]
    fn scripts() {
        for (content, words) in [
            ("", "its file is empty"),
            ("\u{feff}#!/bin/sh\n", "byte order mark"),
            ("#!/bin/sh\r\necho\r\n", "CR LF"),
            (
                "#!/no/such/python -u\n",
                "its interpreter /no/such/python is missing",
            ),
            (
                "#! /usr/bin/env no-such-python\n",
                "its interpreter no-such-python is in no folder",
            ),
            (
                "#!/usr/bin/env -S A=1 no-such-python\n",
                "its interpreter no-such-python is in no",
            ),
            ("echo\n", "it has no first line"),
            ("MZ\u{1}", "for Windows"),
        ] {
            let fault = of(content.as_bytes(), 0o755);
            assert!(
                fault.as_ref().is_some_and(|it| it.contains(words)),
                "{content:?}: {fault:?}"
            );
        }
        for sound in [
            "#!/bin/sh\n",
            "#!/bin/sh",
            "#!/usr/bin/env -S sh -e\n",
            "#!/bin/sh -e\n\r",
        ] {
            assert_eq!(of(sound.as_bytes(), 0o755), None, "{sound}");
        }
        assert_eq!(
            of(b"#!/bin/sh\n", 0o644).as_deref(),
            Some("it is not executable: chmod +x BOT")
        );
        for wide in [
            b"\xff\xfe#\0!\0".as_slice(),
            b"\xfe\xff\0#\0!",
            b"#\0!\0",
            b"\0#\0!",
        ] {
            assert!(of(wide, 0o755).is_some_and(|fault| fault.contains("UTF-16")));
        }
        assert_eq!(fault(Path::new("/no/such/file")), None);
        assert_eq!(fault(Path::new("/")), None);
    }

    #[test]
    fn programs() {
        let own = fs::read("/proc/self/exe").expect("this program");
        assert_eq!(of(&own, 0o755), None);
        let mut foreign = own.clone();
        foreign[18] = if own[18] == 40 { 62 } else { 40 };
        let fault = of(&foreign, 0o755).expect("a fault");
        let expected = Header::read(&own).expect("a header").words();
        assert!(
            fault.starts_with("it is a program for another machine ("),
            "{fault}"
        );
        assert!(fault.ends_with(&format!("expected {expected}")), "{fault}");
        let incomplete = "its file is incomplete: copy or build it again";
        for length in [4, 10, 19, 20, 60, 64, 100, 600, own.len() / 2] {
            assert_eq!(
                of(&own[..length], 0o755).as_deref(),
                Some(incomplete),
                "{length}"
            );
        }
        let loader = b"/lib64/ld-linux-x86-64.so.2";
        let place = own
            .windows(loader.len())
            .position(|window| window == loader);
        if let Some(place) = place {
            let mut moved = own;
            moved[place + 1] = b'X';
            let fault = of(&moved, 0o755).expect("a fault");
            let expected = "its loader /Xib64/ld-linux-x86-64.so.2 is missing";
            assert!(fault.starts_with(expected), "{fault}");
        }
    }
}
