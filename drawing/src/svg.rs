//! Shapes as SVG. A cell is 100 units wide there, so that coordinates are short whole numbers and
//! no browser raises the font to its least size.

use std::fmt::Write;

use crate::class::Layer;
use crate::picture::{Picture, Target};
use crate::shape::{Form, Point, Shape, Step};
use crate::sheet;
use crate::style::Theme;

/// Units of SVG in the width of a cell.
pub const CELL: f64 = 100.0;

/// How far the baseline of a text is below its centre, in heights of its font: this centres digits
/// and capitals. Not all programs can centre text themselves.
pub const BASELINE: f64 = 0.36;

/// Text with the characters that mean something in XML escaped. Control characters, which XML does
/// not allow, are left out.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// A length in SVG, to a tenth of a unit.
fn number(cells: f64) -> String {
    let tenths = (cells * CELL * 10.0).round() as i64;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        _ => format!("{}", tenths as f64 / 10.0),
    }
}

/// Two lengths with a blank between.
fn pair(point: Point) -> String {
    format!("{} {}", number(point.0), number(point.1))
}

fn path(steps: &[Step]) -> String {
    let step = |step: &Step| match *step {
        Step::Move(to) => format!("M{}", pair(to)),
        Step::Line(to) => format!("L{}", pair(to)),
        Step::Arc {
            radius,
            long,
            clockwise,
            to,
        } => {
            let (radius, long, clockwise) = (number(radius), u8::from(long), u8::from(clockwise));
            format!("A{radius} {radius} 0 {long} {clockwise} {}", pair(to))
        }
        Step::Close => "Z".to_string(),
    };
    steps.iter().map(step).collect()
}

/// The element of a form with these attributes, which are escaped already.
fn form(form: &Form, attributes: &str) -> String {
    match form {
        Form::Line(from, to) => {
            let path = path(&[Step::Move(*from), Step::Line(*to)]);
            format!("<path {attributes} d=\"{path}\"/>")
        }
        Form::Circle(Point(x, y), radius) => {
            let [x, y, radius] = [x, y, radius].map(|&length| number(length));
            format!("<circle {attributes} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>")
        }
        Form::Rectangle(Point(x, y), Point(width, height), radius) => {
            let [x, y, width, height] = [x, y, width, height].map(|&length| number(length));
            let rounded = match radius {
                0.0 => String::new(),
                radius => format!(" rx=\"{}\"", number(*radius)),
            };
            format!(
                "<rect {attributes} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{rounded}/>"
            )
        }
        Form::Polygon(points) => {
            let points: Vec<String> = points.iter().map(|&point| pair(point)).collect();
            format!("<polygon {attributes} points=\"{}\"/>", points.join(" "))
        }
        Form::Path(steps) => format!("<path {attributes} d=\"{}\"/>", path(steps)),
        Form::Text(Point(x, y), height, text) => {
            let [x, y] = [*x, y + BASELINE * height].map(number);
            let (size, text) = (number(*height), escape(text));
            format!("<text {attributes} x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{text}</text>")
        }
    }
}

/// A shape as one element.
pub fn element(shape: &Shape) -> String {
    let class = format!("class=\"{}\"", shape.class.name());
    form(&shape.form, &class)
}

/// A target as one element: a button for pointers, fingers and screen readers, whose name is in
/// `data-target`.
pub fn target(target: &Target) -> String {
    let name = escape(&target.name);
    let attributes =
        format!("class=\"target\" data-target=\"{name}\" role=\"button\" aria-label=\"{name}\"");
    form(&target.form, &attributes)
}

/// The ground of a picture: its elements in order.
pub fn ground(picture: &Picture) -> String {
    picture.ground.iter().map(element).collect()
}

/// The `viewBox` of a picture.
pub fn view_box(picture: &Picture) -> String {
    format!("{} {}", pair(picture.corner), pair(picture.size))
}

/// The groups of a picture's elements, from the bottom.
fn groups(picture: &Picture) -> String {
    let mut groups = format!("<g class=\"ground\">{}</g>", ground(picture));
    for layer in Layer::CHANGING {
        let elements: String = picture.layer(layer).map(element).collect();
        let _ = write!(groups, "<g class=\"{}\">{elements}</g>", layer.name());
    }
    groups
}

/// The beginning of a file, with the words that describe it and its style sheet.
pub(crate) fn head(picture: &Picture, sheet: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{}\" role=\"img\" \
         class=\"picture {}\"><title>{}</title><desc>{}</desc><style>{sheet}</style>",
        view_box(picture),
        picture.palette.name(),
        escape(&picture.title),
        escape(&picture.description),
    )
}

/// A picture as a file that needs nothing else.
pub fn file(picture: &Picture, theme: Theme) -> String {
    let sheet = sheet::of_file([picture], theme);
    format!("{}{}</svg>\n", head(picture, &sheet), groups(picture))
}

/// A picture as a fragment of a page that has the style sheet [`crate::style::of_pages`]. It has no style
/// attributes, which a content security policy may forbid.
pub fn fragment(picture: &Picture) -> String {
    format!(
        "<svg viewBox=\"{}\" role=\"img\" class=\"picture {}\" aria-label=\"{}\">{}</svg>",
        view_box(picture),
        picture.palette.name(),
        escape(&label(picture)),
        groups(picture),
    )
}

/// As [`fragment`], with the targets of the picture on top.
pub fn clickable(picture: &Picture) -> String {
    let targets: String = picture.targets.iter().map(target).collect();
    format!(
        "<svg viewBox=\"{}\" role=\"group\" class=\"picture {}\" aria-label=\"{}\">{}\
         <g class=\"targets\">{targets}</g></svg>",
        view_box(picture),
        picture.palette.name(),
        escape(&label(picture)),
        groups(picture),
    )
}

/// What a screen reader says.
fn label(picture: &Picture) -> String {
    format!("{}. {}", picture.title, picture.description)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Class;

    #[test]
    fn lengths_are_short() {
        for (cells, text) in [
            (0.0, "0"),
            (-0.0001, "0"),
            (1.5, "150"),
            (-0.155, "-15.5"),
            (-0.005, "-0.5"),
            (2.0 / 3.0, "66.7"),
        ] {
            assert_eq!(number(cells), text);
        }
    }

    #[test]
    fn text_cannot_leave_its_element() {
        let text = Shape::text(
            Class::Note,
            Point(0.0, 0.0),
            0.5,
            "</text><script>\"'&\u{1}",
        );
        let element = element(&text);
        assert!(
            element.ends_with(">&lt;/text&gt;&lt;script&gt;&quot;&#39;&amp;</text>"),
            "{element}"
        );
        let name = "\"><script>".to_string();
        let written = target(&Target::cell(name, Point(0.0, 0.0)));
        assert!(
            written.contains("data-target=\"&quot;&gt;&lt;script&gt;\""),
            "{written}"
        );
    }

    #[test]
    fn an_arc_knows_its_direction() {
        let arc = Step::Arc {
            radius: 2.0,
            long: true,
            clockwise: false,
            to: Point(0.0, 1.0),
        };
        let shape = Shape::path(Class::Way, vec![Step::Move(Point(1.0, 0.0)), arc]);
        assert_eq!(
            element(&shape),
            "<path class=\"way\" d=\"M100 0A200 200 0 1 0 0 100\"/>"
        );
    }
}
