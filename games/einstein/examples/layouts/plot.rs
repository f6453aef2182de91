//! A plot of the win rates of all layouts, with the best and the worst drawn as boards.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use drawing::style::Theme;
use drawing::{Class, Picture, sheet, svg};
use einstein::{Action, Colour, Einstein, LayoutRate, LayoutRow, Layouts};
use engine_core::{Position, Side};
use game::{Drawn, View};
use plotters::prelude::*;

/// Swaps white and black if the reader prefers dark pages.
const DARK: &str = "<style>@media (prefers-color-scheme: dark) {\
    rect[fill=\"#FFFFFF\"] { fill: #16181c } text { fill: #d8d8d8 } \
    [stroke=\"#000000\"] { stroke: #d8d8d8 }}</style>\n";

/// Width and height, pixels.
const SIZE: (u32, u32) = (960, 720);
/// Height of the chart; the boards are below it.
const CHART: u32 = 440;
/// Side of a board, pixels.
const BOARD: u32 = 150;
/// How many boards there are: the best places, and the worst one.
const BOARDS: usize = 5;

/// Colours of the sides, visible on white and on black.
const COLOURS: [RGBColor; 2] = [RGBColor(0xd5, 0x5e, 0x00), RGBColor(0x1f, 0x83, 0xd6)];

/// The layouts of a side, best first.
type Order<'a> = Vec<(&'a LayoutRow, LayoutRate)>;

/// The plot as SVG.
///
/// # Errors
/// The plot cannot be drawn.
pub(crate) fn draw(layouts: &Layouts) -> Result<String> {
    let orders = Side::BOTH.map(|side| order(layouts, side));
    let mut text = String::new();
    chart(&orders, &mut text).map_err(|error| anyhow!("{error}"))?;
    let pictures: Vec<Picture> = places(&orders)
        .into_iter()
        .map(|place| board(&orders, place))
        .collect();
    // The rule of all texts must not reach those of the chart.
    let sheet = sheet::of_file(&pictures, Theme::Auto);
    let mut head = format!("{DARK}<style>.picture {sheet}</style>\n");
    head += "<title>Win rates of the layouts of EinStein würfelt nicht!</title>\n";
    text.insert_str(text.find('>').map_or(0, |end| end + 1), &head);
    let end = text.rfind("</svg>").unwrap_or(text.len());
    text.insert_str(end, &boards(&orders, &pictures));
    Ok(text)
}

fn order(layouts: &Layouts, side: Side) -> Order<'_> {
    let rate = |row: &LayoutRow| row.rates[side.index()];
    let mut order: Order = layouts.rows.iter().map(|row| (row, rate(row))).collect();
    order.sort_by(|(_, one), (_, other)| other.rate.total_cmp(&one.rate));
    order
}

fn chart(orders: &[Order; 2], text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let rates = || orders.iter().flatten().map(|(_, rate)| rate);
    let low = rates()
        .map(|rate| rate.rate - rate.error)
        .fold(50.0, f64::min);
    let high = rates()
        .map(|rate| rate.rate + rate.error)
        .fold(50.0, f64::max);
    let count = orders[0].len();
    let whole = SVGBackend::with_string(text, SIZE).into_drawing_area();
    whole.fill(&WHITE)?;
    let (area, _) = whole.split_vertically(CHART);
    let mut chart = ChartBuilder::on(&area)
        .caption(
            "Win rate of each layout against good replies",
            ("sans-serif", 22),
        )
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..count as f64 + 1.0, low - 0.5..high + 0.5)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("place of the layout among 180, those that are worth the same counted once")
        .y_desc("wins, %")
        .x_label_formatter(&|place| format!("{place:.0}"))
        .y_label_formatter(&|rate| format!("{rate:.0}"))
        .label_style(("sans-serif", 15))
        .draw()?;
    for (side, order) in Side::BOTH.into_iter().zip(orders) {
        let colour = COLOURS[side.index()];
        let edge = |sign: f64| {
            let point = move |(place, (_, rate)): (usize, &(&LayoutRow, LayoutRate))| {
                (place as f64 + 1.0, rate.rate + sign * rate.error)
            };
            order.iter().enumerate().map(point)
        };
        let band: Vec<(f64, f64)> = edge(1.0).chain(edge(-1.0).rev()).collect();
        chart.draw_series([Polygon::new(band, colour.mix(0.2))])?;
        chart
            .draw_series(LineSeries::new(edge(0.0), colour.stroke_width(2)))?
            .label(format!("{side:?}, with its 95 % interval"))
            .legend(move |(x, y)| Rectangle::new([(x, y - 2), (x + 18, y + 1)], colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 15))
        .draw()?;
    whole.present()?;
    Ok(())
}

/// The places that are drawn as boards.
fn places(orders: &[Order; 2]) -> Vec<usize> {
    let last = orders[0].len() - 1;
    (0..BOARDS - 1).chain([last]).collect()
}

/// First's and Second's layout of a place on one board.
fn board(orders: &[Order; 2], place: usize) -> Picture {
    let mut position = Einstein::new(Colour::Red);
    for order in orders {
        let layout = Action::layout(order[place].0.numbers);
        position.play(layout.expect("rows hold layouts"));
    }
    let mut picture = position.picture(&View::default());
    // Without the die and the room for it.
    (picture.shapes).retain(|shape| !Class::BOXES.contains(&shape.class));
    picture.size.0 = picture.size.1;
    picture
}

/// The boards below the chart, with their captions.
fn boards(orders: &[Order; 2], pictures: &[Picture]) -> String {
    let gap = (f64::from(SIZE.0) - (BOARDS as u32 * BOARD) as f64) / (BOARDS + 1) as f64;
    let mut text = String::new();
    for (index, (place, picture)) in places(orders).into_iter().zip(pictures).enumerate() {
        let left = gap + index as f64 * (f64::from(BOARD) + gap);
        let top = CHART + 56;
        let fragment = svg::fragment(picture);
        let placed =
            format!("<svg x=\"{left:.0}\" y=\"{top}\" width=\"{BOARD}\" height=\"{BOARD}\" ");
        text += &fragment.replacen("<svg ", &placed, 1);
        let middle = left + f64::from(BOARD) / 2.0;
        let title = match place {
            0 => "Best".to_owned(),
            place if place + 1 == orders[0].len() => "Worst".to_owned(),
            place => format!("Place {}", place + 1),
        };
        let mut line = |y: u32, size: u32, words: &str| {
            let _ = writeln!(
                text,
                "<text x=\"{middle:.0}\" y=\"{y}\" text-anchor=\"middle\" font-family=\"sans-serif\" \
                 font-size=\"{size}\" fill=\"#000000\">{words}</text>"
            );
        };
        line(top - 32, 15, &title);
        let words = |side: Side| {
            let rate = orders[side.index()][place].1;
            format!("{side:?} {:.1} ± {:.1} %", rate.rate, rate.error)
        };
        line(top - 12, 13, &words(Side::First));
        line(top + BOARD + 20, 13, &words(Side::Second));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plot_has_both_curves_and_all_boards() {
        let plot = draw(Layouts::shipped()).unwrap();
        assert_eq!(plot.matches("<svg ").count(), 1 + BOARDS);
        assert_eq!(plot.matches("</svg>").count(), 1 + BOARDS);
        for word in [
            "First, with its",
            "Second, with its",
            ">Best<",
            ">Worst<",
            ">Place 2<",
        ] {
            assert!(plot.contains(word), "{word}");
        }
    }
}
