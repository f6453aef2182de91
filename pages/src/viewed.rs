//! A logged game for a board on a page: its pictures, and what the log says of each turn.

use std::slice;
use std::time::Duration;

use catalog::{AnyGame, AnyMatch, Rules, Shown};
use drawing::sequence::Elements;
use drawing::{Class, Layer, Picture, svg};
use engine_core::Side;
use gamelog::record::{GameRecord, GameResult, Reason, SideName, TurnRecord};
use league::live::Playing;
use league::results::replay::{expectation, turning_points};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;
use task::clock::{self, ClockSpec};
use task::opening::{self, Opening};

use crate::board::{named, rules, shortened};

/// How many turning points a page offers.
const TURNING_POINTS: usize = 3;

/// What the pictures of a game are made from, whether it is over or goes on.
pub(crate) struct Course<'g> {
    game: &'g str,
    variant: &'g Value,
    opening: &'g str,
    clocks: [ClockSpec; 2],
    carried_us: Option<[u64; 2]>,
    turns: &'g [TurnRecord],
    /// The side that lost on time.
    fallen: Option<Side>,
}

impl<'g> From<&'g GameRecord> for Course<'g> {
    fn from(record: &'g GameRecord) -> Course<'g> {
        Course {
            game: &record.game,
            variant: &record.variant,
            opening: &record.opening,
            clocks: record.clocks(),
            carried_us: record.carried_us,
            turns: &record.turns,
            fallen: Side::BOTH.into_iter().find(|&side| {
                record.reason == Reason::Time && record.result == GameResult::loss_of(side)
            }),
        }
    }
}

impl<'g> From<&'g Playing> for Course<'g> {
    fn from(playing: &'g Playing) -> Course<'g> {
        Course {
            game: &playing.game,
            variant: &playing.variant,
            opening: &playing.opening,
            clocks: playing.clocks,
            carried_us: playing.carried_us,
            turns: &playing.turns,
            fallen: None,
        }
    }
}

/// What the pictures of some games of a variant share. As JSON: `head`, the picture without what
/// changes, and `elements`, each with the number of its layer.
#[derive(Default)]
pub(crate) struct Scenery {
    head: String,
    elements: Elements,
}

/// A game as pictures, each given by what it changes in its scenery.
#[derive(Serialize)]
pub(crate) struct ViewedGame {
    /// For every picture what appears and what disappears; the first is the start.
    changes: Vec<(Vec<usize>, Vec<usize>)>,
    /// The state of the game at each picture, in words.
    titles: Vec<String>,
    /// What is known of each turn and roll.
    moments: Vec<Moment>,
    /// Time left on both clocks at the start and after each turn, ms.
    clocks: [Vec<Option<u64>>; 2],
    /// The colours that `First` and `Second` have at the end, by their index in the game. Swaps
    /// exchange them.
    colours: [usize; 2],
    /// The names of these colours.
    names: [&'static str; 2],
    /// The turns at which the scores have changed most, the largest change first.
    swings: Vec<usize>,
    /// Number of turns and rolls in the opening.
    #[serde(skip)]
    pub(crate) opening: usize,
}

/// A turn or a roll of a game.
#[derive(Clone, Serialize)]
struct Moment {
    side: SideName,
    text: String,
    /// Whether the opening gave it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    opening: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    used_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    /// The score as the engine wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    /// The score for `First` on a curve, −1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv: Option<String>,
    remark: Option<String>,
}

impl Serialize for Scenery {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let layer = |layer| Layer::CHANGING.iter().position(|&known| known == layer);
        let elements = self.elements.list().iter();
        let elements: Vec<_> = elements.map(|(of, markup)| (layer(*of), markup)).collect();
        let mut scenery = serializer.serialize_struct("Scenery", 2)?;
        scenery.serialize_field("head", &self.head)?;
        scenery.serialize_field("elements", &elements)?;
        scenery.end()
    }
}

impl ViewedGame {
    /// A game in the scenery of its variant, which gains what it lacks.
    ///
    /// # Errors
    /// A turn that cannot be played, or a game that is not known.
    pub(crate) fn of<'g>(
        course: impl Into<Course<'g>>,
        scenery: &mut Scenery,
    ) -> Result<ViewedGame, String> {
        let course = course.into();
        let (rules, turns, opening) = course.all_turns()?;
        let pictures = course.pictures(rules, &turns)?;
        if let Some(first) = pictures.first() {
            scenery.head = head(first);
        }
        let colours = course.colours()?;
        let changes = scenery.elements.changes(&pictures).into_iter();
        Ok(ViewedGame {
            changes: changes
                .map(|change| (change.appear, change.disappear))
                .collect(),
            titles: pictures
                .iter()
                .map(|picture| picture.title.clone())
                .collect(),
            moments: (turns.iter().enumerate())
                .map(|(ply, turn)| Moment::of(turn, ply < opening))
                .collect(),
            clocks: course.clocks(&turns),
            colours,
            names: colours.map(|colour| rules.colours()[colour]),
            swings: turning_points(&turns, TURNING_POINTS),
            opening,
        })
    }
}

