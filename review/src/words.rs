//! A review as text.

use std::fmt::Write;

use engine_core::Side;

use crate::course::Point;
use crate::league::{Difference, LeagueReview, Worst};
use crate::marks::Mark;
use crate::review::Review;
use crate::sums::{PHASES, Sums};
use crate::values::of_side;

/// A review as text: a line for each turn, then the sums, the turning points, and the costliest turn of the
/// side that lost. `names` are those of both sides; `loser` is `None` without one.
pub fn text(review: &Review, names: [&str; 2], loser: Option<Side>) -> String {
    let mut text = String::new();
    let width = review
        .course
        .plies
        .iter()
        .map(|ply| ply.text.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(4, 24);
    let _ = writeln!(
        text,
        " ply  side    {:width$}  win%   loss  mark         best instead",
        "turn"
    );
    for ply in review.course.opening..review.course.plies.len() {
        let _ = writeln!(text, "{}", line(review, ply, width).trim_end());
    }
    if let Some(fault) = &review.course.fault {
        let _ = writeln!(text, "The rest cannot be played: {fault}");
    }
    text.push('\n');
    sums(review, names, &mut text);
    turning_points(review, names, &mut text);
    if let Some(loser) = loser {
        costliest(review, names[loser.index()], loser, &mut text);
    }
    text
}

/// The line of a ply. The chance is that of the side that moved.
fn line(review: &Review, ply: usize, width: usize) -> String {
    let played = &review.course.plies[ply];
    let side = match played.side {
        Side::First => "first",
        Side::Second => "second",
    };
    let after = review.values.first[ply + 1].map(|first| of_side(first, played.side));
    let chance = after.map_or("     –".to_owned(), |after| {
        format!("{:6.1}", 100.0 * after)
    });
    let changed = match (review.course.points[ply], review.values.luck[ply]) {
        (Point::Roll(side), Some(luck)) => {
            let luck = if side == Side::First { luck } else { -luck };
            format!("{:+5.1}  roll", 100.0 * luck)
        }
        _ => lost(review, ply),
    };
    format!(
        "{:4}  {side:6}  {:width$}{chance}  {changed}",
        ply + 1,
        played.text
    )
}

/// Loss, mark and the better turn.
fn lost(review: &Review, ply: usize) -> String {
    let (Some(lost), Some(verdict)) = (review.values.lost[ply], review.verdicts[ply]) else {
        return String::new();
    };
    let better = match review.found(ply) {
        Some(found) if verdict.mark > Mark::Best => {
            format!("{}  ({})", found.shown().join(" "), found.score)
        }
        _ => String::new(),
    };
    format!("{:5.1}  {:11}  {better}", 100.0 * lost, verdict.name())
}

fn sums(review: &Review, names: [&str; 2], text: &mut String) {
    let has_rolls = review.values.luck.iter().any(Option::is_some);
    let rows: Vec<(&str, &Sums)> = names.into_iter().zip(&review.sums).collect();
    *text += &table("side", &rows, has_rolls);
    for (name, sums) in rows {
        let bad = |phase: &[u32; 5]| phase[Mark::Inaccuracy as usize..].iter().sum::<u32>();
        let phases = PHASES.iter().zip(&sums.marks);
        let parts: Vec<String> = phases
            .filter(|(_, phase)| bad(phase) > 0)
            .map(|(name, phase)| format!("{} in the {name}", bad(phase)))
            .collect();
        if !parts.is_empty() {
            let _ = writeln!(text, "{name}: inaccuracies or worse, {}", parts.join(", "));
        }
    }
}

/// A table of sums, under a heading for their names; with the luck of rolls if there are any.
fn table(heading: &str, rows: &[(&str, &Sums)], has_rolls: bool) -> String {
    let lengths = rows.iter().map(|(name, _)| name.chars().count());
    let width = lengths.max().unwrap_or(0).max(heading.len());
    let luck = if has_rolls { "    luck" } else { "" };
    let mut text = format!(
        "{heading:width$}  turns  accuracy  mean loss  inaccuracies  mistakes  blunders  missed \
         wins{luck}\n"
    );
    for (name, sums) in rows {
        let luck = if has_rolls {
            format!("  {:+6.1}", 100.0 * sums.luck)
        } else {
            String::new()
        };
        let percent =
            |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.1}%"));
        let _ = writeln!(
            text,
            "{name:width$}  {:5}  {:>8}  {:>9}  {:12}  {:8}  {:8}  {:11}{luck}",
            sums.turns,
            percent(sums.accuracy),
            percent(sums.known_loss().map(|loss| 100.0 * loss)),
            sums.count(Mark::Inaccuracy),
            sums.count(Mark::Mistake),
            sums.count(Mark::Blunder),
            sums.missed_wins,
        );
    }
    text
}

