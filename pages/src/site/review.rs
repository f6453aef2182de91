//! The review of a game on its page, and its addresses.

use std::path::PathBuf;
use std::sync::Arc;

use gamelog::record::GameRecord;
use maud::{Markup, html};
use serde::Deserialize;

use super::game::find;
use super::{Answer, Reader, Trouble};
use crate::leagues::{Leagues, read};
use crate::reviews::Reviews;
use crate::viewed;

/// Times of a position that a page offers, ms.
const TIMES: [u64; 4] = [300, 1_000, 3_000, 10_000];

/// The time that is chosen at first.
const TIME: u64 = 1_000;

/// What a page asks for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Wish {
    /// To review the game with so much time for a position, ms.
    Begin(u64),
    /// To stop.
    Stop,
}

/// A game and the log it is in.
pub(crate) fn place(leagues: &Leagues, address: &str) -> Answer<(PathBuf, GameRecord)> {
    let (league, game) = find(leagues, address)?;
    let found = leagues.find(&league).ok_or(Trouble::Missing)?;
    let log = read(&found).path().to_owned();
    Ok((log, game))
}

/// Begins or stops a review.
pub(crate) fn act(
    reviews: &Arc<Reviews>,
    leagues: &Leagues,
    address: &str,
    wish: &Wish,
) -> Answer<String> {
    let (log, game) = place(leagues, address)?;
    match wish {
        Wish::Begin(time) => reviews.begin(&log, &game, *time).map_err(Trouble::Bad)?,
        Wish::Stop => reviews.stop(&game),
    }
    Ok(String::new())
}

/// The board before a turn with the better line of the review.
pub(crate) fn better(
    reviews: &Reviews,
    leagues: &Leagues,
    address: &str,
    ply: usize,
) -> Answer<String> {
    let (log, game) = place(leagues, address)?;
    let known = reviews.of(&log, &game).map_err(Trouble::Broken)?;
    let review = known.review.as_ref();
    let found = review.and_then(|review| review.found(ply.checked_sub(1)?));
    let line = found.ok_or(Trouble::Missing)?.shown().join(" ");
    viewed::with_other_line(&game, ply, &line).map_err(Trouble::Broken)
}

/// What begins a review and shows how far it is; `review.js` fills it.
pub(crate) fn begin(reader: &Reader) -> Markup {
    let say = |text| reader.say(text);
    html! {
        @if reader.may_act {
            p.quiet { (say("An engine searches every position and says what each turn lost.")) }
            form.review-form {
                label { (say("time for a position")) " "
                    select name="time" {
                        @for time in TIMES {
                            option value=(time) selected[time == TIME] { (time as f64 / 1000.0) " s" }
                        }
                    }
                }
                button type="submit" name="do" value="begin" { (say("Review this game")) }
                button type="button" name="do" value="stop" hidden { (say("Stop")) }
            }
        }
        progress hidden value="0" max="1" aria-label=(say("Review")) {}
        p.review-state aria-live="polite" {}
    }
}
