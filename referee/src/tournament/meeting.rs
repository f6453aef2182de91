//! Two entrants meet: one game, pairs of games, or a series.

use super::fixture::{Ask, Decider, Entrant, Fixture};
use crate::config::Meeting;
use crate::record::GameResult;

/// A meeting, as far as it has been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// Its round, from 1.
    pub round: u32,
    /// The tie that it was to break.
    pub decider: Option<Decider>,
    /// Who met.
    pub sides: [Entrant; 2],
    /// The points of both from every game that has ended: 2 for a win, 1 for a draw.
    pub games: Vec<[u32; 2]>,
    /// Whether nothing more is to be played.
    pub complete: bool,
}

/// What counts in a table: a game, or a whole series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bout {
    pub(super) sides: [Entrant; 2],
    /// 2 for who won, 1 for both if nobody did.
    pub(super) points: [u32; 2],
}

impl Met {
    /// The points of all games together.
    pub fn points(&self) -> [u32; 2] {
        (self.games.iter()).fold([0, 0], |[a, b], points| [a + points[0], b + points[1]])
    }

    /// Who has more points, if it is over and one has.
    pub fn winner(&self) -> Option<Entrant> {
        let [a, b] = self.points();
        let ahead = if a > b { self.sides[0] } else { self.sides[1] };
        (self.complete && a != b).then_some(ahead)
    }

    /// What of it counts in a table.
    pub(super) fn bouts(&self, meeting: Meeting) -> Vec<Bout> {
        let sides = self.sides;
        match meeting {
            Meeting::Game | Meeting::Pairs(_) => (self.games.iter())
                .map(|&points| Bout { sides, points })
                .collect(),
            Meeting::Wins(_) if !self.complete => Vec::new(),
            Meeting::Wins(_) => {
                let [a, b] = self.points();
                let points = match a.cmp(&b) {
                    std::cmp::Ordering::Greater => [2, 0],
                    std::cmp::Ordering::Equal => [1, 1],
                    std::cmp::Ordering::Less => [0, 2],
                };
                vec![Bout { sides, points }]
            }
        }
    }
}

impl Meeting {
    /// The most games that it can have.
    pub(super) fn games(self) -> u32 {
        match self {
            Meeting::Game => 1,
            Meeting::Pairs(count) => 2 * count,
            Meeting::Wins(wins) => 2 * wins - 1,
        }
    }

    /// How many openings its games take: one for two.
    pub(super) fn openings(self) -> u32 {
        self.games().div_ceil(2)
    }
}

/// Whether the first of a meeting's sides plays `First` in its game with this number, from 0: in the
/// first, fourth, fifth, eighth, …, so that the games make pairs and neither begins all of them.
fn begins(number: u32) -> bool {
    matches!(number % 4, 0 | 3)
}

/// Asks for the games of a meeting. `first` is its first game, its number aside. Of a series, those
/// games are asked for that are played however the ones in progress end; `one_by_one`, none before
/// the one before it has ended.
pub(super) fn play(meeting: Meeting, one_by_one: bool, first: &Fixture, ask: &mut Ask<'_>) -> Met {
    let [a, b] = first.sides;
    let mut met = Met {
        round: first.round,
        decider: first.decider,
        sides: first.sides,
        games: Vec::new(),
        complete: false,
    };
    let (mut wins, mut in_progress) = ([0, 0], 0);
    for number in 0..meeting.games() {
        if let Meeting::Wins(enough) = meeting
            && wins[0].max(wins[1]) + in_progress >= enough
        {
            break;
        }
        if one_by_one && in_progress > 0 {
            break;
        }
        let straight = begins(number);
        let result = ask(&Fixture {
            number: if meeting.games() > 2 { number + 1 } else { 0 },
            opening: first.opening + number / 2,
            sides: if straight { [a, b] } else { [b, a] },
            ..*first
        });
        let Some(result) = result else {
            in_progress += 1;
            continue;
        };
        let mut points = match result {
            GameResult::First => [2, 0],
            GameResult::Draw => [1, 1],
            GameResult::Second => [0, 2],
        };
        if !straight {
            points.reverse();
        }
        wins[0] += u32::from(points[0] == 2);
        wins[1] += u32::from(points[1] == 2);
        met.games.push(points);
    }
    met.complete = in_progress == 0;
    met
}
