//! Tables of the layouts.

use einstein::{LayoutRate, LayoutRow, Layouts, equal_layouts};
use engine_core::Side;

/// Explanation of the columns.
const NOTE: &str = "Win rates in per cent against good layouts of the other side; ± is half of the \
                    95 % interval. Numbers on the home squares row by row, as red writes them; blue \
                    writes them in reverse. A layout stands for four that are \
                    worth the same: itself, mirrored, and both with every number n as 7 - n.";

/// All layouts, best of First first, and what the numbers on each square are worth, in Markdown.
pub(crate) fn tables(layouts: &Layouts) -> String {
    let tables = [
        rates(layouts),
        squares(layouts, Side::First),
        squares(layouts, Side::Second),
    ];
    tables.join("\n")
}

/// A table in Markdown.
fn table(header: &str, rows: impl Iterator<Item = String>) -> String {
    let rule = header
        .split('|')
        .map(|_| "---")
        .collect::<Vec<_>>()
        .join("|");
    let rows: String = rows.map(|row| format!("| {row} |\n")).collect();
    format!("| {header} |\n|{rule}|\n{rows}")
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

fn rates(layouts: &Layouts) -> String {
    let mut rows: Vec<_> = layouts.rows.iter().collect();
    rows.sort_by(|one, other| other.rates[0].rate.total_cmp(&one.rates[0].rate));
    let mut seconds: Vec<f64> = rows.iter().map(|row| row.rates[1].rate).collect();
    seconds.sort_by(|one, other| other.total_cmp(one));
    let line = |(place, row): (usize, &&LayoutRow)| {
        let [first, second] = row.rates;
        let place_of_second = seconds.iter().position(|&rate| rate == second.rate);
        let digits = digits(row.numbers);
        let (others, place_of_second) = (others(row), 1 + place_of_second.unwrap_or(0));
        let (first, second) = (figures(first), figures(second));
        format!(
            "{} | {digits} | {others} | {first} | {place_of_second} | {second}",
            place + 1
        )
    };
    let header = "| layout | and | First % | ± | games | place | Second % | ± | games";
    let rows = rows.iter().enumerate().map(line);
    format!(
        "{NOTE}\nMade by: {}\n\n{}",
        layouts.made_by,
        table(header, rows)
    )
}

fn figures(LayoutRate { rate, error, games }: LayoutRate) -> String {
    format!("{rate:.2} | {error:.2} | {games}")
}

/// Squares that are mirror images of each other count as one: names for red, and places in a layout.
const SQUARES: [(&str, &[usize]); 4] = [
    ("corner (a5, e1)", &[0]),
    ("beside it (b5 a4, d1 e2)", &[1, 3]),
    ("ends (c5 a3, c1 e3)", &[2, 5]),
    ("before it (b4, d2)", &[4]),
];

/// The mean rate of the layouts with each number on each square.
fn squares(layouts: &Layouts, side: Side) -> String {
    let mean = |places: &[usize], number: u8| {
        let with = layouts.rows.iter().flat_map(|row| {
            let at = places.iter().map(|&place| row.numbers[place]);
            at.filter(move |found| [number, 7 - number].contains(found))
                .map(|_| row.rates[side.index()].rate)
        });
        let rates: Vec<f64> = with.collect();
        rates.iter().sum::<f64>() / rates.len() as f64
    };
    let line = |(square, places): &(&str, &[usize])| {
        let means = (1..=3).map(|number| format!(" | {:.1}", mean(places, number)));
        format!("{square}{}", means.collect::<String>())
    };
    let title = format!("Mean win rate of {side:?}, per cent, by number and square");
    let header = "square | 1 or 6 | 2 or 5 | 3 or 4";
    format!("{title}\n\n{}", table(header, SQUARES.iter().map(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_is_in_the_table() {
        let text = tables(Layouts::shipped());
        for layout in einstein::layout_classes().as_flattened() {
            let digits = digits(layout.numbers().expect("a layout"));
            assert!(text.contains(&digits), "{digits}");
        }
    }

    #[test]
    fn the_best_layout_of_first_comes_first() {
        let mut all = Layouts::shipped().clone();
        all.rows[100].rates[0].rate = 99.5;
        let best = digits(all.rows[100].numbers);
        let text = tables(&all);
        let first = text.lines().find(|line| line.starts_with("| 1 |"));
        let first = first.expect("a first row");
        assert!(
            first.contains(&best) && first.contains("| 99.50 |"),
            "{first}"
        );
    }
}
