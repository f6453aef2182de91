//! The edges worth a search: one of all that come to the same, and none that only lose boxes.

use crate::board::DotsAndBoxes;
use crate::chains::{Harvest, harvest};
use crate::moves::{Edge, Edges};

/// While safe edges remain, a chain may be opened to change who draws the last of them; giving more
/// boxes than this for it hardly ever pays.
const SMALL_GIFT: i32 = 3;

/// Lists the edges worth a search, best guess first; never empty while the game goes on.
///
/// - The edges that take a box.
/// - The safe edges. (To leave a box and draw one of them costs two points, and changes who draws
///   the last.)
/// - The edges that give boxes away, the smallest gifts first: one for each
///   chain and way to open it, and while safe edges remain only small gifts. Edges of a
///   chain that can be taken are all listed, since by them its last boxes are handed out.
pub(crate) fn list(position: &DotsAndBoxes, out: &mut Vec<Edge>) {
    out.clear();
    let (board, lines) = (position.geometry, position.lines);
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
    // What leaves the taker no choice is the better gift of two equal ones.
    gifts.sort_by_key(|gift| (gift.boxes, gift.control.is_some()));
    out.extend(gifts.into_iter().map(|gift| gift.edge));
}

/// What an edge gives away.
struct Gift {
    boxes: i32,
    /// How many boxes the taker can leave to keep control, if that is possible: a chain of two
    /// allows it when it is opened at an end, and not in the middle.
    control: Option<i32>,
    /// The edges drawn when all that was given is taken.
    drawn: u64,
    edge: Edge,
}

impl Gift {
    fn is_like(&self, other: &Gift) -> bool {
        (self.control, self.drawn) == (other.control, other.drawn)
    }
}
