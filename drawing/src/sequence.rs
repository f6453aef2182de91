//! A whole game as what changes from picture to picture.

use std::collections::HashMap;

use crate::class::Layer;
use crate::picture::Picture;
use crate::sheet;
use crate::style::Theme;
use crate::svg;

/// A whole game: the ground, the table of distinct elements, and the elements of each picture.
#[derive(Clone, PartialEq, Debug)]
pub struct PictureSequence {
    /// The `viewBox` of all pictures.
    pub view_box: String,
    /// The classes of the `svg` element.
    pub class: String,
    /// The elements of the ground.
    pub ground: String,
    /// Every element that some picture shows, with its layer. Within a layer, an element covers
    /// those with a smaller number.
    pub elements: Vec<(Layer, String)>,
    /// What each picture changes, from an empty board.
    pub changes: Vec<Change>,
}

/// What changes from one picture to the next.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Change {
    /// The title of the picture.
    pub title: String,
    /// The elements that appear, in ascending order.
    pub appear: Vec<usize>,
    /// The elements that disappear, in ascending order.
    pub disappear: Vec<usize>,
}

/// The distinct elements of some pictures, of one game or of several of the same variant.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Elements {
    list: Vec<(Layer, String)>,
    numbers: HashMap<(Layer, String), usize>,
}

impl Elements {
    /// Every element so far, with its layer, by its number.
    pub fn list(&self) -> &[(Layer, String)] {
        &self.list
    }

    /// What the pictures of a game change, from an empty board, in numbers of these elements.
    pub fn changes(&mut self, pictures: &[Picture]) -> Vec<Change> {
        let mut before = Vec::new();
        let mut changes = Vec::new();
        for picture in pictures {
            let visible = self.of(picture);
            let only = |some: &[usize], others: &[usize]| {
                let is_new = |number: &&usize| others.binary_search(number).is_err();
                some.iter().filter(is_new).copied().collect()
            };
            changes.push(Change {
                title: picture.title.clone(),
                appear: only(&visible, &before),
                disappear: only(&before, &visible),
            });
            before = visible;
        }
        changes
    }

    /// The numbers of a picture's elements, in ascending order.
    fn of(&mut self, picture: &Picture) -> Vec<usize> {
        let mut visible = Vec::new();
        for layer in Layer::CHANGING {
            for element in picture.layer(layer).map(svg::element) {
                let next = self.list.len();
                let known = self.numbers.entry((layer, element));
                let (_, element) = known.key().clone();
                let number = *known.or_insert(next);
                if number == next {
                    self.list.push((layer, element));
                }
                visible.push(number);
            }
        }
        visible.sort_unstable();
        visible.dedup();
        visible
    }
}

impl PictureSequence {
    /// The sequence of pictures of one game. Their grounds and sizes are those of the first.
    pub fn new(pictures: &[Picture]) -> PictureSequence {
        let mut elements = Elements::default();
        let changes = elements.changes(pictures);
        let first = pictures.first();
        PictureSequence {
            view_box: first.map_or(String::new(), svg::view_box),
            class: first.map_or(String::new(), |first| {
                format!("picture {}", first.palette.name())
            }),
            ground: first.map_or(String::new(), svg::ground),
            elements: elements.list,
            changes,
        }
    }

    /// The pictures in which each element is visible, as ranges of their numbers.
    fn spans(&self) -> Vec<Vec<(usize, usize)>> {
        let mut spans = vec![Vec::new(); self.elements.len()];
        for (i, change) in self.changes.iter().enumerate() {
            for &number in &change.appear {
                spans[number].push((i, self.changes.len()));
            }
            for &number in &change.disappear {
                if let Some(last) = spans[number].last_mut() {
                    last.1 = i;
                }
            }
        }
        spans
    }
}

