//! Text tables.

use comfy_table::{CellAlignment, LineStyle, TableStyle};

use unicode_width::UnicodeWidthStr;

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
        column.set_padding((if index == 0 { 2 } else { 0 }, 1));
    }
    table.trim_fmt()
}

/// The same in several tables one below the other, each with the first two columns, if it would be wider
/// than `width` columns of a terminal; a column alone may still be wider.
pub fn render_within(width: usize, header: &[String], rows: &[Vec<String>]) -> String {
    let part = |columns: &[usize]| {
        let pick = |row: &Vec<String>| {
            let cells = [0, 1].iter().chain(columns);
            cells
                .filter_map(|&column| row.get(column).cloned())
                .collect()
        };
        render(pick(&header.to_vec()), rows.iter().map(pick).collect())
    };
    let fits = |table: &str| table.lines().all(|line| line.width() <= width);
    let mut parts: Vec<String> = Vec::new();
    let mut columns: Vec<usize> = Vec::new();
    for column in 2..header.len() {
        columns.push(column);
        if columns.len() > 1 && !fits(&part(&columns)) {
            columns.pop();
            parts.push(part(&columns));
            columns = vec![column];
        }
    }
    parts.push(part(&columns));
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_is_several() {
        let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        let header: Vec<String> = cells(&["", "engine", "points", "games", "score"]);
        let rows: Vec<Vec<String>> = vec![
            cells(&["1", "一二三", "20", "10", "100.0 %"]),
            cells(&["2", "b", "0", "10", "0.0 %"]),
        ];
        let all = render(header.clone(), rows.clone());
        let width = all
            .lines()
            .map(UnicodeWidthStr::width)
            .max()
            .expect("lines");
        assert_eq!(render_within(width, &header, &rows), all);
        let expected = "
     engine  points  games
───────────────────────────
  1  一二三      20     10
  2  b            0     10

     engine    score
─────────────────────
  1  一二三  100.0 %
  2  b         0.0 %";
        assert_eq!(
            format!("\n{}", render_within(width - 1, &header, &rows)),
            expected
        );
        // No column is left out, however narrow it is.
        let narrow = render_within(1, &header, &rows);
        assert_eq!(narrow.matches("engine").count(), 3, "{narrow}");
        assert_eq!(
            render_within(80, &header[..2], &rows),
            render(
                header[..2].to_vec(),
                vec![cells(&["1", "一二三"]), cells(&["2", "b"]),]
            )
        );
    }

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
