//! Knockout: the loser of a meeting is eliminated.

use super::group::{Group, Played};
use super::meeting::Ending;
use crate::fixture::{Ask, Entrant};

/// Plays all rounds; each depends on the one before. If the bracket has empty places, the top seeds
/// have a bye in the first round. The top seeds meet as late as possible.
pub(super) fn play(group: &Group<'_>, ask: &mut Ask<'_>) -> Played {
    let mut played = Played::default();
    let mut bracket = bracket(&group.entrants);
    let mut round = 0;
    while bracket.len() > 1 {
        round += 1;
        let (mut winners, mut losers) = (Vec::new(), Vec::new());
        let mut complete = true;
        for (table, meeting) in bracket.chunks(2).enumerate() {
            let &[Some(a), Some(b)] = meeting else {
                winners.push(meeting.iter().copied().flatten().next());
                continue;
            };
            let won = winner(group, round, table as u32, [a, b], &mut played, ask);
            complete &= won.is_some();
            winners.push(won.flatten());
            if let Some(winner) = won {
                losers.extend([a, b].into_iter().filter(|&side| Some(side) != winner));
            }
        }
        played.knocked_out.insert(0, losers);
        if !complete {
            let out: Vec<Entrant> = played.knocked_out.concat();
            let not_out = |entrant: &Entrant| !out.contains(entrant);
            let remaining = group.entrants.iter().copied().filter(not_out).collect();
            played.knocked_out.insert(0, remaining);
            return played;
        }
        bracket = winners;
    }
    played
        .knocked_out
        .insert(0, bracket.into_iter().flatten().collect());
    played.complete = true;
    played
}

/// The bracket of the first round: seeds 1 and 2 can meet only in the final, seeds 1 to 4 only from
/// the semi-finals on, and so on. `None` for a missing seed.
fn bracket(seeds: &[Entrant]) -> Vec<Option<Entrant>> {
    let mut places = vec![0];
    while places.len() < seeds.len() {
        let last = 2 * places.len() - 1;
        places = places
            .into_iter()
            .flat_map(|seed| [seed, last - seed])
            .collect();
    }
    places
        .into_iter()
        .map(|seed| seeds.get(seed).copied())
        .collect()
}

/// The winner of a meeting, once decided: by the meeting, by tie-break games, or by lot; no winner if both
/// entrants have left.
fn winner(
    group: &Group<'_>,
    round: u32,
    table: u32,
    sides: [Entrant; 2],
    played: &mut Played,
    ask: &mut Ask<'_>,
) -> Option<Option<Entrant>> {
    let mut met = group.meet(round, table, sides, ask);
    for decider in group
        .stage
        .tie_breaks
        .iter()
        .filter_map(|rule| rule.decider())
    {
        if !met.complete || met.winner().is_some() || met.ending.is_some() {
            break;
        }
        let next = group.decide(decider, round, table, sides, ask);
        played.meetings.push(std::mem::replace(&mut met, next));
    }
    if met.complete && met.winner().is_none() && met.ending.is_none() {
        met.ending = Some(Ending::Lot(group.sorted_by_lot(sides)[0]));
    }
    let winner = met.complete.then(|| met.winner());
    played.meetings.push(met);
    winner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_seeds_meet_as_late_as_possible() {
        let some = |places: &[usize]| places.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(bracket(&[7]), some(&[7]));
        assert_eq!(bracket(&[0, 1, 2, 3]), some(&[0, 3, 1, 2]));
        assert_eq!(
            bracket(&[0, 1, 2, 3, 4, 5, 6, 7]),
            some(&[0, 7, 3, 4, 1, 6, 2, 5])
        );
        assert_eq!(bracket(&[0, 1, 2]), [Some(0), None, Some(1), Some(2)]);
    }
}
