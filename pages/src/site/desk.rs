//! The contest desk: what to play, and the desk itself. The script `desk.js` fills the latter.

use desk::Terms;
use maud::{Markup, html};

use super::engines::options;
use super::league::name_of;
use super::login::notice;
use super::{Page, Reader, layout, variant};
use crate::address::escaped;
use crate::desk::{Desks, Session};
use crate::engines::Engines;

/// Where sessions begin. `game` is chosen already.
pub(crate) fn start(reader: &Reader, desks: &Desks, engines: &Engines, game: Option<&str>) -> Page {
    let say = |text| reader.say(text);
    let content = html! {
        h1 { (say("Desk")) }
        (notice(reader))
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
                option value=(rules.id()) data-minutes=(Terms::of(*rules).minutes) data-dice[rules.has_dice()]
                    selected[chosen == Some(rules.id())] { (say(rules.name())) }
            }
        } }
        (variant::fields(reader))
        (seat(reader, engines, "First", 0, ""))
        (seat(reader, engines, "Second", 1, "best"))
        button.swap type="button" data-swap { "⇅ " (say("Swap sides")) }
        fieldset.wide.modes {
            legend { (say("mode")) }
            (mode(reader, "", "Free game", "The first clock starts at once, an engine's turn counts at once, and turns may be taken back."))
            (mode(reader, "contest", "Contest", "The clocks wait for you, you confirm each turn of an engine on the board, and corrections are listed."))
        }
        label { span { (say("minutes a side")) } input name="minutes" type="number" min="1" max="1440" value="15"; }
        label.dice { span { (say("dice")) } select name="dice" {
            option value="program" { (say("rolled by the program")) }
            option value="operator" { (say("entered by the operator")) }
        } }
        label.start { span { (say("event, for the record")) } input name="event" maxlength="100"; }
        label { span { (say("place, for the record")) } input name="place" maxlength="100"; }
        button.primary type="submit" { (say("Begin")) }
    }
}

/// A way to play, in one sentence.
fn mode(reader: &Reader, value: &str, name: &str, text: &str) -> Markup {
    html! {
        label { input name="mode" type="radio" value=(value) checked[value.is_empty()];
            span { strong { (reader.say(name)) } " " span.quiet { (reader.say(text)) } } }
    }
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

/// The sessions on disk, the newest first.
pub(super) fn sessions(reader: &Reader, desks: &Desks) -> Markup {
    let say = |text| reader.say(text);
    let (unplayed, played): (Vec<_>, Vec<_>) =
        (desks.list().into_iter()).partition(|session| session.is_unplayed);
    html! {
        @if played.is_empty() { p.empty { (say("None yet.")) } }
        ul.sessions {
            @for session in &played { li { (one_of_list(reader, session)) } }
        }
        @if !unplayed.is_empty() {
            h2 { (say("Without a turn")) }
            ul.sessions {
                @for session in &unplayed { li {
                    (one_of_list(reader, session))
                    button type="button" data-remove=(escaped(&session.name)) aria-label={ (say("Remove")) " " (session.name) } { (say("Remove")) }
                } }
            }
            p.fault id="removing" role="alert" {}
        }
    }
}

/// A session in the list: who meets whom, and in what.
fn one_of_list(reader: &Reader, session: &Session) -> Markup {
    let say = |text| reader.say(text);
    html! {
        span {
            a href={ "/desk/" (escaped(&session.name)) } { (meeting(session)) }
            span.quiet { (say(name_of(&session.game))) " " (session.size) " · " (session.begun)
                @if !session.is_over { " · " (say("goes on")) } }
        }
    }
}

/// Who meets whom, and how it stands: `Alpha 1–0 Beta`.
fn meeting(session: &Session) -> String {
    let [a, b] = &session.seats;
    let wins = |points: u32| match points {
        1 => "½".to_owned(),
        _ => format!("{}{}", points / 2, if points % 2 == 1 { "½" } else { "" }),
    };
    match session.points {
        [0, 0] => format!("{a} – {b}"),
        [first, second] => format!("{a} {}–{} {b}", wins(first), wins(second)),
    }
}

/// The desk of a session.
pub(crate) fn session(reader: &Reader, name: &str) -> Page {
    let say = |text| reader.say(text);
    let content = html! {
        (notice(reader))
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
                    h2 { (say("Turns")) }
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
                input name="text" aria-label=(say("turn")) placeholder=(say("type a turn, or click on the board")) list="legal" spellcheck="false" disabled;
                datalist id="legal" {}
                button.primary type="submit" disabled { (say("Enter")) " ⏎" }
            }
            a.button data-logged hidden { (say("Step through the game")) }
        }
        div.operations {
            (button("confirm", say("Confirm the engine's turn"), "F2"))
            (button("pause", say("Pause"), "F8"))
            (button("charge-away", say("Charge the time away"), ""))
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
