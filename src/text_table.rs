//! Tables as text: aligned for terminals, as Markdown, as CSV.

use std::borrow::Cow;

use serde_json::Value;

/// Headings, then rows; a short row ends in empty cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTable {
    /// The headings of the columns.
    pub headings: Vec<String>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with these headings and no rows.
    pub fn new(headings: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { headings: headings.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// A table of `rows`, the first of which holds the headings.
    #[cfg(feature = "cli")]
    pub fn of(rows: &[Vec<String>]) -> Self {
        let (headings, rows) = rows.split_first().unwrap_or((const { &Vec::new() }, &[]));
        Self { headings: headings.clone(), rows: rows.to_vec() }
    }

    /// A table of `rows`, which are plain data. Each column is a heading and the path of its values, as in
    /// `gpu_us/frame`; a missing value is an empty cell.
    pub fn of_values<'a>(
        columns: impl IntoIterator<Item = (&'a str, &'a str)>,
        rows: impl IntoIterator<Item = Value>,
    ) -> Self {
        let (headings, places): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let mut table = Self::new(headings);
        for row in rows {
            let cell =
                |place: &&str| row.pointer(&format!("/{place}")).map_or_else(String::new, text);
            table.rows.push(places.iter().map(cell).collect());
        }
        table
    }

    fn lines(&self) -> impl Iterator<Item = impl Iterator<Item = &str>> {
        let columns = self.headings.len();
        std::iter::once(&self.headings)
            .chain(&self.rows)
            .map(move |row| (0..columns).map(|column| row.get(column).map_or("", String::as_str)))
    }

    /// The table for terminals, with columns lined up, two spaces between them.
    pub fn aligned(&self) -> String {
        let mut widths = vec![0; self.headings.len()];
        for line in self.lines() {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = cell.chars().count().max(*width);
            }
        }
        let mut text = String::new();
        for line in self.lines() {
            let cells: Vec<String> =
                line.zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// Returns the table in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (index, line) in self.lines().enumerate() {
            let cells: Vec<String> = line.map(|cell| cell.replace('|', "\\|")).collect();
            text += &format!("| {} |\n", cells.join(" | "));
            if index == 0 {
                text += &format!("|{}\n", "---|".repeat(self.headings.len()));
            }
        }
        text
    }

    /// The table as comma-separated values (RFC 4180).
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for line in self.lines() {
            let cells: Vec<_> = line.map(csv_cell).collect();
            text += &(cells.join(",") + "\n");
        }
        text
    }
}

/// Formats a value for a cell: the sides of an image are joined, as in `1080x1920`.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(sides) => sides.iter().map(text).collect::<Vec<_>>().join("x"),
        other => other.to_string(),
    }
}

/// The fields of `row`, after those of `whole`, which it is part of.
#[cfg(any(feature = "app", feature = "cli"))]
pub fn merged(whole: &impl serde::Serialize, row: &impl serde::Serialize) -> Value {
    let value = |value: serde_json::Result<Value>| value.expect("plain data serialises");
    let mut fields = value(serde_json::to_value(whole));
    if let Value::Object(row) = value(serde_json::to_value(row)) {
        row.into_iter().for_each(|(key, value)| fields[key] = value);
    }
    fields
}

/// Quotes a cell if necessary (RFC 4180).
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_table_in_three_forms() {
        let mut table = TextTable::new(["name", "Hs", "note"]);
        table.rows.push(["breeze", "1.2", "a, \"b\" | c"].map(String::from).to_vec());
        table.rows.push(vec!["calm".to_owned()]);
        assert_eq!(table.aligned(), "name    Hs   note\nbreeze  1.2  a, \"b\" | c\ncalm\n");
        assert_eq!(
            table.markdown(),
            "| name | Hs | note |\n|---|---|---|\n| breeze | 1.2 | a, \"b\" \\| c |\n| calm |  |  |\n"
        );
        assert_eq!(table.csv(), "name,Hs,note\nbreeze,1.2,\"a, \"\"b\"\" | c\"\ncalm,,\n");
    }
}
