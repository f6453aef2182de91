//! Engines in control groups.
#![cfg(target_os = "linux")]

use gamelog::record::{GameResult, Reason};
use jiff::SignedDuration;
use task::clock::ClockSpec;
use task::{Confinement, EngineSpec};

use crate::common::{ends, engine, hex_task, play, skipped, without_control_groups};

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
        ends(&task, GameResult::Second, Reason::Crash, "MiB of memory");
        // On a busy machine the referee may see it before the kernel ends it, but not every time.
        let by_kernel = "killed by the kernel: more than 128 MiB of memory (memory_mb)";
        assert!((0..5).any(|_| play(&task).detail.contains(by_kernel)));
    }
}
