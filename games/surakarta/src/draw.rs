//! The board as plain text, and as a picture.

use drawing::frame::{cell_name, text_height};
use drawing::{Class, Frame, Palette, Picture, Point, Shape, Step, Target};
use engine_core::Side;
use game::View;
use game::view::line_of;

use crate::board::Surakarta;
use crate::geometry::{LOOPS, POINT, SIZE, STATIONS};
use crate::moves::Action;

/// Six rows, row 6 on top: `B` black (`First`), `W` white (`Second`), `.` empty, with coordinates.
pub(crate) fn draw(position: &Surakarta) -> String {
    let columns = "  a b c d e f\n";
    let mut text = String::from(columns);
    for row in (0..SIZE).rev() {
        text += &format!("{}", row + 1);
        for column in 0..SIZE {
            let point = (SIZE * row + column) as u8;
            text.push(' ');
            text.push(match position.piece_on(point) {
                Some(Side::First) => 'B',
                Some(Side::Second) => 'W',
                None => '.',
            });
        }
        text += &format!(" {}\n", row + 1);
    }
    text + columns
}

/// The points of the board.
const FRAME: Frame = Frame {
    columns: SIZE as u8,
    rows: SIZE as u8,
};
/// The radius of a piece.
const PIECE: f64 = 0.36;

fn centre(point: u8) -> Point {
    let size = SIZE as u8;
    FRAME.centre(point % size, point / size)
}

/// The picture of a position.
pub(crate) fn picture(position: &Surakarta, view: &View<'_, Surakarta>) -> Picture {
    let mut picture = ground();
    for (&action, before) in view.last.iter().zip(view.before) {
        picture.add(Shape::circle(Class::Left, centre(action.from), 0.2));
        picture.add(Shape::path(Class::Way, way(before, action)));
        picture.add(Shape::circle(Class::Trail, centre(action.to), 0.5));
    }
    for point in 0..(SIZE * SIZE) as u8 {
        if let Some(side) = position.piece_on(point) {
            let class = Class::PIECES[side.index()];
            picture.add(Shape::circle(class, centre(point), PIECE));
        }
    }
    for step in line_of(position, view.line) {
        let way = way(&step.before, step.action);
        picture.add(Shape::path(Class::LAST_EDGES[step.colour], way));
        let to = centre(step.action.to);
        picture.add(Shape::circle(Class::ARROWS[step.colour], to, 0.22));
        let number = step.turn.to_string();
        picture.add(Shape::text(Class::NUMBERS[step.colour], to, 0.3, number));
    }
    for &hint in view.hints {
        picture.add(Shape::path(Class::HintLine, way(position, hint)));
        picture.add(Shape::circle(Class::Hint, centre(hint.to), 0.3));
    }
    picture
}

/// The board with its loops.
fn ground() -> Picture {
    // The larger arcs have a radius of two units around the corners.
    const OUTSIDE: f64 = 1.5;
    let whole = FRAME.size().0 + 2.0 * OUTSIDE;
    let height = text_height(whole);
    let mut picture = Picture::with_margin(Palette::Stones, FRAME.size(), OUTSIDE + 2.3 * height);
    picture.add(FRAME.lines());
    let arcs = (0..LOOPS * STATIONS).filter(|station| station % SIZE == SIZE - 1);
    for station in arcs {
        let (a_loop, at) = (station / STATIONS, station % STATIONS);
        let [from, to] = [at, (at + 1) % STATIONS].map(|at| centre(POINT[a_loop * STATIONS + at]));
        let steps = vec![Step::Move(from), arc(a_loop, from, to)];
        picture.add(Shape::path(Class::Grid, steps));
    }
    for (column, row) in FRAME.cells() {
        let target = Target::cell(cell_name(column, row), FRAME.centre(column, row));
        picture.targets.push(target);
    }
    FRAME.add_coordinates(&mut picture, OUTSIDE + 0.9 * height, height);
    picture
}

/// The arc of a loop between two points: three quarters of a circle around the corner between them.
fn arc(a_loop: usize, from: Point, to: Point) -> Step {
    let (first, last) = (0.5, SIZE as f64 - 0.5);
    let nearest = |a: f64, b: f64| if a + b < first + last { first } else { last };
    let corner = Point(nearest(from.0, to.0), nearest(from.1, to.1));
    let (a, b) = (from - corner, to - corner);
    Step::Arc {
        radius: (a_loop + 1) as f64,
        long: true,
        // The short way from `a` to `b` is clockwise if their cross product is positive.
        clockwise: a.0 * b.1 - a.1 * b.0 < 0.0,
        to,
    }
}

/// The way of an action: straight for a step, the shortest one along a loop for a capture.
fn way(before: &Surakarta, action: Action) -> Vec<Step> {
    let captures = (0..LOOPS * STATIONS).flat_map(|start| {
        [1, STATIONS - 1].map(|stride| along_loop(before, action, start, stride))
    });
    let straight = vec![
        Step::Move(centre(action.from)),
        Step::Line(centre(action.to)),
    ];
    match before.piece_on(action.to) {
        None => straight,
        Some(_) => captures.flatten().min_by_key(Vec::len).unwrap_or(straight),
    }
}

/// The way of a capture from a station of its origin, forwards (stride 1) or backwards; `None` if
/// it does not lead to the target.
fn along_loop(
    before: &Surakarta,
    action: Action,
    start: usize,
    stride: usize,
) -> Option<Vec<Step>> {
    let (a_loop, mut at) = (start / STATIONS, start % STATIONS);
    let point = |at: usize| POINT[a_loop * STATIONS + at];
    let (mut steps, mut arcs) = (vec![Step::Move(centre(action.from))], 0);
    if point(at) != action.from {
        return None;
    }
    for _ in 0..STATIONS {
        let next = (at + stride) % STATIONS;
        let is_arc = at / SIZE != next / SIZE;
        arcs += usize::from(is_arc);
        steps.push(if is_arc {
            arc(a_loop, centre(point(at)), centre(point(next)))
        } else {
            Step::Line(centre(point(next)))
        });
        at = next;
        if point(at) == action.to && arcs > 0 {
            return Some(steps);
        }
        if point(at) != action.from && before.piece_on(point(at)).is_some() {
            return None;
        }
    }
    None
}

/// The clicks of an action: from, to.
pub(crate) fn clicks(action: Action) -> Vec<String> {
    let size = SIZE as u8;
    let name = |point: u8| cell_name(point % size, point / size);
    [action.from, action.to].map(name).to_vec()
}

#[cfg(test)]
mod tests {
    use crate::{Surakarta, Variant};

    #[test]
    fn the_start_looks_like_the_start() {
        let expected = "\x20 a b c d e f
6 B B B B B B 6
5 B B B B B B 5
4 . . . . . . 4
3 . . . . . . 3
2 W W W W W W 2
1 W W W W W W 1
\x20 a b c d e f
";
        assert_eq!(super::draw(&Surakarta::new(Variant::default())), expected);
    }
}
