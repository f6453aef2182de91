//! Secrets: drawn, and compared.

use std::fs::File;
use std::io::{self, Read};

/// Whether two secrets are the same. It takes as long for a wrong one that begins like the right one
/// as for others, so that nobody can guess it piece by piece.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Random bytes.
///
/// # Errors
/// The system gives none.
pub(crate) fn bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Sixteen random bytes in hexadecimal digits.
///
/// # Errors
/// The system gives none.
pub(crate) fn random() -> io::Result<String> {
    let bytes: [u8; 16] = bytes()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
