//! The default player: it solves what it can, and plays by its tree otherwise.

use std::collections::HashMap;

use dots_and_boxes::{DotsAndBoxes, Edge, Random, Solver, Variant};
use engine_core::{Algorithm, Limits, Outcome, Playout, Position, Report, Resources, Rng, Search};
use game::Searched;

use crate::exact;
use crate::solver::{bit, empty};
use crate::values::{net_boxes, net_boxes_after};

/// A box in points.
const BOX: i32 = 100;

fn player(position: &DotsAndBoxes) -> Box<dyn Search<DotsAndBoxes>> {
    let resources = Resources {
        table_mb: 8,
        threads: 1,
        seed: 1,
    };
    let settings = DotsAndBoxes::settings();
    let made = position.player(Algorithm::Best, &settings, resources);
    made.map_err(|error| format!("{error:?}")).expect("memory")
}

fn search(
    player: &mut dyn Search<DotsAndBoxes>,
    position: &DotsAndBoxes,
    limits: &Limits,
) -> Report<Edge> {
    player.search(position, limits, &mut |_| {})
}

/// A position after random lines or careful play, with so many open lines.
fn random(columns: u8, rows: u8, open: usize, rng: &mut Rng) -> DotsAndBoxes {
    let careful = rng.below(2) == 0;
    exact::random(columns, rows, open, careful, rng)
}

/// In 2 000 nodes, positions with few open lines are solved: the line is one of the best by minimax, and
/// the variation leads to the score. Draws are kept.
#[test]
fn few_open_lines_are_played_perfectly() {
    let mut rng = Rng::new(21);
    let (mut draws, mut checked) = (0, 0);
    let boards = [(3, 3), (4, 3), (3, 4), (4, 2)];
    let mut players = boards.map(|(columns, rows)| player(&empty(columns, rows)));
    for case in 0..240 {
        let (columns, rows) = boards[case % 4];
        let open = 1 + rng.below(14) as usize;
        let mut position = random(columns, rows, open, &mut rng);
        let report = search(&mut *players[case % 4], &position, &Limits::nodes(2_000));
        let mut known = HashMap::new();
        let value = net_boxes(&mut position, &mut known);
        assert!(report.solved, "{position:?} {report:?}");
        assert!((1..=2_000).contains(&report.nodes), "{report:?}");
        let margin = position.margin() + value;
        let score = report.score.expect("it is solved");
        assert_eq!(score.value(), BOX * margin, "{position:?} {report:?}");
        let played = net_boxes_after(&mut position, report.pv[0], &mut known);
        assert_eq!(played, value, "{position:?} {report:?}");
        let side = position.side();
        assert_eq!(report.depth as usize, position.legal_moves().len());
        for &edge in &report.pv {
            assert!(position.is_legal(edge));
            position.play(edge);
        }
        assert!(position.outcome().is_some(), "{report:?}");
        let sign = if position.side() == side { 1 } else { -1 };
        assert_eq!(sign * position.margin(), margin);
        draws += u32::from(margin == 0);
        checked += 1;
    }
    assert!(checked == 240 && draws >= 15, "{checked} {draws}");
}

/// The solver's nodes count, nothing depends on the clock, and a new game is as the first.
#[test]
fn searches_by_nodes_repeat_within_their_limit() {
    let mut rng = Rng::new(22);
    let mut again = player(&empty(5, 5));
    let (mut solved, mut unsolved) = (0, 0);
    for open in [26, 30, 33, 36, 36, 38, 44] {
        let position = random(5, 5, open, &mut rng);
        for nodes in [1, 30, 400] {
            let limits = Limits::nodes(nodes);
            let report = search(&mut *player(&position), &position, &limits);
            assert!(report.nodes <= nodes, "{nodes}: {report:?}");
            assert!(position.is_legal(report.pv[0]));
            again.new_game();
            let mut second = search(&mut *again, &position, &limits);
            second.time = report.time;
            assert_eq!(second, report);
            solved += u32::from(report.solved);
            unsolved += u32::from(!report.solved);
        }
    }
    assert!(solved > 0 && unsolved > 0, "{solved} {unsolved}");
}

/// The nodes that the solver needed for nothing are the tree's no more.
#[test]
fn what_the_solver_does_not_prove_the_tree_plays() {
    let position = random(5, 5, 36, &mut Rng::new(1));
    let limits = Limits::nodes(900);
    let mut reports = Vec::new();
    let report = player(&position).search(&position, &limits, &mut |report| {
        reports.push(report.clone());
    });
    assert!(!report.solved && report.nodes == 900, "{report:?}");
    assert!(report.depth < 36, "the tree's: {report:?}");
    assert_eq!(reports.last(), Some(&report));
}

