use super::super::verdict::tests::row;
use super::*;

#[test]
fn equal_curves_share_a_line_and_proofs_cost_no_more() {
    let rows = [
        row("pvs", &[1, 2, 3], false),
        row("minimax", &[1, 2], true),
        row("negamax", &[1, 2], true),
        row("mcts", &[1], false),
    ];
    let found = curves(&rows);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], ("pvs".into(), vec![(1, 100), (2, 200), (3, 300)]));
    assert_eq!(
        found[1],
        ("minimax, negamax".into(), vec![(1, 100), (2, 200)])
    );

    let mut two = row("pvs", &[1, 2, 3], false);
    two.findings.extend(row("pvs", &[1], false).findings);
    assert_eq!(curve(&two), [(1, 200), (2, 300), (3, 400)]);
}
