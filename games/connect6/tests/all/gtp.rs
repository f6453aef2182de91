//! The engine in GTP, as graphical boards use it.

use protocol::gtp::conformance;

const CONNECT6: &str = env!("CARGO_BIN_EXE_connect6");

#[test]
fn every_listed_command_is_known() {
    conformance::check_list(CONNECT6);
}

/// Stones come one by one or in pairs, of either colour, also within a turn.
#[test]
fn a_position_is_set_up_stone_by_stone() {
    let played = "play w j10\nplay w k10\nplay b a1\nplay w l10m10\nplay w n10\nplay b b1c1\n";
    let won = format!("{played}genmove w\nfinal_score");
    assert_eq!(conformance::last(CONNECT6, &[], &won), "W+");
    let count = |commands: &str| {
        let legal = conformance::last(CONNECT6, &[], &format!("{commands}all_legal_moves"));
        legal.split(' ').count()
    };
    assert_eq!(count(played), 19 * 19 - 8);
    assert_eq!(count(&format!("{played}undo\nundo\n")), 19 * 19 - 5);
    let undone = "undo\n".repeat(6);
    assert_eq!(count(&format!("{played}{undone}")), 19 * 19);
}

/// Whatever was set up, the next turn has two stones.
#[test]
fn set_up_stones_are_loaded() {
    for (game, stones) in [
        ("AB[j10]AW[k10][l10]", 3),
        ("AB[j10][k10];B[l10m10]", 4),
        ("AB[j10][k10][l10]AW[a1];W[b1c1];B[m10n10]", 8),
    ] {
        let game = format!("(;GM[4]SZ[19]{game})");
        let legal = conformance::with_file(&game, |path| {
            conformance::last(CONNECT6, &[], &format!("loadsgf {path}\nall_legal_moves"))
        });
        assert_eq!(legal.split(' ').count(), 19 * 19 - stones, "{game}");
    }
}

#[test]
fn single_stones_are_candidates() {
    let won = "play w j10\nplay w k10l10\nplay w m10n10\nsearch_candidates w";
    let influence = conformance::last(CONNECT6, &[], won);
    let best = influence.split(' ').nth(1).unwrap_or_default();
    assert!(["i10", "o10"].contains(&best), "{influence}");
    assert!(
        influence.ends_with(&format!("TEXT {best}: win 1")),
        "{influence}"
    );
}
