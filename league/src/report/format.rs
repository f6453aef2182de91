//! Output formats of tables.

use std::fmt::Write;

use base::table::render_within;

use super::Section;

/// Output format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns, for a terminal.
    #[default]
    Text,
    /// One JSON object with all figures.
    Json,
    /// CSV: the first column is the title of the table.
    Csv,
    /// Markdown tables.
    Markdown,
    /// An HTML page.
    Html,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 5] = [
        Format::Text,
        Format::Json,
        Format::Csv,
        Format::Markdown,
        Format::Html,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Markdown => "markdown",
            Format::Html => "html",
        }
    }

    /// What it is, for a list of them.
    pub const fn about(self) -> &'static str {
        match self {
            Format::Text => "Aligned columns, for a terminal",
            Format::Json => "One JSON object with all figures",
            Format::Csv => "CSV: the first column is the title of the table",
            Format::Markdown => "Markdown tables",
            Format::Html => "An HTML page",
        }
    }
}

/// Explanation of the columns.
const LEGEND: &str = "Points: 2 for a win, 1 for a draw. W-D-L: wins, draws, losses. Elo: maximum \
                      likelihood over all games (Bradley-Terry with draws and a first-side \
                      advantage). ±: half of the 95 % error bar; games with sides exchanged count \
                      as pairs. > and <: no finite estimate exists; one-sided 95 % bound, where \
                      the profile likelihood is 5 % of its maximum. LOS: likelihood of superiority.";

/// Writes rating tables with an explanation of the columns.
pub(super) fn write(sections: &[Section], format: Format) -> String {
    write_with(sections, format, LEGEND)
}

/// Writes tables without an explanation.
pub(super) fn write_plain(sections: &[Section], format: Format) -> String {
    write_with(sections, format, "")
}

fn write_with(sections: &[Section], format: Format, legend: &str) -> String {
    match format {
        Format::Text => (text(sections) + &wrapped(legend)).trim_end().to_owned() + "\n",
        Format::Markdown => (markdown(sections) + legend).trim_end().to_owned() + "\n",
        Format::Html => html(sections, legend),
        Format::Csv => csv(sections),
        Format::Json => unreachable!("it is not made of tables"),
    }
}

/// Columns of a terminal that a report as text takes.
const WIDTH: usize = 100;

fn wrapped(note: &str) -> String {
    textwrap::fill(note, WIDTH)
}

fn text(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        let _ = writeln!(text, "{}", section.title);
        for note in &section.notes {
            let _ = writeln!(text, "{}", wrapped(note));
        }
        let table = render_within(WIDTH, &section.header, &section.rows);
        let _ = writeln!(text, "{table}\n");
    }
    text
}

fn markdown(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        let _ = writeln!(text, "## {}\n", literal(&section.title));
        for note in &section.notes {
            let _ = writeln!(text, "{}\n", literal(note));
        }
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| literal(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        text += &line(&section.header);
        text += &line(&vec!["---".to_owned(); section.header.len()]);
        section.rows.iter().for_each(|row| text += &line(row));
        text.push('\n');
    }
    text
}

/// Text on one line that Markdown shows as it is: names come from logs, and may hold markup.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '#' => {
                literal.extend(['\\', c]);
            }
            c if c.is_control() => literal.push(' '),
            c => literal.push(c),
        }
    }
    literal
}

fn html(sections: &[Section], legend: &str) -> String {
    const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
        <title>Standings</title>\n<style>body { font-family: sans-serif; } \
        table { border-collapse: collapse; } th, td { padding: 0.2em 0.6em; text-align: right; \
        border-bottom: 1px solid #ccc; } td:nth-child(2), th:nth-child(2) { text-align: left; }\
        </style>\n";
    let mut text = HEAD.to_owned();
    for section in sections {
        let _ = writeln!(text, "<h2>{}</h2>", escaped(&section.title));
        for note in &section.notes {
            let _ = writeln!(text, "<p>{}</p>", escaped(note));
        }
        let line = |cells: &[String], tag: &str| {
            let cell = |cell: &String| format!("<{tag}>{}</{tag}>", escaped(cell));
            format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>())
        };
        let rows: String = section.rows.iter().map(|row| line(row, "td")).collect();
        let header = line(&section.header, "th");
        let _ = writeln!(text, "<table>\n{header}{rows}</table>");
    }
    if !legend.is_empty() {
        let _ = writeln!(text, "<p>{}</p>", escaped(legend));
    }
    text + "</html>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn csv(sections: &[Section]) -> String {
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(Vec::new());
    let mut header: &[String] = &[];
    for section in sections {
        if section.header != header {
            header = &section.header;
            put(&mut writer, "table", header);
        }
        section
            .rows
            .iter()
            .for_each(|row| put(&mut writer, &section.title, row));
    }
    let bytes = writer.into_inner().expect("memory takes every byte");
    String::from_utf8(bytes).expect("fields are text")
}

/// Whether a spreadsheet would compute a cell instead of showing it.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err()
}

fn put(writer: &mut csv::Writer<Vec<u8>>, first: &str, rest: &[String]) {
    let cells = std::iter::once(first).chain(rest.iter().map(String::as_str));
    let record = cells.map(|cell| {
        if is_formula(cell) {
            format!("'{cell}")
        } else {
            cell.to_owned()
        }
    });
    writer
        .write_record(record)
        .expect("memory takes every byte");
}
