//! A local web server for leagues and games, and the same pages as files.
//!
//! ```text
//! matches/ ─▶ leagues ─┬▶ site ─▶ server ─▶ browser
//!                      │   ▲
//!              viewed ─┴───┘  a game as a board and its changes, drawn once for pages and reports
//! ```
//!
//! - `server`: connections, addresses of pages, what a request may do (`guard`), how a browser becomes
//!   the operator's (`login`)
//! - `leagues`: the logs on disk; `viewed`: a game for a board on a page
//! - `desk`: games between engines and people; `analysis`: engines that search a position;
//!   `engines`: which ones there are to choose from; `board`: a position that takes clicks
//! - `dropped`: records that were dropped on the first page
//! - `reviews`: engines that review logged games; `reviewed`: a review for a page
//! - `live`: what changes on pages while a league is played; `live/league` its boards and tables,
//!   `live/game` one game, turn by turn, `live/desk` a session,
//!   `live/review` a review; `streams`: how many may be open
//! - `report`: a league as one file
//! - `site/`: the pages, one file each; `words`: their languages, `words/faults` for what is refused

mod address;
mod analysis;
mod board;
mod connections;
mod desk;
mod dropped;
mod engines;
mod guard;
mod leagues;
mod live;
mod login;
mod own;
mod report;
mod reviewed;
mod reviews;
mod secret;
mod server;
mod site;
mod streams;
mod viewed;
mod words;

pub use report::Report;
pub use server::{Server, ServerError};
