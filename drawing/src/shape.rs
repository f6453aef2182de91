//! Shapes, in units of one cell of the board: x to the right, y downwards.

use std::ops::{Add, Mul, Sub};

use crate::class::Class;

/// A point, or the way from one to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point(pub f64, pub f64);

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        Point(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul<f64> for Point {
    type Output = Point;

    fn mul(self, factor: f64) -> Point {
        Point(self.0 * factor, self.1 * factor)
    }
}

impl Point {
    /// The distance from the origin.
    pub fn length(self) -> f64 {
        self.0.hypot(self.1)
    }

    /// The same way turned by 90° clockwise.
    #[must_use]
    pub fn turned(self) -> Point {
        Point(-self.1, self.0)
    }
}

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    /// Begins a new part of the path here.
    Move(Point),
    /// A straight line to here.
    Line(Point),
    /// An arc of a circle to here.
    Arc {
        /// The radius of the circle.
        radius: f64,
        /// Whether the arc is longer than half of the circle.
        long: bool,
        /// Whether the arc runs clockwise.
        clockwise: bool,
        /// Its end.
        to: Point,
    },
    /// A straight line back to the beginning of this part.
    Close,
}

/// The geometry of a shape.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// A line between two points.
    Line(Point, Point),
    /// A circle: its centre and its radius.
    Circle(Point, f64),
    /// A rectangle: its upper left corner, its width and height, and the radius of its corners.
    Rectangle(Point, Point, f64),
    /// A closed polygon.
    Polygon(Vec<Point>),
    /// Lines and arcs.
    Path(Vec<Step>),
    /// A line of text: its centre, the height of its font, and its characters.
    Text(Point, f64, String),
}

/// A form, and the class that says what it stands for. The class decides the colours.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// What the shape stands for.
    pub class: Class,
    /// Its geometry.
    pub form: Form,
}

impl Shape {
    /// A line between two points.
    pub fn line(class: Class, from: Point, to: Point) -> Shape {
        let form = Form::Line(from, to);
        Shape { class, form }
    }

    /// A circle.
    pub fn circle(class: Class, centre: Point, radius: f64) -> Shape {
        let form = Form::Circle(centre, radius);
        Shape { class, form }
    }

    /// A square with rounded corners: its centre, its side, and the radius of its corners.
    pub fn square(class: Class, centre: Point, side: f64, radius: f64) -> Shape {
        let half = Point(side / 2.0, side / 2.0);
        Shape::rectangle(class, centre - half, Point(side, side), radius)
    }

    /// A rectangle: its upper left corner, its width and height, and the radius of its corners.
    pub fn rectangle(class: Class, corner: Point, size: Point, radius: f64) -> Shape {
        let form = Form::Rectangle(corner, size, radius);
        Shape { class, form }
    }

    /// A closed polygon.
    pub fn polygon(class: Class, points: Vec<Point>) -> Shape {
        let form = Form::Polygon(points);
        Shape { class, form }
    }

    /// Lines and arcs.
    pub fn path(class: Class, steps: Vec<Step>) -> Shape {
        let form = Form::Path(steps);
        Shape { class, form }
    }

    /// A line of text: its centre, the height of its font, and its characters.
    pub fn text(class: Class, centre: Point, height: f64, text: impl Into<String>) -> Shape {
        let form = Form::Text(centre, height, text.into());
        Shape { class, form }
    }

    /// Two lines that cross: a mark for what is not allowed, or the cross of tic-tac-toe.
    pub fn cross(class: Class, centre: Point, radius: f64) -> Shape {
        let arm = Point(radius, radius);
        let other = arm.turned();
        let steps = vec![
            Step::Move(centre - arm),
            Step::Line(centre + arm),
            Step::Move(centre - other),
            Step::Line(centre + other),
        ];
        Shape::path(class, steps)
    }

    /// An arrow: a shaft with a head whose tip is `to`. `None` if it would have no length.
    pub fn arrow(class: Class, from: Point, to: Point, width: f64) -> Option<Shape> {
        let way = to - from;
        let length = way.length();
        if length < 1e-6 {
            return None;
        }
        let along = way * (1.0 / length);
        let across = along.turned() * (width / 2.0);
        let neck = to - along * (2.4 * width).min(0.6 * length);
        let points = vec![
            from + across,
            neck + across,
            neck + across * 2.8,
            to,
            neck - across * 2.8,
            neck - across,
            from - across,
        ];
        Some(Shape::polygon(class, points))
    }
}
