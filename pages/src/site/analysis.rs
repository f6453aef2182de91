//! Analysis: a board to play on, engines that search what it shows, and the variations. The script
//! `analysis.js` fills it.

use catalog::AnyGame;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::engines::options;
use super::login::notice;
use super::{Answer, Page, Reader, Trouble, layout};
use crate::address;
use crate::engines::Engines;

/// The game of a page whose address names none.
const USUAL: &str = "hex";

/// What is analysed.
pub(crate) struct Setup {
    /// The players of a logged game; empty otherwise.
    pub(crate) title: String,
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) variant: Value,
    /// What is on the board at the beginning, as an opening of the log.
    pub(crate) opening: String,
    /// The turns and rolls of a logged game.
    pub(crate) words: Vec<String>,
    /// The path of a logged game.
    pub(crate) from: Option<String>,
}

impl Setup {
    /// The start of a game by its id.
    pub(crate) fn of(game: Option<&str>) -> Answer<Setup> {
        Ok(Setup {
            title: String::new(),
            game: catalog::find(game.unwrap_or(USUAL)).ok_or(Trouble::Missing)?,
            variant: json!({}),
            opening: String::new(),
            words: Vec::new(),
            from: None,
        })
    }

    /// What the script begins with, as JSON that is safe in HTML.
    fn json(&self) -> String {
        let setup = json!({
            "game": self.game.id(),
            "variant": self.variant,
            "opening": self.opening,
            "words": self.words,
        });
        setup.to_string().replace('<', "\\u003c")
    }
}

/// The page of an analysis.
pub(crate) fn page(reader: &Reader, engines: &Engines, setup: &Setup) -> Page {
    let say = |text| reader.say(text);
    let content = html! {
        script type="application/json" id="setup" { (PreEscaped(setup.json())) }
        (head(reader, setup))
        (notice(reader))
        div.analysis {
            section.panel.stage {
                p.status aria-live="polite" {}
                div.screen {}
                div.extra role="group" aria-label=(say("other actions")) {}
                (steps(reader))
            }
            div.side {
                section.panel {
                    form id="entry" autocomplete="off" {
                        input name="text" aria-label=(say("turn")) placeholder=(say("turn")) list="legal" spellcheck="false" disabled;
                        datalist id="legal" {}
                        button.primary type="submit" disabled { (say("Enter")) " ⏎" }
                    }
                    p.fault id="message" role="alert" {}
                }
                div.engines { (engine(reader, engines, setup)) }
                button type="button" data-do="another" { (say("Another engine")) }
                section.panel { h2 { (say("Variations")) } div.tree tabindex="0" {} }
            }
        }
    };
    layout(reader, say("Analysis"), &["analysis.js"], content)
}

/// What is analysed, and the choice of another game.
fn head(reader: &Reader, setup: &Setup) -> Markup {
    let say = |text| reader.say(text);
    html! {
        h1 { (say("Analysis")) }
        @match &setup.from {
            Some(path) => p.facts {
                a data-game href={ "/game/" (address::path(path)) } { (setup.title) }
                " · " (say(setup.game.name()))
            },
            None => form.filter {
                label { (say("game")) " "
                    select name="game" {
                        @for rules in catalog::GAMES {
                            option value=(rules.id()) selected[rules.id() == setup.game.id()] { (say(rules.name())) }
                        }
                    }
                }
            },
        }
    }
}

fn steps(reader: &Reader) -> Markup {
    let say = |text| reader.say(text);
    let button = |action: &str, text: &str| {
        html! {
            button type="button" data-step=(action) title=(text) aria-label=(text) { (super::viewer::icon(action)) }
        }
    };
    html! {
        div.steps {
            (button("start", say("Start")))
            (button("back", say("Back")))
            (button("forward", say("Forward")))
            (button("end", say("End")))
            button type="button" data-do="remove" { (say("Remove the variation")) }
        }
        p.legend { (say("keys: ← → step, ↑ ↓ other variation, Home End, space starts and stops the engine")) }
    }
}

/// One engine; the script adds others like it.
fn engine(reader: &Reader, engines: &Engines, setup: &Setup) -> Markup {
    let say = |text| reader.say(text);
    html! {
        section.panel.engine {
            div.operations {
                select name="engine" aria-label=(say("Engine")) { (options(reader, &[setup.game], engines, "best")) }
                button.primary type="button" data-do="search" { (say("Search")) }
                label.check { input name="show" type="checkbox" checked; (say("line on the board")) }
            }
            p.fault.trouble role="alert" {}
            p.remark.code title=(say("what the engine says; the moves that it names are marked on the board")) {}
            table.lines {
                thead { tr { th { (say("depth")) } th { (say("score")) } th { (say("nodes")) } th { (say("line")) } } }
                tbody {}
            }
        }
    }
}
