//! What steps through a game: board, buttons, curves, turns. The script `viewer.js` fills it.

use maud::{Markup, html};

use super::Reader;

/// The two parts of a viewer: the stage with `head` and `board`, and the curves and turns. `begin` is what
/// begins a review; without it there may be one that was made before.
pub(crate) fn viewer(
    reader: &Reader,
    names: [&str; 2],
    head: Markup,
    board: Markup,
    begin: Option<Markup>,
) -> Markup {
    let say = |text| reader.say(text);
    let [first, second] = names;
    html! {
        section.panel.stage {
            (head)
            p.lost-with.of-review hidden {}
            div.screen { (board) }
            (steps(reader))
        }
        div {
            section.panel.curve {
                div.of-review hidden {
                    h2 { (say("Chance to win")) " " span.quiet.whose {} }
                    div.chart {
                        div.scale aria-hidden="true" { @for mark in CHANCES { span { (mark) } } }
                        div.chances {}
                    }
                    p.legend.of-dice hidden {
                        span.luck { (say("luck of the rolls")) } " "
                        span.choice { (say("losses by choice")) }
                    }
                }
                div.of-scores {
                    h2 { (say("Engines' scores")) " " span.quiet.viewpoint {} }
                    div.chart {
                        div.scale aria-hidden="true" { @for mark in SCALE { span { (mark) } } }
                        div.scores {}
                    }
                }
                div.of-times {
                    h2 { (say("time per turn")) }
                    div.chart {
                        div.scale aria-hidden="true" { span.most {} span { "0 s" } }
                        div.times {}
                    }
                }
                p.readout {}
                p.legend { span.first { (first) } span.second { (second) } }
            }
            section.panel.review-panel.of-review[begin.is_none()] hidden[begin.is_none()] {
                h2 { (say("Review")) }
                @if let Some(begin) = begin { (begin) }
                table.review-sums.of-review hidden { thead {} tbody {} }
                p.phases {}
                ol.turned {}
            }
            section.panel {
                div.report-line aria-live="polite" {}
                div.turn-head aria-hidden="true" {
                    span {} span { (say("turn")) } span.number { (say("time")) } span.number { (say("for First")) }
                }
                ol.turns tabindex="0" aria-label=(say("turns")) {}
            }
        }
    }
}

/// Scores on the scale of the plot; the style sheet knows their heights.
const SCALE: [&str; 5] = ["+6", "+2", "0", "−2", "−6"];

/// Chances on the scale of the plot, at the same heights.
const CHANCES: [&str; 5] = ["", "", "50 %", "", ""];

fn steps(reader: &Reader) -> Markup {
    let say = |text| reader.say(text);
    let button = |action: &str, text: &str| {
        html! {
            button type="button" data-step=(action) title=(text) aria-label=(text) { (icon(action)) }
        }
    };
    html! {
        div.steps {
            (button("start", say("Start")))
            (button("back", say("Back")))
            (button("play", say("Play through")))
            (button("forward", say("Forward")))
            (button("end", say("End")))
            input type="range" min="0" value="0" aria-label=(say("Position"));
        }
        div.steps {
            @if !reader.is_file {
                button.labelled type="button" data-step="line" { (icon("line")) (say("Engine's line")) }
            }
            span.swings hidden { (icon("swing")) (say("Turning points by size")) }
        }
        div.of-review hidden {
            p.judged aria-live="polite" {}
            div.steps {
                button.labelled type="button" data-step="mistake" { (icon("swing")) (say("Next mistake")) }
                @if !reader.is_file {
                    button.labelled type="button" data-step="better" { (icon("line")) (say("Better line")) }
                }
            }
        }
        p.legend { span {
            (say("keys: ← → step, Home End, space plays, s turning points"))
            @if !reader.is_file { (say(", l line")) }
            span.of-review hidden {
                (say(", m next mistake"))
                @if !reader.is_file { (say(", b better line")) }
            }
        } }
    }
}

/// The sign on a button: drawn, because fonts lack some of them.
pub(super) fn icon(action: &str) -> Markup {
    let path = match action {
        "start" => "M6 5V19M19 5L9 12L19 19Z",
        "back" => "M16 5L6 12L16 19Z",
        "forward" => "M8 5L18 12L8 19Z",
        "end" => "M18 5V19M5 5L15 12L5 19Z",
        "play" => "M4 12A8 8 0 1 1 12 20M10 8.5L15.5 12L10 15.5Z",
        "line" => "M4 18L10 9L15 14L20 5M4 18h.01M10 9h.01M15 14h.01M20 5h.01",
        _ => "M3 8H9L15 17H21M18 14L21 17L18 20",
    };
    html! { svg.icon.{ (action) } viewBox="0 0 24 24" aria-hidden="true" { path d=(path) {} } }
}
