//! Options: how they are declared, and whether they can be set.

use std::collections::HashSet;

use protocol::ugi::{Answer, Command, OptionKind, OptionLine};

use super::{hear_ready, line};
use crate::conversation::{Conversation, quote};
use crate::finding::{Checked, Fault, Remark};

/// The attributes of an option.
const ATTRIBUTES: [&str; 5] = ["type", "default", "min", "max", "var"];

/// Every option is declared as its type requires.
pub(super) fn declared(conversation: &mut Conversation<'_>) -> Checked {
    let game = conversation.plan.rules.id();
    let mut names = HashSet::new();
    for line in option_lines(conversation) {
        let wrong = |message: String| Fault(format!("{:?}: {}", quote(line), quote(&message)));
        let option = match Answer::parse(line) {
            Ok(Answer::Option(option)) => option,
            Ok(_) => continue,
            Err(error) => return Err(wrong(error.to_string())),
        };
        well_formed(line, &option).map_err(wrong)?;
        if !names.insert(option.name.to_ascii_lowercase()) {
            return Err(wrong("a second option of this name".into()));
        }
        offers_game(&option, game).map_err(wrong)?;
    }
    Ok(Remark::Fine(match names.len() {
        0 => "none".to_owned(),
        count => format!("{count}, each with a type, a valid default and bounds"),
    }))
}

fn option_lines<'a>(conversation: &'a Conversation<'_>) -> impl Iterator<Item = &'a str> {
    let lines = conversation.introduction.iter().map(String::as_str);
    lines.filter(|line| line.starts_with("option"))
}

/// Rejects what the lenient parser of leagues ignores.
fn well_formed(line: &str, option: &OptionLine) -> Result<(), String> {
    if option.name.is_empty() {
        return Err("no name, expected one".to_owned());
    }
    let Some(default) = attribute(line, "default") else {
        return Err("no default, expected one".to_owned());
    };
    match &option.kind {
        OptionKind::Spin { min, max, .. } => {
            for bound in ["min", "max"] {
                if attribute(line, bound).is_none() {
                    return Err(format!("no {bound}, expected one for a spin"));
                }
            }
            let within = |number: &i64| (min..=max).contains(&number);
            if default.parse().ok().filter(within).is_none() {
                return Err(format!(
                    "default {default:?}, expected a number from {min} to {max}"
                ));
            }
        }
        OptionKind::Check { .. } if !["true", "false"].contains(&&*default) => {
            return Err(format!("default {default:?}, expected true or false"));
        }
        OptionKind::Combo { vars, .. } if !vars.contains(&default) => {
            return Err(format!(
                "default {default:?}, expected one of its {} vars",
                vars.len()
            ));
        }
        _ => {}
    }
    Ok(())
}

/// The value of an attribute, if the option has it.
fn attribute(line: &str, name: &str) -> Option<String> {
    let mut words = line.split_whitespace().skip_while(|&word| word != "type");
    words.find(|&word| word == name)?;
    let words: Vec<&str> = words
        .take_while(|word| !ATTRIBUTES.contains(word))
        .collect();
    Some(words.join(" "))
}

/// Rejects a `Game` option that does not list the game to be played.
fn offers_game(option: &OptionLine, game: &str) -> Result<(), String> {
    match &option.kind {
        OptionKind::Combo { vars, .. } if option.name.eq_ignore_ascii_case("game") => vars
            .iter()
            .any(|var| var.eq_ignore_ascii_case(game))
            .then_some(())
            .ok_or_else(|| format!("no {game}, expected it among the games")),
        _ => Ok(()),
    }
}

/// Every option can be set to its default; a number also to its bounds.
pub(super) fn set(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let lines: Vec<String> = option_lines(conversation).map(str::to_owned).collect();
    let options = lines.iter().filter_map(|line| match Answer::parse(line) {
        Ok(Answer::Option(option)) => Some(option),
        _ => None,
    });
    let all = lines.len();
    let mut count = 0;
    for (index, option) in options.enumerate() {
        for value in values(&option.kind) {
            let name = option.name.clone();
            survives(conversation, Command::SetOption { name, value })?;
            count += 1;
        }
        conversation.step(index + 1, all);
    }
    // These settings might affect the next game.
    conversation.quit_engine();
    Ok(Remark::Fine(format!(
        "{count} values set (every default and bound), isready answered after each"
    )))
}

/// The values to set an option to, its default last.
fn values(kind: &OptionKind) -> Vec<String> {
    match kind {
        OptionKind::Spin { default, min, max } => [min, max, default].map(i64::to_string).to_vec(),
        OptionKind::Check { default } => vec![default.to_string()],
        OptionKind::String { default } | OptionKind::Combo { default, .. } => {
            vec![default.clone()]
        }
    }
}

/// An unknown option changes nothing.
pub(super) fn unknown(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let name = "no such option".to_owned();
    let value = "1".to_owned();
    survives(conversation, Command::SetOption { name, value })?;
    Ok(Remark::Fine(
        "ignored, and isready answered after it".to_owned(),
    ))
}

fn survives(conversation: &mut Conversation<'_>, command: Command) -> Result<(), Fault> {
    conversation.say(&format!("{command}\n{}", line(&Command::IsReady)))?;
    hear_ready(conversation)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fault in the declaration of an option, for a check in Hex.
    fn wrong(line: &str) -> Option<String> {
        let option = match Answer::parse(line) {
            Ok(Answer::Option(option)) => option,
            other => return Some(format!("{other:?}")),
        };
        let checked = well_formed(line, &option).and_then(|()| offers_game(&option, "hex"));
        checked.err()
    }

    #[test]
    fn valid_options_are_accepted() {
        for line in [
            "option name Game type combo default hex var amazons var hex",
            "option name table type spin default 64 min 0 max 1024",
            "option name a long name type spin min -5 max 5 default -1",
            "option name ponder type check default false",
            "option name book type string default",
            "option name style type combo default very solid var very solid var risky",
        ] {
            assert_eq!(wrong(line), None, "{line}");
        }
    }

    #[test]
    fn invalid_options_are_rejected() {
        for (line, message) in [
            ("option name n type spin min 0 max 9", "no default"),
            ("option name n type spin default 1 max 9", "no min"),
            ("option name n type spin default 1 min 0", "no max"),
            (
                "option name n type spin default 10 min 0 max 9",
                "from 0 to 9",
            ),
            ("option name n type spin default x min 0 max 9", "\"x\""),
            ("option name n type check default yes", "true or false"),
            ("option name n type combo default c var a var b", "2 vars"),
            ("option name n type slider default 1", "spin, check, string"),
            ("option name type check default true", "no name"),
            ("option name Game type combo default go var go", "no hex"),
        ] {
            let found = wrong(line).unwrap_or_default();
            assert!(found.contains(message), "{line}: {found}");
        }
    }
}
