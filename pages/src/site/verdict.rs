//! What a league has come to, in words: how far it is, who leads and how surely, and what failed.

use std::collections::BTreeMap;

use ::league::report::sprt::Match;
use ::league::results::replay::word;
use ::league::results::standings::{Row, Table};
use gamelog::record::Reason;
use maud::{Markup, html};
use stats::sign::Decisive;
use stats::sprt::Verdict;

use super::Reader;
use super::league::{self, Choice};
use super::ratings::percent;
use crate::address::escaped;
use crate::leagues::League;

/// The most names of a tie.
const TIED: usize = 4;

/// How far a league is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Games are played.
    Running,
    /// Every game was played.
    Finished,
    /// It was a test, which has decided.
    Decided,
    /// The league was stopped before its last game.
    Stopped,
    /// Nobody has said how many games it has.
    Unknown,
}

impl State {
    pub(crate) fn of(league: &League) -> State {
        match league.planned() {
            _ if league.live().is_some() => State::Running,
            _ if league
                .with_test(Match::verdict)
                .is_some_and(|verdict| verdict != Verdict::Open) =>
            {
                State::Decided
            }
            Some(planned) if league.games.len() >= planned => State::Finished,
            Some(_) => State::Stopped,
            None => State::Unknown,
        }
    }

    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            State::Running => Some("running"),
            State::Finished => Some("finished"),
            State::Decided => Some("test decided"),
            State::Stopped => Some("stopped"),
            State::Unknown => None,
        }
    }
}

/// The verdict on the games of a table: all of the league, or one game of it.
pub(crate) fn verdict(reader: &Reader, league: &League, table: &Table, choice: &Choice) -> Markup {
    let state = State::of(league);
    let ranked = table.ranked();
    html! {
        section.panel.verdict {
            p.lead {
                @if let Some(word) = state.word() {
                    span.state.{ (word.replace(' ', "-")) } { (reader.say(word)) (progress(reader, league, state)) } " "
                }
                (lead(reader, &ranked, state))
            }
            @if let Some(sides) = by_sides(reader, table) { p.notice { (sides) } }
            @if let Some(sure) = sureness(reader, table, &ranked) { p { (sure) } }
            @if let Some(tied) = tied(reader, &ranked) { p { (tied) } }
            (failures(reader, &ranked, choice))
        }
    }
}

/// How many of the games were played. A running league says so above its boards.
fn progress(reader: &Reader, league: &League, state: State) -> Markup {
    let played = league.games.len();
    html! {
        @if let (State::Finished | State::Stopped, Some(planned)) = (state, league.planned()) {
            (reader.tell(", {0} of {1} games", &[html! { (played) }, html! { (planned) }]))
        }
    }
}

/// The engines with the most points.
fn leaders<'r>(ranked: &[&'r Row]) -> Vec<&'r Row> {
    let total = |row: &Row| (row.total().points(), row.total().games());
    let best = ranked.first().map(|row| total(row));
    let leaders = ranked.iter().take_while(|row| Some(total(row)) == best);
    leaders.copied().collect()
}

fn lead(reader: &Reader, ranked: &[&Row], state: State) -> Markup {
    let leaders = leaders(ranked);
    let Some(first) = leaders.first() else {
        return html! {};
    };
    let share = html! { (percent(first.total())) };
    let names = html! {
        @for (place, row) in leaders.iter().take(TIED).enumerate() {
            @if place > 0 { (reader.say(" and ")) }
            strong { (row.name) }
        }
        @if leaders.len() > TIED { (reader.say(" and ")) (leaders.len() - TIED) }
    };
    let parts = [names, share];
    match (leaders.len(), state) {
        (1, State::Finished) => reader.tell("{0} is first with {1} of the points.", &parts),
        (1, _) => reader.tell("{0} leads with {1} of the points.", &parts),
        _ => reader.tell("{0} are tied with {1} of the points each.", &parts),
    }
}

/// How sure it is that the first engine is stronger than the second; `None` with a tie, or if
/// nothing compares them.
fn sureness(reader: &Reader, table: &Table, ranked: &[&Row]) -> Option<Markup> {
    let [first, second, ..] = ranked else {
        return None;
    };
    if leaders(ranked).len() > 1 {
        return None;
    }
    let of_all = table.ratings(&[]).superiority(0, 1);
    let (likelihood, games, pairs) = match (of_all, first.against.get(&second.name)) {
        (Some(likelihood), _) => (
            likelihood,
            table.facts.games().into(),
            table.facts.pairs.count(),
        ),
        // A group won every game against another one: only their own games compare these two.
        (None, Some(versus)) => {
            let (games, pairs) = (versus.total().games().into(), versus.pairs.count());
            (versus.results().superiority(), games, pairs)
        }
        (None, None) => return None,
    };
    let parts = [
        html! { strong { (first.name) } },
        html! { strong { (second.name) } },
        html! { (in_percent(likelihood)) },
        basis(reader, games, pairs),
    ];
    Some(reader.tell(
        match likelihood {
            0.99.. => "{0} is almost certainly stronger than {1}: likelihood {2} (LOS), from {3}.",
            0.95.. => "{0} is very likely stronger than {1}: likelihood {2} (LOS), from {3}.",
            0.8.. => "{0} is probably stronger than {1}: likelihood {2} (LOS), from {3}.",
            _ => "It is open whether {0} is stronger than {1}: likelihood {2} (LOS), from {3}.",
        },
        &parts,
    ))
}

