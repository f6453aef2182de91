//! The pages. Each is a function of the leagues on disk, the reader and the address.

pub(crate) mod analysis;
pub(crate) mod assets;
pub(crate) mod desk;
mod engines;
pub(crate) mod game;
pub(crate) mod games;
pub(crate) mod index;
pub(crate) mod league;
pub(crate) mod live;
pub(crate) mod login;
pub(crate) mod play;
pub(crate) mod ratings;
pub(crate) mod review;
pub(crate) mod reviews;
mod sprt;
pub(crate) mod times;
mod upsets;
mod variant;
pub(crate) mod verdict;
pub(crate) mod viewer;

use axum::http::{HeaderMap, StatusCode, header};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::guard::cookie;
use crate::words::Language;

/// A complete page.
pub(crate) struct Page(pub(crate) Markup);

/// Why there is no page.
pub(crate) enum Trouble {
    /// Nothing has this address.
    Missing,
    /// A file cannot be read, or holds something impossible.
    Broken(String),
    /// The request asks for something that cannot be.
    Bad(String),
    /// A session that only the operator may open.
    Closed,
}

/// A page or what there is instead.
pub(crate) type Answer<A = Page> = Result<A, Trouble>;

/// Who reads: what the browser says of language and theme.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    pub(crate) language: Language,
    /// `light` or `dark`; `None` follows the system.
    theme: Option<&'static str>,
    /// Whether the page is a file: there is no server to ask.
    pub(crate) is_file: bool,
    /// Whether it is the operator: who else only looks.
    pub(crate) may_act: bool,
}

impl Reader {
    /// The reader of a request: its cookies, then the languages that its browser prefers. The door
    /// knows whether it `may_act`.
    pub(crate) fn of(headers: &HeaderMap, may_act: bool) -> Reader {
        let chosen = cookie(headers, "language").and_then(Language::of);
        let preferred = headers.get(header::ACCEPT_LANGUAGE);
        let preferred = preferred.and_then(|list| list.to_str().ok()).unwrap_or("");
        let theme = cookie(headers, "theme");
        Reader {
            language: chosen
                .or_else(|| preferred.split(',').find_map(Language::of))
                .unwrap_or_default(),
            theme: ["light", "dark"]
                .into_iter()
                .find(|&name| Some(name) == theme),
            is_file: false,
            may_act,
        }
    }

    /// Whoever opens a file.
    pub(crate) fn of_file(language: Language) -> Reader {
        Reader {
            is_file: true,
            ..Reader::in_language(language)
        }
    }

    /// Whoever reads a part of a page in a language.
    pub(crate) fn in_language(language: Language) -> Reader {
        Reader {
            language,
            ..Reader::default()
        }
    }

    /// An English text in the reader's language.
    pub(crate) fn say<'t>(&self, english: &'t str) -> &'t str {
        self.language.say(english)
    }

    /// An English sentence in the reader's language, with these parts in place of `{0}`, `{1}`, ….
    /// Languages differ in their order.
    pub(crate) fn tell(&self, english: &str, parts: &[Markup]) -> Markup {
        let mut pieces = self.say(english).split('{');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (number, rest) = piece.split_once('}').unwrap_or((piece, ""));
            let part = number.parse().ok().and_then(|at: usize| parts.get(at));
            text += part.map_or("", |part| &part.0);
            text += rest;
        }
        PreEscaped(text)
    }

    /// A number with its noun, `1 game` or `72 games`: `english` has both, as `{0} game|{0} games`.
    pub(crate) fn count(&self, english: &str, number: usize) -> Markup {
        let (one, many) = self.say(english).split_once('|').unwrap_or(("", ""));
        let text = if number == 1 { one } else { many };
        PreEscaped(text.replace("{0}", &number.to_string()))
    }
}

/// A page with the head and the navigation of all pages. `scripts` are files of `assets`.
pub(crate) fn layout(reader: &Reader, title: &str, scripts: &[&str], content: Markup) -> Page {
    let say = |text| reader.say(text);
    Page(html! {
        (DOCTYPE)
        html lang=(reader.language.code()) data-theme=[reader.theme] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href="/assets/icon.svg";
                link rel="stylesheet" href="/assets/style.css";
                link rel="stylesheet" href="/assets/boards.css";
                script type="application/json" id="words" { (PreEscaped(reader.language.table())) }
                script type="module" src="/assets/base.js" {}
                @for script in scripts {
                    script type="module" src={ "/assets/" (script) } {}
                }
            }
            body {
                header.top {
                    a.home href="/" aria-label="referee" { (mark()) span { "referee" } }
                    nav { a href="/" { (say("Leagues")) } a href="/play" { (say("Play")) } a href="/desk" { (say("Desk")) } a href="/analysis" { (say("Analysis")) } }
                    div.choices {
                        button type="button" data-choose="language"
                            data-value=(if reader.language == Language::English { "zh" } else { "en" }) {
                            (if reader.language == Language::English { "中文" } else { "English" })
                        }
                        button type="button" data-choose="theme" title=(say("Theme"))
                            aria-label=(say("Theme")) { "◐" }
                    }
                }
                main { (content) }
            }
        }
    })
}

/// The project's mark: a stone on a crossing.
fn mark() -> Markup {
    html! {
        svg.mark viewBox="0 0 24 24" aria-hidden="true" {
            path d="M0 12H24M12 0V24" {}
            circle cx="12" cy="12" r="7" {}
        }
    }
}

/// The page where there is nothing.
pub(crate) fn missing(reader: &Reader) -> (StatusCode, Page) {
    let say = |text| reader.say(text);
    let content = html! {
        h1 { (say("Not found")) }
        p { (say("There is nothing at this address.")) }
        p { a href="/" { (say("Leagues")) } }
    };
    (
        StatusCode::NOT_FOUND,
        layout(reader, say("Not found"), &[], content),
    )
}

/// The page where a file is at fault.
pub(crate) fn broken(reader: &Reader, message: &str) -> (StatusCode, Page) {
    let title = reader.say("Something is wrong");
    let content = html! {
        h1 { (title) }
        p.fault { (message) }
    };
    (
        StatusCode::INTERNAL_SERVER_ERROR,
        layout(reader, title, &[], content),
    )
}
