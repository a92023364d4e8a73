//! The page of figures as HTML: [`page::markdown`](super::markdown) in other marks, so that both say the same.

use super::{Drawn, Figure, Measurements, page};

/// All figures as one file that needs no other, with its pictures and its style.
pub fn html(measurements: &Measurements, drawn: &[(&'static Figure, Option<Drawn>)]) -> String {
    let find = |name: &str| drawn.iter().find(|(figure, _)| figure.name == name)?.1.as_ref();
    let body = of_markdown(&page::markdown(measurements, drawn), &find);
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
    <meta charset=\"utf-8\">
    <title>The papers' figures, measured on {}</title>
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
    <link rel=\"icon\" href=\"data:,\">
    <style>
{}</style>
</head>
<body>
    <main class=\"laboratory\">
{body}    </main>
</body>
</html>
",
        escaped(&measurements.taken.adapter),
        include_str!("../../web/seaway.css"),
    )
}

/// The section of one figure.
#[cfg(any(test, all(feature = "web", target_family = "wasm")))]
pub fn section(measurements: &Measurements, figure: &Figure, drawn: Option<&Drawn>) -> String {
    of_markdown(&page::section(measurements, figure, drawn), &|_| drawn)
}

/// Translates the Markdown of [`page`], which has headings, paragraphs, lists, quotations, tables, listings,
/// pictures and anchors, each block between empty lines. `find` gives the picture of a figure.
fn of_markdown<'a>(text: &str, find: &dyn Fn(&str) -> Option<&'a Drawn>) -> String {
    let mut html = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let mut block = vec![line];
        if let Some(language) = line.strip_prefix("```") {
            debug_assert!(!language.is_empty());
            let listing: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            html += &format!("<pre tabindex=\"0\">{}</pre>\n", escaped(&listing.join("\n")));
            continue;
        }
        while let Some(next) = lines.next_if(|next| !next.is_empty() && !line.is_empty()) {
            block.push(next);
        }
        html += &match line {
            "" => continue,
            line if line.starts_with("<a id=") => format!("{line}\n"),
            line if line.starts_with("![") => picture(line, find),
            line if line.starts_with('|') => table(&block),
            line if line.starts_with("- ") => {
                let item = |line: &&str| format!("<li>{}</li>\n", inline(&line[2..], find));
                format!("<ul>\n{}</ul>\n", block.iter().map(item).collect::<String>())
            }
            line => {
                let (tag, words) = match line.split_once(' ') {
                    Some(("#", words)) => ("h1", words.to_owned()),
                    Some(("##", words)) => ("h2", words.to_owned()),
                    Some(("###", words)) => ("h3", words.to_owned()),
                    Some((">", words)) => ("blockquote", words.to_owned()),
                    _ => ("p", block.join(" ")),
                };
                format!("<{tag}>{}</{tag}>\n", inline(&words, find))
            }
        };
    }
    html
}

/// The picture of a line such as `![title](13.svg)`.
fn picture<'a>(line: &str, find: &dyn Fn(&str) -> Option<&'a Drawn>) -> String {
    let name = line.rsplit_once("](").and_then(|(_, file)| file.strip_suffix(".svg)"));
    let drawn = name.and_then(find);
    drawn.map_or(String::new(), |drawn| {
        format!("<div class=\"picture\" tabindex=\"0\">{}</div>\n", drawn.chart.svg())
    })
}

