//! Reviews of games: an engine searches every position of a record, from its end, and says what each
//! turn was worth.
//!
//! ```text
//! record ─▶ Course ─▶ search ─▶ Searched ─▶ Review ─▶ tables, JSON, pages, SGF
//!           (plies)             (on disk)   (values, losses, luck, marks, sums)
//! ```
//!
//! | file | what is in it |
//! |---|---|
//! | `plan` | with what a game is reviewed |
//! | `course` | a record as plies and the points between them: a player acts, the die is rolled, the end |
//! | `search` | the searches of a game, on several cores |
//! | `searched` | what they found, which is all that is kept on disk |
//! | `curve` | scores as chances to win, for each game |
//! | `values` | the value of every point, what each turn lost and each roll gave |
//! | `marks` | what a turn is called |
//! | `reason` | what happened at a turn, in one line of words |
//! | `sums` | means, accuracy and counts of each side; turning points |
//! | `league` | what the reviews of many games say together |
//! | `review` | all of these together, and as JSON |
//! | `file` | the file of reviews beside a log or a record |
//! | `words`, `annotated` | a review as text; as remarks of a record, for SGF |

mod annotated;
mod course;
pub mod curve;
pub mod file;
pub mod league;
mod marks;
mod plan;
pub mod reason;
mod review;
mod search;
mod searched;
mod sums;
mod values;
mod words;

pub use annotated::remarks;
pub use course::{Course, Ply, Point};
pub use marks::{Mark, Thresholds, Verdict};
pub use plan::Plan;
pub use review::Review;
pub use search::{Tell, left, search};
pub use searched::{Face, Found, Looked, Searched};
pub use sums::{PHASES, Sums};
pub use values::Values;
pub use words::{text, together};
