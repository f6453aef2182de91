//! The style sheet of a file with pictures.

use crate::class::Class;
use crate::picture::Picture;
use crate::style::{Palette, TEXT, Theme, flat_rules};

/// The classes of a picture in the order of the table.
fn used(picture: &Picture) -> impl Iterator<Item = Class> {
    let shapes = picture.ground.iter().chain(&picture.shapes);
    let used: Vec<Class> = shapes.map(|shape| shape.class).collect();
    Class::ALL
        .iter()
        .copied()
        .filter(move |class| used.contains(class))
}

/// The style sheet of a stand-alone file that shows these pictures. Colours are literal, as few
/// programs but browsers know custom properties.
pub fn of_file<'a>(pictures: impl IntoIterator<Item = &'a Picture>, theme: Theme) -> String {
    let (mut classes, mut palette) = (Vec::new(), Palette::Inks);
    for picture in pictures {
        palette = picture.palette;
        let new: Vec<Class> = used(picture)
            .filter(|class| !classes.contains(class))
            .collect();
        classes.extend(new);
    }
    let flat = |theme| flat_rules(palette, theme, &classes);
    let colours = match theme {
        Theme::Light | Theme::Dark => flat(theme),
        Theme::Auto => {
            let dark = flat(Theme::Dark);
            format!(
                "{}@media (prefers-color-scheme:dark){{{dark}}}",
                flat(Theme::Light)
            )
        }
    };
    format!("text{{{TEXT}}}{colours}")
}
