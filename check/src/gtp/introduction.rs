//! The handshake: who the engine is, which commands it knows, and which board it plays on.

use std::time::Instant;

use engine_process::START_UP;
use protocol::gtp::Command;
use task::Protocol;

use super::exchange::{exchange, written};
use super::prepare;
use crate::Plan;
use crate::conversation::{Conversation, quote};
use crate::finding::{Checked, Fault, Remark};

/// The commands that a league needs.
const NEEDED: [&str; 5] = ["boardsize", "clear_board", "play", "genmove", "quit"];

/// Other commands that GTP requires of every engine.
const REQUIRED: [&str; 5] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
];

/// A board that no engine plays on.
const HUGE: &str = "1000";

/// The engine starts and lists its commands in time.
pub(super) fn handshake(conversation: &mut Conversation<'_>) -> Checked {
    let begun = Instant::now();
    introduce(conversation)?;
    Ok(Remark::Fine(format!(
        "`list_commands`: {} commands {} ms after the start",
        conversation.introduction.len(),
        begun.elapsed().as_millis()
    )))
}

/// Starts a process and asks for its commands.
pub(super) fn introduce(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    conversation.start()?;
    let commands = [Command::new("list_commands", &[])];
    let answered = exchange(conversation, &commands, START_UP)?;
    let text = answered.responses.iter().filter(|it| it.success);
    let words = text.flat_map(|response| response.text.split_whitespace());
    conversation.introduction = words.map(str::to_owned).collect();
    Ok(())
}

/// Whether the engine lists a command.
pub(super) fn knows(conversation: &Conversation<'_>, command: &str) -> bool {
    conversation.introduction.iter().any(|it| it == command)
}

/// The engine sends a name, which is logged.
pub(super) fn name(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let commands = ["name", "version"].map(|name| Command::new(name, &[]));
    let answered = exchange(conversation, &commands, START_UP)?;
    let [name, version] = &answered.responses[..] else {
        return Err(conversation.silent("two responses", START_UP));
    };
    if !name.success || name.text.is_empty() {
        let expected = "a name: the log identifies versions by it";
        return Err(conversation.wrong(&written(name), expected));
    }
    conversation.name = quote(&name.text);
    Ok(if version.success && !version.text.is_empty() {
        Remark::Fine(format!(
            "{:?} {:?}",
            quote(&name.text),
            quote(&version.text)
        ))
    } else {
        Remark::Note(format!("{:?}, without a version", quote(&name.text)))
    })
}

/// The engine has all commands that GTP requires, and tells which it knows.
pub(super) fn commands(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let unlisted = |names: &[&str]| {
        let names = names.iter().filter(|name| !knows(conversation, name));
        names.copied().collect::<Vec<_>>().join(", ")
    };
    let needed = unlisted(&NEEDED);
    if !needed.is_empty() {
        return Err(Fault(format!(
            "`list_commands`: no {needed}, expected them: no game is played without"
        )));
    }
    let mut notes = Vec::new();
    let required = unlisted(&REQUIRED);
    if !required.is_empty() {
        notes.push(format!(
            "`list_commands`: no {required}, which GTP requires"
        ));
    }
    for (command, expected) in [
        ("protocol_version", "2"),
        ("known_command genmove", "true"),
        ("known_command xyzzy", "false"),
    ] {
        let asked: Vec<Command> = Command::parse(command).into_iter().collect();
        let answered = exchange(conversation, &asked, START_UP)?;
        let response = answered.responses.first();
        if let Some(response) = response.filter(|it| !it.success || it.text != expected) {
            let found = quote(&written(response));
            notes.push(format!("`{command}`: {found:?}, expected \"= {expected}\""));
        }
    }
    Ok(if notes.is_empty() {
        Remark::Fine("all that GTP requires; `protocol_version`: 2".to_owned())
    } else {
        Remark::Note(notes.join("; "))
    })
}

/// The argument of `boardsize` for the game.
pub(super) fn size(plan: &Plan) -> String {
    let announced = plan.rules.announce(Protocol::Gtp, &plan.variant);
    announced.expect("the variant was checked").board
}

/// The game's board is accepted, one that is too large refused.
pub(super) fn board(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let own = size(conversation.plan);
    let huge = vec![HUGE; own.split(' ').count()];
    let command = Command::new("boardsize", &huge);
    let answered = exchange(conversation, std::slice::from_ref(&command), START_UP)?;
    prepare(conversation)?;
    let refused = answered.responses.iter().all(|response| !response.success);
    Ok(if refused {
        Remark::Fine(format!("`boardsize {own}` accepted, `{command}` refused"))
    } else {
        Remark::Note(format!(
            "`boardsize {own}` accepted, but `{command}` too: expected ? unacceptable size"
        ))
    })
}
