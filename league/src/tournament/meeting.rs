//! Meetings of two entrants: one game, pairs of games, or a series.

use gamelog::record::GameResult;

use crate::config::Meeting;
use crate::fixture::{Ask, Decider, Entrant, Fixture, Wanted};

/// The games of a meeting so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// Its round, from 1.
    pub round: u32,
    /// The kind of tie-break; `None` for a regular meeting.
    pub decider: Option<Decider>,
    /// The two entrants.
    pub sides: [Entrant; 2],
    /// Points of both entrants in each finished game: 2 for a win, 1 for a draw.
    pub games: Vec<[u32; 2]>,
    /// Whether all its games are finished, or none is to come.
    pub complete: bool,
    /// How it ended, if not by its games alone.
    pub ending: Option<Ending>,
}

/// How a meeting ended, if not by its games alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One entrant has left; the other one gets what was not played, as points: 2 for a game or series.
    Walkover {
        /// Who has not left.
        winner: Entrant,
        /// Its points.
        points: u32,
    },
    /// Both entrants have left.
    Unplayed,
    /// An entrant left before it had played half of its games: none of them counts.
    Annulled,
    /// This entrant won by lot.
    Lot(Entrant),
}

/// One scoring unit of a table: a game, or a whole series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bout {
    pub(super) sides: [Entrant; 2],
    /// 2 for the winner, or 1 each for a draw.
    pub(super) points: [u32; 2],
}

impl Met {
    /// Total points of both entrants.
    pub fn points(&self) -> [u32; 2] {
        (self.games.iter()).fold([0, 0], |[a, b], points| [a + points[0], b + points[1]])
    }

    /// Who goes on: the entrant with more points, unless the other one has left, or it was drawn by lot;
    /// `None` if unfinished or equal.
    pub fn winner(&self) -> Option<Entrant> {
        match self.ending {
            Some(Ending::Walkover { winner, .. } | Ending::Lot(winner)) => return Some(winner),
            Some(Ending::Unplayed | Ending::Annulled) => return None,
            None => {}
        }
        let [a, b] = self.points();
        let ahead = if a > b { self.sides[0] } else { self.sides[1] };
        (self.complete && a != b).then_some(ahead)
    }

    /// Points that an entrant has without having played for them.
    pub fn given(&self, entrant: Entrant) -> u32 {
        match self.ending {
            Some(Ending::Walkover { winner, points }) if winner == entrant => points,
            _ => 0,
        }
    }

    /// How many of its games, or series, have been played, and how many there are.
    pub(super) fn units(&self, meeting: Meeting) -> [u32; 2] {
        match meeting {
            Meeting::Wins(_) => [u32::from(self.complete && self.ending.is_none()), 1],
            meeting => [self.games.len() as u32, meeting.games()],
        }
    }

    /// Its scoring units.
    pub(super) fn bouts(&self, meeting: Meeting) -> Vec<Bout> {
        let sides = self.sides;
        match meeting {
            _ if self.ending == Some(Ending::Annulled) => Vec::new(),
            Meeting::Wins(_)
                if matches!(
                    self.ending,
                    Some(Ending::Walkover { .. } | Ending::Unplayed)
                ) =>
            {
                Vec::new()
            }
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
    /// Maximum number of games.
    pub(super) fn games(self) -> u32 {
        match self {
            Meeting::Game => 1,
            Meeting::Pairs(count) => 2 * count,
            Meeting::Wins(wins) => 2 * wins - 1,
        }
    }

    /// Points of an entrant that wins all of it.
    pub(super) fn points(self) -> u32 {
        match self {
            Meeting::Game | Meeting::Wins(_) => 2,
            Meeting::Pairs(count) => 4 * count,
        }
    }

    /// Number of openings: one for every two games.
    pub(super) fn openings(self) -> u32 {
        self.games().div_ceil(2)
    }
}

/// Whether the first of a meeting's sides plays `First` in game `number`, from 0. It does in games
/// 1, 4, 5, 8, …: so the games form pairs, and each pair begins with the other entrant.
pub fn plays_first(number: u32) -> bool {
    matches!(number % 4, 0 | 3)
}

/// Asks for the games of a meeting. `first` is its first game, except for its number. In a series,
/// only those games are asked for that will be played whatever the results of the games in
/// progress. If `sequential` is set, each game waits for the one before. `staying` are the entrants that
/// have not left: with one, or none, nothing more is played.
pub(super) fn play(
    meeting: Meeting,
    sequential: bool,
    first: &Fixture,
    staying: [bool; 2],
    ask: &mut Ask<'_>,
) -> Met {
    let wanted = if staying == [true; 2] {
        Wanted::Play
    } else {
        Wanted::Look
    };
    let [a, b] = first.sides;
    let mut met = Met {
        round: first.round,
        decider: first.decider,
        sides: first.sides,
        games: Vec::new(),
        complete: false,
        ending: None,
    };
    let (mut wins, mut in_progress) = ([0, 0], 0);
    for number in 0..meeting.games() {
        if let Meeting::Wins(enough) = meeting
            && wins[0].max(wins[1]) + in_progress >= enough
        {
            break;
        }
        if sequential && in_progress > 0 {
            break;
        }
        let first_begins = plays_first(number);
        let fixture = Fixture {
            number: if meeting.games() > 2 { number + 1 } else { 0 },
            opening: first.opening + number / 2,
            sides: if first_begins { [a, b] } else { [b, a] },
            ..*first
        };
        let result = ask(&fixture, wanted);
        let Some(result) = result else {
            in_progress += 1;
            continue;
        };
        let mut points = match result {
            GameResult::First => [2, 0],
            GameResult::Draw => [1, 1],
            GameResult::Second => [0, 2],
            GameResult::Unfinished => [0, 0],
        };
        if !first_begins {
            points.reverse();
        }
        wins[0] += u32::from(points[0] == 2);
        wins[1] += u32::from(points[1] == 2);
        met.games.push(points);
    }
    met.complete = in_progress == 0;
    if !met.complete && wanted == Wanted::Look {
        met.complete = true;
        met.ending = Some(match staying {
            [false, false] => Ending::Unplayed,
            [stays, _] => Ending::Walkover {
                winner: if stays { a } else { b },
                points: match meeting {
                    Meeting::Wins(_) => meeting.points(),
                    _ => meeting.points() - 2 * met.games.len() as u32,
                },
            },
        });
    }
    met
}
