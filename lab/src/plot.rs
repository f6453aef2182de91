//! What plots have in common: their size, their colours, whole numbers on an axis; curves from 0 to 1.

use anyhow::{Result, anyhow};
use plotters::prelude::*;

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

/// Curves between 0 and 1 over a common axis.
pub struct Curves<'c> {
    /// Stands above them.
    pub title: String,
    /// What both axes are.
    pub axes: [&'c str; 2],
    /// How a height is written.
    pub label: fn(&f64) -> String,
    /// The largest place on the first axis.
    pub last: f64,
    /// Each with its name: places and heights.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
}

impl Curves<'_> {
    /// The curves as SVG.
    ///
    /// # Errors
    /// The plot cannot be drawn.
    pub fn svg(self) -> Result<String> {
        let mut text = String::new();
        self.draw(&mut text).map_err(|error| anyhow!("{error}"))?;
        Ok(adapted(text))
    }

    fn draw(self, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let [x, y] = self.axes;
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 22))
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..self.last.max(1.0), 0.0..1.0)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12))
            .x_desc(x)
            .y_desc(y)
            .x_label_formatter(&|place| format!("{place:.0}"))
            .y_label_formatter(&self.label)
            .label_style(("sans-serif", 15))
            .draw()?;
        for (index, (label, points)) in self.curves.into_iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            chart
                .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
                .label(label)
                .legend(move |(x, y)| {
                    Rectangle::new([(x, y - 2), (x + 18, y + 1)], colour.filled())
                });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.7))
            .label_font(("sans-serif", 13))
            .draw()?;
        area.present()?;
        Ok(())
    }
}
