//! Style sheets, scripts and pictures: files of this crate, within the program.

use std::borrow::Cow;

/// The style sheets of all pages, for a page that is a file.
pub(crate) fn sheet() -> String {
    [
        include_str!("../../assets/style.css"),
        &drawing::style::of_pages(),
    ]
    .concat()
}

/// The scripts of a report as one: without imports, in the order of what they need.
pub(crate) fn bundle() -> String {
    let files = [
        include_str!("../../assets/base.js"),
        include_str!("../../assets/board.js"),
        include_str!("../../assets/viewer.js"),
        include_str!("../../assets/reviewed.js"),
        include_str!("../../assets/report.js"),
    ];
    let lines = files.iter().flat_map(|file| file.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    lines
        .map(|line| line.strip_prefix("export ").unwrap_or(line))
        .fold(String::new(), |text, line| text + line + "\n")
}

/// Type and text of a file.
pub(crate) fn find(name: &str) -> Option<(&'static str, Cow<'static, str>)> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    const SHEET: &str = "text/css; charset=utf-8";
    if name == "boards.css" {
        return Some((SHEET, drawing::style::of_pages().into()));
    }
    let (kind, text) = match name {
        "style.css" => (SHEET, include_str!("../../assets/style.css")),
        "base.js" => (SCRIPT, include_str!("../../assets/base.js")),
        "board.js" => (SCRIPT, include_str!("../../assets/board.js")),
        "viewer.js" => (SCRIPT, include_str!("../../assets/viewer.js")),
        "drop.js" => (SCRIPT, include_str!("../../assets/drop.js")),
        "review.js" => (SCRIPT, include_str!("../../assets/review.js")),
        "reviewed.js" => (SCRIPT, include_str!("../../assets/reviewed.js")),
        "game.js" => (SCRIPT, include_str!("../../assets/game.js")),
        "follow.js" => (SCRIPT, include_str!("../../assets/follow.js")),
        "login.js" => (SCRIPT, include_str!("../../assets/login.js")),
        "live.js" => (SCRIPT, include_str!("../../assets/live.js")),
        "begin.js" => (SCRIPT, include_str!("../../assets/begin.js")),
        "clicks.js" => (SCRIPT, include_str!("../../assets/clicks.js")),
        "send.js" => (SCRIPT, include_str!("../../assets/send.js")),
        "setup.js" => (SCRIPT, include_str!("../../assets/setup.js")),
        "play.js" => (SCRIPT, include_str!("../../assets/play.js")),
        "analysis.js" => (SCRIPT, include_str!("../../assets/analysis.js")),
        "desk.js" => (SCRIPT, include_str!("../../assets/desk.js")),
        "deskside.js" => (SCRIPT, include_str!("../../assets/deskside.js")),
        "icon.svg" => ("image/svg+xml", include_str!("../../assets/icon.svg")),
        _ => return None,
    };
    Some((kind, text.into()))
}
