//! The rules of Connect Four.

use connect_four::ConnectFour;
use engine_core::perft;

/// Seven moves each until a column is full or somebody has won; the seventh ply ends no column but
/// those of six stones, the eighth knows the first wins.
#[test]
fn sequences_of_moves_are_counted() {
    for (depth, count) in [
        (1, 7),
        (2, 49),
        (3, 343),
        (6, 117_649),
        (7, 823_536),
        (8, 5_673_234),
    ] {
        assert_eq!(
            perft(&mut ConnectFour::default(), depth),
            count,
            "depth {depth}"
        );
    }
}
