//! Tables of the layouts of EinStein würfelt nicht!.

use einstein::{LayoutRate, LayoutRow, Layouts, equal_layouts};
use engine_core::Side;
use serde_json::json;

use super::{Format, Section, cells, format};

/// Explanation of the columns.
const NOTE: &str = "Win rates in per cent against good layouts of the other side; ± is half of the \
                    95 % interval. Numbers on the home squares row by row, as red writes them; blue \
                    writes them in reverse. A layout stands for four that are \
                    worth the same: itself, mirrored, and both with every number n as 7 - n.";

/// All layouts, best of First first, and what the numbers on each square are worth.
pub fn layouts(layouts: &Layouts, format: Format) -> String {
    if format == Format::Json {
        return facts(layouts);
    }
    let mut sections = vec![rates(layouts)];
    if format != Format::Csv {
        sections.extend(Side::BOTH.map(|side| squares(layouts, side)));
    }
    format::write_plain(&sections, format)
}

/// The digits of a layout, as red writes them.
fn digits(numbers: [u8; 6]) -> String {
    numbers
        .map(|number| char::from(b'0' + number))
        .iter()
        .collect()
}

/// The layouts that a layout stands for, but for itself.
fn others(row: &LayoutRow) -> String {
    equal_layouts(row.numbers)[1..]
        .iter()
        .map(|&equal| digits(equal))
        .collect::<Vec<_>>()
        .join(" ")
}

fn rates(layouts: &Layouts) -> Section {
    let mut rows: Vec<_> = layouts.rows.iter().collect();
    rows.sort_by(|one, other| other.rates[0].rate.total_cmp(&one.rates[0].rate));
    let mut seconds: Vec<f64> = rows.iter().map(|row| row.rates[1].rate).collect();
    seconds.sort_by(|one, other| other.total_cmp(one));
    let line = |(place, row): (usize, &&LayoutRow)| {
        let [first, second] = row.rates;
        let place_of_second = seconds.iter().position(|&rate| rate == second.rate);
        let mut line = vec![(place + 1).to_string(), digits(row.numbers), others(row)];
        line.extend(figures(first));
        line.push((1 + place_of_second.unwrap_or(0)).to_string());
        line.extend(figures(second));
        line
    };
    Section {
        title: "EinStein würfelt nicht!: 720 layouts".to_owned(),
        notes: vec![NOTE.to_owned(), format!("Made by: {}", layouts.made_by)],
        header: cells([
            "", "layout", "and", "First %", "±", "games", "place", "Second %", "±", "games",
        ]),
        rows: rows.iter().enumerate().map(line).collect(),
    }
}

fn figures(rate: LayoutRate) -> [String; 3] {
    [
        format!("{:.2}", rate.rate),
        format!("{:.2}", rate.error),
        rate.games.to_string(),
    ]
}

/// Squares that are mirror images of each other count as one: names for red, and places in a layout.
const SQUARES: [(&str, &[usize]); 4] = [
    ("corner (a5, e1)", &[0]),
    ("beside it (b5 a4, d1 e2)", &[1, 3]),
    ("ends (c5 a3, c1 e3)", &[2, 5]),
    ("before it (b4, d2)", &[4]),
];

/// The mean rate of the layouts with each number on each square.
fn squares(layouts: &Layouts, side: Side) -> Section {
    let mean = |places: &[usize], number: u8| {
        let with = layouts.rows.iter().flat_map(|row| {
            let at = places.iter().map(|&place| row.numbers[place]);
            at.filter(move |found| [number, 7 - number].contains(found))
                .map(|_| row.rates[side.index()].rate)
        });
        let rates: Vec<f64> = with.collect();
        rates.iter().sum::<f64>() / rates.len() as f64
    };
    let line = |(index, (square, places)): (usize, &(&str, &[usize]))| {
        let mut line = vec![(index + 1).to_string(), (*square).to_owned()];
        line.extend((1..=3).map(|number| format!("{:.1}", mean(places, number))));
        line
    };
    Section {
        title: format!("Mean win rate of {side:?}, per cent, by number and square"),
        notes: Vec::new(),
        header: cells(["", "square", "1 or 6", "2 or 5", "3 or 4"]),
        rows: SQUARES.iter().enumerate().map(line).collect(),
    }
}

fn facts(layouts: &Layouts) -> String {
    let rate =
        |rate: LayoutRate| json!({ "rate": rate.rate, "error": rate.error, "games": rate.games });
    let row = |row: &LayoutRow| {
        let [first, second] = row.rates.map(rate);
        json!({
            "layout": digits(row.numbers),
            "equal": equal_layouts(row.numbers)[1..].iter().map(|&equal| digits(equal)).collect::<Vec<_>>(),
            "first": first,
            "second": second,
        })
    };
    let facts = json!({
        "made_by": layouts.made_by,
        "layouts": layouts.rows.iter().map(row).collect::<Vec<_>>(),
    });
    format!("{facts:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_is_in_every_format() {
        let shipped = Layouts::shipped();
        for format in [
            Format::Text,
            Format::Markdown,
            Format::Csv,
            Format::Json,
            Format::Html,
        ] {
            let text = layouts(shipped, format);
            for layout in einstein::layout_classes().as_flattened() {
                let digits = digits(layout.numbers().unwrap());
                assert!(text.contains(&digits), "{format:?} {digits}");
            }
        }
    }

    #[test]
    fn the_best_layout_of_first_comes_first() {
        let mut all = Layouts::shipped().clone();
        all.rows[100].rates[0].rate = 99.5;
        let best = digits(all.rows[100].numbers);
        let text = layouts(&all, Format::Csv);
        let line = text.lines().nth(1).unwrap();
        assert!(
            line.contains(&format!(",1,{best},")) && line.contains(",99.50,"),
            "{line}"
        );
    }
}
