//! The checksum of a line, by which damage is found: the last key of its object, `"crc32":"1a2b3c4d"`.
//! The line stays plain JSON, and any program can check it.
//!
//! It is the CRC-32 of zlib and PNG of all bytes before it, from the opening brace on, as eight
//! hexadecimal digits. It finds one or two flipped bits anywhere, and any damage within 32 bits in a
//! row; of other damage it misses one case in 2³². Nothing else passes for it: its key, its place and
//! the case of its digits are fixed. It is found as fast as memory is read, and parsing is slower by
//! far, so every line is checked whenever it is read.

/// What stands between the other keys and the digits.
const KEY: &str = ",\"crc32\":\"";

/// What follows the digits.
const END: &str = "\"}";

/// Adds its checksum to a JSON object with at least one key, without a line end.
pub(super) fn seal(object: &mut Vec<u8>) {
    debug_assert!(object.ends_with(b"}"), "an object");
    object.pop();
    let end = [KEY, &of(object), END].concat();
    object.extend_from_slice(end.as_bytes());
}

/// Checks a line whose key `crc32` has the text `sum`.
///
/// # Errors
/// The line is not as it was written.
pub(super) fn check(line: &[u8], sum: &str) -> Result<(), String> {
    let end = [KEY, sum, END].concat();
    let Some(summed) = line.strip_suffix(end.as_bytes()) else {
        return Err("damaged: crc32 is not its last key".to_owned());
    };
    let found = of(summed);
    if found == sum {
        return Ok(());
    }
    let sum: String = sum.escape_default().take(16).collect();
    Err(format!(
        "damaged: its bytes have crc32 {found}, but it says {sum}"
    ))
}

fn of(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_zlib() {
        // `python3 -c "import zlib; print('%08x' % zlib.crc32(b'{\"id\":1'))"`
        let mut line = b"{\"id\":1}".to_vec();
        seal(&mut line);
        assert_eq!(line, b"{\"id\":1,\"crc32\":\"56bfc637\"}");
        assert_eq!(check(&line, "56bfc637"), Ok(()));
    }

    #[test]
    fn only_the_line_as_it_was_written_passes() {
        let mut line = b"{\"id\":\"x\"}".to_vec();
        seal(&mut line);
        let sum = of(b"{\"id\":\"x\"");
        assert_eq!(check(&line, &sum), Ok(()));
        let refused = |line: &[u8], sum: &str| check(line, sum).is_err();
        assert!(refused(&line, &sum.to_uppercase()));
        assert!(refused(&[b" ", &line[..]].concat(), &sum));
        assert!(refused(&[&line, &b" "[..]].concat(), &sum));
        let spaced = String::from_utf8(line).unwrap().replace("32\":", "32\": ");
        assert!(refused(spaced.as_bytes(), &sum));
    }
}
