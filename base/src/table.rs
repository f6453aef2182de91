//! Text tables.

use comfy_table::{CellAlignment, LineStyle, TableStyle};

use super::plain::in_one_line;

/// Renders a text table. The second column, which holds names, is left-aligned, all others are
/// right-aligned. Line ends and other control characters, which a foreign log may have in names, are
/// written as in source code: `\n`.
pub fn render(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let plain = |row: Vec<String>| {
        row.iter()
            .map(|cell| in_one_line(cell).into_owned())
            .collect()
    };
    let rows: Vec<Vec<String>> = rows.into_iter().map(plain).collect();
    let mut table = comfy_table::Table::new();
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    table.load_style(style).set_header(header).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        if index != 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
        column.set_padding((if index == 0 { 2 } else { 0 }, 2));
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_end_in_a_name_breaks_no_table() {
        let row = |name: &str| vec!["1".to_owned(), name.to_owned(), "2".to_owned()];
        let header = row("engine");
        let table = render(
            header,
            vec![row("a\nb"), row("\u{1b}[31mred"), row("先手\té")],
        );
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 5, "{table}");
        let names = ["a\\nb ", "\\u{1b}[31mred ", "先手\\té "];
        for (line, name) in lines[2..].iter().zip(names) {
            assert!(line.contains(name), "{table}");
        }
        assert!(!table.replace('\n', "").contains(char::is_control));
    }
}
