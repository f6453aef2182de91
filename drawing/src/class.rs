//! What a shape stands for, and how each class looks: the one table of both.

use crate::look::{Ink, Look};

/// The layers of a picture, from the bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// The same during a whole game: board, grid, coordinates.
    Ground,
    /// Below the pieces: owned boxes, the squares of the last turn.
    Under,
    /// Pieces, stones, drawn edges.
    Pieces,
    /// Marks on pieces and on the board, stones and arrows of a line of play.
    Marks,
    /// Numbers on all of these.
    Labels,
}

impl Layer {
    /// The layers that change during a game, from the bottom.
    pub const CHANGING: [Layer; 4] = [Layer::Under, Layer::Pieces, Layer::Marks, Layer::Labels];

    /// Its class in SVG.
    pub const fn name(self) -> &'static str {
        match self {
            Layer::Ground => "ground",
            Layer::Under => "under",
            Layer::Pieces => "pieces",
            Layer::Marks => "marks",
            Layer::Labels => "labels",
        }
    }
}

macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident, $name:literal, $layer:ident, $look:expr;)*) => {
        /// What a shape stands for. Where a class exists once for each colour, `First` stands for the
        /// first of the game's two colours, whoever plays it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Class {
            $($(#[$doc])* $class,)*
        }

        impl Class {
            /// Every class.
            pub const ALL: &[Class] = &[$(Class::$class,)*];

            /// Its name in SVG and in style sheets.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Class::$class => $name,)*
                }
            }

            /// The layer that its shapes belong to.
            pub const fn layer(self) -> Layer {
                match self {
                    $(Class::$class => Layer::$layer,)*
                }
            }

            /// How it looks.
            pub const fn look(self) -> Look {
                match self {
                    $(Class::$class => $look,)*
                }
            }
        }
    };
}

