//! What only looks and what may act: the words of pages without the token, and the page that takes a
//! code.

use axum::http::StatusCode;
use maud::{Markup, html};

use super::{Page, Reader, layout};
use crate::guard::LOGIN;
use crate::words::ONLY_LOOKS;

/// What a page for the operator says to everybody else; nothing to the operator.
pub(super) fn notice(reader: &Reader) -> Markup {
    html! {
        @if !reader.may_act {
            p.notice.looks role="note" {
                (reader.say(ONLY_LOOKS)) " "
                a href=(LOGIN) { (reader.say("Enter a code")) }
            }
        }
    }
}

/// The page that takes a code from another machine. `is_refused`: the one that was entered is wrong.
pub(crate) fn page(reader: &Reader, is_refused: bool) -> (StatusCode, Page) {
    let say = |text| reader.say(text);
    let content = html! {
        h1 { (say("Enter a code")) }
        @if is_refused {
            p.fault role="alert" { (say("This code is wrong or was used before. The file has a new one: open it again.")) }
        }
        p { (say("On the server's machine, open the file that it named. On another one, enter the code of its terminal, or that in the file.")) }
        form method="post" action=(LOGIN) autocomplete="off" {
            input name="code" aria-label=(say("code")) required maxlength="64" spellcheck="false";
            " " button.primary type="submit" { (say("Enter")) }
        }
    };
    let status = if is_refused {
        StatusCode::UNAUTHORIZED
    } else {
        StatusCode::OK
    };
    (status, layout(reader, say("Enter a code"), &[], content))
}

/// What is shown until its script has kept the key and goes on to `target`.
pub(crate) fn entered(reader: &Reader, key: &str, target: &str) -> Page {
    let title = reader.say("You may act");
    let content = html! {
        h1 { (title) }
        p { a href=(target) data-key=(key) { (reader.say("Go on")) } }
    };
    layout(reader, title, &["login.js"], content)
}

/// A session that nobody has opened yet: to open it starts its engines.
pub(crate) fn closed(reader: &Reader) -> (StatusCode, Page) {
    let title = reader.say("This session is not open");
    let content = html! {
        h1 { (title) }
        p { (reader.say("It can be seen as soon as the operator has opened it.")) }
        (notice(reader))
    };
    (
        StatusCode::UNAUTHORIZED,
        layout(reader, title, &[], content),
    )
}
