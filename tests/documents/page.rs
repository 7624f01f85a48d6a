//! A page of Markdown, cut into its code blocks and the lines between them.

/// The folder of the book's pages.
pub const BOOK: &str = "docs/book/src";

/// A part of a page.
#[derive(Debug)]
pub enum Part<'p> {
    /// A line outside of code blocks.
    Line(&'p str),
    /// A code block.
    Block(Block<'p>),
}

/// A code block with fences.
#[derive(Debug)]
pub struct Block<'p> {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The word behind the fence.
    pub info: &'p str,
    /// The file that it shows: the last line above it is this name in backticks and a colon.
    pub file: Option<&'p str>,
    /// Its lines.
    pub lines: Vec<&'p str>,
}

/// The parts of a page, in order.
pub fn parts(page: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut last = "";
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            parts.push(Part::Line(line));
            if !line.trim().is_empty() {
                last = line;
            }
            continue;
        };
        let inner = lines.by_ref().map(|(_, line)| line);
        parts.push(Part::Block(Block {
            line: number + 2,
            info,
            file: file_name(last),
            lines: inner.take_while(|line| *line != "```").collect(),
        }));
        last = "";
    }
    parts
}

/// The name of a file in backticks, if a line is this with a colon and nothing else.
fn file_name(line: &str) -> Option<&str> {
    let name = line.strip_prefix('`')?.strip_suffix("`:")?;
    let is_name = name
        .chars()
        .all(|sign| sign.is_ascii_alphanumeric() || "/._-".contains(sign));
    is_name.then_some(name)
}

/// The name that a heading has in links: lower case, words joined by `-`, without other signs.
pub fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter_map(|sign| match sign {
            ' ' => Some('-'),
            '-' | '_' => Some(sign),
            sign => sign.is_alphanumeric().then_some(sign),
        })
        .collect()
}
