//! A league as one page that needs nothing else: tables, plots, use of time, and every game as a
//! replay. It opens from a file, without a server.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ::league::conversations;
use ::league::results::replay::word;
use base::error::BadInput;
use gamelog::record::GameRecord;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::leagues::{League, Row};
use crate::reviewed::ReviewedGame;
use crate::reviews::Reviews;
use crate::site::league::Choice;
use crate::site::ratings::overview;
use crate::site::times::Times;
use crate::site::verdict::verdict;
use crate::site::viewer::viewer;
use crate::site::{Reader, assets, game, games, league};
use crate::viewed::{Scenery, ViewedGame};
use crate::words::Language;

/// A report of the games in some logs.
pub struct Report {
    league: League,
    times: Times,
    /// For each game and variant what its pictures share.
    sceneries: BTreeMap<String, Scenery>,
    /// The games by id, each with the name of its scenery.
    games: BTreeMap<String, Shown>,
    /// What was said in games that went wrong, by the game in words.
    conversations: Vec<(String, String)>,
    warnings: Vec<String>,
}

/// How many conversations a report has.
const MOST_CONVERSATIONS: usize = 50;

/// How `<` stands in the data of a page, and about how many bytes the row of a game takes.
const ESCAPED: &str = "\\u003c";
const ROW: usize = 1_000;

/// The same in an order of which every part from the begin is from the whole list.
fn spread<T>(items: Vec<T>) -> Vec<T> {
    // Multiples of the golden ratio modulo 1 are spread evenly.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut items: Vec<(u64, T)> = (1..)
        .map(|place: u64| place.wrapping_mul(GOLDEN))
        .zip(items)
        .collect();
    items.sort_by_key(|(place, _)| *place);
    items.into_iter().map(|(_, item)| item).collect()
}

/// A game of a report.
#[derive(Serialize)]
struct Shown {
    scenery: String,
    game: ViewedGame,
    /// What `referee review` has kept of it beside the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<ReviewedGame>,
}

impl Report {
    /// Reads the games of these logs. `title` heads the report; without one, the name of the league
    /// of the first game does.
    ///
    /// # Errors
    /// A log that cannot be read, or a game that cannot be played.
    pub fn of(logs: &[PathBuf], title: Option<&str>) -> Result<Report, BadInput> {
        let mut report = Report {
            league: League::new(title.unwrap_or_default().to_owned()),
            times: Times::default(),
            sceneries: BTreeMap::new(),
            games: BTreeMap::new(),
            conversations: Vec::new(),
            warnings: Vec::new(),
        };
        let mut places = Vec::new();
        report.warnings = gamelog::places(logs, |_, place| places.push(place))?;
        let reviews = Reviews::default();
        for place in places {
            let game = place.game()?;
            let review = reviews.of(place.log(), &game).map_err(BadInput)?.review;
            if game.reason.is_fault() && report.conversations.len() < MOST_CONVERSATIONS {
                let said = conversations::of(place.log(), &game.id);
                report
                    .conversations
                    .extend(said.map(|said| (title_of(&game), said)));
            }
            let added = report.add(
                &game,
                (review.as_ref()).map(|review| ReviewedGame::of(review, game.result.loser())),
            );
            added.map_err(|message| BadInput(format!("{place}: {message}, expected a game")))?;
        }
        Ok(report)
    }

