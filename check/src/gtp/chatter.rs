//! Meaningless and unusually formatted lines.

use engine_process::START_UP;
use protocol::gtp::Command;

use super::exchange::{exchange, responses, written};
use super::{ask_legal, prepare};
use crate::conversation::Conversation;
use crate::finding::{Checked, Remark};
use crate::positions::start;

/// Three commands among what GTP tells engines to ignore: blank lines, comments, CR, other control
/// characters, and tabs for blanks.
const CHATTER: &str =
    "\n   \n\r\n# a comment\n\t3 name \r\n4\tname\t# a comment\n\u{7}5 name\u{1}\n";

/// The same commands.
const PLAIN: &str = "3 name\n4 name\n5 name\n";

/// These lines do not disturb the engine.
pub(super) fn chatter(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    conversation.say(PLAIN)?;
    let (expected, _) = responses(conversation, 3, START_UP)?;
    conversation.say(CHATTER)?;
    let (found, _) = responses(conversation, 3, START_UP)?;
    if let Some((found, expected)) = found.iter().zip(&expected).find(|(a, b)| a != b) {
        let expected = format!("{:?}, as without the chatter", written(expected));
        return Err(conversation.wrong(&written(found), &expected));
    }
    // Nothing more may come, or later answers would be taken for others.
    let names = exchange(conversation, &[Command::new("name", &[])], START_UP)?;
    if let Some(response) = names.responses.iter().find(|it| it.id.is_some()) {
        return Err(conversation.wrong(&written(response), "a response without an id"));
    }
    prepare(conversation)?;
    let mut board = start(conversation.plan);
    let side = board.side();
    ask_legal(conversation, side, &mut *board)?;
    Ok(Remark::Fine(
        "blank lines, comments, control characters, CRLF and tabs do not disturb it".to_owned(),
    ))
}
