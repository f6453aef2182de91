//! Engines: child processes that are never trusted, and the protocols that they speak.
//!
//! ```text
//! EngineSpec ─ process ─▶ lines ─ driver ─▶ turns
//! ```

pub mod cores;
pub mod deviation;
pub mod driver;
pub mod info;
pub mod process;
pub mod trace;

use std::time::Duration;

/// How long an engine may take to get ready: its handshake and preparation. Each engine has its own
/// time, so a slow one costs the other nothing.
pub const START_UP: Duration = Duration::from_secs(10);

/// How long an engine may take to exit after `quit`.
pub const QUIT_GRACE: Duration = Duration::from_secs(1);

/// The same after a game that an engine has lost by a fault.
pub const SPOILED_GRACE: Duration = Duration::from_millis(300);
