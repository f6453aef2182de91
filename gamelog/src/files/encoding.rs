//! Text encodings. Contest records are UTF-8 or GBK, and do not say which.

use encoding_rs::{DecoderResult, GBK};
use records::{Fault, Place};
use serde::{Deserialize, Serialize};

/// Text encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8 without a byte-order mark.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// GBK, a superset of GB2312.
    Gbk,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 2] = [Encoding::Utf8, Encoding::Gbk];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Gbk => "gbk",
        }
    }

    /// What it is, for a list of them.
    pub const fn about(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8 without a byte-order mark",
            Encoding::Gbk => "GBK, a superset of GB2312",
        }
    }
}

/// Decodes a file, and converts its line ends to `\n`. A byte-order mark determines the encoding;
/// without one, the text is UTF-8 if it is valid UTF-8, otherwise in the encoding that an SGF file names in
/// `CA`, otherwise GBK.
///
/// # Errors
/// Bytes that are neither: the fault is where the decoder that got farther stopped.
pub fn decode(bytes: &[u8]) -> Result<String, Fault> {
    let text = match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, length)) => {
            let (text, _, is_faulty) = encoding.decode(&bytes[length..]);
            if is_faulty {
                return Err(fault(&text, text.find('\u{fffd}'), encoding.name()));
            } else {
                text.into_owned()
            }
        }
        None => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(error) => match stated(bytes) {
                Some(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
                None => gbk(bytes, error.valid_up_to())?,
            },
        },
    };
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Bytes in which an SGF file names its encoding.
const HEAD: usize = 4_096;

/// The encoding that an SGF file names in `CA`, if it is neither UTF-8, which the bytes are not, nor GBK,
/// which is tried in any case.
fn stated(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let at = head.windows(3).position(|window| window == b"CA[")?;
    let label = head[at + 3..].split(|byte| *byte == b']').next()?;
    let encoding = encoding_rs::Encoding::for_label(label)?;
    (![encoding_rs::UTF_8, GBK].contains(&encoding)).then_some(encoding)
}

/// Decodes GBK; the first `valid_utf8` bytes are valid UTF-8.
fn gbk(bytes: &[u8], valid_utf8: usize) -> Result<String, Fault> {
    let mut text = String::with_capacity(2 * bytes.len() + 8);
    let mut decoder = GBK.new_decoder_without_bom_handling();
    let (result, read) = decoder.decode_to_string_without_replacement(bytes, &mut text, true);
    match result {
        DecoderResult::InputEmpty => Ok(text),
        _ if valid_utf8 >= read => {
            let text = String::from_utf8_lossy(&bytes[..valid_utf8]);
            Err(fault(&text, Some(text.len()), "UTF-8 or GBK"))
        }
        _ => Err(fault(&text, Some(text.len()), "UTF-8 or GBK")),
    }
}

/// A fault at byte index `at` of a text.
fn fault(text: &str, at: Option<usize>, expected: &str) -> Fault {
    let before = &text[..at.unwrap_or(0)];
    let before = before.replace("\r\n", "\n").replace('\r', "\n");
    let line = before.rsplit('\n').next().unwrap_or_default();
    Fault {
        place: Place {
            line: 1 + before.matches('\n').count(),
            column: 1 + line.chars().count(),
        },
        found: "invalid bytes".to_owned(),
        expected: format!("text in {expected}"),
    }
}

impl Encoding {
    /// Encodes a text.
    ///
    /// # Errors
    /// The first character that the encoding does not have.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, String> {
        match self {
            Encoding::Utf8 => Ok(text.as_bytes().to_vec()),
            Encoding::Gbk => {
                let (bytes, _, is_faulty) = GBK.encode(text);
                if !is_faulty {
                    return Ok(bytes.into_owned());
                }
                let missing = text.chars().find(|c| GBK.encode(&c.to_string()).2);
                Err(format!("GBK has no {:?}", missing.unwrap_or_default()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_read_whatever_their_encoding_and_line_ends() {
        let text = "#[AM][先手队]\n1 d1d7(g7)\n\n";
        let mixed = "#[AM][先手队]\r\n1 d1d7(g7)\r\r\n";
        for bytes in [
            text.as_bytes().to_vec(),
            ["\u{feff}", text].concat().into_bytes(),
            mixed.as_bytes().to_vec(),
            Encoding::Gbk.encode(text).unwrap(),
            Encoding::Gbk.encode(mixed).unwrap(),
            [0xff, 0xfe]
                .into_iter()
                .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
                .collect(),
        ] {
            assert_eq!(decode(&bytes).as_deref(), Ok(text));
        }
    }

    #[test]
    fn sgf_names_its_encoding() {
        let latin = b"(;CA[ISO-8859-1]PB[Ren\xe9]SZ[13])";
        assert_eq!(
            decode(latin).as_deref(),
            Ok("(;CA[ISO-8859-1]PB[René]SZ[13])")
        );
        let gbk = Encoding::Gbk.encode("(;CA[UTF-8]PB[先手])").unwrap();
        assert_eq!(decode(&gbk).as_deref(), Ok("(;CA[UTF-8]PB[先手])"));
    }

    #[test]
    fn invalid_text_is_reported_with_its_place() {
        let gbk = Encoding::Gbk.encode("先\r\n手队").unwrap();
        for (bytes, message) in [
            ([&*gbk, &[0xff, b'a']].concat(), "line 2, column 3"),
            (
                [b"ab\n\xe5\x85\x88".as_slice(), &[0xff, b'a']].concat(),
                "line 2, column 2",
            ),
            (b"\xef\xbb\xbfa\xffb".to_vec(), "line 1, column 2"),
        ] {
            let fault = decode(&bytes).unwrap_err();
            assert_eq!(fault.place.to_string(), message);
        }
        assert_eq!(Encoding::Gbk.encode("a🂡").unwrap_err(), "GBK has no '🂡'");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes: Vec<u8>) {
            let _ = decode(&bytes);
        }

        // A short text may be valid in both encodings; one with a result is not.
        #[test]
        fn written_gbk_is_read(text in "[一-龟a-z\n]*先手胜[一-龟a-z\n]*") {
            prop_assert_eq!(decode(&Encoding::Gbk.encode(&text).unwrap()), Ok(text));
        }
    }
}
