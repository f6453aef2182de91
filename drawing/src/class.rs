//! What a shape stands for, and how each class looks: the one table of both.

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
    ($($(#[$doc:meta])* $class:ident, $name:literal, $layer:ident, $style:literal;)*) => {
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

            /// Its CSS declarations, with `$name` for a colour of the palette. Lengths are in
            /// hundredths of a cell.
            pub(crate) const fn style(self) -> &'static str {
                match self {
                    $(Class::$class => $style,)*
                }
            }
        }
    };
}

classes! {
    /// The area of the whole picture.
    Board, "board", Ground, "fill:$board";
    /// A light square, or the squares of a board that has one kind.
    LightSquare, "light", Ground, "fill:$light";
    /// A dark square.
    DarkSquare, "dark", Ground, "fill:$dark";
    /// A dot between edges.
    Dot, "dot", Ground, "fill:$ink";
    /// The lines of the board.
    Grid, "grid", Ground, "fill:none;stroke:$grid;stroke-width:4;stroke-linecap:round";
    /// The outline of the board.
    Rim, "rim", Ground, "fill:none;stroke:$grid;stroke-width:5;stroke-linejoin:round";
    /// A star point.
    Star, "star", Ground, "fill:$grid";
    /// The cells of the board, with their outlines.
    Cells, "cells", Ground, "fill:$light;stroke:$grid;stroke-width:3;stroke-linejoin:round";
    /// An edge that the first colour joins, or its goal.
    FirstEdge, "first-edge", Ground, "fill:$first";
    /// An edge that the second colour joins, or its goal.
    SecondEdge, "second-edge", Ground, "fill:$second";
    /// The home of the first colour.
    FirstHome, "first-home", Ground, "fill:$first;fill-opacity:.16";
    /// The home of the second colour.
    SecondHome, "second-home", Ground, "fill:$second;fill-opacity:.16";
    /// The name of a column or a row.
    Coordinate, "coordinate", Ground, "fill:$coordinate";

    /// A box that the first colour owns.
    FirstBox, "first-box", Under, "fill:$first;fill-opacity:.3";
    /// A box that the second colour owns.
    SecondBox, "second-box", Under, "fill:$second;fill-opacity:.3";
    /// A square that the last turn touched.
    Trail, "trail", Under, "fill:$trail;fill-opacity:.42";
    /// The way that the last turn took.
    Way, "way", Under, "fill:none;stroke:$trail;stroke-width:13;stroke-linecap:round;stroke-linejoin:round;stroke-opacity:.85";
    /// The place that a piece left.
    Left, "left", Under, "fill:none;stroke:$trail;stroke-width:7";

    /// A piece of the first colour.
    First, "first", Pieces, "fill:$first;stroke:$first-rim;stroke-width:4;stroke-linejoin:round";
    /// A piece of the second colour.
    Second, "second", Pieces, "fill:$second;stroke:$second-rim;stroke-width:4;stroke-linejoin:round";
    /// A mark of the first colour that is a line.
    FirstStroke, "first-stroke", Pieces, "fill:none;stroke:$first;stroke-width:15;stroke-linecap:round";
    /// A mark of the second colour that is a line.
    SecondStroke, "second-stroke", Pieces, "fill:none;stroke:$second;stroke-width:15;stroke-linecap:round";
    /// A square that is blocked.
    Blocked, "blocked", Pieces, "fill:$blocked";
    /// An edge that is drawn.
    Drawn, "drawn", Pieces, "fill:none;stroke:$ink;stroke-width:11;stroke-linecap:round";
    /// A die that the first colour rolls.
    FirstDie, "first-die", Pieces, "fill:$first";
    /// A die that the second colour rolls.
    SecondDie, "second-die", Pieces, "fill:$second";

    /// A line on a piece of the second colour that tells it from the first without its colour.
    SecondInlay, "second-inlay", Marks, "fill:none;stroke:$on-second;stroke-width:5;stroke-linecap:round;stroke-linejoin:round";
    /// A mark on a blocked square.
    BlockedInlay, "blocked-inlay", Marks, "fill:none;stroke:$on-blocked;stroke-width:9;stroke-linecap:round";
    /// A disc for a number on a line.
    Disc, "disc", Marks, "fill:$board";
    /// A pip of the first colour's die.
    FirstPip, "first-pip", Marks, "fill:$on-first";
    /// A pip of the second colour's die.
    SecondPip, "second-pip", Marks, "fill:$on-second";
    /// The last stone.
    Last, "last", Marks, "fill:$last";
    /// A ring around the last stone, where there is no room on it.
    LastRing, "last-ring", Marks, "fill:none;stroke:$ring;stroke-width:8";
    /// An edge that the first colour drew in the last turn.
    FirstLast, "first-last", Marks, "fill:none;stroke:$first;stroke-width:15;stroke-linecap:round";
    /// An edge that the second colour drew in the last turn.
    SecondLast, "second-last", Marks, "fill:none;stroke:$second;stroke-width:15;stroke-linecap:round";
    /// A piece that may move now.
    Movable, "movable", Marks, "fill:none;stroke:$ink;stroke-width:7";
    /// A stone that is offered.
    Offer, "offer", Marks, "fill:$first;fill-opacity:.35;stroke:$first;stroke-width:5;stroke-dasharray:12 9";
    /// A point where a stone is forbidden.
    Forbidden, "forbidden", Marks, "fill:none;stroke:$forbidden;stroke-width:9;stroke-linecap:round";
    /// The line through the row that won.
    Won, "won", Marks, "fill:none;stroke:$ring;stroke-width:9;stroke-linecap:round";
    /// A stone of the first colour in a line of play.
    FirstGhost, "first-ghost", Marks, "fill:$first;fill-opacity:.62;stroke:$first;stroke-width:4";
    /// A stone of the second colour in a line of play.
    SecondGhost, "second-ghost", Marks, "fill:$second;fill-opacity:.72;stroke:$second-rim;stroke-width:4";
    /// An arrow or an edge of the first colour in a line of play.
    FirstArrow, "first-arrow", Marks, "fill:$first;fill-opacity:.85;stroke:$board;stroke-width:3;stroke-linejoin:round";
    /// An arrow or an edge of the second colour in a line of play.
    SecondArrow, "second-arrow", Marks, "fill:$second;fill-opacity:.85;stroke:$second-rim;stroke-width:3;stroke-linejoin:round";
    /// A candidate: a ring or an outline.
    Hint, "hint", Marks, "fill:$hint;fill-opacity:.25;stroke:$hint;stroke-width:8;stroke-linejoin:round";
    /// A candidate: a line.
    HintLine, "hint-line", Marks, "fill:none;stroke:$hint;stroke-width:10;stroke-linecap:round;stroke-dasharray:1 19";

    /// A number on a piece of the first colour.
    FirstNumber, "first-number", Labels, "fill:$on-first";
    /// A number on a piece of the second colour.
    SecondNumber, "second-number", Labels, "fill:$on-second";
    /// A number on a stone of the first colour in a line of play, which is paler than a piece.
    FirstGhostNumber, "first-ghost-number", Labels, "fill:$on-first-ghost";
    /// A number on a disc.
    DiscNumber, "disc-number", Labels, "fill:$ink";
    /// A text on the board.
    Note, "note", Labels, "fill:$ink";
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