/// That sides rather than engines decided many pairs.
fn by_sides(reader: &Reader, table: &Table) -> Option<Markup> {
    let [first, second, all] = table.facts.decided_by_sides()?;
    let parts = [first + second, all, first, second].map(|count| html! { (count) });
    Some(reader.tell(
        "In {0} of {1} pairs the same side won both games (First {2}, Second {3}): there the side decided, not the engine.",
        &parts,
    ))
}

/// The sign test between the first two engines, where most of their pairs tie.
fn tied(reader: &Reader, ranked: &[&Row]) -> Option<Markup> {
    let [first, second, ..] = ranked else {
        return None;
    };
    let (decisive, all) = first.against.get(&second.name)?.mostly_tied()?;
    let Decisive { won, lost } = decisive;
    let parts = [
        html! { (all - won - lost) },
        html! { (all) },
        html! { strong { (first.name) } },
        html! { (won) },
        html! { strong { (second.name) } },
        html! { (lost) },
        html! { (decisive.in_words()) },
    ];
    Some(reader.tell(
        "{0} of {1} pairs tie. Of the others {2} won {3}, {4} {5}: exact sign test {6}.",
        &parts,
    ))
}

/// The games that a likelihood comes from.
fn basis(reader: &Reader, games: u64, pairs: u64) -> Markup {
    if pairs > 0 && 2 * pairs == games {
        let english =
            "1 pair of games with sides exchanged|{0} pairs of games with sides exchanged";
        return reader.count(english, pairs as usize);
    }
    let games = reader.count("1 game|{0} games", games as usize);
    match pairs {
        0 => games,
        _ => reader.tell(
            "{0}, {1} pairs with sides exchanged among them",
            &[games, html! { (pairs) }],
        ),
    }
}

/// A likelihood, never as certain.
pub(super) fn in_percent(likelihood: f64) -> String {
    match 100.0 * likelihood {
        99.95.. => "> 99.9 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

/// Games that engines have lost by faults of their programs: to be looked at first.
fn failures(reader: &Reader, ranked: &[&Row], choice: &Choice) -> Markup {
    let mut faults: BTreeMap<Reason, Vec<(&str, u32)>> = BTreeMap::new();
    for row in ranked {
        for (&reason, &count) in &row.faults {
            faults.entry(reason).or_default().push((&row.name, count));
        }
    }
    if faults.is_empty() {
        let text = reader.say("Nothing failed: no crash, no loss on time, no illegal turn.");
        return html! { p.good { (text) } };
    }
    let game = choice.game.as_deref().map(escaped);
    let game = game.map_or(String::new(), |game| format!("game={game}&"));
    html! {
        p.notice {
            strong { (reader.say("Lost by a fault")) } (reader.say(": "))
            @for (index, (reason, engines)) in faults.iter().enumerate() {
                @if index > 0 { " · " }
                (league::reason(reader, word(*reason))) " "
                @for (index, (name, count)) in engines.iter().enumerate() {
                    @if index > 0 { (reader.say(", ")) }
                    @let lost = html! { (name) " " (count) };
                    @let address = format!("?{game}loser={}&reason={}#games", escaped(name), word(*reason));
                    @if reader.is_file { (lost) } @else { a href=(address) { (lost) } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leagues::tests::league;
    use crate::words::Language;

    fn text(table: &Table) -> String {
        let reader = Reader::of_file(Language::English);
        let ranked = table.ranked();
        let sure = sureness(&reader, table, &ranked).unwrap_or_default();
        let text = lead(&reader, &ranked, State::Finished).0 + " " + &sure.0;
        text.replace("<strong>", "").replace("</strong>", "")
    }

    #[test]
    fn equal_points_are_a_tie() {
        let tied = league(&[("a b first", &[]), ("b a first", &[])]);
        assert_eq!(
            text(&tied.standings.all),
            "a and b are tied with 50.0 % of the points each. "
        );
    }

    #[test]
    fn a_lead_says_how_sure_it_is() {
        let pair: [(&str, &[&str]); 2] = [("a b first", &[]), ("b a second", &[])];
        let said = text(&league(&pair).standings.all);
        assert!(
            said.starts_with("a is first with 100.0 % of the points. It is open whether"),
            "{said}"
        );
        assert!(
            said.ends_with("from 1 pair of games with sides exchanged."),
            "{said}"
        );
        let said = text(&league(&pair.repeat(20)).standings.all);
        assert!(
            said.contains("a is almost certainly stronger than b"),
            "{said}"
        );
    }

    #[test]
    fn likelihoods_are_never_certain() {
        assert_eq!(in_percent(1.0), "> 99.9 %");
        assert_eq!(in_percent(0.881), "88.1 %");
    }

    #[test]
    fn failures_lead_to_their_games() {
        let said = |games: &[(&str, &[&str])]| {
            let choice = Choice {
                league: "l".to_owned(),
                game: Some("hex".to_owned()),
                language: Language::English,
            };
            let reader = Reader::in_language(Language::English);
            failures(&reader, &league(games).standings.all.ranked(), &choice).0
        };
        assert!(said(&[("a b first", &[])]).contains("Nothing failed"));
        let failed = said(&[("a <b> first crash", &[]), ("<b> a first time", &[])]);
        let link = "<a href=\"?game=hex&amp;loser=%3Cb%3E&amp;reason=crash#games\">&lt;b&gt; 1</a>";
        assert!(failed.contains(link), "{failed}");
        assert!(failed.contains("out of time"), "{failed}");
    }
}
