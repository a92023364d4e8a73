//! Joins two modules whose declarations have the same names.

use std::collections::{BTreeMap, BTreeSet};

/// A declaration of a module's text, with the comments in front of it.
struct Declaration<'a> {
    /// Nothing declares no name but a directive.
    name: Option<&'a str>,
    text: &'a str,
}

/// The text of `first`, and behind it what else `second` declares: a declaration that is the same in both,
/// with all that it names, stands once. The other names of `second`, and those in `apart`, get `prefix` in
/// front.
pub(crate) fn join(first: &str, second: &str, prefix: &str, apart: &[&str]) -> String {
    let known: BTreeMap<_, _> = declarations(first).map(|one| (one.name, code(one.text))).collect();
    let declared: Vec<_> = declarations(second).collect();
    let mut own: BTreeSet<&str> = declared
        .iter()
        .filter(|one| known.get(&one.name).is_none_or(|text| *text != code(one.text)))
        .filter_map(|one| one.name)
        .chain(apart.iter().copied())
        .collect();
    // A declaration that names one of these is one of them, too.
    loop {
        let named = declared.iter().filter_map(|one| Some((one.name?, one.text)));
        let more = named
            .filter(|(name, _)| !own.contains(name))
            .filter(|(_, text)| words(&code(text)).any(|(word, _)| own.contains(word)));
        let more: Vec<_> = more.map(|(name, _)| name).collect();
        if more.is_empty() {
            break;
        }
        own.extend(more);
    }
    let mut text = first.to_owned();
    for one in declared.iter().filter(|one| one.name.is_some_and(|name| own.contains(name))) {
        let mut rest = 0;
        for (word, at) in words(one.text) {
            text.push_str(&one.text[rest..at]);
            rest = at + word.len();
            let is_constant = word == word.to_uppercase();
            let is_member = one.text.contains("struct ") && one.text[rest..].starts_with(':');
            match (own.contains(word) && !is_member, is_constant) {
                (false, _) => text.push_str(word),
                (true, true) => text.extend([&prefix.to_uppercase(), word]),
                (true, false) => text.extend([prefix, word]),
            }
        }
        text.push_str(&one.text[rest..]);
    }
    text
}

/// The lines of `text` without comments.
fn code(text: &str) -> String {
    let code = |line: &str| line.split("//").next().unwrap_or_default().trim_end().to_owned();
    let lines: Vec<_> = text.lines().map(code).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// The identifiers in `text` that name no component, each with its place.
fn words(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            let at = rest + text[rest..].find(is_part)?;
            let length = text[at..].find(|letter| !is_part(letter)).unwrap_or(text.len() - at);
            rest = at + length;
            let word = &text[at..rest];
            if !word.starts_with(|letter: char| letter.is_ascii_digit())
                && !text[..at].ends_with('.')
            {
                return Some((word, at));
            }
        }
    })
}

fn declarations(text: &str) -> impl Iterator<Item = Declaration<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (mut depth, mut length) = (0, 0);
        for line in rest.split_inclusive('\n') {
            length += line.len();
            let code = code(line);
            depth += code.matches(['{', '(']).count();
            depth -= code.matches(['}', ')']).count();
            if depth == 0 && code.ends_with([';', '}']) {
                let (text, behind) = rest.split_at(length);
                rest = behind;
                return Some(Declaration { name: name(text), text });
            }
        }
        None
    })
}

/// The name that a declaration gives to a thing.
fn name(text: &str) -> Option<&str> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    for line in lines {
        let (before, _) = line.split_once(['=', '{', ';']).unwrap_or((line, ""));
        if words(before).any(|(word, _)| word == "var") {
            return words(before.split(':').next()?).last().map(|(word, _)| word);
        }
        let mut words = words(before).map(|(word, _)| word);
        if words.any(|word| ["fn", "const", "alias", "struct"].contains(&word)) {
            return words.next();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_declarations_stand_once() {
        let module = |rows: bool, n: u32| {
            format!(
                "enable f16;\nconst ROWS: bool = {rows};\n// Points.\nconst N: u32 = {n}u;\n\
                 @group(0) @binding({}) var<storage> data: array<u32, N>;\n\
                 struct Place {{\n    n: u32,\n}}\n\
                 fn same(p: Place) -> u32 {{\n    return p.n;\n}}\n\
                 fn at(p: Place) -> u32 {{\n    if (ROWS) {{\n        return same(p); // N\n    }}\n    \
                 return data[p.n];\n}}\n\
                 @compute\nfn root() {{\n    let x = at(Place(0u));\n}}\n",
                u32::from(!rows)
            )
        };
        let joined = join(&module(true, 4), &module(false, 4), "b_", &[]);
        let added = joined.strip_prefix(&module(true, 4)).unwrap();
        assert_eq!(
            added,
            "const B_ROWS: bool = false;\n\
             @group(0) @binding(1) var<storage> b_data: array<u32, N>;\n\
             fn b_at(p: Place) -> u32 {\n    if (B_ROWS) {\n        return same(p); // N\n    }\n    \
             return b_data[p.n];\n}\n\
             @compute\nfn b_root() {\n    let x = b_at(Place(0u));\n}\n"
        );
        // Declarations that name one that stands apart stand apart, too.
        let joined = join(&module(true, 4), &module(true, 4), "b_", &["same"]);
        let added = joined.strip_prefix(&module(true, 4)).unwrap();
        assert!(added.starts_with("fn b_same(") && added.contains("return b_same(p)"), "{added}");
    }
}
