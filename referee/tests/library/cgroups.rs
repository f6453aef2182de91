//! Engines in control groups.
#![cfg(target_os = "linux")]

use gamelog::record::{GameResult, Reason};
use jiff::SignedDuration;
use task::clock::ClockSpec;
use task::{Confinement, EngineSpec};

use crate::common::{ends, engine, hex_task, skipped, without_control_groups};

/// The kernel counts memory that no process maps, too.
#[test]
fn hidden_memory_ends_as_its_engine_s_loss() {
    if let Some(reason) = without_control_groups() {
        return skipped("memory that no process maps", &reason);
    }
    for sandbox in [true, false] {
        let hider = EngineSpec {
            confinement: Confinement {
                memory_mb: 128,
                file_mb: 64,
                sandbox,
                ..Confinement::default()
            },
            ..engine(&["hide-memory", "2"])
        };
        let clock = ClockSpec {
            base: Some(SignedDuration::from_secs(120)),
            ..ClockSpec::default()
        };
        let task = hex_task(engine(&[]), hider, clock);
        // By the kernel, or by the referee, which may see it first on a busy machine.
        let words = "MiB of memory";
        ends(&task, GameResult::Second, Reason::Crash, words);
    }
}
