//! A textbook search as a player of a game.

use crate::Textbook;
use crate::board::{Evaluated, MoveBits};
use crate::searcher::Searcher;
use engine_core::evaluate::Evaluator;
use engine_core::limits::{Limits, Report};
use engine_core::position::{Move, Position};
use engine_core::search::{Search, SearchSettings};
use engine_core::table::Table;

/// A player on one thread. `table` is for searches that [have one](Textbook::has_table).
pub fn player<P: Position>(
    kind: Textbook,
    table: Option<Table>,
    evaluator: impl Evaluator<P> + 'static,
    settings: &SearchSettings,
) -> Box<dyn Search<P>> {
    let table = table.filter(|_| kind.has_table());
    Box::new(Player {
        searcher: Searcher::new(kind, table, settings.aspiration),
        evaluator,
    })
}

/// A search with the evaluator of its game.
struct Player<E> {
    searcher: Searcher,
    evaluator: E,
}

impl<P: Position, E: Evaluator<P>> Search<P> for Player<E> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        let mut board = Evaluated::new(root, &mut self.evaluator);
        let mut typed = |report: &Report<MoveBits>| progress(&decode(report));
        decode(&self.searcher.deepen(&mut board, limits, &mut typed))
    }
}

/// The report with the moves of a game.
fn decode<M: Move>(report: &Report<MoveBits>) -> Report<M> {
    report.with_line(report.pv.iter().map(|mv| M::from_bits(mv.0)).collect())
}
