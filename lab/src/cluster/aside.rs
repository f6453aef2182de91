//! Games that a merge has set aside: they count in no table. They are named, and are kept beside the
//! merged log.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use base::error::tell;
use base::plain::games_in_words;
use gamelog::{self, MAX_LINE, Place, record::GameRecord};
use league::merge::{Merged, Misfit, Originals};
use league::tournament::{Due, Tournament};
use serde_json::json;

use super::merging::replace;

/// What the name of the log is followed by. Tables do not read it.
const EXTENSION: &str = ".aside";
/// Most games of a kind that are told one by one.
const MOST_TOLD: usize = 10;

/// What a merge has set aside.
#[derive(Debug, Default)]
pub struct Aside {
    /// The file.
    path: PathBuf,
    /// The first games that do not fit, each with its place and the reason.
    misfits: Vec<String>,
    /// The number of all of them.
    pub misfit_count: usize,
    /// The first games of which no record counts, each with the places of its records.
    disputes: Vec<String>,
    /// The ids of all of them.
    pub contested: Vec<String>,
}

impl Aside {
    /// Names them.
    pub fn tell(&self) {
        let more = |all: usize| all.saturating_sub(MOST_TOLD);
        for (lines, more) in [
            (&self.misfits, more(self.misfit_count)),
            (&self.disputes, more(self.contested.len())),
        ] {
            lines
                .iter()
                .for_each(|line| tell(format_args!("warning: {line}")));
            if more > 0 {
                tell(format_args!(
                    "warning: {} more like these",
                    games_in_words(more)
                ));
            }
        }
        if self.misfit_count > 0 || !self.contested.is_empty() {
            tell(format_args!(
                "{} set aside in {}",
                games_in_words(self.misfit_count + self.contested.len()),
                self.path.display()
            ));
        }
        if !self.contested.is_empty() {
            tell("of attempts that differ none counts until --prefer FOLDER names one");
        }
    }
}

/// Writes what was set aside beside the merged log, one JSON object a line: its place, the id of the
/// game, the reason, and the line. `plan` has the games of a league that depend on results.
pub fn write(
    log: &Path,
    merged: &Merged,
    tournament: Option<&Tournament>,
    plan: Option<Vec<Due>>,
) -> Result<Aside> {
    let mut path = log.as_os_str().to_owned();
    path.push(EXTENSION);
    let mut aside = Aside {
        path: path.into(),
        ..Aside::default()
    };
    let path = aside.path.clone();
    if merged.aside().next().is_none() && merged.contested().next().is_none() {
        return match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| path.display().to_string())
            }
            _ => Ok(aside),
        };
    }
    let reasons = Reasons::new(merged, tournament, plan);
    replace(&path, |file| {
        for (place, misfit) in merged.aside() {
            aside.add_misfit(file, &place, misfit, &reasons)?;
        }
        for places in merged.contested() {
            aside.add_contested(file, &places)?;
        }
        Ok(())
    })?;
    Ok(aside)
}

impl Aside {
    fn add_misfit(
        &mut self,
        file: &mut dyn Write,
        place: &Place,
        misfit: &Misfit,
        reasons: &Reasons<'_>,
    ) -> Result<()> {
        let line = Line::read(place)?;
        let why = reasons.of(misfit, line.game.as_ref());
        line.write(file, place, &why)?;
        self.misfit_count += 1;
        if self.misfits.len() < MOST_TOLD {
            let game = line.id().map_or(String::new(), |id| format!("game {id}: "));
            self.misfits
                .push(format!("{place}: {game}{why}; set aside"));
        }
        Ok(())
    }

    fn add_contested(&mut self, file: &mut dyn Write, places: &[Place]) -> Result<()> {
        let mut id = String::new();
        for place in places {
            let line = Line::read(place)?;
            line.write(file, place, "the attempts at this game differ")?;
            id = line.id().unwrap_or_default().to_owned();
        }
        if self.disputes.len() < MOST_TOLD {
            let places: Vec<String> = places.iter().map(Place::to_string).collect();
            let places = places.join(", ");
            self.disputes
                .push(format!("game {id}: attempts differ: {places}"));
        }
        self.contested.push(id);
        Ok(())
    }
}

/// A line that was set aside.
struct Line {
    text: String,
    game: Option<GameRecord>,
}

impl Line {
    /// Reads it again, unless it is longer than any game.
    fn read(place: &Place) -> Result<Line> {
        let bytes = if place.length() <= MAX_LINE as u64 {
            place.line()?
        } else {
            Vec::new()
        };
        Ok(Line {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            game: gamelog::parse(&bytes).ok(),
        })
    }

    fn id(&self) -> Option<&str> {
        self.game.as_ref().map(|game| &*game.id)
    }

    fn write(&self, file: &mut dyn Write, place: &Place, why: &str) -> Result<()> {
        let facts = json!({
            "place": place.to_string(),
            "id": self.id(),
            "why": why,
            "line": self.text,
        });
        Ok(writeln!(file, "{facts}")?)
    }
}

/// Why games do not fit.
struct Reasons<'a>(Option<(&'a Tournament, Originals)>);

impl Reasons<'_> {
    fn new<'a>(
        merged: &Merged,
        tournament: Option<&'a Tournament>,
        plan: Option<Vec<Due>>,
    ) -> Reasons<'a> {
        Reasons(tournament.map(|tournament| {
            let misfits = merged.aside().map(|(_, misfit)| misfit);
            let plan = || plan.unwrap_or_else(|| tournament.plan());
            (tournament, Originals::find(tournament, plan, misfits))
        }))
    }

    fn of(&self, misfit: &Misfit, game: Option<&GameRecord>) -> String {
        match &self.0 {
            Some((tournament, originals)) => originals.explain(tournament, misfit, game),
            None => misfit.to_string(),
        }
    }
}
