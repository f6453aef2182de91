//! The named parameters of a game's engines: those of the searches and those of its evaluation.

use std::fmt;
use std::str::FromStr;

use engine_core::Settings;
use engine_core::parameter::Parameter;
use game::Searched;

/// A value for a named parameter, `NAME=VALUE`, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The name of the parameter.
    pub name: String,
    /// The value as text.
    pub value: String,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Assignment, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                Ok(Assignment {
                    name: name.trim().to_owned(),
                    value: value.trim().to_owned(),
                })
            }
            _ => Err(format!(
                "{text:?}, expected NAME=VALUE, such as tree.exploration=0.5"
            )),
        }
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

/// Reads assignments separated by blanks or commas; there may be none.
///
/// # Errors
/// A word that is no assignment.
pub fn parse_list(text: &str) -> Result<Vec<Assignment>, String> {
    let words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    words.map(str::parse).collect()
}

/// The parameters of a game's engines, with its defaults: those of the searches first.
pub fn parameters<G: Searched>() -> Vec<Parameter> {
    let mut all = G::settings().parameters();
    all.extend(G::PARAMETERS);
    all
}

/// The parameter with this name.
///
/// # Errors
/// There is none: the message has the nearest name, and all names.
pub fn find<'p>(parameters: &'p [Parameter], name: &str) -> Result<&'p Parameter, String> {
    if let Some(found) = parameters.iter().find(|known| known.name == name) {
        return Ok(found);
    }
    let likeness = |known: &&Parameter| {
        // Also without the family: `piece` for `evaluation.piece`.
        let (_, last) = known.name.rsplit_once('.').unwrap_or(("", known.name));
        let of = |known: &str| (1e6 * strsim::jaro_winkler(known, name)) as u64;
        of(known.name).max(of(last))
    };
    let nearest = parameters.iter().max_by_key(likeness);
    let nearest = nearest.map_or("", |nearest| nearest.name);
    let names: Vec<&str> = parameters.iter().map(|known| known.name).collect();
    Err(format!(
        "unknown parameter {name:?}, did you mean {nearest}? Known are {}",
        names.join(", ")
    ))
}

/// The settings of a game with these parameters; of several values for one, the last counts.
///
/// # Errors
/// An unknown name, or a value out of range: what was found and what was expected.
pub fn settings<G: Searched>(assignments: &[Assignment]) -> Result<Settings, String> {
    let known = parameters::<G>();
    let mut settings = G::settings();
    for Assignment { name, value } in assignments {
        let parameter = find(&known, name)?;
        set::<G>(&mut settings, name, parameter.parse(value)?);
    }
    Ok(settings)
}

/// Sets a parameter to a value in its range.
fn set<G: Searched>(settings: &mut Settings, name: &str, value: f64) {
    let place = G::PARAMETERS.iter().position(|known| known.name == name);
    let Some(place) = place else {
        settings.set(name, value);
        return;
    };
    if settings.evaluation.is_empty() {
        let defaults = G::PARAMETERS.iter().map(|known| known.default);
        settings.evaluation = defaults.collect();
    }
    settings.evaluation[place] = value;
}
