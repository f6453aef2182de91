//! Which column letters the engine uses: a wrong guess shifts its moves by a column, and nothing else
//! shows it.

use engine_process::START_UP;
use engine_process::driver::gtp::letters::{questions, told};
use task::Letters;

use super::exchange::exchange;
use super::prepare;
use crate::conversation::Conversation;
use crate::finding::{Checked, Fault, Remark};

/// The engine's columns have the letters that the check was told.
pub(super) fn letters(conversation: &mut Conversation<'_>) -> Checked {
    let plan = conversation.plan;
    let Some(questions) = questions(plan.rules, &plan.variant) else {
        return Ok(Remark::Fine(
            "not told apart here: in Hex, Gomoku and Connect6 with 9 to 25 columns only".to_owned(),
        ));
    };
    conversation.language.ready(conversation)?;
    prepare(conversation)?;
    let mut accepts = [false; 2];
    for (question, accepts) in questions.iter().zip(&mut accepts) {
        // Some engines end when they are asked for a cell that they do not have.
        let Ok(answered) = exchange(conversation, question, START_UP) else {
            break;
        };
        *accepts = answered.responses.last().is_some_and(|it| it.success);
    }
    let [ours, theirs] = questions.map(|[_, play]| play.to_string());
    match (told(accepts), plan.engine.letters) {
        (None, _) => Ok(Remark::Note(format!(
            "cannot be told: `{ours}` and `{theirs}` should differ, as one of them is no cell; see in its \
             `showboard` whether the ninth column is i or j (then --letters skip-i)"
        ))),
        (Some(found), told) if found == told => Ok(Remark::Fine(match found {
            Letters::All => format!("with i, as in HTP: `{ours}` accepted, `{theirs}` refused"),
            Letters::SkipI => format!("without i, as in Go: `{ours}` refused, `{theirs}` accepted"),
        })),
        (Some(Letters::SkipI), _) => Err(Fault(format!(
            "`{ours}` refused, `{theirs}` accepted: its columns leave out the letter i; expected \
             --letters skip-i, and letters = \"skip-i\" in a league file"
        ))),
        (Some(Letters::All), _) => Err(Fault(format!(
            "`{ours}` accepted, `{theirs}` refused: its columns have the letter i; expected --letters \
             all, or none"
        ))),
    }
}
