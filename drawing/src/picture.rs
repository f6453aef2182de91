//! A picture: a position as shapes.

use crate::class::{Class, Layer};
use crate::shape::{Form, Point, Shape};
use crate::style::Palette;

/// What begins the name of a click that is not on the board but on a button: `button:swap`.
pub const BUTTON: &str = "button:";

/// An invisible area to click.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// Its name in the clicks of an action, as the game writes it: `e6`, or an edge, `a1h`.
    pub name: String,
    /// Its area.
    pub form: Form,
}

impl Target {
    /// A square to click, one cell in size.
    pub fn cell(name: String, centre: Point) -> Target {
        let form = Form::Rectangle(centre - Point(0.5, 0.5), Point(1.0, 1.0), 0.0);
        Target { name, form }
    }
}

/// A position as shapes, in units of one cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// The game and the state of the game in words: `Hex: red to move`.
    pub title: String,
    /// The position in the game's notation.
    pub description: String,
    /// The colours.
    pub palette: Palette,
    /// The upper left corner of the picture.
    pub corner: Point,
    /// Its width and height.
    pub size: Point,
    /// What does not change during a game of a variant.
    pub ground: Vec<Shape>,
    /// What changes from turn to turn. [`Layer`] says what covers what; within a layer, what comes
    /// later covers what comes before.
    pub shapes: Vec<Shape>,
    /// Areas to click, each name once. They are the same in every picture of a variant.
    pub targets: Vec<Target>,
}

impl Picture {
    /// An empty board: the upper left corner of the picture, its width and height.
    pub fn new(palette: Palette, corner: Point, size: Point) -> Picture {
        let rounding = 0.02 * size.0.max(size.1);
        Picture {
            title: String::new(),
            description: String::new(),
            palette,
            corner,
            size,
            ground: vec![Shape::rectangle(Class::Board, corner, size, rounding)],
            shapes: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// An empty board whose own upper left corner is the origin, with a margin on all four sides.
    pub fn with_margin(palette: Palette, board: Point, margin: f64) -> Picture {
        let corner = Point(-margin, -margin);
        Picture::new(palette, corner, board - corner * 2.0)
    }

    /// Adds a shape to the ground or to what changes, as its class says.
    pub fn add(&mut self, shape: Shape) {
        match shape.class.layer() {
            Layer::Ground => self.ground.push(shape),
            _ => self.shapes.push(shape),
        }
    }

    /// The shapes of a layer, in order.
    pub fn layer(&self, layer: Layer) -> impl Iterator<Item = &Shape> {
        let shapes = match layer {
            Layer::Ground => &self.ground,
            _ => &self.shapes,
        };
        shapes
            .iter()
            .filter(move |shape| shape.class.layer() == layer)
    }
}

/// Lines of text as a picture, for games without a drawing.
pub fn text(lines: &str) -> Picture {
    const LINE: f64 = 0.5;
    let width = lines.lines().map(|line| line.chars().count()).max();
    let (width, height) = (width.unwrap_or(0) as f64, lines.lines().count() as f64);
    let size = Point((0.7 * LINE * width).max(2.0), LINE * height);
    let mut picture = Picture::with_margin(Palette::Inks, size, LINE);
    for (row, line) in lines.lines().enumerate() {
        let centre = Point(size.0 / 2.0, LINE * (row as f64 + 0.5));
        picture.add(Shape::text(Class::Note, centre, 0.8 * LINE, line));
    }
    picture
}
