//! Positions of games as shapes, and their one renderer: SVG.
//!
//! A game describes a position as a [`Picture`]: shapes with classes instead of colours, in units
//! of one cell. [`svg`] writes pictures as files and as fragments of pages, [`film`] whole games.
//! Colours come from one table, [`style`], for both themes; [`sheet`] is that of a file.

mod class;
pub mod film;
pub mod frame;
mod picture;
mod shape;
pub mod sheet;
mod stones;
pub mod style;
pub mod svg;

pub use class::{Class, Layer};
pub use film::Film;
pub use frame::Frame;
pub use picture::{BUTTON, Picture, Target, text};
pub use shape::{Form, Point, Shape, Step};
pub use style::{Palette, Theme};
