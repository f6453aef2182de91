use super::*;
use crate::record::GameResult::*;
use crate::record::sample::game;

#[test]
fn tables_show_points_sides_opponents_and_faults() {
    // Ids that are not in the catalogue stand for themselves.
    let standings = Standings::of(&[
        game("nim", "pvs", "mcts", First, Reason::Rules),
        game("nim", "mcts", "pvs", First, Reason::Rules),
        game("go", "pvs", "mcts", Second, Reason::Time),
        game("go", "mcts", "pvs", Draw, Reason::Rules),
    ]);
    let text = super::standings(&standings);
    let expected = "\
go: 2 games
      engine   points   games   as First   as Second    mcts     pvs
──────────────────────────────────────────────────────────────────────
  1   mcts          3       2      0-1-0       1-0-0       ·   1-1-0
  2   pvs           1       2      0-0-1       0-1-0   0-1-1       ·

nim: 2 games
      engine   points   games   as First   as Second    mcts     pvs
──────────────────────────────────────────────────────────────────────
  1   mcts          2       2      1-0-0       0-0-1       ·   1-0-1
  2   pvs           2       2      1-0-0       0-0-1   1-0-1       ·

All games: 4 games
      engine   points   games   W-D-L   go   nim   lost: time
───────────────────────────────────────────────────────────────
  1   mcts          5       4   2-1-1    3     2            0
  2   pvs           3       4   1-1-2    1     2            1

Points: 2 a win, 1 a draw. W-D-L: wins, draws, losses.
";
    assert_eq!(text, expected);
    assert_eq!(summary(&standings.all), "mcts 5, pvs 3");
}