fn table(lines: &[&str]) -> String {
    let row = |line: &str, tag: &str| {
        let cells = line.trim_matches('|').split(" | ").map(str::trim);
        let cells = cells.map(|cell| {
            let class = if cell.parse::<f64>().is_ok() { " class=\"number\"" } else { "" };
            format!("<{tag}{class}>{}</{tag}>", inline(cell, &|_| None))
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let head = lines.first().map_or(String::new(), |line| row(line, "th"));
    let body: String = lines.iter().skip(2).map(|line| row(line, "td")).collect();
    format!("<table>\n<thead>{head}</thead>\n<tbody>{body}</tbody>\n</table>\n")
}

/// Text with `**strong**`, `*emphasis*`, listings and links; one to a table of numbers holds the table.
fn inline<'a>(text: &str, find: &dyn Fn(&str) -> Option<&'a Drawn>) -> String {
    let Some(start) = text.find(['`', '*', '[']) else { return escaped(text) };
    let (before, rest) = text.split_at(start);
    let marked = |mark: &str, tag: &str, is_code: bool| {
        let (words, after) = rest.strip_prefix(mark)?.split_once(mark)?;
        let words = if is_code { escaped(words) } else { inline(words, find) };
        Some((format!("<{tag}>{words}</{tag}>"), after))
    };
    let link = || {
        let (words, after) = rest.strip_prefix('[')?.split_once(']')?;
        let (target, after) = after.strip_prefix('(')?.split_once(')')?;
        let mut attributes = format!("href=\"{}\"", escaped(target));
        if let Some(drawn) = target.strip_suffix(".csv").and_then(find) {
            let data = encoded(&drawn.chart.csv());
            attributes = format!("download=\"{target}\" href=\"data:text/csv,{data}\"");
        }
        Some((format!("<a {attributes}>{}</a>", inline(words, find)), after))
    };
    let found = marked("`", "code", true)
        .or_else(|| marked("**", "strong", false))
        .or_else(|| marked("*", "em", false))
        .or_else(link);
    match found {
        Some((html, after)) => escaped(before) + &html + &inline(after, find),
        // A mark without its other half is a character like others.
        None => escaped(before) + &rest[..1] + &inline(&rest[1..], find),
    }
}

/// Text as the data of an address.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b",.-_".contains(&byte);
    let encode = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{drawn, stored};
    use super::*;

    #[test]
    fn markdown_becomes_html_of_the_same_words() {
        let html = |text: &str| of_markdown(text, &|_| None);
        assert_eq!(html("# A <b>\n\nOne\ntwo.\n"), "<h1>A &lt;b&gt;</h1>\n<p>One two.</p>\n");
        assert_eq!(html("> it [..] said\n"), "<blockquote>it [..] said</blockquote>\n");
        assert_eq!(
            html("**A:** `a < b` *c* [d](#e)\n"),
            "<p><strong>A:</strong> <code>a &lt; b</code> <em>c</em> <a href=\"#e\">d</a></p>\n"
        );
        assert_eq!(html("- a\n- b\n"), "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
        assert_eq!(
            html("| a | 64 |\n|---|---|\n| c |  |\n"),
            "<table>\n<thead><tr><th>a</th><th class=\"number\">64</th></tr>\n</thead>\n\
             <tbody><tr><td>c</td><td></td></tr>\n</tbody>\n</table>\n"
        );
        assert_eq!(html("```sh\na & b\n\nc\n```\n"), "<pre tabindex=\"0\">a &amp; b\n\nc</pre>\n");
        assert_eq!(html("2 * 3 `\n"), "<p>2 * 3 `</p>\n");
    }

    /// Every claim and every picture of the stored page is in one file.
    #[test]
    fn one_file_holds_every_figure() {
        let measurements = stored();
        let drawn = drawn(&measurements);
        let html = html(&measurements, &drawn);
        let pictures = drawn.iter().filter(|(_, drawn)| drawn.is_some()).count();
        assert!(pictures > 10);
        assert_eq!(html.matches("<svg ").count(), pictures);
        assert_eq!(html.matches("href=\"data:text/csv,").count(), pictures);
        let claims: usize = drawn.iter().map(|(figure, _)| figure.claims.len()).sum();
        assert_eq!(html.matches("<blockquote>").count(), claims);
        for mark in ["**", "](", "```", "src=", "\n| "] {
            assert!(!html.contains(mark), "{mark}");
        }
        for (figure, _) in &drawn {
            let target = format!("<a id=\"figure-{}\">", figure.name);
            let link = format!("href=\"#figure-{}\"", figure.name);
            assert!(html.contains(&target) && html.contains(&link), "{}", figure.name);
        }
    }
}
