//! A game: its board, clocks, scores, turns, and files.

use catalog::AnyGame;
use gamelog::files::Encoding;
use gamelog::files::logged::{extras_of, record_of};
use gamelog::files::output::Style;
use gamelog::record::{GameRecord, GameResult, Reason};
use league::results::replay::word;
use maud::{Markup, PreEscaped, html};
use records::Format;
use serde_json::json;

use super::analysis::Setup;
use super::league::{heading, name_of, reason};
use super::viewer::viewer;
use super::{Answer, Page, Reader, Trouble, layout, live, review};
use crate::address::{escaped, path};
use crate::board::rules;
use crate::leagues::{Leagues, read};
use crate::viewed::{self, Scenery, ViewedGame};

/// A game of a league, by the path of an address: the league's name, then the game's id.
pub(super) fn find(leagues: &Leagues, address: &str) -> Answer<(String, GameRecord)> {
    // Both may have slashes: a league that exists decides.
    for (slash, _) in address.rmatch_indices('/') {
        let (name, id) = (&address[..slash], &address[slash + 1..]);
        let Some(league) = leagues.find(name) else {
            continue;
        };
        let league = read(&league);
        let Some(row) = league.row(id) else {
            continue;
        };
        let game = league.game(row).map_err(Trouble::Broken)?;
        return Ok((name.to_owned(), game));
    }
    Err(Trouble::Missing)
}

/// A game as JSON for a board on a page.
pub(crate) fn viewed(leagues: &Leagues, address: &str) -> Answer<String> {
    let (_, game) = find(leagues, address)?;
    let mut scenery = Scenery::default();
    let viewed = ViewedGame::of(&game, &mut scenery).map_err(Trouble::Broken)?;
    Ok(json!({ "scenery": scenery, "game": viewed }).to_string())
}

/// The address of the page of a game in a log.
pub(crate) fn place(leagues: &Leagues, address: &str) -> Answer<String> {
    let (league, game) = find(leagues, address)?;
    Ok(format!("/game/{}/{}", path(&league), escaped(&game.id)))
}

/// The board at a turn with the line that its engine reported, as a picture. The game may still be
/// played.
pub(crate) fn line(leagues: &Leagues, address: &str, ply: usize) -> Answer<String> {
    let line = match live::find(leagues, address) {
        Some((_, game)) => viewed::with_line(&game, ply),
        None => viewed::with_line(&find(leagues, address)?.1, ply),
    };
    line.map_err(Trouble::Broken)
}

/// A game to be analysed.
pub(crate) fn setup(leagues: &Leagues, address: &str) -> Answer<Setup> {
    let (_, game) = find(leagues, address)?;
    let (start, words) = viewed::course(&game).map_err(Trouble::Broken)?;
    Ok(Setup {
        title: format!("{} – {}", game.first.name, game.second.name),
        game: rules(&game.game).map_err(Trouble::Broken)?,
        variant: game.variant,
        opening: start,
        words,
        from: Some(address.to_owned()),
    })
}

