//! The protocols of entries and the referee: their names, and the grammar of each in both directions.
//! Nothing here knows a game or a process.

pub mod announcement;
pub mod botzone;
pub mod gomocup;
pub mod gtp;
pub mod sau;
pub mod ugi;

use serde::{Deserialize, Serialize};

/// A protocol between referee and engine. Every game supports the first two; each game says which others
/// it supports.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// The Universal Game Interface.
    #[default]
    Ugi,
    /// The protocol of the SAU Game Platform.
    Sau,
    /// The Go Text Protocol, version 2; HTP for Hex.
    Gtp,
    /// Botzone, one line of JSON per turn.
    Botzone,
    /// Botzone's simplified interaction: lines of numbers.
    BotzoneSimple,
    /// The Gomocup protocol of piskvork.
    Gomocup,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 6] = [
        Protocol::Ugi,
        Protocol::Sau,
        Protocol::Gtp,
        Protocol::Botzone,
        Protocol::BotzoneSimple,
        Protocol::Gomocup,
    ];

    /// The name in league files, on the command line and in logs: `botzone-simple`.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Ugi => "ugi",
            Protocol::Sau => "sau",
            Protocol::Gtp => "gtp",
            Protocol::Botzone => "botzone",
            Protocol::BotzoneSimple => "botzone-simple",
            Protocol::Gomocup => "gomocup",
        }
    }

    /// What it is, for a list of them.
    pub const fn about(self) -> &'static str {
        match self {
            Protocol::Ugi => "The Universal Game Interface",
            Protocol::Sau => "The protocol of the SAU Game Platform",
            Protocol::Gtp => "The Go Text Protocol, version 2; HTP for Hex",
            Protocol::Botzone => "Botzone, one line of JSON per turn",
            Protocol::BotzoneSimple => "Botzone's simplified interaction: lines of numbers",
            Protocol::Gomocup => "The Gomocup protocol of piskvork",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_serves_files_and_command_lines() {
        for protocol in Protocol::ALL {
            assert_eq!(serde_json::to_value(protocol).unwrap(), protocol.name());
        }
    }
}
