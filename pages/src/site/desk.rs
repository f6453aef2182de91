//! The contest desk: what to play, and the desk itself. The script `desk.js` fills the latter.

use catalog::Rules;
use maud::{Markup, html};
use referee_core::desk::Terms;
use serde_json::json;

use super::engines::options;
use super::league::name_of;
use super::{Page, Reader, escaped, layout};
use crate::desk::{Desks, Session};
use crate::engines::Engines;

/// Where sessions begin. `game` is chosen already.
pub(crate) fn start(reader: &Reader, desks: &Desks, engines: &Engines, game: Option<&str>) -> Page {
    let say = |text| reader.say(text);
    let content = html! {
        h1 { (say("Desk")) }
        div.columns {
            section.panel {
                h2 { (say("New session")) }
                form.setup id="begin" { (form(reader, engines, game)) }
                p.fault id="message" role="alert" {}
            }
            section.panel {
                h2 { (say("Sessions")) }
                (sessions(reader, desks))
            }
        }
    };
    layout(reader, say("Desk"), &["begin.js"], content)
}

fn form(reader: &Reader, engines: &Engines, chosen: Option<&str>) -> Markup {
    let say = |text| reader.say(text);
    html! {
        label.wide { span { (say("game")) } select name="game" {
            @for rules in catalog::GAMES {
                option value=(rules.id()) data-minutes=(Terms::of(*rules).minutes) data-dice[rules.has_dice()] data-variant=(variant(*rules))
                    selected[chosen == Some(rules.id())] { (say(rules.name())) }
            }
        } }
        (seat(reader, engines, "First", 0, ""))
        (seat(reader, engines, "Second", 1, "best"))
        label { span { (say("minutes a side")) } input name="minutes" type="number" min="1" max="1440" value="15"; }
        label.dice { span { (say("dice")) } select name="dice" {
            option value="program" { (say("rolled by the program")) }
            option value="operator" { (say("entered by the operator")) }
        } }
        label.wide.check { input name="contest" type="checkbox"; span { (say("contest: confirm the engine's turns, list corrections")) } }
        label.wide { span { (say("variant")) } input name="variant" maxlength="1000" spellcheck="false"; }
        label { span { (say("event")) } input name="event" maxlength="100"; }
        label { span { (say("place")) } input name="place" maxlength="100"; }
        button.primary type="submit" { (say("Begin")) }
    }
}

/// The contest's variant of a game, as JSON.
pub(super) fn variant(rules: &dyn Rules) -> String {
    let variant = rules.complete_variant(&json!({}));
    variant.map_or(String::new(), |variant| variant.to_string())
}

fn seat(reader: &Reader, engines: &Engines, side: &str, number: usize, chosen: &str) -> Markup {
    let say = |text| reader.say(text);
    html! {
        label { span { (say(side)) } input name={ "name" (number) } required maxlength="100"
            value=(if chosen.is_empty() { say("Operator") } else { say("Engine") }); }
        label { span { (say("played by")) } select name={ "engine" (number) } {
            option value="" selected[chosen.is_empty()] { (say("a person")) }
            (options(reader, catalog::GAMES, engines, chosen))
        } }
    }
}

pub(super) fn sessions(reader: &Reader, desks: &Desks) -> Markup {
    let say = |text| reader.say(text);
    let (unplayed, played): (Vec<_>, Vec<_>) =
        (desks.list().into_iter()).partition(|session| session.is_unplayed);
    html! {
        @if played.is_empty() { p.empty { (say("None yet.")) } }
        ul.sessions {
            @for session in &played { li {
                span { (link(reader, session)) span.quiet { " · " (say(if session.is_over { "finished" } else { "goes on" })) } }
            } }
        }
        @if !unplayed.is_empty() {
            h2 { (say("Without a turn")) }
            ul.sessions {
                @for session in &unplayed { li {
                    span { (link(reader, session)) }
                    button type="button" data-remove=(escaped(&session.name)) aria-label={ (say("Remove")) " " (session.name) } { (say("Remove")) }
                } }
            }
            p.fault id="removing" role="alert" {}
        }
    }
}

fn link(reader: &Reader, session: &Session) -> Markup {
    let game = reader.say(name_of(&session.game));
    html! { a href={ "/desk/" (escaped(&session.name)) } { (session.name) } span.quiet { " · " (game) } }
}

/// The desk of a session.
pub(crate) fn session(reader: &Reader, name: &str) -> Page {
    let say = |text| reader.say(text);
    let content = html! {
        div.desk data-session=(escaped(name)) {
            header.clocks {
                @for side in ["first", "second"] {
                    div.clockbox.{ (side) } {
                        span.who { span.name {} " " span.colour {} }
                        span.time role="timer" {}
                    }
                }
            }
            section.panel.stage {
                div.screen {}
                div.extra role="group" aria-label=(say("other actions")) {}
            }
            div.side {
                section.panel { (entry(reader)) }
                section.panel {
                    h2 { (say("turns")) }
                    p.heads { span { "#" } span { (say("turn")) } span.number { (say("time")) } span { (say("chosen by")) } }
                    ol.turns tabindex="0" {}
                }
            }
            div.under {
                section.panel.engines hidden {
                    h2 { (say("Engine")) (button("restart", say("Restart the engine"), "")) }
                    @for _ in 0..2 {
                        div.report hidden {
                            p.verdict {}
                            details { summary {} p.code {} }
                        }
                    }
                }
                section.panel.corrections hidden { h2 { (say("Corrections")) } ul {} }
            }
        }
    };
    layout(reader, name, &["desk.js"], content)
}

/// What an operator does. Every button has a place of its own, which it never leaves.
fn entry(reader: &Reader) -> Markup {
    let say = |text| reader.say(text);
    html! {
        div.state { p.status aria-live="polite" {} p.condition aria-live="polite" {} }
        div.line {
            form id="entry" autocomplete="off" {
                input name="text" aria-label=(say("turn")) placeholder=(say("type a turn, or click on the board")) list="legal" spellcheck="false";
                datalist id="legal" {}
                button.primary type="submit" { (say("Enter")) " ⏎" }
            }
            a.button data-logged hidden { (say("Step through the game")) }
        }
        div.operations {
            (button("confirm", say("Confirm the engine's turn"), "F2"))
            (button("pause", say("Pause"), "F8"))
            (button("hurry", say("Move now"), "F4"))
            (button("correct", say("Correct"), "F6"))
            (button("hint", say("Hint"), "F9"))
            (button("claim", say("Claim the flag"), ""))
            (button("save", say("Save record"), ""))
            (button("next", say("Next game"), ""))
            (button("resign", say("Resign"), ""))
        }
        p.fault id="message" role="alert" {}
        ul.saved {}
    }
}

/// A button of the desk and its key, which may be empty.
fn button(operation: &str, text: &str, key: &str) -> Markup {
    let shortcut = (!key.is_empty()).then_some(key);
    html! {
        button type="button" data-do=(operation) aria-keyshortcuts=[shortcut] {
            span.label { (text) }
            @if shortcut.is_some() { kbd aria-hidden="true" { (key) } }
        }
    }
}
