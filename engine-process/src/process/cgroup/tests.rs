use super::*;

#[test]
fn kills_are_counted_in_both_versions() {
    for (events, expected) in [
        (
            "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n",
            2,
        ),
        ("oom_kill_disable 0\nunder_oom 0\noom_kill 7\n", 7),
        ("oom_kill_disable 0\nunder_oom 0\n", 0),
        ("", 0),
    ] {
        assert_eq!(kills(events), expected, "{events}");
    }
}

#[test]
fn a_group_may_use_what_the_engine_may_and_what_the_kernel_needs() {
    let confinement = Confinement {
        memory_mb: 1024,
        file_mb: 100,
        processes: 8,
        ..Confinement::default()
    };
    let limits = Limits::of(&confinement, 2, 1);
    assert_eq!(limits.memory >> 20, 1024 + 64 + 16 + 200);
    assert_eq!(limits.processes, 10);
}