/// The board after the last turn of a game, which is marked.
///
/// # Errors
/// A turn that cannot be played, or a game that is not known.
pub(crate) fn end<'g>(course: impl Into<Course<'g>>) -> Result<String, String> {
    picture(&*course.into().position()?).map(|picture| svg::fragment(&picture))
}

/// The side that thinks in a game that goes on; `None` if the referee is to roll, or if nobody is to
/// move.
///
/// # Errors
/// A turn that cannot be played, or a game that is not known.
pub(crate) fn thinking<'g>(course: impl Into<Course<'g>>) -> Result<Option<Side>, String> {
    let position = course.into().position()?;
    let is_to_move = position.outcome().is_none() && !position.roll_due();
    Ok(is_to_move.then(|| position.side()))
}

/// The colours that `First` and `Second` have after the last turn, by their index in the game.
///
/// # Errors
/// A turn that cannot be played, or a game that is not known.
pub(crate) fn colours<'g>(course: impl Into<Course<'g>>) -> Result<[usize; 2], String> {
    course.into().colours()
}

/// The board after `ply` turns and rolls, with the line that the engine of the last turn reported and
/// the moves that its remark names.
///
/// # Errors
/// A turn that cannot be played, or a game that is not known.
pub(crate) fn with_line<'g>(course: impl Into<Course<'g>>, ply: usize) -> Result<String, String> {
    let course = course.into();
    let (rules, turns, _) = course.all_turns()?;
    // The line begins with the turn that was played.
    let before = ply.clamp(1, turns.len().max(1)) - 1;
    let mut position = course.start(rules)?;
    play(&mut *position, &turns[..before])?;
    let info = turns.get(before).and_then(|turn| turn.info.as_ref());
    let line = info.and_then(|info| info.pv.as_deref()).unwrap_or_default();
    let remark = info.and_then(|info| info.remark.as_deref());
    line_from(&*position, line, remark.unwrap_or_default())
}

/// The board before the turn at `ply`, from 1, with a line that begins there.
///
/// # Errors
/// A turn that cannot be played, or a game that is not known.
pub(crate) fn with_other_line<'g>(
    course: impl Into<Course<'g>>,
    ply: usize,
    line: &str,
) -> Result<String, String> {
    let course = course.into();
    let (rules, turns, _) = course.all_turns()?;
    let mut position = course.start(rules)?;
    play(
        &mut *position,
        &turns[..ply.clamp(1, turns.len().max(1)) - 1],
    )?;
    line_from(&*position, line, "")
}

/// A position with a line and the moves that a remark names.
fn line_from(position: &dyn AnyMatch, line: &str, remark: &str) -> Result<String, String> {
    let line = shortened(position, line);
    let named = named(position, remark);
    let shown = Shown {
        line: &line,
        hints: &named.iter().map(String::as_str).collect::<Vec<_>>(),
        ..Shown::default()
    };
    let picture = position.picture(&shown);
    let mut picture = picture.map_err(|error| error.to_string())?;
    // The line begins before the turn that is shown: a mark on the turn before that misleads.
    let is_mark = |class| matches!(class, Class::Last | Class::LastRing);
    picture.shapes.retain(|shape| !is_mark(shape.class));
    Ok(svg::fragment(&picture))
}

/// A game as an analysis begins it: what is on the board before its first turn, and the texts of all
/// turns and rolls.
///
/// # Errors
/// A game that is not known, or an opening that cannot be played.
pub(crate) fn course(record: &GameRecord) -> Result<(String, Vec<String>), String> {
    let course = Course::from(record);
    let (_, turns, _) = course.all_turns()?;
    Ok((
        course.origin(),
        turns.into_iter().map(|turn| turn.text).collect(),
    ))
}

