//! The common shell of all pages: a single file that opens from the disk and asks nothing of any network.

use serde_json::Value;

use tamper_text::xml;

/// The parts of a page.
#[derive(Clone, Copy)]
pub(super) struct PageParts<'p> {
    pub title: &'p str,
    /// Style sheets besides the common one.
    pub styles: &'p [&'p str],
    pub body: &'p str,
    /// Scripts, which find the page's data in it.
    pub scripts: &'p [&'p str],
    /// Whether the page asks its server for more; else it asks for nothing.
    pub asks: bool,
}

/// The page with these parts and `data`.
pub(super) fn html(parts: PageParts<'_>, data: &Value) -> String {
    let parts = [
        (
            "{{asks}}",
            (if parts.asks { "; connect-src 'self'" } else { "" }).to_owned(),
        ),
        ("{{title}}", xml::content(parts.title).into_owned()),
        (
            "{{style}}",
            include_str!("page.css").to_owned() + &parts.styles.concat(),
        ),
        ("{{body}}", parts.body.trim_end().to_owned()),
        (
            "{{script}}",
            include_str!("elements.js").to_owned() + &parts.scripts.concat(),
        ),
        // In a script element nothing ends a text but `</`.
        ("{{data}}", data.to_string().replace('<', "\\u003c")),
    ];
    // One pass over the shell: a text that replaces a mark may look like a mark.
    let mut rest = include_str!("shell.html");
    let mut page = String::new();
    while let Some((at, (mark, text))) = next(rest, &parts) {
        page.push_str(&rest[..at]);
        page.push_str(text);
        rest = &rest[at + mark.len()..];
    }
    page + rest
}

/// The first mark in `text`, its place, and the text that replaces it.
fn next<'p>(text: &str, parts: &'p [(&'static str, String)]) -> Option<(usize, (&'static str, &'p str))> {
    let found = parts
        .iter()
        .filter_map(|(mark, part)| Some((text.find(mark)?, (*mark, part.as_str()))));
    found.min_by_key(|(at, _)| *at)
}
