//! Checks of a hook's WGSL before it meets a kernel: that its brackets close, so that the compiler
//! does not blame the library's lines behind it, and that it declares the functions that kernels call.

use crate::error::Unsupported;

/// Checks that the brackets of `wgsl`, the text of the hook called `hook`, close, and that its last
/// declaration ends.
pub(super) fn check_brackets(hook: &str, wgsl: &str) -> Result<(), Unsupported> {
    let refuse = |line: usize, message: String| {
        Err(Unsupported::HookSyntax { hook: hook.to_owned(), line: line as u32, message })
    };
    let code = match without_comments(wgsl) {
        Ok(code) => code,
        Err(line) => return refuse(line, "this /* is never closed: add */".to_owned()),
    };
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut last = (';', 1);
    for (line, text) in (1..).zip(code.lines()) {
        // An import is the resolver's, and brings whole declarations.
        if text.trim_start().starts_with("#import") {
            continue;
        }
        for character in text.chars().filter(|character| !character.is_whitespace()) {
            last = (character, line);
            let opening = match character {
                '(' | '[' | '{' => {
                    open.push((character, line));
                    continue;
                }
                ')' => '(',
                ']' => '[',
                '}' => '{',
                _ => continue,
            };
            match open.pop() {
                Some((found, _)) if found == opening => {}
                Some((found, at)) => {
                    return refuse(
                        line,
                        format!("this {character} does not close the {found} of line {at}"),
                    );
                }
                None => return refuse(line, format!("this {character} closes nothing")),
            }
        }
    }
    if let Some(&(character, line)) = open.last() {
        return refuse(line, format!("this {character} is never closed"));
    }
    match last {
        (';' | '}', _) => Ok(()),
        (_, line) => refuse(line, "the declaration has no end: add a semicolon".to_owned()),
    }
}