/// A file to be saved.
pub(crate) struct Export {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Export {
    /// The header that makes a browser save it under its name.
    pub(crate) fn disposition(&self) -> String {
        format!("attachment; filename*=UTF-8''{}", escaped(&self.name))
    }
}

/// A game in a format for records, or its line of the log.
pub(crate) fn export(leagues: &Leagues, address: &str, format: &str) -> Answer<Export> {
    let (_, game) = find(leagues, address)?;
    if format == "log" {
        let bytes = gamelog::line(&game).map_err(|error| Trouble::Broken(error.to_string()))?;
        let name = format!("{}.jsonl", game.id);
        return Ok(Export { name, bytes });
    }
    let rules = rules(&game.game).map_err(Trouble::Broken)?;
    let known = rules.record_formats();
    let format = known
        .into_iter()
        .find(|known| known.name() == format)
        .ok_or_else(|| Trouble::Bad(format!("{}: no format {format:?}", rules.name())))?;
    let (encoding, mut record) = (Encoding::Utf8, record_of(&game));
    record.extras = extras_of(&game, true);
    let style = Style { format, encoding };
    let bytes = style.bytes(rules, &record, true);
    let bytes = bytes.map_err(|error| Trouble::Bad(error.to_string()))?;
    let name = rules.record_name(&record).map_err(Trouble::Bad)?;
    let stem = name.strip_suffix(".txt").unwrap_or(&name);
    // The contest says how its records are called; no other file takes that name.
    let kind = match format {
        Format::Contest => String::new(),
        other => format!(" {}", other.name()),
    };
    Ok(Export {
        name: format!("{stem}{kind}.{}", format.extension()),
        bytes,
    })
}

/// The page of a game.
pub(crate) fn page(reader: &Reader, leagues: &Leagues, address: &str) -> Answer<Page> {
    let (league, game) = find(leagues, address)?;
    let rules = rules(&game.game).map_err(Trouble::Broken)?;
    let board = viewed::end(&game).map_err(Trouble::Broken)?;
    let say = |text| reader.say(text);
    let title = title(&game.first.name, &game.second.name, &game.game);
    let found = leagues.find(&league).ok_or(Trouble::Missing)?;
    let said = read(&found).conversation(&game.id);
    let of = heading(reader, &read(&found)).to_owned();
    let here = format!("{}/{}", path(&league), escaped(&game.id));
    let names = [&*game.first.name, &*game.second.name];
    let colours = viewed::colours(&game).map_err(Trouble::Broken)?;
    let colours = colours.map(|colour| rules.colours()[colour]);
    let (head, board) = (players(reader, &game, colours), PreEscaped(board));
    let content = html! {
        p.facts {
            a href={ "/league/" (path(&league)) } { (of) }
            " · " (say(rules.name())) " · " (game.id) " · " (game.started.strftime("%Y-%m-%d %H:%M UTC").to_string())
            @if let Some(desk) = game.desk.as_ref().filter(|desk| desk.corrections > 0) {
                " · " (say("corrections at the desk:")) " " (desk.corrections)
            }
        }
        div.game data-viewed={ "/viewed/" (here) } data-line={ "/line/" (here) } data-review={ "/review/" (here) }
            data-better={ "/better/" (here) } { (viewer(reader, names, head, board, Some(review::begin(reader)))) }
        @if let Some(said) = said {
            section.panel { h2 { (say("Conversation")) } (conversation(reader, &said)) }
        }
        section.panel { h2 { (say("Analysis")) }
            p { a.button data-analysis href={ "/analysis?from=" (here) } { (say("Analyse this position")) } }
        }
        section.panel { h2 { (say("Export")) } (exports(reader, rules, &here)) }
    };
    Ok(layout(reader, &title, &["game.js"], content))
}

/// What was said in a game that went wrong.
pub(crate) fn conversation(reader: &Reader, said: &str) -> Markup {
    html! {
        p.quiet { (reader.say("The last lines to the engine at fault (>) and from it (<), with the seconds since its start.")) }
        pre.conversation tabindex="0" { (said) }
    }
}

/// The title of a page that shows a game.
pub(super) fn title(first: &str, second: &str, game: &str) -> String {
    format!("{first} – {second} · {}", name_of(game))
}

fn players(reader: &Reader, game: &GameRecord, colours: [&str; 2]) -> Markup {
    let won = |result| game.result == result;
    let outcome = match game.result {
        GameResult::First => "First won",
        GameResult::Second => "Second won",
        GameResult::Draw => "draw",
        GameResult::Unfinished => "no result",
    };
    html! {
        div.players {
            (player(reader, colours[0], "First", &game.first.name, &game.first.version, "first", won(GameResult::First)))
            div.result { strong { (reader.say(outcome)) } br; (ending(reader, game)) }
            (player(reader, colours[1], "Second", &game.second.name, &game.second.version, "second", won(GameResult::Second)))
        }
    }
}

/// Details that say the same as their reason.
const SAME: [&str; 2] = ["resigns", "the time is over"];

/// Why a game ended: what the rules say, or another reason with its details.
fn ending(reader: &Reader, game: &GameRecord) -> Markup {
    let detail = &*game.detail;
    let has_detail = !detail.is_empty() && !SAME.contains(&detail);
    html! {
        @if game.reason == Reason::Rules { (reader.say(detail)) } @else {
            span.fault[game.reason.is_fault()] { (reason(reader, word(game.reason))) }
            @if has_detail { (reader.say(": ")) (reader.say(detail)) }
        }
    }
}

/// Who plays a side, above the board.
pub(super) fn player(
    reader: &Reader,
    colour: &str,
    side: &str,
    name: &str,
    version: &str,
    class: &str,
    won: bool,
) -> Markup {
    html! {
        div.{ (class) }.won[won] {
            div.name { (name) }
            div.quiet title=(version) { (reader.say(side)) " · " (reader.say(colour)) }
            div.clock {}
        }
    }
}

fn exports(reader: &Reader, rules: &dyn AnyGame, here: &str) -> Markup {
    let formats = rules.record_formats().into_iter();
    let formats = formats.map(|format| (format.name(), in_words(format)));
    html! {
        p.export {
            @for (name, text) in formats.chain([("log", "line of the log (JSON)")]) {
                a href={ "/export/" (here) "?format=" (name) } download { (reader.say(text)) }
            }
        }
    }
}

/// A format for somebody who does not know its name.
fn in_words(format: Format) -> &'static str {
    match format {
        Format::Contest => "contest record",
        Format::Sau => "SAU platform",
        Format::Sgf => "SGF",
        Format::Hexworld => "HexWorld",
        Format::Psq => "Gomocup",
        Format::Moves => "list of moves",
        Format::Numbered => "numbered turns",
        Format::Table => "table (CSV)",
    }
}
