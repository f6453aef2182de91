//! Round stones, as most games have them.

use crate::class::Class;
use crate::picture::Picture;
use crate::shape::{Point, Shape};
use crate::style::Palette;

/// The radius of a stone.
const RADIUS: f64 = 0.45;

/// The height of a number that fits on a stone.
pub fn number_height(number: usize) -> f64 {
    match number {
        0..100 => 0.5,
        _ => 0.38,
    }
}

impl Picture {
    /// Adds a stone of a colour. Stones in ink have a ring if they are of the second colour, which
    /// tells them apart without their colours.
    pub fn add_stone(&mut self, colour: usize, centre: Point) {
        self.add(Shape::circle(Class::PIECES[colour], centre, RADIUS));
        if self.palette == Palette::Inks && colour == 1 {
            self.add(Shape::circle(Class::SecondInlay, centre, RADIUS - 0.09));
        }
    }

    /// Adds a number to a stone.
    pub fn add_number(&mut self, colour: usize, centre: Point, number: usize) {
        self.add_text(Class::NUMBERS[colour], centre, number);
    }

    fn add_text(&mut self, class: Class, centre: Point, number: usize) {
        let height = number_height(number);
        self.add(Shape::text(class, centre, height, number.to_string()));
    }

    /// Marks a stone as the last one: with a dot, or with a ring if it has a number.
    pub fn mark_last(&mut self, centre: Point, numbered: bool) {
        self.add(if numbered {
            Shape::circle(Class::LastRing, centre, RADIUS)
        } else {
            Shape::circle(Class::Last, centre, 0.14)
        });
    }

    /// Adds a stone of a line of play with its number.
    pub fn add_ghost(&mut self, colour: usize, centre: Point, number: usize) {
        self.add(Shape::circle(Class::GHOSTS[colour], centre, RADIUS - 0.03));
        self.add_text(Class::GHOST_NUMBERS[colour], centre, number);
    }

    /// Marks a cell as a candidate.
    pub fn add_hint(&mut self, centre: Point) {
        self.add(Shape::circle(Class::Hint, centre, 0.3));
    }
}
