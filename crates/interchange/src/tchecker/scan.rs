//! Splits a `.tck` file into its declarations, each with its place.

use tamper_text::{Cursor, Diagnostic, Piece, Span};

/// `keyword:field:…{key:value:…}`
#[derive(Clone, Debug)]
pub(super) struct TcheckerDeclaration<'a> {
    pub keyword: Piece<'a>,
    pub fields: Vec<Piece<'a>>,
    /// Keys and values.
    pub attributes: Vec<(Piece<'a>, Piece<'a>)>,
    /// The place of the whole declaration.
    pub span: Span,
}

/// The parts of a file.
#[derive(Default, Debug)]
pub(super) struct Scanned<'a> {
    pub declarations: Vec<TcheckerDeclaration<'a>>,
    /// The text after `tamper:` in comments.
    pub directives: Vec<Piece<'a>>,
}

/// The declarations of `text`; syntax errors go to `diagnostics`.
pub(super) fn scan<'a>(text: &'a str, diagnostics: &mut Vec<Diagnostic>) -> Scanned<'a> {
    let mut scanned = Scanned::default();
    let mut cursor = Cursor::new(text);
    loop {
        cursor.take_while(char::is_whitespace);
        if cursor.is_at_end() {
            return scanned;
        }
        if cursor.eat("#") {
            let mut comment = Cursor::of(cursor.take_until("\n").trimmed());
            if comment.eat("tamper:") {
                let directive = comment.take(comment.rest().len());
                scanned.directives.push(directive.trimmed());
            }
            continue;
        }
        scanned.declarations.extend(declaration(&mut cursor, diagnostics));
    }
}

/// The declaration at the cursor.
fn declaration<'a>(cursor: &mut Cursor<'a>, diagnostics: &mut Vec<Diagnostic>) -> Option<TcheckerDeclaration<'a>> {
    let start = cursor.position();
    let head = cursor.take_while(|c| !matches!(c, '\n' | '{' | '#'));
    let mut words = head.split(':').map(Piece::trimmed);
    let mut found = TcheckerDeclaration {
        keyword: words.next()?,
        fields: words.collect(),
        attributes: Vec::new(),
        span: head.trimmed().span,
    };
    let open = cursor.span(1);
    if !cursor.eat("{") {
        return Some(found);
    }
    let Some(inside) = cursor.take_through("}") else {
        diagnostics.push(Diagnostic::error("these attributes never end", open).with_help("close them with `}`"));
        cursor.take(cursor.rest().len());
        return None;
    };
    if let Some(bad) = inside.text.find(['{', '#', '@']) {
        let bad = inside.part(bad, bad + 1);
        let error = Diagnostic::error(format!("`{}` cannot stand in an attribute", bad.text), bad.span);
        diagnostics.push(error.with_help("the characters : { } # and @ are reserved"));
    }
    found.attributes = pairs(inside, diagnostics);
    found.span = cursor.since(start).span;
    let after = cursor.take_while(|c| !matches!(c, '\n' | '#')).trimmed();
    if !after.text.is_empty() {
        let error = Diagnostic::error("text after the attributes", after.span);
        diagnostics.push(error.with_help("a declaration ends with its line"));
    }
    Some(found)
}

fn pairs<'a>(inside: Piece<'a>, diagnostics: &mut Vec<Diagnostic>) -> Vec<(Piece<'a>, Piece<'a>)> {
    if inside.text.trim().is_empty() {
        return Vec::new();
    }
    let words: Vec<Piece<'a>> = inside.split(':').map(Piece::trimmed).collect();
    let (pairs, rest) = words.as_chunks::<2>();
    if let [key] = rest {
        let error = Diagnostic::error(format!("the attribute `{}` has no `:`", key.text), key.span);
        diagnostics.push(error.with_help("write `key:value`, or `key:` without a value"));
    }
    pairs.iter().map(|[key, value]| (*key, *value)).collect()
}
