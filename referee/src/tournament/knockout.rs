//! The knockout system: who loses a meeting is out.

use super::fixture::{Ask, Entrant};
use super::group::{Group, Played};

/// Asks for all rounds, each of which follows from the one before. The first seeds have no opponent
/// in the first round if there are not enough entrants, and meet as late as they can.
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
            let winner = winner(group, round, table as u32, [a, b], &mut played, ask);
            complete &= winner.is_some();
            winners.push(winner);
            losers.extend(winner.map(|winner| if winner == a { b } else { a }));
        }
        played.knocked_out.insert(0, losers);
        if !complete {
            let out: Vec<Entrant> = played.knocked_out.concat();
            let still_in = |entrant: &Entrant| !out.contains(entrant);
            let left = group.entrants.iter().copied().filter(still_in).collect();
            played.knocked_out.insert(0, left);
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

/// The places of the first round, the seeds so that the first and the second can only meet in the
/// last round, the first four only in the last two, and so on; nobody where seeds are missing.
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

/// Who goes on, once that is decided: by the meeting, by games that break its tie, or by lot.
fn winner(
    group: &Group<'_>,
    round: u32,
    table: u32,
    sides: [Entrant; 2],
    played: &mut Played,
    ask: &mut Ask<'_>,
) -> Option<Entrant> {
    let mut met = group.meet(round, table, sides, ask);
    for decider in group
        .stage
        .tie_breaks
        .iter()
        .filter_map(|rule| rule.decider())
    {
        if !met.complete || met.winner().is_some() {
            break;
        }
        let next = group.decide(decider, round, table, sides, ask);
        played.meetings.push(std::mem::replace(&mut met, next));
    }
    let winner = met
        .winner()
        .or_else(|| met.complete.then(|| group.drawn(sides)[0]));
    played.meetings.push(met);
    winner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_seeds_meet_as_late_as_they_can() {
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