    /// What was wrong with the logs, for the user.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    fn add(&mut self, game: &GameRecord, review: Option<ReviewedGame>) -> Result<(), String> {
        if self.league.name.is_empty() {
            self.league.name.clone_from(&game.league);
        }
        let scenery = format!("{} {}", game.game, game.variant);
        let viewed = ViewedGame::of(game, self.sceneries.entry(scenery.clone()).or_default())?;
        self.times.add(game, viewed.opening);
        self.league.add(game);
        self.games.insert(
            game.id.clone(),
            Shown {
                scenery,
                game: viewed,
                review,
            },
        );
        Ok(())
    }

    /// The games that the page has as replays: of those that ended by a fault, then of the others, as many
    /// as fit in about so many bytes. They are from the whole log.
    pub fn chosen(&self, most_bytes: usize) -> BTreeSet<&str> {
        let size = |shown: &Shown| {
            let json = serde_json::to_string(shown).expect("plain data has a JSON form");
            json.len() + json.matches('<').count() * (ESCAPED.len() - 1) + ROW
        };
        let rows = self.league.games.iter();
        let (faults, others): (Vec<_>, Vec<_>) = rows.partition(|row| row.reason.is_fault());
        let mut left = most_bytes;
        let mut fits = |row: &&Row| {
            let rest = self
                .games
                .get(&row.id)
                .and_then(|game| left.checked_sub(size(game)));
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        let rows = spread(faults).into_iter().chain(spread(others));
        rows.take_while(|row| fits(row))
            .map(|row| &*row.id)
            .collect()
    }

    /// The page, in Chinese or in English, with these games as replays.
    pub fn html(&self, chinese: bool, chosen: &BTreeSet<&str>) -> String {
        let language = if chinese {
            Language::Chinese
        } else {
            Language::English
        };
        let reader = Reader::of_file(language);
        let games = self.games.iter().filter(|(id, _)| chosen.contains(&***id));
        let games: BTreeMap<&String, &Shown> = games.collect();
        let data = serde_json::json!({ "sceneries": self.sceneries, "games": games });
        // No text of the data can end the script element that holds it.
        let data = data.to_string().replace('<', ESCAPED);
        let script = assets::bundle();
        // Only the script of this program runs, whatever engines have written into the log.
        let digest = Sha256::digest(format!("{data}{script}"));
        let nonce: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let policy = format!(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'; \
             img-src data:; base-uri 'none'; form-action 'none'"
        );
        let page = html! {
            (DOCTYPE)
            html lang=(language.code()) {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.league.name) }
                    style { (PreEscaped(assets::sheet())) }
                    script type="application/json" id="words" { (PreEscaped(language.table())) }
                    script type="application/json" id="data" { (PreEscaped(data)) }
                }
                body {
                    main.report { (self.content(&reader, chosen)) }
                    script type="module" nonce=(nonce) { (PreEscaped(script)) }
                }
            }
        };
        page.into_string()
    }

    /// What was said in games that went wrong.
    fn conversations(&self, reader: &Reader) -> Markup {
        html! {
            @if !self.conversations.is_empty() {
                section.panel id="faults" {
                    h2 { (reader.say("Games that ended by a fault")) }
                    @for (title, said) in &self.conversations {
                        details { summary { (title) } (game::conversation(reader, said)) }
                    }
                }
            }
        }
    }

    fn content(&self, reader: &Reader, chosen: &BTreeSet<&str>) -> Markup {
        let standings = &self.league.standings;
        let several = standings.by_game.len() > 1;
        let choice = |game: Option<&str>| Choice {
            league: self.league.name.clone(),
            game: game.map(str::to_owned),
            language: reader.language,
        };
        html! {
            h1 { (self.league.name) }
            (league::facts(reader, &self.league, &choice(None)))
            (verdict(reader, &self.league, &standings.all, &choice(None)))
            @if several { (overview(reader, standings)) }
            (league::tables(reader, &standings.all))
            @if several {
                @for (id, table) in &standings.by_game {
                    details.game-part {
                        summary { h2 { (reader.say(league::name_of(id))) } }
                        (league::facts(reader, &self.league, &choice(Some(id))))
                        (verdict(reader, &self.league, table, &choice(Some(id))))
                        (league::tables(reader, table))
                        (league::openings(reader, table))
                    }
                }
            } @else {
                (league::openings(reader, &standings.all))
            }
            (self.times.sections(reader))
            (self.conversations(reader))
            section.panel id="games" {
                h2 { (reader.say("Games")) " " span.quiet { (self.league.games.len()) } }
                @if chosen.len() < self.league.games.len() {
                    p.quiet { (reader.say("As many of them as the size of this page allows:")) " " (chosen.len()) }
                }
                p { input type="search" id="search" placeholder=(reader.say("search"))
                    aria-label=(reader.say("search")); }
                @let rows = self.league.games.iter().filter(|row| chosen.contains(&*row.id));
                (games::table(reader, &self.league, rows, None, |row| format!("#{}", row.id)))
            }
            dialog id="replay" aria-label=(reader.say("game")) {
                form method="dialog" { button { (reader.say("close")) } }
                h2 {}
                div.game {
                    (viewer(reader, ["", ""], games::replay_head(reader), html! {}, None))
                }
            }
        }
    }
}

/// A game that ended by a fault, in words.
fn title_of(game: &GameRecord) -> String {
    format!(
        "{} – {}: {}, {} ({})",
        game.first.name,
        game.second.name,
        word(game.reason),
        game.detail,
        game.id
    )
}
