//! A person against an engine: what, and how strong.

use desk::Level;
use maud::{Markup, html};

use super::desk::sessions;
use super::engines::options;
use super::login::notice;
use super::{Page, Reader, layout, variant};
use crate::desk::Desks;
use crate::engines::Engines;

/// Where a game begins. `game` is chosen already.
pub(crate) fn page(reader: &Reader, desks: &Desks, engines: &Engines, game: Option<&str>) -> Page {
    let say = |text| reader.say(text);
    let content = html! {
        h1 { (say("Play")) }
        (notice(reader))
        div.columns {
            section.panel {
                h2 { (say("New game")) }
                form.setup id="play" { (form(reader, engines, game)) }
                p.fault id="message" role="alert" {}
            }
            section.panel {
                h2 { (say("Sessions")) }
                (sessions(reader, desks))
            }
        }
    };
    layout(reader, say("Play"), &["play.js"], content)
}

fn form(reader: &Reader, engines: &Engines, chosen: Option<&str>) -> Markup {
    let say = |text| reader.say(text);
    html! {
        label.wide { span { (say("game")) } select name="game" {
            @for rules in catalog::GAMES {
                option value=(rules.id()) selected[chosen == Some(rules.id())] { (say(rules.name())) }
            }
        } }
        (variant::fields(reader))
        label { span { (say("you play")) } select name="side" {
            option value="0" { (say("First")) }
            option value="1" { (say("Second")) }
            option value="" { (say("by lot")) }
        } }
        label { span { (say("opponent")) } select name="engine" { (options(reader, catalog::GAMES, engines, "best")) } }
        label.wide { span { (say("strength")) } select name="level" {
            @for level in Level::ALL {
                option data-seconds=(level.time.as_secs_f64()) data-depth=[level.depth] data-noise=(level.noise)
                    selected[level == Level::USUAL] { (say(level.name)) }
            }
            option value="own" { (say("own")) }
        } }
        label { span { (say("seconds a turn")) } input name="seconds" type="number" min="0.01" max="3600" step="any"; }
        label { span { (say("depth, plies")) } input name="depth" type="number" min="1" max="100" placeholder=(say("no limit")); }
        label { span { (say("random actions, %")) } input name="noise" type="number" min="0" max="100" value="0"; }
        button.primary type="submit" { (say("Begin")) }
    }
}