impl Course<'_> {
    /// The rules of the game, all its turns and rolls, and how many of them the opening gave.
    fn all_turns(&self) -> Result<(&'static dyn AnyGame, Vec<TurnRecord>, usize), String> {
        let rules = rules(self.game)?;
        let given = opening::turns(rules, self.variant, self.opening)?;
        let given = given
            .into_iter()
            .map(|(side, text)| TurnRecord::given(side, text));
        let opening = given.len();
        Ok((
            rules,
            given.chain(self.turns.iter().cloned()).collect(),
            opening,
        ))
    }

    /// The position before the turns of the opening.
    fn start(&self, rules: &dyn Rules) -> Result<Box<dyn AnyMatch>, String> {
        opening::begin(rules, self.variant, &self.origin())
    }

    /// The position after all turns.
    fn position(&self) -> Result<Box<dyn AnyMatch>, String> {
        let mut position = opening::begin(rules(self.game)?, self.variant, self.opening)?;
        play(&mut *position, self.turns)?;
        Ok(position)
    }

    /// The colours of both sides after all turns, by their index in the game.
    fn colours(&self) -> Result<[usize; 2], String> {
        let position = self.position()?;
        Ok(Side::BOTH.map(|side| position.colour_of(side)))
    }

    /// The opening without its turns.
    fn origin(&self) -> String {
        let position = Opening::parse(self.opening).position;
        position.map_or(String::new(), |position| format!("fen {position}"))
    }

    /// The pictures of the game: its start, and the position after each of these turns.
    fn pictures(&self, rules: &dyn Rules, turns: &[TurnRecord]) -> Result<Vec<Picture>, String> {
        let mut game = self.start(rules)?;
        let mut pictures = vec![picture(&*game)?];
        for turn in turns {
            play(&mut *game, slice::from_ref(turn))?;
            pictures.push(picture(&*game)?);
        }
        Ok(pictures)
    }

    /// Time left on both clocks at the start and after each turn, ms. A loss on time leaves none.
    fn clocks(&self, turns: &[TurnRecord]) -> [Vec<Option<u64>>; 2] {
        let begun = clock::both(&self.clocks, self.carried_us);
        Side::BOTH.map(|side| {
            let left = begun[side.index()].left();
            let mut left = left.as_ref().map(Duration::as_millis).map(|ms| ms as u64);
            let mut all = vec![left];
            for turn in turns {
                if turn.side == side.into()
                    && let Some(us) = turn.left_us
                {
                    left = Some(us / 1000);
                }
                all.push(left);
            }
            if self.fallen == Some(side)
                && let Some(Some(last)) = all.last_mut()
            {
                *last = 0;
            }
            all
        })
    }
}

/// Plays turns and rolls.
fn play(position: &mut dyn AnyMatch, turns: &[TurnRecord]) -> Result<(), String> {
    for TurnRecord { text, .. } in turns {
        let played = position.play_words(text);
        played.map_err(|error| format!("{text:?}: {error}"))?;
    }
    Ok(())
}

/// A picture without what changes: a group for each layer.
fn head(picture: &Picture) -> String {
    let mut head = format!(
        "<svg class=\"picture {}\" viewBox=\"{}\" role=\"img\"><g class=\"ground\">{}</g>",
        picture.palette.name(),
        svg::view_box(picture),
        svg::ground(picture)
    );
    for layer in Layer::CHANGING {
        head += &format!("<g class=\"{0}\" data-layer=\"{0}\"></g>", layer.name());
    }
    head + "</svg>"
}

fn picture(game: &dyn AnyMatch) -> Result<Picture, String> {
    game.picture(&Shown::default())
        .map_err(|error| error.to_string())
}

impl Moment {
    fn of(turn: &TurnRecord, opening: bool) -> Moment {
        let info = turn.info.as_ref();
        let score = info.and_then(|info| info.score.clone());
        let sign = match turn.side {
            SideName::First => 1.0,
            SideName::Second => -1.0,
        };
        Moment {
            side: turn.side,
            text: turn.text.clone(),
            opening,
            used_ms: (turn.used_us > 0).then(|| turn.used_us as f64 / 1000.0),
            depth: info.and_then(|info| info.depth),
            nodes: info.and_then(|info| info.nodes),
            height: score
                .as_deref()
                .and_then(expectation)
                .map(|height| sign * height),
            score,
            pv: info.and_then(|info| info.pv.clone()),
            remark: info.and_then(|info| info.remark.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leagues::tests::record;

    #[test]
    fn a_loss_on_time_leaves_no_time() {
        let clocks = |game| {
            let viewed = ViewedGame::of(&record(0, (game, &["a1", "b2"])), &mut Scenery::default());
            viewed.unwrap().clocks.map(|left| left.last().copied())
        };
        let full = Some(Some(1_000));
        assert_eq!(clocks("a b second time"), [Some(Some(0)), full]);
        assert_eq!(clocks("a b first time"), [full, Some(Some(0))]);
        assert_eq!(clocks("a b first resign"), [full, full]);
    }
}