classes! {
    /// The area of the whole picture.
    Board, "board", Ground, Look::filled(Ink::Board);
    /// A light square, or the squares of a board that has one kind.
    LightSquare, "light", Ground, Look::filled(Ink::Light);
    /// A dark square.
    DarkSquare, "dark", Ground, Look::filled(Ink::Dark);
    /// A dot between edges.
    Dot, "dot", Ground, Look::filled(Ink::Ink);
    /// The lines of the board.
    Grid, "grid", Ground, Look::line(Ink::Grid, 4).round_ends();
    /// The outline of the board.
    Rim, "rim", Ground, Look::line(Ink::Grid, 5).round_corners();
    /// A star point.
    Star, "star", Ground, Look::filled(Ink::Grid);
    /// The cells of the board, with their outlines.
    Cells, "cells", Ground, Look::filled(Ink::Light).outlined(Ink::Grid, 3).round_corners();
    /// An edge that the first colour joins, or its goal.
    FirstEdge, "first-edge", Ground, Look::filled(Ink::First);
    /// An edge that the second colour joins, or its goal.
    SecondEdge, "second-edge", Ground, Look::filled(Ink::Second);
    /// The home of the first colour.
    FirstHome, "first-home", Ground, Look::filled(Ink::First).see_through(16);
    /// The home of the second colour.
    SecondHome, "second-home", Ground, Look::filled(Ink::Second).see_through(16);
    /// The name of a column or a row.
    Coordinate, "coordinate", Ground, Look::filled(Ink::Coordinate);

    /// A box that the first colour owns.
    FirstBox, "first-box", Under, Look::filled(Ink::First).see_through(30);
    /// A box that the second colour owns.
    SecondBox, "second-box", Under, Look::filled(Ink::Second).see_through(30);
    /// A square that the last turn touched.
    Trail, "trail", Under, Look::filled(Ink::Trail).see_through(42);
    /// The way that the last turn took.
    Way, "way", Under, Look::line(Ink::Trail, 13).round_ends().round_corners().pale(85);
    /// The place that a piece left.
    Left, "left", Under, Look::line(Ink::Trail, 7);

    /// A piece of the first colour.
    First, "first", Pieces, Look::filled(Ink::First).outlined(Ink::FirstRim, 4).round_corners();
    /// A piece of the second colour.
    Second, "second", Pieces, Look::filled(Ink::Second).outlined(Ink::SecondRim, 4).round_corners();
    /// A mark of the first colour that is a line.
    FirstStroke, "first-stroke", Pieces, Look::line(Ink::First, 15).round_ends();
    /// A mark of the second colour that is a line.
    SecondStroke, "second-stroke", Pieces, Look::line(Ink::Second, 15).round_ends();
    /// A square that is blocked.
    Blocked, "blocked", Pieces, Look::filled(Ink::Blocked);
    /// An edge that is drawn.
    Drawn, "drawn", Pieces, Look::line(Ink::Ink, 11).round_ends();
    /// A die that the first colour rolls.
    FirstDie, "first-die", Pieces, Look::filled(Ink::First);
    /// A die that the second colour rolls.
    SecondDie, "second-die", Pieces, Look::filled(Ink::Second);

    /// A line on a piece of the second colour that tells it from the first without its colour.
    SecondInlay, "second-inlay", Marks, Look::line(Ink::OnSecond, 5).round_ends().round_corners();
    /// A mark on a blocked square.
    BlockedInlay, "blocked-inlay", Marks, Look::line(Ink::OnBlocked, 9).round_ends();
    /// A disc for a number on a line.
    Disc, "disc", Marks, Look::filled(Ink::Board);
    /// A pip of the first colour's die.
    FirstPip, "first-pip", Marks, Look::filled(Ink::OnFirst);
    /// A pip of the second colour's die.
    SecondPip, "second-pip", Marks, Look::filled(Ink::OnSecond);
    /// The last stone.
    Last, "last", Marks, Look::filled(Ink::Last);
    /// A ring around the last stone, where there is no room on it.
    LastRing, "last-ring", Marks, Look::line(Ink::Ring, 8);
    /// An edge that the first colour drew in the last turn.
    FirstLast, "first-last", Marks, Look::line(Ink::First, 15).round_ends();
    /// An edge that the second colour drew in the last turn.
    SecondLast, "second-last", Marks, Look::line(Ink::Second, 15).round_ends();
    /// A piece that may move now.
    Movable, "movable", Marks, Look::line(Ink::Ink, 7);
    /// A stone that is offered.
    Offer, "offer", Marks, Look::filled(Ink::First).see_through(35).outlined(Ink::First, 5).dashed(12, 9);
    /// A point where a stone is forbidden.
    Forbidden, "forbidden", Marks, Look::line(Ink::Forbidden, 9).round_ends();
    /// The line through the row that won.
    Won, "won", Marks, Look::line(Ink::Ring, 9).round_ends();
    /// A stone of the first colour in a line of play.
    FirstGhost, "first-ghost", Marks, Look::filled(Ink::First).see_through(62).outlined(Ink::First, 4);
    /// A stone of the second colour in a line of play.
    SecondGhost, "second-ghost", Marks, Look::filled(Ink::Second).see_through(72).outlined(Ink::SecondRim, 4);
    /// An arrow or an edge of the first colour in a line of play.
    FirstArrow, "first-arrow", Marks, Look::filled(Ink::First).see_through(85).outlined(Ink::Board, 3).round_corners();
    /// An arrow or an edge of the second colour in a line of play.
    SecondArrow, "second-arrow", Marks, Look::filled(Ink::Second).see_through(85).outlined(Ink::SecondRim, 3).round_corners();
    /// A candidate: a ring or an outline.
    Hint, "hint", Marks, Look::filled(Ink::Hint).see_through(25).outlined(Ink::Hint, 8).round_corners();
    /// A candidate: a line.
    HintLine, "hint-line", Marks, Look::line(Ink::Hint, 10).round_ends().dashed(1, 19);

    /// A number on a piece of the first colour.
    FirstNumber, "first-number", Labels, Look::filled(Ink::OnFirst);
    /// A number on a piece of the second colour.
    SecondNumber, "second-number", Labels, Look::filled(Ink::OnSecond);
    /// A number on a stone of the first colour in a line of play, which is paler than a piece.
    FirstGhostNumber, "first-ghost-number", Labels, Look::filled(Ink::OnFirstGhost);
    /// A number on a disc.
    DiscNumber, "disc-number", Labels, Look::filled(Ink::Ink);
    /// A text on the board.
    Note, "note", Labels, Look::filled(Ink::Ink);
}

impl Class {
    /// Pieces, by the index of their colour.
    pub const PIECES: [Class; 2] = [Class::First, Class::Second];
    /// Marks that are lines.
    pub const STROKES: [Class; 2] = [Class::FirstStroke, Class::SecondStroke];
    /// Edges of the board.
    pub const EDGES: [Class; 2] = [Class::FirstEdge, Class::SecondEdge];
    /// Homes.
    pub const HOMES: [Class; 2] = [Class::FirstHome, Class::SecondHome];
    /// Owned boxes.
    pub const BOXES: [Class; 2] = [Class::FirstBox, Class::SecondBox];
    /// Edges drawn in the last turn.
    pub const LAST_EDGES: [Class; 2] = [Class::FirstLast, Class::SecondLast];
    /// Stones in a line of play.
    pub const GHOSTS: [Class; 2] = [Class::FirstGhost, Class::SecondGhost];
    /// Arrows in a line of play.
    pub const ARROWS: [Class; 2] = [Class::FirstArrow, Class::SecondArrow];
    /// Numbers on pieces.
    pub const NUMBERS: [Class; 2] = [Class::FirstNumber, Class::SecondNumber];
    /// Numbers on stones in a line of play.
    pub const GHOST_NUMBERS: [Class; 2] = [Class::FirstGhostNumber, Class::SecondNumber];
    /// Dice.
    pub const DICE: [Class; 2] = [Class::FirstDie, Class::SecondDie];
    /// Pips of dice.
    pub const PIPS: [Class; 2] = [Class::FirstPip, Class::SecondPip];
}
