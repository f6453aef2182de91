//! The seed of a league, from which its openings, dice, lots and the seeds of built-in engines are
//! derived.
//!
//! Each kind of randomness has its own branch, a one-way function (SHA-256) of the seed: who knows
//! the dice of all games so far, or the seed option of an engine, can compute neither the seed nor
//! the next dice.

use std::fmt;
use std::fs::File;
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::io::{self, Read, Write};
use std::path::Path;

use base::disk::sync_folder;
use base::error::BadInput;
use base::input;
use serde::de::{Deserialize, Deserializer, Visitor};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

/// Name of the file beside the log that holds a drawn seed, one line of 64 hexadecimal digits.
pub const FILE_NAME: &str = "seed";

/// The seed of a league.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed for a number in a league file.
    pub fn of_number(number: u64) -> Seed {
        let mut hash = Sha256::new();
        hash.update(b"number");
        hash.update(number.to_le_bytes());
        Seed(hash.finalize().into())
    }

    /// A secret seed from the system's random generator.
    ///
    /// # Errors
    /// `/dev/urandom` cannot be read.
    pub fn draw() -> io::Result<Seed> {
        let mut bytes = [0; 32];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Seed(bytes))
    }

    /// The seed that was drawn for the league with its log in `folder`; `None` if there is none.
    ///
    /// # Errors
    /// The file cannot be read, or holds no seed.
    pub fn of_log(folder: &Path) -> Result<Option<Seed>, BadInput> {
        let path = folder.join(FILE_NAME);
        let message = match input::supplied(&path) {
            Ok(text) => match Seed::of_digits(text.trim_end()) {
                Some(seed) => return Ok(Some(seed)),
                None => "no seed".to_owned(),
            },
            // Whoever opens the log says what is wrong with a folder that is none.
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(None),
            Err(error) => error.to_string(),
        };
        Err(BadInput(format!(
            "{}: {message}, expected 64 hexadecimal digits, the seed of the league",
            path.display()
        )))
    }

    /// Writes the seed beside the log in `folder`, readable by the user alone, and brings it to
    /// disk. The file is there as a whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written, or exists.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(self.line().as_bytes())?;
        file.as_file().sync_all()?;
        let path = folder.join(FILE_NAME);
        file.persist_noclobber(&path)?;
        sync_folder(&path)
    }

    /// The SHA-256 of the file that [`Seed::save`] writes, in hexadecimal digits. Published before
    /// the first game, it shows afterwards that the seed was not chosen to suit anybody.
    pub fn commitment(&self) -> String {
        format!("{:x}", Sha256::digest(self.line()))
    }

    fn line(&self) -> String {
        format!("{self}\n")
    }

    fn of_digits(digits: &str) -> Option<Seed> {
        let mut bytes = [0; 32];
        if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).ok()?;
        }
        Some(Seed(bytes))
    }

    /// A branch for one purpose.
    pub fn branch(&self, purpose: &str) -> Branch {
        let mut branch = Branch(Sha256::new());
        branch.0.update(self.0);
        branch.text(purpose);
        branch
    }
}

/// 64 hexadecimal digits.
impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Does not show the seed, which may be a secret.
impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed")
    }
}

/// A number, or the 64 hexadecimal digits of a seed that was drawn.
impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        struct Words;

        impl Visitor<'_> for Words {
            type Value = Seed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number from 0, or the 64 hexadecimal digits of a drawn seed")
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Seed, E> {
                let unexpected = serde::de::Unexpected::Signed(number);
                let number = u64::try_from(number);
                number
                    .map(Seed::of_number)
                    .map_err(|_| E::invalid_value(unexpected, &self))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Seed, E> {
                Ok(Seed::of_number(number))
            }

            fn visit_str<E: serde::de::Error>(self, digits: &str) -> Result<Seed, E> {
                let unexpected = serde::de::Unexpected::Str(digits);
                Seed::of_digits(digits).ok_or_else(|| E::invalid_value(unexpected, &self))
            }
        }

        deserializer.deserialize_any(Words)
    }
}

/// A hash of the seed, a purpose, and the fields added.
#[derive(Clone)]
pub struct Branch(Sha256);

impl Branch {
    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    /// Adds a text, with its length, so that the limits between fields count.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.update(text);
    }

    /// The first 64 bits of the hash.
    pub fn value(self) -> u64 {
        let hash: [u8; 32] = self.0.finalize().into();
        u64::from_be_bytes(hash[..8].try_into().expect("eight bytes"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn branches_are_fixed_and_apart() {
        let seed = Seed::of_number(7);
        let value = |purpose: &str, fields: &[&str]| {
            let mut branch = seed.branch(purpose);
            fields.iter().for_each(|field| branch.text(field));
            branch.value()
        };
        // By hashlib.sha256 of the bytes written out.
        assert_eq!(
            seed.to_string(),
            "d669ede898678c8f44e9be55de33f41556405c0efb066efa5e1c8f189ddc7c18",
            "leagues depend on it"
        );
        assert_eq!(
            value("dice", &["hex"]),
            0xe788_8c60_71ad_135a,
            "leagues depend on it"
        );
        let all = [
            value("dice", &["hex"]),
            value("lots", &["hex"]),
            value("dice", &["he", "x"]),
            value("dice", &["hex", ""]),
        ];
        for (i, one) in all.iter().enumerate() {
            assert!(!all[..i].contains(one), "{all:x?}");
        }
    }

    #[test]
    fn a_drawn_seed_is_a_secret_beside_the_log() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Seed::of_log(folder.path()).unwrap(), None);
        let (seed, other) = (Seed::draw().unwrap(), Seed::draw().unwrap());
        assert_ne!(seed, other);
        seed.save(folder.path()).unwrap();
        assert_eq!(Seed::of_log(folder.path()).unwrap(), Some(seed.clone()));
        assert!(other.save(folder.path()).is_err(), "never replaced");
        let path = folder.path().join(FILE_NAME);
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let sum = Sha256::digest(fs::read(&path).unwrap());
        assert_eq!(seed.commitment(), format!("{sum:x}"));
        assert_eq!(format!("{seed:?}"), "Seed");
        for bad in ["", "12", &"g".repeat(64), &"é".repeat(32)] {
            fs::write(&path, bad).unwrap();
            let error = Seed::of_log(folder.path()).unwrap_err().to_string();
            assert!(error.contains("64 hexadecimal digits"), "{error}");
        }
    }
}
