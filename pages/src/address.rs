//! Parts of addresses, with what could end them escaped.

/// A part of an address, with every character that could end it as its code.
pub(crate) fn escaped(part: &str) -> String {
    let mut text = String::new();
    for byte in part.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                text.push(byte.into());
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// A name with slashes as a path of an address.
pub(crate) fn path(name: &str) -> String {
    let parts: Vec<String> = name.split('/').map(escaped).collect();
    parts.join("/")
}