fn turning_points(review: &Review, names: [&str; 2], text: &mut String) {
    if review.turning_points.is_empty() {
        let is_judged = review.sums.iter().any(|sums| sums.turns > 0);
        let none = if is_judged {
            "No turn lost as much as an inaccuracy."
        } else {
            "No turn was judged."
        };
        let _ = writeln!(text, "\n{none}");
        return;
    }
    let _ = writeln!(text, "\nWhere it turned:");
    for &ply in &review.turning_points {
        let played = &review.course.plies[ply];
        let name = names[played.side.index()];
        let better = review.found(ply).and_then(|found| found.line.first());
        let better = better.map_or(String::new(), |better| format!("; better {better}"));
        let _ = writeln!(
            text,
            "  ply {}, {name} {}: {}{better}",
            ply + 1,
            played.text,
            review.reason(ply)
        );
    }
}

/// The turn that cost the side that lost most; nothing if none was judged.
fn costliest(review: &Review, name: &str, loser: Side, text: &mut String) {
    if review.sums[loser.index()].turns == 0 {
        return;
    }
    let Some(ply) = review.costliest(loser) else {
        let _ = writeln!(
            text,
            "\n{name} lost, and none of its turns lost as much as an inaccuracy."
        );
        return;
    };
    let played = &review.course.plies[ply].text;
    let better = review.found(ply).map(|found| found.shown().join(" "));
    let better = better.filter(|line| !line.is_empty());
    let better = better.map_or(String::new(), |line| format!("; better line: {line}"));
    let _ = writeln!(
        text,
        "\n{name} lost. Its costliest turn: ply {}, {played}{better}",
        ply + 1
    );
}

/// How many openings are shown, those with the largest losses first.
const OPENINGS: usize = 10;

/// What the reviews of many games say together, as text.
pub fn together(league: &LeagueReview) -> String {
    let rows: Vec<(&str, &Sums)> = league
        .players
        .iter()
        .map(|(name, sums)| (&**name, sums))
        .collect();
    let mut text = table("player", &rows, false);
    phases(&rows, &mut text);
    openings(league, &mut text);
    if !league.worst.is_empty() {
        text += "\nThe worst turns:\n";
    }
    for worst in &league.worst {
        let Worst {
            id,
            ply,
            player,
            text: turn,
            lost,
            reason,
            better,
        } = worst;
        let lost = 100.0 * lost;
        let _ = writeln!(
            text,
            "  {id}, ply {ply}, {player} {turn}: lost {lost:.1} %, {reason}; better {better}"
        );
    }
    if !league.differences.is_empty() {
        text += "\nWhere two engines judged the same position most differently:\n";
    }
    for Difference {
        id,
        ply,
        players,
        chances,
    } in &league.differences
    {
        let [own, other] = chances.map(|chance| 100.0 * chance);
        let [player, next] = players;
        let _ = writeln!(
            text,
            "  {id}, ply {ply}: {player} gave itself {own:.0} %, {next} gave it {other:.0} %"
        );
    }
    text
}

/// The mean loss of each player by phase.
fn phases(rows: &[(&str, &Sums)], text: &mut String) {
    let lengths = rows.iter().map(|(name, _)| name.chars().count());
    let width = lengths.max().unwrap_or(0).max("mean loss".len());
    let [opening, middle, ending] = PHASES;
    let _ = writeln!(
        text,
        "\n{:width$}  {opening:>8}  {middle:>8}  {ending:>8}",
        "mean loss"
    );
    for (name, sums) in rows {
        let [opening, middle, ending] = sums.phase_loss.map(|loss| 100.0 * loss);
        let _ = writeln!(
            text,
            "{name:width$}  {opening:7.1}%  {middle:7.1}%  {ending:7.1}%"
        );
    }
}

/// The openings after which most was lost a turn, if there are several.
fn openings(league: &LeagueReview, text: &mut String) {
    let mut all = league.openings_by_loss();
    if all.len() < 2 {
        return;
    }
    let count = all.len();
    all.truncate(OPENINGS);
    let _ = writeln!(
        text,
        "\nMean loss by opening ({} of {count}, the largest first):",
        all.len()
    );
    for (game, opening, sums) in all {
        let opening = if opening.is_empty() { "start" } else { opening };
        let opening: String = opening.chars().take(40).collect();
        let players = sums.players.iter();
        let players: Vec<String> = players
            .map(|(name, sums)| format!("{name} {:.1} %", 100.0 * sums.mean_loss))
            .collect();
        let (loss, games, players) = (100.0 * sums.mean_loss(), sums.games, players.join(", "));
        let _ = writeln!(
            text,
            "  {loss:5.1} %  {games:4} games  {game} {opening}: {players}"
        );
    }
}
