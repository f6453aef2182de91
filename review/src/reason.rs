//! What happened at a turn, in one line of words.
//!
//! The words follow from the first of these that holds: a win or a loss on the spot; what is proven; what
//! the best reply takes, cuts or walls in; how far the chance fell.

use std::fmt::{self, Display, Formatter};

use engine_core::{Outcome, Side};
use game::{Lapse, LapseKind};
use serde::{Serialize, Serializer};

use crate::course::{Course, Point};
use crate::searched::Searched;
use crate::values::{Values, of_side};

/// A line of words, as a template and what stands in its places, so that it can be said in any language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reason {
    /// English, with `{0}` and `{1}` for the parts; empty for no reason.
    pub template: &'static str,
    /// Turns and numbers.
    pub parts: Vec<String>,
}

/// All templates.
pub const TEMPLATES: &[&str] = &[
    OVERLOOKS_WIN,
    OVERLOOKS_THREAT,
    WON_TO_LOST,
    GIVES_AWAY_WIN,
    GIVES_AWAY_WIN_IN,
    LOSES,
    LOSES_IN,
    FALLS,
    BOXES,
    MORE_BOXES,
    PIECES,
    WALLED_IN,
    LINKS,
];

const OVERLOOKS_WIN: &str = "overlooks {0}, which wins at once";
const OVERLOOKS_THREAT: &str = "overlooks the threat {0}, which wins at once";
const WON_TO_LOST: &str = "turns a won game into a lost one";
const GIVES_AWAY_WIN: &str = "gives away a win";
const GIVES_AWAY_WIN_IN: &str = "gives away a win in {0}";
const LOSES: &str = "loses: the other side wins";
const LOSES_IN: &str = "loses: the other side wins in {0}";
const FALLS: &str = "the chance to win falls from {0} % to {1} %";
const BOXES: &str = "gives away boxes: {0} takes {1}";
const MORE_BOXES: &str = "gives away more boxes than it must: {0} takes {1}";
const PIECES: &str = "lets {0} capture";
const WALLED_IN: &str = "lets {0} wall an amazon in";
const LINKS: &str = "lets {0} cut a connection";

impl Display for Reason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = self.template.to_owned();
        for (at, part) in self.parts.iter().enumerate() {
            text = text.replace(&format!("{{{at}}}"), part);
        }
        f.write_str(&text)
    }
}

impl Serialize for Reason {
    /// In English.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Reason {
    fn new<const N: usize>(template: &'static str, parts: [String; N]) -> Reason {
        Reason {
            template,
            parts: parts.to_vec(),
        }
    }

    /// What happened at a ply that lost something; no words for a roll.
    pub fn of(course: &Course, searched: &Searched, values: &Values, ply: usize) -> Reason {
        let Point::Turn { side, .. } = course.points[ply] else {
            return Reason::default();
        };
        let seen = Seen {
            course,
            searched,
            ply,
            side,
        };
        let by_proof = || proven(&seen, values);
        let found = seen.on_the_spot().or_else(by_proof);
        found.or_else(|| seen.lapse()).unwrap_or_else(|| {
            let percent = |point: usize| {
                let chance = of_side(values.first[point].unwrap_or(0.5), side);
                format!("{:.0}", 100.0 * chance)
            };
            Reason::new(FALLS, [percent(ply), percent(ply + 1)])
        })
    }
}

/// What is proven of a turn.
fn proven(seen: &Seen<'_>, values: &Values) -> Option<Reason> {
    let ply = seen.ply;
    let chance = |point: usize| {
        let first = values.first[point].filter(|_| values.proven[point]);
        first.map(|first| of_side(first, seen.side))
    };
    let won_before = chance(ply) == Some(1.0);
    let lost_after = chance(ply + 1) == Some(0.0);
    let plies = |point: usize| plies_of(&seen.searched.turn(point)?.score);
    let within = |plies: Option<u32>, unknown, known| match plies {
        Some(plies) => Reason::new(known, [plies.to_string()]),
        None => Reason::new(unknown, []),
    };
    if won_before && lost_after {
        Some(Reason::new(WON_TO_LOST, []))
    } else if won_before {
        Some(within(plies(ply), GIVES_AWAY_WIN, GIVES_AWAY_WIN_IN))
    } else if lost_after {
        Some(within(plies(ply + 1), LOSES, LOSES_IN))
    } else {
        None
    }
}