/// A player that stops at a majority wins what can be won, and says in how many plies.
#[test]
fn an_early_end_is_a_win_in_plies() {
    let variant = Variant {
        columns: 3,
        rows: 3,
        stop_at_majority: true,
    };
    let mut rng = Rng::new(23);
    let (mut won, mut lost) = (0, 0);
    for _ in 0..150 {
        let mut position = variant.start().expect("a small board");
        while position.outcome().is_none() && position.legal_moves().len() > 12 {
            let edge = Random.choose(&position, &mut rng);
            position.play(edge);
        }
        if position.outcome().is_some() {
            continue;
        }
        let report = search(&mut *player(&position), &position, &Limits::nodes(2_000));
        assert!(report.solved, "{report:?}");
        let score = report.score.expect("it is solved");
        let side = position.side();
        for &edge in &report.pv {
            position.play(edge);
        }
        let plies = Some(report.pv.len() as u32);
        if position.outcome() == Some(Outcome::Win(side)) {
            assert_eq!(score.plies_to_win(), plies);
            won += 1;
        } else {
            assert_eq!(score.plies_to_loss(), plies);
            lost += 1;
        }
    }
    assert!(won >= 5 && lost >= 5, "{won} {lost}");
}

/// The box of one is all twins: each line is drawn once, and a finished game has none.
#[test]
fn every_line_of_one_box_is_drawn() {
    let mut position = empty(1, 1);
    let mut seen = 0;
    while position.outcome().is_none() {
        let report = search(&mut *player(&position), &position, &Limits::nodes(10));
        seen |= bit(report.pv[0]);
        position.play(report.pv[0]);
    }
    assert_eq!(seen, 15);
    let report = search(&mut *player(&position), &position, &Limits::nodes(10));
    assert!(report.pv.is_empty() && report.score.is_none(), "{report:?}");
}

/// Without its best lines, the player finds the best of the others: so an analysis gets a second line.
#[test]
fn excluded_lines_are_not_drawn() {
    let mut rng = Rng::new(24);
    let mut worse = 0;
    for _ in 0..60 {
        let open = 3 + rng.below(9) as usize;
        let mut position = random(3, 3, open, &mut rng);
        let mut known = HashMap::new();
        let mut values = Vec::new();
        for edge in position.legal_moves() {
            values.push((net_boxes_after(&mut position, edge, &mut known), edge));
        }
        let most = values.iter().map(|&(value, _)| value).max();
        let is_best = |&(value, _): &(i32, Edge)| Some(value) == most;
        let (best, others): (Vec<_>, Vec<_>) = values.into_iter().partition(is_best);
        let Some(second) = others.iter().map(|&(value, _)| value).max() else {
            continue;
        };
        let mut player = player(&position);
        player.exclude(best.into_iter().map(|(_, edge)| edge).collect());
        let report = search(&mut *player, &position, &Limits::nodes(2_000));
        let score = report.score.expect("it is solved");
        assert_eq!(score.value(), BOX * (position.margin() + second));
        assert!(others.contains(&(second, report.pv[0])), "{report:?}");
        // Only once.
        let report = search(&mut *player, &position, &Limits::nodes(2_000));
        let score = report.score.expect("it is solved").value();
        assert_eq!(Some(score / BOX - position.margin()), most);
        worse += 1;
    }
    assert!(worse >= 30, "{worse}");
}

/// A won game is played on by a winning line, also where its margin is not known.
#[test]
fn a_win_is_kept_before_its_margin_is_known() {
    let mut rng = Rng::new(25);
    let mut solver = Solver::new(1 << 24).expect("memory");
    let mut inexact = 0;
    for _ in 0..60 {
        let position = random(5, 5, 34, &mut rng);
        let report = search(&mut *player(&position), &position, &Limits::nodes(3_000));
        if report.solved || report.score.is_none_or(|score| score.value() <= 0) {
            continue;
        }
        let mut after = position.clone();
        after.play(report.pv[0]);
        let won = Some(Outcome::Win(position.side()));
        if report.depth as usize != position.legal_moves().len() {
            continue;
        }
        assert_eq!(solver.result(&after, &Limits::default()), won);
        let value = solver.value(&position, &Limits::default());
        let margin = position.margin() + value.expect("no limits");
        let score = report.score.expect("it is won").value();
        assert!(score <= BOX * margin, "{position:?} {report:?}");
        inexact += 1;
    }
    assert!(inexact >= 3, "{inexact}");
}
