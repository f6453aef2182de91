//! Engines: child processes that are never trusted, and the protocols that they speak.
//!
//! ```text
//! EngineSpec ─ process ─▶ lines ─ protocol ─▶ turns
//! ```

pub mod process;
pub mod protocol;
pub mod trace;
