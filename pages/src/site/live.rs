//! A game that is being played. The script `follow.js` keeps the page up to date and leaves it when
//! the game is over.

use league::live::Playing;
use maud::{Markup, PreEscaped, html};

use super::game::{player, title};
use super::league::name_of;
use super::viewer::viewer;
use super::{Answer, Page, Reader, Trouble, layout};
use crate::address::{escaped, path};
use crate::board::rules;
use crate::leagues::{Leagues, read};
use crate::viewed;

/// A game in progress, by the path of an address: the league's name, then the game's id. Returns the
/// league's name, too.
pub(crate) fn find(leagues: &Leagues, address: &str) -> Option<(String, Playing)> {
    // Both may have slashes: a league that plays the game decides.
    let mut slashes = address.rmatch_indices('/').map(|(slash, _)| slash);
    slashes.find_map(|slash| {
        let (name, id) = (&address[..slash], &address[slash + 1..]);
        let live = read(&*leagues.find(name)?).live()?;
        let mut games = live.games.into_iter();
        let game = games.find(|game| game.id == id)?;
        Some((name.to_owned(), game))
    })
}

/// The path of a game in addresses.
pub(crate) fn place(league: &str, game: &Playing) -> String {
    format!("{}/{}", path(league), escaped(&game.id))
}

/// The page of a game in progress.
pub(crate) fn page(reader: &Reader, league: &str, game: &Playing) -> Answer<Page> {
    let say = |text| reader.say(text);
    let board = viewed::end(game).map_err(Trouble::Broken)?;
    let [first, second] = &game.engines;
    let title = title(first, second, &game.game);
    let here = place(league, game);
    let board = PreEscaped(board);
    let content = html! {
        p.facts {
            a href={ "/league/" (path(league)) } { (league) }
            " · " (say(name_of(&game.game))) " · " (game.id) " · " (game.started.strftime("%Y-%m-%d %H:%M UTC").to_string())
        }
        p.notice id="gone" hidden { (say("This game was given up; the league may play it again.")) }
        div.game data-follow={ "/follow/" (here) } data-line={ "/line/" (here) } {
            (viewer(reader, [first, second], players(reader, game)?, board, None))
        }
    };
    Ok(layout(reader, &title, &["follow.js"], content))
}

fn players(reader: &Reader, game: &Playing) -> Answer<Markup> {
    let colours = rules(&game.game).map_err(Trouble::Broken)?.colours();
    let [first, second] = viewed::colours(game)
        .map_err(Trouble::Broken)?
        .map(|colour| colours[colour]);
    let engines = &game.engines;
    Ok(html! {
        div.players {
            (player(reader, first, "First", &engines[0], "", "first", false))
            div.result {
                span.pulse {} (reader.say("running")) br;
                span.thought {}
            }
            (player(reader, second, "Second", &engines[1], "", "second", false))
        }
    })
}