/// The plies of a proven result.
fn plies_of(score: &str) -> Option<u32> {
    let (word, plies) = score.split_once(' ')?;
    let proven = word == "win" || word == "loss";
    proven.then(|| plies.parse().ok()).flatten()
}

/// A turn of a game with what was found before and after it.
struct Seen<'r> {
    course: &'r Course,
    searched: &'r Searched,
    ply: usize,
    side: Side,
}

impl Seen<'_> {
    /// The best turn before the ply.
    fn best(&self) -> Option<&str> {
        let found = self.searched.turn(self.ply)?;
        found.line.first().map(|turn| &**turn)
    }

    /// The best reply to what was played: the search's, or the only one.
    fn reply(&self) -> Option<&str> {
        let next = self.ply + 1;
        if let Point::Turn { forced: true, .. } = self.course.points[next] {
            return self.course.plies.get(next).map(|ply| &*ply.text);
        }
        let found = self.searched.turn(next)?;
        found.line.first().map(|turn| &**turn)
    }

    /// The game before a ply.
    fn at(&self, ply: usize) -> Option<Box<dyn catalog::AnyMatch>> {
        let mut game = self.course.begin().ok()?;
        game.play_words(&self.course.words(ply)).ok()?;
        Some(game)
    }

    /// Whether a turn at a ply wins for a side at once.
    fn wins(&self, ply: usize, turn: &str, side: Side) -> bool {
        let after = self.at(ply).and_then(|mut game| {
            game.play_words(turn).ok()?;
            game.outcome()
        });
        after == Some(Outcome::Win(side))
    }

    /// A win that was not played, or one of the other side that was not stopped.
    fn on_the_spot(&self) -> Option<Reason> {
        if let Some(best) = self
            .best()
            .filter(|best| self.wins(self.ply, best, self.side))
        {
            return Some(Reason::new(OVERLOOKS_WIN, [best.to_owned()]));
        }
        let opponent = self.side.opponent();
        let wins = |reply: &&str| self.wins(self.ply + 1, reply, opponent);
        let reply = self.reply().filter(wins)?;
        Some(Reason::new(OVERLOOKS_THREAT, [reply.to_owned()]))
    }

    /// What the best reply takes, if it takes more than after the best turn.
    fn lapse(&self) -> Option<Reason> {
        let reply = self.reply()?;
        let lost = self.at(self.ply + 1)?.taken_by(reply).ok()??;
        let least = self.least()?;
        let least = least.filter(|least| least.kind == lost.kind);
        let least = least.map_or(0, |least| least.count);
        if lost.count <= least {
            return None;
        }
        let reply = reply.to_owned();
        Some(match lost.kind {
            LapseKind::Boxes if least > 0 => {
                Reason::new(MORE_BOXES, [reply, lost.count.to_string()])
            }
            LapseKind::Boxes => Reason::new(BOXES, [reply, lost.count.to_string()]),
            LapseKind::Pieces => Reason::new(PIECES, [reply]),
            LapseKind::WalledIn => Reason::new(WALLED_IN, [reply]),
            LapseKind::Links => Reason::new(LINKS, [reply]),
        })
    }

    /// What the expected reply to the best turn takes; `None` if no whole reply is known.
    fn least(&self) -> Option<Option<Lapse>> {
        let found = self.searched.turn(self.ply)?;
        let looked_again = found.after_best.as_ref().and_then(|after| after.turn());
        let reply = match looked_again {
            Some(after) => after.line.first()?,
            None => found.line.get(1)?,
        };
        let mut game = self.at(self.ply)?;
        game.play_words(&found.line[0]).ok()?;
        game.taken_by(reply).ok()
    }
}
