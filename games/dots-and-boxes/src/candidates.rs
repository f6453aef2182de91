//! The edges worth a search: one of each set of equivalent edges, without edges that only lose
//! boxes.

use engine_core::Candidates;

use crate::board::{DotsAndBoxes, Lines};
use crate::chains::{Harvest, harvest};
use crate::geometry::{Geometry, OUTSIDE};
use crate::moves::{Edge, Edges};

/// Maximum number of boxes to give away while safe edges remain. Opening a chain then can change
/// who draws the last safe edge, but larger gifts hardly ever pay.
const SMALL_GIFT: i32 = 3;

/// Lists the edges worth a search, best guess first; never empty while the game is not over.
///
/// If there is a [free capture](free_capture), it is the only candidate. Otherwise:
///
/// - The edges that capture a box.
/// - The safe edges. (Leaving a box to draw one of them costs two points and changes who draws the
///   last.)
/// - The edges that give boxes away, smallest gifts first: one for each chain and way to open it,
///   and only small gifts while safe edges remain. All edges of a chain that can be captured are
///   listed, because they include its double-cross.
///
/// The list is complete if there is a free capture or no safe edge: each omitted edge then leads to
/// a position with the same value as a listed one (checked against minimax in
/// `tests/all/values.rs`).
pub(crate) fn list(position: &DotsAndBoxes, out: &mut Vec<Edge>) -> Candidates {
    out.clear();
    let (board, lines) = (position.geometry, position.lines);
    if let Some(edge) = free_capture(board, &lines) {
        out.push(edge);
        return Candidates::Complete;
    }
    let (capturing, safe) = (lines.capturing(board), lines.safe(board));
    let boxes = Edges(capturing).fold(0, |set, edge| set | board.boxes[edge.0 as usize]);
    let handing_out = board.around(boxes) & lines.giving(board);
    out.extend(Edges(capturing));
    out.extend(Edges(handing_out));
    out.extend(Edges(safe));
    let mut gifts: Vec<Gift> = Vec::new();
    for edge in Edges(lines.giving(board) & !handing_out) {
        let mut after = lines;
        after.draw(board, edge);
        let Harvest { boxes, control } = harvest(board, &mut after);
        let gift = Gift {
            boxes,
            control,
            drawn: after.drawn,
            edge,
        };
        let small = safe == 0 || boxes <= SMALL_GIFT;
        if small && !gifts.iter().any(|known| known.is_like(&gift)) {
            gifts.push(gift);
        }
    }
    // Of two equal gifts, the one that leaves the taker no choice is better.
    gifts.sort_by_key(|gift| (gift.boxes, gift.control.is_some()));
    out.extend(gifts.into_iter().map(|gift| gift.edge));
    if safe == 0 || out.len() == position.open().count_ones() as usize {
        Candidates::Complete
    } else {
        Candidates::Selected
    }
}

/// A capture that keeps all options, so no edge is better: after any other edge, the opponent could
/// make the same capture instead.
///
/// Only the last boxes of a chain offer an option: to decline two boxes, or four that can be
/// captured from both ends (a double-cross), so that the opponent must move again (Berlekamp, *The
/// Dots and Boxes Game*, 2000).
fn free_capture(board: &Geometry, lines: &Lines) -> Option<Edge> {
    let boxes = Edges(lines.threes() & board.horizontal);
    let capture = |number: Edge| Edge(open_edges(board, lines, number.0).trailing_zeros() as u8);
    boxes
        .map(|number| (number.0, capture(number)))
        .find(|&(number, edge)| is_free(board, lines, number, edge))
        .map(|(_, edge)| edge)
}

/// The open edges of a box.
fn open_edges(board: &Geometry, lines: &Lines, number: u8) -> u64 {
    board.sides[number as usize] & !lines.drawn
}

/// Whether capturing this box keeps all options. `edge` is the box's last open edge.
fn is_free(board: &Geometry, lines: &Lines, mut number: u8, mut edge: Edge) -> bool {
    let mut length = 1;
    loop {
        number ^= board.across[edge.0 as usize];
        if number == OUTSIDE {
            return length != 2;
        }
        let open = open_edges(board, lines, number);
        match open.count_ones() {
            // The chain can also be captured from its other end.
            1 => return length == 1 || length + 1 > 4,
            2 => edge = Edge((open ^ edge.bit()).trailing_zeros() as u8),
            _ => return length != 2,
        }
        length += 1;
    }
}

/// The result of an edge that gives boxes away.
struct Gift {
    boxes: i32,
    /// Number of boxes that the taker can decline to keep control, if it can: a chain of two allows
    /// it when opened at an end, but not in the middle (hard-hearted handout).
    control: Option<i32>,
    /// The drawn edges after all given boxes are captured.
    drawn: u64,
    edge: Edge,
}

impl Gift {
    fn is_like(&self, other: &Gift) -> bool {
        (self.control, self.drawn) == (other.control, other.drawn)
    }
}
