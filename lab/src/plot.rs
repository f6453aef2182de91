//! What plots have in common: their size, their colours, whole numbers on an axis.

use plotters::style::RGBColor;

/// Width and height, pixels.
pub(crate) const SIZE: (u32, u32) = (960, 600);

/// Colours that are visible on white and on black.
pub(crate) const COLOURS: [RGBColor; 14] = [
    RGBColor(0x1f, 0x83, 0xd6),
    RGBColor(0xe0, 0x6c, 0x10),
    RGBColor(0x2c, 0x9a, 0x3f),
    RGBColor(0xd8, 0x3a, 0x3a),
    RGBColor(0x9a, 0x6a, 0xd0),
    RGBColor(0x9c, 0x71, 0x50),
    RGBColor(0xd8, 0x5c, 0xb0),
    RGBColor(0x10, 0x98, 0xa8),
    RGBColor(0x8a, 0x8f, 0x1a),
    RGBColor(0x7a, 0x7f, 0x87),
    RGBColor(0x5b, 0x6e, 0xe8),
    RGBColor(0xb8, 0x86, 0x0b),
    RGBColor(0x3f, 0x9f, 0x80),
    RGBColor(0xb0, 0x5a, 0x6a),
];

/// Swaps white and black if the reader prefers dark pages.
pub(crate) const DARK: &str = "<style>@media (prefers-color-scheme: dark) {\
    rect[fill=\"#FFFFFF\"] { fill: #16181c } text { fill: #d8d8d8 } \
    [stroke=\"#000000\"] { stroke: #d8d8d8 }}</style>\n";

/// The plot with its style for dark pages.
pub(crate) fn adapted(text: String) -> String {
    with_head(text, DARK)
}

/// An SVG file with these elements before all others.
pub(crate) fn with_head(mut text: String, head: &str) -> String {
    let at = text.find('>').map_or(0, |end| end + 1);
    text.insert_str(at, head);
    text
}

/// Labels whole numbers only.
pub(crate) fn integer_label(depth: f64) -> String {
    if (depth - depth.round()).abs() < 1e-6 {
        format!("{depth:.0}")
    } else {
        String::new()
    }
}
