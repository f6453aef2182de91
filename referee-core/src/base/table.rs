//! Text tables.

use comfy_table::{CellAlignment, LineStyle, TableStyle};

/// Renders a text table. The second column, which holds names, is left-aligned, all others are
/// right-aligned.
pub fn render(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
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