/// Checks that `wgsl`, the text of the hook called `hook` with its imports, declares a function for
/// each of `signatures`, with as many parameters.
///
/// Their types are left to the compiler, which knows other names for them.
pub(super) fn check_functions(
    hook: &str,
    wgsl: &str,
    signatures: &[&'static str],
) -> Result<(), Unsupported> {
    let code = without_comments(wgsl).unwrap_or_default();
    let declared = functions(&code);
    for wanted in signatures {
        let of_that_name = declared.iter().find(|found| name(found) == name(wanted));
        let fits = |found: &&String| {
            parameters(found) == parameters(wanted) && found.contains("->") == wanted.contains("->")
        };
        if of_that_name.filter(fits).is_none() {
            return Err(Unsupported::HookFunction {
                hook: hook.to_owned(),
                wanted,
                found: of_that_name.cloned(),
            });
        }
    }
    Ok(())
}

/// Replaces the comments of `wgsl` by spaces, which keep their lines; or returns the line, from 1, of the
/// comment that never ends.
fn without_comments(wgsl: &str) -> Result<String, usize> {
    let mut code = String::with_capacity(wgsl.len());
    let mut rest = wgsl;
    // The lines where block comments began: they nest.
    let mut blocks: Vec<usize> = Vec::new();
    let mut line = 1;
    while let Some(character) = rest.chars().next() {
        if rest.starts_with("/*") {
            blocks.push(line);
            rest = &rest[2..];
            code.push(' ');
        } else if !blocks.is_empty() && rest.starts_with("*/") {
            blocks.pop();
            rest = &rest[2..];
        } else if blocks.is_empty() && rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else {
            if character == '\n' {
                line += 1;
            }
            if character == '\n' || blocks.is_empty() {
                code.push(character);
            }
            rest = &rest[character.len_utf8()..];
        }
    }
    blocks.first().map_or(Ok(code), |line| Err(*line))
}

/// The functions that `code` declares, each from `fn` up to its body, on one line.
fn functions(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut rest = code;
    let mut before = ' ';
    while let Some(character) = rest.chars().next() {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let after = rest.strip_prefix("fn").filter(|after| after.starts_with(char::is_whitespace));
        if let Some(after) = after.filter(|_| depth == 0 && !is_word(before)) {
            let header = &after[..after.find('{').unwrap_or(after.len())];
            let words: Vec<&str> = header.split_whitespace().collect();
            found.push(format!("fn {}", words.join(" ")));
            (rest, before) = (&after[header.len()..], ' ');
            continue;
        }
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = character;
        rest = &rest[character.len_utf8()..];
    }
    found
}

fn name(signature: &str) -> &str {
    let (start, _) = signature.split_once('(').unwrap_or((signature, ""));
    start.trim_start_matches("fn ").trim()
}

fn parameters(signature: &str) -> usize {
    let inner = signature.split_once('(').map_or("", |(_, inner)| inner);
    // Commas within a type or an attribute part no parameters.
    let (mut depth, mut count, mut is_between) = (0, 0, true);
    for character in inner.chars() {
        match character {
            '(' | '<' | '[' => depth += 1,
            ')' if depth == 0 => break,
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                is_between = true;
                continue;
            }
            _ => {}
        }
        if is_between && !character.is_whitespace() {
            (count, is_between) = (count + 1, false);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOAD: &str = "fn load(layer: u32, y: u32, x: u32) -> Element";
    const STORE: &str = "fn store(layer: u32, y: u32, x: u32, value: Element)";

    #[test]
    fn unclosed_brackets_are_named_with_their_line() {
        let refused = |wgsl: &str| check_brackets("mine", wgsl).unwrap_err().to_string();
        for (wgsl, line, expected) in [
            ("fn load() {\n    if (true) {\n}\n", 1, "this { is never closed"),
            ("fn f() {}\n}\n", 2, "this } closes nothing"),
            ("fn f() {\n    let a = b[(1];\n}", 2, "this ] does not close the ( of line 2"),
            ("// {\n\n/* {\n /* } */\nfn f() {}", 3, "this /* is never closed"),
            ("fn f() {}\nvar<private> a: f32 // ;\n", 2, "add a semicolon"),
        ] {
            let error = refused(wgsl);
            assert!(error.contains("the hook mine") && error.contains(expected), "{error}");
            assert!(error.contains(&format!("line {line}:")), "{error}");
        }
        for wgsl in ["", "// (\n", "/* [ /* { */ */", "#import \"a/b.wgsl\"\n", "const a = (1);"] {
            check_brackets("mine", wgsl).unwrap();
        }
    }

    #[test]
    fn functions_are_found_whatever_stands_around_them() {
        let good = "struct S { fn_: u32 } // fn load()
/* fn load(a: u32) */ const fnord = 1u;
@must_use fn  load ( @a(b, c) layer: u32 , // the layer
    y: u32, x: array<u32, 4>,
) -> vec2<f32> { return f(); }
fn f() -> vec2<f32> { return vec2(0.0); }
";
        check_functions("mine", good, &[LOAD]).unwrap();
        let names: Vec<_> = functions(&without_comments(good).unwrap());
        assert_eq!(names.iter().map(|found| name(found)).collect::<Vec<_>>(), ["load", "f"]);
    }

    #[test]
    fn functions_that_are_missing_or_differ_show_the_signature() {
        let refused =
            |wgsl: &str, wanted| check_functions("mine", wgsl, &[wanted]).unwrap_err().to_string();
        for (wgsl, wanted, given) in [
            ("", LOAD, "no function load"),
            ("fn loads() {}", LOAD, "no function load"),
            ("fn load(layer: u32) -> Element {}", LOAD, "`fn load(layer: u32) -> Element`"),
            (
                "fn load(layer: u32, y: u32, x: u32) {}",
                LOAD,
                "`fn load(layer: u32, y: u32, x: u32)`",
            ),
            ("fn store(value: Element) {}", STORE, "`fn store(value: Element)`"),
            ("fn store(a: u32, b: u32, c: u32, d: E) -> f32 {}", STORE, "d: E) -> f32`"),
        ] {
            let error = refused(wgsl, wanted);
            assert!(error.contains("the hook mine") && error.contains(given), "{error}");
            assert!(error.contains(&format!("`{wanted}`")), "{error}");
        }
    }
}
