//! The page of one transform's kernels as a file that needs neither a server nor a network.

use super::Sheet;

/// Returns the page of `sheet`, with its kernels in every language.
pub fn page(sheet: &Sheet) -> String {
    let mut sheet = sheet.clone();
    sheet.translate();
    let title = sheet.title.replace('&', "&amp;").replace('<', "&lt;");
    // In a script element, no text may look like its end.
    let data = serde_json::to_string(&sheet).expect("plain data").replace('<', "\\u003c");
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
    <meta charset=\"utf-8\">
    <title>{title}</title>
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
    <link rel=\"icon\" href=\"data:,\">
    <style>
{}</style>
</head>
<body>
    <main class=\"laboratory\">
        <noscript>This page needs JavaScript.</noscript>
        <div id=\"sheet\"></div>
    </main>
    <script type=\"application/json\" id=\"data\">{data}</script>
    <script type=\"module\">
{}
show(document.getElementById(\"sheet\"), JSON.parse(document.getElementById(\"data\").textContent));
    </script>
</body>
</html>
",
        include_str!("../../web/seaway.css"),
        include_str!("../../web/sheet.js"),
    )
}