/// A whole game as an animated file without scripts, which begins again at its end. `seconds` says
/// how long each picture is shown; it is as long as `pictures`. Programs that do not animate show
/// the last picture.
pub fn animated(pictures: &[Picture], seconds: &[f64], theme: Theme) -> String {
    let sequence = PictureSequence::new(pictures);
    let Some(last) = pictures.last() else {
        return String::new();
    };
    let mut starts = vec![0.0];
    for second in seconds {
        starts.push(starts[starts.len() - 1] + second);
    }
    let (total, end) = (starts[seconds.len()], pictures.len());
    let mut groups = Layer::CHANGING.map(|layer| (layer, String::new()));
    for ((layer, element), spans) in sequence.elements.iter().zip(sequence.spans()) {
        let group = groups.iter_mut().find(|(known, _)| known == layer);
        let Some((_, group)) = group else { continue };
        if spans == [(0, end)] {
            *group += element;
            continue;
        }
        let in_last = spans.last().is_some_and(|span| span.1 == end);
        let hidden = if in_last {
            ""
        } else {
            " visibility=\"hidden\""
        };
        let animation = animation(&spans, &starts, total, end);
        *group += &format!("<g{hidden}>{element}{animation}</g>");
    }
    let mut text = svg::head(last, &sheet::of_file(pictures, theme));
    text += &format!("<g class=\"ground\">{}</g>", sequence.ground);
    for (layer, group) in groups {
        text += &format!("<g class=\"{}\">{group}</g>", layer.name());
    }
    text + "</svg>\n"
}

/// The animation of an element that is visible in these pictures.
fn animation(spans: &[(usize, usize)], starts: &[f64], total: f64, end: usize) -> String {
    let time = |picture: usize| {
        let part = format!("{:.4}", starts[picture] / total);
        part.trim_end_matches('0').trim_end_matches('.').to_string()
    };
    let (mut times, mut values) = (Vec::new(), Vec::new());
    if spans.first().is_some_and(|span| span.0 > 0) {
        times.push("0".to_string());
        values.push("hidden");
    }
    for &(from, to) in spans {
        times.push(time(from));
        values.push("visible");
        if to < end {
            times.push(time(to));
            values.push("hidden");
        }
    }
    format!(
        "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"{total:.1}s\" \
         repeatCount=\"indefinite\" keyTimes=\"{}\" values=\"{}\"/>",
        times.join(";"),
        values.join(";")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Palette, Point, Shape};

    fn picture(columns: &[u8]) -> Picture {
        let mut picture = Picture::with_margin(Palette::Inks, Point(3.0, 1.0), 0.5);
        for &column in columns {
            let centre = Point(f64::from(column), 0.5);
            picture.add(Shape::circle(Class::First, centre, 0.4));
        }
        picture
    }

    #[test]
    fn a_sequence_holds_each_element_once() {
        let sequence = PictureSequence::new(&[
            picture(&[0]),
            picture(&[0, 1]),
            picture(&[1, 2]),
            picture(&[0]),
        ]);
        assert_eq!(sequence.elements.len(), 3);
        let changes: Vec<(&[usize], &[usize])> = sequence
            .changes
            .iter()
            .map(|change| (&change.appear[..], &change.disappear[..]))
            .collect();
        let expected: [(&[usize], &[usize]); 4] =
            [(&[0], &[]), (&[1], &[]), (&[2], &[0]), (&[0], &[1, 2])];
        assert_eq!(changes, expected);
        assert_eq!(
            sequence.spans(),
            [vec![(0, 2), (3, 4)], vec![(1, 3)], vec![(2, 3)]]
        );
    }

    #[test]
    fn an_animation_says_when_each_element_is_visible() {
        let pictures = [picture(&[0]), picture(&[0, 1]), picture(&[1])];
        let text = animated(&pictures, &[1.0, 1.0, 2.0], Theme::Light);
        assert!(
            text.contains("keyTimes=\"0;0.5\" values=\"visible;hidden\""),
            "{text}"
        );
        assert!(
            text.contains("keyTimes=\"0;0.25\" values=\"hidden;visible\""),
            "{text}"
        );
        assert_eq!(text.matches("visibility=\"hidden\"").count(), 1);
    }
}
