//! Positions of games as shapes: SVG, PNG and GIF.
//!
//! A game describes a position as a [`Picture`]: shapes with classes instead of colours, in units
//! of one cell. [`svg`] writes pictures as files and as fragments of pages, [`sequence`] whole games.
//! How each class [looks](look) stands in one table, and its colours in [`style`], for both themes.
//! [`sheet`] is the style sheet of a file. With the feature `raster`, [`raster`] makes PNG and GIF.

mod class;
pub mod frame;
pub mod look;
mod picture;
#[cfg(feature = "raster")]
pub mod raster;
pub mod sequence;
mod shape;
pub mod sheet;
mod stones;
pub mod style;
pub mod svg;

pub use class::{Class, Layer};
pub use frame::Frame;
pub use look::{Ink, Look};
pub use picture::{BUTTON, Picture, Target, text};
pub use sequence::PictureSequence;
pub use shape::{Form, Point, Shape, Step};
pub use style::{Palette, Theme};
